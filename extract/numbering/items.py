"""The items of a list, `(a)`, `(b)` ... or `(1)`, `(2)` ...: which label each must bear, by its place among the others.

Small italic letters between brackets are read as anything, but an item that stands between (b) and (d) is (c).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from extract.numbering.numerals import lettered, reading_cost

SIGNS = "@©®¢«&/"
"""What stands in no label: letters in italics are read so."""
# What else they are read as.
_READ_FOR = {"a": "o2", "b": "46B", "c": "0Oeo", "d": "24A", "e": "co", "f": "FP", "g": "9Qq"}
# How far from one another the labels of a list may stand, in words; how many of them may be lost in one place.
_AWAY, _LOST = 400, 2
# Items of a list, and how many of them are read well where a label is but half there, or is a figure.
_FEWEST, _WELL = 3, 2
_LIKE = 0.8  # the cost up to which a figure is taken for another (`extract.numbering.numerals.reading_cost`)

Kind = Literal["letters", "figures"]
Fit = Literal["exact", "like", "odd"]


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


@dataclass(frozen=True, slots=True)
class _Item:
    label: ListLabel
    due: str
    fit: Fit


def items_due(labels: Sequence[ListLabel]) -> dict[int, str]:
    """What the labels of lists must be.

    Args:
        labels: all that may be labels, in reading order.
    Returns:
        By token the letter or figure of every label whose list proves it: some of its labels are read well, and none
        is at odds with the order. Where two lists might claim a label, the one with more labels read well has it.
    """
    claims: dict[int, dict[str, int]] = {}
    for items in _lists(labels):
        exact = sum(item.fit == "exact" for item in items)
        for item in items:
            claim = claims.setdefault(item.label.at, {})
            claim[item.due] = max(exact, claim.get(item.due, 0))
    found: dict[int, str] = {}
    for at, claim in claims.items():
        most = max(claim.values())
        due = [letter for letter, exact in claim.items() if exact == most]
        if len(due) == 1:
            found[at] = due[0]
    return found


def _lists(labels: Sequence[ListLabel]) -> Iterator[list[_Item]]:
    for first, label in enumerate(labels):
        if label.lists:
            for kind in ("letters", "figures"):
                items = _proved(list(_list(labels[first:], kind)), kind)
                if items:
                    yield items


def _list(labels: Sequence[ListLabel], kind: Kind) -> Iterator[_Item]:
    """The items of the list that begins with the first label, as far as the labels go on in order."""
    number, last = 0, labels[0].at
    for label in labels:
        due = lettered(number + 1) if kind == "letters" else str(number + 1)
        if label.at - last > _AWAY or not due:
            return
        fit = _fit(label, due, kind)
        if fit == "odd" and number and 0 < (ahead := _number(label.sign, kind) - number - 1) <= _LOST:
            due, fit, number = label.sign, "exact", number + ahead  # labels before it are lost
        yield _Item(label, due, fit)
        number, last = number + 1, label.at


def _number(sign: str, kind: Kind) -> int:
    """The place of a letter in the alphabet, or the value of a figure."""
    if kind == "figures":
        return int(sign) if sign.isdecimal() else 0
    return ord(sign) - ord("a") + 1 if sign.isascii() and sign.islower() else 0


def _fit(label: ListLabel, due: str, kind: Kind) -> Fit:
    sign = label.sign
    if sign == due:
        return "exact"
    if not sign or not set(SIGNS).isdisjoint(sign):
        return "like"
    if kind == "letters":
        return "like" if sign in _READ_FOR.get(due, "") else "odd"
    return "like" if label.begins and reading_cost(due, sign) <= _LIKE else "odd"


def _proved(items: list[_Item], kind: Kind) -> list[_Item]:
    """The beginning of a list up to the first label that its order does not prove, if it is a list at all."""
    ends = next((k for k in range(len(items)) if items[k].fit != "exact" and not _in_order(items, k, kind)), len(items))
    well = max((k for k in range(ends) if items[k].fit == "exact"), default=0)
    # What is at odds with this list may be of another that begins after the last label read well.
    another = (k for k in range(well + 1, ends) if items[k].label.lists) if ends < len(items) else iter(())
    items = items[: next(another, ends)]
    exact = sum(item.fit == "exact" for item in items)
    if exact < _WELL:
        items = items[: next((k for k in range(len(items)) if items[k].label.half), len(items))]
    return items if exact >= (1 if kind == "letters" else _WELL) and len(items) >= _FEWEST else []


def _in_order(items: Sequence[_Item], k: int, kind: Kind) -> bool:
    """Whether a label that is read as another may be what is due: by its likeness, or as both beside it are proved."""
    item = items[k]
    if kind == "letters" and item.fit == "like":
        return True
    if item.fit == "odd" and kind == "figures" and item.label.sign.isdecimal():
        return False
    around = [items[i].fit == "exact" for i in ((k - 1, k + 1) if k else (1, 2)) if i < len(items)]
    beside = len(around) == 2 and all(around) and _counts_on(items[max(0, k - 1) : k + 2])
    return beside and item.label.begins


def _counts_on(items: Sequence[_Item]) -> bool:
    """Whether no label is lost between some items."""
    return all(b.due == _next(a.due) for a, b in pairwise(items))


def _next(due: str) -> str:
    return str(int(due) + 1) if due.isdecimal() else chr(ord(due) + 1)
