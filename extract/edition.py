"""Make the edition of one book from its scan: all stages, in order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from extract.audit import audit
from extract.clean.clean import clean
from extract.clean.signs import SignRule
from extract.clean.spaces import space_edits
from extract.corpus.book import Book
from extract.corpus.errata import Errata, read_errata
from extract.errors import BookError, EditError
from extract.ledger import compute_ledger, require_balance
from extract.model import Edit, Edition, Slip, Span, Unit
from extract.pages.furniture import Furniture, find_furniture
from extract.pages.pagination import with_inferred, with_known
from extract.references.resolution import find_references, with_explained_provisions
from extract.segment.breaks import paragraph_starts
from extract.segment.outline import working_text
from extract.segment.segmentation import label_edits, left_out, outline, settle_units
from extract.text.source import Layout, normalise_line_ends, read_scan, recognise_layout
from extract.text.spacing import spaced
from extract.text.textlayer import TextLayer, check_edits

_PRINT = re.compile(r"\S+")
_UNCOVERED = re.compile(rb"\0+")


def make_edition(book: Book, *, unaided: bool = False) -> Edition:
    """Make the edition of one book: a pure function of its folder, fit for a worker process.

    Args:
        book: the book.
        unaided: ignore the editor's readings (errata.toml).
    Returns:
        Edits, suggestions, pages, units, references, the findings of the audit, and the editor's notes.
    Raises:
        WhistError: the scan or a file of the editor's is faulty, or the ledger does not balance.
    """
    file = read_scan(book.scan_path, book.sha256, book.encoding)
    scan = normalise_line_ends(file)
    layout: Layout = book.layout or recognise_layout(scan)
    errata = Errata() if unaided else _adapted(read_errata(book.folder / "errata.toml", file), scan)
    furniture = find_furniture(scan, layout)
    try:
        pages = with_inferred(with_known(furniture.pages, errata.folios))
    except BookError as error:
        raise BookError(f"{book.folder / 'errata.toml'}: {error}") from error
    kept = _without_clashes(furniture, errata.edits)
    habits = [SignRule(re.compile(habit.read), habit.printed, habit.reason) for habit in book.habits]
    cleaned = clean(
        scan, kept, habits=habits, terms=book.domain.terms, readings=errata.edits, confirmed=errata.confirmed
    )
    letters = [*kept, *errata.edits, *cleaned.edits]
    try:
        check_edits(scan, letters)
    except EditError as error:
        raise EditError(f"{book.folder / 'errata.toml'}: {error}") from error
    work = working_text(scan, letters, pages, layout, errata.passages)
    segments = outline(work, book)
    labels = label_edits(work, letters, segments)
    edits = [*letters, *labels, *space_edits(cleaned.stream, paragraph_starts(work, segments), labels)]
    spans = [work.to_scan(s.start, s.end) for s in segments]
    skipped = left_out(work, book)
    _require_on_one_side(book, edits, spans, skipped)
    layer = TextLayer(file, _rebased(file, _around_units(scan, edits, spans, skipped)))
    units = settle_units(work, book, layer, segments)
    require_balance(book.id, scan, compute_ledger(scan, units, layer.edits))
    _require_cited(book, errata.slips, units)
    unstated = [page for page in pages if (page.raw_start, page.folio) not in errata.folios]
    references = find_references(units, layer, book.citations, slips=errata.slips)
    return Edition(
        book.id,
        file,
        layer.edits,
        suggestions=_rebased(file, (*errata.doubts, *_outside(skipped, cleaned.suggestions))),
        pages=pages,
        units=with_explained_provisions(units, references),
        references=references,
        findings=audit(book, units, unstated, layer.edits, references),
        notes=errata.notes,
    )


def _require_cited(book: Book, slips: Sequence[Slip], units: Sequence[Unit]) -> None:
    """Raise a BookError if an erratum has a unit in `cites` that the book does not have."""
    ids = {unit.id for unit in units}
    for slip in slips:
        if slip.cites and slip.cites not in ids:
            raise BookError(
                f"{book.folder / 'errata.toml'}: [[reading]] at {slip.raw_start}, key 'cites': the book has no unit "
                f"{slip.cites!r}; correct the id."
            )


def _require_on_one_side(book: Book, edits: Iterable[Edit], units: Sequence[Span], skipped: Sequence[Span]) -> None:
    """Raise an EditError if an edit of the editor's is in a skipped span and also outside it, or in a unit."""
    for edit in (e for e in edits if e.source == "editor" and any(map(e.span.meets, skipped))):
        if any(map(edit.span.meets, units)) or not any(span.covers(edit.span) for span in skipped):
            raise EditError(
                f"{book.folder / 'errata.toml'}: [[reading]] at {edit.raw_start} crosses the border of a part that "
                "book.toml skips; write one reading for each side of it."
            )


def _outside(skipped: Sequence[Span], edits: Iterable[Edit]) -> Iterator[Edit]:
    """The edits outside the parts that the plan skips: nobody will read those."""
    return (edit for edit in edits if not any(map(edit.span.meets, skipped)))


def _adapted(errata: Errata, scan: str) -> Errata:
    """Adapt errata to a scan with normalised line ends; readings that keep the words get normalised white space."""
    edits = (e._replace(after=spaced(e.before)) if e.after == e.before else e for e in errata.edits)
    return replace(errata, edits=_rebased(scan, edits))


def _rebased(scan: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits with `before` taken from this scan, which may have other line ends than the scan they were made for."""
    return tuple([e._replace(before=scan[e.raw_start : e.raw_end]) for e in edits])


def _without_clashes(furniture: Furniture, fixed: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits of furniture that no reading of the editor overlaps, each with its rule."""
    fixed_spans = sorted((f.raw_start, f.raw_end) for f in fixed)
    # No two spans overlap, so both lists are sorted.
    starts, ends = [start for start, _ in fixed_spans], [end for _, end in fixed_spans]
    kept = (e for e in furniture.edits if bisect_right(ends, e.raw_start) >= bisect_left(starts, e.raw_end))
    return tuple(e._replace(rule=f"furniture.{e.note.replace(' ', '-')}") for e in kept)


def _around_units(scan: str, edits: Sequence[Edit], units: Sequence[Span], skipped: Sequence[Span]) -> list[Edit]:
    """Add furniture for text outside the units: spans that the plan skips, and words without letters or digits.

    Edits in skipped spans are dropped. Specks that the machine deletes outside the units become furniture.
    """
    inside, taken = bytearray(len(scan)), bytearray(len(scan))
    for span in units:
        inside[span.start : span.end] = b"\1" * len(span)
    kept: list[Edit] = []
    for edit in edits:
        if any(map(edit.span.meets, skipped)):
            continue
        taken[edit.raw_start : edit.raw_end] = b"\1" * len(edit.span)
        # The editor states the kind of his edits.
        speck = edit.source != "editor" and edit.before.strip() and not edit.after.strip()
        loose = speck and not any(inside[edit.raw_start : edit.raw_end])
        kept.append(edit._replace(kind="furniture") if loose else edit)
    for span in skipped:
        taken[span.start : span.end] = b"\1" * len(span)
        kept.append(_left_out(scan, span, 1.0, "skipped by book.toml", "furniture.left-out"))
    for free in _UNCOVERED.finditer(bytes(a | b for a, b in zip(inside, taken, strict=True))):
        for word in _PRINT.finditer(scan, *free.span()):
            if not any(map(str.isalnum, word[0])):
                kept.append(_left_out(scan, Span(*word.span()), 0.6, "speck between two units", "furniture.speck"))
    return kept


def _left_out(scan: str, span: Span, confidence: float, note: str, rule: str) -> Edit:
    return Edit(span.start, span.end, scan[span.start : span.end], "", "furniture", "rule", confidence, note, rule)
