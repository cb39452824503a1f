"""Whether the citations of a text hold: each provision it cites, and the words it quotes from it.

A citation is an id or a permalink (`english-1864/law-72/ii`), or names its work in words (`kb.citing.finding`). Its
words are what stands in quotation marks directly before it, or after it and a colon; those of a Markdown footnote may
stand before its mark in the text. Where a mark `[sha256/16: ...]` follows an id, they are those words before the mark
that have this hash.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Literal

from extract.corpus.table import WORK_ID
from extract.text.lines import collapse
from kb.citing import quotation
from kb.citing.finding import CitationInWords, in_words
from kb.editorial.provisions import letters, plain
from kb.read import cite, lookup, queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import UnitRow
from kb.read.written import UNITS

# No quotation is longer, in characters or in letters (one sign may stand for 15), nor has so many quotation marks.
LONGEST_QUOTATION, MOST_MARKS = 5000, 60
# Letters of words that are looked for in other provisions: fewer stand in many.
_TELLING = 12
# Of 100: words so like those of the unit are a slip of the pen, though other provisions have them as they are.
_SLIP = 85
_ID = re.compile(rf"(?<![\w-]){WORK_ID}(?:/[a-z0-9]+(?:-[a-z0-9]+)*)+", re.IGNORECASE)
_MARK = re.compile(r"\[\s*sha256/16:\s*(?P<letters>[0-9a-f]{16})\s*\]", re.IGNORECASE)
_PIECE = re.compile(f"(?P<id>{_ID.pattern})|{_MARK.pattern}", re.IGNORECASE)
_OPEN, _CLOSE = '“"‘«', '”"’»'
# Between words and the id they are quoted from: signs, and the front of a web address.
_BETWEEN = re.compile(r"[\s,.;:(<\[—–-]*(?:(?:see|in|cf)\b[\s.]*)?(?:https?://[^\s<>“”\"]*)?", re.IGNORECASE)
# Between a citation and the words quoted after it.
_INTRODUCES = re.compile(
    r"[\s,)]*(?:pp?\.\s*\d+[\s,]*)?(?::|(?:says|said|reads|provides|rules|ruled|states|stated|has|had|lays down)\b"
    r"(?:\s+that\b)?[\s,:]*)\s*",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(r"^[ \t]*\[\^(?P<name>[\w-]{1,40})\]:", re.MULTILINE)
_FOOTNOTE_MARK = re.compile(r"\[\^(?P<name>[\w-]{1,40})\](?!:)")

Status = Literal["unchanged", "corrected", "moved", "differs", "elsewhere", "not there", "ambiguous", "not found"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a citation in a text says.

    Attributes:
        id: the id of the unit cited; of a citation in words the unit it means, empty if it means none or several.
        words: the words quoted from it; empty without any.
        letters: their hash; empty without one.
        cited: the citation as it stands in the text.
        at: where it stands, from and to, in characters of the text.
        words_at: where the words quoted stand; nowhere without any.
        meant: of a citation in words all units it may mean.
        nearest: where it names a work that has no such provision, the ids that come nearest.
    """

    id: str
    words: str = ""
    letters: str = ""
    cited: str = field(default="", compare=False)
    at: tuple[int, int] = field(default=(0, 0), compare=False)
    words_at: tuple[int, int] | None = field(default=None, compare=False)
    meant: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationVerdict:
    """How a citation stands today.

    Attributes:
        status: what became of it.
            `unchanged`: it leads to its unit, and what is quoted stands there.
            `corrected`: the words were quoted right by their hash, and read otherwise now.
            `differs`: the unit has other words. `elsewhere`: the words stand in another unit, `unit`.
            `not there`: nothing like the words is found. `moved`: the id leads to another unit.
            `ambiguous`: it may mean several units, `nearest`.
            `not found`: there is no such unit; `nearest` are like it.
        unit: the unit of today.
        now: how the words quoted read in it, empty if nothing like them is left.
        altered: the words are not those of the hash, so that the text was changed since the citation was made.
        citation: how to cite the unit.
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
    by_id = list(islice(claims(text), most + 1))
    by_words = list(islice(_in_words(text, in_words(conn, text)), most + 1))
    found = sorted([*by_id, *_without_addresses(by_words, by_id)], key=lambda claim: claim.at)
    note = f"Only the first {most} citations were looked at." if len(found) > most else ""
    return [_verdict(conn, claim, base) for claim in found[:most]], note


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be changed in a text: the characters from `start` to `end` become `words`, or a `remark` follows."""

    start: int
    end: int
    words: str = ""
    remark: str = ""


def changes(verdicts: Iterable[CitationVerdict]) -> list[Change]:
    """What is wrong in the citations of a text, in its order: words that differ, and remarks after citations."""
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
        }.get(verdict.status)
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
    """A text with what is wrong in its citations as tracked changes (CriticMarkup).

    Words that differ are replaced (`{~~old~>new~~}`); what else is to be said stands in a comment after the citation
    (`{>>...<<}`).
    """
    told, behind = [], 0
    for change in changes(verdicts):
        mark = f"{{~~{text[change.start : change.end]}~>{change.words}~~}}" if change.words else ""
        told += [text[behind : change.start], mark or f"{{>>{change.remark}<<}}"]
        behind = change.end
    return "".join([*told, text[behind:]])


def claims(text: str) -> Iterator[Claim]:
    """The citations of a text by ids and addresses, in its order."""
    behind = 0
    pieces = [*_PIECE.finditer(text), None]
    for piece, after in pairwise(pieces):
        if piece and piece["id"]:
            mark = after if after and after["letters"] else None
            yield _claim(text, max(behind, piece.start() - LONGEST_QUOTATION), piece, mark)
            behind = (mark or piece).end()


def _claim(text: str, begin: int, found: re.Match[str], mark: re.Match[str] | None) -> Claim:
    """What is claimed of a unit by the text before its id, from `begin` on; `mark` has the hash of the words."""
    before, words_at, hashed = text[begin : found.start()], None, mark["letters"].lower() if mark else ""
    if hashed:
        starts = [i + 1 for i, sign in enumerate(before) if sign in _OPEN][-MOST_MARKS:]
        ends = [i for i, sign in enumerate(before) if sign in _CLOSE][-MOST_MARKS:]
        words_at = quotation.hashed(before, starts, ends, hashed, LONGEST_QUOTATION)
    words_at = words_at or _adjacent(before)
    said = _words(text, (begin + words_at[0], begin + words_at[1]) if words_at else None)
    return Claim(found["id"].lower().removesuffix("/evidence"), said[0], hashed, found["id"], found.span(), said[1])


def _words(text: str, at: tuple[int, int] | None) -> tuple[str, tuple[int, int] | None]:
    return (collapse(text[at[0] : at[1]]), at) if at else ("", None)


def _in_words(text: str, found: Iterable[CitationInWords]) -> Iterator[Claim]:
    """The citations of a text in words, with what they quote."""
    notes = {note["name"]: note for note in _FOOTNOTE.finditer(text)}
    marks = {mark["name"]: mark.start() for mark in _FOOTNOTE_MARK.finditer(text)}
    openings = {note.end(): marks[name] for name, note in notes.items() if name in marks}
    ends, behind = sorted(openings), 0
    for citation in found:
        words_at = _quoted_by(text, citation, behind)
        note = ends[i - 1] if (i := bisect_left(ends, citation.start + 1)) else None
        if words_at is None and note is not None and not text[note : citation.start].strip(" \t_*("):
            words_at = _before(text, openings[note], 0)
        said, at = _words(text, words_at)
        ids = tuple(unit.id for unit in citation.units)
        cited = collapse(text[citation.start : citation.end])
        one = ids[0] if len(ids) == 1 else ""
        yield Claim(one, said, "", cited, (citation.start, citation.end), at, ids, citation.nearest)
        behind = max(citation.end, at[1] if at else 0)


def _quoted_by(text: str, citation: CitationInWords, behind: int) -> tuple[int, int] | None:
    """Where the words stand that a citation quotes: after it and a colon, or directly before it."""
    if introduced := _INTRODUCES.match(text, citation.end):
        at = introduced.end()
        if at < len(text) and text[at] in _OPEN:
            close = text.find(_CLOSE[_OPEN.index(text[at])], at + 1, at + LONGEST_QUOTATION)
            if close > 0:
                return at + 1, close
    return _before(text, citation.start, behind)


def _before(text: str, end: int, behind: int) -> tuple[int, int] | None:
    """Where the words in quotation marks stand that end directly before a place in a text."""
    begin = max(behind, end - LONGEST_QUOTATION)
    at = _adjacent(text[begin:end])
    return (begin + at[0], begin + at[1]) if at else None


def _adjacent(before: str) -> tuple[int, int] | None:
    """Where words stand in quotation marks at the end of a text, but for signs and the front of an address."""
    end = max(before.rfind(sign) for sign in _CLOSE)
    if end < 0 or not _BETWEEN.fullmatch(before, end + 1):
        return None
    closing, opening = before[end], _OPEN[_CLOSE.index(before[end])]
    start, depth = end, 1
    while start and depth:
        start -= 1
        if before[start] == opening:
            depth -= 1
        elif before[start] == closing and closing != "’":  # within single marks it is an apostrophe
            depth += 1
    return None if depth else (start + 1, end)


def _without_addresses(by_words: Iterable[Claim], by_id: Iterable[Claim]) -> Iterator[Claim]:
    """The citations in words, without those that go on to the address of what they name, or are a part of one."""
    addressed = list(by_id)
    starts = [claim.at[0] for claim in addressed]
    for claim in by_words:
        following = bisect_left(starts, claim.at[0])
        near = addressed[max(0, following - 1) : following + 1]
        reach = claim.at[1] + LONGEST_QUOTATION
        if not any(
            claim.at[0] < other.at[1]
            and (other.at[0] < claim.at[1] or (other.at[0] < reach and other.id in claim.meant))
            for other in near
        ):
            yield claim


def _verdict(conn: sqlite3.Connection, claim: Claim, base: str) -> CitationVerdict:
    if claim.cited and not claim.id:
        if not claim.meant:
            return CitationVerdict(claim, "not found", nearest=claim.nearest)
        # Of several that it may mean, that one is meant which has the words.
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
    line, url = _line(conn, unit, base)
    if not claim.words:
        return CitationVerdict(claim, status, unit.id, altered=bool(claim.letters), citation=f"{line} <{url}>")
    now = quotation.find_in_pieces(unit.text, claim.words)
    if now is None:
        other = None if claim.letters and not altered else _elsewhere(conn, unit, claim.words)
        now = quotation.nearest(unit.text, claim.words)
        like = quotation.likeness(now, claim.words) if now else 0.0
        if other is None and like < _SLIP and not claim.letters:
            other, now = _likest(conn, unit, claim.words, like) or (None, now)
        if other and (other.work == unit.work or like < _SLIP):
            line, url = _line(conn, other, base)
            found = quotation.find(other.text, claim.words) or now or ""
            return CitationVerdict(claim, "elsewhere", other.id, found, altered, f"{line} <{url}>")
        if status == "unchanged":
            status = "corrected" if claim.letters else "differs" if now else "not there"
    told = quotation.quoted(unit, line, url, now).line if now and "…" not in now else f"{line} <{url}>"
    return CitationVerdict(claim, status, unit.id, now or "", altered, told)


def _line(conn: sqlite3.Connection, unit: UnitRow, base: str) -> tuple[str, str]:
    """The plain citation of a unit and its permalink."""
    return cite.plain(cite.cited(conn, unit)), f"{base.rstrip('/')}/{unit.id}"


def _elsewhere(conn: sqlite3.Connection, unit: UnitRow, words: str) -> UnitRow | None:
    """The unit besides one that has the words quoted: the smallest of its own law, else of its work, else of any."""
    wanted = plain(words)
    if len(wanted) < _TELLING:
        return None
    having = [other for other, text in _letters(conn).values() if wanted in text and other.id != unit.id]
    having = [other for other in having if quotation.find(other.text, words)]
    law = unit.parent_id or unit.id
    return min(
        having,
        key=lambda u: (u.id != law and u.parent_id != law, u.work != unit.work, len(u.text)),
        default=None,
    )


def _likest(conn: sqlite3.Connection, unit: UnitRow, words: str, least: float) -> tuple[UnitRow, str] | None:
    """The other paragraph of a unit's law that has words most like those quoted, and them; likelier than the unit's."""
    law = unit.parent_id if unit.kind == "subclause" and unit.parent_id else unit.id
    others = [other for other in queries.children(conn, law) if other.kind == "subclause" and other.id != unit.id]
    found = [(other, near) for other in others if (near := quotation.nearest(other.text, words))]
    best = max(found, key=lambda pair: quotation.likeness(pair[1], words), default=None)
    return best if best and quotation.likeness(best[1], words) >= max(_SLIP, least) else None


@cached_per_build
def _letters(conn: sqlite3.Connection) -> dict[str, tuple[UnitRow, str]]:
    """All units with the letters of their texts."""
    units = queries.units(conn, UNITS(conn))
    return {i: (unit, plain(unit.text)) for i, unit in units.items()}
