"""Notes: what they are, and which mark each hangs on.

At the foot of a page a note is told by its mark, by its smaller type, of which more letters stand in a line than of the
text's, or by the sentence that it interrupts, and nothing but notes follows on the page. So it is found whatever its
mark is read as (`t`, `"`, `1`), and where it goes on overleaf without one. Where a text has no pages, a note is a
paragraph that begins with a mark (`(a)`, `*`, `[49]`) to which a word above refers. The editor knows better than both.
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

# Shares of a usual line: what a full line of a note has at least, and what one of the text has.
_LONG, _SHORT = 1.12, 0.93
_SHORTEST = 20  # letters of a line that may be full
# A paragraph sign before a number, or what may be one (`§ l.`), is a label and no note.
_MARK = re.compile(
    r"^(?P<mark>\(\s?[a-z]\)|\[[•*]\]|[*†‡«](?= )|§(?= [A-Z][a-z])|\[(?P<number>\d{1,3})\](?= )"
    r"|\[Footnote (?P<told>\d{1,3}):)"
)
_MISREAD = re.compile(r"^(?:[^\w\s(]{1,2} ?|\w |\d)[\"“‘']?[A-Z]")
_SIGNS = frozenset("*†‡§•«")  # « is what an asterisk is often read as
_SIGNED = re.compile(r"[*†‡«§] [A-Z]")
_NEXT = re.compile(r"(?:(?<=[.!?] )[*†‡§«]|(?<=\n)(?:\d|[^\w\s(\[\"'“‘—–-])) ?(?=[A-Z])")
_ENDS = re.compile(r"[.!?;:]\W*$")
_UNFINISHED = re.compile(r"[\w,-]$")
_GOES_ON = re.compile(r"^\W{0,2}[a-z]")


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
    layer: TextLayer, layout: Layout, pages: Sequence[Page], passages: Sequence[Passage]
) -> tuple[Footnote, ...]:
    """The footnotes of a working text, in order; what the editor tells of one wins over what is found.

    Args:
        layer: the working text, and the way to it from the scan.
        layout: the layout of the scan.
        pages: its pages.
        passages: what the editor tells of passages out of their place.
    """
    told = [
        Footnote(layer.to_reading(p.start), layer.to_reading(p.end), p.label, p.of, p.kind == "continuation")
        for p in passages
    ]
    text = layer.reading.replace("⁽", "(")
    tops = [layer.to_reading(p.raw_start) for p in pages if p.folio] if layout == "lines" else []
    found = [] if layout == "single-line" else find_notes(text, tops, in_paragraphs=layout == "markdown")
    free = (n for n in found if not any(n.start < t.end and t.start < n.end for t in told))
    return tuple(sorted([*told, *free], key=lambda n: n.start))


def find_notes(text: str, tops: Sequence[int], *, in_paragraphs: bool = False) -> list[Footnote]:
    """The notes of a text that has lines.

    Args:
        text: the text, furniture gone.
        tops: where its pages begin, as far as they are numbered.
        in_paragraphs: whether each of its lines is a paragraph, as in a transcription.
    """
    lines = split_lines(text)
    found = [*(_at_feet(text, lines, tops) if tops else ()), *_behind(text, lines, bool(tops), in_paragraphs)]
    return [part for note in found for part in _parted(text, note)]


def _mark(line: Line) -> str:
    """The mark with which a line begins; "" if it has none that is read well."""
    match = _MARK.match(line.text)
    number = match and (match["number"] or match["told"])
    return f"[{number}]" if number else match["mark"].replace(" ", "").strip("[]") if match else ""


def _behind(text: str, lines: Sequence[Line], paged: bool, in_paragraphs: bool) -> Iterator[Footnote]:
    """Paragraphs that begin with a mark to which a word above refers, wherever they stand.

    In a transcription the mark above may be misread, too; but marks one below the other are those of a list.
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


def _at_feet(text: str, lines: Sequence[Line], tops: Sequence[int]) -> Iterator[Footnote]:
    """The notes at the feet of pages: from the last line of each upwards, as long as nothing but notes follows."""
    usual = median([n for line in lines if (n := len(line.text)) > _SHORTEST] or [_SHORTEST])
    starts = [line.start for line in lines]
    overleaf = False  # whether the last note of the page before goes on
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
    """Whether the last lines of a page are a note.

    Args:
        page: the text of the page before them.
        above: the line before them.
        block: the lines, up to the next note or the end of the page.
        following: the line that follows.
        usual: the usual length of a line.
    """
    mark = _mark(block[0])
    if not mark and not _MISREAD.match(block[0].text):
        return False
    if _is_small(block, usual):
        return True
    apart = block[0].above > 1 or _SIGNED.match(block[0].text) is not None
    cut = _UNFINISHED.search(above.text)
    goes_on = bool(following) and _GOES_ON.match(following[0].text)
    if apart and cut and goes_on and _ENDS.search(block[-1].text):
        return True
    referred = re.search(rf"\S ?{re.escape(mark)}", page) is not None
    large = len(block) > 2 and all(_is_full(line, usual) for line in block[:-1])
    paragraph = all(line.above == 1 for line in block[1:])
    return bool(mark) and apart and paragraph and (referred or (mark in _SIGNS and not large))


def _is_full(line: Line, usual: float) -> bool:
    """Whether a line is a full one of the text."""
    return _SHORT * usual <= len(line.text) < _LONG * usual


def _is_small(block: Sequence[Line], usual: float) -> bool:
    """Whether lines are the prose of smaller type: longer ones, of which only the last of a paragraph is short."""
    long = [len(line.text) >= _LONG * usual for line in block]
    return any(long[:1]) and all(full or _ENDS.search(line.text) for full, line in zip(long, block, strict=True))


def _parted(text: str, note: Footnote) -> list[Footnote]:
    """A note, and those that follow it, in its line or below, each with its mark."""
    if note.mark not in {"", *_SIGNS}:
        return [note]
    starts = [m.start() for m in _NEXT.finditer(text, note.start + 1, note.end)]
    return [
        Footnote(a, a + len(text[a:b].rstrip()), text[a] if text[a] in _SIGNS else "" if a in starts else note.mark)
        for a, b in pairwise([note.start, *starts, note.end])
    ]
