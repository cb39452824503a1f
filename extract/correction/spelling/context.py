"""Word usage of a book and of the books beside it: counts of forms and pairs, the evidence for most corrections."""

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
from extract.weights import weights

_STOP = re.compile(r"[.;:?!—–]\W*$|--$")
_CUTS = tuple(CUTS)

STOP, PAUSE = ".", ","
"""Placeholders in pairs of words, for a stop (the beginning or end of a sentence) and for a comma."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts over a text, in lower case: words (with inner hyphens), and pairs without punctuation between them.

    `capitals` counts the words that are capitalised where no sentence begins.
    """

    words: Counter[str]
    pairs: Counter[tuple[str, str]]
    capitals: Counter[str]

    def word(self, form: str) -> int:
        return self.words.get(form.lower(), 0)

    def pair(self, first: str, second: str) -> int:
        return self.pairs.get((first.lower(), second.lower()), 0)


def count_usage(stream: Stream, witnesses: Sequence[str] = ()) -> Usage:
    """Count the words of a scan and of the reading texts of other books.

    Words cut by a line end or a page break are left out.

    Args:
        stream: the scan's tokens.
        witnesses: reading texts; each counts like the scan.
    """
    words: list[str] = []
    pairs: list[tuple[str, str]] = []
    capitals: list[str] = []
    runs: list[Iterable[str]] = [_whole(stream)]
    runs += [text.split() for text in witnesses]
    for run in runs:
        before = STOP
        for token in run:
            word, capital, sign = _counted(token)
            if word:
                words.append(word)
                pairs.append((before, word))
                if capital and before != STOP:
                    capitals.append(word)
                if sign:
                    words.append(sign)
                    pairs.append((word, sign))
            before = sign or word or before
    return Usage(Counter(words), Counter(pairs), Counter(capitals))


@lru_cache(maxsize=100_000)
def _counted(token: str) -> tuple[str, bool, str]:
    """The word of a token ("" for none) in lower case, whether it is capitalised, and its `signal`."""
    form = core(token)
    return form.lower().replace("’", "'"), form[:1].isupper(), signal(token)


@lru_cache(maxsize=100_000)
def signal(token: str) -> str:
    """The punctuation that a token ends with: STOP, PAUSE, or "" for neither."""
    if _STOP.search(token):
        return STOP
    return PAUSE if token.rstrip("\"'”’)]*").endswith(",") else ""


def _whole(stream: Stream) -> Iterable[str]:
    cut = False
    for token, gap in zip(stream.tokens, stream.gaps[1:], strict=True):
        broken = token.text.endswith("-") or (gap.breaks > 0 and token.text.endswith(_CUTS))
        yield "" if cut or broken else token.text
        cut = broken


_OWN_SHARE, _PAIR_OWN, _PAIR_GENERAL = weights(
    "correction", "language.own_words", "language.own_pairs", "language.general_pairs"
)
_FLOOR = ((35, 1e-7), (55, 3e-8), (99, 1e-8))


@dataclass(frozen=True, slots=True)
class Language:
    """A bigram model of the book's language, interpolated from its own counts and general ones.

    After Jelinek & Mercer, "Interpolated estimation of Markov source parameters from sparse data" (1980), with
    fixed weights.
    """

    lexicon: Lexicon
    usage: Usage
    total: int = field(init=False)
    _general: dict[str, tuple[float, float]] = field(init=False, default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", max(1, self.usage.words.total()))

    def share(self, word: str, *, less: int = 0) -> float:
        """A word's probability in running text. `less`: occurrences not to count, because they are in question."""
        if word not in self._general:
            size = self.lexicon.size(word)
            floor = 1e-9 if size is None else next(f for limit, f in _FLOOR if size <= limit)
            self._general[word] = (1 - _OWN_SHARE) * (self.lexicon.counts.get(word, 0) / 1e12), floor
        general, floor = self._general[word]
        own = max(0, self.usage.words.get(word, 0) - less) / self.total
        return _OWN_SHARE * own + general + floor

    def follows(self, first: str, word: str, *, less: int = 0) -> float:
        """The probability of a word after another."""
        seen = self.usage.words.get(first, 0)
        own = max(0, self.usage.pairs.get((first, word), 0) - less) / (seen + 5)
        common = self.lexicon.counts.get(first, 0)
        general = self.lexicon.pair(first, word) / common if common else 0.0
        rest = 1 - _PAIR_OWN - _PAIR_GENERAL
        return _PAIR_OWN * own + _PAIR_GENERAL * min(1.0, general) + rest * self.share(word, less=less)

    def case(self, form: str, *, opens: bool) -> float:
        """The log probability of a form's capital, or lower-case, initial at its place."""
        if opens:
            return 0.0 if form[0].isupper() else -4.0
        small = form.lower()
        name = self.lexicon.size(small) is None
        share = (self.usage.capitals[small] + (0.9 if name else 0.1)) / (self.usage.words[small] + 1.0)
        share = max(0.02, share)
        return log(share if form[0].isupper() else 1 - share)

    def fit(self, before: str, words: Sequence[str], after: str, *, less: int = 0) -> float:
        """The log probability of words between two others, where `after` counts relative to its own probability.

        Args:
            before: the word before, "" if it is not evidence.
            words: one word or more, in lower case.
            after: the word after, "" if it is not evidence.
            less: occurrences of each word not to count.
        """
        total = 0.0
        for word in words:
            total += log(self.follows(before, word, less=less) if before else self.share(word, less=less))
            before = word
        if after:
            total += log(self.follows(before, after, less=less) / self.share(after))
        return total
