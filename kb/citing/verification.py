"""Verify the citations of a text: the provisions it cites, and the words it quotes from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from kb.citing import quotation
from kb.citing.extraction import CitationFound, extract
from kb.editorial.provisions import letters, plain
from kb.read import cite, lookup, queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import UnitRow
from kb.read.written import UNITS

# The fewest letters of words that are searched for in other provisions: many provisions have shorter ones.
_LEAST_LETTERS = 12
# Of 100: words this similar to the unit's are a slip of the pen, even if other provisions have them exactly.
_SLIP = 85
_MOST_PAGES = 3  # of a unit; a text may give any of them

Status = Literal["unchanged", "corrected", "moved", "differs", "elsewhere", "not there", "ambiguous", "not found"]


@dataclass(frozen=True, slots=True)
class CitationVerdict:
    """The result of verifying a citation.

    Attributes:
        claim: the citation.
        status: one of these:
            `unchanged`: the unit exists and has the words quoted, if any.
            `corrected`: the words match their hash, but read otherwise in the unit, which has been changed since.
            `differs`: the unit has similar words. `elsewhere`: another unit (`unit`) has the words.
            `not there`: no similar words are found. `moved`: the unit has another id now.
            `ambiguous`: it may mean several units, which are in `nearest`.
            `not found`: there is no such unit; `nearest` has similar ids.
        unit: the present id of the unit.
        now: the words quoted as they read in the unit; "" if it has nothing similar.
        altered: whether the words do not match their hash, because the text was changed after it was cited.
        citation: the present citation of the unit.
        nearest: see `status`.
        page: the page on which the unit begins, if the text gives another; else "".
    """

    claim: CitationFound
    status: Status
    unit: str = ""
    now: str = ""
    altered: bool = False
    citation: str = ""
    nearest: tuple[str, ...] = ()
    page: str = ""


def verify(conn: sqlite3.Connection, text: str, base: str, most: int) -> tuple[list[CitationVerdict], str]:
    """Verify each citation of a text, in order.

    Args:
        base: the URL at which the library is served, for permalinks.
        most: the most citations to verify.
    Returns:
        The verdicts, and a note if citations were left out (else "").
    """
    found = extract(conn, text, most)
    note = f"Only the first {most} citations were looked at." if len(found) > most else ""
    return [_with_page(conn, _verdict(conn, claim, base)) for claim in found[:most]], note


@dataclass(frozen=True, slots=True)
class Change:
    """A change to a text: the characters from `start` to `end` are replaced by `words`, or a `remark` follows them."""

    start: int
    end: int
    words: str = ""
    remark: str = ""


def changes(verdicts: Iterable[CitationVerdict]) -> list[Change]:
    """The changes that correct the citations of a text, in order: new words, or remarks after citations."""
    found = []
    for verdict in verdicts:
        claim = verdict.claim
        nearest = f"; nearest: {', '.join(verdict.nearest)}" if verdict.nearest else ""
        remark = {
            "moved": f"now {verdict.unit}",
            "elsewhere": f"these words stand in {verdict.unit}",
            "not there": f"{verdict.unit} has no words like these",
            "not found": f"there is no such provision{nearest}",
            "ambiguous": f"this may be {' or '.join(verdict.nearest)}",
            "unchanged": "the quotation was not checked" if claim.unread else "",
        }.get(verdict.status, "")
        remark = "; ".join(filter(None, (remark, f"it is on p. {verdict.page}" if verdict.page else "")))
        if claim.words_at and verdict.now and verdict.status in ("differs", "corrected"):
            found.append(Change(*claim.words_at, words=verdict.now))
        elif remark:
            found.append(Change(claim.at[1], claim.at[1], remark=remark))
    found.sort(key=lambda change: (change.start, change.end))
    kept: list[Change] = []
    for change in found:
        if not kept or change.start >= kept[-1].end:
            kept.append(change)
    return kept


def marked(text: str, verdicts: Iterable[CitationVerdict]) -> str:
    """A text with corrections of its citations as tracked changes (CriticMarkup).

    Words that differ are replaced (`{~~old~>new~~}`); any remark is a comment after the citation (`{>>...<<}`).
    """
    pieces, behind = [], 0
    for change in changes(verdicts):
        mark = f"{{~~{text[change.start : change.end]}~>{change.words}~~}}" if change.words else ""
        pieces += [text[behind : change.start], mark or f"{{>>{change.remark}<<}}"]
        behind = change.end
    return "".join([*pieces, text[behind:]])


def _verdict(conn: sqlite3.Connection, claim: CitationFound, base: str) -> CitationVerdict:
    if claim.cited and not claim.id:
        if not claim.meant:
            return CitationVerdict(claim, "not found", nearest=claim.nearest)
        # Of several units that it may mean, it means the one that has the words.
        having = [
            u for u in claim.meant if claim.words and quotation.find_in_pieces(queries.unit(conn, u).text, claim.words)
        ]
        if len(having) != 1:
            return CitationVerdict(claim, "ambiguous", nearest=claim.meant)
        claim = replace(claim, id=having[0])
    altered = bool(claim.letters and claim.words) and letters(claim.words) != claim.letters
    unit_id = queries.moved(conn, claim.id) or claim.id
    unit = queries.find_unit(conn, unit_id)
    if unit is None:
        near = tuple(lookup.nearest_ids(conn, claim.id, 3))
        return CitationVerdict(claim, "not found", altered=altered, nearest=near)
    status: Status = "unchanged" if unit_id == claim.id else "moved"
    if claim.words:  # a case is printed with its decision, and cited for both
        printed = [unit, *(u for u in queries.children(conn, unit.id) if u.kind == "decision")]
        unit = next((u for u in printed if quotation.find_in_pieces(u.text, claim.words)), unit)
    line, url = _line(conn, unit, base)
    if not claim.words:
        return CitationVerdict(claim, status, unit.id, altered=bool(claim.letters), citation=f"{line} <{url}>")
    now = quotation.find_in_pieces(unit.text, claim.words)
    if now is None:
        was_right = bool(claim.letters) and not altered
        other = None if was_right else _elsewhere(conn, unit, claim.words)
        now = quotation.nearest_in_pieces(unit.text, claim.words)
        similarity = quotation.likeness(now, claim.words) if now else 0.0
        if other is None and similarity < _SLIP and not was_right:
            other, now = _most_similar(conn, unit, claim.words, similarity) or (None, now)
        if other and (other.work == unit.work or similarity < _SLIP):
            line, url = _line(conn, other, base)
            found = quotation.find(other.text, claim.words) or now or ""
            return CitationVerdict(claim, "elsewhere", other.id, found, altered, f"{line} <{url}>")
        if status == "unchanged":
            status = "corrected" if was_right else "differs" if now else "not there"
    full_citation = quotation.quoted(unit, line, url, now).line if now and "…" not in now else f"{line} <{url}>"
    return CitationVerdict(claim, status, unit.id, now or "", altered, full_citation)


def _with_page(conn: sqlite3.Connection, verdict: CitationVerdict) -> CitationVerdict:
    """A verdict that says on which page the unit begins, if the text gives a page that cannot be one of its own."""
    cited = verdict.claim.page and verdict.status in ("unchanged", "differs") and queries.find_unit(conn, verdict.unit)
    if not cited or not (cited.page or "").isdecimal():
        return verdict
    first = int(cited.page or 0)
    return verdict if first <= verdict.claim.page < first + _MOST_PAGES else replace(verdict, page=str(first))


def _line(conn: sqlite3.Connection, unit: UnitRow, base: str) -> tuple[str, str]:
    """The plain citation of a unit and its permalink."""
    return cite.plain(cite.cited(conn, unit)), f"{base.rstrip('/')}/{unit.id}"


def _elsewhere(conn: sqlite3.Connection, unit: UnitRow, words: str) -> UnitRow | None:
    """Another unit that has the words quoted: the shortest of the same law, else of the same work, else of any work."""
    wanted = plain(words)
    if len(wanted) < _LEAST_LETTERS:
        return None
    having = [other for other, text in _plain_texts(conn).values() if wanted in text and other.id != unit.id]
    having = [other for other in having if quotation.find(other.text, words)]
    law = unit.parent_id or unit.id
    return min(
        having,
        key=lambda u: (u.id != law and u.parent_id != law, u.work != unit.work, len(u.text)),
        default=None,
    )


def _most_similar(conn: sqlite3.Connection, unit: UnitRow, words: str, least: float) -> tuple[UnitRow, str] | None:
    """The other paragraph of a unit's law with the words most similar to those quoted, and these words.

    None if their similarity is less than `_SLIP` or `least`.
    """
    law = unit.parent_id if unit.kind == "subclause" and unit.parent_id else unit.id
    others = [other for other in queries.children(conn, law) if other.kind == "subclause" and other.id != unit.id]
    found = [(other, near) for other in others if (near := quotation.nearest_in_pieces(other.text, words))]
    best = max(found, key=lambda pair: quotation.likeness(pair[1], words), default=None)
    return best if best and quotation.likeness(best[1], words) >= max(_SLIP, least) else None


@cached_per_build
def _plain_texts(conn: sqlite3.Connection) -> dict[str, tuple[UnitRow, str]]:
    """All units, by id, with the letters and digits of their texts (`plain`)."""
    units = queries.units(conn, UNITS(conn))
    return {i: (unit, plain(unit.text)) for i, unit in units.items()}
