"""The text that is a unit's own, and none of its children's: where references are looked for, and what is a label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extract.model import Role, Unit
from extract.references.grammar import Mention
from extract.text.textlayer import TextLayer

# Units that begin with a printed label, which may read like a reference: `Article 94.`, `Case 12.`
_LABELLED: tuple[Role, ...] = ("provision", "paragraph", "clause", "case", "commentary")


@dataclass(frozen=True, slots=True)
class OwnText:
    """An unbroken piece of the reading text that belongs to one unit and to none of its children (DOM: own text).

    `start` is its offset in the reading text, `opens` whether it begins where its unit does.
    """

    unit: Unit
    text: str
    start: int
    opens: bool


def own_texts(units: Sequence[Unit], layer: TextLayer, without: Sequence[str] = ()) -> Iterator[OwnText]:
    """Cut the reading text at the borders of all units.

    Args:
        units: the units of a book; inner ones lie within outer ones.
        layer: its scan and reading text.
        without: how the ids of units begin that are left out.
    """
    stack: list[Unit] = []
    at = 0

    def up_to(end: int) -> Iterator[OwnText]:
        """What the innermost unit has from the place that is reached to another."""
        nonlocal at
        begin, stop = layer.to_reading(at), layer.to_reading(end)
        unit = stack[-1]
        if begin < stop and not unit.id.startswith(tuple(without)):
            yield OwnText(unit, layer.reading[begin:stop], begin, at == unit.raw_start)
        at = max(at, end)

    for unit in (*sorted(units, key=lambda u: (u.raw_start, -u.raw_end)), None):
        while stack and (unit is None or stack[-1].raw_end <= unit.raw_start):
            yield from up_to(stack[-1].raw_end)
            stack.pop()
        if unit and stack:
            yield from up_to(unit.raw_start)
        if unit:
            at = max(at, unit.raw_start)
            stack.append(unit)


def is_label(piece: OwnText, mention: Mention) -> bool:
    """Whether a mention is the unit's own label, or stands in a heading that refers to nothing."""
    unit = piece.unit
    if unit.role == "heading":
        return "(" not in piece.text[max(0, mention.start - 6) : mention.start]
    return unit.role in _LABELLED and piece.opens and not piece.text[: mention.start].strip()
