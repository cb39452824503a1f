"""Extract the citations of a text, with the words that they quote.

A citation is an id or a permalink (`english-1864/law-72/ii`), or names its work in words (`kb.citing.finding`). The
words it quotes are in quotation marks or a block directly before it, or after it and a colon; for a citation in a
Markdown footnote they may be before the footnote's mark in the text. If a mark `[sha256/16: ...]` follows an id, they
are the words before the id that have this hash. Otherwise they are the only quotation in the sentence, if the citation
is the only one too.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

from extract.corpus.table import WORK_ID
from extract.language.sentences import boundaries
from extract.text.lines import collapse
from kb.citing import quotation
from kb.citing.finding import PAGE, CitationInWords, in_words

# The longest quotation, in characters and also in letters (one character may stand for 15, as a ligature), and the most
# quotation marks before a citation that are tried as its borders.
LONGEST_QUOTATION, MOST_MARKS = 5000, 60
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
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_FOOTNOTE = re.compile(r"^[ \t]*\[\^(?P<name>[\w-]{1,40})\]:", re.MULTILINE)
_FOOTNOTE_MARK = re.compile(r"\[\^(?P<name>[\w-]{1,40})\](?!:)")


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
        page: the page or pages that the text gives for a citation in words; "" if it gives none.
        books, sure, year: see `CitationInWords`.
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
    page: str = field(default="", compare=False)
    books: tuple[str, ...] = ()
    sure: bool = True
    year: str = ""


def extract(conn: sqlite3.Connection, text: str, most: int) -> list[CitationFound]:
    """The citations of a text, in order.

    Args:
        most: how many are wanted; one more tells that there are others.
    """
    by_id = list(islice(claims(text), most + 1))
    by_words = list(islice(_in_words(text, in_words(conn, text)), most + 1))
    found = sorted([*by_id, *_without_addresses(text, by_words, by_id)], key=lambda claim: claim.at)
    return [claim for claim in _with_sentences(text, found) if claim.sure or claim.words or claim.unread]


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
        page = PAGE.search(text, citation.start, citation.end)
        yield CitationFound(
            one, said, "", cited, (citation.start, citation.end), at, ids, citation.nearest, False,
            page["page"] if page else "", citation.books, citation.sure, citation.year,
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


def _without_addresses(
    text: str, by_words: Iterable[CitationFound], by_id: Iterable[CitationFound]
) -> Iterator[CitationFound]:
    """The citations in words, without those that are part of a URL, or are followed by the permalink of their unit."""
    addressed = list(by_id)
    starts = [claim.at[0] for claim in addressed]
    for claim in by_words:
        following = bisect_left(starts, claim.at[0])
        near = addressed[max(0, following - 1) : following + 1]
        reach = claim.at[1] + LONGEST_QUOTATION
        end = claim.words_at[1] + 1 if claim.words_at else claim.at[1]
        if not any(
            claim.at[0] < other.at[1]
            and (
                other.at[0] < claim.at[1]
                or (other.at[0] < reach and other.id in claim.meant)
                or (claim.books and _BETWEEN.fullmatch(text, end, other.at[0]))
            )
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
