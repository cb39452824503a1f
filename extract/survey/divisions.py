"""Codes numbered afresh under every heading: `The Deal` 1 to 9, `The Play` 1 to 12; `Article IV`, `Section 2`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from extract.numbering.numerals import arabic
from extract.segment.headings import block_above, names_a_body, plain
from extract.segment.segment import headline, slug
from extract.survey.labels import LabelShape, Sighting
from extract.text.lines import Line, division

_FEWEST, _FEWEST_LABELS = 3, 12  # divisions of a code, and labels under a heading that names laws;
_MANY_LABELS = 25  # without one
_GREATEST = 0.6  # of all labels, those of one division
_NEXT = 2  # how much higher a label may be than the last one
_APART, _LEAST_APART = 4, 1200  # times the usual length of a provision, or characters, up to the next heading
_STEMS = {"ARTICLE": "art", "CHAPTER": "ch", "SECTION": "sec", "TITLE": "title", "PART": "part"}


@dataclass(frozen=True, slots=True)
class Division:
    """A stretch of a code with a numbering of its own: where its heading stands, its labels, and what it is called.

    `name` is for readers (`The Deal`, `Article IV`), `slug` for ids.
    """

    start: int
    labels: tuple[Sighting, ...]
    name: str
    slug: str


def find_divided(lines: Sequence[Line], seen: Sequence[Sighting]) -> list[tuple[Division, ...]]:
    """The codes of a text that are numbered afresh under every heading.

    Args:
        lines: the lines of the text.
        seen: all labels seen, in reading order.
    Returns:
        The divisions of each code, at least three, in reading order.
    """
    shapes: dict[LabelShape, list[Sighting]] = {}
    for sighting in seen:
        if not sighting.letter and sighting.shape.numeral != "a" and not sighting.shape.enclosed:
            shapes.setdefault(sighting.shape, []).append(sighting)
    starts = [line.start for line in lines]
    found: list[tuple[Division, ...]] = []
    for labels in shapes.values():
        for groups in _neighbours(lines, list(_groups(lines, starts, labels))):
            count = sum(len(labels) for _, labels in groups)
            most = max(len(labels) for _, labels in groups)
            needed = _FEWEST_LABELS if _names(lines, groups[0]) else _MANY_LABELS
            if len(groups) >= _FEWEST and count >= needed and most <= _GREATEST * count:
                found.append(tuple(_named(lines, groups)))
    return sorted(found, key=lambda divisions: divisions[0].start)


_Group = tuple[int, list[Sighting]]


def _groups(lines: Sequence[Line], starts: Sequence[int], labels: Sequence[Sighting]) -> Iterator[_Group]:
    """The numberings that begin directly under a heading: the index of its first line, and the labels."""
    group: _Group | None = None
    for label in labels:
        at = bisect_left(starts, label.start)
        top = block_above(lines, at) if at < len(lines) and label.number == 1 else at
        if top < at:
            if group:
                yield group
            group = (top, [label])
        elif group and 0 < label.number - group[1][-1].number <= _NEXT:
            group[1].append(label)
    if group:
        yield group


def _neighbours(lines: Sequence[Line], groups: Sequence[_Group]) -> Iterator[list[_Group]]:
    """The groups that follow each other with nothing between them; a heading that names laws begins a new code."""
    chain: list[_Group] = []
    for group in groups:
        if chain and (_names(lines, group) or not _touch(lines, chain, group)):
            yield chain
            chain = []
        chain.append(group)
    if chain:
        yield chain


def _touch(lines: Sequence[Line], chain: Sequence[_Group], group: _Group) -> bool:
    lengths = [b.start - a.start for _, labels in chain for a, b in pairwise(labels)]
    usual = median(lengths) if lengths else 0
    return lines[group[0]].start - chain[-1][1][-1].end <= max(_APART * usual, _LEAST_APART)


def _block(lines: Sequence[Line], top: int, label: int) -> list[str]:
    """The lines of a heading, from its first to the label below."""
    return [plain(line.text) for line in lines[top:] if line.start < label]


def _names(lines: Sequence[Line], group: _Group) -> bool:
    return names_a_body(" ".join(_block(lines, group[0], group[1][0].start)))


def _named(lines: Sequence[Line], groups: Sequence[_Group]) -> Iterator[Division]:
    taken: set[str] = set()
    for top, labels in groups:
        block = _block(lines, top, labels[0].start)
        title = next((line for line in block if division(line.upper())), block[-1])
        name, stem = headline(title), slug(title, 3)
        if part := division(title.upper()):
            number = part[1].strip(".,")
            numeral = number if number.isdecimal() else str(arabic(number.lower()) or number.lower())
            name, stem = f"{part[0].capitalize()} {number}", f"{_STEMS.get(part[0], part[0].lower())}-{numeral}"
        if stem in taken:
            stem = f"{stem}-{len(taken) + 1}"
        taken.add(stem)
        yield Division(lines[top].start, tuple(labels), name, stem)
