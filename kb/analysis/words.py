"""The sentences of a text, the stems of the words that tell what it is about, and the numbers that words are."""

from __future__ import annotations

from collections.abc import Iterator

from extract.language.folding import STOP_WORDS, words_of
from extract.language.sentences import boundaries
from extract.language.stemming import stem
from extract.numbering.spelled import spelled


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, without the blanks between them."""
    start = 0
    for gap in boundaries(text):
        yield text[start : gap.start]
        start = gap.end
    yield text[start:]


def telling(text: str) -> tuple[str, ...]:
    """The folded words of a text, those that only serve left out."""
    return tuple(word for word in words_of(text) if word not in STOP_WORDS)


def terms(text: str) -> tuple[str, ...]:
    """The stems of a text's words, those that only serve left out."""
    return tuple(map(stem, telling(text)))


def number_of(word: str) -> int | None:
    """The number that a word is, in figures or letters; None if it is none."""
    found = spelled(word, 0)
    return int(word) if word.isdecimal() else found.value if found and found.end == len(word) else None
