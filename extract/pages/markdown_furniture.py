"""Page furniture of a Markdown scan: running heads as paragraphs, list marks, and hardly any folios.

Pages are inferred: the table of contents gives the page of each heading; between two known pages, breaks are placed
where a footnote ends a page, a running head begins one, or a sentence is interrupted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from extract.model import Page
from extract.pages.deletion import deletion
from extract.pages.furniture import Furniture
from extract.pages.head_lines import similar_heads, strip_head
from extract.pages.pagination import OPENING, Anchor, Break, cut, fill
from extract.text.lines import Line, split_lines

_ENTRY = re.compile(r"^(?P<title>.*?)[\s.,·•]*(?P<page>\d{1,3}|ib\.)\)?$")
_HEAD_AND_FOLIO = re.compile(r"^(?P<head>[A-Z][A-Z ]{3,})\.? (?P<folio>\d{1,3})$")
# A letter that the transcription sets as a formula: \\mathbf{W} hat.
_MARKUP = re.compile(r"\\[a-z]+\{(\w+)\} ?")
_FOOTNOTE = re.compile(r"^[⁽(]\s?[a-z]\)")
_NO_HEAD = re.compile(r"[,;:(\d]|\. \.")
_LIST_MARK = re.compile(r"(?m)^[-*] (?=\S)")
_EMPHASIS = re.compile(r"\*{1,2}(?=\w)|(?<=[\w.,;!?])\*{1,2}")
_FULL = 60  # a line longer than this that ends within a sentence may be the last of its page


def find_markdown_furniture(scan: str) -> Furniture:
    """Find the running heads, list and emphasis marks, and pages of a Markdown scan.

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
    kept += [e for e in marks if not any(e.span.meets(head.span) for head in kept)]
    return Furniture(tuple(sorted(kept)), _pages(scan, lines, heads, _anchors(lines, heads)))


def _running_heads(lines: Sequence[Line]) -> set[int]:
    """Return the lines that are running heads: they end with a folio, or repeat a similar title.

    A title counts if a similar one is above it, or if a similar one is below it and neither is in capitals. In capitals
    it must be a single word, otherwise several words.
    """
    titles = {
        i: words
        for i, line in enumerate(lines)
        if line.isolated and not _NO_HEAD.search(line.text) and (words := strip_head(line.text))
    }
    at, texts = list(titles), list(titles.values())
    heads = {i for i, line in enumerate(lines) if line.isolated and _HEAD_AND_FOLIO.match(line.text)}
    for i, alike in zip(at, similar_heads(texts, texts), strict=True):
        others = [at[k] for k in alike if at[k] != i]
        returns = any(k < i or not (lines[i].capital or lines[k].capital) for k in others)
        if returns and lines[i].capital != (" " in titles[i]) and _has_capitals(titles[i]):
            heads.add(i)
    return heads


def _has_capitals(title: str) -> bool:
    """Whether at least half of the longer words have capital initials, unlike those of a sentence."""
    initials = [word[0].isupper() for word in title.split() if len(word) > 3]
    return sum(initials) * 2 >= len(initials)


def _anchors(lines: Sequence[Line], heads: Collection[int]) -> list[Anchor]:
    """Return the known pages: headings whose page the contents give, and running heads that kept their folio."""
    anchors = [
        Anchor(lines[i].start, int(match["folio"])) for i in heads if (match := _HEAD_AND_FOLIO.match(lines[i].text))
    ]
    entries: list[tuple[str, int]] = []
    at = 1
    for i, line in enumerate(lines):
        match = _ENTRY.match(_MARKUP.sub(r"\1", line.text))
        if match and line.start <= lines[-1].end // 8:
            page = int(match["page"]) if match["page"].isdecimal() else entries[-1][1] if entries else 0
            entries.append((match["title"], page))
            at = i + 1
    headings = [i for i in range(at, len(lines)) if lines[i].isolated and lines[i].capital and i not in heads]
    likes = similar_heads([title for title, _ in entries], [lines[i].text for i in headings])
    for (_, page), alike in zip(entries, likes, strict=True):
        best = next((headings[k] for k in alike if headings[k] >= at), None)
        if best is not None:
            anchors.append(Anchor(lines[best].start, page))
            at = best + 1
    anchors.sort(key=lambda a: a.start)
    return [a for i, a in enumerate(anchors) if all(b.page < a.page for b in anchors[:i])]


def _pages(scan: str, lines: Sequence[Line], heads: Collection[int], anchors: Sequence[Anchor]) -> tuple[Page, ...]:
    """Divide the text, from its first known page on, into pages that agree with all known ones."""
    # Only a few running heads kept their folio. A page number from the contents is not a printed folio.
    folios = {int(m["folio"]) for i in heads if (m := _HEAD_AND_FOLIO.match(lines[i].text))}
    breaks = [b for b in _breaks(lines, heads) if anchors and b[0] > anchors[0].start]
    found = fill(anchors, breaks, len(scan)) if anchors else []
    return cut(len(scan), [
        (a.start, str(a.page), "printed" if a.page in folios else "interpolated") for a in found
    ])  # fmt: skip


def _breaks(lines: Sequence[Line], heads: Collection[int]) -> list[Break]:
    """Return where a page may begin, with the weight of the evidence.

    Between the first and the last running head, a page without one is rare, so a break without one weighs less.
    """
    headed = range(min(heads, default=0), max(heads, default=-1) + 1)
    found: list[Break] = []
    for i, (above, line) in enumerate(pairwise(lines), 1):
        if line.above < 2 or _FOOTNOTE.match(line.text):
            continue
        cut = line.text[0].islower() or (len(above.text) > _FULL and above.text[-1] not in '.:;?!),"')
        strong = i in heads or cut or _FOOTNOTE.match(above.text)
        weight = 2 * OPENING if strong else OPENING if line.capital and not above.capital else 0.0
        bare = i in headed and i not in heads and not line.capital
        found.append((line.start, weight - OPENING * bare))
    return found
