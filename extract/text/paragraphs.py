"""Decide where paragraphs end, from the lines on both sides; no other module decides it.

Units of prose, headings and the empty lines of the reading text all follow from this. What no text shows, such as a
full last line of a page whose paragraph goes on, the editor states in errata.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.language.sentences import ends_paragraph
from extract.text.headings import division
from extract.text.lines import Line
from extract.text.source import Layout

_LONGEST_HEADING, _FEWEST = 45, 3  # characters of a heading; letters of a line that is only a label
# What may begin a paragraph below an unfinished sentence, whose full stop may be misread: a word, or a number with text
# after it. A single letter (`Y`, as players are called) and a last number (`Law | 37.`) continue the sentence.
_BEGINS = re.compile(r"\W*(?:[A-Z]\w|\d+\W*\s)")


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
    if overleaf and last.text[-1] in ":;" and line.text[0] in '"“':
        return True
    if overleaf and last.text[-1] != ":" and line.text[0].islower():
        return True
    return not ended and (overleaf or not _BEGINS.match(line.text))
