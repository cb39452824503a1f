"""The running text of a scan: its tokens and what stands between them, which the rules of cleaning read and change."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from re import Match, Pattern

from extract.model import EditKind
from extract.text.stream import Gap, Stream


@dataclass(frozen=True, slots=True)
class Piece:
    """One token, or several that are read together: token indices [first, last), the text read, and why it is.

    `joins` are the gaps, by index, after the line-end hyphens inside it; `fixed` pieces stay as they are; `word` is
    whether a word was corrected, `kind` what kind of edit the reading is.
    """

    first: int
    last: int
    text: str
    why: tuple[str, ...] = ()
    joins: tuple[int, ...] = ()
    fixed: bool = False
    word: bool = False
    kind: EditKind = "ocr"


@dataclass(frozen=True)
class RunningText:
    """Pieces of a stream, in order, and their text with a blank, a line end or an empty line between them.

    `starts` are the offsets of the pieces in `text`.
    """

    stream: Stream
    pieces: tuple[Piece, ...]
    text: str
    starts: tuple[int, ...]

    def replaced(self, pattern: Pattern[str], reading: str, reason: str, kind: EditKind) -> RunningText:
        """Replace each match of a pattern; one that touches a fixed piece, or furniture, stays as it is."""
        pieces: list[Piece] = []
        done = 0
        for match in pattern.finditer(self.text):
            first, last = self._around(match)
            chosen = self.pieces[first:last]
            if first < done or match.start() == match.end() or any(piece.fixed for piece in chosen):
                continue
            inside = self.stream.gaps[chosen[0].first + 1 : chosen[-1].last]
            if len(chosen) > 1 and any(gap.furniture for gap in inside):
                continue
            read = match.expand(reading)
            if read == match[0]:
                continue
            end = self.starts[last - 1] + len(chosen[-1].text)
            text = self.text[self.starts[first] : match.start()] + read + self.text[match.end() : end]
            joins = tuple(gap for piece in chosen for gap in piece.joins)
            why = (*(note for piece in chosen for note in piece.why), reason)
            pieces += (*self.pieces[done:first], Piece(chosen[0].first, chosen[-1].last, text, why, joins, kind=kind))
            done = last
        return running_text(self.stream, (*pieces, *self.pieces[done:])) if pieces else self

    def _around(self, match: Match[str]) -> tuple[int, int]:
        """The range of pieces that a match touches."""
        first = bisect_right(self.starts, match.start()) - 1
        return max(0, first), bisect_right(self.starts, max(match.start(), match.end() - 1))


def running_text(stream: Stream, pieces: Sequence[Piece]) -> RunningText:
    """Make the running text of pieces."""
    parts: list[str] = []
    starts: list[int] = []
    length = 0
    for piece in pieces:
        between = _between(stream.gaps[piece.first]) if parts else ""
        starts.append(length + len(between))
        parts += (between, piece.text)
        length = starts[-1] + len(piece.text)
    return RunningText(stream, tuple(pieces), "".join(parts), tuple(starts))


def _between(gap: Gap) -> str:
    if gap.breaks > 1:
        return "\n\n"
    return "\n" if gap.breaks else " " if gap.end > gap.start else ""


def with_joins(pieces: Sequence[Piece], joins: dict[int, str]) -> Iterator[Piece]:
    """The pieces with words cut by a line end joined: `joins` has by gap what replaces the hyphen and the gap."""
    found: Piece | None = None
    for piece in pieces:
        if found and piece.first in joins:
            text = found.text[:-1] + joins[piece.first] + piece.text
            fixed = found.fixed or piece.fixed
            found = replace(found, last=piece.last, text=text, joins=(*found.joins, piece.first), fixed=fixed)
        else:
            if found:
                yield found
            found = piece
    if found:
        yield found
