"""Verify the citations of a text: the provisions it cites, and the words it quotes from them.

A citation is an id or a permalink (`english-1864/law-72/ii`), or names its work in words (`kb.citing.finding`). The
words it quotes are in quotation marks directly before it, or after it and a colon; for a citation in a Markdown
footnote they may be before the footnote's mark in the text. If a mark `[sha256/16: ...]` follows an id, they are the
words before the id that have this hash. Otherwise they are the only quotation in the sentence, if the citation is the
only one too.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Literal

from extract.corpus.table import WORK_ID
from extract.language.sentences import boundaries
from extract.text.lines import collapse
from kb.citing import quotation
from kb.citing.finding import CitationInWords, in_words
from kb.editorial.provisions import letters, plain
from kb.read import cite, lookup, queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import UnitRow
from kb.read.written import UNITS

# The longest quotation, in characters and also in letters (one character may stand for 15, as a ligature), and the most
# quotation marks before a citation that are tried as its borders.
LONGEST_QUOTATION, MOST_MARKS = 5000, 60
# The fewest letters of words that are searched for in other provisions: many provisions have shorter ones.
_LEAST_LETTERS = 12
# Of 100: words this similar to the unit's are a slip of the pen, even if other provisions have them exactly.
_SLIP = 85
_ID = re.compile(rf"(?<![\w-]){WORK_ID}(?:/[a-z0-9]+(?:-[a-z0-9]+)*)+", re.IGNORECASE)
_MARK = re.compile(r"\[\s*sha256/16:\s*(?P<letters>[0-9a-f]{16})\s*\]", re.IGNORECASE)
_PIECE = re.compile(f"(?P<id>{_ID.pattern})|{_MARK.pattern}", re.IGNORECASE)
_OPEN, _CLOSE = '“"‘«', '”"’»'
# Between words and the id they are quoted from: punctuation, and the beginning of a URL; `In` begins another sentence.
_BETWEEN = re.compile(r"[\s,.;:(<\[—–-]*(?:(?:see|(?-i:in)|cf)\b[\s.]*)?(?:https?://[^\s<>“”\"]*)?", re.IGNORECASE)
# Between a citation and the words quoted after it.
_INTRODUCES = re.compile(
    r"[\s,)]*(?:pp?\.\s*\d+[\s,]*)?(?::|(?:says|said|reads|provides|rules|ruled|states|stated|has|had|lays down)\b"
    r"(?:\s+that\b)?[\s,:]*)\s*",
    re.IGNORECASE,
)
# Straight single marks are apostrophes too; words between them are not much longer than this.
_LONGEST_STRAIGHT = 600
_OPENED, _CLOSED = re.compile(r"(?<!\w)'(?=\w)"), re.compile(r"'(?!\w)")
_STRAIGHT = rf"{_OPENED.pattern}(?:[^']|'(?=\w)){{1,{_LONGEST_STRAIGHT}}}{_CLOSED.pattern}"
_QUOTATION = re.compile(rf"“(?:[^“”]|“[^“”]*”)+”|\"[^\"]+\"|«[^«»]+»|‘(?:[^‘’]|’(?=\w))+’(?!\w)|{_STRAIGHT}")
_QUOTES_LINE = re.compile(r"\n[ \t]*>")
_PAGE = re.compile(r"\bpp?\.\s*(?P<page>\d{1,4})\b")
_PAGE_AFTER = re.compile(rf"[\s,;)]{{0,3}}{_PAGE.pattern}")
_MOST_PAGES = 3  # of a unit; a text may give any of them
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_FOOTNOTE = re.compile(r"^[ \t]*\[\^(?P<name>[\w-]{1,40})\]:", re.MULTILINE)
_FOOTNOTE_MARK = re.compile(r"\[\^(?P<name>[\w-]{1,40})\](?!:)")

Status = Literal["unchanged", "corrected", "moved", "differs", "elsewhere", "not there", "ambiguous", "not found"]


@dataclass(frozen=True, slots=True)
class CitationFound:
    """A citation in a text, and what it quotes.

    Attributes:
        id: the id of the unit cited; for a citation in words, the unit it means, "" if it means none or several.
        words: the words quoted; "" if there are none.
        letters: their hash (`kb.editorial.provisions.letters`) in the text; "" if there is none.
        cited: the citation as it reads in the text.
        at: its first offset in the text and the one just after it, in characters.
        words_at: the same of the words quoted; None if there are none.
        meant: for a citation in words, the ids of all units it may mean.
        nearest: the most similar ids, if the work that it names does not have the provision.
        unread: whether its sentence has a quotation that may be from it or not, so that it is not checked.
        page: the page that the text gives for a citation in words; 0 if it gives none.
    """

    id: str
    words: str = ""
    letters: str = ""
    cited: str = field(default="", compare=False)
    at: tuple[int, int] = field(default=(0, 0), compare=False)
    words_at: tuple[int, int] | None = field(default=None, compare=False)
    meant: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    unread: bool = False
    page: int = field(default=0, compare=False)


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
    by_id = list(islice(claims(text), most + 1))
    by_words = list(islice(_in_words(text, in_words(conn, text)), most + 1))
    found = _with_sentences(text, sorted([*by_id, *_without_addresses(by_words, by_id)], key=lambda claim: claim.at))
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


def claims(text: str) -> Iterator[CitationFound]:
    """The citations of a text by ids and permalinks, in order."""
    behind = 0
    pieces = [*_PIECE.finditer(text), None]
    for piece, after in pairwise(pieces):
        if piece and piece["id"]:
            mark = after if after and after["letters"] else None
            yield _claim(text, max(behind, piece.start() - LONGEST_QUOTATION), piece, mark)
            behind = (mark or piece).end()


def _claim(text: str, begin: int, found: re.Match[str], mark: re.Match[str] | None) -> CitationFound:
    """The citation of a unit by id, with its quotation in the text from `begin` on; `mark` has the quotation's hash."""
    before, words_at, hashed = text[begin : found.start()], None, mark["letters"].lower() if mark else ""
    if hashed:
        starts = [i + 1 for i, sign in enumerate(before) if sign in _OPEN][-MOST_MARKS:]
        ends = [i for i, sign in enumerate(before) if sign in _CLOSE][-MOST_MARKS:]
        words_at = quotation.hashed(before, starts, ends, hashed, LONGEST_QUOTATION)
    words_at = words_at or _adjacent(before)
    quote = _words(text, (begin + words_at[0], begin + words_at[1]) if words_at else None)
    return CitationFound(
        found["id"].lower().removesuffix("/evidence"), quote[0], hashed, found["id"], found.span(), quote[1]
    )


def _words(text: str, at: tuple[int, int] | None) -> tuple[str, tuple[int, int] | None]:
    return (collapse(_QUOTES_LINE.sub(" ", text[at[0] : at[1]])), at) if at else ("", None)


def _in_words(text: str, found: Iterable[CitationInWords]) -> Iterator[CitationFound]:
    """The citations of a text in words, with their quotations."""
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
        page = _PAGE.search(text, citation.start, citation.end) or _PAGE_AFTER.match(text, citation.end)
        yield CitationFound(
            one, said, "", cited, (citation.start, citation.end), at, ids, citation.nearest,
            page=int(page["page"]) if page else 0,
        )  # fmt: skip
        behind = max(citation.end, at[1] if at else 0)


def _quoted_by(text: str, citation: CitationInWords, behind: int) -> tuple[int, int] | None:
    """The span of the words that a citation quotes: after it and a colon, or directly before it."""
    if introduced := _INTRODUCES.match(text, citation.end):
        at = introduced.end()
        if at < len(text) and text[at] in _OPEN:
            closing = text.find(_CLOSE[_OPEN.index(text[at])], at + 1, at + LONGEST_QUOTATION)
            if closing > 0:
                return at + 1, closing
    return _before(text, citation.start, behind)


def _before(text: str, end: int, behind: int) -> tuple[int, int] | None:
    """The span of the words in quotation marks that end directly before an offset in a text."""
    begin = max(behind, end - LONGEST_QUOTATION)
    at = _adjacent(text[begin:end]) or _block(text[begin:end])
    return (begin + at[0], begin + at[1]) if at else None


def _adjacent(before: str) -> tuple[int, int] | None:
    """The span of words in quotation marks at the end of a text; only punctuation and a URL's beginning may follow."""
    end = max(before.rfind(sign) for sign in (*_CLOSE, "'"))
    if end < 0 or not _BETWEEN.fullmatch(before, end + 1):
        return None
    if before[end] == "'":
        begin = max(0, end - _LONGEST_STRAIGHT)
        begin = max((closed.end() for closed in _CLOSED.finditer(before, begin, end)), default=begin)
        typed = _OPENED.search(before, begin, end)
        return (typed.end(), end) if typed else None
    closing, opening = before[end], _OPEN[_CLOSE.index(before[end])]
    start, depth = end, 1
    while start and depth:
        start -= 1
        if before[start] == opening:
            depth -= 1
        elif before[start] == closing and closing != "’":  # within single marks it is an apostrophe
            depth += 1
    return None if depth else (start + 1, end)


def _block(before: str) -> tuple[int, int] | None:
    """The span of a block quotation in Markdown at the end of a text, with only line ends and a bracket after it."""
    words = before.rstrip(" \t\n([—–-")
    lines = words.split("\n")
    quoting = [line.lstrip(" \t").startswith(">") for line in lines]
    if not quoting[-1] or "\n" not in before[len(words) :]:
        return None
    first = len(lines) - next((n for n, quotes in enumerate(reversed(quoting)) if not quotes), len(lines))
    rest = "\n".join(lines[first:])
    return len(words) - len(rest.lstrip(" \t>")), len(words)


def _without_addresses(by_words: Iterable[CitationFound], by_id: Iterable[CitationFound]) -> Iterator[CitationFound]:
    """The citations in words, without those that are part of a URL, or are followed by the permalink of their unit."""
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


def _with_sentences(text: str, found: Sequence[CitationFound]) -> list[CitationFound]:
    """The citations of a text; those without a quotation get the only one of their sentence, or are `unread`."""
    ends = sorted([
        *(gap.end for gap in boundaries(text)),
        *(match.end() for match in _PARAGRAPH_END.finditer(text)),
        *(note.start() for note in _FOOTNOTE.finditer(text)),
    ])  # fmt: skip

    def sentences(start: int, end: int) -> range:
        return range(bisect_right(ends, start), bisect_left(ends, end) + 1)

    citing: dict[int, list[CitationFound]] = defaultdict(list)
    for claim in found:
        for n in {*sentences(*claim.at), *(sentences(*claim.words_at) if claim.words_at else ())}:
            citing[n].append(claim)
    free: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for start, end in (match.span() for match in _QUOTATION.finditer(text)):
        for n in sentences(start, end):
            spans = [span for claim in citing[n] for span in (claim.at, claim.words_at) if span]
            if citing[n] and not any(a < end and start < b for a, b in spans):
                free[n].append((start + 1, end - 1))
    read = []
    for claim in found:
        n = sentences(*claim.at)[0]
        if free[n] and not claim.words and not claim.letters:
            words, at = _words(text, free[n][0])
            one = len(free[n]) == len(citing[n]) == 1
            claim = replace(claim, words=words, words_at=at) if one else replace(claim, unread=True)
        read.append(claim)
    return read


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
