"""Every test has the same random words, whichever ran before it."""

import pytest
from etexts import NOISE


@pytest.fixture(autouse=True)
def same_words() -> None:
    """Reset the random generator of words."""
    NOISE.seed(2)
