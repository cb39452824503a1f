"""Codes numbered afresh under every heading: `The Deal` 1 to 9, `The Play` 1 to 12; `Article IV`, `Section 2`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from statistics import median

from extract.numbering.numerals import arabic
from extract.segment.segment import headline, slug
from extract.survey.labels import MEMBERS, Sighting
from extract.survey.numberings import FoundNumbering
from extract.text.headings import block_above, is_heading, names_a_body, numbered_heading, plain
from extract.text.lines import Line

_FEWEST, _GREATEST = 3, 0.6  # divisions of a code; of all labels, those of one division
_LEADING = 8  # lines between a heading and the first label below it
_APART, _LEAST_APART = 4, 1200  # times the usual length of a provision, or characters, up to the next heading
_STEMS = {"ARTICLE": "art", "CHAPTER": "ch", "SECTION": "sec"}


@dataclass(frozen=True, slots=True)
class Division:
    """A stretch of a code with a numbering of its own: where its heading stands, its labels, and what it is called.

    `name` is for readers (`The Deal`, `Article IV`), `slug` for ids. `undivided`: it has no numbering, and its only
    label is its own, as that of an article without sections among others that have some.
    """

    start: int
    labels: tuple[Sighting, ...]
    name: str = ""
    slug: str = ""
    undivided: bool = False


def find_divided(
    lines: Sequence[Line], seen: Sequence[Sighting], numberings: Sequence[FoundNumbering]
) -> Iterator[tuple[Division, ...]]:
    """The codes of a text that are numbered afresh under every heading.

    What is numbered without a word below the labels of provisions is no such code: these are their paragraphs.

    Args:
        lines: the lines of the text.
        seen: all labels seen, in reading order.
        numberings: the numberings of these labels.
    Returns:
        The divisions of each code, at least three, in reading order.
    """
    for shape in {x.shape: None for x in numberings if x.shape.numeral != "a" and not x.shape.enclosed}:
        headed = list(_headed(lines, [x for x in numberings if x.shape == shape and not x.inner]))
        for near in _neighbours(headed):
            heads = {line.start for group in near for line in group.heading}
            sizes = [len(group.labels) for group in near]
            above = (x for x in numberings if sum(label.start in heads for label in x.labels) * 2 > len(near))
            parents = next((x for x in above if x.shape != shape), None)
            paragraphs = parents and parents.shape.word in MEMBERS.values() and not shape.word
            several = len({group.title for group in near}) * 2 > len(near) >= _FEWEST
            if several and not paragraphs and max(sizes) <= _GREATEST * sum(sizes):
                inner = [x.start for x in seen if x.shape == shape]
                named = [*_named(near), *(_undivided(parents, near[0], inner) if parents else ())]
                yield tuple(sorted(named, key=lambda division: division.start))


@dataclass(frozen=True, slots=True)
class _Group:
    """A numbering under a heading: the lines of the heading, and the labels."""

    heading: Sequence[Line]
    labels: tuple[Sighting, ...]

    @property
    def title(self) -> str:
        return " ".join(plain(line.text) for line in self.heading)

    @property
    def part(self) -> tuple[str, str] | None:
        """The word and the numeral of its heading."""
        return next(filter(None, (numbered_heading(plain(line.text)) for line in self.heading)), None)


def _headed(lines: Sequence[Line], numberings: Sequence[FoundNumbering]) -> Iterator[_Group]:
    """The numberings that begin at 1 under a heading of their own, in reading order.

    Between the two may stand what leads to the first label: it ends in a colon, or the heading numbers a part of the
    book, and has its title below it. A single label below a heading, and below it a numbering without one, is of a
    list of contents.
    """
    floor, last = -1, None
    for numbering in (x for x in numberings if x.first == 1):
        at = bisect_right(lines, numbering.start, key=_start) - 1
        below = next((i for i in range(at, max(0, at - _LEADING), -1) if is_heading(lines[i - 1])), 0)
        if below and lines[below - 1].start > floor:
            group = _Group(lines[block_above(lines, below) : below], numbering.labels)
            if below == at or group.part or lines[at - 1].text.endswith(":"):
                yield from [last] if last else []
                last = group
        elif last and last.labels[-1].start == last.labels[0].start == floor:
            last = replace(last, labels=numbering.labels)
        floor = numbering.labels[-1].start
    yield from [last] if last else []


def _neighbours(groups: Sequence[_Group]) -> Iterator[list[_Group]]:
    """The groups that follow each other with nothing between them; a heading that names laws begins a new code."""
    near: list[_Group] = []
    for group in groups:
        usual = median([b.start - a.start for above in near for a, b in pairwise(above.labels)] or [0])
        counts_on = near and near[-1].part and group.part and near[-1].part[0] == group.part[0]
        names = names_a_body(group.title) and not counts_on
        far = near and group.heading[0].start - near[-1].labels[-1].end > max(_APART * usual, _LEAST_APART)
        if far or names:
            yield near
            near = []
        near.append(group)
    yield near


def _undivided(parents: FoundNumbering, first: _Group, inner: Sequence[int]) -> Iterator[Division]:
    """Those of the labels above the groups that have no numbering below them, as some articles have no sections."""
    word = first.part[0].capitalize() if first.part else ""
    for label, end in zip(parents.labels, [*(x.start for x in parents.labels[1:]), inf], strict=True):
        if bisect_left(inner, label.start) == bisect_left(inner, end):
            yield Division(label.start, (label,), word, parents.shape.word, undivided=True)


def _named(groups: Sequence[_Group]) -> Iterator[Division]:
    taken: set[str] = set()
    for group in groups:
        title = plain(group.heading[-1].text)
        name, stem = headline(title), slug(title, 3)
        if group.part:
            word, numeral = group.part[0], group.part[1].strip(".,")
            name = f"{word.capitalize()} {numeral}"
            stem = f"{_STEMS.get(word, slug(word, 1))}-{arabic(numeral.lower()) or numeral.lower()}"
        stem = f"{stem}-{len(taken) + 1}" if stem in taken else stem
        taken.add(stem)
        yield Division(group.heading[0].start, group.labels, name, stem)


def _start(line: Line) -> int:
    return line.start
