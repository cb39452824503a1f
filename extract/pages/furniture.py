"""Page furniture: folios that rise, running heads that recur, and signatures at the feet of pages.

A folio shows where a page begins, or where one ends if it stands at the foot. At the head of a page, a line is a
running head if its words recur. No list of heads is needed. What this misses, the editor adds to errata.toml.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from extract.language.sentences import boundaries, ends_paragraph
from extract.model import Edit, Page
from extract.numbering.numerals import roman
from extract.pages.contents import pages_of_headings
from extract.pages.folios import Folio, rising
from extract.pages.heads import head_words, is_rule, recurring
from extract.pages.marks import PAGE_GAP, marks_in_text, marks_of_lines
from extract.pages.pagination import CUT, DIVISION, HEAD, OPENING, Break, Start, paginate
from extract.text.headings import division
from extract.text.lines import Line, split_lines
from extract.text.source import Layout

_LONGEST_PAGE, _FEW = 3000, 0.1  # characters of a page, at most; share of the pages that have a folio, at least
_DEPTH = 5  # lines at the head of a page among which its running head is, and after a folio at the foot the next page
_OTHERS = 2  # lines near the head of a page that have the words of a running head, besides itself
_SIGNATURE = re.compile(r"(?:\S{2,12}[—–-])?[A-Za-z0] ?[2345SO]?")
_SHEET = 8  # pages of a gathering, or a part of them
_MARKUP = re.compile(r"(?m)^[-*] (?=\S)|\*{1,2}(?=\w)|(?<=[\w.,;!?])\*{1,2}")  # of lists and of emphasis
_HEADING = re.compile(r"[.!?)\"] (?=[A-Z]{4,}\b[.,]? [A-Z])")
_NOTE = re.compile(r"[⁽(]\s?[a-z]\)")


@dataclass(frozen=True, slots=True)
class Furniture:
    """The page furniture of a scan: the edits that delete it, and the pages inferred from it."""

    edits: tuple[Edit, ...]
    pages: tuple[Page, ...]


def find_furniture(scan: str, layout: Layout) -> Furniture:
    """Find the furniture and the pages of a scan.

    Args:
        scan: the text of the scan, with normalised line ends.
        layout: how it is laid out.
    Returns:
        Deletions (kind `furniture`), and the pages with printed or interpolated numbers.
    """
    if layout == "single-line":
        return _in_text(scan)
    lines = split_lines(scan)
    return _in_transcription(scan, lines) if layout == "markdown" else _in_lines(scan, lines)


def _deletion(scan: str, start: int, end: int, what: str, confidence: float = 0.9) -> Edit:
    return Edit(start, end, scan[start:end], "", "furniture", "rule", confidence, what)


def _enough(scan: str, folios: Sequence[Folio]) -> Sequence[Folio]:
    """The folios of a scan; none if they are too few for its length, so that they are other numbers."""
    return folios if len(folios) * _LONGEST_PAGE >= _FEW * len(scan) else ()


def _in_text(scan: str) -> Furniture:
    """Find furniture in a scan without lines, whose heads and folios are run in with the text."""
    folios = _enough(scan, rising([*marks_in_text(scan)]))
    edits = [_deletion(scan, f.mark.start, f.mark.end, "running head and folio", f.confidence) for f in folios]
    breaks = {gap.end: Break(gap.end, 0) for gap in boundaries(scan)}
    breaks |= {found.end(): Break(found.end(), OPENING) for found in _HEADING.finditer(scan)}
    starts = [Start(folio.mark.start, folio.printed) for folio in folios]
    pages = paginate(len(scan), starts, {start.folio for start in starts}, sorted(breaks.values()))
    return Furniture(tuple(edits), pages)


def _in_lines(scan: str, lines: Sequence[Line]) -> Furniture:
    """Find furniture in a scan that keeps the lines of the page, with wide gaps between pages."""
    folios = _enough(scan, rising([*marks_of_lines(lines)]))
    gone = {folio.mark.line: ("folio", folio.confidence) for folio in folios}
    heads = recurring(_near_tops(lines)) if folios else {}
    if _at_feet(lines, folios):
        starts, specks = _below_feet(lines, folios)
        gone |= dict.fromkeys(specks, ("speck at the foot", 0.8))
    else:
        gone |= dict.fromkeys(_above_folios(lines, folios, heads), ("running head", 0.95))
        starts = [Start(lines[f.mark.line - (f.mark.line - 1 in gone)].start, f.printed) for f in folios]
    pages = paginate(len(scan), starts, {folio.printed for folio in folios}, [*_breaks(lines, gone)])
    tops = _tops(lines, pages)
    for top in tops[1:]:
        gone |= dict.fromkeys(_head(lines, top, gone, heads), ("running head", 0.9))
    for top, page in zip(tops[1:], pages, strict=False):
        if top - 1 not in gone and _is_signature(lines[top - 1], page):
            gone[top - 1] = "signature", 0.9
    edits = (_deletion(scan, lines[i].start, lines[i].end, what, sure) for i, (what, sure) in gone.items())
    return Furniture(tuple(sorted(edits)), pages)


def _near_tops(lines: Sequence[Line]) -> dict[int, str]:
    """The words of the lines that may be running heads: near a gap between pages."""
    found: dict[int, str] = {}
    gap = -_DEPTH
    for i, line in enumerate(lines):
        gap = i if line.above >= PAGE_GAP else gap
        if i - gap < _DEPTH and (words := head_words(line)):
            found[i] = words
    return found


def _at_feet(lines: Sequence[Line], folios: Sequence[Folio]) -> bool:
    """Whether folios stand at the foot: most have the wider gap, which parts pages, below them."""
    alone = [lines[folio.mark.line] for folio in folios if not folio.mark.words]
    below = sum(PAGE_GAP <= line.below > line.above for line in alone)
    return below > sum(PAGE_GAP <= line.above > line.below for line in alone)


def _below_feet(lines: Sequence[Line], folios: Sequence[Folio]) -> tuple[list[Start], list[int]]:
    """The pages, each of which begins below the folio of the page before, and specks between a folio and the gap."""
    above = (line.start for line in reversed(lines[: folios[0].mark.line]) if line.above >= PAGE_GAP)
    starts, specks = [Start(next(above, 0), folios[0].printed)], list[int]()
    for folio in folios:
        foot = folio.mark.line
        below = [*range(foot + 1, min(foot + _DEPTH, len(lines)))]
        top = next((i for i in below if lines[i].above >= PAGE_GAP), foot + 1)
        if top < len(lines):
            number = folio.number + 1
            starts.append(Start(lines[top].start, str(number) if folio.printed.isdecimal() else roman(number)))
            specks += range(foot + 1, top)
    return starts, specks


def _above_folios(lines: Sequence[Line], folios: Sequence[Folio], heads: Collection[int]) -> list[int]:
    """The running heads that stand above a folio, set apart from the page before and from the folio."""
    above = (folio.mark.line - 1 for folio in folios if not folio.mark.words)
    return [i for i in above if i in heads and min(lines[i].above, lines[i].below) >= PAGE_GAP]


def _breaks(lines: Sequence[Line], gone: Collection[int]) -> Iterator[Break]:
    """Where a page without a folio may begin: after a gap, likeliest amid a sentence or at a heading."""
    for i, line in enumerate(lines):
        if i and line.above >= PAGE_GAP and i not in gone and i - 1 not in gone:
            heading = DIVISION if division(line.text) else OPENING if line.capital else 0
            yield Break(line.start, heading or CUT * (not ends_paragraph(lines[i - 1].text)))


def _tops(lines: Sequence[Line], pages: Sequence[Page]) -> list[int]:
    """The lines that begin the pages."""
    starts = [line.start for line in lines]
    return [bisect_left(starts, page.raw_start) for page in pages]


def _head(lines: Sequence[Line], top: int, gone: Collection[int], heads: Mapping[int, Sequence[int]]) -> list[int]:
    """The running head of a page and the rules around it, by their lines."""
    rules: list[int] = []
    for i in range(top, min(top + _DEPTH, len(lines))):
        if i in gone and head_words(lines[i]):
            break  # the head is in one line with its folio, or above it
        if i in gone:
            continue
        others = heads.get(i, ())
        title = lines[i].capital and i < min(others, default=i)  # which the heads repeat
        if len(others) >= _OTHERS and not title:
            below = [x for x in (i + 1,) if x < len(lines) and lines[x].above == 1 and is_rule(lines[x].text)]
            return [*rules, i, *below]
        if not is_rule(lines[i].text):
            break
        rules.append(i)
    return []


def _is_signature(line: Line, page: Page) -> bool:
    """Whether the last line of a page is the mark of a gathering: a letter or, on its first page, its number."""
    if line.text.isdecimal():
        return (page.folio or "").isdecimal() and int(page.folio or 0) % _SHEET == 1
    return _SIGNATURE.fullmatch(line.text) is not None


def _in_transcription(scan: str, lines: Sequence[Line]) -> Furniture:
    """Find furniture in a Markdown transcription, in which heads stand as paragraphs and most folios are lost.

    A heading whose page the contents give is as good as a folio.
    """
    titles = {i: words.lower() for i, line in enumerate(lines) if line.isolated and (words := head_words(line))}
    # In capitals, a head is one word and repeats a title above it; otherwise it has several words.
    heads = [
        i
        for i, others in recurring(titles).items()
        if lines[i].capital != (" " in titles[i]) and (others[0] < i or not lines[i].capital)
    ]
    headed = (mark for mark in marks_of_lines(lines) if mark.words and mark.folio.isdecimal())
    marks = sorted([*headed, *pages_of_headings(lines)], key=lambda mark: mark.start)
    folios = _enough(scan, rising(marks))
    gone = dict.fromkeys(heads, "running head")
    gone |= {folio.mark.line: "running head and folio" for folio in folios if folio.mark.words}
    edits = [_deletion(scan, lines[i].start, lines[i].end, what) for i, what in gone.items()]
    signs = [_deletion(scan, *found.span(), "mark of the transcription", 0.95) for found in _MARKUP.finditer(scan)]
    edits += [sign for sign in signs if not any(sign.span.meets(edit.span) for edit in edits)]
    breaks: list[Break] = []
    for i, line in enumerate(lines):
        if folios and line.start > folios[0].mark.start and line.above > 1 and not _NOTE.match(line.text):
            cut = line.text[0].islower() or not ends_paragraph(lines[i - 1].text)
            strong = HEAD if i in gone or _NOTE.match(lines[i - 1].text) else CUT if cut else OPENING * line.capital
            breaks.append(Break(line.start, strong))
    starts = [Start(folio.mark.start, folio.printed) for folio in folios]
    pages = paginate(len(scan), starts, {folio.printed for folio in folios if folio.mark.words}, breaks)
    return Furniture(tuple(sorted(edits)), pages)
