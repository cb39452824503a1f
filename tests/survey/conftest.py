"""Every test has the same words, whichever ran before it."""

from __future__ import annotations

import pytest
from etexts import NOISE


@pytest.fixture(autouse=True)
def same_words() -> None:
    """Begin the words anew."""
    NOISE.seed(2)
