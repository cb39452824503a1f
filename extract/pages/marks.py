"""What may be a running head, a folio, or both in one: a line of the scan or, in a scan without lines, a few words.

A mark is only possible: `extract.pages.folios` decides which folios rise, `extract.pages.heads` which heads recur.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extract.language.lexicon import word_set
from extract.text.headings import division
from extract.text.lines import Line, in_capitals

PAGE_GAP = 3
"""Line ends that part two pages, at least, where an OCR engine marks pages by blank lines."""
LONGEST = 60
"""Characters of a running head, at most."""
_GLYPH = r"[0-9IVXLCivxlcTJjoOSUHnhgq?Q§!\]\[\"'*^fsztyU°]"  # what OCR reads for the figures of a folio
_ALONE = re.compile(rf"(?P<folio>(?:{_GLYPH} ?){{1,6}})")
# One of the brackets or dashes may be misread.
_ENCLOSED = re.compile(rf"\W{{0,3}}?[(\[{{=~—–-] ?(?P<folio>(?:{_GLYPH} ?){{1,5}})(?:[)\]}}=~—–-]\W{{0,3}})?")
_BEFORE = re.compile(rf"(?P<folio>{_GLYPH}{{1,5}}) (?P<words>.*[^\W\d_]{{3}}.*)")
_BEHIND = re.compile(rf"(?P<words>.*[^\W\d_]{{3}}.*) (?P<folio>{_GLYPH}{{1,5}})\.?")
_RUN_IN = re.compile(r"(?<!\S)[A-Z][A-Z'’]{3,}(?: [A-Z](?= \d)| [B-HJ-Z])?(?!\S)")  # `PREFACE`, `APPENDIX B`
_FOLIO_BEFORE = re.compile(rf"(?<!\S)(?P<folio>\d \d{{2}}|{_GLYPH}{{2,5}}) $")
_FOLIO_BEHIND = re.compile(rf" (?P<folio>{_GLYPH}{{1,5}})(?!\S)")
_WIDEST = 8  # characters of a folio before a head, with blanks
_COLUMN = " PAGE"  # with this label of a column of numbers, the head of a page of the contents goes on
_MEMBERS = frozenset(word for word in word_set("citing") if not word.endswith("s"))


@dataclass(frozen=True, slots=True)
class Mark:
    """What may be a running head with a folio, or a folio alone: then `words` is empty.

    `start` and `end` are its span of the scan, `folio` the characters that may be figures, `line` the index of its
    line.
    """

    start: int
    end: int
    words: str
    folio: str
    line: int = 0


def numbers_a_part(text: str) -> bool:
    """Whether a line numbers a part of the book or a law (`SECTION IV.`, `Rule 12.`): no head, even if it recurs."""
    words = text.split(" ")
    return division(text) is not None or (len(words) < 3 and words[0].strip(".,").lower() in _MEMBERS)


def marks_of_lines(lines: Sequence[Line]) -> Iterator[Mark]:
    """The lines that may have a folio: set apart by blank lines, or between brackets."""
    for i, line in enumerate(lines):
        text = line.text
        if len(text) > LONGEST:
            continue
        apart = max(line.above, line.below) >= PAGE_GAP or (line.isolated and line.capital)
        if found := _ENCLOSED.fullmatch(text) or (apart and _ALONE.fullmatch(text)):
            yield Mark(line.start, line.end, "", found["folio"].strip(), i)
        elif apart and not numbers_a_part(text) and (found := _BEFORE.fullmatch(text) or _BEHIND.fullmatch(text)):
            # A head in small letters needs a figure before it.
            figure = found.re is _BEFORE and found["folio"][-1].isdecimal()
            if figure or in_capitals(found["words"]):
                yield Mark(line.start, line.end, found["words"], found["folio"], i)


def marks_in_text(scan: str) -> Iterator[Mark]:
    """The words in capitals of a scan without lines, each with a possible folio before or behind it."""
    end = 0
    for head in _RUN_IN.finditer(scan):
        if before := _FOLIO_BEFORE.search(scan, max(end, head.start() - _WIDEST), head.start()):
            yield Mark(before.start(), _label_end(scan, head.end()), head[0], before["folio"])
        if behind := _FOLIO_BEHIND.match(scan, head.end()):
            end = _label_end(scan, behind.end())
            yield Mark(head.start(), end, head[0], behind["folio"])


def _label_end(scan: str, at: int) -> int:
    return at + len(_COLUMN) * scan.startswith(_COLUMN, at)
