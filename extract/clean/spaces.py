"""White space: one blank between words, and an empty line between paragraphs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from extract.model import Edit, Span
from extract.text.spacing import PARAGRAPH, separators
from extract.text.stream import Gap, Stream


class SpanSet:
    """A set of spans of the scan, to test other spans against."""

    def __init__(self, spans: Sequence[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [span.start for span in ordered]
        self._ends = [0, *accumulate((span.end for span in ordered), max)]

    def meets(self, span: Span | Gap) -> bool:
        """Whether one of the set overlaps a span; an insertion (an empty span) must lie strictly inside it."""
        return self._ends[bisect_left(self._starts, span.end)] > span.start


def space_edits(stream: Stream, starts: Collection[int], labels: Sequence[Edit]) -> Iterator[Edit]:
    """Yield the edits of the white space that no edit of letters covers.

    Args:
        stream: the scan as it is read.
        starts: the offsets into the scan of the words with which paragraphs begin.
        labels: edits of labels; white space inside them is left to them.
    """
    taken = SpanSet([edit.span for edit in labels])
    for gap, separator in zip(stream.gaps, separators(stream, starts), strict=True):
        if (stream.scan[gap.start : gap.end] != separator or gap.given) and not taken.meets(gap):
            yield from _between(stream.scan, gap, separator)


def _between(scan: str, gap: Gap, separator: str) -> Iterator[Edit]:
    """Edit the white space of a gap so that exactly its separator remains, also beside furniture.

    White space that is read as one blank, as the text layer reads it without an edit, has none.
    """
    wanted = "" if gap.given else separator
    rule = "space.paragraph" if separator == PARAGRAPH else "space.blank"
    for blank in gap.blanks:
        before = scan[blank.start : blank.end]
        if before != wanted and not (wanted == " " and before != PARAGRAPH):
            note = "paragraph" if wanted == PARAGRAPH else "white space"
            yield Edit(blank.start, blank.end, before, wanted, "space", "rule", 1.0, note, rule)
        wanted = ""
    if wanted and not gap.blanks and gap.end > gap.start:
        note = "white space lost beside furniture"
        yield Edit(gap.start, gap.start, "", wanted, "space", "rule", 1.0, note, rule)
