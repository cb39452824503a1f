"""A field of an index in memory: which of its texts speak of the words of a question, by BM25."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from kb.analysis.words import terms

# The usual values of Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), section 3.5.
_SATURATION = 1.2
_LENGTH = 0.6
_TWICE = 2  # a word that a story repeats counts no more often


MOST = _SATURATION + 1
"""The share of a question's weight that a text can have at most: as if it were the question again and again."""


class Field:
    """Texts of one kind by key, indexed by their terms; made once, read by any number of threads."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Index texts.

        Args:
            texts: what to find, by key; several keys may not share a text's weight, so empty texts are left out.
        """
        counts = {key: Counter(terms(text)) for key, text in texts.items() if text}
        lengths = {key: sum(count.values()) for key, count in counts.items()}
        mean = sum(lengths.values()) / max(1, len(lengths)) or 1.0
        frequency = Counter(term for count in counts.values() for term in count)
        self._weights = {
            term: math.log(1 + (len(counts) - n + 0.5) / (n + 0.5)) for term, n in frequency.items()
        }  # fmt: skip
        self._postings: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for key, count in counts.items():
            norm = _SATURATION * (1 - _LENGTH + _LENGTH * lengths[key] / mean)
            for term, n in count.items():
                weight = self._weights[term] * n * (_SATURATION + 1) / (n + norm)
                self._postings[term].append((key, weight))

    def scores(self, asked: Iterable[str], most: float = 1.0) -> dict[str, float]:
        """The BM25 score of each text that has a term of a question.

        Args:
            asked: the terms of the question.
            most: what a score is told as a share of.
        """
        found: dict[str, float] = defaultdict(float)
        for term, n in Counter(asked).items():
            times = min(n, _TWICE) / most
            for key, weight in self._postings.get(term, ()):
                found[key] += weight * times
        return found

    def weight(self, term: str) -> float:
        """How much a term tells: its inverse document frequency, 0 for one that stands nowhere."""
        return self._weights.get(term, 0.0)
