"""Ids of segments: what people cite, made of what is printed, or of the heading and the place under it."""

from __future__ import annotations

from collections.abc import Sequence

from extract.model import Role
from extract.segment.segment import Segment, headline, in_words

# Prose is named by its heading and its place under it: a running number through the book would not last.
_PROSE: tuple[Role, ...] = ("prose", "front", "remark")


def name_drafts(segments: Sequence[Segment]) -> None:
    """Give ids to all but footnotes: unique ones, and to prose that of its heading and its place under it."""
    taken: dict[str, int] = {}
    counted: dict[str, int] = {}
    chapter = ""
    for segment in segments:
        if segment.division:
            chapter = segment.name if segment.name.startswith("ch") else chapter
            if chapter and not segment.name.startswith("ch"):
                segment.name = f"{chapter}-{segment.name}"
        if segment.ordinal:
            prose = segment.role in _PROSE
            stem, what = segment.ordinal, in_words(segment.ordinal)
            if prose:
                stem = segment.parent.name if segment.parent else stem.removesuffix("-text")
                what = headline(segment.parent.label) if segment.parent else in_words(stem)
            count = counted[stem] = counted.get(stem, 0) + 1
            segment.name, segment.number = f"{stem}/p{count}" if prose else f"{stem}-{count}", str(count)
            segment.label = f"{what}, paragraph {count}" if prose else f"{what} {count}"
        elif segment.role == "note" and segment.parent is not None:
            continue
        _claim(segment, taken)


def _claim(segment: Segment, taken: dict[str, int]) -> None:
    """Make an id the segment's own: one that is taken has the next free number behind it.

    Args:
        taken: the ids that are taken, with the highest number that each has got behind it; the new one is added.
    """
    name, wanted = segment.name, segment.id
    while segment.id in taken:
        taken[wanted] += 1
        segment.name = f"{name}-{taken[wanted]}"
    taken[segment.id] = 1


def name_notes(segments: Sequence[Segment]) -> None:
    """Footnotes and notes are counted within the unit they belong to."""
    taken = {d.id: 1 for d in segments if d.continues is None and (d.role != "note" or d.parent is None)}
    counted: dict[str, int] = {}
    for segment in segments:
        if segment.role == "note" and segment.parent is not None and segment.continues is None:
            stem = f"{segment.owner}/{segment.parent.name}"
            counted[stem] = counted.get(stem, 0) + 1
            segment.name = f"{segment.parent.name}/note-{counted[stem]}"
            _claim(segment, taken)
    for segment in segments:
        if segment.continues is not None:
            segment.name = f"{segment.continues.name}/continued"
            _claim(segment, taken)
