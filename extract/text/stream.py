"""A scan as a stream of printed tokens with the gaps between them, furniture stepped over.

A page break may cut a sentence, or a word, by a running head and a folio; seen as a stream the two halves stand
side by side again. Every rule of the repair reads the stream, so none has to know of furniture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from extract.model import Edit, Span

# A dash is a token of its own; so is a hyphen after a stop, where only a dash can stand.
_RUN = re.compile(
    r"(?P<blank>\s+)"
    r"|(?P<dash>-*[—–][—–-]*|-{2,}|(?<=[,;:])-(?=[^\W_]|\"|\s)|(?<=[.?!)])-(?=[A-Z0-9\"]))"
    r"|(?:(?!-*[—–]|-{2,}|(?<=[,;:])-(?=[^\W_]|\"|\s)|(?<=[.?!)])-(?=[A-Z0-9\"]))\S)+"
)


class Token(NamedTuple):
    """Printed characters without white space: span in the scan, and the text that is read there.

    `fixed`: an editor's reading is part of it, so the machine leaves it alone.
    """

    start: int
    end: int
    text: str
    fixed: bool = False


class Gap(NamedTuple):
    """What separates two tokens: the pieces of white space, and whether furniture stands among them.

    `breaks` counts the line ends of all pieces; `start` and `end` are the borders of the neighbouring tokens.
    `given`: an editor's reading already supplies the blank.
    """

    start: int
    end: int
    blanks: tuple[Span, ...]
    breaks: int
    furniture: bool
    given: bool

    def across(self, other: Gap) -> Gap:
        """This gap and the next as one, what stands between them being no print."""
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
    """Tokens and gaps in turn: `gaps[i]` stands before `tokens[i]`, and the last gap after the last token."""

    scan: str
    tokens: tuple[Token, ...]
    gaps: tuple[Gap, ...]


class _Fragment(NamedTuple):
    kind: Literal["text", "dash", "fixed", "blank", "gone", "given"]
    start: int
    end: int
    reading: str


def read_stream(scan: str, furniture: Sequence[Edit], fixed: Sequence[Edit]) -> Stream:
    """Split a scan into tokens and gaps.

    Args:
        scan: the text of the scan.
        furniture: deletions of page furniture.
        fixed: the editor's edits; one that deletes is stepped over, any other is text as the editor reads it.
    """
    tokens: list[Token] = []
    gaps: list[Gap] = []
    between: list[_Fragment] = []
    solid: list[_Fragment] = []

    def close() -> None:
        if not solid:
            return
        start, end = solid[0].start, solid[-1].end
        gaps.append(_gap(between, tokens[-1].end if tokens else 0, start))
        text = solid[0].reading if len(solid) == 1 else "".join([p.reading for p in solid])
        tokens.append(Token(start, end, text, "fixed" in [p.kind for p in solid]))
        between.clear()
        solid.clear()

    for piece in _pieces(scan, furniture, fixed):
        if piece.kind in ("text", "fixed"):
            solid.append(piece)
            continue
        close()
        if piece.kind == "dash":
            solid.append(piece)
            close()
        else:
            between.append(piece)
    close()
    gaps.append(_gap(between, tokens[-1].end if tokens else 0, len(scan)))
    return Stream(scan, tuple(tokens), tuple(gaps))


def _gap(pieces: Sequence[_Fragment], start: int, end: int) -> Gap:
    if len(pieces) == 1 and pieces[0].kind == "blank":
        (blank,) = pieces
        return Gap(start, end, (Span(blank.start, blank.end),), blank.reading.count("\n"), False, False)
    kinds = [p.kind for p in pieces]
    blanks = tuple([Span(p.start, p.end) for p in pieces if p.kind == "blank"])
    breaks = sum([p.reading.count("\n") for p in pieces if p.kind == "blank"])
    return Gap(start, end, blanks, breaks, "gone" in kinds, "given" in kinds)


def _pieces(scan: str, furniture: Sequence[Edit], fixed: Sequence[Edit]) -> Iterator[_Fragment]:
    at = 0
    for edit in sorted([*furniture, *fixed]):
        yield from _plain(scan, at, edit.raw_start)
        start, end, reading = edit.raw_start, edit.raw_end, edit.after.strip()
        if edit.after and not edit.after[0].strip():
            yield _Fragment("given", start, start if reading else end, "")
        if reading:
            yield _Fragment("fixed", start, end, reading)
            if not edit.after[-1].strip():
                yield _Fragment("given", end, end, "")
        elif not edit.after:
            inside = edit.kind != "furniture" and _solid(scan, start - 1) and _solid(scan, end)
            yield _Fragment("fixed" if inside else "gone", start, end, "")
        at = edit.raw_end
    yield from _plain(scan, at, len(scan))


def _solid(scan: str, at: int) -> bool:
    return 0 <= at < len(scan) and not scan[at].isspace()


def _plain(scan: str, start: int, end: int) -> Iterator[_Fragment]:
    for match in _RUN.finditer(scan, start, end):
        kind = cast(Literal["blank", "dash", "text"], match.lastgroup or "text")
        yield _Fragment(kind, *match.span(), match[0])
