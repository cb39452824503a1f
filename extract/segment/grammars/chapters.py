"""Grammar of a constitution: articles, each with sections numbered afresh."""

from __future__ import annotations

from extract.corpus.plan import ChaptersPart
from extract.segment.label import series_marks
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment, heading_segment
from extract.text.lines import collapse


def chapters(work: WorkingText, part: ChaptersPart, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment articles and their sections.

    Args:
        work: the working text.
        part: the part; its first series numbers the articles, its second the sections.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    Returns:
        The title of the whole; for each article its heading (a `section`), and its sections.
    """
    outer, inner = part.series
    marks = series_marks(work, start, end, outer.label, outer.highest)
    titles = [p for p in work.paragraphs(start, marks[0].start) if p.heading] if marks else []
    segments = [heading_segment(book_id, title) for title in titles]
    whole = segments[-1] if segments else None
    for i, mark in enumerate(marks):
        stop = marks[i + 1].start if i + 1 < len(marks) else end
        found = series_marks(work, mark.end, stop, inner.label, inner.highest)
        ends = [m.start for m in found[1:]] + [stop] if found else []
        a, b = work.trim(mark.start, found[0].start if found else stop)
        label = collapse(mark.mended(work.text, a, b))
        article = Segment("section", a, b, book_id, f"{outer.slug}-{mark.number}", label, str(mark.number),
                        parent=whole, confidence=mark.confidence, misreadings=mark.misreadings)  # fmt: skip
        segments.append(article)
        for section, until in zip(found, ends, strict=True):
            name = f"{outer.slug}-{mark.number}-{section.number}"
            words = f"{outer.name} {mark.number}, {inner.name} {section.number}"
            segments.append(
                Segment(inner.kind, *work.trim(section.start, until), book_id, name, words, str(section.number),
                        parent=article, confidence=section.confidence, misreadings=section.misreadings)
            )  # fmt: skip
    return segments
