"""Whether the citations of a text still hold: each id that stands in it, with the words quoted before it.

A citation is an id or a permalink (`english-1864/law-72/ii`). Its words are what stands in quotation marks directly
before it; where a mark `[sha256/16: ...]` follows, they are those words before the mark that have this hash.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Literal

from extract.corpus.table import WORK_ID
from extract.text.lines import collapse
from kb.citing import quotation
from kb.editorial.provisions import letters
from kb.read import cite, lookup, queries

# No quotation is longer, in characters or in letters (one sign may stand for 15), nor has so many quotation marks.
LONGEST_QUOTATION, MOST_MARKS = 5000, 60
_ID = re.compile(rf"(?<![\w-]){WORK_ID}(?:/[a-z0-9]+(?:-[a-z0-9]+)*)+", re.IGNORECASE)
_MARK = re.compile(r"\[\s*sha256/16:\s*(?P<letters>[0-9a-f]{16})\s*\]", re.IGNORECASE)
_PIECE = re.compile(f"(?P<id>{_ID.pattern})|{_MARK.pattern}", re.IGNORECASE)
_OPEN, _CLOSE = '“"‘«', '”"’»'
# Between words and the id they are quoted from: signs, and the front of a web address.
_BETWEEN = re.compile(r"[\s,.;:(<\[—–-]*(?:https?://[^\s<>“”\"]*)?", re.IGNORECASE)

Status = Literal["unchanged", "corrected", "moved", "not found"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a citation in a text says: an id, the words quoted from it, and their hash; "" for what it does not say."""

    id: str
    words: str = ""
    letters: str = ""


@dataclass(frozen=True, slots=True)
class CitationVerdict:
    """How a citation stands today.

    `unchanged`: the id leads to its unit, and what is quoted stands there. `corrected`: the words read otherwise now.
    `moved`: the id leads to another unit. `not found`: there is no such unit, and `nearest` are like it. `unit` is the
    unit of today, `now` how the words quoted read in it (empty if nothing like them is left), `citation` how to cite
    it. `altered`: the words are not those of the hash, so that the text was changed since the citation was made.
    """

    claim: Claim
    status: Status
    unit: str = ""
    now: str = ""
    altered: bool = False
    citation: str = ""
    nearest: tuple[str, ...] = ()


def verify(conn: sqlite3.Connection, text: str, base: str, most: int) -> tuple[list[CitationVerdict], str]:
    """Answer for each citation of a text, in its order.

    Args:
        base: where the library is served, for the permalinks of today.
        most: how many citations to look at.
    Returns:
        The verdicts, and a note on what was left out ("" if nothing was).
    """
    found = list(islice(claims(text), most + 1))
    note = f"Only the first {most} citations were looked at." if len(found) > most else ""
    return [_verdict(conn, claim, base) for claim in found[:most]], note


def claims(text: str) -> Iterator[Claim]:
    """The citations of a text, in its order."""
    behind = 0
    for piece, after in pairwise(chain(_PIECE.finditer(text), [None])):
        if piece and piece["id"]:
            mark = after if after and after["letters"] else None
            before = text[max(behind, piece.start() - LONGEST_QUOTATION) : piece.start()]
            yield _claim(before, piece["id"], mark["letters"].lower() if mark else "")
            behind = (mark or piece).end()


def _claim(before: str, unit_id: str, hashed: str) -> Claim:
    """What is claimed of a unit by the text before its id; `hashed` is what the mark behind says, "" without one."""
    words = None
    if hashed:
        starts = [i + 1 for i, sign in enumerate(before) if sign in _OPEN][-MOST_MARKS:]
        ends = [i for i, sign in enumerate(before) if sign in _CLOSE][-MOST_MARKS:]
        words = quotation.hashed(before, starts, ends, hashed, LONGEST_QUOTATION)
    said = _adjacent(before) if words is None else collapse(words)
    return Claim(unit_id.lower().removesuffix("/evidence"), said, hashed)


def _adjacent(before: str) -> str:
    """What stands in quotation marks at the end of a text, but for signs and the front of an address."""
    end = max(before.rfind(sign) for sign in _CLOSE)
    if end < 0 or not _BETWEEN.fullmatch(before, end + 1):
        return ""
    closing, opening = before[end], _OPEN[_CLOSE.index(before[end])]
    start, depth = end, 1
    while start and depth:
        start -= 1
        if before[start] == opening:
            depth -= 1
        elif before[start] == closing and closing != "’":  # within single marks it is an apostrophe
            depth += 1
    return "" if depth else collapse(before[start + 1 : end])


def _verdict(conn: sqlite3.Connection, claim: Claim, base: str) -> CitationVerdict:
    altered = bool(claim.letters and claim.words) and letters(claim.words) != claim.letters
    unit_id = queries.moved(conn, claim.id) or claim.id
    unit = queries.find_unit(conn, unit_id)
    if unit is None:
        near = tuple(lookup.nearest_ids(conn, claim.id, 3))
        return CitationVerdict(claim, "not found", altered=altered, nearest=near)
    status: Status = "unchanged" if unit_id == claim.id else "moved"
    plain, url = cite.plain(cite.cited(conn, unit)), f"{base.rstrip('/')}/{unit.id}"
    if not claim.words:
        return CitationVerdict(claim, status, unit.id, altered=bool(claim.letters), citation=f"{plain} <{url}>")
    now = quotation.find(unit.text, claim.words)
    if now is None:
        status = "corrected" if status == "unchanged" else status
        now = quotation.nearest(unit.text, claim.words)
    told = quotation.quoted(unit, plain, url, now).line if now else f"{plain} <{url}>"
    return CitationVerdict(claim, status, unit.id, now or "", altered, told)
