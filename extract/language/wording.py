"""The similarity of the wording of two texts: stems of content words, weighted by their rarity, compared by cosine.

The measure is TF-IDF cosine in the vector space model (Salton, Wong & Yang, "A Vector Space Model for Automatic
Indexing", CACM 18, 1975). Function words (data/grammar.txt) are left out: they do not show what a text is about.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from importlib.resources import files

from extract.language.lexicon import FUNCTION, word_set
from extract.language.stemming import stem

_NO_CONTENT = FUNCTION | word_set("provisions")
_WORD = re.compile(r"[a-z]{2,}")


def stems(text: str, but: Set[str] = frozenset()) -> list[str]:
    """The stems of a text's content words, in order; an irregular form has the stem of its base form (`led`: lead).

    Args:
        text: any text.
        but: words to leave out besides function words and those for the parts of a book (`law`, `case`).
    """
    words = (word for word in _WORD.findall(text.lower()) if word not in _NO_CONTENT and word not in but)
    return [stem(_irregular().get(word, word)) for word in words]


@lru_cache(maxsize=1)
def _irregular() -> dict[str, str]:
    lines = (files("extract") / "data" / "irregular.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


def rarity(seen: int, total: int) -> float:
    """The inverse document frequency of a term that `seen` of `total` documents have."""
    return math.log((total + 1) / (seen + 0.5))


class Rarity:
    """The inverse document frequency of terms, computed from the terms of each document."""

    def __init__(self, documents: Iterable[Iterable[str]]) -> None:
        self._seen: Counter[str] = Counter()
        self._total = 0
        for document in documents:
            self._seen.update(set(document))
            self._total += 1

    def __call__(self, term: str) -> float:
        return rarity(self._seen[term], self._total)


def scaled(weights: Mapping[str, float]) -> dict[str, float]:
    """Scale a vector of term weights to length 1; a vector without weight becomes empty."""
    norm = math.hypot(*weights.values())
    return {term: weight / norm for term, weight in weights.items()} if norm else {}
