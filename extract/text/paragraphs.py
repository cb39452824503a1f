"""Decide where paragraphs end, from the text on both sides of a line end; no other module decides it.

Two stages need this, and neither can wait for the other. OCR errors are corrected before any unit is known, and the
context of a correction ends with the paragraph: `ends_between` decides for the stream of tokens, which skips furniture,
and the reading text gets its empty lines from it. Units are found in the lines of the working text, where a heading is
recognised by its capitals and the lines around it: `goes_on` decides whether a line belongs to the paragraph above or
begins a unit of prose. Where a unit begins within a line or a paragraph, the unit takes precedence:
`extract.segment.breaks` overrides what was decided here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from extract.language.sentences import ends_paragraph
from extract.text.headings import division
from extract.text.lines import Line, collapse
from extract.text.source import Layout
from extract.text.stream import Stream

_SHORT = 0.85  # share of a full line: a shorter line is taken for the last of its paragraph
_LONGEST_HEADING, _FEWEST = 45, 3  # characters of a heading; letters of a line that is only a label
_LEAST, _USUAL = 20, 60  # characters that a line needs to be measured; the length assumed if none has them
# What may begin a paragraph below an unfinished sentence, whose full stop may be misread: a heading, where pages may
# meet, and elsewhere a word; a single letter (`Y`, as players are called) or a number continues the sentence.
_CAPITALS, _WORD = re.compile(r"\W*(?![IVXLC]+\b)[A-Z]{2}"), re.compile(r"\W*[A-Z]\w")


def full_line(scan: str) -> float:
    """The usual length of a full line of a scan, in characters: the median of all but short lines."""
    lengths = [len(collapse(line)) for line in scan.split("\n")]
    return median([n for n in lengths if n > _LEAST] or [_USUAL])


def ends_between(stream: Stream, i: int, layout: Layout, width: float) -> bool:
    """Whether a paragraph ends before a token: in general at an empty line that no sentence crosses.

    Args:
        stream: the scan's tokens and gaps.
        i: the index of the token, from 1.
        layout: how the scan is laid out; one without lines has no paragraphs.
        width: the length of a full line, in characters.
    """
    gap, left, right = stream.gaps[i], stream.tokens[i - 1], stream.tokens[i]
    if layout == "single-line" or gap.breaks == 0:
        return False
    if gap.breaks == 1:
        return layout == "markdown" and (gap.furniture or ends_paragraph(left.text))
    if right.text.lstrip("\"'“‘([")[:1].islower():
        return False
    if layout == "markdown":
        return left.text[-1] != ","
    torn = gap.furniture or gap.breaks > 2
    if left.text[-1] == "," or not ends_paragraph(left.text):
        return (_CAPITALS if torn else _WORD).match(right.text) is not None
    if gap.furniture and gap.breaks > 2:
        line = stream.scan.rfind("\n", 0, left.start) + 1
        return len(collapse(stream.scan[line : left.end])) < _SHORT * width
    return True


def goes_on(above: Sequence[Line], line: Line, layout: Layout, *, cell: bool, overleaf: bool) -> bool:
    """Whether a line continues the paragraph above it, directly below or after blank lines or a page break.

    Args:
        above: the lines of the paragraph so far.
        line: the next line.
        layout: how the scan is laid out.
        cell: the line is directly below and indented by a blank, as a further line of a cell of a table is.
        overleaf: a page begins between the two.
    """
    last = above[-1]
    ended = ends_paragraph(last.text)
    if layout == "markdown":
        return cell or (line.text[0].islower() and not ended)
    if line.capital and division(line.text):
        return False
    if last.capital != line.capital and line.isolated:
        return False
    if ended and line.capital and not last.capital and line.letters > _FEWEST and len(line.text) < _LONGEST_HEADING:
        return False
    titled = len(last.text) < _LONGEST_HEADING and all(x.capital and x.letters > _FEWEST for x in above)
    if titled and not line.capital:
        return False
    if line.above == 1:
        return True
    quoted = overleaf and last.text[-1] == ":" and line.text[0] in '"“'
    torn = overleaf or line.text[0].islower()
    return quoted or (torn and not ended)
