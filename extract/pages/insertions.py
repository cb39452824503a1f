"""What others than the printer put into a text: marks of pages and pictures, stamps of a scanner.

An e-text tells where a page began by its number in the midst of the text, in one convention all through: `{167}`,
`[Pg 167]`, `[167]`, `|167|`. It is told from the mark of a note by standing apart from the word before it, and from any
other number by what follows: the next page, and a page farther on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from extract.model import Edit, Span
from extract.numbering.numerals import arabic
from extract.pages.deletion import deletion
from extract.pages.folio import Folio, paginate
from extract.pages.furniture import Furniture

_NUMBER = r"(?P<number>\d{1,4}|[ivxlc]{1,7})"
_CONVENTIONS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\{{(?:[Pp](?:g|age)?\.? ?)?{_NUMBER}\}}",
        rf"\[(?:[Pp](?:g|age)?\.?) ?{_NUMBER}\]",
        rf"(?<![^\s—–-])\[{_NUMBER}\](?![,.;:])",
        rf"(?<!\|)\|{_NUMBER}\|(?!\|)",
    )
)
_FEWEST, _LEAST_APART = 5, 400  # marks of pages, and the characters from one to the next, half of them
_IN_ORDER = 0.8  # of the marks, those that are one higher than the last
_NOTES = re.compile(r"\n[ \t]*\n[ \t]*$")  # before a mark that begins a paragraph, as a note does
_OPENS = 0.5  # of the marks in square brackets, those that may begin a paragraph
_PICTURE = re.compile(r"(?m)^[ \t]*\[Illustration(?::[^\[\]]{0,400})?\][ \t]*$")
_STAMP = re.compile(
    r"(?im)^[ \t]*(?:(?:digiti[sz]ed|scanned) (?:by|for|at)(?: the)? (?:google|internet archive|microsoft)\b[^\n]{0,60}"
    r"|digiti[sz]ed by|hosted by google|original from|generated (?:at|on|for) [^\n]{0,80}hathitrust[^\n]{0,80}"
    r"|https?://(?:www\.)?archive\.org/details/\S+)[ \t\r]*$"
)


def aware_of_insertions(find: Callable[[str], Furniture]) -> Callable[[str], Furniture]:
    """Have a finder of furniture know what others than the printer put into a text.

    Args:
        find: finds what the printer put on the pages.
    Returns:
        A finder that takes the insertions out too, and where an e-text marks its pages, tells them by these marks.
    """

    def found(scan: str) -> Furniture:
        marks = page_marks(scan)
        others = [deletion(scan, *m.span(), "picture", 0.95) for m in _PICTURE.finditer(scan)]
        others += [deletion(scan, *m.span(), "stamp of the scanner", 0.95) for m in _STAMP.finditer(scan)]
        if not marks and not others:
            return find(scan)
        printed = find(scan)
        inserted = sorted([*(deletion(scan, f.span.start, f.span.end, "mark of a page", 0.95) for f in marks), *others])
        kept = [e for e in printed.edits if not (marks and "folio" in e.note) and not _meets(e, inserted)]
        pages = paginate(len(scan), marks, [f.span.end for f in marks], []) if marks else printed.pages
        return replace(printed, edits=tuple(sorted([*kept, *inserted])), pages=pages)

    return found


def page_marks(scan: str) -> tuple[Folio, ...]:
    """The numbers of pages that who transcribed a text put into it, in reading order; none without a convention."""
    for convention in _CONVENTIONS:
        marks = [Folio(Span(*m.span()), m["number"], 0.95) for m in convention.finditer(scan)]
        if _count_pages(scan, marks):
            return tuple(_in_order(marks))
    return ()


def _count_pages(scan: str, marks: Sequence[Folio]) -> bool:
    """Whether marks number pages: they follow each other at the distance of pages, and begin no notes."""
    if len(marks) < _FEWEST:
        return False
    follow = sum(arabic(b.text) == arabic(a.text) + 1 for a, b in pairwise(marks))
    apart = median(b.span.start - a.span.end for a, b in pairwise(marks))
    opening = sum(bool(_NOTES.search(scan, max(0, f.span.start - 40), f.span.start)) for f in marks)
    square = scan[marks[0].span.start] == "[" and marks[0].text == scan[marks[0].span.start + 1 : marks[0].span.end - 1]
    if square and opening > _OPENS * len(marks):
        return False
    return apart >= _LEAST_APART and follow >= _IN_ORDER * (len(marks) - 1)


def _in_order(marks: Sequence[Folio]) -> list[Folio]:
    """The marks, those left out that are no higher than the one before."""
    kept: list[Folio] = []
    for mark in marks:
        if not kept or _place(mark) > _place(kept[-1]):
            kept.append(mark)
    return kept


def _place(mark: Folio) -> tuple[bool, int]:
    """Roman numbers come first."""
    return mark.text.isdecimal(), arabic(mark.text)


def _meets(edit: Edit, others: Sequence[Edit]) -> bool:
    return any(edit.span.meets(other.span) for other in others)
