"""Grammars of unnumbered matter: paragraphs under headings, definitions, what no other grammar takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from extract.corpus.plan import Matter, Part
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, heading_segment, in_words, slug

_HEADWORD = re.compile(
    r"^\W*(?P<word>[A-Za-z@][\w'’@]*(?:[ -][\w'’@]+){0,3}?)(?:[.,]?\s?(?:—|-(?=[A-Z]))|—is\b|\*|, (?=[A-Z]))"
)


def _matter(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> Iterator[Paragraph | Segment]:
    """The paragraphs of a stretch; a heading as the section that it is."""
    for paragraph in work.paragraphs(start, end, part.headings):
        heads = paragraph.heading and sum(map(str.isalpha, paragraph.text)) > 1
        yield heading_segment(book_id, paragraph) if heads else paragraph


def paragraphs(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Segment]:
    """Every paragraph a unit of the part's kind, under the heading before it.

    Args:
        work: the working text.
        part: the part; `kind` is given to its paragraphs, `slug` begins their ids.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    """
    kind, ordinal = part.kind, part.slug or part.id
    matter = _matter(work, part, book_id, start, end)
    return [
        x if isinstance(x, Segment) else Segment(kind, x.start, x.end, book_id, "", ordinal=ordinal) for x in matter
    ]


def definitions(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> list[Segment]:
    """Every paragraph a definition, named by its headword."""
    segments: list[Segment] = []
    for found in _matter(work, part, book_id, start, end):
        if isinstance(found, Segment) and "—" not in found.label:
            segments.append(found)
            continue
        text = found.label if isinstance(found, Segment) else found.text
        match = _HEADWORD.match(text)
        word = match["word"].strip() if match else " ".join(text.split()[:3])
        name, sure = f"def-{slug(word)}", 0.95 if match else 0.5
        segments.append(Segment("definition", found.start, found.end, book_id, name, word, confidence=sure))
    return segments


def whole(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Segment]:
    """The part as one unit."""
    a, b = work.trim(start, end)
    return [Segment(part.kind, a, b, book_id, part.slug or part.id, in_words(part.id))]


def leftovers(
    work: WorkingText, part: Part, book_id: str, start: int, end: int, segments: Sequence[Segment]
) -> list[Segment]:
    """What of a part no unit claims yet: introductions, titles, remarks in between; but no bare signs."""
    found: list[Segment] = []
    at = start
    for a, b in [*sorted((d.start, d.end) for d in segments), (end, end)]:
        for rest in _matter(work, part, book_id, *work.trim(at, a)) if at < a else ():
            if isinstance(rest, Segment):
                found.append(rest)
            elif any(map(str.isalnum, rest.text)):
                stem = f"{part.id}-text"
                found.append(Segment("essay_section", rest.start, rest.end, book_id, "", confidence=0.8, ordinal=stem))
        at = max(at, b)
    return found
