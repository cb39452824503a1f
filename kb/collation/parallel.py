"""Collation: two to five texts in parallel columns, aligned by their words to the first of them.

Each text is aligned to the first alone (the copy-text of textual criticism), so the work grows with the length of the
texts and not with the number of pairs. What differs in signs, capitals, spelling or the division of words is told apart
from what differs in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import Literal

from extract.language.sentences import clause_ends
from kb.collation.collate import SLIVER, TOKEN, UNLIKE, key_of, matching

MOST_TEXTS = 5
# Words of a text that are collated; no provision has half as many.
MOST_WORDS = 4000
# Bands of fewer words than this are joined to the next: a number at the head of a paragraph is no band.
_NARROWEST = 4

Mark = Literal["same", "form", "words", "shared"]
# A variant whose words are the same: `form` covers signs and capitals, and spelling, which are told apart by name.
Kind = Literal["words", "spelling", "signs"]
# Printers of the time set a blank before some signs, and scans see others: no more a variant than the form of a quote.
_BEFORE_SIGN = re.compile(r" (?=[;:,.!?])")
_QUOTES = str.maketrans("’‘“”", "''\"\"")
# Spellings between which printers chose; each pattern leaves alone the words that only look alike (four, award, rise).
_SPELLINGS = (
    (re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|able|ably|ite|ites)?$)"), "or"),
    (re.compile(r"(?<=[a-z]{3})is(?=(?:e|ed|es|ing|ation|ations)$)"), "iz"),
    (re.compile(r"^(up|down|for|back|after|to|in|out|on)wards$"), r"\1ward"),
    (re.compile(r"^shew(?=(?:s|n|ed|ing)?$)"), "show"),
)


@dataclass(frozen=True, slots=True)
class CollatedPiece:
    """A stretch of a text: the `same` as the first; other in `form` or in `words`; or `shared` by unlike texts."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A place where two texts differ, and a few words before and after it in the second."""

    kind: Kind
    before: str
    after: str
    left: str = ""
    right: str = ""


@dataclass(frozen=True, slots=True)
class Collation:
    """Texts in parallel.

    `bands` are what stands side by side: for each text its pieces, which joined give the text back. `shares` has for
    each text the share of words it has in common with the first, from 0 to 1.
    """

    bands: tuple[tuple[tuple[CollatedPiece, ...], ...], ...]
    shares: tuple[float, ...]

    @property
    def unlike(self) -> tuple[bool, ...]:
        """Of each text, whether it shares so little with the first that the shared words are the thing to show."""
        return tuple(share < UNLIKE for share in self.shares)

    @property
    def agree(self) -> bool:
        """Whether the texts agree to the letter and the sign."""
        return self.marks <= {"same"}

    @property
    def marks(self) -> frozenset[Mark]:
        """The marks that occur, for a legend."""
        return frozenset(piece.mark for band in self.bands for column in band for piece in column)


@dataclass(frozen=True, slots=True)
class _Step:
    """Tokens [i, i2) of the first text over against [j, j2) of another; equal ones go one by one."""

    i: int
    i2: int
    j: int
    j2: int
    mark: Mark


def collate(texts: Sequence[str]) -> Collation:
    """Align texts to the first by words, as `kb.collation.collate.matching` does.

    Agreements of fewer than three words between two differences count as difference. A band ends where a clause of the
    first text ends and all texts like it are in step; a text unlike it stands whole in the first band.

    Args:
        texts: two texts or more.
    """
    split = [TOKEN.findall(text) for text in texts]
    base = split[0]
    steps = [_steps(base, other) for other in split[1:]]
    shares = [1.0, *(_share(way, len(base), len(other)) for way, other in zip(steps, split[1:], strict=True))]
    marks = [_base_marks(len(base), steps, shares[1:])]
    marks += [_marks(way, len(other), share) for way, other, share in zip(steps, split[1:], shares[1:], strict=True)]
    cuts = _cuts(base, [way for way, share in zip(steps, shares[1:], strict=True) if share >= UNLIKE])
    places = [cuts]
    for way, other, share in zip(steps, split[1:], shares[1:], strict=True):
        within = [_other_side(way, cut) if share >= UNLIKE else len(other) for cut in cuts[1:-1]]
        places.append([0, *within, len(other)])
    bands = tuple(
        tuple(_pieces(split[n][a:b], marks[n][a:b]) for n, (a, b) in enumerate(zip(starts, ends, strict=True)))
        for starts, ends in pairwise(zip(*places, strict=True))
    )
    return Collation(bands, tuple(round(share, 3) for share in shares))


def variants(a: str, b: str, context: int = 5) -> tuple[Variant, ...]:
    """The places where a text differs from another, in order; nothing else is changed between them.

    Args:
        a, b: the texts.
        context: how many words before and after a variant are given with it.
    """
    one, other = TOKEN.findall(a), TOKEN.findall(b)
    found = []
    for step in _steps(one, other):
        if step.mark == "same":
            continue
        before, after = _flat(one[step.i : step.i2]), _flat(other[step.j : step.j2])
        left, right = _flat(other[max(step.j - context, 0) : step.j]), _flat(other[step.j2 : step.j2 + context])
        found.append(Variant(_kind(step.mark, before, after), before, after, left, right))
    return tuple(found)


def _kind(mark: Mark, before: str, after: str) -> Kind:
    if mark == "words":
        return "words"
    return "signs" if key_of(before) == key_of(after) else "spelling"


def _steps(base: Sequence[str], other: Sequence[str]) -> list[_Step]:
    """How a text goes along with the first, from beginning to end without a gap."""
    keys = [_spelled(key_of(token)) for token in base], [_spelled(key_of(token)) for token in other]
    steps: list[_Step] = []
    i = j = 0
    for at, to, length in (*matching(*keys), (len(base), len(other), 0)):
        if at > i or to > j:
            divided = "".join(keys[0][i:at]) == "".join(keys[1][j:to])
            steps.append(_Step(i, at, j, to, "form" if divided else "words"))
        steps += (_Step(at + n, at + n + 1, to + n, to + n + 1, _likeness(base[at + n], other[to + n]))
                  for n in range(length))  # fmt: skip
        i, j = at + length, to + length
    return _without_slivers(steps)


def _without_slivers(steps: Sequence[_Step]) -> list[_Step]:
    """The steps with small agreements between two differences made part of them."""
    runs = [(differs, list(run)) for differs, run in groupby(steps, key=lambda step: step.mark == "words")]
    kept: list[_Step] = []
    for n, (differs, run) in enumerate(runs):
        sliver = not differs and 0 < n < len(runs) - 1 and len(run) < SLIVER
        for step in run:
            if (differs or sliver) and kept and kept[-1].mark == "words":
                last = kept.pop()
                kept.append(_Step(last.i, step.i2, last.j, step.j2, "words"))
            else:
                kept.append(step)
    return kept


def _likeness(a: str, b: str) -> Mark:
    return "same" if _flat([a]) == _flat([b]) else "form"


def _spelled(key: str) -> str:
    """A folded word in the one of several spellings that stands for all."""
    for pattern, usual in _SPELLINGS:
        key = pattern.sub(usual, key)
    return key


def _flat(tokens: Sequence[str]) -> str:
    return _BEFORE_SIGN.sub("", " ".join("".join(tokens).translate(_QUOTES).split()))


def _share(steps: Sequence[_Step], base: int, other: int) -> float:
    alike = sum(step.i2 - step.i + step.j2 - step.j for step in steps if step.mark != "words")
    return alike / max(base + other, 1) if base + other else 1.0


def _marks(steps: Sequence[_Step], length: int, share: float) -> list[Mark]:
    """The mark of each token of a text beside the first."""
    marks: list[Mark] = ["same"] * length
    for step in steps:
        mark = _inverted(step.mark) if share < UNLIKE else step.mark
        marks[step.j : step.j2] = [mark] * (step.j2 - step.j)
    return marks


def _base_marks(length: int, steps: Sequence[Sequence[_Step]], shares: Sequence[float]) -> list[Mark]:
    """The mark of each token of the first text: the heaviest that any text like it gives, or else what is shared."""
    rank: dict[Mark, int] = {"same": 0, "shared": 0, "form": 1, "words": 2}
    like = [way for way, share in zip(steps, shares, strict=True) if share >= UNLIKE]
    marks: list[Mark] = ["same"] * length
    for way in like or steps:
        for step in way:
            mark = step.mark if like else _inverted(step.mark)
            for i in range(step.i, step.i2):
                if rank[mark] > rank[marks[i]] or (not like and mark == "shared"):
                    marks[i] = mark
    return marks


def _inverted(mark: Mark) -> Mark:
    return "same" if mark == "words" else "shared"


def _cuts(base: Sequence[str], steps: Sequence[Sequence[_Step]]) -> list[int]:
    """Where bands of the first text begin and end: between clauses at which every text is in step."""
    astride = {i for way in steps for step in way for i in range(step.i + 1, step.i2)}
    begins = [0, *accumulate(map(len, base))]
    ends = {gap.end for gap in clause_ends("".join(base))}
    cuts = [0]
    for i in range(1, len(base)):
        if i not in astride and i - cuts[-1] >= _NARROWEST and (begins[i] in ends or "\n\n" in base[i - 1]):
            cuts.append(i)
    if len(cuts) > 1 and len(base) - cuts[-1] < _NARROWEST:
        cuts.pop()
    return [*cuts, len(base)]


def _other_side(steps: Sequence[_Step], cut: int) -> int:
    """Where a text stands when the first has come to a cut; what it adds there belongs to the next band."""
    return next((step.j for step in steps if step.i >= cut), steps[-1].j2 if steps else 0)


def _pieces(tokens: Sequence[str], marks: Sequence[Mark]) -> tuple[CollatedPiece, ...]:
    together = groupby(zip(marks, tokens, strict=True), key=lambda pair: pair[0])
    return tuple(CollatedPiece(mark, "".join(token for _, token in run)) for mark, run in together)
