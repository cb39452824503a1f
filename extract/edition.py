"""One book from scan to edition: the stages in their order."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from extract.audit import audit
from extract.corpus.book import Book
from extract.corpus.errata import Errata, read_errata
from extract.correction.post_correction import PostCorrection, post_correct
from extract.errors import BookError, EditError
from extract.ledger import require_balance, settle
from extract.model import Edit, Edition, Slip, Unit
from extract.pages.folio import with_known
from extract.pages.furniture import Furniture, find_furniture
from extract.pages.inline_furniture import find_inline_furniture
from extract.pages.markdown_furniture import find_markdown_furniture
from extract.references.remarks import explained
from extract.references.resolution import find_references
from extract.segment.breaks import with_breaks
from extract.segment.outline import working_text
from extract.segment.segmentation import label_edits, outline, settle_units
from extract.text.lines import collapse
from extract.text.source import Layout, read_scan, recognise_layout
from extract.text.spacing import LINE_END_HYPHEN, spaced
from extract.text.textlayer import TextLayer, check_edits

_FURNITURE = {
    "lines": find_furniture,
    "markdown": find_markdown_furniture,
    "single-line": find_inline_furniture,
}


def make_edition(book: Book, *, unaided: bool = False) -> Edition:
    """Make the edition of one book: a pure function of its folder and its witnesses' scans, fit for a worker process.

    Args:
        book: the book.
        unaided: leave the editor's files aside.
    Returns:
        Edits, pages, units, references, and the audit.
    Raises:
        WhistError: the scan or the editor's files are not what they must be, or the ledger does not balance.
    """
    scan = read_scan(book.scan_path, book.sha256)
    layout: Layout = book.layout or recognise_layout(scan)
    errata = Errata() if unaided else _in_order(read_errata(book.folder / "errata.toml", scan))
    furniture = _FURNITURE[layout](scan)
    try:
        pages = with_known(furniture.pages, errata.folios)
    except BookError as error:
        raise BookError(f"{book.folder / 'errata.toml'}: {error}") from error
    kept = _without_clashes(furniture, errata.edits)
    corrected = post_correct(
        scan, kept, layout=layout, fixed=errata.edits, witnesses=_witnesses(book), habits=book.habits
    )
    edits = tuple(sorted([*kept, *errata.edits, *corrected.edits]))
    try:
        check_edits(scan, edits)
    except EditError as error:
        raise EditError(f"{book.folder / 'errata.toml'}: {error}") from error
    segments = outline(work := working_text(scan, edits, pages, layout, errata.passages), book)
    labels = label_edits(work, scan, segments)
    if labels:
        edits = _with_labels(edits, labels)
        segments = outline(work := working_text(scan, edits, pages, layout, errata.passages), book)
    edits = with_breaks(work, scan, edits, segments)
    units = settle_units(work, book, TextLayer(scan, edits), segments)
    edits = _sweep(scan, edits, units)
    require_balance(book.id, scan, settle(scan, units, edits))
    _require_cited(book, errata.slips, units)
    references = find_references(units, TextLayer(scan, edits), book.citations, slips=errata.slips)
    return Edition(
        book.id,
        scan,
        edits,
        suggestions=(*errata.doubts, *corrected.suggestions),
        pages=pages,
        units=explained(units, references),
        references=references,
        findings=audit(book, units, pages, edits, references),
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


def _in_order(errata: Errata) -> Errata:
    """The editor's readings; where he lets the letters of the scan stand, their white space is set in order."""
    edits = (replace(e, after=spaced(e.before)) if e.after == e.before else e for e in errata.edits)
    return replace(errata, edits=tuple(edits))


def post_correct_scan(book: Book, without: Set[str] = frozenset()) -> PostCorrection:
    """What the rules of correction make of a book's scan without the editor.

    Args:
        book: the book.
        without: names of rules to leave out.
    """
    scan = read_scan(book.scan_path, book.sha256)
    layout: Layout = book.layout or recognise_layout(scan)
    return post_correct(
        scan, _FURNITURE[layout](scan).edits,
        layout=layout, witnesses=_witnesses(book), habits=book.habits, without=without,
    )  # fmt: skip


def _witnesses(book: Book) -> tuple[str, ...]:
    """The scans of the book's witnesses as running text."""
    scans = (read_scan(book.folder.parent / witness / "scan.txt") for witness in book.witnesses)
    return tuple(collapse(LINE_END_HYPHEN.sub(r"\1\2", scan)) for scan in scans)


def _without_clashes(furniture: Furniture, fixed: Sequence[Edit]) -> tuple[Edit, ...]:
    """Furniture where the editor reads nothing else."""
    kept = (e for e in furniture.edits if not any(e.span.meets(f.span) for f in fixed))
    return tuple(replace(e, rule=f"furniture.{e.note.replace(' ', '-')}") for e in kept)


def _with_labels(edits: Sequence[Edit], labels: Sequence[Edit]) -> tuple[Edit, ...]:
    """Add the edits of labels; an edit of white space inside a label is taken in by the label's own."""
    within = {e for x in labels for e in edits if x.raw_start <= e.raw_start and e.raw_end <= x.raw_end}
    rest = [e for e in edits if e not in within]
    clear = [x for x in labels if not any(e.span.meets(x.span) for e in rest if e.raw_end > e.raw_start)]
    lost = {e for x in labels if x not in clear for e in within if x.span.covers(e.span)}
    return tuple(sorted([*rest, *lost, *clear]))


def _sweep(scan: str, edits: Sequence[Edit], units: Sequence[Unit]) -> tuple[Edit, ...]:
    """Signs that are read as nothing and stand between units are furniture; specks no rule removed become so."""
    covered = bytearray(len(scan))
    for unit in units:
        covered[unit.raw_start : unit.raw_end] = b"\1" * (unit.raw_end - unit.raw_start)
    swept: list[Edit] = []
    for edit in edits:
        outside = not any(covered[edit.raw_start : edit.raw_end]) and edit.before.strip() and not edit.after.strip()
        swept.append(replace(edit, kind="furniture") if outside else edit)
    for edit in swept:
        covered[edit.raw_start : edit.raw_end] = b"\1" * (edit.raw_end - edit.raw_start)
    at = 0
    while at < len(scan):
        if covered[at] or scan[at].isspace():
            at += 1
            continue
        end = at
        while end < len(scan) and not covered[end] and not scan[end].isspace():
            end += 1
        if not any(map(str.isalnum, scan[at:end])):
            speck = Edit(
                at, end, scan[at:end], "", "furniture", "rule", 0.6, "speck between two units", "furniture.speck"
            )
            swept.append(speck)
        at = end
    return tuple(sorted(swept))
