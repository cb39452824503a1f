"""Verify the citations of a text: the provisions it cites, and the words it quotes from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from kb.citing import places, quotation
from kb.citing.extraction import CitationFound, extract
from kb.editorial.provisions import letters
from kb.read import cite, lookup, queries
from kb.read.rows import UnitRow

# Of 100: words this similar to the unit's are a slip of the pen, even if other provisions have them exactly.
_SLIP = 85
_LEAD = 80  # words less similar are no clue
MOST_LEADS = 3
"""The most units that are named as a clue."""

Status = Literal[
    "unchanged", "corrected", "moved", "differs", "elsewhere", "not there", "ambiguous", "not found", "not checked"
]


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
            `not checked`: the text does not say surely which unit or work it means, and the words do not decide.
        unit: the present id of the unit.
        now: the words quoted as they read in the unit; "" if it has nothing similar.
        altered: whether the words do not match their hash, because the text was changed after it was cited.
        citation: the present citation of the unit.
        leads: other units that have the words quoted, as a clue; if none has, one with similar words.
        nearest: see `status`.
        similar: the similar words of the clue; else "".
        page: the page or pages on which the words stand, or the unit, if the text gives another; else "".
        inferred: whether the number of this page is not read from the scan, but inferred from those of other pages.
        year: the year of the work, if the text gives another; else "".
    """

    claim: CitationFound
    status: Status
    unit: str = ""
    now: str = ""
    altered: bool = False
    citation: str = ""
    leads: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    similar: str = ""
    page: str = ""
    inferred: bool = False
    year: str = ""

    @property
    def result(self) -> str:
        """Its status, or what is wrong with the page or year if nothing else is."""
        if self.status != "unchanged":
            return self.status
        page = "page doubtful" if self.inferred else "wrong page"
        return page if self.page else "other year" if self.year else self.status

    @property
    def place(self) -> str:
        """The page and year of the words, in a sentence without capital and stop, if the text gives others."""
        page, year = f"p. {self.page}, not on p. {self.claim.page}", f"{self.year}, not of {self.claim.year}"
        doubt = "seems to be on {}: the number is inferred from other pages"
        said = [f"it {(doubt if self.inferred else 'is on {}').format(page)}"] if self.page else []
        return "; ".join([*said, f"the work here is of {year}"] if self.year else said)

    @property
    def clues(self) -> str:
        """Where the words stand besides its unit, in a sentence without capital and stop; "" if nowhere."""
        more = len(self.leads) - MOST_LEADS
        named = ", ".join(self.leads[:MOST_LEADS]) + (f" and {more} others" if more > 0 else "")
        if self.similar:
            return f"{named} has similar words: “{self.similar}”"
        return named and f"{'also' if self.status == 'elsewhere' else 'these words stand'} in {named}"


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
    return [_with_place(conn, _verdict(conn, claim, base)) for claim in found[:most]], note


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
            "not there": f"{verdict.unit or 'the book'} has no words like these",
            "not found": f"there is no such provision{nearest}",
            "ambiguous": f"this may be {' or '.join(verdict.nearest)}",
            "unchanged": "the quotation was not checked" if claim.unread else "",
            "not checked": "this was not checked",
        }.get(verdict.status, "")
        remark = "; ".join(filter(None, (remark, verdict.clues, verdict.place)))
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
    status: Status
    if claim.books:
        return _in_books(conn, claim, base)
    if claim.cited and not (claim.id and claim.sure):
        if not claim.meant and claim.sure:
            work = next(iter(claim.nearest), "").partition("/")[0]
            return _with_leads(conn, CitationVerdict(claim, "not found", nearest=claim.nearest), work)
        # Of several units that it may mean, it means the one that has the words.
        having = [
            u for u in claim.meant if claim.words and quotation.find_in_pieces(queries.unit(conn, u).text, claim.words)
        ]
        if len(having) != 1:
            status = "ambiguous" if claim.sure else "not checked"
            return _with_leads(conn, CitationVerdict(claim, status, nearest=claim.meant), "")
        claim = replace(claim, id=having[0])
    altered = bool(claim.letters and claim.words) and letters(claim.words) != claim.letters
    unit_id = queries.moved(conn, claim.id) or claim.id
    unit = queries.find_unit(conn, unit_id)
    if unit is None:
        near = tuple(lookup.nearest_ids(conn, claim.id, 3))
        missing = CitationVerdict(claim, "not found", altered=altered, nearest=near)
        return _with_leads(conn, missing, claim.id.partition("/")[0])
    status = "unchanged" if unit_id == claim.id else "moved"
    if claim.words:  # a case is printed with its decision, and cited for both
        printed = [unit, *(u for u in queries.children(conn, unit.id) if u.kind == "decision")]
        unit = next((u for u in printed if quotation.find_in_pieces(u.text, claim.words)), unit)
    line, url = _line(conn, unit, base)
    if not claim.words:
        return CitationVerdict(claim, status, unit.id, altered=bool(claim.letters), citation=f"{line} <{url}>")
    now = quotation.find_in_pieces(unit.text, claim.words)
    if now is None and claim.year:  # another work may be meant
        return _with_leads(conn, CitationVerdict(claim, "not checked", unit.id), unit.work)
    if now is None:
        was_right = bool(claim.letters) and not altered
        others = [] if was_right else places.having(conn, claim.words, unit)
        now = quotation.nearest_in_pieces(unit.text, claim.words)
        similarity = quotation.likeness(now, claim.words) if now else 0.0
        if not others and similarity < _SLIP and not was_right:
            law, here = unit.parent_id if unit.kind == "subclause" else unit.id, unit.id
            least = max(_SLIP, similarity)
            if near_by := places.most_similar(
                conn, claim.words, lambda u: u.parent_id == law and u.kind == "subclause" and u.id != here, least
            ):
                others, now = [near_by[0]], near_by[1]
        if others and (others[0].work == unit.work or similarity < _SLIP):
            line, url = _line(conn, others[0], base)
            found = quotation.find_in_pieces(others[0].text, claim.words) or now or ""
            also = tuple(other.id for other in others[1:])
            return CitationVerdict(claim, "elsewhere", others[0].id, found, altered, f"{line} <{url}>", leads=also)
        if status == "unchanged":
            status = "corrected" if was_right else "differs" if now else "not there"
    full_citation = quotation.quoted(unit, line, url, now).line if now and "…" not in now else f"{line} <{url}>"
    verdict = CitationVerdict(claim, status, unit.id, now or "", altered, full_citation)
    return verdict if now else _with_leads(conn, verdict, unit.work)


def _in_books(conn: sqlite3.Connection, claim: CitationFound, base: str) -> CitationVerdict:
    """The verdict on a citation of a page of a book: where the words quoted stand in it."""

    status: Status = "unchanged"
    if having := places.in_units(conn, claim.words, lambda u: u.book_id in claim.books):
        unit = next((u for u in having if places.is_on(claim.page, places.pages(conn, u, claim.words))), having[0])
        found = quotation.find_in_pieces(unit.text, claim.words) or ""
    else:
        sure = claim.words and claim.sure and not claim.year
        verdict = _with_leads(conn, CitationVerdict(claim, "not there" if sure else "not checked"), "")
        similar = queries.find_unit(conn, verdict.leads[0]) if sure and verdict.similar else None
        on_page = similar and places.is_on(claim.page, places.pages(conn, similar, verdict.similar))
        if not similar or not on_page or quotation.likeness(verdict.similar, claim.words) < _SLIP:
            return verdict
        unit, found, status = similar, verdict.similar, "differs"
    line, url = _line(conn, unit, base)
    return CitationVerdict(claim, status, unit.id, found, citation=f"{line} <{url}>")


def _with_leads(conn: sqlite3.Connection, verdict: CitationVerdict, work: str) -> CitationVerdict:
    """A verdict with the units that have the quoted words; else the one of a work, or the books, with similar ones."""
    claim = verdict.claim
    if exact := places.having(conn, claim.words):
        return replace(verdict, leads=tuple(unit.id for unit in exact))
    similar = places.most_similar(conn, claim.words, lambda u: u.work == work or u.book_id in claim.books, _LEAD)
    return replace(verdict, leads=(similar[0].id,), similar=similar[1]) if similar else verdict


def _with_place(conn: sqlite3.Connection, verdict: CitationVerdict) -> CitationVerdict:
    """A verdict that says which page and year are right, if the text gives others."""
    claim = verdict.claim
    checked = verdict.status in ("unchanged", "differs", "not checked")
    unit = queries.find_unit(conn, verdict.unit) if checked else None
    if checked and claim.year:
        years = [(code.id, code.year) for code in queries.codes(conn)] + [(b.id, b.year) for b in queries.books(conn)]
        works = (unit.code_id, unit.book_id) if unit else claim.books
        own = dict.fromkeys(str(year) for work, year in years if work in works)
        verdict = replace(verdict, year=", in a book of ".join(own))
    found = places.pages(conn, unit, verdict.now) if unit and claim.page and verdict.status != "not checked" else {}
    if not found or places.is_on(claim.page, found):
        return verdict
    numbers = [f"[{page}]" if inferred else page or "" for page, inferred in found.items()]
    ends = numbers if verdict.now else dict.fromkeys((numbers[0], numbers[-1]))
    return replace(verdict, page=(" and " if verdict.now else "–").join(ends), inferred=any(found.values()))


def _line(conn: sqlite3.Connection, unit: UnitRow, base: str) -> tuple[str, str]:
    """The plain citation of a unit and its permalink."""
    return cite.plain(cite.cited(conn, unit)), f"{base.rstrip('/')}/{unit.id}"
