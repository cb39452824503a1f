"""How a book, and the books beside it, use words: counts of forms and of pairs, the evidence of most repairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log

from extract.language.lexicon import Lexicon, core
from extract.text.spacing import CUTS
from extract.text.stream import Stream

_STOP = re.compile(r"[.;:?!—–]\W*$|--$")
_WORDS = re.compile(r"\S+")
_CUTS = tuple(CUTS)

STOP, PAUSE = ".", ","
"""Stand in pairs for a stop (the beginning or the end of a sentence) and for a comma."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts over a text, in small letters: words (with their inner hyphens) and pairs that no sign divides.

    `capitals` counts the words that have a capital where no sentence begins.
    """

    words: Counter[str]
    pairs: Counter[tuple[str, str]]
    capitals: Counter[str]

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
    capitals: Counter[str] = Counter()
    runs: list[Iterable[str]] = [_whole(stream)]
    runs += [(m[0] for m in _WORDS.finditer(text)) for text in witnesses]
    for run in runs:
        before = STOP
        for token in run:
            form = core(token)
            if not form:
                before = signal(token) or before
                continue
            word = form.lower().replace("’", "'")
            capitals[word] += form[0].isupper() and before != STOP
            words[word] += 1
            pairs[before, word] += 1
            if sign := signal(token):
                pairs[word, sign] += 1
                words[sign] += 1
            before = sign or word
    return Usage(words, pairs, capitals)


@lru_cache(maxsize=100_000)
def signal(token: str) -> str:
    """What a token ends with: STOP, PAUSE, or "" for neither."""
    if _STOP.search(token):
        return STOP
    return PAUSE if token.rstrip("\"'”’)]*").endswith(",") else ""


def _whole(stream: Stream) -> Iterable[str]:
    cut = False
    for token, gap in zip(stream.tokens, stream.gaps[1:], strict=True):
        broken = token.text.endswith("-") or (gap.breaks > 0 and token.text.endswith(_CUTS))
        yield "" if cut or broken else token.text
        cut = broken


_OWN_SHARE = 0.5
_PAIR_OWN, _PAIR_GENERAL = 0.45, 0.25
_FLOOR = ((35, 1e-7), (55, 3e-8), (99, 1e-8))


@dataclass(frozen=True, slots=True)
class Language:
    """A bigram model of the book's language: its own counts and the general ones, interpolated.

    After Jelinek & Mercer, "Interpolated estimation of Markov source parameters from sparse data" (1980), with
    fixed weights.
    """

    lexicon: Lexicon
    usage: Usage
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", max(1, self.usage.words.total()))

    def share(self, word: str, *, less: int = 0) -> float:
        """A word's share in the running text. `less`: occurrences that do not count, as they are in question."""
        own = max(0, self.usage.words[word] - less) / self.total
        general = self.lexicon.counts.get(word, 0) / 1e12
        size = self.lexicon.size(word)
        floor = 1e-9 if size is None else next(f for limit, f in _FLOOR if size <= limit)
        return _OWN_SHARE * own + (1 - _OWN_SHARE) * general + floor

    def follows(self, first: str, word: str, *, less: int = 0) -> float:
        """The probability of a word after another."""
        seen = self.usage.words[first]
        own = max(0, self.usage.pairs[first, word] - less) / (seen + 5)
        common = self.lexicon.counts.get(first, 0)
        general = self.lexicon.pair(first, word) / common if common else 0.0
        rest = 1 - _PAIR_OWN - _PAIR_GENERAL
        return _PAIR_OWN * own + _PAIR_GENERAL * min(1.0, general) + rest * self.share(word, less=less)

    def case(self, form: str, *, opens: bool) -> float:
        """How well the capital, or small, initial of a form fits its place: a log probability."""
        if opens:
            return 0.0 if form[0].isupper() else -4.0
        small = form.lower()
        name = self.lexicon.size(small) is None
        share = (self.usage.capitals[small] + (0.9 if name else 0.1)) / (self.usage.words[small] + 1.0)
        share = min(0.98, max(0.02, share))
        return log(share if form[0].isupper() else 1 - share)

    def fit(self, before: str, words: Sequence[str], after: str, *, less: int = 0) -> float:
        """How well words stand between two others: a log probability, that of `after` taken out.

        Args:
            before: the word before, "" if it is no evidence.
            words: one word or more, in small letters.
            after: the word after, "" if it is no evidence.
            less: occurrences not to count.
        """
        total = 0.0
        for word in words:
            total += log(self.follows(before, word, less=less) if before else self.share(word, less=less))
            before = word
        if after:
            total += log(self.follows(before, after, less=less) / self.share(after))
        return total
