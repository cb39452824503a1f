"""Grammars of unnumbered matter: paragraphs under headings, definitions, entries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from extract.draft import Draft, slug
from extract.index_order import in_order
from extract.inline_headings import heading_end
from extract.outline import Paragraph, WorkingText
from extract.plan import EntriesPart, Matter, Part
from extract.provisions import heading_draft

_HEADWORD = re.compile(
    r"^\W*(?P<word>[A-Za-z@][\w'’@]*(?:[ -][\w'’@]+){0,3}?)(?:[.,]?\s?(?:—|-(?=[A-Z]))|—is\b|\*|, (?=[A-Z]))"
)
_PAGE_GLYPHS = r"0-9iIlLoOnSgTJ%\]\['"
_ENTRY_START = re.compile(
    rf"(?:(?<=[\s.,])(?=[{_PAGE_GLYPHS}]*\d)[{_PAGE_GLYPHS}]{{1,5}}|(?<=[,.] )[iIlnotTJ^]{{1,3}}|(?<=[a-z\"] )[iI])"
    r" +(?=\"? ?[A-Z“'][a-z'’.]|\"? ?[A-Z]\. |A [a-z]|[A-Z]{4,} )"
)
_COMPLETE = re.compile(r"(?:[\s.,·•]\(?[\dIVXivxlnog]{1,5}|\bib\.?|\bviz\.|[:)])[.,)]*$")
_LEADING_HEAD = re.compile(r"(?:[A-Z]{4,}[.,]? )+(?=\"? ?[A-Z][a-z])")
_HEAD_END = re.compile(r",? ?\d|[,.] ?\.|,? see\b|, [Pp]assim\b|,? \S*[^\w\s.,;:?!'\"’”()&—-]\S*")
_DIVISION = re.compile(r"(?:PART|Chapter|CHAPTER|Section|SECTION) [IVXHL\d]+[.,].*")


def paragraphs(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Draft]:
    """Every paragraph a unit of the part's kind, under the heading before it.

    Args:
        work: the working text.
        part: the part; `kind` is given to its paragraphs, `slug` begins their ids.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    """
    drafts: list[Draft] = []
    section: Draft | None = None
    for paragraph in work.paragraphs(start, end, part.headings):
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
    return sum(map(str.isalpha, paragraph.text)) > 1


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


def entries(work: WorkingText, part: EntriesPart, book_id: str, start: int, end: int) -> list[Draft]:
    """The entries of an index or a list of contents, each a unit.

    Args:
        work: the working text.
        part: the part; `topics` says that an entry is a topic in a line of its own with what stands under it.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    """
    drafts: list[Draft] = []
    section: Draft | None = None
    for a, b, heads in _entry_spans(work, part, start, end):
        text = " ".join(work.text[a:b].split())
        if not any(map(str.isalnum, text)) or text.casefold() == "page":
            continue
        if part.heading and (heads or _is_heading(text)):
            section = heading_draft(book_id, Paragraph(a, b, text, True), divides=False)
            drafts.append(section)
            continue
        head = _HEAD_END.split(text, maxsplit=1)[0].strip(" ,.—") or text
        if part.topics:
            head = work.text[a:b].split("\n", 1)[0].strip()
        drafts.append(
            Draft(part.kind or part.rest, a, b, book_id, f"{part.slug or part.id}-{slug(head, 6)}", head, None, None,
                  section, section.label if section else None)
        )  # fmt: skip
    return drafts


def _is_heading(text: str) -> bool:
    """Whether an entry is a heading among them: capitals without a page, or a part or chapter of the book."""
    letters = [c for c in text if c.isalpha()]
    capital = sum(c.isupper() for c in letters) >= 0.8 * len(letters)
    return (capital and not re.search(r"\d$", text)) or (bool(_DIVISION.match(text)) and not re.search(r"\d$", text))


def _entry_spans(work: WorkingText, part: EntriesPart, start: int, end: int) -> list[tuple[int, int, bool]]:
    """The entries, and which of them are known to be headings."""
    if work.layout == "single-line":
        return _inline_entries(work, part, start, end)
    spans: list[tuple[int, int]] = []
    complete = True
    for line in work.lines:
        if not (start <= line.start and line.end <= end) or work.in_footnote(line.start):
            continue
        if part.topics:
            begins = not any(map(str.isdecimal, line.text)) and line.text[0].isupper() and complete
            complete = line.text.rstrip('"').endswith((".", ")")) or not spans
        else:
            begins, complete = complete or line.capital, line.capital or bool(_COMPLETE.search(line.text))
        if begins or not spans:
            spans.append((line.start, line.end))
        else:
            spans[-1] = (spans[-1][0], line.end)
    return [(a, b, False) for a, b in spans]


def _inline_entries(work: WorkingText, part: EntriesPart, start: int, end: int) -> list[tuple[int, int, bool]]:
    """Entries of a single-line scan, and which are headings: an entry ends with its pages, a heading is named."""
    starts = [start, *(m.end() for m in _ENTRY_START.finditer(work.text, start, end))]
    spans: list[tuple[int, int, bool]] = []
    for a, b in pairwise([*starts, end]):
        while True:
            a, b = work.trim(a, b)
            head = _head_end(work.text, a, b, part.headings)
            if not a < head < b:
                break
            spans.append((*work.trim(a, head), True))
            a = head
        spans.append((a, b, False))
    spans = [s for s in spans if s[0] < s[1]]
    first = next((i for i, s in enumerate(spans) if not s[2]), len(spans))
    if any(s[2] for s in spans[first:]):
        return spans
    return [*spans[:first], *((a, b, False) for a, b in in_order(work.text, [s[:2] for s in spans[first:]]))]


def _head_end(text: str, start: int, end: int, headings: Sequence[str]) -> int:
    """Where a heading ends that stands at `start`: one that the book's plan names, garbled or not, or capitals."""
    named = heading_end(text, start, end, headings)
    if named > start:
        return named
    capitals = _LEADING_HEAD.match(text, start, end)
    return capitals.end() if capitals else start


def whole(work: WorkingText, part: Matter, book_id: str, start: int, end: int) -> list[Draft]:
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
        for paragraph in work.paragraphs(*work.trim(a, b), part.headings):
            if any(map(str.isalnum, paragraph.text)):
                before = [d for d in (*drafts, *found) if d.kind == "section" and d.end <= paragraph.start]
                section = max(before, key=lambda d: d.start, default=None)
                if paragraph.heading and part.heading and _wordy(paragraph):
                    found.append(heading_draft(book_id, paragraph))
                    continue
                found.append(
                    Draft(part.rest, paragraph.start, paragraph.end, book_id, "", "", None, None, section,
                          section.label if section else None, 0.8, ordinal=f"{part.id}-text")
                )  # fmt: skip
    return found
