"""A misread word, pointed at on the page of its evidence: the entry for errata.toml, to be copied or sent."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from urllib.parse import quote

from datasette_plugins.endpoint import PageRequest
from extract.errors import BookError
from kb.desk.emendation import KINDS, REASON, MisreadPlace, block, place_at
from kb.read.rows import UnitRow

LARGEST = 10**8  # no scan has as many characters


@dataclass(frozen=True, slots=True)
class MisreadingReport:
    """What was pointed at, and the entry made of it.

    `picking` tells whether words are to be pointed at. Of `entry` and `fault` one is empty: the entry is whole, or a
    sentence says what is wrong; both are while nothing has been filled in. `guessed` is a reading that nobody has said
    yet, but a doubt.
    """

    picking: bool
    place: MisreadPlace | None
    read: str = ""
    kind: str = KINDS[0]
    reason: str = REASON
    entry: str = ""
    fault: str = ""
    guessed: bool = False

    @property
    def mail(self) -> str:
        """The address that opens a letter with the entry in it; to whom it goes the reader knows."""
        about = self.place.unit_id or self.place.book_id if self.place else ""
        return f"mailto:?subject={quote(f'Misreading in {about}')}&body={quote(self.entry)}"

    def holds(self, at: int) -> bool:
        """Whether a character belongs to the word that was pointed at."""
        return self.place is not None and self.place.raw_start <= at < self.place.raw_end


def misreading(conn: sqlite3.Connection, request: PageRequest, unit: UnitRow) -> MisreadingReport:
    """What an address says of a word of a unit: `at` its offset, and what is `read` there, of which `kind`, and why.

    Without a reading the likeliest is filled in; an entry is made of it at once only if somebody thought of it before.
    """
    asked = bool(request.get("at"))
    at = request.number("at", -1, 0, LARGEST)
    place = place_at(conn, unit, at)
    if place is None:
        return MisreadingReport(asked or bool(request.get("pick")), None, fault=_NO_WORD if asked else "")
    if place.entries:
        return MisreadingReport(True, place)
    given = bool(request.get("kind") or request.get("read"))
    read = request.get("read") if given else place.likeliest
    kind = request.get("kind") if request.get("kind") in KINDS else KINDS[0] if read else "furniture"
    reason = request.get("reason") or REASON
    if not given and not place.doubts:
        return MisreadingReport(True, place, read, kind, reason)
    try:
        made = block(conn, place, read, kind, reason)
        return MisreadingReport(True, place, read, kind, reason, entry=made, guessed=not given)
    except BookError as error:
        return MisreadingReport(True, place, read, kind, reason, fault=str(error))


_NO_WORD = "No word of this piece stands there; point at one in the OCR text."
