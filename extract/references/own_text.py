"""Cut a text into pieces that belong to one unit and not to its children, to be searched for references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

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
        without: the prefixes of the ids of units to leave out.
    """
    borders = sorted({border for unit in units for border in (unit.raw_start, unit.raw_end)})
    place = {border: i for i, border in enumerate(borders)}
    owners: list[Unit | None] = [None] * len(borders)
    for unit in sorted(units, key=lambda u: (u.raw_start, -u.raw_end)):
        first, last = place[unit.raw_start], place[unit.raw_end]
        owners[first:last] = [unit] * (last - first)  # inner units come later and overwrite outer ones
    for owner, (start, end) in zip(owners, pairwise(borders), strict=False):
        if owner and not owner.id.startswith(tuple(without)):
            begin, stop = layer.to_reading(start), layer.to_reading(end)
            yield OwnText(owner, layer.reading[begin:stop], begin, start == owner.raw_start)


def is_label(piece: OwnText, mention: Mention) -> bool:
    """Whether a mention is not a reference, but the unit's own label, or part of a heading and not in brackets."""
    unit = piece.unit
    if unit.role == "heading":
        return "(" not in piece.text[max(0, mention.start - 6) : mention.start]
    return unit.role in _LABELLED and piece.opens and not piece.text[: mention.start].strip()
