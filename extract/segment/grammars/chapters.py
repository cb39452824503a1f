"""Grammar of a constitution or of the laws of a session: articles or chapters, each with its own numbered sections."""

from __future__ import annotations

from itertools import pairwise

from extract.corpus.plan import ChaptersPart
from extract.segment.labels import unit_labels
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
    labels = unit_labels(work, start, end, outer.label)
    borders = [*(m.start for m in labels), end]
    segments = [heading_segment(book_id, p) for p in work.paragraphs(start, borders[0], part.headings) if p.heading]
    whole = segments[-1] if segments else None
    for label, stop in zip(labels, borders[1:], strict=True):
        found = unit_labels(work, label.end, stop, inner.label)
        begins = [*(m.start for m in found), stop]
        a, b = work.trim(label.start, begins[0])
        name = f"{outer.slug}-{label.number}"
        article = Segment("section", a, b, book_id, name, collapse(label.mended(work.text, a, b)), str(label.number),
                          parent=whole, confidence=label.confidence, misreadings=label.misreadings)  # fmt: skip
        segments.append(article)
        segments += (
            Segment(inner.kind, *work.trim(x, y), book_id, f"{name}-{section.number}",
                    f"{outer.name} {label.number}, {inner.name} {section.number}", str(section.number),
                    parent=article, confidence=section.confidence, misreadings=section.misreadings)
            for section, (x, y) in zip(found, pairwise(begins), strict=True)
        )  # fmt: skip
    return segments
