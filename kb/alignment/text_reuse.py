"""Wording taken over: which provisions of two codes print the same text, or one all of the other's.

That a text was taken over is proved by its wording alone (Funk & Mullen, "The Spine of American Law", American
Historical Review 123, 2018): by so many letters in common, or by fewer where what stands before or after it was taken
over too. A sentence that any act may have ("This act shall take effect ...") proves nothing by itself.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import numpy as np
from rapidfuzz import fuzz

from extract.language.wording import Rarity
from kb.alignment.likeness import KEPT, plain_text, term_counts, weighed
from kb.analysis.index import TermIndex

SAME = 80.0  # per cent of letters that need no change: one text, as a scan of our four books has it
_CONTAINED, _CONTAINED_LETTERS = 0.9, 200  # share of the shorter that stands in the longer, in whole runs; and letters
_LONGEST = 2.0  # times as long as the shorter; a longer one says too much else
_BY_ITSELF = 60  # letters in common that need no neighbour; a section on when an act takes effect has some 50
_NEAR = 3  # places: so far before and after it may a neighbour stand
_NEIGHBOUR = 5.0  # per cent that a neighbour is worth where a text has several partners
_BESIDE = 3.0  # per cent: a partner less alike than the best by more is none
# The provisions of earlier codes whose letters are compared: those whose words are likest, and so like at least. In
# three bad scans of statutes .2 and .3 find the same texts, .4 loses one.
_LOOKED_AT, _LEAST_LIKE = 12, 0.2
RUN = 8  # letters; longer ones are lost to misread letters, shorter ones stand in every text
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class PlainWording:
    """A provision by its letters alone; `place` is its place in its code."""

    id: str
    place: int
    letters: str


@dataclass(frozen=True, slots=True)
class WordingBlock:
    """Two codes, the earlier first, and the pairs of their provisions whose words are alike."""

    ours: tuple[PlainWording, ...]
    theirs: tuple[PlainWording, ...]
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Reuse:
    """A text that two provisions have in common.

    `alike` is the per cent of their letters that need no change. Where they are not one text, `within` is how much of
    the shorter stands in the longer, 0 to 1.
    """

    a: str
    b: str
    alike: float
    within: float = 0.0


@lru_cache(maxsize=KEPT)
def letters(text: str) -> str:
    """The letters and figures of a provision in small, without its label and without references in brackets."""
    return _NO_LETTER.sub("", plain_text(text).casefold())


def inside(small: str, large: str) -> float:
    """How much of a text stands in another in whole runs, 0 to 1; by a letter misread eight runs are lost.

    Args:
        small, large: letters as `letters` gives them.
    """
    runs, others = ({text[i : i + RUN] for i in range(len(text) - RUN + 1)} for text in (small, large))
    return len(runs & others) / len(runs) if runs else 0.0


def blocks(codes: Sequence[Sequence[tuple[str, str]]]) -> Iterator[WordingBlock]:
    """The pairs of codes that share wording, each with the provisions to compare.

    Words that stand in one provision alone, as misread ones do, are left aside: they can tell no likeness.

    Args:
        codes: the ids and texts of the provisions of each code, earlier codes first.
    """
    counts = [term_counts(text) for code in codes for _, text in code]
    rarity = Rarity(counts)
    seen = Counter(term for count in counts for term in count)
    vectors = [weighed({t: n for t, n in count.items() if seen[t] > 1}, rarity) for count in counts]
    index = TermIndex.of_rows(vectors)
    wordings = [tuple(PlainWording(id, i, letters(text)) for i, (id, text) in enumerate(code)) for code in codes]
    first = list(accumulate(map(len, codes), initial=0))
    for later, theirs in enumerate(wordings):
        pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for wording in theirs:
            likeness = index.products(vectors[first[later] + wording.place])[: first[later]]
            like = np.flatnonzero(likeness >= _LEAST_LIKE)[::-1]  # of those as like the nearest in time come first
            for row in like[np.argsort(-likeness[like], kind="stable")][:_LOOKED_AT].tolist():
                earlier = bisect(first, row) - 1
                pairs[earlier].append((row - first[earlier], wording.place))
        for earlier, among in sorted(pairs.items()):
            yield WordingBlock(wordings[earlier], theirs, tuple(among))


def reuses(codes: Sequence[Sequence[tuple[str, str]]]) -> list[Reuse]:
    """What the provisions of all codes have in common with those of earlier ones, in no order.

    Args:
        codes: as in `blocks`.
    """
    return [reuse for block in blocks(codes) for reuse in compare(block)]


def strength(reuse: Reuse) -> float:
    """How strongly the wording alone speaks for a pair, 0 to 1."""
    return reuse.alike / 100 if reuse.alike >= SAME else reuse.within


def compare(block: WordingBlock) -> list[Reuse]:
    """What two codes have in common.

    Of several partners of a provision in the other code that which is most alike counts, and those as good as it; a
    neighbour taken over too speaks for a partner, so that of two orders in one form each finds its own.
    """
    found: dict[tuple[int, int], Reuse] = {}
    texts: dict[tuple[int, int], tuple[str, str]] = {}
    for x, y in block.pairs:
        a, b = block.ours[x], block.theirs[y]
        found[a.place, b.place], texts[a.place, b.place] = _measured(a, b), (a.letters, b.letters)
    same = {pair: reuse.alike for pair, reuse in found.items() if reuse.alike >= SAME}
    best = _best(same)
    strong = {pair for pair, alike in same.items() if alike >= max(best[0, pair[0]], best[1, pair[1]]) - _BESIDE}
    held = {pair for pair in found if _neighbour(pair, strong)}
    worth = {pair: alike + _NEIGHBOUR * (pair in held) for pair, alike in same.items()}
    best = _best(worth)
    kept = []
    for pair, reuse in found.items():
        if pair in same:
            proved = pair in held or _common(reuse.alike, *texts[pair]) >= _BY_ITSELF
            if proved and worth[pair] >= max(best[0, pair[0]], best[1, pair[1]]) - _BESIDE:
                kept.append(reuse)
        elif reuse.within:
            shorter = 0 if len(texts[pair][0]) <= len(texts[pair][1]) else 1
            if (shorter, pair[shorter]) not in best:
                kept.append(reuse)
    return kept


def _measured(a: PlainWording, b: PlainWording) -> Reuse:
    """How like two provisions are; what the one has of the other is looked for where there are letters enough."""
    alike = fuzz.ratio(a.letters, b.letters)
    small, large = sorted((a.letters, b.letters), key=len)
    little = _common(alike, small, large) < max(_CONTAINED * len(small), _CONTAINED_LETTERS)
    if alike >= SAME or little or len(large) > _LONGEST * len(small):
        return Reuse(a.id, b.id, alike)
    within = inside(small, large)
    enough = within >= _CONTAINED and within * len(small) >= _CONTAINED_LETTERS
    return Reuse(a.id, b.id, alike, within if enough else 0.0)


def _common(alike: float, a: str, b: str) -> float:
    """How many letters two texts have in common, in order."""
    return alike * (len(a) + len(b)) / 200


def _best(worth: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    """The best of each provision, by side (0 or 1) and place."""
    best: dict[tuple[int, int], float] = {}
    for pair, value in worth.items():
        for key in enumerate(pair):
            best[key] = max(value, best.get(key, 0.0))
    return best


def _neighbour(pair: tuple[int, int], strong: Iterable[tuple[int, int]]) -> bool:
    """Whether a provision shortly before or after one was taken over into one shortly before or after the other."""
    steps = range(1, _NEAR + 1)
    return any((pair[0] + s * i, pair[1] + s * j) in strong for s in (1, -1) for i in steps for j in steps)
