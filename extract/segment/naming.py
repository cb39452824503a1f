"""Ids of segments, as people cite them: from the printed label, or from the heading and the position under it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from extract.model import Role
from extract.segment.segment import Segment, headline, in_words

# Prose is named by its heading and its position under it: a running number through the book would not be stable.
_PROSE: tuple[Role, ...] = ("prose", "front", "remark")


def name_units(segments: Sequence[Segment]) -> None:
    """Give unique ids to all segments except footnotes; prose is named by its heading and its position under it."""
    taken: dict[str, int] = {}
    counted: Counter[str] = Counter()
    chapter = ""
    for segment in segments:
        if segment.division and segment.name.startswith(("part", "book")):
            chapter = ""  # what stands above chapters is no part of the last one
        elif segment.division and segment.name.startswith("ch"):
            chapter = segment.name
        elif segment.division and chapter:
            segment.name = f"{chapter}-{segment.name}"
        if segment.ordinal:
            above = segment.parent if segment.role in _PROSE else None
            stem, title = (above.name, headline(above.label)) if above else (segment.ordinal, in_words(segment.ordinal))
            counted[stem] += 1
            segment.number = str(counted[stem])
            prose = segment.role in _PROSE
            segment.name = f"{stem}/p{segment.number}" if prose else f"{stem}-{segment.number}"
            segment.label = f"{title}, paragraph {segment.number}" if prose else f"{title} {segment.number}"
        _claim(segment, taken)


def _claim(segment: Segment, taken: dict[str, int]) -> None:
    """Make the id of a segment unique: if it is taken, append the next free number.

    Args:
        taken: the ids in use, each with the highest number appended to it so far; the new id is added.
    """
    name, wanted = segment.name, segment.id
    while segment.id in taken:
        taken[wanted] += 1
        segment.name = f"{name}-{taken[wanted]}"
    taken[segment.id] = 1


def name_notes(segments: Sequence[Segment]) -> None:
    """Name footnotes, notes and continuations of units, which are counted within the unit they belong to."""
    counted: Counter[str] = Counter()
    for segment in sorted(segments, key=lambda d: d.continues is not None):
        if begun := segment.continues:
            counted[begun.id] += 1
            segment.name = f"{begun.name}/continued" + f"-{counted[begun.id]}" * (counted[begun.id] > 1)
        elif segment.role == "note":
            stem = segment.parent.name if segment.parent else segment.name
            counted[f"{segment.owner}/{stem}"] += 1
            segment.name = f"{stem}/note-{counted[f'{segment.owner}/{stem}']}"
