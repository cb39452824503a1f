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
        rf"\{{(?:[Pp](?:g|age)?\.?\s{{0,2}})?{_NUMBER}\}}",  # a line of an e-text that was set anew may end in one
        rf"\[(?:[Pp](?:g|age)?\.?)\s{{0,2}}{_NUMBER}\]",
        rf"(?<![^\s—–-])\[{_NUMBER}\](?![,.;:])",
        rf"(?<!\|)\|{_NUMBER}\|(?!\|)",
    )
)
_FEWEST = 5  # marks of pages
_NOTES = re.compile(r"\n[ \t]*\n[ \t]*$")  # before a mark that begins a paragraph, as a note does
_PICTURE = re.compile(r"(?m)^[ \t]*\[Illustration(?::(?:[^\[\]\n]|\n(?![ \t]*\n)){0,400})?\][ \t]*$")
_STAMP = re.compile(
    r"(?im)^[ \t]*(?:(?:digiti[sz]ed|scanned) (?:by|for|at)(?: the)? (?:google|internet archive|microsoft)\b[^\n]{0,60}"
    r"|digiti[sz]ed by|hosted by google|original from|generated (?:at|on|for) [^\n]{0,80}hathitrust[^\n]{0,80}"
    r"|https?://(?:www\.)?archive\.org/details/\S+)[ \t]*$"
)


def aware_of_insertions(find: Callable[[str], Furniture]) -> Callable[[str], Furniture]:
    """Have a finder of furniture know what others than the printer put into a text.

    Args:
        find: finds what the printer put on the pages.
    Returns:
        A finder that takes the insertions out too, and where an e-text marks its pages, tells them by these marks.
    """

    def found(scan: str) -> Furniture:
        marks, misread = page_marks(scan)
        others = [deletion(scan, *m.span(), "picture", 0.95) for m in _PICTURE.finditer(scan)]
        others += [deletion(scan, *m.span(), "stamp of the scanner", 0.95) for m in _STAMP.finditer(scan)]
        if not marks and not others:
            return find(scan)
        # Who marks the pages of a transcription has left out their heads and folios; there is nothing else to find.
        printed = Furniture(tuple(column_heads(scan, split_lines(scan))), ()) if marks else find(scan)
        inserted = sorted(
            [*(deletion(scan, f.span.start, f.span.end, "mark of a page", 0.95) for f in [*marks, *misread]), *others]
        )
        kept = [e for e in printed.edits if not _meets(e, inserted)]
        pages = paginate(len(scan), marks, [f.span.end for f in marks], []) if marks else printed.pages
        return replace(printed, edits=tuple(sorted([*kept, *inserted])), pages=pages)

    return found


def page_marks(scan: str) -> tuple[tuple[Folio, ...], tuple[Folio, ...]]:
    """The numbers of pages that who transcribed a text put into it.

    Returns:
        Those that tell pages, in reading order, and those of their convention that are misread; none without one.
    """
    for convention in _CONVENTIONS:
        marks = [Folio(Span(*m.span()), m["number"], 0.95) for m in convention.finditer(scan)]
        if _count_pages(scan, marks):
            kept = _in_order(marks)
            places = {f.span for f in kept}
            misread = (f for f in marks if f.span not in places)
            return tuple(kept), tuple(f for f in misread if not (_bare(scan, f) and _opens(scan, f)))
    return (), ()


def _count_pages(scan: str, marks: Sequence[Folio]) -> bool:
    """Whether marks number pages: they mostly follow each other, at the distance of pages, and begin no notes."""
    if len(marks) < _FEWEST:
        return False
    follow = sum(arabic(b.text) == arabic(a.text) + 1 for a, b in pairwise(marks))
    apart = median(b.span.start - a.span.end for a, b in pairwise(marks))
    opening = sum(_opens(scan, f) for f in marks)
    if _bare(scan, marks[0]) and opening * 2 > len(marks):
        return False
    return apart >= LEAST_PAGE and follow * 2 >= len(marks)


def _opens(scan: str, mark: Folio) -> bool:
    """Whether a mark begins a paragraph."""
    return bool(_NOTES.search(scan, max(0, mark.span.start - 40), mark.span.start))


def _bare(scan: str, mark: Folio) -> bool:
    """Whether a mark is a number in square brackets and nothing else, as that of a note may be."""
    return scan[mark.span.start : mark.span.end] == f"[{mark.text}]"


def _in_order(marks: Sequence[Folio]) -> list[Folio]:
    """The marks of a longest increasing subsequence: one that is misread costs no other. Roman numbers come first."""
    import numpy as np

    front = max((arabic(m.text) for m in marks if not m.text.isdecimal()), default=0)
    number = np.array([arabic(m.text) + front * m.text.isdecimal() for m in marks])
    return [marks[i] for i in best_chain(np.arange(len(marks)), number, np.ones(len(marks)), Costs(far=0.0))]


def _meets(edit: Edit, others: Sequence[Edit]) -> bool:
    return any(edit.span.meets(other.span) for other in others)
