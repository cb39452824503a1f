"""Grammars of unnumbered text: paragraphs under headings, definitions, and text that no other grammar takes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from extract.corpus.plan import Matter, Part
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment, heading_segment, in_words, slug
from extract.text.lines import collapse

_HEADWORD = re.compile(
    r"^\W*(?P<word>[A-Za-z@][\w'’@]*(?:[ -][\w'’@]+){0,3}?)(?:[.,]?\s?(?:—|-(?=[A-Z]))|—is\b|\*|, (?=[A-Z]))"
)


def paragraph_units(
    work: WorkingText, part: Part, book_id: str, start: int, end: int, kind: str, ordinal: str = "", sure: float = 1.0
) -> list[Segment]:
    """Make units of the paragraphs of a span, and sections of its headings.

    Args:
        work: the working text.
        part: the part of the book; `headings` are those that only the plan knows.
        book_id: the book's id.
        start, end: the span, as offsets into the working text.
        kind, ordinal: the kind and the `ordinal` of the units.
        sure: the confidence in the units.
    """
    return [
        heading_segment(book_id, p) if p.heading
        else Segment(kind, p.start, p.end, book_id, "", confidence=sure, ordinal=ordinal)
        for p in work.paragraphs(start, end, part.headings)
    ]  # fmt: skip


def paragraphs(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Segment]:
    """Make every paragraph a unit of the part's kind, under the heading before it.

    Args:
        work: the working text.
        part: the part; `kind` is the kind of its paragraphs, and their ids begin with `slug`.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    """
    return paragraph_units(work, part, book_id, start, end, part.kind, part.slug or part.id)


def definitions(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> list[Segment]:
    """Make every paragraph a definition, named by its headword."""
    segments = paragraph_units(work, part, book_id, start, end, "definition")
    for segment in segments:
        if segment.kind == "definition":
            text = collapse(work.text[segment.start : segment.end])
            match = _HEADWORD.match(text)
            segment.label = match["word"].strip() if match else " ".join(text.split()[:3])
            segment.name = f"def-{slug(segment.label)}"
            segment.confidence = 0.95 if match else 0.5
    return segments


def whole(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Segment]:
    """Make the whole part one unit; its lines stand apart as the scan has them: at blank lines, in Markdown always."""
    a, b = work.trim(start, end)
    breaks = tuple(line.start for line in work.lines_within(a, b) if line.above > 1 or work.layout == "markdown")
    return [Segment(part.kind, a, b, book_id, part.slug or part.id, in_words(part.id), breaks=breaks)]


def leftovers(
    work: WorkingText, part: Part, book_id: str, start: int, end: int, taken: Iterable[tuple[int, int]]
) -> list[Segment]:
    """Make units of text that is in no unit yet (introductions, titles, remarks), unless it is only punctuation."""
    found: list[Segment] = []
    at = start
    for a, b in [*sorted(taken), (end, end)]:
        if at < a:
            found += paragraph_units(work, part, book_id, *work.trim(at, a), "essay_section", part.id, 0.8)
        at = max(at, b)
    return [d for d in found if any(map(str.isalnum, work.text[d.start : d.end]))]
