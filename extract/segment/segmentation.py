"""From working text to units: find the parts of the book, apply the grammar of each, settle ids, pages and text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from rapidfuzz import fuzz

from extract.corpus.book import Book
from extract.corpus.plan import AnyPart, Part
from extract.errors import BookError
from extract.model import Edit, Span, Unit
from extract.pages.notes import Footnote
from extract.segment.grammars.chapters import chapters
from extract.segment.grammars.commentary import commentary
from extract.segment.grammars.index import index
from extract.segment.grammars.prose import definitions, leftovers, paragraphs, whole
from extract.segment.grammars.provisions import cases, provisions
from extract.segment.grammars.tables import table
from extract.segment.naming import name_notes, name_units
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment
from extract.text.lines import collapse, join_parts
from extract.text.textlayer import TextLayer

# `Any`: the discriminated union of parts already ties each grammar to the type of part that it reads.
_Grammar = Callable[[WorkingText, Any, str, int, int], list[Segment]]

_SAME = 86  # similarity, in per cent, to the words with which a part begins

_GRAMMARS: dict[str, _Grammar] = {
    "series": provisions,
    "cases": cases,
    "chapters": chapters,
    "commentary": commentary,
    "definitions": definitions,
    "paragraphs": paragraphs,
    "index": index,
    "table": table,
    "whole": whole,
}


def outline(work: WorkingText, book: Book) -> list[Segment]:
    """Divide a book into segments, one for each unit and heading.

    Args:
        work: the working text.
        book: the book, with its parts.
    Returns:
        The segments in reading order, outer before inner.
    Raises:
        BookError: the beginning of a part, or a unit that the editor names, is not found.
    """
    segments: list[Segment] = []
    notes: list[tuple[Segment, Footnote]] = []
    for part, start, end in _locate(work, book):
        if part.grammar == "skip":
            continue
        inside = [n for n in work.footnotes if start <= n.start < end]
        try:
            found = _GRAMMARS[part.grammar](work, part, book.id, start, end)
        except BookError as error:
            raise BookError(f"{book.folder / 'book.toml'}: [[part]] {part.id!r}: {error}") from error
        taken = [*((d.start, d.end) for d in found), *((n.start, n.end) for n in inside)]
        found += leftovers(work, part, book.id, start, end, taken)
        _end_before_notes(work, found, inside)
        found = sorted((d for d in found if d.start < d.end), key=_order)
        _place(part, found, segments)
        _encode(part, book, found)
        segments += found
        notes += [(Segment(part.footnotes, n.start, n.end, book.id, part.id), n) for n in inside]
    _encode_headings(segments)
    name_units(segments)
    units = [d for d in segments if d.kind != "section"]
    tied: list[Segment] = []
    for segment, note in sorted(notes, key=lambda x: x[1].continues):
        segment.label, segment.role = f"Note {note.mark}".strip(), book.domain.roles[segment.kind]
        _attach(work, book, segment, note, units, tied)
        tied.append(segment)
    segments = sorted([*segments, *tied], key=_order)
    name_notes(segments)
    return segments


def left_out(work: WorkingText, book: Book) -> list[Span]:
    """The spans of the scan that the plan of a book skips."""
    skipped = [work.trim(start, end) for part, start, end in _locate(work, book) if part.grammar == "skip"]
    return [work.to_scan(start, end) for start, end in skipped if start < end]


def _order(segment: Segment) -> tuple[int, int]:
    return segment.start, -segment.end


def _place(part: Part, found: Sequence[Segment], before: Sequence[Segment]) -> None:
    """Put segments without a parent under the last heading above them.

    The heading is one of their part; if there is none and the part goes on from the one before, an earlier one.
    """
    section = None
    above = next((d for d in reversed(before) if d.kind == "section"), None)
    for segment in found:
        if segment.kind == "section":
            section = segment
        elif segment.parent is None:
            heading = section or (above if part.goes_on else None)
            segment.heading = heading.label if heading else None
            segment.parent = heading if segment.kind != "commentary" else None  # its parent is what it explains
        else:
            segment.heading = section.label if section else None


def _encode(part: Part, book: Book, segments: Sequence[Segment]) -> None:
    """Assign the segments around the provisions of a code (titles, introductions) to the code.

    The id of a provision begins with its code, numbered or not: from it the pages know which code it belongs to.
    """
    codes = {series.code for series in part.numberings}
    code = part.code or (codes.pop() if len(codes) == 1 else None)
    for segment in segments:
        segment.role = book.domain.roles[segment.kind]
        if segment.kind != "section":
            segment.code = segment.code or code
        if segment.code and segment.role in ("provision", "paragraph"):
            segment.owner = segment.code


def _encode_headings(segments: Sequence[Segment]) -> None:
    """Assign each heading to the code of the units under it, if they all have the same."""
    for section in (d for d in segments if d.kind == "section"):
        codes = {d.code for d in segments if d.parent is section}
        section.code = codes.pop() if len(codes) == 1 else None


def label_edits(work: WorkingText, edits: Sequence[Edit], segments: Sequence[Segment]) -> tuple[Edit, ...]:
    """Edits that correct misread labels: the sequence proves the number (`i.` is 1., `n.` is 11.).

    Args:
        work: the working text.
        edits: all edits so far; misreadings that one of them overlaps are left to it.
        segments: the units of the book.
    """
    misread = [(d, x, work.to_scan(x.start, x.end)) for d in segments for x in d.misreadings]
    return tuple(
        Edit(span.start, span.end, work.layer.scan[span.start : span.end], misreading.printed, "ocr", "rule",
             segment.confidence,
             f"label misread; by its place in the sequence it is {misreading.printed.rstrip('.')}", "label.sequence")
        for segment, misreading, span in misread
        if not any(e.span.meets(span) for e in edits)
    )  # fmt: skip


def _locate(work: WorkingText, book: Book) -> list[tuple[AnyPart, int, int]]:
    """The start and end of each part in the working text."""
    starts: list[int] = []
    at = 0
    for number, part in enumerate(book.parts, 1):
        at = find_words(work, part.begins, at)
        if at < 0:
            raise BookError(
                f"{book.folder / 'book.toml'}: [[part]] {number} {part.id!r}, key 'begins': no line after the "
                f"previous part begins with {part.begins!r}; correct the words."
            )
        starts.append(at)
        at += 1
    return list(zip(book.parts, starts, [*starts[1:], len(work.text)], strict=True))


def find_words(work: WorkingText, words: str, after: int) -> int:
    """Find the first line, at or after an offset, that begins with the words, garbled or not.

    A single-line scan does not show where lines began: there the words may occur anywhere, if they are not garbled.

    Args:
        work: the working text.
        words: the words, with blanks between them.
        after: an offset into the working text.
    Returns:
        The offset of the words, or -1.
    """
    exact = re.compile(r"\s+".join(map(re.escape, words.split())))
    starts = work.line_starts(after, len(work.text))
    if found := next(filter(None, (exact.match(work.text, at) for at in starts)), None):
        return found.start()
    if work.layout == "single-line" and (found := exact.search(work.text, after)):
        return found.start()
    lines = ((at, collapse(work.text[at : at + len(words) + 20])[: len(words)]) for at in starts)
    return next((at for at, line in lines if fuzz.ratio(words.casefold(), line.casefold()) >= _SAME), -1)


def _end_before_notes(work: WorkingText, segments: Sequence[Segment], notes: Sequence[Footnote]) -> None:
    """End a unit before a footnote in which it would end; a unit that goes on after a footnote keeps it inside."""
    for segment in segments:
        for note in reversed(notes):
            if segment.start < note.start < segment.end <= note.end:
                segment.end = work.trim(segment.start, note.start)[1]


def _attach(
    work: WorkingText, book: Book, footnote: Segment, note: Footnote, units: Sequence[Segment], tied: Sequence[Segment]
) -> None:
    """Attach a footnote to the unit that the editor names, or that contains its mark, or else to the one above it.

    A further part of a footnote continues the unit that the editor names or, if the part has a mark, the footnote with
    that mark in that unit.
    """
    page = max((p for p in work.page_starts if p <= note.start), default=0)
    marks = re.finditer(re.escape(note.mark), work.text[page : note.start]) if note.mark else ()
    anchors = [at for m in marks if not work.in_footnote(at := page + m.start())]
    place = anchors[-1 if note.mark.startswith("[") else 0] if anchors else note.start - 1
    around = [d for d in units if d.start <= place < d.end]
    above = max((d for d in units if d.end <= note.start), key=lambda d: d.end, default=None)
    holder = min(around, key=lambda d: d.end - d.start, default=above)
    if note.of:
        holder = next((d for d in units if d.id == note.of), None)
        if holder is None:
            raise _fault(work, book, note, f"key 'of': the book has no unit {note.of!r}; correct the id")
    footnote.confidence = 0.95 if anchors or note.of else 0.6
    if holder is None:
        return
    footnote.parent, footnote.owner, footnote.heading, footnote.code = holder, holder.owner, holder.heading, holder.code
    if note.continues:
        begun = next((d for d in tied if d.parent is holder and d.label == footnote.label), None)
        if note.mark and begun is None:
            raise _fault(work, book, note, f"key 'label': {note.of} has no footnote {note.mark!r}; correct the mark")
        footnote.parent = footnote.continues = begun = begun or holder
        footnote.kind, footnote.role = begun.kind, begun.role
        footnote.label, footnote.number = begun.label, begun.number


def _fault(work: WorkingText, book: Book, note: Footnote, message: str) -> BookError:
    at = work.to_scan(note.start, note.end).start
    return BookError(f"{book.folder / 'errata.toml'}: [[passage]] at {at}, {message}.")


def settle_units(work: WorkingText, book: Book, full: TextLayer, segments: list[Segment]) -> tuple[Unit, ...]:
    """Make units of the segments, with their pages, reading text and confidence.

    Args:
        work: the working text the segments were made from.
        book: the book.
        full: the text layer with all edits, from which units take their reading text.
        segments: the segments of the whole book, in reading order and with their ids.
    Returns:
        The units in reading order, outer before inner; spans in scan offsets.
    """
    page_starts = [p.raw_start for p in work.pages]
    spans = {id(d): work.to_scan(d.start, d.end) for d in segments}
    ids = {id(d): d.id for d in segments}
    notes = [spans[id(d)] for d in segments if d.role == "note" or d.continues]
    further: dict[int, list[Span]] = {}
    for segment in segments:
        further.setdefault(id(segment.continues), []).append(spans[id(segment)])
    units: list[Unit] = []
    for seq, segment in enumerate(segments):
        span = spans[id(segment)]
        page = work.pages[max(0, bisect_right(page_starts, span.start) - 1)] if work.pages else None
        text = join_parts([full.read_around(s, notes) for s in (span, *further.get(id(segment), ()))])
        parent, begun = (ids.get(id(d)) for d in (segment.parent, segment.continues))
        units.append(
            Unit(
                segment.id, book.id, segment.code, segment.kind, segment.label, segment.number, parent,
                segment.heading, seq, span.start, span.end, page.folio if page else None, text, segment.confidence,
                segment.explains, segment.cells, begun, segment.role, page is not None and page.inferred,
            )
        )  # fmt: skip
    return tuple(units)
