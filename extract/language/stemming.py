"""The stem of a word: the one stemmer of the project, which any number of threads may use at once."""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

import Stemmer

# No word of a language is longer; a longer one is nobody's word and need not be kept.
LONGEST = 64
# American books write honor and color; shorter words (hour, four) are spelt with -our in both countries.
_OUR = re.compile(r"(?<=...)our$")
_of_thread = threading.local()


def stem(word: str) -> str:
    """The stem of a word in lower case (Porter's English stemmer, Snowball, 2001); honour and honor have the same.

    An endless word is its own.
    """
    return _stem(word) if len(word) <= LONGEST else word.lower()


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return _OUR.sub("or", str(_stemmer().stemWord(word.lower().replace("’", "'"))))


def _stemmer() -> Any:
    """A stemmer of this thread's own: a Snowball object keeps the word it works on in itself."""
    if not hasattr(_of_thread, "stemmer"):
        _of_thread.stemmer = Stemmer.Stemmer("english")
    return _of_thread.stemmer
