"""The machine's own cleaning of a scan: joins, white space and misread words, each change with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from extract.context import count_usage
from extract.joins import Join, find_joins
from extract.lexicon import load_lexicon
from extract.model import Edit, Span
from extract.source import Layout
from extract.space import separators
from extract.stream import Gap, Stream, read_stream


@dataclass(frozen=True, slots=True)
class Repair:
    """What the machine changes, and what it would have an editor look at (likeliest first)."""

    edits: tuple[Edit, ...]
    suggestions: tuple[Edit, ...]


def repair(
    scan: str,
    furniture: Sequence[Edit],
    *,
    layout: Layout,
    fixed: Sequence[Edit] = (),
    witnesses: Sequence[str] = (),
) -> Repair:
    """Clean a scan without an editor.

    Args:
        scan: the text of the scan.
        furniture: deletions of running heads, folios and signatures.
        layout: how the scan is laid out.
        fixed: the editor's edits, which win: nothing that they cover is touched.
        witnesses: reading texts of other books, or of other prints of the same laws.
    Returns:
        Edits that fit together with `furniture` and `fixed` (see `textlayer.check_edits`), and suggestions.
    """
    lexicon = load_lexicon()
    stream = read_stream(scan, furniture, fixed)
    usage = count_usage(stream, witnesses)
    joins = find_joins(stream, lexicon, usage)
    edits = tuple(sorted(_gap_edits(stream, separators(stream, layout), joins)))
    return Repair(edits, ())


def _gap_edits(stream: Stream, separators: Sequence[str], joins: dict[int, Join]) -> list[Edit]:
    edits: list[Edit] = []
    for i, gap in enumerate(stream.gaps):
        if i in joins:
            edits += _join_edits(stream, gap, joins[i])
        else:
            edits += _space_edits(stream.scan, gap, separators[i])
    return edits


def _space_edits(scan: str, gap: Gap, separator: str) -> list[Edit]:
    """Leave exactly the separator of a gap, beside its furniture too."""
    edits: list[Edit] = []
    wanted = "" if gap.given else separator
    for blank in gap.blanks:
        before = scan[blank.start : blank.end]
        if before != wanted:
            note = "paragraph" if wanted == "\n\n" else "white space"
            edits.append(Edit(blank.start, blank.end, before, wanted, "space", "rule", 1.0, note))
        wanted = ""
    if wanted and not gap.blanks and gap.end > gap.start:
        edits.append(
            Edit(gap.start, gap.start, "", wanted, "space", "rule", 1.0, "white space lost beside furniture")
        )
    return edits


def _join_edits(stream: Stream, gap: Gap, join: Join) -> list[Edit]:
    """Take out the hyphen before a gap, or the gap, or both; a word cut by furniture gives an edit on each side."""
    scan = stream.scan
    after = {"one word": "", "compound": "-", "two words": " "}[join.reading]
    spans = [*gap.blanks]
    if spans and spans[0].start == gap.start:
        spans[0] = Span(gap.start - 1, spans[0].end)
    else:
        spans.insert(0, Span(gap.start - 1, gap.start))
    edits: list[Edit] = []
    for span in spans:
        before = scan[span.start : span.end]
        if before != after:
            edits.append(
                Edit(span.start, span.end, before, after, "join", "rule", join.confidence, join.note)
            )
        after = ""
    return edits
