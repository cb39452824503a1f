"""Grammars of unnumbered matter: paragraphs under headings, definitions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.corpus.plan import Matter, Part
from extract.segment.grammars.provisions import heading_segment
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, slug

_HEADWORD = re.compile(
    r"^\W*(?P<word>[A-Za-z@][\w'’@]*(?:[ -][\w'’@]+){0,3}?)(?:[.,]?\s?(?:—|-(?=[A-Z]))|—is\b|\*|, (?=[A-Z]))"
)


def paragraphs(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Segment]:
    """Every paragraph a unit of the part's kind, under the heading before it.

    Args:
        work: the working text.
        part: the part; `kind` is given to its paragraphs, `slug` begins their ids.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    """
    segments: list[Segment] = []
    section: Segment | None = None
    for paragraph in work.paragraphs(start, end, part.headings):
        if paragraph.heading and part.heading and _wordy(paragraph):
            section = heading_segment(book_id, paragraph)
            segments.append(section)
            continue
        segments.append(
            Segment(part.kind or part.rest, paragraph.start, paragraph.end, book_id, "", "", None, None, section,
                  section.label if section else None, ordinal=part.slug or part.id)
        )  # fmt: skip
    return segments


def _wordy(paragraph: Paragraph) -> bool:
    return sum(map(str.isalpha, paragraph.text)) > 1


def definitions(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> list[Segment]:
    """Every paragraph a definition, named by its headword."""
    segments: list[Segment] = []
    section: Segment | None = None
    for paragraph in work.paragraphs(start, end):
        if paragraph.heading and _wordy(paragraph) and "—" not in paragraph.text:
            section = heading_segment(book_id, paragraph)
            segments.append(section)
            continue
        match = _HEADWORD.match(paragraph.text)
        word = match["word"].strip() if match else " ".join(paragraph.text.split()[:3])
        segments.append(
            Segment("definition", paragraph.start, paragraph.end, book_id, f"def-{slug(word)}", word, None, None,
                  section, section.label if section else None, 0.95 if match else 0.5)
        )  # fmt: skip
    return segments


def whole(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Segment]:
    """The part as one unit."""
    a, b = work.trim(start, end)
    label = part.id.replace("-", " ").capitalize()
    return [Segment(part.kind or part.rest, a, b, book_id, part.slug or part.id, label)]


def leftovers(
    work: WorkingText, part: Part, book_id: str, start: int, end: int, segments: Sequence[Segment]
) -> list[Segment]:
    """Paragraphs of a part that no unit claims yet: introductions, titles, remarks in between."""
    found: list[Segment] = []
    at = start
    for a, b in [*sorted((d.start, d.end) for d in segments), (end, end)]:
        for paragraph in work.paragraphs(*work.trim(at, a), part.headings) if at < a else ():
            if not any(map(str.isalnum, paragraph.text)):
                continue
            if paragraph.heading and part.heading and _wordy(paragraph):
                found.append(heading_segment(book_id, paragraph))
                continue
            before = [d for d in (*segments, *found) if d.kind == "section" and d.end <= paragraph.start]
            section = max(before, key=lambda d: d.start, default=None)
            found.append(
                Segment(part.rest, paragraph.start, paragraph.end, book_id, "", "", None, None, section,
                      section.label if section else None, 0.8, ordinal=f"{part.id}-text")
            )  # fmt: skip
        at = max(at, b)
    return found
