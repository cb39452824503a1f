"""The items of a list, `(a)`, `(b)` ... or `(1)`, `(2)` ...: which label each must bear, by its place among the others.

Small italic letters between brackets are read as anything, but an item that stands between (b) and (d) is (c).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from extract.numbering.numerals import lettered
from extract.numbering.sequence import Candidate, Label, decode

SIGNS = "@©®¢«&/"
"""What stands in no label: letters in italics are read so."""
_AWAY = 400  # words between two labels of a list, at most
_FEWEST, _FIGURES = 3, 3  # items of a list, and those of a list of figures that are read well
_LONGEST, _LOST = 26, 2  # letters, and labels of a list that may be lost
_SPEAKS, _DOUBTFUL = 0.5, -0.5  # for a label, and against a figure that does not begin its line


@dataclass(frozen=True, slots=True)
class ListLabel:
    """What may be the label of an item: the token that it is, and the sign read between its brackets.

    `lists`: a colon stands before it, so that a list may begin; `begins`: a line begins with it; `half`: no bracket
    closes it.
    """

    at: int
    sign: str
    lists: bool = False
    begins: bool = False
    half: bool = False


def items_due(labels: Sequence[ListLabel]) -> dict[int, str]:
    """What the labels of lists must be.

    Args:
        labels: all that may be labels, in reading order.
    Returns:
        By token the letter or figure of every label whose list proves it. Where two lists might claim a label, the one
        with more labels read well has it.
    """
    found: dict[int, tuple[int, str]] = {}
    half = {label.at for label in labels if label.half}
    for items, printed in _lists(labels):
        well = sum(not item.cost for item in items)
        doubtful = not half.isdisjoint(item.candidate.start for item in items)
        if len(items) >= _FEWEST and well >= (_FIGURES if printed is str else 1 + doubtful):
            for item in items:
                at = item.candidate.start
                found[at] = max(found.get(at, (0, "")), (well, printed(item.number)), key=lambda claim: claim[0])
    return {at: due for at, (_, due) in found.items()}


def _lists(labels: Sequence[ListLabel]) -> Iterator[tuple[tuple[Label, ...], Callable[[int], str]]]:
    """The lists that may begin at each label behind a colon, by letters and by figures."""
    for first, label in enumerate(labels):
        if label.lists:
            far = (i for i, (a, b) in enumerate(pairwise(labels[first:]), first + 1) if b.at - a.at > _AWAY)
            inside = labels[first : next(far, len(labels))]
            highest = min(_LONGEST, len(inside) + _LOST)
            letters = (x for x in inside if not x.sign.islower() or x.sign <= lettered(highest))
            yield decode([_candidate(x, _SPEAKS) for x in letters], highest, lettered), lettered
            yield decode([_candidate(x, _SPEAKS if x.begins else _DOUBTFUL) for x in inside], highest, str), str


def _candidate(label: ListLabel, prior: float) -> Candidate:
    return Candidate(label.at, label.at + 1, label.sign.strip(SIGNS), prior)
