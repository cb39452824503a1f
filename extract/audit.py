"""The audit of a book: gaps, repeats and misread labels in its numberings, its misprints, and references astray."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extract.corpus.book import Book
from extract.corpus.plan import ChaptersPart, Series
from extract.model import AuditFinding, Edit, Page, Reference, Unit

_MISSING = "missing: no unit has this number"
_ASTRAY = {
    "slip": "the author's own mistake: he means another place",
    "dangling": "refers to something that is not in this library",
}


def audit(
    book: Book,
    units: Sequence[Unit],
    pages: Sequence[Page],
    edits: Sequence[Edit] = (),
    references: Sequence[Reference] = (),
) -> tuple[AuditFinding, ...]:
    """List the irregularities in the numberings and references of a book, its misprints, and its lost page numbers.

    Args:
        book: the book, whose series may state the last number that the print has.
        units: its units.
        pages: its pages, but those that the editor states; those with an interpolated page number are reported.
        edits: its edits; those of kind `typo` are misprints of the book itself.
        references: its references; dangling ones and the author's slips are reported.
    Returns:
        The findings of each series, then those on pages, misprints and references.
    """
    found: list[AuditFinding] = []
    for part in book.parts:
        for series in part.numberings:
            found += _series(book, series, units)
        if isinstance(part, ChaptersPart):
            found += _chapters(book, part, units)
    lost = "page number missing from the scan; position estimated"
    found += [
        AuditFinding(book.id, "pages", "gap", p.folio or "", p.raw_start, lost)
        for p in pages
        if p.status == "interpolated"
    ]
    found += [
        AuditFinding(book.id, "misprints", "slip", " ".join(e.before.split()), e.raw_start, e.note)
        for e in edits
        if e.kind == "typo"
    ]
    found += [
        AuditFinding(book.id, "references", r.status, " ".join(r.raw.split()), r.raw_start, _ASTRAY[r.status])
        for r in references
        if r.status in _ASTRAY
    ]
    return tuple(found)


def _series(book: Book, series: Series, units: Sequence[Unit]) -> list[AuditFinding]:
    owner = series.code or book.id
    own = (u for u in units if u.kind == series.kind and u.id.startswith(f"{owner}/"))
    members = [u for u in own if series.labels(u.id, u.number)]
    members = [u for u in members if (u.number or "").removeprefix(series.prefix).isdecimal()]
    name = f"{owner} {series.name}" + (f" {series.prefix.upper()}" if series.prefix else "")
    numbers = [int((u.number or "0")[len(series.prefix) :]) for u in members]
    found: list[AuditFinding] = []
    for number in sorted(set(series.due(numbers)) - set(numbers)):
        found.append(AuditFinding(book.id, name, "gap", str(number), None, _MISSING))
    for unit, number in zip(members, numbers, strict=True):
        if numbers.count(number) > 1:
            found.append(
                AuditFinding(book.id, name, "repeat", str(number), unit.raw_start, "repeated: several units have it")
            )
        if unit.confidence < 0.9:
            found.append(
                AuditFinding(
                    book.id,
                    name,
                    "garbled",
                    str(number),
                    unit.raw_start,
                    "number misread; inferred from its position",
                )
            )
    return found


def _chapters(book: Book, part: ChaptersPart, units: Sequence[Unit]) -> Iterator[AuditFinding]:
    """The numbers that are missing among the articles of a part, and among the sections of each, up to the last one."""
    outer, inner = part.series
    stem = f"{book.id}/{outer.slug}-"
    articles = {u.id: u.number or "" for u in units if u.kind == "section" and u.id.startswith(stem)}
    for name, members in (
        (outer.name, [*articles.values()]),
        *(
            (f"{outer.name} {number}, {inner.name}", [u.number or "" for u in units if u.parent_id == article])
            for article, number in articles.items()
        ),
    ):
        numbers = {int(number) for number in members if number.isdecimal()}
        for number in sorted({*range(1, max(numbers, default=0))} - numbers):
            yield AuditFinding(book.id, name, "gap", str(number), None, _MISSING)
