"""Grammars of unnumbered matter: paragraphs under headings, definitions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.corpus.plan import Matter, Part
from extract.segment.grammars.provisions import heading_segment
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, in_words, slug
from extract.text.lines import collapse

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
        kind, ordinal = part.kind or part.rest, part.slug or part.id
        segments.append(Segment(kind, paragraph.start, paragraph.end, book_id, "", parent=section, ordinal=ordinal))
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
        place, name, sure = (paragraph.start, paragraph.end), f"def-{slug(word)}", 0.95 if match else 0.5
        segments.append(Segment("definition", *place, book_id, name, word, parent=section, confidence=sure))
    return segments


def whole(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Segment]:
    """The part as one unit."""
    a, b = work.trim(start, end)
    label = in_words(part.id)
    return [Segment(part.kind or part.rest, a, b, book_id, part.slug or part.id, label)]


def _paragraphs(work: WorkingText, start: int, end: int, headings: Sequence[str]) -> list[Paragraph]:
    """The paragraphs of a stretch, what stands there in a line beside a label among them."""
    found = list(work.paragraphs(start, end, headings))
    borders = [start, *(at for p in found for at in (p.start, p.end)), end]
    holes = (work.trim(a, b) for a, b in zip(borders[::2], borders[1::2], strict=True))
    words = ((a, b, collapse(work.text[a:b])) for a, b in holes if not work.in_footnote(a))
    return sorted([*found, *(Paragraph(*x, heading=False) for x in words)], key=lambda p: p.start)


def leftovers(
    work: WorkingText, part: Part, book_id: str, start: int, end: int, segments: Sequence[Segment]
) -> list[Segment]:
    """Paragraphs of a part that no unit claims yet: introductions, titles, remarks in between."""
    found: list[Segment] = []
    at = start
    for a, b in [*sorted((d.start, d.end) for d in segments), (end, end)]:
        for paragraph in _paragraphs(work, *work.trim(at, a), part.headings) if at < a else ():
            if not any(map(str.isalnum, paragraph.text)):
                continue
            if paragraph.heading and part.heading and _wordy(paragraph):
                found.append(heading_segment(book_id, paragraph))
                continue
            before = [d for d in (*segments, *found) if d.kind == "section" and d.end <= paragraph.start]
            section = max(before, key=lambda d: d.start, default=None)
            place, stem = (paragraph.start, paragraph.end), f"{part.id}-text"
            found.append(Segment(part.rest, *place, book_id, "", parent=section, confidence=0.8, ordinal=stem))
        at = max(at, b)
    return found
