"""Codes numbered afresh under every heading: `The Deal` 1 to 9, `The Play` 1 to 12; `Article IV`, `Section 2`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from extract.language.lexicon import word_list
from extract.numbering.numerals import arabic
from extract.segment.segment import headline, slug
from extract.survey.codes.inline import INTRODUCTION
from extract.survey.labels import LabelShape, Sighting, read_label
from extract.text.headings import block_above, is_heading, names_a_body, numbered_heading, plain
from extract.text.lines import Line

_FEWEST, _FEWEST_LABELS = 3, 12  # divisions of a code, and labels under a heading that names laws;
_MANY_LABELS = 25  # without one
_GREATEST = 0.6  # of all labels, those of one division
_NEXT = 2  # how much higher a label may be than the last one
_LAWS = {"LAW", "RULE", "CANON", "REGULATION", "REG"}  # what is numbered below one of these is a paragraph of it
_LEADING = 8  # lines of a paragraph that leads to the labels below it
_TITLE = 75  # characters of a title that is no heading by its shape
_APART, _LEAST_APART = 4, 1200  # times the usual length of a provision, or characters, up to the next heading
_STEM = dict(pair.split("=") for pair in word_list("members"))
_STEMS = {"ARTICLE": "art", "CHAPTER": "ch", "SECTION": "sec", "TITLE": "title", "PART": "part"}


@dataclass(frozen=True, slots=True)
class Division:
    """A stretch of a code with a numbering of its own: where its heading stands, its labels, and what it is called.

    `name` is for readers (`The Deal`, `Article IV`), `slug` for ids. `undivided`: it has no numbering, and its only
    label is its own, as that of an article without sections among others that have some.
    """

    start: int
    labels: tuple[Sighting, ...]
    name: str
    slug: str
    undivided: bool = False


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
            count = sum(len(group.labels) for group in groups)
            most = max(len(group.labels) for group in groups)
            needed = _FEWEST_LABELS if _named_above(lines, groups[0]) else _MANY_LABELS
            enough = (
                sum(not group.introduced for group in groups) >= _FEWEST
                and count >= needed
                and most <= _GREATEST * count
            )
            if enough and not _of_laws(groups) and not _below_laws(lines, seen, groups):
                found.append(tuple(_with_undivided(lines, seen, groups)))
    return sorted(found, key=lambda divisions: divisions[0].start)


@dataclass(slots=True)
class _Group:
    """A numbering directly under a heading: the indices of its first line and of its heading, the labels.

    `block`: the lines of the heading. Where a list of contents stands between, the matter begins below it; where a
    sentence does that leads to the labels, they are `introduced`.
    """

    top: int
    block: list[str]
    labels: list[Sighting]
    introduced: bool = False


def _groups(lines: Sequence[Line], starts: Sequence[int], labels: Sequence[Sighting]) -> Iterator[_Group]:
    """The numberings that begin directly under a heading, in reading order."""
    group: _Group | None = None
    for label in labels:
        at = bisect_right(starts, label.start) - 1
        first = label.number == 1 and not label.within
        top = _block_above(lines, at) if first else at
        below = _introduction(lines, at, group.labels[-1].end) if first and top == at and group else at
        if below < at:
            top = _block_above(lines, below)
        if top < at:
            if group:
                yield group
            group = _Group(top, [plain(line.text) for line in lines[top:below]], [label], below < at)
        elif group and label.number == len(group.labels) == 1:
            group = _Group(at, group.block, [label])  # what stood above was a list of contents
        elif group and 0 < label.number - group.labels[-1].number <= _NEXT:
            group.labels.append(label)
    if group:
        yield group


def _introduction(lines: Sequence[Line], at: int, floor: int) -> int:
    """The first line of the paragraph that leads to a label, if a heading stands above it; else that of the label."""
    first = at
    while first == at or (first and lines[first].above == 1):
        first -= 1
    known = first > 0 and lines[first].start > floor and at - first <= _LEADING
    return first if known and lines[at - 1].text.endswith(":") and is_heading(lines[first - 1]) else at


def _block_above(lines: Sequence[Line], at: int) -> int:
    """The first of the heading lines above a label, of which one may be none by its shape: the title of a division."""
    top = block_above(lines, at)
    title = lines[at - 1] if top == at > 1 else None
    if title and title.isolated and len(title.text) < _TITLE and not read_label(title.text, 0):
        above = block_above(lines, at - 1)
        return above if any(numbered_heading(plain(line.text)) for line in lines[above : at - 1]) else at
    return top


def _neighbours(lines: Sequence[Line], groups: Sequence[_Group]) -> Iterator[list[_Group]]:
    """The groups that follow each other with nothing between them; a heading that names laws begins a new code."""
    chain: list[_Group] = []
    for group in groups:
        within = _divided_within(lines, group)
        new = not chain or (_names(group) and not _goes_on(chain[-1], group)) or not _touch(lines, chain, group)
        if chain and (new or within):
            yield chain
            chain = []
        if not within:
            chain.append(group)
    if chain:
        yield chain


def _divided_within(lines: Sequence[Line], group: _Group) -> bool:
    """Whether its numbering goes on under further headings like its own: `PART I.` 1 to 19, `PART II.` 20 to 38."""
    own = _part(group.block)
    for label in group.labels[1:] if own else ():
        at = bisect_right(lines, label.start, key=_start) - 1
        inner = _part([plain(line.text) for line in lines[_block_above(lines, at) : at]])
        if own and inner and inner[0] == own[0]:
            return True
    return False


def _goes_on(last: _Group, group: _Group) -> bool:
    """Whether the heading of a group numbers the part of the book that follows the last one (`SECTION XI. OF LAWS`)."""
    before, after = _part(last.block), _part(group.block)
    return bool(before and after and before[0] == after[0] and 0 < after[1] - before[1] <= _NEXT)


def _part(block: Sequence[str]) -> tuple[str, int] | None:
    """The word and the number of the division that a heading tells."""
    found = next((part for text in block if (part := numbered_heading(text))), None)
    number = arabic(found[1].strip(".,")) if found else 0
    return (found[0], number) if found and number else None


def _touch(lines: Sequence[Line], chain: Sequence[_Group], group: _Group) -> bool:
    lengths = [b.start - a.start for above in chain for a, b in pairwise(above.labels)]
    usual = median(lengths) if lengths else 0
    return lines[group.top].start - chain[-1].labels[-1].end <= max(_APART * usual, _LEAST_APART)


def _names(group: _Group) -> bool:
    return names_a_body(" ".join(group.block))


def _of_laws(groups: Sequence[_Group]) -> bool:
    """Whether groups are no divisions of a code but lists within its laws: all have one heading, or that of a law."""
    headings = {" ".join(group.block) for group in groups}
    laws = sum((part := _part(group.block)) is not None and part[0] in _LAWS for group in groups)
    return len(headings) * 2 <= len(groups) or (not groups[0].labels[0].shape.word and laws * 2 > len(groups))


def _below_laws(lines: Sequence[Line], seen: Sequence[Sighting], groups: Sequence[_Group]) -> bool:
    """Whether the label of a law stands above most headings (`CANON 3.`, and below it `Of Candidates`)."""
    laws = {x.start for x in seen if x.alone and x.shape.word.upper() in _LAWS}
    return sum(lines[group.top - 1].start in laws for group in groups if group.top) * 2 > len(groups)


def _named_above(lines: Sequence[Line], group: _Group) -> bool:
    """Whether the heading of a group names laws, or one further up does, with nothing but an introduction between."""
    above = lines[bisect_left(lines, lines[group.top].start - INTRODUCTION, key=_start) : group.top]
    return _names(group) or any(is_heading(line) and names_a_body(line.text) for line in above)


def _start(line: Line) -> int:
    return line.start


def _with_undivided(lines: Sequence[Line], seen: Sequence[Sighting], groups: Sequence[_Group]) -> list[Division]:
    """The divisions, with those of their numbers that have no numbering below: before, between and after the others."""
    found: list[Division] = []
    last: tuple[str, int] | None = None
    for i, (division, group) in enumerate(zip(_named(lines, groups), groups, strict=True)):
        part = _part(group.block)
        if part and (i == 0 or (last and last[0] == part[0])):
            labels = _without_numbering(
                lines, seen, part[0], group, found[-1].labels[-1].start if found else -1, division.start
            )
            numbers = range(last[1] + 1 if last else 1, part[1])
            due = labels[len(labels) - len(numbers) :]
            found += _undivided(part[0], due) if [x.number for x in due] == list(numbers) else []
        found.append(division)
        last = part
    if last:
        below = _without_numbering(lines, seen, last[0], groups[-1], found[-1].labels[-1].start, lines[-1].end)
        found += _undivided(last[0], below[: _going_on(below, last[1])])
    return found


def _without_numbering(
    lines: Sequence[Line], seen: Sequence[Sighting], word: str, group: _Group, start: int, end: int
) -> list[Sighting]:
    """The labels between two offsets that have the word of a heading, and no numbering like that of a group below."""
    stem = _STEM.get(word.casefold(), word.casefold())
    shape = group.labels[0].shape
    numbered = [x for x in seen if x.shape == shape]
    found: list[Sighting] = []
    for label in seen:
        if start < label.start < end and label.shape.word == stem and label.shape.numeral != "a":
            below = next((x for x in numbered if x.start > label.start), None)
            first = bisect_right(lines, label.start, key=_start)
            between = lines[first : bisect_left(lines, below.start, key=_start)] if below else ()
            if below is None or (below.number == 1 and not all(map(is_heading, between))):
                found.append(label)
    return found


def _going_on(labels: Sequence[Sighting], number: int) -> int:
    """How many labels go on from a number."""
    return next((i for i, x in enumerate(labels) if x.number != number + 1 + i), len(labels))


def _undivided(word: str, labels: Sequence[Sighting]) -> list[Division]:
    return [Division(x.start, (x,), word.capitalize(), x.shape.word, undivided=True) for x in labels]


def _named(lines: Sequence[Line], groups: Sequence[_Group]) -> Iterator[Division]:
    taken: set[str] = set()
    for group in groups:
        title = next((line for line in group.block if numbered_heading(line)), group.block[-1])
        name, stem = headline(title), slug(title, 3)
        if part := numbered_heading(title):
            number = part[1].strip(".,")
            numeral = number if number.isdecimal() else str(arabic(number.lower()) or number.lower())
            name, stem = f"{part[0].capitalize()} {number}", f"{_STEMS.get(part[0], slug(part[0], 1))}-{numeral}"
        if stem in taken:
            stem = f"{stem}-{len(taken) + 1}"
        taken.add(stem)
        yield Division(lines[group.top].start, tuple(group.labels), name, stem)
