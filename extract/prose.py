"""Grammars of unnumbered matter: paragraphs under headings, definitions, entries, tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.book import Part
from extract.draft import Draft, slug
from extract.outline import Paragraph, WorkingText
from extract.provisions import heading_draft

_HEADWORD = re.compile(
    r"^\W*(?P<word>[A-Za-z@][\w'’@]*(?:[ -][\w'’@]+){0,3}?)(?:[.,]?\s?(?:—|-(?=[A-Z]))|—is\b|\*|, (?=[A-Z]))"
)
_ENTRY_START = re.compile(r"(?<=[0-9\]gioqSO]) (?=[A-Z“\"'][a-z'’.]+|\"[A-Z])")
_CELL = re.compile(r"\t|\s{3,}|\. \. ?")


def paragraphs(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> list[Draft]:
    """Every paragraph a unit of the part's kind, under the heading before it.

    Args:
        work: the working text.
        part: the part; `kind` is given to its paragraphs, `slug` begins their ids.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    """
    drafts: list[Draft] = []
    section: Draft | None = None
    for paragraph in work.paragraphs(start, end):
        if paragraph.heading and part.heading and _wordy(paragraph):
            section = heading_draft(book_id, paragraph)
            drafts.append(section)
            continue
        drafts.append(
            Draft(part.kind or part.rest, paragraph.start, paragraph.end, book_id, "", "", None, None, section,
                  section.label if section else None, ordinal=part.slug or part.id)
        )  # fmt: skip
    return drafts


def _wordy(paragraph: Paragraph) -> bool:
    return sum(map(str.isalpha, paragraph.text)) > 2


def definitions(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> list[Draft]:
    """Every paragraph a definition, named by its headword."""
    drafts: list[Draft] = []
    section: Draft | None = None
    for paragraph in work.paragraphs(start, end):
        if paragraph.heading and _wordy(paragraph) and "—" not in paragraph.text:
            section = heading_draft(book_id, paragraph)
            drafts.append(section)
            continue
        match = _HEADWORD.match(paragraph.text)
        word = match["word"].strip() if match else " ".join(paragraph.text.split()[:3])
        drafts.append(
            Draft("definition", paragraph.start, paragraph.end, book_id, f"def-{slug(word)}", word, None, None,
                  section, section.label if section else None, 0.95 if match else 0.5)
        )  # fmt: skip
    return drafts


def entries(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> list[Draft]:
    """The entries of an index or a list of contents, each a unit."""
    drafts: list[Draft] = []
    section: Draft | None = None
    for a, b in _entry_spans(work, start, end):
        text = " ".join(work.text[a:b].split())
        if not any(map(str.isalnum, text)):
            continue
        if part.heading and text.isupper() and not any(map(str.isdigit, text)):
            section = heading_draft(book_id, Paragraph(a, b, text, True))
            drafts.append(section)
            continue
        head = re.split(r",? ?\d|[,.] ?\.", text, maxsplit=1)[0].strip(" ,.—") or text
        drafts.append(
            Draft(part.kind or part.rest, a, b, book_id, f"{part.slug or part.id}-{slug(head, 6)}", head, None, None,
                  section, section.label if section else None)
        )  # fmt: skip
    return drafts


def _entry_spans(work: WorkingText, start: int, end: int) -> list[tuple[int, int]]:
    if work.layout == "single-line":
        starts = [start, *(m.end() for m in _ENTRY_START.finditer(work.text, start, end))]
        return [work.trim(a, b) for a, b in zip(starts, [*starts[1:], end], strict=True)]
    spans: list[tuple[int, int]] = []
    open_entry = False
    for line in work.lines:
        if not (start <= line.start and line.end <= end):
            continue
        if open_entry and spans and not line.capital:
            spans[-1] = (spans[-1][0], line.end)
        else:
            spans.append((line.start, line.end))
        open_entry = not line.capital and not re.search(r"[\d.IVXivxnl;]$|ib\.?$|\)$|:$", line.text)
    return spans


def table(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> list[Draft]:
    """The rows of a table, cut into cells at tabs or wide gaps."""
    drafts: list[Draft] = []
    section: Draft | None = None
    for line in work.lines:
        if not (start <= line.start and line.end <= end):
            continue
        raw = work.text[line.start : line.end]
        if line.capital and line.isolated and "\t" not in raw:
            section = heading_draft(book_id, Paragraph(line.start, line.end, line.text, True))
            drafts.append(section)
            continue
        cells = tuple(" ".join(c.split()) for c in _CELL.split(raw))
        drafts.append(
            Draft(part.kind or "table_row", line.start, line.end, book_id, "", "", None, None, section,
                  section.label if section else None, cells=cells, ordinal=part.slug or part.id)
        )  # fmt: skip
    return drafts


def whole(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> list[Draft]:
    """The part as one unit."""
    a, b = work.trim(start, end)
    return [
        Draft(
            part.kind or part.rest,
            a,
            b,
            book_id,
            part.slug or part.id,
            part.id.replace("-", " ").capitalize(),
        )
    ]


def leftovers(
    work: WorkingText, part: Part, book_id: str, start: int, end: int, drafts: Sequence[Draft]
) -> list[Draft]:
    """Paragraphs of a part that no unit claims yet: introductions, titles, remarks in between."""
    found: list[Draft] = []
    outer = sorted((d.start, d.end) for d in drafts)
    gaps: list[tuple[int, int]] = []
    at = start
    for a, b in outer:
        if a > at:
            gaps.append((at, a))
        at = max(at, b)
    if at < end:
        gaps.append((at, end))
    for a, b in gaps:
        for paragraph in work.paragraphs(*work.trim(a, b)):
            if any(map(str.isalnum, paragraph.text)):
                before = [d for d in drafts if d.kind == "section" and d.end <= paragraph.start]
                section = max(before, key=lambda d: d.start, default=None)
                if paragraph.heading and part.heading and _wordy(paragraph):
                    found.append(heading_draft(book_id, paragraph))
                    continue
                found.append(
                    Draft(part.rest, paragraph.start, paragraph.end, book_id, "", "", None, None, section,
                          section.label if section else None, 0.8, ordinal=f"{part.id}-text")
                )  # fmt: skip
    return found
