"""Collate two to five texts in parallel columns, aligned word by word to the first of them.

Each text is aligned only to the first (the copy-text of textual criticism), so the work grows with the length of the
texts and not with the number of pairs. Differences in punctuation, capitals, spelling or word division are
distinguished from differences in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import Literal

from extract.language.sentences import clause_ends
from kb.collation.collate import TOKEN, UNLIKE, AlignedSpans, align, flat, key_of, share

MOST_TEXTS = 5
# Words of a text that are collated; no provision has half as many.
MOST_WORDS = 4000
# Bands of fewer words than this are joined to the next: a number at the head of a paragraph is not a band.
_NARROWEST = 4

Mark = Literal["same", "form", "words", "shared"]
# A word of the first text that is marked differently against several texts has the heaviest of these marks.
_HEAVIER: dict[Mark, int] = {"same": 0, "shared": 1, "form": 1, "words": 2}
# Variants with the mark `form` are divided into `signs` (punctuation and capitals) and `spelling`.
Kind = Literal["words", "spelling", "signs"]


@dataclass(frozen=True, slots=True)
class CollatedPiece:
    """A span of a text: the `same` as the first text, different in `form` or `words`, or `shared` by unlike texts."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A place where two texts differ (`before`, `after`), and a few words `left` and `right` of it in the second."""

    kind: Kind
    before: str
    after: str
    left: str = ""
    right: str = ""


@dataclass(frozen=True, slots=True)
class Collation:
    """Texts in parallel.

    Each of the `bands` has, side by side, the pieces of each text; all pieces of a text, joined, are the whole text.
    `shares` has for each text the share of words in common with the first, from 0 to 1.
    """

    bands: tuple[tuple[tuple[CollatedPiece, ...], ...], ...]
    shares: tuple[float, ...]

    @property
    def unlike(self) -> tuple[bool, ...]:
        """For each text, whether it shares so little with the first that shared words are shown, not differences."""
        return tuple(share < UNLIKE for share in self.shares)

    @property
    def agree(self) -> bool:
        """Whether the texts agree in every letter and punctuation mark."""
        return self.marks <= {"same"}

    @property
    def marks(self) -> frozenset[Mark]:
        """The marks that occur, for a legend."""
        return frozenset(piece.mark for band in self.bands for column in band for piece in column)


def collate(texts: Sequence[str]) -> Collation:
    """Align texts to the first by words, as `kb.collation.collate.align` does.

    A band ends where a clause of the first text ends, if all similar texts are aligned there; a text that is unlike the
    first is placed whole in the first band.

    Args:
        texts: two texts or more.
    """
    split = [TOKEN.findall(text) for text in texts]
    alignments = [align(split[0], other) for other in split[1:]]
    shares = [share(steps) for steps in alignments]
    like = [steps for steps, common in zip(alignments, shares, strict=True) if common >= UNLIKE]
    cuts = _cuts(split[0], like)
    of_first = [_marks(steps, steps in like, first=True) for steps in like or alignments]
    marks = [[max(at, key=_HEAVIER.__getitem__) for at in zip(*of_first, strict=True)]]
    places = [cuts]
    for steps, other in zip(alignments, split[1:], strict=True):
        marks.append(_marks(steps, steps in like, first=False))
        within = [_aligned_to(steps, cut) if steps in like else len(other) for cut in cuts[1:-1]]
        places.append([0, *within, len(other)])
    bands = tuple(
        tuple(_pieces(split[n][a:b], marks[n][a:b]) for n, (a, b) in enumerate(zip(starts, ends, strict=True)))
        for starts, ends in pairwise(zip(*places, strict=True))
    )
    return Collation(bands, tuple(round(common, 3) for common in (1.0, *shares)))


def variants(a: str, b: str, context: int = 5) -> tuple[Variant, ...]:
    """Return all places where a text differs from another, in order.

    Args:
        a, b: the texts.
        context: how many words before and after a variant to include.
    """
    one, other = TOKEN.findall(a), TOKEN.findall(b)
    found = []
    for step in align(one, other):
        if step.mark == "same":
            continue
        before, after = flat(one[step.i : step.i2]), flat(other[step.j : step.j2])
        left, right = flat(other[max(step.j - context, 0) : step.j]), flat(other[step.j2 : step.j2 + context])
        form: Kind = "signs" if key_of(before) == key_of(after) else "spelling"
        found.append(Variant("words" if step.mark == "words" else form, before, after, left, right))
    return tuple(found)


def _marks(steps: Sequence[AlignedSpans], like: bool, *, first: bool) -> list[Mark]:
    """Return the mark of each token of the first text or of the other; in unlike texts, what they share is marked."""
    marks: list[Mark] = []
    for step in steps:
        mark: Mark = step.mark if like else "same" if step.mark == "words" else "shared"
        marks += [mark] * (step.i2 - step.i if first else step.j2 - step.j)
    return marks


def _cuts(base: Sequence[str], steps: Sequence[Sequence[AlignedSpans]]) -> list[int]:
    """Return where bands of the first text begin and end: between clauses, where every text is aligned."""
    inside = {i for alignment in steps for step in alignment for i in range(step.i + 1, step.i2)}
    begins = [0, *accumulate(map(len, base))]
    ends = {gap.end for gap in clause_ends("".join(base))}
    cuts = [0]
    for i in range(1, len(base)):
        if i not in inside and i - cuts[-1] >= _NARROWEST and (begins[i] in ends or "\n\n" in base[i - 1]):
            cuts.append(i)
    if len(cuts) > 1 and len(base) - cuts[-1] < _NARROWEST:
        cuts.pop()
    return [*cuts, len(base)]


def _aligned_to(steps: Sequence[AlignedSpans], cut: int) -> int:
    """Return the token of a text that is aligned with a cut of the first; words added there are in the next band."""
    return next((step.j for step in steps if step.i >= cut), steps[-1].j2 if steps else 0)


def _pieces(tokens: Sequence[str], marks: Sequence[Mark]) -> tuple[CollatedPiece, ...]:
    together = groupby(zip(marks, tokens, strict=True), key=lambda pair: pair[0])
    return tuple(CollatedPiece(mark, "".join(token for _, token in run)) for mark, run in together)
