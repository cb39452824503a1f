"""Find the footnotes of a text, and the mark of each.

A note is a paragraph that begins with a mark (`(a)`, `*`, `[49]`): the last one of a page or, in a text without pages,
one to which a word above refers. A transcription has each note behind its paragraph, and may have misread the mark
above. What this does not find, the editor states (`[[passage]]` in errata.toml).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extract.corpus.errata import Passage
from extract.model import Page
from extract.text.lines import Line, split_lines
from extract.text.source import Layout
from extract.text.textlayer import TextLayer

_MARK = re.compile(
    r"(?P<mark>\(\s?[a-z]\)|\[[•*]\]|[*†‡](?= [A-Z]))|\[(?P<number>\d{1,3})\](?= )|\[Footnote (?P<told>\d{1,3}):"
)


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
    blocks = [*_paragraphs(split_lines(text), tops, in_paragraphs)]
    marks = [_mark(block[0]) for block in blocks]
    found: list[Footnote] = []
    foot = True  # whether only notes follow on the page
    below = len(text)
    for i in reversed(range(len(blocks))):
        mark, start = marks[i], blocks[i][0].start
        foot = foot or bisect_right(tops, below) > bisect_right(tops, start)
        if mark and (in_paragraphs or mark[0] == "[" or not tops):
            last = text.rfind(f"\n{mark}", 0, start) + len(mark) + 1 if mark[0] != "[" else 0
            listed = any(marks[max(0, i - 1) : i] + marks[i + 1 : i + 2])
            referred = re.search(rf"\S ?{re.escape(mark)}", text[last:start]) is not None
            is_note = referred or (in_paragraphs and not listed)
        else:
            is_note = foot = bool(mark) and foot
        if is_note:
            found.append(Footnote(start, blocks[i][-1].end, mark))
        below = start
    return found[::-1]


def _mark(line: Line) -> str:
    """The mark with which a line begins; empty if it has none."""
    found = _MARK.match(line.text)
    number = found and (found["number"] or found["told"])
    return f"[{number}]" if number else found["mark"].replace(" ", "").strip("[]") if found else ""


def _paragraphs(lines: Sequence[Line], tops: Sequence[int], in_paragraphs: bool) -> Iterator[Sequence[Line]]:
    """The paragraphs of a text, by their lines; one begins at a blank line, at the top of a page, and at a mark."""
    begun = page = 0
    for i, line in enumerate(lines):
        above, page = page, bisect_right(tops, line.start)
        if i and (in_paragraphs or line.above > 1 or page > above or _mark(line)):
            yield lines[begun:i]
            begun = i
    if lines:
        yield lines[begun:]
