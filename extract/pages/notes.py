"""Find the footnotes of a text, and the mark of each.

At the foot of a page, a note is recognised by its mark, by its smaller type (its lines have more letters than those of
the text), or by the sentence that it interrupts; only notes follow it on the page. So it is found even if its mark is
misread (as `t`, `"`, `1`), or if it is continued overleaf without one. In a text without pages, a note is a paragraph
that begins with a mark (`(a)`, `*`, `[49]`) to which a word above refers. The editor's entries override both.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from extract.corpus.errata import Passage
from extract.model import Page
from extract.text.lines import Line, split_lines
from extract.text.source import Layout
from extract.text.textlayer import TextLayer

# Least length of a full line, as a share of the usual line: in a note, and in the text.
_LONG, _SHORT = 1.12, 0.93
_SHORTEST = 20  # characters of a line that may be full
# A section sign before a number, or before what may be one (`§ l.`), begins a label, not a note.
_MARK = re.compile(
    r"^(?P<mark>\(\s?[a-z]\)|\[[•*]\]|[*†‡«](?= )|§(?= [A-Z][a-z])|\[(?P<number>\d{1,3})\](?= )"
    r"|\[Footnote (?P<told>\d{1,3}):)"
)
_MISREAD = re.compile(r"^(?:[^\w\s(]{1,2} ?|\w |\d)[\"“‘']?[A-Z]")
_SIGNS = frozenset("*†‡§•«")  # OCR often reads an asterisk as «
_SYMBOL_FIRST = re.compile(r"[*†‡«§] [A-Z]")
_NEXT = re.compile(r"(?:(?<=[.!?] )[*†‡§«]|(?<=\n)(?:\d|[^\w\s(\[\"'“‘—–-])) ?(?=[A-Z])")
_ENDS = re.compile(r"[.!?;:]\W*$")
_UNFINISHED = re.compile(r"[\w,-]$")
_GOES_ON = re.compile(r"^\W{0,2}[a-z]")


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote in the working text: its span, its mark (`(a)`, `*`), and the unit it belongs to, if stated.

    `continues`: it is a further span of the footnote with that unit and mark.
    """

    start: int
    end: int
    mark: str
    of: str | None = None
    continues: bool = False


def footnotes(
    layer: TextLayer, layout: Layout, pages: Sequence[Page], passages: Sequence[Passage]
) -> tuple[Footnote, ...]:
    """Return the footnotes of a working text in order; the editor's entries override those that are found.

    Args:
        layer: the working text, and the mapping of offsets from the scan to it.
        layout: the layout of the scan.
        pages: its pages.
        passages: the editor's entries: spans that are a footnote or the continuation of one.
    """
    stated = [
        Footnote(layer.to_reading(p.start), layer.to_reading(p.end), p.label, p.of, p.kind == "continuation")
        for p in passages
    ]
    text = layer.reading.replace("⁽", "(")
    tops = [layer.to_reading(p.raw_start) for p in pages if p.folio] if layout == "lines" else []
    found = [] if layout == "single-line" else find_notes(text, tops, in_paragraphs=layout == "markdown")
    free = (n for n in found if not any(n.start < s.end and s.start < n.end for s in stated))
    return tuple(sorted([*stated, *free], key=lambda n: n.start))


def find_notes(text: str, tops: Sequence[int], *, in_paragraphs: bool = False) -> list[Footnote]:
    """Find the notes of a text that has lines.

    Args:
        text: the text, without its furniture.
        tops: the offsets at which its numbered pages begin.
        in_paragraphs: whether each of its lines is a paragraph, as in a transcription.
    """
    lines = split_lines(text)
    found = [
        *(_notes_at_foot(text, lines, tops) if tops else ()),
        *_paragraph_notes(text, lines, bool(tops), in_paragraphs),
    ]
    return [part for note in found for part in _split(text, note)]


def _mark(line: Line) -> str:
    """Return the mark with which a line begins; "" if it has none that is legible."""
    match = _MARK.match(line.text)
    number = match and (match["number"] or match["told"])
    return f"[{number}]" if number else match["mark"].replace(" ", "").strip("[]") if match else ""


def _paragraph_notes(text: str, lines: Sequence[Line], paged: bool, in_paragraphs: bool) -> Iterator[Footnote]:
    """Yield paragraphs that begin with a mark to which a word above refers, anywhere in the text.

    In a transcription the mark above may be misread, too, so it is not required; but successive marks are a list.
    """
    marked = [i for i, line in enumerate(lines) if line.above > 1 and _mark(line)]
    last: dict[str, int] = {}
    for i in marked:
        mark, start = _mark(lines[i]), lines[i].start
        end = lines[next((k for k in range(i, len(lines)) if in_paragraphs or lines[k].below > 1), i)].end
        referred = re.search(rf"\S ?{re.escape(mark)}", text[last.get(mark, 0) : start]) is not None
        if mark[0] == "[":
            referred = re.search(rf"\S{re.escape(mark)}", text[:start]) is not None
        listed = i - 1 in marked or i + 1 in marked
        last[mark] = end
        if (referred and (mark[0] == "[" or not paged)) or (in_paragraphs and not listed):
            yield Footnote(start, end, mark)


def _notes_at_foot(text: str, lines: Sequence[Line], tops: Sequence[int]) -> Iterator[Footnote]:
    """Yield the notes at the foot of each page, upwards from its last line, so that only notes follow a note."""
    usual = median([n for line in lines if (n := len(line.text)) > _SHORTEST] or [_SHORTEST])
    starts = [line.start for line in lines]
    overleaf = False  # whether the last note of the previous page continues on this one
    for top, end in pairwise([0, *(bisect_left(starts, at) for at in tops), len(lines)]):
        below = end
        for n in range(end - 1, top, -1):
            block = lines[n:below]
            if _begins_note(
                text[lines[top].start : block[0].start], lines[n - 1], block, lines[below : below + 1], usual
            ):
                yield Footnote(block[0].start, block[-1].end, _mark(block[0]))
                below = n
        rest = lines[top:below]
        small = next((n for n in range(len(rest), 0, -1) if _is_full(rest[n - 1], usual)), 0)
        if overleaf and _is_small(rest[small:], usual):
            yield Footnote(rest[small].start, rest[-1].end, "")
        overleaf = below < end and _UNFINISHED.search(lines[end - 1].text) is not None


def _begins_note(page: str, above: Line, block: Sequence[Line], following: Sequence[Line], usual: float) -> bool:
    """Whether some lines at the foot of a page are a note.

    Args:
        page: the text of the page before them.
        above: the line before them.
        block: the lines, up to the next note or the end of the page.
        following: the line after them, if there is one.
        usual: the usual length of a line.
    """
    mark = _mark(block[0])
    if not mark and not _MISREAD.match(block[0].text):
        return False
    if _is_small(block, usual):
        return True
    apart = block[0].above > 1 or _SYMBOL_FIRST.match(block[0].text) is not None
    cut = _UNFINISHED.search(above.text)
    goes_on = bool(following) and _GOES_ON.match(following[0].text)
    if apart and cut and goes_on and _ENDS.search(block[-1].text):
        return True
    referred = re.search(rf"\S ?{re.escape(mark)}", page) is not None
    large = len(block) > 2 and all(_is_full(line, usual) for line in block[:-1])
    paragraph = all(line.above == 1 for line in block[1:])
    return bool(mark) and apart and paragraph and (referred or (mark in _SIGNS and not large))


def _is_full(line: Line, usual: float) -> bool:
    """Whether a line is as long as a full line of the text."""
    return _SHORT * usual <= len(line.text) < _LONG * usual


def _is_small(block: Sequence[Line], usual: float) -> bool:
    """Whether lines are prose in smaller type: longer than usual, except where a sentence or clause ends."""
    long = [len(line.text) >= _LONG * usual for line in block]
    return any(long[:1]) and all(full or _ENDS.search(line.text) for full, line in zip(long, block, strict=True))


def _split(text: str, note: Footnote) -> list[Footnote]:
    """Split off the notes that begin within a note, in the same line or below, each with its own mark."""
    if note.mark not in {"", *_SIGNS}:
        return [note]
    starts = [m.start() for m in _NEXT.finditer(text, note.start + 1, note.end)]
    return [
        Footnote(a, a + len(text[a:b].rstrip()), text[a] if text[a] in _SIGNS else "" if a in starts else note.mark)
        for a, b in pairwise([note.start, *starts, note.end])
    ]
