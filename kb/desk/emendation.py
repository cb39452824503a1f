"""From a word of a scan to the entry of errata.toml that says what the print has there.

Nothing is written: the entry is a text to be copied, and is given only if the checks of errata.toml take it.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from extract.corpus.errata import check_entries
from extract.errors import BookError, printable
from kb.read import queries
from kb.read.rows import EditRow, SuggestionRow, UnitRow, fetch

REASON = "misread"
# What a reading may be said to be. A speck is no kind of errata.toml: it is a reading of nothing.
KINDS = ("ocr", "join", "speck", "furniture", "typo", "illegible")
_NOTHING = ("speck", "furniture")
_KEYS = {"typo": "meant", "illegible": "guess"}
# Characters shown on either side of a place.
AROUND = 60
PAGE_AT = """
select folio from page where book_id = ? and raw_start <= ? and raw_end > ? order by raw_start desc limit 1
"""
_BLANK, _LETTER = re.compile(r"\s"), re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class MisreadPlace:
    """A stretch of a scan that can be read anew, [raw_start, raw_end) in characters, with the words around it.

    `scan` is what stands there, `read` what is read now, and `doubts` are other readings, the likeliest first.
    `entries` is what the editor has said of it already; where he has, no other reading may stand.
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
        """The reading to begin with: a doubt of it, or else what is read now."""
        return self.doubts[0] if self.doubts else self.read


def place_at(conn: sqlite3.Connection, unit: UnitRow, at: int) -> MisreadPlace | None:
    """The word of a unit at an offset, from blank to blank, with the whole of each edit and doubt that touches it.

    What the editor has read is a place of its own, and ends a word that stands beside it.

    Args:
        conn: the knowledge base.
        unit: the unit.
        at: an offset into the scan; between two words the later is meant.
    Returns:
        The place; nothing if no word of the unit stands there.
    """
    stretches = (unit, *queries.continued(conn, unit.id))
    within = next((u for u in stretches if u.raw_start <= at < u.raw_end), None)
    if within is None:
        return None
    start, end = within.raw_start, within.raw_end
    edits = queries.edits(conn, unit.book_id, start, end)
    own = [e for e in edits if e.source == "editor"]
    if entry := next((e for e in own if e.raw_start <= at < e.raw_end), None):
        return stretch(conn, unit.book_id, entry.raw_start, entry.raw_end, unit.id)
    scan = queries.scan(conn, unit.book_id, start, end)
    if scan[at - start].isspace():
        later = _LETTER.search(scan, at - start)
        return place_at(conn, unit, start + later.start()) if later else None
    low = max([start, *(e.raw_end for e in own if e.raw_end <= at)])
    high = min([end, *(e.raw_start for e in own if e.raw_start > at)])
    touching = [e for e in edits if e.source != "editor" and (e.before + e.after).strip()]
    joins = [(e.raw_start, e.raw_end) for e in touching if e.kind == "join"]
    others = [(e.raw_start, e.raw_end) for e in touching if e.kind != "join"]
    others += [(d.raw_start, d.raw_end) for d in queries.suggestions(conn, unit.book_id, start, end)]
    # A join takes in the words on both sides of it, which it meets; another edit the words that it shares letters with.
    spans = [(max(x, low) - low, min(y, high) - low, meets) for meets, of in ((1, joins), (0, others)) for x, y in of]
    a, b = _word(scan[low - start : high - start], at - low, spans)
    return stretch(conn, unit.book_id, low + a, low + b, unit.id)


def _word(scan: str, at: int, spans: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """The word at an offset, with each of the spans (start, end, from how far it is met) that it comes upon."""
    a = b = at
    before = (-1, -1)
    while (a, b) != before:
        before = a, b
        a -= len(_BLANK.split(scan[:a])[-1])
        b += len(_BLANK.split(scan[b:], maxsplit=1)[0])
        for start, end, meets in spans:
            if start < b + meets and end > a - meets:
                a, b = min(a, start), max(b, end)
    word = scan[a:b]
    return a + len(word) - len(word.lstrip()), b - len(word) + len(word.rstrip())


def stretch(conn: sqlite3.Connection, book_id: str, start: int, end: int, unit_id: str | None) -> MisreadPlace:
    """A stretch of a scan as a place that can be read anew.

    Args:
        conn: the knowledge base.
        book_id: the book.
        start, end: the stretch, [start, end) in characters of the scan.
        unit_id: the unit in which it stands, if it stands in one.
    """
    edits = queries.edits(conn, book_id, start, end)
    scan = queries.scan(conn, book_id, start, end)
    thought = [
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
        tuple(dict.fromkeys(t for t in thought if t != scan)),
        tuple(e for e in edits if e.source == "editor"),
    )


def _applied(scan: str, start: int, edits: Iterable[EditRow | SuggestionRow]) -> str:
    """A stretch with the edits that lie within it."""
    for e in sorted(edits, key=lambda e: e.raw_start, reverse=True):
        if start <= e.raw_start and e.raw_end <= start + len(scan):
            scan = scan[: e.raw_start - start] + e.after + scan[e.raw_end - start :]
    return scan


def block(conn: sqlite3.Connection, place: MisreadPlace, read: str, kind: str = "ocr", reason: str = REASON) -> str:
    """The entry for errata.toml that gives a place another reading, with its surroundings as a comment.

    Args:
        conn: the knowledge base.
        place: the place.
        read: what the print has; of a book's own misprint what was meant, of what nobody can read a guess, or "".
        kind: one of `KINDS`; any other is a misreading.
        reason: why it is read so; "" for that it was misread.
    Raises:
        BookError: the checks of errata.toml refuse it, or the editor has read the place already.
    """
    if place.entries:
        at = place.entries[0].raw_start
        raise BookError(f"The editor has an entry here already; change the one with `at = {at}` in errata.toml.")
    if kind not in (*_NOTHING, *_KEYS) and not read:
        raise BookError("Say what the print has here; if it is a speck, choose so.")
    where = [f"{place.book_id}/errata.toml", place.unit_id, f"page {place.page}" if place.page else None]
    around = " ".join(f"{place.left}[{place.scan}]{place.right}".split())
    entry = written(place.raw_start, place.scan, read, kind, reason or REASON)
    text = "".join(f"# {printable(line)}\n" for line in (", ".join(filter(None, where)), around)) + entry
    check_entries(text, queries.scan(conn, place.book_id, 0, place.raw_end + AROUND))
    return text


def written(at: int, scan: str, read: str, kind: str, reason: str) -> str:
    """A `[[reading]]` in TOML, unchecked; see `block`."""
    fields: dict[str, int | str] = {"at": at, "scan": scan}
    if kind not in _KEYS:
        fields["read"] = "" if kind in _NOTHING else read
    elif read:
        fields[_KEYS[kind]] = read
    if kind in KINDS and kind not in ("ocr", "speck"):
        fields["kind"] = kind
    fields["reason"] = reason
    return "[[reading]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in fields.items())


def _toml(value: int | str) -> str:
    """A value in TOML: JSON's escapes are a subset of those of its basic strings, which also want DEL escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
