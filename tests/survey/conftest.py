"""Every test of a module has the same words, whichever ran before it."""

from __future__ import annotations

import random

import pytest


@pytest.fixture(autouse=True)
def same_words(request: pytest.FixtureRequest) -> None:
    """Begin the module's words anew."""
    noise = getattr(request.module, "NOISE", None)
    if isinstance(noise, random.Random):
        noise.seed(1)
