"""The sentences of a text, and the stems of the words that tell what it is about."""

from __future__ import annotations

from collections.abc import Iterator

from extract.language.folding import STOP_WORDS, words_of
from extract.language.sentences import boundaries
from extract.language.stemming import stem


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, without the blanks between them."""
    start = 0
    for gap in boundaries(text):
        yield text[start : gap.start]
        start = gap.end
    yield text[start:]


def terms(text: str) -> tuple[str, ...]:
    """The stems of a text's words, those that only serve left out."""
    return tuple(stem(word) for word in words_of(text) if word not in STOP_WORDS)
