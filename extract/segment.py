"""From working text to units: find the parts of the book, give each to its grammar, settle ids, pages and text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from rapidfuzz import fuzz

from extract.book import Book, Part
from extract.casebook import cases
from extract.chapters import chapters
from extract.commentary import commentary
from extract.draft import Draft
from extract.errors import BookError
from extract.model import Edit, Span, Unit, UnitKind
from extract.outline import Footnote, WorkingText
from extract.prose import definitions, entries, leftovers, paragraphs, table, whole
from extract.provisions import provisions
from extract.textlayer import TextLayer

_Grammar = Callable[[WorkingText, Part, str, int, int], list[Draft]]

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
    told: list[tuple[Draft, str]] = []
    for part, start, end in _locate(work, book):
        notes = [n for n in work.footnotes if start <= n.start < end]
        found = _GRAMMARS[part.grammar](work, part, book.id, start, end)
        _retreat(work, found, notes)
        footnotes = _footnotes(part, book.id, notes)
        rest = leftovers(work, part, book.id, start, end, [*found, *footnotes])
        _retreat(work, rest, notes)
        _adopt(work, footnotes, notes, [*found, *rest])
        drafts += [*found, *footnotes, *rest]
        told += [(draft, note.of) for draft, note in zip(footnotes, notes, strict=True) if note.of]
    for draft, unit_id in told:
        _tie(draft, _named(drafts, unit_id))
    return drafts


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
                         f"label misread; its place in the sequence makes it {mend.printed.rstrip('.')}")
                )  # fmt: skip
    return tuple(edits)


def _locate(work: WorkingText, book: Book) -> list[tuple[Part, int, int]]:
    """Where each part begins and ends in the working text."""
    starts: list[int] = []
    at = 0
    for part in book.parts:
        at = _find(work, part.begins, at) if part.begins else at
        if at < 0:
            raise BookError(
                f"{book.id}: the part {part.id!r} begins with {part.begins!r}, which the scan does not have; "
                "correct `begins` in book.toml."
            )
        starts.append(at)
        at += 1
    return list(zip(book.parts, starts, [*starts[1:], len(work.text)], strict=True))


def _find(work: WorkingText, words: str, after: int) -> int:
    """The first place at or after an offset where the words stand at a line start, garbled or not."""
    exact = re.compile(r"\s+".join(map(re.escape, words.split())))
    starts = work.line_starts(after, len(work.text))
    for at in starts:
        if exact.match(work.text, at):
            return at
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


def _footnotes(part: Part, book_id: str, notes: Sequence[Footnote]) -> list[Draft]:
    kind: UnitKind = "note" if part.grammar == "series" and any(s.alone for s in part.series) else "footnote"
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


def _named(drafts: Sequence[Draft], unit_id: str) -> Draft:
    """The draft of an id that the editor names; those without a printed number are counted, as they will be."""
    stem, _, number = unit_id.rpartition("-")
    same = sorted((d for d in drafts if f"{d.owner}/{d.ordinal}" == stem), key=lambda d: d.start)
    if number.isdecimal() and len(number) < 6 and 0 < int(number) <= len(same):
        return same[int(number) - 1]
    found = next((d for d in drafts if d.id == unit_id), None)
    if found is None:
        raise BookError(f"errata.toml: a passage is said to be of {unit_id!r}, which the book does not have.")
    return found


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
    drafts = [d for d in drafts if d.start < d.end]
    drafts.sort(key=lambda d: (d.start, -d.end))
    taken: dict[str, int] = {}
    counted: dict[str, int] = {}
    chapter = ""
    for draft in drafts:
        if draft.division:
            chapter = draft.name if draft.name.startswith("ch") else chapter
            if chapter and not draft.name.startswith("ch"):
                draft.name = f"{chapter}-{draft.name}"
        if draft.ordinal:
            count = counted[draft.ordinal] = counted.get(draft.ordinal, 0) + 1
            draft.name, draft.number = f"{draft.ordinal}-{count}", str(count)
            draft.label = f"{draft.ordinal.replace('-', ' ').capitalize()} {count}"
        elif draft.kind in ("footnote", "note") and draft.parent is not None:
            stem = f"{draft.parent.name}/note"
            count = counted[stem] = counted.get(stem, 0) + 1
            draft.name = f"{stem}-{count}"
        name = draft.id
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            draft.name = f"{draft.name}-{taken[name]}"
    _uncross(drafts)
    page_starts = [p.raw_start for p in work.pages]
    inner_notes = [work.to_scan(d.start, d.end) for d in drafts if d.kind in ("footnote", "note")]
    ids = {id(d): d.id for d in drafts}
    units: list[Unit] = []
    for seq, draft in enumerate(drafts):
        span = work.to_scan(draft.start, draft.end)
        page = work.pages[max(0, bisect_right(page_starts, span.start) - 1)].folio if work.pages else None
        parent = ids.get(id(draft.parent)) if draft.parent else None
        sure = min(round(draft.confidence, 3), round(_doubt(full, draft, span), 3))
        text = full.read_around(span, inner_notes)
        units.append(
            Unit(
                draft.id, book.id, draft.code, draft.kind, draft.label, draft.number, parent, draft.heading, seq,
                span.start, span.end, page, text, sure, draft.explains, draft.cells,
            )
        )  # fmt: skip
    return tuple(units)
