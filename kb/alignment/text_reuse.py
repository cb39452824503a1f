"""Copied wording: which provisions of two codes print the same text, or of which one contains all of the other.

Wording alone proves that a text was copied (Funk & Mullen, "The Spine of American Law", American Historical Review
123, 2018): by enough letters in common, or by fewer if a neighbouring provision was copied too. A sentence that any
act may have ("This act shall take effect ...") proves nothing by itself.
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

SAME = 80.0  # per cent similarity of letters of the same text, as printed and scanned in our four books
_CONTAINED, _CONTAINED_LETTERS = 0.9, 200  # share of the shorter text that the longer contains in runs; and letters
_LONGEST = 2.0  # longest text that contains another, as a ratio; a longer one says too much else
_BY_ITSELF = 60  # letters in common that need no neighbour; a section on when an act takes effect has some 50
_NEAR = 3  # greatest distance of a neighbour, in provisions
_NEIGHBOUR = 5.0  # per cent that a copied neighbour adds when a text has several possible partners
_BESIDE = 3.0  # per cent by which a partner may be less similar than the best one
# Most provisions of earlier codes whose letters are compared with a provision, those with the most similar words; and
# the least similarity of words. In three bad scans of statutes .2 and .3 find the same texts, .4 loses one.
_LOOKED_AT, _LEAST_LIKE = 12, 0.2
RUN = 8  # letters; longer runs are lost to misread letters, shorter ones occur in every text
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class PlainWording:
    """A provision reduced to its letters; `place` is its position in its code."""

    id: str
    place: int
    letters: str


@dataclass(frozen=True, slots=True)
class WordingBlock:
    """Two codes, the earlier first, and the pairs of positions of provisions whose words are similar."""

    ours: tuple[PlainWording, ...]
    theirs: tuple[PlainWording, ...]
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Reuse:
    """A text that two provisions have in common.

    `alike` is the similarity of their letters in per cent. If they are not the same text, `within` is the share of the
    shorter that the longer contains, 0 to 1.
    """

    a: str
    b: str
    alike: float
    within: float = 0.0


@lru_cache(maxsize=KEPT)
def letters(text: str) -> str:
    """Return a provision's letters and digits in lower case, without its label and references in brackets."""
    return _NO_LETTER.sub("", plain_text(text).casefold())


def inside(small: str, large: str) -> float:
    """Return the share of a text's runs of eight letters that another has, 0 to 1; a misread letter loses eight runs.

    Args:
        small, large: letters as `letters` gives them.
    """
    runs, others = ({text[i : i + RUN] for i in range(len(text) - RUN + 1)} for text in (small, large))
    return len(runs & others) / len(runs) if runs else 0.0


def blocks(codes: Sequence[Sequence[tuple[str, str]]]) -> Iterator[WordingBlock]:
    """Yield the pairs of codes that share wording, each with the provisions to compare.

    Words that occur in only one provision, such as misread ones, are ignored: no other provision can share them.

    Args:
        codes: the ids and texts of the provisions of each code, earlier codes first.
    """
    counts = [term_counts(text) for code in codes for _, text in code]
    rarity = Rarity(counts)
    frequency = Counter(term for count in counts for term in count)
    vectors = [weighed({t: n for t, n in count.items() if frequency[t] > 1}, rarity) for count in counts]
    index = TermIndex.of_rows(vectors)
    wordings = [tuple(PlainWording(id, i, letters(text)) for i, (id, text) in enumerate(code)) for code in codes]
    first_row = list(accumulate(map(len, codes), initial=0))
    for later, theirs in enumerate(wordings):
        pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for wording in theirs:
            likeness = index.products(vectors[first_row[later] + wording.place])[: first_row[later]]
            like = np.flatnonzero(likeness >= _LEAST_LIKE)[::-1]  # of equally similar ones, later codes come first
            for row in like[np.argsort(-likeness[like], kind="stable")][:_LOOKED_AT].tolist():
                earlier = bisect(first_row, row) - 1
                pairs[earlier].append((row - first_row[earlier], wording.place))
        for earlier, among in sorted(pairs.items()):
            yield WordingBlock(wordings[earlier], theirs, tuple(among))


def reuses(codes: Sequence[Sequence[tuple[str, str]]]) -> list[Reuse]:
    """Return what the provisions of all codes have in common with those of earlier ones, in no particular order.

    Args:
        codes: as in `blocks`.
    """
    return [reuse for block in blocks(codes) for reuse in compare(block)]


def strength(reuse: Reuse) -> float:
    """Return the score of a pair by its wording alone, 0 to 1."""
    return reuse.alike / 100 if reuse.alike >= SAME else reuse.within


def compare(block: WordingBlock) -> list[Reuse]:
    """Return what two codes have in common.

    If a provision has several possible partners in the other code, the most similar counts, and those nearly as
    similar. A copied neighbour counts in favour of a partner, so that two orders of the same form find their own.
    """
    found: dict[tuple[int, int], Reuse] = {}
    texts: dict[tuple[int, int], tuple[str, str]] = {}
    for x, y in block.pairs:
        a, b = block.ours[x], block.theirs[y]
        found[a.place, b.place], texts[a.place, b.place] = _measured(a, b), (a.letters, b.letters)
    same = {pair: reuse.alike for pair, reuse in found.items() if reuse.alike >= SAME}
    best = _best(same)
    strong = {pair for pair, alike in same.items() if alike >= max(best[0, pair[0]], best[1, pair[1]]) - _BESIDE}
    has_neighbour = {pair for pair in found if _neighbour(pair, strong)}
    worth = {pair: alike + _NEIGHBOUR * (pair in has_neighbour) for pair, alike in same.items()}
    best = _best(worth)
    kept = []
    for pair, reuse in found.items():
        if pair in same:
            proved = pair in has_neighbour or _common(reuse.alike, *texts[pair]) >= _BY_ITSELF
            if proved and worth[pair] >= max(best[0, pair[0]], best[1, pair[1]]) - _BESIDE:
                kept.append(reuse)
        elif reuse.within:
            shorter = 0 if len(texts[pair][0]) <= len(texts[pair][1]) else 1
            if (shorter, pair[shorter]) not in best:
                kept.append(reuse)
    return kept


def _measured(a: PlainWording, b: PlainWording) -> Reuse:
    """Measure how similar two provisions are, and whether one contains the other, if they share enough letters."""
    alike = fuzz.ratio(a.letters, b.letters)
    small, large = sorted((a.letters, b.letters), key=len)
    too_few = _common(alike, small, large) < max(_CONTAINED * len(small), _CONTAINED_LETTERS)
    if alike >= SAME or too_few or len(large) > _LONGEST * len(small):
        return Reuse(a.id, b.id, alike)
    within = inside(small, large)
    enough = within >= _CONTAINED and within * len(small) >= _CONTAINED_LETTERS
    return Reuse(a.id, b.id, alike, within if enough else 0.0)


def _common(alike: float, a: str, b: str) -> float:
    """Return how many letters two texts have in common, in order."""
    return alike * (len(a) + len(b)) / 200


def _best(worth: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    """Return the best value of each provision, by side (0 or 1) and position."""
    best: dict[tuple[int, int], float] = {}
    for pair, value in worth.items():
        for key in enumerate(pair):
            best[key] = max(value, best.get(key, 0.0))
    return best


def _neighbour(pair: tuple[int, int], strong: Iterable[tuple[int, int]]) -> bool:
    """Whether a provision shortly before one was copied into one shortly before the other, or likewise after both."""
    steps = range(1, _NEAR + 1)
    return any((pair[0] + s * i, pair[1] + s * j) in strong for s in (1, -1) for i in steps for j in steps)
