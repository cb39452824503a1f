"""From working text to units: find the parts of the book, give each to its grammar, settle ids, pages and text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from rapidfuzz import fuzz

from extract.book import Book
from extract.casebook import cases
from extract.chapters import chapters
from extract.commentary import commentary
from extract.draft import Draft
from extract.entries import entries
from extract.errors import BookError
from extract.lines import joined
from extract.model import Edit, Span, Unit, UnitKind
from extract.naming import NOTES, begun, name_drafts, name_notes, named
from extract.outline import Footnote, WorkingText
from extract.plan import AnyPart, Part, SeriesPart
from extract.prose import definitions, leftovers, paragraphs, whole
from extract.provisions import provisions
from extract.tables import table
from extract.textlayer import TextLayer

# The discriminated union of parts has tied each grammar to the part that it reads.
_Grammar = Callable[[WorkingText, Any, str, int, int], list[Draft]]

_SURE = 0.85
_LABEL = 12
_MENDED = 0.9

_GRAMMARS: dict[str, _Grammar] = {
    "series": provisions,
    "cases": cases,
    "chapters": chapters,
    "commentary": commentary,
    "definitions": definitions,
    "paragraphs": paragraphs,
    "entries": entries,
    "table": table,
    "whole": whole,
}


def outline(work: WorkingText, book: Book) -> list[Draft]:
    """Cut a book into drafts of units.

    Args:
        work: the working text.
        book: the book, with its parts.
    Returns:
        The drafts, part by part.
    Raises:
        BookError: a part's beginning is not found, or a unit that the editor names.
    """
    drafts: list[Draft] = []
    told: list[tuple[Draft, Footnote, str]] = []
    for part, start, end in _locate(work, book):
        notes = [n for n in work.footnotes if start <= n.start < end]
        found = _GRAMMARS[part.grammar](work, part, book.id, start, end)
        _retreat(work, found, notes)
        _put_under(found, drafts)
        footnotes = _footnotes(part, book.id, notes)
        rest = leftovers(work, part, book.id, start, end, [*found, *footnotes])
        _retreat(work, rest, notes)
        _encode(part, [*found, *rest])
        if part.goes_on:
            _go_on([*found, *rest], drafts)
        _adopt(work, footnotes, notes, [*drafts, *found, *rest])
        drafts += [*found, *footnotes, *rest]
        told += [(draft, note, note.of) for draft, note in zip(footnotes, notes, strict=True) if note.of]
    drafts = sorted((d for d in drafts if d.start < d.end), key=lambda d: (d.start, -d.end))
    _encode_headings(drafts)
    name_drafts(drafts)
    for draft, _, unit_id in told:
        holder = named(drafts, unit_id)
        if holder is None:
            raise _misplaced(book, work, draft, "of", f"the book has no unit {unit_id!r}; correct the id")
        _tie(draft, holder)
    for draft, note, unit_id in told:
        if note.continues:
            beginning = begun(drafts, draft, note.mark)
            if beginning is None:
                what = f"{unit_id} has no footnote {note.mark!r}; correct the mark"
                raise _misplaced(book, work, draft, "label", what)
            draft.parent = draft.continues = beginning
            draft.kind, draft.label, draft.number = draft.parent.kind, draft.parent.label, draft.parent.number
    return drafts


def _go_on(drafts: Sequence[Draft], before: Sequence[Draft]) -> None:
    """What stands under no heading of its own part stands under the last one before it."""
    section = max((d for d in before if d.kind == "section"), key=lambda d: d.start, default=None)
    first = min((d.start for d in drafts if d.kind == "section"), default=None)
    for draft in drafts:
        if section and draft.parent is None and draft.kind != "section" and (first is None or draft.start < first):
            draft.parent, draft.heading = section, section.label


def _misplaced(book: Book, work: WorkingText, draft: Draft, key: str, what: str) -> BookError:
    at = work.to_scan(draft.start, draft.end).start
    return BookError(f"{book.folder / 'errata.toml'}: [[passage]] at {at}, key {key!r}: {what}.")


def _encode(part: Part, drafts: Sequence[Draft]) -> None:
    """What stands around the provisions of a code (titles, introductions) belongs to the code."""
    codes = {series.code for series in part.numberings}
    code = part.code or (codes.pop() if len(codes) == 1 else None)
    for draft in drafts:
        if draft.kind != "section":
            draft.code = draft.code or code


def _encode_headings(drafts: Sequence[Draft]) -> None:
    """A heading belongs to the code that all it heads belongs to."""
    for section in (d for d in drafts if d.kind == "section"):
        codes = {d.code for d in drafts if d.parent is section}
        section.code = codes.pop() if len(codes) == 1 else None


def label_edits(work: WorkingText, scan: str, drafts: Sequence[Draft]) -> tuple[Edit, ...]:
    """Edits that mend misread labels: the sequence proves the number (`i.` is 1., `n.` is 11.)."""
    edits: list[Edit] = []
    for draft in drafts:
        for mend in draft.mends:
            span = work.to_scan(mend.start, mend.end)
            before = scan[span.start : span.end]
            sure = draft.confidence >= _SURE
            if sure and before != mend.printed and not work.layer.within(span.start, span.end):
                edits.append(
                    Edit(span.start, span.end, before, mend.printed, "ocr", "rule", round(draft.confidence, 3),
                         f"label misread; its place in the sequence makes it {mend.printed.rstrip('.')}",
                         "label.sequence")
                )  # fmt: skip
    return tuple(edits)


def _locate(work: WorkingText, book: Book) -> list[tuple[AnyPart, int, int]]:
    """Where each part begins and ends in the working text."""
    starts: list[int] = []
    at = 0
    for number, part in enumerate(book.parts, 1):
        at = _find(work, part.begins, at) if part.begins else at
        if at < 0:
            raise BookError(
                f"{book.folder / 'book.toml'}: [[part]] {number} {part.id!r}, key 'begins': after the part before it "
                f"no line of the scan begins with {part.begins!r}; correct the words."
            )
        starts.append(at)
        at += 1
    return list(zip(book.parts, starts, [*starts[1:], len(work.text)], strict=True))


def _find(work: WorkingText, words: str, after: int) -> int:
    """The first place at or after an offset where the words stand at a line start, garbled or not.

    A single-line scan does not tell where lines began: there the words may stand anywhere.
    """
    exact = re.compile(r"\s+".join(map(re.escape, words.split())))
    starts = work.line_starts(after, len(work.text))
    for at in starts:
        if exact.match(work.text, at):
            return at
    if work.layout == "single-line" and (match := exact.search(work.text, after)):
        return match.start()
    for at in starts:
        line = " ".join(work.text[at : at + len(words) + 20].split())[: len(words)]
        if fuzz.ratio(words.casefold(), line.casefold()) >= 86:
            return at
    return -1


def _retreat(work: WorkingText, drafts: Sequence[Draft], notes: Sequence[Footnote]) -> None:
    """A unit that would end in a footnote ends before it; one that goes on after it keeps it in its midst."""
    for draft in drafts:
        for note in reversed(notes):
            if draft.start < note.start < draft.end <= note.end:
                draft.end = work.trim(draft.start, note.start)[1]


def _put_under(found: Sequence[Draft], before: Sequence[Draft]) -> None:
    """A table without a caption of its own stands under the last heading before it."""
    heading = next((d for d in reversed(before) if d.kind == "section"), None)
    for draft in found:
        if draft.kind == "table" and draft.parent is None and heading is not None:
            draft.parent, draft.heading = heading, heading.label


def _footnotes(part: Part, book_id: str, notes: Sequence[Footnote]) -> list[Draft]:
    kind: UnitKind = "note" if isinstance(part, SeriesPart) and any(s.alone for s in part.series) else "footnote"
    return [
        Draft(kind, n.start, n.end, book_id, f"{part.id}-footnote-{i + 1}",
              f"Note {n.mark}".strip())
        for i, n in enumerate(notes)
    ]  # fmt: skip


def _adopt(work: WorkingText, footnotes: Sequence[Draft], notes: Sequence[Footnote], drafts: Sequence[Draft]) -> None:
    """Tie each footnote to the unit in which its mark stands, on the same page."""
    for draft, note in zip(footnotes, notes, strict=True):
        page = max((p for p in work.page_starts if p <= note.start), default=0)
        anchors = (
            [m.start() for m in re.finditer(re.escape(note.mark), work.text[page : note.start])] if note.mark else []
        )
        anchors = [page + a for a in anchors if not work.in_footnote(page + a)]
        place = anchors[0] if anchors else note.start - 1
        holders = [d for d in drafts if d.start <= place < d.end and d.kind != "section"]
        before = [d for d in drafts if d.end <= note.start and d.kind != "section"]
        parent = min(holders, key=lambda d: d.end - d.start, default=None)
        parent = parent or max(before, key=lambda d: d.end, default=None)
        if parent is not None:
            _tie(draft, parent)
        draft.confidence = 0.95 if anchors or note.of else 0.6


def _tie(note: Draft, parent: Draft) -> None:
    note.parent, note.owner, note.heading, note.code = parent, parent.owner, parent.heading, parent.code


def _doubt(full: TextLayer, draft: Draft, span: Span) -> float:
    """How sure the label of a unit is, if it was misread and the machine mended it."""
    label = full.within(span.start, min(span.start + _LABEL, span.end)) if draft.number else ()
    mended = [
        e.confidence for e in label if e.kind == "ocr" and e.source != "editor" and any(map(str.isdecimal, e.after))
    ]
    return min(mended, default=1.0) * (_MENDED if mended else 1.0)


def _uncross(drafts: Sequence[Draft]) -> None:
    """Where two units would overlap without one holding the other, the first ends where the second begins."""
    open_drafts: list[Draft] = []
    for draft in drafts:
        while open_drafts and open_drafts[-1].end <= draft.start:
            open_drafts.pop()
        for outer in reversed(open_drafts):
            if draft.end > outer.end:
                outer.end = draft.start
        open_drafts = [d for d in open_drafts if d.end > draft.start]
        open_drafts.append(draft)


def settle_units(work: WorkingText, book: Book, full: TextLayer, drafts: list[Draft]) -> tuple[Unit, ...]:
    """Order the drafts, make ids unique, and read their text.

    Args:
        work: the working text the drafts were made from.
        book: the book.
        full: the text layer with all edits, from which units take their reading text.
        drafts: the drafts of the whole book.
    Returns:
        The units in reading order, outer before inner; spans in scan offsets.
    """
    drafts = sorted((d for d in drafts if d.start < d.end), key=lambda d: (d.start, -d.end))
    name_notes(drafts)
    _uncross(drafts)
    page_starts = [p.raw_start for p in work.pages]
    inner_notes = [work.to_scan(d.start, d.end) for d in drafts if d.kind in NOTES or d.continues is not None]
    ids = {id(d): d.id for d in drafts}
    further: dict[int, list[Span]] = {}
    for draft in drafts:
        if draft.continues is not None:
            further.setdefault(id(draft.continues), []).append(work.to_scan(draft.start, draft.end))
    units: list[Unit] = []
    for seq, draft in enumerate(drafts):
        span = work.to_scan(draft.start, draft.end)
        page = work.pages[max(0, bisect_right(page_starts, span.start) - 1)].folio if work.pages else None
        parent = ids.get(id(draft.parent)) if draft.parent else None
        sure = min(round(draft.confidence, 3), round(_doubt(full, draft, span), 3))
        text = joined([full.read_around(s, inner_notes) for s in (span, *further.get(id(draft), ()))])
        units.append(
            Unit(
                draft.id, book.id, draft.code, draft.kind, draft.label, draft.number, parent, draft.heading, seq,
                span.start, span.end, page, text, sure, draft.explains, draft.cells,
                ids[id(draft.continues)] if draft.continues else None,
            )
        )  # fmt: skip
    return tuple(units)
