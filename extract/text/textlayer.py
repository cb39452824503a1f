"""The text layer: reading text = scan + edits, reversible, with offsets that map both ways.

White space that no edit covers is read as one blank, except an empty line, `\\n\\n`, which parts paragraphs.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from extract.errors import EditError
from extract.model import Edit, Span

_SHOWN = 60
PARAGRAPH = "\n\n"
_WHITE = re.compile(r"\s+")


def check_edits(scan: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Sort edits and check that they fit the scan.

    Args:
        scan: the scan's text.
        edits: edits in any order; offsets in characters of `scan`.
    Returns:
        The edits in order of their spans.
    Raises:
        EditError: an edit's `before` is not what the scan has there, or two edits overlap.
    """
    ordered = tuple(sorted(edits))
    length = len(scan)
    for edit in ordered:
        start, end = edit.raw_start, edit.raw_end
        if not 0 <= start <= end <= length:
            raise EditError(f"The edit at {start}-{end} is outside the scan; correct its offset.")
        if (found := scan[start:end]) != edit.before:
            raise EditError(
                f"At offset {start} the scan has {found[:_SHOWN]!r}, not {edit.before[:_SHOWN]!r}; "
                "correct the offset or the text of the scan."
            )
    for a, b in pairwise(ordered):
        if b.raw_start < a.raw_end or (a.raw_start, a.raw_end) == (b.raw_start, b.raw_end):
            raise EditError(
                f"The edits {a.before[:_SHOWN]!r} at {a.raw_start} and {b.before[:_SHOWN]!r} at {b.raw_start} overlap; "
                "merge them."
            )
    return ordered


def _blanks(scan: str, edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield an edit for each run of white space between edits that is read as one blank."""
    at = 0
    for start, end in (*((edit.raw_start, edit.raw_end) for edit in edits), (len(scan), len(scan))):
        for run in _WHITE.finditer(scan, at, start):
            if run[0] not in (" ", PARAGRAPH):
                yield Edit(*run.span(), run[0], " ", "space", "rule")
        at = end


@dataclass(frozen=True)
class TextLayer:
    """A scan with its edits: reads any span, and maps offsets between scan and reading text.

    Attributes:
        scan: the scan.
        edits: its edits, sorted.
        as_scanned: keep white space that no edit covers as it is, for readers of lines.
    """

    scan: str
    edits: tuple[Edit, ...]
    as_scanned: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "edits", check_edits(self.scan, self.edits))

    @cached_property
    def changes(self) -> tuple[Edit, ...]:
        """The edits, and one for each run of white space that is read as one blank."""
        return self.edits if self.as_scanned else tuple(sorted((*self.edits, *_blanks(self.scan, self.edits))))

    @cached_property
    def reading(self) -> str:
        """The reading text."""
        return self.read(0, len(self.scan))

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(edit.raw_start for edit in self.changes)

    @cached_property
    def _read_starts(self) -> tuple[int, ...]:
        """Where each change begins in the reading text."""
        longer = accumulate((len(edit.after) - len(edit.before) for edit in self.changes), initial=0)
        return tuple(edit.raw_start + shift for edit, shift in zip(self.changes, longer, strict=False))

    def within(self, start: int, end: int) -> tuple[Edit, ...]:
        """The changes that touch the scan span [start, end).

        An insertion covers no characters: it belongs to the span that begins at its offset, or that ends there if it
        is the end of the scan. So if a scan is cut into spans without cutting an edit, each edit is in exactly one.
        """
        first = bisect_left(self._starts, start)
        if first and self.changes[first - 1].raw_end > start:
            first -= 1
        last = bisect_left(self._starts, end) if end < len(self.scan) else len(self.changes)
        return self.changes[first:last]

    def read(self, start: int, end: int) -> str:
        """The reading text of a scan span.

        The texts of adjacent spans that cut no edit, joined, are the text of the whole; `read(0, len(scan))` is
        `reading`. An edit that crosses a border of the span is left out, with the part of the span that it covers.
        """
        pieces: list[str] = []
        at = start
        for edit in self.within(start, end):
            pieces.append(self.scan[at : edit.raw_start])
            if start <= edit.raw_start and edit.raw_end <= end:
                pieces.append(edit.after)
            at = max(at, min(edit.raw_end, end))
        pieces.append(self.scan[at:end])
        return "".join(pieces)

    def read_around(self, span: Span, holes: Iterable[Span]) -> str:
        """The reading text of a span without the spans that interrupt it (footnotes), trimmed.

        Args:
            span: a span of the scan.
            holes: spans to leave out, in order; those that are not within the span are ignored.
        """
        pieces: list[str] = []
        at = span.start
        for hole in holes:
            if at <= hole.start and span.covers(hole) and hole != span:
                pieces.append(self.read(at, hole.start).rstrip())
                at = hole.end
        pieces.append(self.read(at, span.end))
        return "".join(pieces).strip()

    def to_reading(self, raw: int) -> int:
        """Map the scan offset `raw` to the reading text; an offset inside an edit, after its start, maps to its end."""
        i = bisect_right(self._starts, raw) - 1
        if i < 0:
            return raw
        edit = self.changes[i]
        if raw == edit.raw_start and edit.before:
            return self._read_starts[i]
        after = self._read_starts[i] + len(edit.after)
        return after if raw < edit.raw_end else after + raw - edit.raw_end

    def to_scan(self, span: Span) -> Span:
        """Return the smallest scan span that yields a span of the reading text; edits are included whole.

        The span may be empty; `read` of the result contains the reading text of the span.
        """
        return Span(self._scan_offset(span.start, end=False), self._scan_offset(span.end, end=True))

    def _scan_offset(self, at: int, *, end: bool) -> int:
        # Deletions at the border are left out: a start is after them, an end before them.
        i = (bisect_left if end else bisect_right)(self._read_starts, at) - 1
        if i < 0:
            return at
        edit = self.changes[i]
        ends = self._read_starts[i] + len(edit.after)
        if at >= ends:
            return edit.raw_end + at - ends
        return edit.raw_end if end else edit.raw_start
