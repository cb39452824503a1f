"""Grammar of a commentary: pieces, each headed by the article or articles that it explains."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from extract.corpus.domain import plural
from extract.corpus.plan import CommentaryPart, Heads
from extract.language.lexicon import word_set
from extract.numbering.label import Label
from extract.numbering.numerals import arabic, may_be, nearest
from extract.numbering.series import longest
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment, heading_segment
from extract.text.lines import Line, listed

_ITEM = re.compile(r"[^\s,.;]*[^\s,.;-]")
_NEXT = 7  # the largest step from one number of a list to the next
_LISTING, _ONWARD = word_set("listing"), word_set("onward")


def commentary(work: WorkingText, part: CommentaryPart, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment a commentary.

    Args:
        work: the working text.
        part: the part; each of its series has a label such as `Articles {list}.`; the ids of the provisions
            explained begin with `explains`.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    Returns:
        Headings and pieces; each piece has the ids of the provisions that it explains.
    """
    pieces: dict[int, Segment] = {}
    for series in part.series:
        heads = [*_heads(work, series, start, end)]
        labels = [Label(x.start, x.end, items[0], arabic(items[0]), x.start, "") for x, items in heads]
        read = {label.start for label in longest([x for x in labels if x.number], 1, skipped=0.0)}
        numbers = [0]
        for (line, items), label in zip(heads, labels, strict=True):
            first = numbers[-1] + 1 if not label.number and may_be(str(numbers[-1] + 1), items[0]) else label.number
            if not first or (label.number and line.start not in read):
                continue
            numbers = _numbers(items, first, series)
            named = [f"{series.prefix}{n}" for n in numbers]
            pieces[line.start] = Segment(
                "commentary", line.start, line.end, book_id, f"{series.slug}-{named[0]}".lower(),
                f"Commentary on {plural(series.name) if series.name and len(named) > 1 else series.name} "
                f"{listed([n.upper() for n in named])}", named[0],
                explains=tuple(f"{part.explains}{n}".lower() for n in named),
            )  # fmt: skip
    sections = {p.start: heading_segment(book_id, p) for p in work.paragraphs(start, end, part.headings) if p.heading}
    found = sections | pieces
    for a, b in pairwise([*sorted(found), end]):
        if a in pieces:
            pieces[a].end = work.trim(a, b)[1]
    return [*found.values()]


def _heads(work: WorkingText, series: Heads, start: int, end: int) -> Iterator[tuple[Line, list[str]]]:
    """The lines that may head a piece, each with the items listed: a word, and nothing but numerals after it."""
    stem = series.label.partition("{list}")[0].strip()
    of_several = "?" if len(stem) > 2 else ""
    opening = re.compile(rf"{re.escape(stem)}{of_several}\.?\s*")
    for line in work.lines_from(start, end):
        match = opening.match(line.text)
        items = [x for x in _ITEM.findall(line.text, match.end()) if x.lower() not in _LISTING] if match else []
        if items and all(_like_number(x) or x.lower() in _ONWARD for x in items):
            yield line, items


def _like_number(text: str) -> bool:
    return len(text) <= 4 and not (text.isalpha() and len(text) > 2)


def _numbers(items: Sequence[str], first: int, series: Heads) -> list[int]:
    """The numbers that a heading lists: each after the first is read as the cheapest one that continues the list."""
    if series.expect and not _ONWARD.isdisjoint(items):
        return list(range(first, series.expect + 1))
    numbers = [first]
    for item in items[1:]:
        if number := arabic(item) or nearest(item, range(numbers[-1] + 1, numbers[-1] + _NEXT + 1)):
            numbers.append(number)
    return numbers
