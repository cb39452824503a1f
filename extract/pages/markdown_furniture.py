"""Page furniture of a scan that came as markdown: no folios, running heads as paragraphs, list marks.

Pages are found from what is left of them: the contents give the page of each heading; between two known pages
the breaks lie where a footnote ends a page, a running head begins one, or a sentence is cut.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rapidfuzz import fuzz

from extract.model import Page
from extract.pages.deletion import deletion
from extract.pages.furniture import Furniture
from extract.pages.head_lines import numbers_a_part
from extract.pages.margins import column_heads
from extract.pages.pagination import Anchor, divide
from extract.text.lines import Line, split_lines

_ENTRY = re.compile(r"^(?P<title>.*?)[\s.,·•]*(?P<page>\d{1,3}|ib\.)\)?$")
_HEAD_AND_FOLIO = re.compile(r"^(?P<head>[A-Z][A-Z ]{3,})\.? (?P<folio>\d{1,3})$")
# A letter that the transcription set as a formula: \\mathbf{W} hat.
_MARKUP = re.compile(r"\\[a-z]+\{(\w+)\} ?")
_FOOTNOTE = re.compile(r"^[⁽(]\s?[a-z]\)")
_NO_HEAD = re.compile(r"[,;:\t)]$|\. \.|\(|\d(?!\d*$)|^.*[a-z].*\d")
_LIST_MARK = re.compile(r"(?m)^[-*] (?=\S)")
_EMPHASIS = re.compile(r"\*{1,2}(?=\w)|(?<=[\w.,;!?])\*{1,2}")
_SAME = 80.0


def find_markdown_furniture(scan: str) -> Furniture:
    """Find running heads and list marks of a markdown scan, and its pages.

    Args:
        scan: the text of the scan.
    Returns:
        Deletions (kind `furniture`) and the pages, most of them interpolated.
    """
    lines = split_lines(scan)
    heads = _running_heads(lines)
    kept = [deletion(scan, lines[i].start, lines[i].end, "running head", c) for i, c in heads.items()]
    marks = [deletion(scan, *m.span(), "list mark of the transcription", 0.99) for m in _LIST_MARK.finditer(scan)]
    marks += [deletion(scan, *m.span(), "emphasis mark of the transcription", 0.95) for m in _EMPHASIS.finditer(scan)]
    marks += column_heads(scan, lines)
    kept += [e for e in marks if not any(e.span.meets(head.span) for head in kept)]
    return Furniture(tuple(sorted(kept)), _pages(scan, lines, heads, _anchors(lines, heads)))


def _running_heads(lines: Sequence[Line]) -> dict[int, float]:
    """Short paragraphs that repeat a heading, in another type or again and again, garbled or not."""
    short = {
        i: line.text.strip(" .,'")
        for i, line in enumerate(lines)
        if line.isolated
        and 5 <= len(line.text) <= 40
        and line.letters > 3
        and not _NO_HEAD.search(line.text)
        and not numbers_a_part(line.text)
    }
    capital = {i for i in short if lines[i].capital}
    smaller = Counter(text for i, text in short.items() if i not in capital)
    first = _firsts(short.items())
    headings = _firsts((j, line.text) for j, line in enumerate(lines) if line.isolated and line.capital)
    found: dict[int, float] = {}
    for i, text in short.items():
        if _HEAD_AND_FOLIO.match(lines[i].text):
            found[i] = 0.95
            continue
        repeated = first[text] < i
        if i in capital:
            if not repeated or " " in text:
                continue
        elif " " not in text:
            continue
        again = any(_alike(text, other) for other in smaller if other != text or smaller[text] > (i not in capital))
        echo = any(_alike(text, heading) for heading, j in headings.items() if j < i)
        if i in capital or again or echo:
            found[i] = 0.9 if again and echo else 0.8
    return found


def _firsts(texts: Iterable[tuple[int, str]]) -> dict[str, int]:
    """Where each text stands first."""
    first: dict[str, int] = {}
    for i, text in texts:
        first.setdefault(text, i)
    return first


def _alike(a: str, b: str) -> bool:
    return fuzz.ratio(a.casefold().strip(" .,'"), b.casefold().strip(" .,'")) >= _SAME


def _anchors(lines: Sequence[Line], heads: dict[int, float]) -> list[Anchor]:
    """Headings whose page the contents tell, and running heads that kept their folio."""
    anchors = [
        Anchor(lines[i].start, int(match["folio"])) for i in heads if (match := _HEAD_AND_FOLIO.match(lines[i].text))
    ]
    entries: list[tuple[str, int]] = []
    last_entry = 0
    for i, line in enumerate(lines):
        if line.start > lines[-1].end // 8 or len(line.text) > 60:
            continue
        match = _ENTRY.match(_MARKUP.sub(r"\1", line.text))
        if not match or sum(map(str.isalpha, match["title"])) < 4:
            continue
        page = int(match["page"]) if match["page"].isdecimal() else entries[-1][1] if entries else 0
        if entries and page < entries[-1][1]:
            continue
        entries.append((match["title"], page))
        last_entry = i
    at = last_entry + 1
    for title, page in entries:
        headings = [i for i in range(at, len(lines)) if lines[i].isolated and lines[i].capital and i not in heads]
        best = max(headings, key=lambda i: _title_match(title, lines[i].text), default=None)
        if best is not None and _title_match(title, lines[best].text) >= 75:
            anchors.append(Anchor(lines[best].start, page))
            at = best + 1
    anchors.sort(key=lambda a: a.start)
    return [a for i, a in enumerate(anchors) if all(b.page <= a.page for b in anchors[:i])]


def _title_match(title: str, heading: str) -> float:
    return fuzz.token_sort_ratio(title.casefold().strip(" .,"), heading.casefold().strip(" .,"))


def _pages(scan: str, lines: Sequence[Line], heads: dict[int, float], anchors: Sequence[Anchor]) -> tuple[Page, ...]:
    """Divide the text from its first known page on into pages of like length that agree with all known ones."""
    if len(anchors) < 2:
        return (Page(0, 0, len(scan), None, "unnumbered"),)
    spans = [(b.start - a.start) / (b.page - a.page) for a, b in pairwise(anchors) if b.page > a.page]
    if not spans:
        return (Page(0, 0, len(scan), None, "unnumbered"),)
    typical = sorted(spans)[len(spans) // 2]
    places = [
        (anchors[0].start, 0.0),
        *(x for x in _breaks(lines, heads) if x[0] > anchors[0].start),
        (len(scan), 0.0),
    ]
    starts = divide(places, anchors, typical, {a.start for a in anchors}) or [(anchors[0].page, anchors[0].start)]
    # A folio still stands in a few running heads; the contents tell where others begin, which is no folio.
    folios = {int(m["folio"]) for i in heads if (m := _HEAD_AND_FOLIO.match(lines[i].text))}
    ends = [at for _, at in starts[1:]] + [len(scan)]
    pages = [Page(0, 0, starts[0][1], None, "unnumbered")]
    for (number, at), end in zip(starts, ends, strict=True):
        pages.append(Page(len(pages), at, end, str(number), "printed" if number in folios else "interpolated"))
    return tuple(pages)


def _breaks(lines: Sequence[Line], heads: dict[int, float]) -> list[tuple[int, float]]:
    """Where a page may begin, and how much speaks for it. Where pages bear running heads, one without is rare."""
    headed = sorted(heads)
    found: list[tuple[int, float]] = []
    for i in range(1, len(lines)):
        line, above = lines[i], lines[i - 1]
        if line.above < 2 or _FOOTNOTE.match(line.text):
            continue
        weight = -1.5
        if i in heads:
            weight = 3.0
        elif i - 1 in heads:
            continue
        elif _FOOTNOTE.match(above.text):
            weight = 2.5
        elif line.text[0].islower() or (len(above.text) > 60 and above.text[-1] not in '.:;?!),"'):
            weight = 2.0
        elif line.above > 3:
            weight = 2.2
        elif above.text.startswith("- ") and line.text.startswith("- "):
            weight = 1.5
        elif line.capital and not (above.capital and above.isolated):
            weight = 0.5
        if headed and headed[0] <= i <= headed[-1] and i not in heads and not line.capital:
            weight -= 1.5
        found.append((line.start, weight))
    return found
