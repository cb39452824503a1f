"""Make an entry for errata.toml from a word of a scan and its correct reading.

Nothing is written: the entry is a text to copy, and is returned only if it passes the checks of errata.toml.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from extract.corpus.errata import check_entries
from extract.errors import BookError, printable
from kb.read import queries
from kb.read.rows import EditRow, SuggestionRow, UnitRow, fetch
from kb.tables.views import CITED

REASON = "misread"
# Kinds of readings to choose from. `speck` is not a kind in errata.toml: there it is an empty reading.
KINDS = ("ocr", "join", "speck", "furniture", "typo", "illegible")
_NOTHING = ("speck", "furniture")
_KEYS = {"typo": "meant", "illegible": "guess"}
# Characters of context on either side of a place.
AROUND = 60
PAGE_AT = f"""
select {CITED.format("p", "folio")} from page p where book_id = ? and raw_start <= ? and raw_end > ?
order by raw_start desc limit 1
"""
_BLANK, _LETTER = re.compile(r"\s"), re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class MisreadPlace:
    """A span of a scan that can get a new reading, [raw_start, raw_end) in characters, with the words around it.

    `scan` is the text there, `read` the present reading, and `doubts` are other readings, the most probable first.
    `entries` are the editor's edits there; if there are any, no other entry may be added.
    """

    book_id: str
    unit_id: str | None
    page: str | None
    raw_start: int
    raw_end: int
    scan: str
    read: str
    left: str
    right: str
    doubts: tuple[str, ...] = ()
    entries: tuple[EditRow, ...] = ()

    @property
    def likeliest(self) -> str:
        """The reading to start from: the most probable doubt, or else the present reading."""
        return self.doubts[0] if self.doubts else self.read


def place_at(conn: sqlite3.Connection, unit: UnitRow, at: int) -> MisreadPlace | None:
    """Find the word of a unit at an offset: between whitespace, widened to each edit and doubt that touches it.

    An edit of the editor's is a place of its own, and a word beside it ends there.

    Args:
        conn: the knowledge base.
        unit: the unit.
        at: an offset into the scan; between two words the later is meant.
    Returns:
        The place; None if the unit has no word there.
    """
    parts = (unit, *queries.continued(conn, unit.id))
    within = next((u for u in parts if u.raw_start <= at < u.raw_end), None)
    if within is None:
        return None
    start, end = within.raw_start, within.raw_end
    edits = queries.edits(conn, unit.book_id, start, end)
    editor_edits = [e for e in edits if e.source == "editor"]
    if entry := next((e for e in editor_edits if e.raw_start <= at < e.raw_end), None):
        return stretch(conn, unit.book_id, entry.raw_start, entry.raw_end, unit.id)
    scan = queries.scan(conn, unit.book_id, start, end)
    if scan[at - start].isspace():
        later = _LETTER.search(scan, at - start)
        return place_at(conn, unit, start + later.start()) if later else None
    low = max([start, *(e.raw_end for e in editor_edits if e.raw_end <= at)])
    high = min([end, *(e.raw_start for e in editor_edits if e.raw_start > at)])
    touching = [e for e in edits if e.source != "editor" and (e.before + e.after).strip()]
    joins = [(e.raw_start, e.raw_end) for e in touching if e.kind == "join"]
    others = [(e.raw_start, e.raw_end) for e in touching if e.kind != "join"]
    others += [(d.raw_start, d.raw_end) for d in queries.suggestions(conn, unit.book_id, start, end)]
    # A join touches the words next to it on both sides; another edit only words with which it shares characters.
    spans = [(max(x, low) - low, min(y, high) - low, reach) for reach, of in ((1, joins), (0, others)) for x, y in of]
    a, b = _word(scan[low - start : high - start], at - low, spans)
    return stretch(conn, unit.book_id, low + a, low + b, unit.id)


def _word(scan: str, at: int, spans: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """Return the word at an offset, widened to each of the spans (start, end, reach) that it touches."""
    a = b = at
    before = (-1, -1)
    while (a, b) != before:
        before = a, b
        a -= len(_BLANK.split(scan[:a])[-1])
        b += len(_BLANK.split(scan[b:], maxsplit=1)[0])
        for start, end, reach in spans:
            if start < b + reach and end > a - reach:
                a, b = min(a, start), max(b, end)
    return a, b


def stretch(conn: sqlite3.Connection, book_id: str, start: int, end: int, unit_id: str | None) -> MisreadPlace:
    """Return a span of a scan as a place that can get a new reading.

    Args:
        conn: the knowledge base.
        book_id: the book.
        start, end: the span, [start, end) in characters of the scan.
        unit_id: the unit that contains it, if any.
    """
    edits = queries.edits(conn, book_id, start, end)
    scan = queries.scan(conn, book_id, start, end)
    proposals = [
        _applied(scan, start, [d, *(e for e in edits if e.raw_end <= d.raw_start or e.raw_start >= d.raw_end)])
        for d in sorted(queries.suggestions(conn, book_id, start, end), key=lambda d: -d.confidence)
    ]
    folios = fetch(conn, lambda folio: folio, PAGE_AT, (book_id, start, start))
    first = max(0, start - AROUND)
    left, right = queries.scan(conn, book_id, first, start), queries.scan(conn, book_id, end, end + AROUND)
    return MisreadPlace(
        book_id,
        unit_id,
        folios[0] if folios else None,
        start,
        end,
        scan,
        _applied(scan, start, edits),
        ("…" + re.sub(r"^\S*\s", "", left) if first else left),
        (re.sub(r"\s\S*$", "", right) + "…" if len(right) == AROUND else right),
        tuple(dict.fromkeys(t for t in proposals if t != scan)),
        tuple(e for e in edits if e.source == "editor"),
    )


def _applied(scan: str, start: int, edits: Iterable[EditRow | SuggestionRow]) -> str:
    """Return a span of the scan with the edits that lie within it applied."""
    for e in sorted(edits, key=lambda e: e.raw_start, reverse=True):
        if start <= e.raw_start and e.raw_end <= start + len(scan):
            scan = scan[: e.raw_start - start] + e.after + scan[e.raw_end - start :]
    return scan


def block(conn: sqlite3.Connection, place: MisreadPlace, read: str, kind: str = "ocr", reason: str = REASON) -> str:
    """Return the entry for errata.toml that gives a place another reading, with its context as a comment.

    Args:
        conn: the knowledge base.
        place: the place.
        read: the printed text; for a misprint of the book what was meant, for an illegible place a guess or "".
        kind: one of `KINDS`; any other counts as an OCR error.
        reason: the reason for the reading; "" for `REASON`.
    Raises:
        BookError: the entry fails the checks of errata.toml, or the editor has an entry there already.
    """
    if place.entries:
        at = place.entries[0].raw_start
        raise BookError(f"The editor has an entry here already; change the one with `at = {at}` in errata.toml.")
    if kind not in (*_NOTHING, *_KEYS) and not read:
        raise BookError("Say what the print has here; if it is a speck, choose so.")
    return _checked(conn, place, written(place.raw_start, place.scan, read, kind, reason or REASON))


def confirmation(conn: sqlite3.Connection, place: MisreadPlace) -> str:
    """Return the entry for errata.toml that confirms the scan at a place, so that no other reading is suggested."""
    return _checked(conn, place, confirmed(place.raw_start, place.scan))


def _checked(conn: sqlite3.Connection, place: MisreadPlace, entry: str) -> str:
    """Return an entry with the words around its place as a comment; it must pass the checks of errata.toml."""
    where = [f"{place.book_id}/errata.toml", place.unit_id, f"page {place.page}" if place.page else None]
    around = " ".join(f"{place.left}[{place.scan}]{place.right}".split())
    text = "".join(f"# {printable(line)}\n" for line in (", ".join(filter(None, where)), around)) + entry
    check_entries(text, queries.scan(conn, place.book_id, 0, place.raw_end + AROUND))
    return text


def written(at: int, scan: str, read: str, kind: str, reason: str) -> str:
    """Return a `[[reading]]` in TOML, unchecked; see `block`."""
    fields: dict[str, int | str] = {"at": at, "scan": scan}
    if kind not in _KEYS:
        fields["read"] = "" if kind in _NOTHING else read
    elif read:
        fields[_KEYS[kind]] = read
    if kind in KINDS and kind not in ("ocr", "speck"):
        fields["kind"] = kind
    return _table("reading", fields | {"reason": reason})


def confirmed(at: int, scan: str) -> str:
    """Return a `[[confirmed]]` in TOML, unchecked; see `confirmation`."""
    return _table("confirmed", {"at": at, "scan": scan, "reason": "makes sense as scanned"})


def _table(name: str, fields: Mapping[str, int | str]) -> str:
    return f"[[{name}]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in fields.items())


def _toml(value: int | str) -> str:
    """Return a value in TOML: its basic strings have all escapes of JSON, but DEL must be escaped too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
