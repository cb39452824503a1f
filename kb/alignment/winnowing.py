"""The letters of a text, and its fingerprint: a few of its runs of letters, the same few in every text that has them.

Runs of letters outlive a scan better than runs of words: a word torn in two or run into the next costs nothing, a
letter misread only the runs through it. Of each stretch the run with the least hash is kept, so that two texts with a
stretch in common keep the same run of it wherever it stands (winnowing: Schleimer, Wilkerson & Aiken, "Winnowing: Local
Algorithms for Document Fingerprinting", SIGMOD 2003).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kb.alignment.likeness import KEPT, plain_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Prints = NDArray[np.uint32]

RUN = 8  # letters; longer ones are lost to misread letters, shorter ones stand in every text
_STRETCH = 10  # runs of which one is kept
_FACTOR = 0x9E3779B97F4A7C15  # of a multiplicative hash (Knuth, The Art of Computer Programming 3, 6.4)
_FEWEST, _LEAST_SHARED = 2, 0.15  # runs that two provisions must share, and so much of the smaller's
_NEAREST, _LOOKED_AT = 256, 8192  # places of one run, and of all runs of a provision, that are looked at
_OF_A_CODE, _CODES = 3, 12  # provisions of one earlier code that one is compared with; and such codes

_NO_LETTER = re.compile(r"[\W_]+")


@lru_cache(maxsize=KEPT)
def letters(text: str) -> str:
    """The letters and figures of a provision in small, without its label and without references in brackets."""
    return _NO_LETTER.sub("", plain_text(text).casefold())


def fingerprint(text: str) -> Prints:
    """The hashes that stand for a text, sorted, each once; none for a text shorter than a run.

    Args:
        text: letters as `letters` gives them.
    """
    import numpy as np

    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    if len(codes) < RUN:
        return np.empty(0, dtype=np.uint32)
    factor = np.uint64(_FACTOR)
    hashes = np.zeros(len(codes) - RUN + 1, dtype=np.uint64)
    for i in range(RUN):
        hashes = (hashes + codes[i : len(codes) - RUN + 1 + i]) * factor
        hashes ^= hashes >> np.uint64(29)
    runs = (hashes >> np.uint64(32)).astype(np.uint32)
    if len(runs) > _STRETCH:
        runs = np.lib.stride_tricks.sliding_window_view(runs, _STRETCH).min(axis=1)
    return np.unique(runs)


def inside(small: str, large: str) -> float:
    """How much of a text stands in another in whole runs, 0 to 1; by a letter misread eight runs are lost.

    Args:
        small, large: letters as `letters` gives them.
    """
    runs, others = ({text[i : i + RUN] for i in range(len(text) - RUN + 1)} for text in (small, large))
    return len(runs & others) / len(runs) if runs else 0.0


class FingerprintIndex:
    """Which provisions share runs of letters with those of earlier codes, found in one pass over an inverted index.

    What is looked at for a provision does not grow with the library: its rarest runs come first, as they tell most,
    until so many provisions that have them have been seen; of a run that stands in very many, those nearest in time.
    """

    def __init__(self, codes: Sequence[Sequence[Prints]]) -> None:
        """Index the fingerprints of the provisions of all codes, earlier codes first."""
        import numpy as np

        self._first = np.cumsum([0, *map(len, codes)])
        self._sizes = np.array([len(prints) for code in codes for prints in code], dtype=np.int64)
        owners = np.repeat(np.arange(len(self._sizes), dtype=np.uint64), self._sizes)
        every = [prints for code in codes for prints in code]
        runs = np.concatenate(every) if every else np.empty(0, dtype=np.uint32)
        self._prints, self._starts = runs, np.concatenate([[0], np.cumsum(self._sizes)])
        self._keys = np.sort((runs.astype(np.uint64) << np.uint64(32)) | owners)

    def earlier(self, code: int) -> dict[int, list[tuple[int, int]]]:
        """The provisions of earlier codes that share most with those of one code.

        Args:
            code: its place among the codes.
        Returns:
            For each earlier code, by its place, pairs of provisions by their places in the earlier and in this code:
            for one provision at most three of each of the twelve codes that share most with this one, and that one
            of all codes which shares most.
        """
        import numpy as np

        first, last = self._first[code], self._first[code + 1]
        sizes = self._sizes[first:last]
        runs = self._prints[self._starts[first] : self._starts[last]].astype(np.uint64) << np.uint64(32)
        mine = np.repeat(np.arange(last - first), sizes)
        ends = np.searchsorted(self._keys, runs | np.uint64(first))
        begins = np.maximum(np.searchsorted(self._keys, runs), ends - _NEAREST)
        counts = ends - begins
        order = np.lexsort((counts, mine))
        mine, begins, counts = mine[order], begins[order], counts[order]
        seen = np.cumsum(counts)
        before = np.concatenate([[0], seen])[self._starts[first:last] - self._starts[first]]
        looked = seen - before[mine] <= _LOOKED_AT
        mine, begins, counts = mine[looked], begins[looked], counts[looked]
        met = np.repeat(begins - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) + np.arange(counts.sum())
        others = (self._keys[met] & np.uint64(0xFFFFFFFF)).astype(np.int64)
        pairs, shared = np.unique(np.repeat(mine, counts) * first + others, return_counts=True)
        looked_at = np.bincount(mine, minlength=len(sizes))
        return self._most(code, pairs // max(first, 1), pairs % max(first, 1), shared, looked_at)

    def _most(self, code: int, mine: Any, others: Any, shared: Any, looked: Any) -> dict[int, list[tuple[int, int]]]:
        """Of the provisions met, those that share most."""
        import numpy as np

        first = self._first[code]
        part = looked[mine] / np.maximum(self._sizes[first + mine], 1)
        share = shared / np.maximum(np.minimum(looked[mine], part * self._sizes[others]), 1)
        good = (shared >= _FEWEST) & (share >= _LEAST_SHARED)
        mine, others, shared, share = mine[good], others[good], shared[good], share[good]
        homes = np.searchsorted(self._first, others, side="right") - 1
        few = _first_of(np.lexsort((-share, homes, mine)), mine * len(self._first) + homes, _OF_A_CODE)
        near = np.argsort(-np.bincount(homes[few], weights=share[few]), kind="stable")[:_CODES]
        best = _first_of(np.lexsort((-homes, -share, mine)), mine, 1)
        keep = np.union1d(few[np.isin(homes[few], near)], best)
        found: dict[int, list[tuple[int, int]]] = {}
        for one, other, home in zip(mine[keep].tolist(), others[keep].tolist(), homes[keep].tolist(), strict=True):
            found.setdefault(home, []).append((other - int(self._first[home]), one))
        return found


def _first_of(order: Any, groups: Any, most: int) -> Any:
    """The first so many of each group, in an order that keeps groups together."""
    import numpy as np

    sorted_groups = groups[order]
    begins = np.searchsorted(sorted_groups, sorted_groups)
    return order[np.arange(len(order)) - begins < most]
