"""A scan as a stream of printed tokens and the gaps between them, with furniture skipped.

At a page break, a running head and a page number may cut a sentence or a word; in the stream the two halves are
adjacent again. Every correction rule reads the stream, so none has to know about furniture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from extract.model import STANDING, Edit, Span

# A dash is a token of its own; so is a hyphen after a stop, which can only be a dash.
_DASH = r"-*[—–][—–-]*|-{2,}|(?<=[,;:])-(?=[^\W_]|\"|\s)|(?<=[.?!)])-(?=[A-Z0-9\"])"
_PIECE = re.compile(rf"(?P<blank>\s+)|(?P<dash>{_DASH})|(?P<word>(?:[^\s—–-]+|(?!{_DASH})-)+)")
_SKIPPED = frozenset({"blank", "given", "furniture"})


class _Piece(NamedTuple):
    """A piece of a scan: its span, the text read there, and what it is.

    `word`, `dash` and `fixed` (an editor's reading) are printed; `blank`, `furniture`, and `given` (a blank that an
    editor's reading supplies) are not.
    """

    start: int
    end: int
    text: str
    kind: str


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
    tokens: list[Token] = []
    gaps: list[Gap] = []
    skipped: list[_Piece] = []
    goes_on = False  # whether the next printed piece belongs to the last token
    for piece in _pieces(scan, sorted([*furniture, *fixed])):
        if piece.kind in _SKIPPED:
            skipped.append(piece)
            goes_on = False
            continue
        start, end, text, kind = piece
        if goes_on and kind != "dash":
            start, _, begun, was_fixed = tokens.pop()
            tokens.append(Token(start, end, begun + text, was_fixed or kind == "fixed"))
        else:
            gaps.append(_gap(scan, tokens, start, skipped))
            tokens.append(Token(start, end, text, kind == "fixed"))
            skipped = []
        goes_on = kind != "dash"
    gaps.append(_gap(scan, tokens, len(scan), skipped))
    return Stream(scan, tuple(tokens), tuple(gaps))


def _pieces(scan: str, edits: Sequence[Edit]) -> Iterator[_Piece]:
    """The pieces of a scan in order, with the edits as they are read."""
    at = 0
    for edit in edits:
        start, end, reading = edit.raw_start, edit.raw_end, edit.after.strip()
        yield from _plain(scan, at, start)
        if edit.after[:1].isspace():
            yield _Piece(start, start, "", "given")
        if reading:
            yield _Piece(start, end, reading, "word" if edit.kind in STANDING else "fixed")
            if edit.after[-1].isspace():
                yield _Piece(end, end, "", "given")
        elif not edit.after:
            within = edit.kind != "furniture" and scan[start - 1 : start].strip() and scan[end : end + 1].strip()
            yield _Piece(start, end, "", "fixed" if within else "furniture")
        at = end
    yield from _plain(scan, at, len(scan))


def _plain(scan: str, start: int, end: int) -> Iterator[_Piece]:
    for found in _PIECE.finditer(scan, start, end):
        yield _Piece(*found.span(), found[0], found.lastgroup or "")


def _gap(scan: str, tokens: Sequence[Token], end: int, skipped: Sequence[_Piece]) -> Gap:
    """The gap up to an offset, of what was skipped since the last token."""
    blanks = tuple(Span(piece.start, piece.end) for piece in skipped if piece.kind == "blank")
    kinds = {piece.kind for piece in skipped}
    breaks = sum(scan.count("\n", blank.start, blank.end) for blank in blanks)
    return Gap(tokens[-1].end if tokens else 0, end, blanks, breaks, "furniture" in kinds, "given" in kinds)
