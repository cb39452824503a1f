"""The letters and sentences of a text, the stems of its content words, and the values of number words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from extract.language.folding import STOP_WORDS, words_of
from extract.language.sentences import boundaries
from extract.language.stemming import stem
from extract.numbering.spelled import spelled

_SIGNS = re.compile(r"[\W_]+")


def letters(text: str) -> str:
    """Return only the letters and digits of a text, without accents, ligatures and case: to tell whether it changed."""
    return _SIGNS.sub("", unicodedata.normalize("NFKD", text).casefold())


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, without the whitespace between them."""
    start = 0
    for gap in boundaries(text):
        yield text[start : gap.start]
        start = gap.end
    yield text[start:]


def content_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, without stop words."""
    return tuple(word for word in words_of(text) if word not in STOP_WORDS)


def terms(text: str) -> tuple[str, ...]:
    """Return the stems of a text's words, without stop words."""
    return tuple(map(stem, content_words(text)))


def number_of(word: str) -> int | None:
    """Return the number that a word stands for, in figures or spelled out; None if it is not a number."""
    found = spelled(word, 0)
    return int(word) if word.isdecimal() else found.value if found and found.end == len(word) else None
