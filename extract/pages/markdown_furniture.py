"""Page furniture of a scan that came as markdown: no folios, running heads as paragraphs, list marks.

Pages are found from what is left of them: the contents give the page of each heading; between two known pages
the breaks lie where a footnote ends a page, a running head begins one, or a sentence is cut.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from rapidfuzz import fuzz

from extract.model import Page
from extract.pages.deletion import deletion
from extract.pages.folio import typical
from extract.pages.furniture import Furniture
from extract.pages.head_lines import likenesses, numbers_a_part
from extract.pages.margins import column_heads
from extract.pages.pagination import Anchor, Break, divide
from extract.text.lines import Line, split_lines

_ENTRY = re.compile(r"^(?P<title>.*?)[\s.,·•]*(?P<page>\d{1,3}|ib\.)\)?$")
_HEAD_AND_FOLIO = re.compile(r"^(?P<head>[A-Z][A-Z ]{3,})\.? (?P<folio>\d{1,3})$")
# A letter that the transcription set as a formula: \\mathbf{W} hat.
_MARKUP = re.compile(r"\\[a-z]+\{(\w+)\} ?")
_FOOTNOTE = re.compile(r"^[⁽(]\s?[a-z]\)")
_NO_HEAD = re.compile(r"[,;:\t)]$|\. \.|\(|\d(?!\d*$)|^.*[a-z].*\d")
_LIST_MARK = re.compile(r"(?m)^[-*] (?=\S)")
_EMPHASIS = re.compile(r"\*{1,2}(?=\w)|(?<=[\w.,;!?])\*{1,2}")
_LENGTHS = range(5, 41)  # characters of a running head
_LONGEST_ENTRY = 60  # characters of an entry of the contents
_SAME_TITLE = 75  # per cent of the words that it has in common with the heading that it names


def find_markdown_furniture(scan: str) -> Furniture:
    """Find running heads and list marks of a markdown scan, and its pages.

    Args:
        scan: the text of the scan.
    Returns:
        Deletions (kind `furniture`) and the pages, most of them interpolated.
    """
    lines = split_lines(scan)
    heads = _running_heads(lines)
    kept = [deletion(scan, lines[i].start, lines[i].end, "running head", 0.9) for i in sorted(heads)]
    marks = [deletion(scan, *m.span(), "list mark of the transcription", 0.99) for m in _LIST_MARK.finditer(scan)]
    marks += [deletion(scan, *m.span(), "emphasis mark of the transcription", 0.95) for m in _EMPHASIS.finditer(scan)]
    marks += column_heads(scan, lines)
    kept += [e for e in marks if not any(e.span.meets(head.span) for head in kept)]
    return Furniture(tuple(sorted(kept)), _pages(scan, lines, heads, _anchors(lines, heads)))


def _running_heads(lines: Sequence[Line]) -> set[int]:
    """Short paragraphs that repeat each other or a heading above in small letters, or in capitals a single word."""
    short = {
        i: line.text.strip(" .,'")
        for i, line in enumerate(lines)
        if line.isolated
        and len(line.text) in _LENGTHS
        and not _NO_HEAD.search(line.text)
        and not numbers_a_part(line.text)
    }
    small = {i: text for i, text in short.items() if not lines[i].capital and " " in text}
    titles = [i for i, line in enumerate(lines) if line.isolated and line.capital]
    texts = list(small.values())
    again = likenesses(texts, texts)
    echoes = likenesses(texts, [lines[i].text.strip(" .,'") for i in titles])
    heads = {i for i, a, e in zip(small, again, echoes, strict=True) if len(a) > 1 or any(titles[k] < i for k in e)}
    words = {i: text for i, text in short.items() if lines[i].capital and " " not in text}
    heads |= {i for i, word in words.items() if any(j < i and other == word for j, other in words.items())}
    return heads | {i for i in short if _HEAD_AND_FOLIO.match(lines[i].text)}


def _anchors(lines: Sequence[Line], heads: Collection[int]) -> list[Anchor]:
    """Headings whose page the contents tell, and running heads that kept their folio."""
    anchors = [
        Anchor(lines[i].start, int(match["folio"])) for i in heads if (match := _HEAD_AND_FOLIO.match(lines[i].text))
    ]
    entries: list[tuple[str, int]] = []
    at = 1
    for i, line in enumerate(lines):
        match = _ENTRY.match(_MARKUP.sub(r"\1", line.text)) if len(line.text) <= _LONGEST_ENTRY else None
        if match and line.start <= lines[-1].end // 8:
            page = int(match["page"]) if match["page"].isdecimal() else entries[-1][1] if entries else 0
            entries.append((match["title"], page))
            at = i + 1
    for title, page in entries:
        headings = [i for i in range(at, len(lines)) if lines[i].isolated and lines[i].capital and i not in heads]
        best = max(headings, key=lambda i: _title_match(title, lines[i].text), default=0)
        if best and _title_match(title, lines[best].text) >= _SAME_TITLE:
            anchors.append(Anchor(lines[best].start, page))
            at = best + 1
    anchors.sort(key=lambda a: a.start)
    return [a for i, a in enumerate(anchors) if all(b.page <= a.page for b in anchors[:i])]


def _title_match(title: str, heading: str) -> float:
    return fuzz.token_sort_ratio(title.casefold().strip(" .,"), heading.casefold().strip(" .,"))


def _pages(scan: str, lines: Sequence[Line], heads: Collection[int], anchors: Sequence[Anchor]) -> tuple[Page, ...]:
    """Divide the text from its first known page on into pages of like length that agree with all known ones."""
    usual = typical([(b.start - a.start) / (b.page - a.page) for a, b in pairwise(anchors) if b.page > a.page])
    starts: list[tuple[int, int]] = []
    if usual:
        first = anchors[0].start
        places = [(first, 0.0), *(x for x in _breaks(lines, heads) if x[0] > first), (len(scan), 0.0)]
        starts = divide(places, anchors, usual, {a.start for a in anchors})
    # A folio still stands in a few running heads; the contents tell where others begin, which is no folio.
    folios = {int(m["folio"]) for i in heads if (m := _HEAD_AND_FOLIO.match(lines[i].text))}
    ends = [*(at for _, at in starts), len(scan)]
    pages = [Page(0, 0, ends[0], None, "unnumbered")]
    for (number, at), end in zip(starts, ends[1:], strict=True):
        pages.append(Page(len(pages), at, end, str(number), "printed" if number in folios else "interpolated"))
    return tuple(pages)


def _breaks(lines: Sequence[Line], heads: Collection[int]) -> list[Break]:
    """Where a page may begin, and how much speaks for it. Where pages bear running heads, one without is rare."""
    headed = range(min(heads, default=0), max(heads, default=-1) + 1)
    found: list[Break] = []
    for i in range(1, len(lines)):
        line, above = lines[i], lines[i - 1]
        if line.above < 2 or _FOOTNOTE.match(line.text) or (i - 1 in heads and i not in heads):
            continue
        weight = -1.5
        if i in heads:
            weight = 3.0
        elif _FOOTNOTE.match(above.text):
            weight = 2.5
        elif line.text[0].islower() or (len(above.text) > 60 and above.text[-1] not in '.:;?!),"'):
            weight = 2.0
        elif line.above > 3:
            weight = 2.2
        elif above.text.startswith("- ") and line.text.startswith("- "):
            weight = 1.5
        elif line.capital and not above.capital:
            weight = 0.5
        if i in headed and i not in heads and not line.capital:
            weight -= 1.5
        found.append((line.start, weight))
    return found
