"""A scan as a stream of printed tokens and the gaps between them, with furniture skipped.

At a page break, a running head and a page number may cut a sentence or a word; in the stream the two halves are
adjacent again. Every correction rule reads the stream, so none has to know about furniture.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from extract.model import STANDING, Edit, Span

# A dash is a token of its own; so is a hyphen after a stop, which can only be a dash.
_DASH = r"-*[—–][—–-]*|-{2,}|(?<=[,;:])-(?=[^\W_]|\"|\s)|(?<=[.?!)])-(?=[A-Z0-9\"])"
_PRINT = re.compile(rf"(\s*)(?:({_DASH})|((?:[^\s—–-]+|(?!{_DASH})-)+))")


class Token(NamedTuple):
    """Printed characters without white space: their span in the scan, and the text read there.

    `fixed`: a part of it is an editor's reading that may change the characters.
    """

    start: int
    end: int
    text: str
    fixed: bool = False


class Gap(NamedTuple):
    """What separates two tokens: pieces of white space, and whether there is furniture among them.

    `breaks` counts the line ends of all pieces; `start` is the end of the token before, `end` the start of the next.
    `given`: an editor's reading already supplies the blank.
    """

    start: int
    end: int
    blanks: tuple[Span, ...]
    breaks: int
    furniture: bool
    given: bool

    def across(self, other: Gap) -> Gap:
        """Merge this gap with the next, where the token between them is not printed text."""
        return Gap(
            self.start,
            other.end,
            self.blanks + other.blanks,
            self.breaks + other.breaks,
            self.furniture or other.furniture,
            self.given or other.given,
        )


@dataclass(frozen=True, slots=True)
class Stream:
    """Alternating gaps and tokens: `gaps[i]` precedes `tokens[i]`, and the last gap follows the last token."""

    scan: str
    tokens: tuple[Token, ...]
    gaps: tuple[Gap, ...]


def read_stream(scan: str, furniture: Sequence[Edit], fixed: Sequence[Edit] = ()) -> Stream:
    """Split a scan into tokens and gaps.

    Args:
        scan: the text of the scan.
        furniture: deletions of page furniture.
        fixed: the editor's edits; deletions are skipped like furniture, any other is text as the editor reads it.
    """
    reader = _Reader(scan)
    at = 0
    for edit in sorted([*furniture, *fixed]):
        reader.plain(at, edit.raw_start)
        start, end, reading = edit.raw_start, edit.raw_end, edit.after.strip()
        if edit.after and not edit.after[0].strip():
            reader.step(given=True)
        if reading:
            reader.read(start, end, reading, fixed=edit.kind not in STANDING)
            if not edit.after[-1].strip():
                reader.step(given=True)
        elif not edit.after:
            if edit.kind != "furniture" and _solid(scan, start - 1) and _solid(scan, end):
                reader.read(start, end, "", fixed=True)
            else:
                reader.step(furniture=True)
        at = edit.raw_end
    reader.plain(at, len(scan))
    reader.close()
    reader.end_gap(len(scan))
    return Stream(scan, tuple(reader.tokens), tuple(reader.gaps))


def _solid(scan: str, at: int) -> bool:
    return bool(scan[at : at + 1].strip())


class _Reader:
    """Takes the pieces of a scan in order: adjacent printed pieces become one token, everything else a gap."""

    def __init__(self, scan: str) -> None:
        self.tokens: list[Token] = []
        self.gaps: list[Gap] = []
        self._scan = scan
        self._print: list[Token] = []
        self._blanks: list[Span] = []
        self._furniture = self._given = False

    def plain(self, start: int, end: int) -> None:
        """Add a span of the scan that is read unchanged."""
        pieces, blanks, at = self._print, self._blanks, start
        for blank, dash, word in _PRINT.findall(self._scan, start, end):
            if blank or dash:
                self.close()
            first = at + len(blank)
            if blank:
                blanks.append(Span(at, first))
            at = first + len(dash or word)
            pieces.append(Token(first, at, dash or word))
            if dash:
                self.close()
        if at < end:
            self.close()
            blanks.append(Span(at, end))

    def read(self, start: int, end: int, reading: str, *, fixed: bool = False) -> None:
        """Add a printed piece, read as `reading`."""
        self._print.append(Token(start, end, reading, fixed))

    def step(self, *, furniture: bool = False, given: bool = False) -> None:
        """Skip furniture, or a blank that an editor's reading supplies."""
        self.close()
        self._furniture |= furniture
        self._given |= given

    def close(self) -> None:
        """Make a token of the printed pieces since the last gap."""
        pieces = self._print
        if not pieces:
            return
        self.end_gap(pieces[0].start)
        if len(pieces) == 1:
            self.tokens.append(pieces[0])
        else:
            text, fixed = "".join([p.text for p in pieces]), any(p.fixed for p in pieces)
            self.tokens.append(Token(pieces[0].start, pieces[-1].end, text, fixed))
        pieces.clear()

    def end_gap(self, end: int) -> None:
        """Make a gap, up to `end`, of what was skipped since the last token."""
        start = self.tokens[-1].end if self.tokens else 0
        breaks = 0
        for blank in self._blanks:
            breaks += self._scan.count("\n", blank.start, blank.end)
        self.gaps.append(Gap(start, end, tuple(self._blanks), breaks, self._furniture, self._given))
        self._blanks.clear()
        self._furniture = self._given = False
