"""Footnotes of the working text: those the editor tells, those found by their type, and those known by their mark.

A note that is known by its mark (`(a)`, `*`, `[49]`) is a paragraph that begins with it. The mark stands behind a word
above, too, or is a sign, which may be misread there; and where pages are known, nothing but notes follows on the page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from extract.corpus.errata import Passage
from extract.model import Page, Span
from extract.pages.notes import LONG, SHORT, measure
from extract.text.lines import Line, split_lines
from extract.text.source import Layout
from extract.text.textlayer import TextLayer

# A paragraph sign before a number, or what may be one (`§ l.`), is a label and no note.
_MARK = re.compile(
    r"^[ \t]*(?P<mark>[⁽(]\s?[a-z]\)|\[[•*]\]|[*†‡«](?= )|§(?= [A-Z][a-z])|\[(?P<number>\d{1,3})\](?= )"
    r"|\[Footnote (?P<told>\d{1,3}):)"
)
_SIGNS = frozenset("*†‡§•«")  # « is what an asterisk is often read as
_SIGNED = re.compile(r"[*†‡«] [A-Z]|§ [A-Z][a-z]")
_NEXT_NOTE = re.compile(r"(?:(?<=[.!?] )|(?<=\n))[*†‡§«] ?(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote in the working text: its span, its mark (`(a)`, `*`), and the unit it belongs to, if told.

    `continues`: it is a further stretch of the footnote of that unit and mark.
    """

    start: int
    end: int
    mark: str
    of: str | None = None
    continues: bool = False


def footnotes(
    layer: TextLayer, layout: Layout, pages: Sequence[Page], passages: Sequence[Passage], notes: Sequence[Span]
) -> tuple[Footnote, ...]:
    """The footnotes of a working text, in order; what the editor tells of one wins over what is found.

    Args:
        layer: the working text, and the way to it from the scan.
        layout: the layout of the scan.
        pages: its pages.
        passages: what the editor tells of passages out of their place.
        notes: what the smaller type tells to be notes, as spans of the scan.
    """
    text, to_reading = layer.reading, layer.to_reading
    found = [
        Footnote(to_reading(p.start), to_reading(p.end), p.label, p.of, p.kind == "continuation")
        for p in passages
        if p.kind in ("footnote", "continuation")
    ]
    for note in notes:
        at, end = to_reading(note.start), to_reading(note.end)
        if _is_free(at, end, found):
            found += _parted(text, Footnote(at, end, text[at] if text[at] in _SIGNS else ""))
    if layout != "single-line":  # that does not tell where paragraphs begin
        tops = [to_reading(p.raw_start) for p in pages]
        marked = list(_marked(text, layout, tops, numbered=any(p.folio for p in pages)))
        folios = [to_reading(p.raw_start) for p in pages if p.folio] if layout == "lines" else None
        found += [n for n in _noted(text, folios, marked) if _is_free(n.start, n.end, found)]
    return tuple(sorted(found, key=lambda n: n.start))


def _is_free(start: int, end: int, notes: Sequence[Footnote]) -> bool:
    return not any(start < n.end and n.start < end for n in notes)


def _marked(text: str, layout: Layout, tops: Sequence[int], *, numbered: bool) -> Iterator[Footnote]:
    """Paragraphs that begin with a reference mark; at a known page's foot a sign may follow the text directly."""
    lines = split_lines(text)
    ends = 0
    for i, line in enumerate(lines):
        match = _MARK.match(text[line.start : line.end])
        apart = line.above > 1 or (layout == "lines" and numbered and _SIGNED.match(line.text))
        if not match or not apart or line.start < ends:
            continue
        ends = _paragraph_end(lines, i, tops) if layout == "lines" else line.end
        number = match["number"] or match["told"]
        mark = f"[{number}]" if number else match["mark"].replace("⁽", "(").replace(" ", "").strip("[]")
        yield from _parted(text, Footnote(line.start, ends, mark))


def _paragraph_end(lines: Sequence[Line], i: int, tops: Sequence[int]) -> int:
    """Where the lines end that stand directly below one another, on the same page."""
    while lines[i].below == 1 and bisect_right(tops, lines[i].end) == bisect_right(tops, lines[i + 1].start):
        i += 1
    return lines[i].end


def _parted(text: str, note: Footnote) -> list[Footnote]:
    """A note, and those that follow it in its line, each with its mark."""
    if note.mark not in _SIGNS:
        return [note]
    starts = [m.start() for m in _NEXT_NOTE.finditer(text, note.start + 1, note.end)]
    borders = [note.start, *starts, note.end]
    return [
        Footnote(a, a + len(text[a:b].rstrip()), text[a] if a in starts else note.mark) for a, b in pairwise(borders)
    ]


def _noted(text: str, folios: Sequence[int] | None, notes: Sequence[Footnote]) -> Iterator[Footnote]:
    """Those paragraphs that are notes: a word above refers to them, or their place says that its mark is misread.

    Args:
        text: the working text.
        folios: where pages begin whose numbers are known; None if the scan does not tell the foot of a page.
        notes: paragraphs that begin with a mark.
    """
    text = text.replace("⁽", "(")
    usual = measure(split_lines(text))
    below = len(text)
    for i in reversed(range(len(notes))):
        note = notes[i]
        page = bisect_right(folios or (), note.start)
        begin, end = [0, *(folios or ()), len(text)][page : page + 2]
        if folios is None:
            listed = any(not text[a.end : b.start].strip() for a, b in pairwise(notes[max(0, i - 1) : i + 2]))
            begin = max((n.end for n in notes[:i] if n.mark == note.mark), default=0)
            misread = not listed
        else:
            misread = bool(folios) and note.mark in _SIGNS and not _in_large_type(text[note.start : note.end], usual)
        referred = re.search(rf"\S ?{re.escape(note.mark)}", text[begin : note.start]) is not None
        if note.mark[0] == "[":  # stands behind a paragraph, as in e-texts, and its mark touches a word
            if re.search(rf"\S{re.escape(note.mark)}", text[: note.start]):
                yield note
        elif (misread or referred) and not (folios and text[note.end : min(below, end)].strip()):
            yield note
            below = note.start


def _in_large_type(note: str, usual: float) -> bool:
    """Whether a note has several lines, and each but its last is as long as one of the text."""
    lines = split_lines(note)
    return len(lines) > 2 and all(SHORT * usual <= len(x.text) < LONG * usual for x in lines[:-1])
