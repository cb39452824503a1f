"""An inverted index in memory: which rows share terms with a query, and how much these terms weigh.

It serves the links between provisions, and the search for questions. Terms are stems or concepts; the caller
chooses their weights: vectors of length 1 (the product is their cosine), or BM25.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extract.language.wording import rarity
from kb.analysis.words import terms

Scores = NDArray[np.float64]
"""A number for each row."""

# The usual values of Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), section 3.5.
_SATURATION = 1.2
_LENGTH = 0.6
MOST = _SATURATION + 1
"""The limit of a term's score in a text that repeats it, as a multiple of the term's weight."""


class TermIndex:
    """Rows of weighted terms; made once, read by any number of threads.

    `columns` maps each term to the number of its column.
    """

    def __init__(
        self, columns: Mapping[str, int], starts: Iterable[int], rows: NDArray[np.integer[Any]],
        weights: NDArray[np.number[Any]], size: int,
    ) -> None:  # fmt: skip
        """Index the non-zero cells of a matrix, in the order of its columns.

        Args:
            columns: the number of each term's column.
            starts: the number of each column's first cell, and at the end the number of cells.
            rows, weights: the row and the weight of each cell.
            size: the number of rows.
        """
        self.size = size
        self.columns = columns
        self._starts, self._rows, self._weights = np.fromiter(starts, np.intc), rows, weights

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, float]]) -> TermIndex:
        """Index rows, each given by its terms with their weights."""
        numbers: dict[str, int] = {}
        columns, places, weights = array("i"), array("i"), array("d")
        size = 0
        for at, row in enumerate(rows):
            for term, weight in row.items():
                columns.append(numbers.setdefault(term, len(numbers)))
                places.append(at)
                weights.append(weight)
            size = at + 1
        column, place = np.frombuffer(columns, dtype=np.intc), np.frombuffer(places, dtype=np.intc)
        order = np.argsort(column, kind="stable")
        starts = np.searchsorted(column[order], np.arange(len(numbers) + 1))
        return cls(numbers, starts.tolist(), place[order], np.frombuffer(weights)[order], size)

    def products(self, query: Mapping[str, float]) -> Scores:
        """Return the inner product of each row with a query; 0 if they share no term."""
        return self.of_columns(
            {n: weight for term, weight in query.items() if (n := self.columns.get(term)) is not None}
        )

    def of_columns(self, query: Mapping[int, float]) -> Scores:
        """Return the inner product of each row with a query that has column numbers instead of terms."""
        if not query:
            return np.zeros(self.size)
        columns = np.fromiter(query, np.intp, len(query))
        starts = self._starts[columns]
        lengths = self._starts[columns + 1] - starts
        # The cells of the first column, then those of the second ...: each is a start and a distance from it.
        cells = np.arange(lengths.sum()) + np.repeat(starts - lengths.cumsum() + lengths, lengths)
        weights = np.repeat(np.fromiter(query.values(), float, len(query)), lengths) * self._weights[cells]
        found: Scores = np.bincount(self._rows[cells], weights, self.size).astype(float, copy=False)
        return found

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of a term; 0 if no row has it."""
        column = self.columns.get(term)
        return 0.0 if column is None else rarity(int(self._starts[column + 1] - self._starts[column]), self.size)


def of_texts(texts: Iterable[str]) -> TermIndex:
    """Index texts by the stems of their words, weighted by BM25.

    Args:
        texts: a text for each row; no query finds an empty one.
    """
    counts = [Counter(terms(text)) for text in texts]
    frequency = Counter(term for count in counts for term in count)
    mean = sum(count.total() for count in counts) / max(1, sum(map(bool, counts))) or 1.0

    def weighed() -> Iterator[dict[str, float]]:
        for count in counts:
            norm = _SATURATION * (1 - _LENGTH + _LENGTH * count.total() / mean)
            yield {t: rarity(frequency[t], len(counts)) * n * MOST / (n + norm) for t, n in count.items()}

    return TermIndex.of_rows(weighed())
