"""Verify the citations of a text: the provisions it cites, and the words it quotes from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from extract.language.folding import words_of
from kb.alignment.contrasts import NEGATIONS
from kb.citing import places, quotation
from kb.citing.citation import Citation
from kb.citing.extraction import extract
from kb.editorial.provisions import letters
from kb.read import cite, nearest, queries

# Of 100: words this similar to the unit's are a slip of the pen, even if other provisions have them exactly.
_SLIP = 85
_LEAD = 80  # words less similar are no clue
_MOST_NAMED = 3  # units in a remark

Status = Literal["unchanged", "corrected", "differs", "elsewhere", "not there", "ambiguous", "not found", "not checked"]


@dataclass(frozen=True, slots=True)
class CitationVerdict:
    """The result of verifying a citation.

    Attributes:
        claim: the citation.
        status: one of these:
            `unchanged`: the unit exists and has the words quoted, if any.
            `corrected`: the words match their hash, but read otherwise in the unit, which has been changed since.
            `differs`: the unit has similar words. `elsewhere`: another unit (`unit`) has the words.
            `not there`: no similar words are found.
            `ambiguous`: it may mean several units, which are in `nearest`.
            `not found`: there is no such unit; `nearest` has similar ids.
            `not checked`: the text does not say surely which unit or work it means, and the words do not decide.
        unit: the present id of the unit.
        now: the words quoted as they read in the unit; "" if it has nothing similar.
        citation: the present citation of the unit.
        leads: other units that have the words quoted, as a clue; if none has, one with similar words.
        nearest: see `status`.
        similar: the similar words of the clue; else "".
        page: the page or pages on which the words stand, or the unit, if the text gives another; else "".
        year: the year of the work, if the text gives another; else "".
        denial: a negation that the quotation leaves out; else "".
    """

    claim: Citation
    status: Status
    unit: str = ""
    now: str = ""
    citation: str = ""
    leads: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    similar: str = ""
    page: str = ""
    year: str = ""
    denial: str = ""

    @property
    def altered(self) -> bool:
        """Whether the words do not match their hash, because the text was changed after it was cited."""
        return bool(self.claim.letters) and letters(self.claim.words) != self.claim.letters

    @property
    def inferred(self) -> bool:
        """Whether the number of the page is not read from the scan, but inferred from those of other pages."""
        return "[" in self.page

    @property
    def result(self) -> str:
        """Its status, or what is wrong with the page or year if nothing else is."""
        if self.status != "unchanged":
            return self.status
        page = "page doubtful" if self.inferred else "wrong page"
        return page if self.page else "other year" if self.year else self.status

    @property
    def correct(self) -> bool:
        """Whether nothing is wrong with the citation, and no quotation beside it was left unchecked."""
        return self.result == "unchanged" and not (self.altered or self.denial or self.claim.unread)

    @property
    def remarks(self) -> list[str]:
        """What is to be said of it: what its status means here, then clues, then the page and year."""
        claim, here = self.claim, (self.unit,) if self.unit else self.claim.books
        other = "" if self.now == claim.words else self.now
        page, doubt = f"p. {self.page}, not on p. {claim.page}", ": the number is inferred from other pages"
        unsure = "the text does not say surely which provision it means; name the work and a number"
        said = {
            "unchanged": claim.books and _remark("the words are in", here),
            "corrected": _remark("it reads now", words=self.now),
            "differs": _remark("it reads", words=self.now),
            "elsewhere": _remark("the words are in", here, other),
            "not there": _remark("no words like these are in", here),
            "ambiguous": _remark("this may be", self.nearest),
            "not found": _remark(f"there is no such provision{'; nearest:' if self.nearest else ''}", self.nearest),
            "not checked": _remark(f"{unsure}{'; it may be' if self.nearest else ''}", self.nearest),
        }[self.status]
        clue = "similar words are in" if self.similar else "also in" if self.now else "these words stand in"
        seems = f"seems to be on {page}{doubt}" if self.inferred else f"is on {page}"
        unread = "a quotation in this sentence was not checked; put it directly before the citation"
        every = (
            said,
            self.leads and _remark(clue, self.leads, self.similar),
            self.page and _remark(f"it {seems}"),
            self.year and _remark(f"the work here is of {self.year}, not of {claim.year}"),
            self.denial and _remark("the words left out include", words=self.denial),
            self.altered and _remark("the quotation does not match its hash: it was altered"),
            claim.unread and _remark(unread),
        )
        return [remark for remark in every if remark and isinstance(remark, str)]


def _remark(text: str, units: Sequence[str] = (), words: str = "") -> str:
    """What is to be said of a citation, a sentence without capital and stop, with ids and words of the library."""
    more = len(units) - _MOST_NAMED
    named = ", ".join(units[:_MOST_NAMED]) + (f" and {more} others" if more > 0 else "")
    said = f"{text} {named}".rstrip()
    return f"{said}{':' if named else ''} “{words}”" if words else said


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
    return [_completed(conn, _verdict(conn, claim), base) for claim in found[:most]], note


def _verdict(conn: sqlite3.Connection, claim: Citation) -> CitationVerdict:
    """The verdict on a citation, without what `_completed` adds."""
    if claim.books:
        return _in_books(conn, claim)
    units = list(queries.units(conn, claim.meant).values())
    if len(units) != 1 or not claim.sure:
        # Of several units that it may mean, it means the one that has the words.
        having = [unit for unit, _ in places.having(units, claim.words)]
        if len(having) != 1:
            near = [unit.id for unit in units]
            if claim.sure and not units:
                near = [*claim.nearest] or nearest.ids(conn, claim.id, 3)
            status: Status = "not checked" if not claim.sure else "ambiguous" if units else "not found"
            return CitationVerdict(claim, status, nearest=tuple(near))
        units = having
    # A case is printed with its decision, and cited for both.
    units += (child for child in queries.children(conn, units[0].id) if child.kind == "decision")
    unit, now = next(iter(places.having(units, claim.words)), (units[0], ""))
    if now or not claim.words:
        return CitationVerdict(claim, "unchanged", unit.id, now)
    if claim.year:  # another work may be meant
        return CitationVerdict(claim, "not checked", unit.id)
    now = quotation.nearest(unit.text, claim.words)
    if now and claim.letters == letters(claim.words):
        return CitationVerdict(claim, "corrected", unit.id, now)
    slip = quotation.likeness(now, claim.words) >= _SLIP
    others = places.nearest_to(conn, claim.words, unit)
    if not others and not slip:
        beside = [u for u in queries.children(conn, places.law(unit)) if u.kind == "subclause" and u.id != unit.id]
        others = places.most_similar(beside, claim.words, _SLIP)
    if others and (others[0][0].work == unit.work or not slip):
        (other, found), *more = others
        return CitationVerdict(claim, "elsewhere", other.id, found, leads=tuple(unit.id for unit, _ in more))
    return CitationVerdict(claim, "differs" if now else "not there", unit.id, now)


def _in_books(conn: sqlite3.Connection, claim: Citation) -> CitationVerdict:
    """The verdict on a citation of a page of a book: where the words quoted stand in it."""
    units = [unit for unit in places.library(conn) if unit.book_id in claim.books]
    sure = bool(claim.words) and claim.sure and not claim.year
    exact = places.shortest(places.having(units, claim.words))
    found = exact or (places.most_similar(units, claim.words, _SLIP) if sure else [])
    on_page = [(unit, now) for unit, now in found if places.is_on(claim.page, places.pages(conn, unit, now))]
    for unit, now in on_page or exact:
        return CitationVerdict(claim, "unchanged" if exact else "differs", unit.id, now)
    return CitationVerdict(claim, "not there" if sure else "not checked")


def _completed(conn: sqlite3.Connection, verdict: CitationVerdict, base: str) -> CitationVerdict:
    """A verdict with the citation of its unit, with clues if it has no words, and with the right page and year."""
    claim, now, unit = verdict.claim, verdict.now, queries.find_unit(conn, verdict.unit)
    if claim.words and not now:
        works = {each.partition("/")[0] for each in (verdict.unit, *verdict.nearest)}
        exact = places.nearest_to(conn, claim.words)
        near = [each for each in places.library(conn) if each.work in works or each.book_id in claim.books]
        similar = [] if exact else places.most_similar(near, claim.words, _LEAD)
        leads = tuple(each.id for each, _ in exact or similar)
        verdict = replace(verdict, leads=leads, similar="".join(words for _, words in similar))
    if claim.year:
        its = (unit.code_id, unit.book_id) if unit else claim.books
        years = [(code.id, code.year) for code in queries.codes(conn)] + [(b.id, b.year) for b in queries.books(conn)]
        own = dict.fromkeys(str(year) for work, year in years if work in its)
        verdict = replace(verdict, year=", in a book of ".join(own))
    if unit is None:
        return verdict
    cited = cite.cited(conn, places.on_its_page(conn, unit, now) if now else unit)
    denied = NEGATIONS.intersection(words_of(quotation.left_out(unit.text, now))) if "…" in now else ()
    verdict = replace(verdict, denial=min(denied, default=""))
    line, url = cite.plain(cited), f"{base.rstrip('/')}/{unit.id}"
    line = quotation.quoted(unit, line, url, now).line if now and "…" not in now else f"{line} <{url}>"
    found = places.pages(conn, unit, now) if claim.page else {}
    if not found or places.is_on(claim.page, found):
        return replace(verdict, citation=line)
    numbers = [f"[{page}]" if inferred else page or "" for page, inferred in found.items()]
    ends = numbers if now else dict.fromkeys((numbers[0], numbers[-1]))
    return replace(verdict, citation=line, page=(" and " if now else "–").join(ends))
