"""Pairs of provisions of two codes that seem to rule on the same matter, for the editor to judge.

The similarity of two provisions is the mean of two TF-IDF cosines: of the stems of their words, and of the concepts
that they mention (Salton, Wong & Yang, "A Vector Space Model for Automatic Indexing", CACM 18, 1975). Concepts match
wordings that share no word: `faced` and `exposed`, `redeal` and `new deal`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from rapidfuzz import fuzz, process

from extract.language.lexicon import word_set
from extract.language.wording import Rarity, scaled
from extract.numbering.spelled import in_figures, ordinal
from kb.analysis.index import TermIndex
from kb.analysis.words import letters, number_of, terms

LEAST = 0.3
"""Least similarity of a pair. Of the gold, .28 finds 68 % of the pairs and 83 % of its pairs are right, .3 finds 66 %
and 85 %, .32 finds 60 % and 84 %."""
NEARLY = 0.8
"""Least ratio of a pair's similarity to the best that one of the two has in the other code; at .6 81 % are
right, at .95 86 %."""
SAME = 80.0
"""Least similarity, in per cent, of the letters of one text in two prints: both may be scanned badly."""

_DENIALS = frozenset(["not", "cannot", "no", "neither", "never", "none", "nothing", "nobody", "without"])
_WORD = re.compile(r"\w+")
_VAGUE = 1  # `one` is more often a pronoun than a number, and means no more than `a`
# A number that only counts an item, or refers to a provision: the other code is numbered differently.
_ITEM = re.compile(r"(?:^|[\n.;:,—(])\s*\(?\d{1,3}(?:st|d|nd|rd|th)?[.)]")
_REFERENCE = re.compile(
    rf"\b(?:{'|'.join(sorted(word_set('citing')))}|see|vide)\.?\s+[a-z]?\s?\d+(?:\s*(?:,|and|or|to|&|-|–)\s*\d+)*"
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pair of provisions, `a` in the earlier code; `relation` is that of a to b, `score` 0 to 1, `why` the reason."""

    a: str
    b: str
    relation: str
    score: float
    why: str


def propose(
    codes: Sequence[Mapping[str, str]], mentioned: Mapping[str, Collection[str]] | None = None
) -> list[Proposal]:
    """Propose pairs of provisions, in the order of the codes.

    Args:
        codes: the texts of the provisions of each code by id, earlier codes first, without their labels.
        mentioned: the concepts that each provision mentions, by its id.
    """
    codes = [{unit_id: text for unit_id, text in code.items() if letters(text)} for code in codes]
    texts = {unit_id: text for code in codes for unit_id, text in code.items()}
    concepts = {unit_id: (mentioned or {}).get(unit_id, ()) for unit_id in texts}
    vectors = _vectors(texts, concepts)
    index = TermIndex.of_rows(vectors)
    likeness = np.array([index.products(vector) for vector in vectors]).reshape(len(vectors), len(vectors))
    starts = np.cumsum([0, *map(len, codes)])
    found = []
    for (x, ours), (y, theirs) in combinations(enumerate(codes), 2):
        if not (ours and theirs):
            continue
        block = likeness[starts[x] : starts[x + 1], starts[y] : starts[y + 1]]
        best = np.minimum(block.max(axis=1)[:, None], block.max(axis=0))
        alike = process.cdist(*([*map(letters, code.values())] for code in (ours, theirs)), scorer=fuzz.ratio)
        chosen = (alike >= SAME) | ((block >= LEAST) & (block >= NEARLY * best))
        ids = [*ours], [*theirs]
        for i, j in np.argwhere(chosen).tolist():
            a, b = ids[0][i], ids[1][j]
            score = round(float(max(block[i, j], alike[i, j] / 100 if alike[i, j] >= SAME else 0)), 3)
            relation, why = _relation(texts[a], texts[b], float(alike[i, j]))
            shared = ", ".join(sorted({*concepts[a]} & {*concepts[b]})[:4])
            found.append(Proposal(a, b, relation, score, f"{why}; both mention {shared}" if shared else why))
    return found


def contrast(a: str, b: str) -> str:
    """Say in which numbers or denials two texts differ: `two against five`, `only one has not`; empty if in none.

    `Two years` and `five years`, `may` and `may not` have almost all letters in common and rule differently.
    """
    ours, theirs = _words(a), _words(b)
    for kind in (_number, _denial):
        mine, others = ([(kind(word), word) for word in words if kind(word)] for words in (ours, theirs))
        if (kind is _number and [n for n, _ in mine] != [n for n, _ in others]) or len(mine) != len(others):
            return _against(mine, others)
    only, their_only = {*ours} - {*theirs}, {*theirs} - {*ours}
    turned = (f"{w} against {v}" for w in only for v in their_only if f"un{w}" == v or f"un{v}" == w)
    return min(turned, default="")


def _vectors(texts: Mapping[str, str], concepts: Mapping[str, Collection[str]]) -> list[dict[str, float]]:
    """Return a vector of each text; the product of two is the mean of their cosines in stems and in concepts."""
    counts = {unit_id: Counter(terms(text)) for unit_id, text in texts.items()}
    of_stem, of_concept = Rarity(counts.values()), Rarity(concepts.values())
    half = math.sqrt(0.5)
    vectors = []
    for unit_id, count in counts.items():
        stems = scaled({stem: (1 + math.log(n)) * of_stem(stem) for stem, n in count.items()})
        ideas = scaled({concept: of_concept(concept) for concept in concepts[unit_id]})
        vectors.append(
            {f"stem {stem}": half * weight for stem, weight in stems.items()}
            | {f"concept {concept}": half * weight for concept, weight in ideas.items()}
        )
    return vectors


def _relation(a: str, b: str, alike: float) -> tuple[str, str]:
    """Return the relation of two texts as far as wording tells it, and why."""
    if unlike := contrast(a, b):
        return "differs", unlike
    return "same-text" if alike >= SAME else "equivalent", f"{alike:.0f} % of the letters alike"


def _words(text: str) -> list[str]:
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower()).replace("n't", " not").replace("n’t", " not")
    return _WORD.findall(_REFERENCE.sub(" ", in_figures(f" {_ITEM.sub(' ', plain)}")))


def _number(word: str) -> str:
    """Return the number that a word stands for (`2`, `2nd`); empty if it is none."""
    digits = re.fullmatch(r"(\d+)(?:st|d|nd|rd|th)", word)
    if place := ordinal(word, 0):
        return f"{place.value}th"
    value = number_of(word)
    return f"{digits[1]}th" if digits else "" if value in (None, _VAGUE) else str(value)


def _denial(word: str) -> str:
    return "not" if word in _DENIALS else ""


def _against(ours: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]) -> str:
    """Say which words of one text the other has no match for, by their meaning."""
    mine, other = (
        " ".join(dict(some)[meaning] for meaning in Counter(m for m, _ in some) - Counter(m for m, _ in rest))
        for some, rest in ((ours, theirs), (theirs, ours))
    )
    if mine and other:
        return f"{mine} against {other}"
    return f"only one has {mine or other}" if mine or other else "the same numbers in another order"
