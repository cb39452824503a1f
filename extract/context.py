"""How a book, and the books beside it, use words: counts of forms and of pairs, the evidence of most repairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from extract.lexicon import core
from extract.stream import Stream

_STOP = re.compile(r"[.;:?!—]\W*$")
_WORDS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts over a text, in small letters: words (with their inner hyphens) and pairs that no stop divides."""

    words: Counter[str]
    pairs: Counter[tuple[str, str]]

    def word(self, form: str) -> int:
        return self.words[form.lower()]

    def pair(self, first: str, second: str) -> int:
        return self.pairs[first.lower(), second.lower()]


def count_usage(stream: Stream, witnesses: Sequence[str] = ()) -> Usage:
    """Count the words of a scan and of the reading texts of other books.

    Words that a line end or a page break cuts are left out.

    Args:
        stream: the scan's tokens.
        witnesses: reading texts; each counts like the scan.
    """
    words: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    runs: list[Iterable[str]] = [_whole(stream)]
    runs += [(m[0] for m in _WORDS.finditer(text)) for text in witnesses]
    for run in runs:
        before = ""
        for token in run:
            word = core(token).lower().replace("’", "'")
            if word:
                words[word] += 1
                if before:
                    pairs[before, word] += 1
            before = "" if _STOP.search(token) else word
    return Usage(words, pairs)


def _whole(stream: Stream) -> Iterable[str]:
    cut = False
    for token in stream.tokens:
        broken = token.text.endswith("-")
        yield "" if cut or broken else token.text
        cut = broken
