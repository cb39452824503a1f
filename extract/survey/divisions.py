"""Codes numbered afresh under every heading: `The Deal` 1 to 9, `The Play` 1 to 12; `Article IV`, `Section 2`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from extract.language.lexicon import word_list
from extract.numbering.numerals import arabic
from extract.segment.segment import headline, slug
from extract.survey.labels import Sighting
from extract.survey.numberings import LabelRun
from extract.text.headings import block_above, is_heading, names_a_body, numbered_heading, plain
from extract.text.lines import Line

_FEWEST = 3  # divisions of a code;
_GREATEST = 0.6  # of all labels, those of one division
_LAWS = {"LAW", "RULE", "CANON", "REGULATION", "REG"}  # what is numbered below one of these is a paragraph of it
_LEADING = 8  # lines between a heading and the first label below it
_APART, _LEAST_APART = 4, 1200  # times the usual length of a provision, or characters, up to the next heading
_STEM = dict(pair.split("=") for pair in word_list("members"))
_STEMS = {"ARTICLE": "art", "CHAPTER": "ch", "SECTION": "sec", "TITLE": "title", "PART": "part"}


@dataclass(frozen=True, slots=True)
class CodeDivision:
    """A stretch of a code with a numbering of its own: where its heading stands, its labels, and what it is called.

    `name` is for readers (`The Deal`, `Article IV`), `slug` for ids. `undivided`: it has no numbering, and its only
    label is its own, as that of an article without sections among others that have some.
    """

    start: int
    labels: tuple[Sighting, ...]
    name: str
    slug: str
    undivided: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    """A numbering under a heading: the lines of the heading, and the labels.

    `led`: a sentence that leads to it stands between, and the heading numbers no part.
    """

    top: int
    heading: tuple[str, ...]
    labels: tuple[Sighting, ...]
    led: bool

    @property
    def part(self) -> tuple[str, str] | None:
        """The word and the numeral of its heading."""
        return next(filter(None, map(numbered_heading, self.heading)), None)


def find_divided(
    lines: Sequence[Line], seen: Sequence[Sighting], numberings: Sequence[LabelRun]
) -> list[tuple[CodeDivision, ...]]:
    """The codes of a text that are numbered afresh under every heading.

    Args:
        lines: the lines of the text.
        seen: all labels seen, in reading order.
        numberings: the numberings of these labels.
    Returns:
        The divisions of each code, at least three, in reading order.
    """
    found: list[tuple[CodeDivision, ...]] = []
    for shape in {x.shape: None for x in numberings if x.shape.numeral != "a" and not x.shape.enclosed}:
        groups = _groups(lines, [x for x in numberings if x.shape == shape and not x.inner])
        for near in _neighbours(lines, groups):
            sizes = [len(group.labels) for group in near]
            own = sum(not group.led for group in near) >= _FEWEST and max(sizes) <= _GREATEST * sum(sizes)
            if own and not _of_laws(lines, seen, near):
                found.append(tuple(_with_undivided(lines, seen, near)))
    return sorted(found, key=lambda divisions: divisions[0].start)


def _groups(lines: Sequence[Line], numberings: Sequence[LabelRun]) -> list[_Group]:
    """The numberings that begin at 1 under a heading of their own, in reading order.

    A single label below a heading, and below it a numbering without one, is of a list of contents.
    """
    found: list[_Group] = []
    floor = -1
    for numbering in numberings:
        at = bisect_right(lines, numbering.start, key=_start) - 1
        place = _heading(lines, at, floor)
        if place and numbering.first == 1:
            heading = tuple(plain(line.text) for line in lines[place[0] : place[1]])
            led = place[1] < at and not any(map(numbered_heading, heading))
            found.append(_Group(place[0], heading, numbering.labels, led))
        elif found and len(found[-1].labels) == 1 and found[-1].labels[0].start == floor and numbering.first == 1:
            found[-1] = replace(found[-1], labels=numbering.labels)
        floor = numbering.labels[-1].start
    return found


def _heading(lines: Sequence[Line], at: int, floor: int) -> tuple[int, int] | None:
    """The heading above a label, as indices of its lines; between them may stand what leads to the label.

    That ends in a colon, or the heading numbers a part of the book: then it is its title.
    """
    below = next((i for i in range(at, max(0, at - _LEADING), -1) if is_heading(lines[i - 1])), 0)
    if not below or lines[below - 1].start <= floor:
        return None
    top = block_above(lines, below)
    numbered = any(numbered_heading(plain(line.text)) for line in lines[top:below])
    return (top, below) if below == at or numbered or lines[at - 1].text.endswith(":") else None


def _neighbours(lines: Sequence[Line], groups: Sequence[_Group]) -> Iterator[list[_Group]]:
    """The groups that follow each other with nothing between them; a heading that names laws begins a new code."""
    chain: list[_Group] = []
    for group in groups:
        lengths = [b.start - a.start for above in chain for a, b in pairwise(above.labels)]
        reach = max(_APART * median(lengths or [0]), _LEAST_APART)
        names = names_a_body(" ".join(group.heading))
        far = chain and lines[group.top].start - chain[-1].labels[-1].end > reach
        if chain and (far or (names and not _counts_on(chain[-1].part, group.part))):
            yield chain
            chain = []
        chain.append(group)
    if chain:
        yield chain


def _counts_on(last: tuple[str, str] | None, part: tuple[str, str] | None) -> bool:
    """Whether a part goes on with the number after the last one's: `LAW II.` after `LAW I.`"""
    if last is None or part is None or last[0] != part[0]:
        return False
    return _value(part[1]) == _value(last[1]) + 1


def _value(numeral: str) -> int:
    return arabic(numeral.strip(".,").lower())


def _of_laws(lines: Sequence[Line], seen: Sequence[Sighting], groups: Sequence[_Group]) -> bool:
    """Whether groups are no divisions of a code but lists within its laws.

    Their headings are all the same, or number laws, or the label of a law stands above most (`CANON 3.`, and below it
    `Of Candidates`).
    """
    most = len(groups) / 2
    if len({group.heading for group in groups}) <= most:
        return True
    numbered = sum(group.part is not None and group.part[0] in _LAWS for group in groups)
    laws = {x.start for x in seen if x.alone and x.shape.word.upper() in _LAWS}
    below = sum(lines[group.top - 1].start in laws for group in groups if group.top)
    return (numbered > most and not groups[0].labels[0].shape.word) or below > most


def _with_undivided(lines: Sequence[Line], seen: Sequence[Sighting], groups: Sequence[_Group]) -> list[CodeDivision]:
    """The divisions, with those parts among them that have no numbering, as some articles have no sections."""
    found = list(_named(lines, groups))
    if groups[0].part is None:
        return found
    word = groups[0].part[0]
    stem, inner = _STEM.get(word.casefold(), word.casefold()), groups[0].labels[0].shape
    numbered = [x.start for x in seen if x.shape == inner]
    parts = [x for x in seen if x.shape.word == stem and x.shape.numeral != "a"]
    ends = [*(x.start for x in parts[1:]), lines[-1].end]
    known = {_value(group.part[1]): group.labels[0].start for group in groups if group.part}
    alone = [
        x for x, end in zip(parts, ends, strict=False) if bisect_left(numbered, x.start) == bisect_left(numbered, end)
    ]
    for label in [*reversed(alone), *alone]:  # one that is the last but for the next is known when that is
        n = label.number
        beside = (n + 1 in known and n < max(known)) or n - 1 in known
        if n not in known and beside and all((m < n) == (at < label.start) for m, at in known.items()):
            known[n] = label.start
            found.append(CodeDivision(label.start, (label,), word.capitalize(), stem, undivided=True))
    return sorted(found, key=lambda division: division.start)


def _named(lines: Sequence[Line], groups: Sequence[_Group]) -> Iterator[CodeDivision]:
    taken: set[str] = set()
    for group in groups:
        name, stem = headline(group.heading[-1]), slug(group.heading[-1], 3)
        if part := group.part:
            number = part[1].strip(".,")
            name = f"{part[0].capitalize()} {number}"
            stem = f"{_STEMS.get(part[0], slug(part[0], 1))}-{_value(number) or number.lower()}"
        if stem in taken:
            stem = f"{stem}-{len(taken) + 1}"
        taken.add(stem)
        yield CodeDivision(lines[group.top].start, group.labels, name, stem)


def _start(line: Line) -> int:
    return line.start
