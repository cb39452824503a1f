"""A scan and its edits as one stream of pieces, and the register of their grounds and white space."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from extract.errors import TeiError
from extract.model import STANDING, Edit
from extract.tei.terms import BLANK, LINE, PARAGRAPH, BeforeAfter, Ground

_RUN = re.compile(r"\s+|\S+")


class Piece(NamedTuple):
    """A piece that is written as one: a word, white space, or an edit, with its offset in the scan."""

    start: int
    reading: BeforeAfter
    white: bool


def pieces(scan: str, edits: Sequence[Edit], borders: Iterable[int]) -> Iterator[Piece]:
    """Cut a scan into words, white space and edits.

    Args:
        scan: the scan.
        edits: its edits, sorted.
        borders: offsets at which a piece must end: where units, pages and references begin and end.
    Raises:
        TeiError: a border is within an edit.
    """
    cuts = sorted(set(borders))
    at = 0
    for edit in (*edits, None):
        stop = edit.raw_start if edit else len(scan)
        for a, b in pairwise((at, *cuts[bisect_right(cuts, at) : bisect_left(cuts, stop)], stop)):
            for run in _RUN.finditer(scan, a, b):
                yield Piece(run.start(), BeforeAfter(run[0], run[0], None), run[0].isspace())
        if edit:
            if inside := cuts[bisect_right(cuts, edit.raw_start) : bisect_left(cuts, edit.raw_end)]:
                raise TeiError(
                    f"The edit of {edit.before!r} at {edit.raw_start} crosses the border of a unit, page or "
                    f"reference at {inside[0]}; divide it there."
                )
            reading = BeforeAfter(edit.before, edit.after, Ground(*edit[4:]))
            blank = not (edit.before + edit.after).strip() and edit.before != edit.after
            yield Piece(edit.raw_start, reading, blank and edit.kind not in STANDING)
            at = edit.raw_end


class Register:
    """Assigns an id to each ground and each kind of white space of a book, in order of first use.

    Most white space of a book is of two kinds, both read as one blank: the most frequent kind within a line, and the
    most frequent at a line end. In the file they are a plain blank and a plain `<lb/>`, without a pointer.
    """

    def __init__(self, stream: Iterable[Piece]) -> None:
        counts = Counter(piece.reading for piece in stream if piece.white)
        self.whites: dict[BeforeAfter, str] = {}
        self.grounds: dict[Ground, str] = {}
        blanks = [w for w in counts if w.after == " "]
        for key, fit in (
            (BLANK, [w for w in blanks if "\n" not in w.before]),
            (LINE, [w for w in blanks if "\n" in w.before]),
            (PARAGRAPH, [w for w in counts if "\n\n" in w.after]),
        ):
            if fit:
                self.white(max(fit, key=lambda w: counts[w]), key)

    def white(self, white: BeforeAfter, key: str | None = None) -> str:
        """The id of a kind of white space, which is registered if it is new."""
        if white.ground:
            self.why(white.ground)
        return self.whites.setdefault(white, key or f"ws_{len(self.whites) + 1}")

    def why(self, ground: Ground) -> str:
        """A pointer to a ground, for `@ana`; the ground is registered if it is new."""
        return "#" + self.grounds.setdefault(ground, f"why_{len(self.grounds) + 1}")
