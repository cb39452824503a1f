"""Read a TEI file of ours back into the edition it was written from: the inverse of `extract.tei.writer`."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import cast

from lxml import etree

from extract.errors import TeiError
from extract.model import Edit, Edition, FolioStatus, Page, Reference, Span, Unit, UnitKind
from extract.tei.cells import cell_text
from extract.tei.declared import Declared, find, read_declared
from extract.tei.terms import SCHEMA, content, pointed, unit_id
from extract.tei.units import NOTES, usual_heading, usual_label
from extract.tei.walk import Found, Walk
from extract.text.lines import joined
from extract.text.textlayer import TextLayer


def read_tei(path: Path) -> Edition:
    """Read a TEI file of ours.

    Args:
        path: the file.
    Returns:
        The edition, as `from_tei` gives it.
    Raises:
        TeiError: the file is missing, is no XML, or is not what `to_tei` writes.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    try:
        return from_tei(etree.parse(str(path), parser))
    except OSError as error:
        raise TeiError(f"{path} cannot be read; make it with `whist export --tei`.") from error
    except etree.XMLSyntaxError as error:
        raise TeiError(f"{path} is no XML ({error}); write it anew with `whist export --tei`.") from error


def from_tei(tree: etree._ElementTree) -> Edition:
    """Give back the edition that `to_tei` wrote.

    Args:
        tree: the document.
    Returns:
        Scan, edits, pages, units and references, as they were. Suggestions and findings are not in the file.
    Raises:
        TeiError: the document does not follow the schema, or its text was changed.
    """
    validate(tree)
    root = tree.getroot()
    declared = read_declared(root)
    walk = Walk(declared)
    walk.read(find(root, "t:text/t:body")[0])
    scan = "".join(walk.scan)
    if hashlib.sha256(scan.encode("utf-8")).hexdigest() != declared.sha256:
        raise TeiError(
            f"{declared.book_id}: the text is not that of the scan named in the header; it was changed or reformatted. "
            "Write it anew with `whist export --tei`."
        )
    ends = [*(start for start, _, _ in walk.pages[1:]), len(scan)]
    pages = tuple(
        Page(i, start, end, folio, cast(FolioStatus, status))
        for i, ((start, folio, status), end) in enumerate(zip(walk.pages, ends, strict=False))
    )
    layer = TextLayer(scan, tuple(walk.edits))
    home = _home(walk.units)
    references = [
        Reference(home.get(r.holder, r.holder), r.start, r.end, scan[r.start : r.end], target, r.status, r.confidence)
        for r in walk.references
        for target in r.targets
    ]
    return Edition(
        declared.book_id,
        scan,
        layer.edits,
        (),
        pages,
        _units(declared, walk, layer, pages),
        tuple(sorted(references, key=lambda r: (r.raw_start, r.raw_end))),
    )


def _units(declared: Declared, walk: Walk, layer: TextLayer, pages: tuple[Page, ...]) -> tuple[Unit, ...]:
    home = _home(walk.units)
    notes = sorted(found.span for found in walk.units if found.kind in NOTES or found.id in home)
    page_starts = [page.raw_start for page in pages]
    later = [u for u in walk.units if u.id in home]
    labels: dict[str, str] = {}
    units: list[Unit] = []
    for seq, found in enumerate(walk.units):
        at, key = found.element, found.id
        further = [u.span for u in later if home[u.id] == key]
        text = joined([layer.read_around(span, notes) for span in (found.span, *further)])
        names = _names(found)
        label = names.get("label", [usual_label(found.kind, text)])[0] or ""
        section = labels.get(found.section) if found.section else None
        heading = names.get("heading", [usual_heading(found.kind, label, section)])[0]
        code, why = at.get("source"), at.get("ana")
        page = pages[max(0, bisect_right(page_starts, found.start) - 1)].folio if pages else None
        units.append(
            Unit(
                key,
                declared.book_id,
                unit_id(pointed(code).removeprefix("code_")) if code is not None else None,
                cast(UnitKind, found.kind),
                label,
                at.get("n"),
                declared.parents.get(key, found.holder),
                heading,
                seq,
                found.start,
                found.end,
                page,
                text,
                declared.ground(why).confidence if why is not None else 1.0,
                tuple(unit_id(pointed(p)) for p in at.get("corresp", "").split()),
                _cells(found, names, layer, notes),
                home.get(key),
            )
        )
        labels[key] = label
    return tuple(units)


def _home(units: Sequence[Found]) -> dict[str, str]:
    """Of each further stretch of a footnote the id of the footnote."""
    before = {u.id: unit_id(pointed(prev)) for u in units if (prev := u.element.get("prev")) is not None}
    home: dict[str, str] = {}
    for key, first in before.items():
        while first in before:
            first = before[first]
        home[key] = first
    return home


def _names(found: Found) -> dict[str, list[str | None]]:
    """What the index entries of a unit give, by the name of the index; an entry without a term gives None."""
    place = found.element[0] if found.row else found.element
    names: dict[str, list[str | None]] = {}
    for index in find(place, "t:index"):
        terms = [content(term) for term in find(index, "t:term")]
        names.setdefault(index.get("indexName", ""), []).append(terms[0] if terms else None)
    return names


def _cells(found: Found, names: dict[str, list[str | None]], layer: TextLayer, notes: list[Span]) -> tuple[str, ...]:
    if not found.row:
        return tuple(cell or "" for cell in names.get("cell", ()))
    values = [cell.get("n") for cell in found.element]
    return tuple(
        cell_text(layer, span, notes) if value is None else value
        for value, span in zip(values, found.cells, strict=True)
    )


@cache
def _schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(str(SCHEMA)))


def validate(tree: etree._ElementTree) -> None:
    """Check a document against our schema, `whist-tei.rng`.

    Raises:
        TeiError: names the first line that does not follow it.
    """
    schema = _schema()
    if not schema.validate(tree):
        error = schema.error_log[0]
        raise TeiError(
            f"The TEI file does not follow whist-tei.rng (line {error.line}: {error.message}); "
            "write it anew with `whist export --tei`."
        )


def require_same(edition: Edition, read: Edition) -> None:
    """Make sure that an edition was read back as it was written.

    Args:
        edition: what was written.
        read: what was read.
    Raises:
        TeiError: names the first thing that differs, in the edition and in the file.
    """
    if edition.scan != read.scan:
        raise TeiError(f"{edition.book_id}: the TEI file does not give back the scan; report it as a fault.")
    lists: dict[str, tuple[Sequence[Edit | Page | Unit | Reference], Sequence[object]]] = {
        "edits": (sorted(edition.edits), read.edits),
        "pages": (edition.pages, read.pages),
        "units": (edition.units, read.units),
        "references": (sorted(edition.references, key=lambda r: (r.raw_start, r.raw_end)), read.references),
    }
    for what, (written, found) in lists.items():
        for a, b in zip(written, found, strict=False):
            for part in type(a).__match_args__ if a != b else ():
                one, other = getattr(a, part), getattr(b, part)
                if one != other:
                    name = a.id if isinstance(a, Unit) else f"{what} at {a.raw_start}"
                    raise TeiError(
                        f"{edition.book_id}: the {part} of {name} is {one!r}, but {other!r} by the TEI file; "
                        "the edition contradicts itself, or the file cannot carry it."
                    )
        if len(written) != len(found):
            raise TeiError(
                f"{edition.book_id}: {len(written)} {what} were written, {len(found)} read; report it as a fault."
            )
