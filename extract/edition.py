"""One book from scan to edition: the stages in their order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from extract.audit import audit
from extract.corpus.book import Book
from extract.corpus.errata import Errata, read_errata
from extract.correction.letters import Letters, decide_letters
from extract.correction.post_correction import PostCorrection, post_correct
from extract.errors import BookError, EditError
from extract.ledger import require_balance, settle
from extract.model import Edit, Edition, Slip, Span, Unit
from extract.pages.folio import with_known
from extract.pages.furniture import Furniture, find_furniture
from extract.pages.inline_furniture import find_inline_furniture
from extract.pages.insertions import aware_of_insertions
from extract.pages.markdown_furniture import find_markdown_furniture
from extract.pieces import Recall, anew
from extract.references.resolution import explained, find_references
from extract.segment.breaks import borders
from extract.segment.outline import working_text
from extract.segment.segmentation import label_edits, left_out, outline, settle_units
from extract.text.lines import collapse
from extract.text.source import Layout, in_one_manner, read_scan, read_unknown, recognise_layout
from extract.text.spacing import LINE_END_HYPHEN, spaced
from extract.text.textlayer import TextLayer, check_edits

_PRINT = re.compile(r"\S+")
_LOOSE = re.compile(rb"\0+")
FURNITURE = {
    "lines": aware_of_insertions(find_furniture),
    "markdown": aware_of_insertions(find_markdown_furniture),
    "single-line": aware_of_insertions(find_inline_furniture),
}
"""What finds heads, folios and notes, by the layout of the scan."""


def make_edition(book: Book, *, unaided: bool = False, recall: Recall = anew) -> Edition:
    """Make the edition of one book: a pure function of its folder and its witnesses' scans, fit for a worker process.

    Args:
        book: the book.
        unaided: leave the editor's files aside.
        recall: where pieces that depend on the scan alone may be known from.
    Returns:
        Edits, pages, units, references, and the audit.
    Raises:
        WhistError: the scan or the editor's files are not what they must be, or the ledger does not balance.
    """
    file = read_scan(book.scan_path, book.sha256, book.encoding)
    scan = in_one_manner(file)
    layout: Layout = book.layout or recognise_layout(scan)
    errata = Errata() if unaided else _in_order(read_errata(book.folder / "errata.toml", file), scan)
    furniture = recall(Furniture, (layout, scan), lambda: FURNITURE[layout](scan))
    try:
        pages = with_known(furniture.pages, errata.folios)
    except BookError as error:
        raise BookError(f"{book.folder / 'errata.toml'}: {error}") from error
    kept = _without_clashes(furniture, errata.edits)
    decided = _letters(book, scan, layout, furniture, recall)
    corrected = post_correct(scan, kept, decided, layout=layout, fixed=errata.edits)
    letters = [*kept, *errata.edits, *corrected.letters, *corrected.specks]
    try:
        check_edits(scan, letters)
    except EditError as error:
        raise EditError(f"{book.folder / 'errata.toml'}: {error}") from error
    work = working_text(scan, letters, pages, layout, errata.passages)
    segments = outline(work, book)
    labels = label_edits(work, letters, segments)
    edits = [*letters, *labels, *corrected.white_space(borders(work, segments), labels)]
    spans = [work.to_scan(s.start, s.end) for s in segments]
    layer = TextLayer(file, _standing_in(file, _around_units(scan, edits, spans, left_out(work, book))))
    units = settle_units(work, book, layer, segments)
    require_balance(book.id, scan, settle(scan, units, layer.edits))
    _require_cited(book, errata.slips, units)
    references = find_references(units, layer, book.citations, slips=errata.slips)
    return Edition(
        book.id,
        file,
        layer.edits,
        suggestions=_standing_in(file, (*errata.doubts, *corrected.suggestions)),
        pages=pages,
        units=explained(units, references),
        references=references,
        findings=audit(book, units, pages, layer.edits, references),
        notes=errata.notes,
    )


def _require_cited(book: Book, slips: Sequence[Slip], units: Sequence[Unit]) -> None:
    """Raise a BookError if the editor says that the author means a provision which the book does not have."""
    ids = {unit.id for unit in units}
    for slip in slips:
        if slip.cites is not None and slip.cites not in ids:
            raise BookError(
                f"{book.folder / 'errata.toml'}: [[reading]] at {slip.raw_start}, key 'cites': the book has no unit "
                f"{slip.cites!r}; correct the id."
            )


def _in_order(errata: Errata, scan: str) -> Errata:
    """The editor's readings of a scan; where he lets its letters stand, their white space is set in order."""
    edits = (e._replace(after=spaced(e.before)) if e.after == e.before else e for e in errata.edits)
    return replace(errata, edits=_standing_in(scan, edits))


def _standing_in(scan: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits of a scan or of one with other line ends, with what this one has there."""
    return tuple([e._replace(before=scan[e.raw_start : e.raw_end]) for e in edits])


def post_correct_scan(book: Book, without: Set[str] = frozenset()) -> PostCorrection:
    """What the rules of correction make of a book's scan without the editor, if it is taken for misread.

    Args:
        book: the book.
        without: names of rules to leave out.
    """
    scan = in_one_manner(read_scan(book.scan_path, book.sha256, book.encoding))
    layout: Layout = book.layout or recognise_layout(scan)
    furniture = FURNITURE[layout](scan)
    letters = _letters(book, scan, layout, furniture, without=without, misread=True)
    return post_correct(scan, furniture.edits, letters, layout=layout, without=without)


def _letters(
    book: Book,
    scan: str,
    layout: Layout,
    furniture: Furniture,
    recall: Recall = anew,
    without: Set[str] = frozenset(),
    misread: bool | None = None,
) -> Letters:
    """What the machine decides on the letters of a book's scan, whatever the editor reads in it."""
    witnesses, habits, terms = _witnesses(book), book.habits, book.domain.terms

    def decide() -> Letters:
        work = working_text(scan, furniture.edits, furniture.pages, layout)
        notes = [work.to_scan(note.start, note.end) for note in work.footnotes]
        return decide_letters(
            scan, furniture.edits,
            layout=layout, witnesses=witnesses, habits=habits, terms=terms, notes=notes,
            without=without, misread=misread,
        )  # fmt: skip

    made_of = (scan, *witnesses, *map(repr, (layout, habits, terms, sorted(without), misread)))
    return recall(Letters, made_of, decide)


def _witnesses(book: Book) -> tuple[str, ...]:
    """The scans of the book's witnesses as running text."""
    scans = (read_unknown(book.folder.parent / witness / "scan.txt")[0] for witness in book.witnesses)
    return tuple(collapse(LINE_END_HYPHEN.sub(r"\1\2", scan)) for scan in scans)


def _without_clashes(furniture: Furniture, fixed: Sequence[Edit]) -> tuple[Edit, ...]:
    """Furniture where the editor reads nothing else."""
    read = sorted((f.raw_start, f.raw_end) for f in fixed)
    starts, ends = [start for start, _ in read], [end for _, end in read]  # none overlap, so both are in order
    kept = (e for e in furniture.edits if bisect_right(ends, e.raw_start) >= bisect_left(starts, e.raw_end))
    return tuple(e._replace(rule=f"furniture.{e.note.replace(' ', '-')}") for e in kept)


def _around_units(scan: str, edits: Sequence[Edit], units: Sequence[Span], skipped: Sequence[Span]) -> list[Edit]:
    """All edits, with those of what stands in no unit: it is furniture if the plan skips it, or if it is bare signs."""
    inside, taken = bytearray(len(scan)), bytearray(len(scan))
    for span in units:
        inside[span.start : span.end] = b"\1" * len(span)
    kept: list[Edit] = []
    for edit in edits:
        if any(map(edit.span.meets, skipped)):
            continue
        taken[edit.raw_start : edit.raw_end] = b"\1" * len(edit.span)
        speck = (
            edit.source != "editor" and edit.before.strip() and not edit.after.strip()
        )  # the editor says what he means
        loose = speck and not any(inside[edit.raw_start : edit.raw_end])
        kept.append(edit._replace(kind="furniture") if loose else edit)
    for span in skipped:
        taken[span.start : span.end] = b"\1" * len(span)
        kept.append(_left_out(scan, span, 1.0, "left out by the plan", "furniture.left-out"))
    for free in _LOOSE.finditer(bytes(a | b for a, b in zip(inside, taken, strict=True))):
        for word in _PRINT.finditer(scan, *free.span()):
            if not any(map(str.isalnum, word[0])):
                kept.append(_left_out(scan, Span(*word.span()), 0.6, "speck between two units", "furniture.speck"))
    return kept


def _left_out(scan: str, span: Span, sure: float, note: str, rule: str) -> Edit:
    return Edit(span.start, span.end, scan[span.start : span.end], "", "furniture", "rule", sure, note, rule)
