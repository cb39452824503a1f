"""The only stemmer of the project; it is thread-safe."""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

import Stemmer

# No word of a language is longer; a longer string need not be cached.
LONGEST = 64
# American books write honor and color; shorter words (hour, four) are spelt with -our in both countries.
_OUR = re.compile(r"(?<=...)our$")
_of_thread = threading.local()


def stem(word: str) -> str:
    """The stem of a word in lower case (Porter's English stemmer, Snowball, 2001); honour and honor have the same.

    A word longer than `LONGEST` is its own stem.
    """
    return _stem(word) if len(word) <= LONGEST else word.lower()


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return _OUR.sub("or", str(_stemmer().stemWord(word.lower().replace("’", "'"))))


def _stemmer() -> Any:
    """The stemmer of this thread: a Snowball object stores the word that it works on."""
    if not hasattr(_of_thread, "stemmer"):
        _of_thread.stemmer = Stemmer.Stemmer("english")
    return _of_thread.stemmer
