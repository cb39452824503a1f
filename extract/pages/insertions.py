"""Insertions that are not the printer's: page marks and picture marks of a transcriber, stamps of a scanner.

An e-text marks the start of a page by its number within the text, in one convention throughout: `{167}`, `[Pg 167]`,
`[167]`, `|167|`. Unlike the mark of a note, a page mark is separated from the word before it; unlike any other number,
it is followed by the next page number, about a page further on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from extract.model import Edit, Span
from extract.numbering.chain import Costs, best_chain
from extract.numbering.numerals import arabic
from extract.pages.deletion import deletion
from extract.pages.folio import LEAST_PAGE, Folio
from extract.pages.furniture import Furniture
from extract.pages.margins import column_heads
from extract.pages.pagination import paginate
from extract.text.lines import split_lines

_NUMBER = r"(?P<number>\d{1,4}|[ivxlc]{1,7})"
_CONVENTIONS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\{{(?:[Pp](?:g|age)?\.?\s{{0,2}})?{_NUMBER}\}}",  # where lines were reflowed, one may end within a mark
        rf"\[(?:[Pp](?:g|age)?\.?)\s{{0,2}}{_NUMBER}\]",
        rf"(?<![^\s—–-])\[{_NUMBER}\](?![,.;:])",
        rf"(?<!\|)\|{_NUMBER}\|(?!\|)",
    )
)
_FEWEST = 5  # page marks that a text must have
_BLANK_LINE = re.compile(r"\n[ \t]*\n[ \t]*$")  # before a mark that begins a paragraph, as that of a note does
_PICTURE = re.compile(r"(?m)^[ \t]*\[Illustration(?::(?:[^\[\]\n]|\n(?![ \t]*\n)){0,400})?\][ \t]*$")
_STAMP = re.compile(
    r"(?im)^[ \t]*(?:(?:digiti[sz]ed|scanned) (?:by|for|at)(?: the)? (?:google|internet archive|microsoft)\b[^\n]{0,60}"
    r"|digiti[sz]ed by|hosted by google|original from|generated (?:at|on|for) [^\n]{0,80}hathitrust[^\n]{0,80}"
    r"|https?://(?:www\.)?archive\.org/details/\S+)[ \t]*$"
)


def with_insertions(find: Callable[[str], Furniture]) -> Callable[[str], Furniture]:
    """Extend a furniture finder so that it also deletes insertions that are not the printer's.

    Args:
        find: finds the furniture that the printer set.
    Returns:
        A finder that also deletes the insertions and, if an e-text marks its pages, takes the pages from these marks.
    """

    def found(scan: str) -> Furniture:
        marks, misread = page_marks(scan)
        others = [deletion(scan, *m.span(), "picture", 0.95) for m in _PICTURE.finditer(scan)]
        others += [deletion(scan, *m.span(), "stamp of the scanner", 0.95) for m in _STAMP.finditer(scan)]
        if not marks and not others:
            return find(scan)
        # A transcription that marks its pages has no heads and folios; only heads of columns are left to find.
        printed = Furniture(tuple(column_heads(scan, split_lines(scan))), ()) if marks else find(scan)
        inserted = sorted(
            [*(deletion(scan, f.span.start, f.span.end, "mark of a page", 0.95) for f in [*marks, *misread]), *others]
        )
        kept = [e for e in printed.edits if not _meets(e, inserted)]
        pages = paginate(len(scan), marks, [f.span.end for f in marks], []) if marks else printed.pages
        return replace(printed, edits=tuple(sorted([*kept, *inserted])), pages=pages)

    return found


def page_marks(scan: str) -> tuple[tuple[Folio, ...], tuple[Folio, ...]]:
    """Find the page numbers that the transcriber of a text put into it.

    Returns:
        The page marks in reading order, and misread marks of the same convention; both empty if no convention fits.
    """
    for convention in _CONVENTIONS:
        marks = [Folio(Span(*m.span()), m["number"], 0.95) for m in convention.finditer(scan)]
        if _number_pages(scan, marks):
            kept = _in_order(marks)
            places = {f.span for f in kept}
            misread = (f for f in marks if f.span not in places)
            return tuple(kept), tuple(f for f in misread if not (_bare(scan, f) and _opens_paragraph(scan, f)))
    return (), ()


def _number_pages(scan: str, marks: Sequence[Folio]) -> bool:
    """Whether marks number pages: most are consecutive, they are a page apart, and they do not begin notes."""
    if len(marks) < _FEWEST:
        return False
    consecutive = sum(arabic(b.text) == arabic(a.text) + 1 for a, b in pairwise(marks))
    distance = median(b.span.start - a.span.end for a, b in pairwise(marks))
    opening = sum(_opens_paragraph(scan, f) for f in marks)
    if _bare(scan, marks[0]) and opening * 2 > len(marks):
        return False
    return distance >= LEAST_PAGE and consecutive * 2 >= len(marks)


def _opens_paragraph(scan: str, mark: Folio) -> bool:
    """Whether a mark begins a paragraph."""
    return bool(_BLANK_LINE.search(scan, max(0, mark.span.start - 40), mark.span.start))


def _bare(scan: str, mark: Folio) -> bool:
    """Whether a mark is only a number in square brackets, as that of a note may be."""
    return scan[mark.span.start : mark.span.end] == f"[{mark.text}]"


def _in_order(marks: Sequence[Folio]) -> list[Folio]:
    """Return the longest increasing subsequence of marks, roman numbers before arabic; misread marks are dropped."""
    import numpy as np

    front = max((arabic(m.text) for m in marks if not m.text.isdecimal()), default=0)
    number = np.array([arabic(m.text) + front * m.text.isdecimal() for m in marks])
    return [marks[i] for i in best_chain(np.arange(len(marks)), number, np.ones(len(marks)), Costs(far=0.0))]


def _meets(edit: Edit, others: Sequence[Edit]) -> bool:
    return any(edit.span.meets(other.span) for other in others)
