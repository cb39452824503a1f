"""The noisy channel: which printed words a misread form may stand for, and at what cost.

After Kernighan, Church & Gale, "A Spelling Correction Program Based on a Noisy Channel Model" (COLING 1990), with
confusions of several characters, because OCR takes a letter's strokes apart (`w` read `vv`, `g` read `o^`). Costs are
negative logarithms. A table gives the initial costs; the confusions that a scan shows become cheaper for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import log

from extract.weights import weights

Confusion = tuple[str, str]
"""The characters that were read, and those that are printed."""

BLANK: Confusion = ("", " ")
"""A blank that OCR lost."""

_MOST = 3
# For a span that no known confusion explains: the most letters it may stand for, the fewest that agree around it.
_LETTERS, _KEPT = 3, 3
_LEARNED_COST, _CHEAPEST = weights("correction", "channel.new", "channel.cheapest")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A word that a misread form may stand for, with its cost, its confusions, and the rule that found it.

    `unexplained`: the difference is not a known confusion.
    """

    text: str
    cost: float
    path: tuple[Confusion, ...]
    unexplained: bool = False
    rule: str = ""


class Vocabulary:
    """A set of words that can be searched by prefix and by suffix."""

    def __init__(self, words: Iterable[str]) -> None:
        self._all = frozenset(words)
        self._words = sorted(self._all)
        self._backwards = sorted(w[::-1] for w in self._words)
        self._prefixes = {w[:end] for w in self._words for end in range(len(w) + 1)}

    def __contains__(self, word: str) -> bool:
        return word in self._all

    def opens(self, prefix: str) -> bool:
        """Whether any word begins with a prefix."""
        return prefix in self._prefixes

    def between(self, head: str, tail: str, longest: int) -> Iterator[str]:
        """Words with a given prefix and suffix, and up to `longest` letters between them."""
        shortest, length = len(head) + len(tail), len(head) + len(tail) + longest
        backwards = len(tail) > len(head)
        words, key, other = (self._backwards, tail[::-1], head[::-1]) if backwards else (self._words, head, tail)
        for at in range(bisect_left(words, key), len(words)):
            word = words[at]
            if not word.startswith(key):
                break
            if shortest <= len(word) <= length and word.endswith(other):
                yield word[::-1] if backwards else word


@dataclass(frozen=True, slots=True)
class Channel:
    """Confusions, by the characters that were read."""

    confusions: Mapping[str, Sequence[tuple[str, float]]]
    longest: int

    @property
    def lost_blank(self) -> float:
        """The cost of a lost blank: it is lower, the more of them the scan has shown."""
        return dict(self.confusions.get("", ())).get(" ", _LEARNED_COST)

    def candidates(
        self, form: str, vocabulary: Vocabulary, *, worst: float = 14.0, most: int = _MOST
    ) -> list[Proposal]:
        """All words that confusions turn into `form`, best first.

        Args:
            form: the misread form, punctuation included.
            vocabulary: words in lower case.
            worst: the highest cost to consider.
            most: the highest number of confusions in one word.
        Returns:
            Candidates in the letter case that the confusions yield; the form itself is not among them.
        """
        found: dict[str, Proposal] = {}

        def walk(at: int, text: str, cost: float, path: tuple[Confusion, ...]) -> None:
            if at == len(form):
                if path and text and text.lower() in vocabulary:
                    known = found.get(text)
                    if known is None or cost < known.cost:
                        found[text] = Proposal(text, cost, path)
                return
            small = text.lower()
            steps: list[tuple[int, str, float, tuple[Confusion, ...]]] = []
            if form[at].isalpha() or form[at] in "'-":
                steps.append((1, form[at], 0.0, path))
            if len(path) < most:
                for width in range(1, min(self.longest, len(form) - at) + 1):
                    read = form[at : at + width]
                    for printed, price in self.confusions.get(read, ()):
                        if cost + price <= worst:
                            steps.append((width, printed, price, (*path, (read, printed))))
            for width, printed, price, way in steps:
                if vocabulary.opens(small + printed.lower()):
                    walk(at + width, text + printed, cost + price, way)

        walk(0, "", 0.0, ())
        return sorted(found.values(), key=lambda c: (c.cost, c.text))

    def learn(self, seen: Mapping[Confusion, int]) -> Channel:
        """Return a channel in which the confusions that a scan shows are cheaper.

        A new confusion is added if it occurs in two or more words.

        Args:
            seen: for each confusion, the number of distinct words in which it occurs.
        """
        costs = {(read, printed): cost for read, options in self.confusions.items() for printed, cost in options}
        for confusion, count in seen.items():
            if confusion in costs or count > 1:
                cost = costs.get(confusion, _LEARNED_COST) - log(1 + count)
                costs[confusion] = max(_CHEAPEST, cost)
        return _channel(costs)


def alike(form: str, vocabulary: Vocabulary, widest: int = 2) -> dict[str, Confusion]:
    """Find the words that agree with a form except in one span of it, whether or not that is a known confusion.

    Args:
        form: what was read; unless all letters are capitals, only the first of them may be one.
        vocabulary: the words to search, in lower case.
        widest: the maximum length of the span, in characters.
    Returns:
        For each word: the narrowest span, and the letters that it stands for.
    """
    small = form.lower() if form.isupper() else form[:1].lower() + form[1:]
    found: dict[str, Confusion] = {}
    for width in range(1, widest + 1):
        for start in range(len(small) - width + 1):
            end = start + width
            head, tail = small[:start], small[end:]
            if len(head) + len(tail) >= _KEPT:
                for word in vocabulary.between(head, tail, _LETTERS):
                    found.setdefault(word, (small[start:end], word[start : len(word) - len(tail)]))
    return found


@lru_cache(maxsize=4)
def load_channel(*tables: str) -> Channel:
    """Load the channel with its initial confusions.

    Args:
        tables: files in extract/data, by default `confusions.tsv`; where two differ, the later one wins.
    """
    costs: dict[Confusion, float] = {}
    for name in tables or ("confusions.tsv",):
        text = (files("extract") / "data" / name).read_text(encoding="utf-8")
        rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("# ")]
        costs |= {(read, printed): float(cost) for read, printed, cost in rows}
    return _channel(costs)


def _channel(costs: Mapping[Confusion, float]) -> Channel:
    confusions: dict[str, list[tuple[str, float]]] = {}
    for (read, printed), cost in sorted(costs.items()):
        confusions.setdefault(read, []).append((printed, cost))
    return Channel(confusions, max(map(len, confusions)))
