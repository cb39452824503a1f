"""Find citations in running text and footnotes that name their work in words: `English laws, 1864, law 72 (ii)`.

A citation is a numbered provision, such as `law 72`, among words that belong to its work: its title, who issued it,
where and when it was printed, the page. From the number the citation is extended to both sides as long as all words
belong to one work, and it counts if they name that work: by a title or a distinctive name, or by its year. A number
with the name of another author or book, or of no work at all, is not a citation of this library; `ibid.` has the work
of the citation before it. A page without a number (`Drayson, p. 20`) cites a book, in the same way. If only the author
is named, earlier in the sentence, the citation is not sure.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from extract.language.misspelling import is_word
from extract.language.sentences import boundaries, sentence
from extract.model import Span
from extract.numbering.numerals import arabic, is_roman
from extract.text.lines import collapse
from kb.citing.citable import ON_PAGE, Citable, Work, citable
from kb.citing.citation import PAGE, Citation
from kb.read import lookup
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import JOINTS

_FARTHEST = 60
"""The most words that a citation has on either side of its number: the longest title has thirty."""
_MOST_OF_LIST = 12
_LONG_TITLE = 4
"""The fewest words of a title that no other book has by chance."""
# Not the pronoun: `in law 72 I find`.
_NO_PRONOUN = r"(?!(?-i:I\s+(?!(?:and|or|to|of|in|is|says)\b)[a-z]))"
_NUMBER = re.compile(
    rf"[\s.]*(?:nos?\.\s*)?{_NO_PRONOUN}(?P<number>[a-z]?\d{{1,3}}|[ivxlc]+)\b(?!\s*['’]\w)", re.IGNORECASE
)
_ALSO = re.compile(
    r"\s*(?P<joint>[,;&–—-]|\band\b|\bto\b|\bor\b)\s*(?:and\s+|&\s*)?(?P<number>\d{1,3})\b(?!\s*(?:\w*%|st|nd|rd|th))"
)
_AND = frozenset(("and", "or", "&"))
_WORD_FOR_PART = r"(?:§+|paragraphs?|paras?\.?|pars?\.?|sub-?sections?|sections?|sect?\.?|sub-?clauses?|clauses?|cl\.)"
_PARAGRAPH = re.compile(
    rf"[\s,]*(?:{_WORD_FOR_PART}\s*)?[(\[]\s*(?P<a>[ivx]{{1,5}}|\d{{1,2}}|[a-z])\s*[)\]]"
    rf"|[\s,]*{_WORD_FOR_PART}\s*(?P<b>[ivx]{{1,5}}|\d{{1,2}})\b",
    re.IGNORECASE,
)
_ROMAN = re.compile(rf"[\s,]+{_NO_PRONOUN}(?P<a>[IVX]{{1,5}})\b(?![.’'])")
_DECISION = re.compile(r"[\s,(]*(?:the\s+)?decision\b", re.IGNORECASE)
_IBID = re.compile(r"\b(?:ibid(?:em)?|id|idem|loc\.? cit|op\.? cit)\.?[\s,]*$", re.IGNORECASE)
# Between two provisions of a list there are only punctuation and words such as "and", "see".
_LISTED = re.compile(r"[\s,;&(]*(?:(?:and|or|with|also|cf\.?|see|compare)\b[\s,.]*){0,2}", re.IGNORECASE)
# A citation is not extended beyond these.
_BREAK = re.compile(r";|\n\s*\n|\n\[\^|\]:|\)[\s,]+and\b")
# Nor beyond the bracket that it stands in, unless it goes on after that: `(law 72) of the English code`.
_BRACKET = re.compile(r"\(|\)(?!\s+(?:of|in|from|by)\b)")
# A stop after an initial, or that the MLA puts after the title of a part and its year.
_NO_STOP = re.compile(r"(?<![^\W\d_])[A-Z]\.\Z|[”\"’'](?:\s\d{4}\.)?\Z")
_LONGEST = 1000
"""The characters within which a citation ends."""
_QUOTED = re.compile(r"[\s(:][“\"‘«']([^“”\"‘«»]*)[”\"’»']")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_DATES = re.compile(r"[\s,(]+(?:of\s+)?")
_PAGE_AFTER = re.compile(rf"[\s,)]{{0,3}}{PAGE.pattern}", re.IGNORECASE)
_PAUSE = re.compile(r"[.,)]")
# Words that may have a capital before a citation because they open the sentence; any other word with a capital there is
# the name of another author or work.
_OPENING = frozenset(
    re.findall(
        r"\w+",
        "see compare cf but and also in under by per thus so the as both on at when where if yet here note ibid for "
        "from to of then this that article law rule case or with even now not all a an",
    )
)
_FOLLOWING = re.compile(r"[\s.]{0,9}(?:\d|[ivxlc]+\b)", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\s{0,9}(?:of|in|by)\s{1,9}(?:the\s{1,9})?[A-Z]\w+")
_JOINED = re.compile(r"[\s,:’'s(“‘\"]*$")
# Where a sentence opens, and what is between its first word and a citation if that word is no name.
_OPENS = re.compile(r"(?:^|[.!?\n])[\s\W]{0,4}\Z")
_AFTER_HEADING = re.compile(r"\s+|:\s*")

_Tokens: TypeAlias = Sequence[tuple[str, int, int]]
"""The words of a text in lower case, each with its span in characters."""


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A numbered provision in a text: its kind, number and part, and its span in characters."""

    kind: str
    number: str
    part: str
    start: int
    end: int


def in_words(conn: sqlite3.Connection, text: str) -> Iterator[Citation]:
    """The citations of a text that name their work in words, in order."""
    known = citable(conn)
    tokens = [(m.group().lower(), m.start(), m.end()) for m in lookup.TOKEN.finditer(text)]
    for page in PAGE.finditer(text):  # its number joins words as `p.` does
        for i in range(_token(tokens, page.start()), _token(tokens, page.end())):
            tokens[i] = "p", *tokens[i][1:]
    numbered = list(_numbered(conn, known, text, tokens))
    yield from sorted([*numbered, *_paged(known, text, tokens, numbered)], key=lambda citation: citation.at)


def _token(tokens: _Tokens, at: int) -> int:
    """The index of the first token from an offset on."""
    return bisect_left(tokens, at, key=lambda token: token[1])


def _numbered(conn: sqlite3.Connection, citable: Citable, text: str, tokens: _Tokens) -> Iterator[Citation]:
    """The citations of a text that have the number of a provision."""
    behind, last_work = 0, ""
    for anchors in _anchors(conn, text, tokens):
        first = anchors[0]
        if first.start < behind:
            continue
        found = _best_works(citable, text, tokens, first, anchors[-1].end, behind, len(text))
        if found is None and last_work:
            listed = behind and _LISTED.fullmatch(text, behind, first.start)
            if listed or _IBID.search(text, max(0, first.start - 20), first.start):
                found = first.start, anchors[-1].end, tuple(w for w in citable.works if w.id == last_work), ""
        sure = found is not None
        found = found or _named_before(citable, text, tokens, first, anchors[-1].end)
        if found is None:
            continue
        start, end, works, year = found
        end = page.end() if (page := _PAGE_AFTER.match(text, end)) else end
        for n, anchor in enumerate(anchors):
            units = tuple(chain.from_iterable(_units(citable, work.id, anchor) for work in works))
            here = (start if n == 0 else anchor.start, end if n == len(anchors) - 1 else anchor.end)
            nearest = () if units else tuple(_nearest(conn, citable, works[0].id, anchor))
            meant = tuple(unit.id for unit in units)
            yield Citation(here, collapse(text[slice(*here)]), meant, nearest, sure=sure, year=year)
        if sure:
            behind, last_work = end, works[0].id if len(works) == 1 else ""


def _paged(citable: Citable, text: str, tokens: _Tokens, numbered: Sequence[Citation]) -> Iterator[Citation]:
    """The citations of a text that have a page and no number, so that they stand between those with a number."""
    behind = 0
    for page in PAGE.finditer(text):
        at = bisect_left(numbered, page.start(), key=lambda citation: citation.at[0])
        behind = max(behind, numbered[at - 1].at[1] if at else 0)
        if page.start() < behind:
            continue
        anchor = _Anchor(ON_PAGE, page["page"], "", *page.span())
        follows = numbered[at].at[0] if at < len(numbered) else len(text)
        found = _best_works(citable, text, tokens, anchor, anchor.end, behind, follows)
        sure = found is not None
        if found := found or _named_before(citable, text, tokens, anchor, anchor.end):
            start, end, works, year = found
            open_ = text.count("(", start, end) > text.count(")", start, end)
            behind = end + (open_ and text.startswith(")", end))
            books = tuple({work.book for work in works})
            yield Citation((start, behind), collapse(text[start:behind]), books=books, sure=sure, year=year)


def _anchors(conn: sqlite3.Connection, text: str, tokens: _Tokens) -> Iterator[tuple[_Anchor, ...]]:
    """The numbered provisions of a text, grouped by list: `laws 72, 73 and 80`."""
    kinds: dict[str, str | None] = {}
    roles = domain(conn).roles
    last = ("", 0, 0)
    for word, start, end in tokens:
        if word not in kinds:
            kinds[word] = lookup.kind_of(conn, word)
        kind, (before, opening, close) = kinds[word], last
        last = (word, start, end)
        group = kinds.get(before)
        if kind == "law" and group and roles.get(group) == "provision" and not text[close:start].strip(" ,"):
            kind, start = group, opening  # `dummy, rule 3`
        found = _NUMBER.match(text, end) if kind else None
        if found is None or kind is None or not (number := _in_digits(found["number"], word)):
            continue
        part, close = _part(text, found.end())
        anchors = [_Anchor(kind, number, part, start, close)]
        while more := _ALSO.match(text, anchors[-1].end):
            if not anchors[-1].number.isdecimal() or (anchors[-1].part and more["joint"] not in _AND):
                break
            low, high = int(anchors[-1].number), int(more["number"])
            is_range = more["joint"] in "–—-" or more["joint"] == "to"
            if is_range and not low < high < low + _MOST_OF_LIST:
                break
            part, close = _part(text, more.end())
            begin = anchors[-1].start if is_range else more.start("number")
            between = range(low + 1, high) if is_range else ()
            anchors += (_Anchor(kind, str(n), "", begin, more.end()) for n in between)
            anchors.append(_Anchor(kind, more["number"], part, begin, close))
        yield tuple(anchors)


def _in_digits(number: str, word: str) -> str:
    """A number in digits, with its letter if it has one; "" if it is not one: after `l`, a roman numeral is a word."""
    if number[-1].isdecimal():
        return number.lower().lstrip("0")
    return str(arabic(number.lower())) if is_roman(number.lower()) and len(word) > 1 else ""


def _part(text: str, at: int) -> tuple[str, int]:
    """The paragraph of a provision, or `decision`, that a text names after its number, and the offset of its end."""
    if found := _PARAGRAPH.match(text, at) or _ROMAN.match(text, at):
        part = (found["a"] or (found["b"] if "b" in found.groupdict() else "")).lower()
        return part, found.end()
    found = _DECISION.match(text, at)
    return ("decision", found.end()) if found else ("", at)


def _best_works(
    citable: Citable, text: str, tokens: _Tokens, anchor: _Anchor, close: int, behind: int, before: int
) -> tuple[int, int, tuple[Work, ...], str] | None:
    """The span of the citation around a number, the works that its words name best, and a year that they do not have.

    Args:
        anchor: the number, and the page or the first of the provisions.
        close: the offset at which the last of them ends.
        behind, before: the citation is between these offsets.
    Returns:
        None if its words name no work.
    """
    first, last = _token(tokens, anchor.start), _token(tokens, close) - 1
    before = min(before, _end(text, anchor.end))
    found: list[tuple[tuple[int, int, int], int, int, Work, set[str]]] = []
    for work in citable.works:
        if anchor.kind not in work.kinds:
            continue
        units = citable.units.get((work.id, anchor.kind, anchor.number), ())
        low, high = _extended(text, tokens, first, last, work.words | JOINTS, behind, before, anchor)
        around = [*range(low, first), *range(last + 1, high + 1)]
        rest = {tokens[i][0] for i in around}
        names = {
            word
            for word in (tokens[i][0] for i in around if text[tokens[i][1]].isupper())
            if word in work.own | work.families
        }
        titled = any(name <= rest for name in work.titles)
        dated = bool(rest & work.years)
        # The page of a code is in the book of another author.
        by_code = anchor.kind == ON_PAGE and work.id != work.book
        if not (titled or (names - work.families if by_code else names) or (dated and anchor.kind != ON_PAGE)):
            continue
        sure = names & work.families or any(len(n) >= _LONG_TITLE and n <= rest for n in work.titles)
        if not sure and _is_foreign(text, tokens, low, high):
            continue
        score = (2 * titled + bool(names) + dated, bool(units), len(rest & work.words))
        # The other codes of its book may be named beside it, with their years.
        years = {word for word in rest if _YEAR.fullmatch(word)}
        wrong = years - work.words if dated else years
        found.append((score, tokens[low][1], max(close, tokens[high][2]), work, wrong))
    if not found:
        return None
    best = max(score for score, *_ in found)
    same = [each for each in found if each[0] == best]
    start, end = min(start for _, start, *_ in same), max(end for _, _, end, _, _ in same)
    wrong = set[str].intersection(*(wrong for *_, wrong in same))
    works = tuple(work for _, _, _, work, _ in same)
    return start, end, works, min(wrong, default="")


def _named_before(
    citable: Citable, text: str, tokens: _Tokens, anchor: _Anchor, close: int
) -> tuple[int, int, tuple[Work, ...], str] | None:
    """The works whose author the sentence names before a number or page; None if it names none of the library."""
    first, last = _token(tokens, anchor.start), _token(tokens, close) - 1
    if _is_foreign(text, tokens, first, last):
        return None
    begins = max(sentence(text, Span(anchor.start, close)).start, text.rfind("\n\n", 0, anchor.start))
    names = {word for word, start, _ in tokens[_token(tokens, begins) : first] if text[start].isupper()}
    works = tuple(work for work in citable.works if anchor.kind in work.kinds and names & work.families)
    return (anchor.start, close, works, "") if works else None


def _end(text: str, at: int) -> int:
    """Where a citation ends at the latest: with its bracket, or with its sentence."""
    depth = 0
    gaps = boundaries(text, at, at + _LONGEST)
    stop = next((gap.start for gap in gaps if not _NO_STOP.search(text, at, gap.start)), at + _LONGEST)
    for bracket in _BRACKET.finditer(text, at, stop):
        depth += 1 if bracket[0] == "(" else -1
        if depth < 0:
            return bracket.start()
    return stop


def _extended(
    text: str,
    tokens: _Tokens,
    first: int,
    last: int,
    allowed: frozenset[str],
    behind: int,
    before: int,
    anchor: _Anchor,
) -> tuple[int, int]:
    """Extend a range of tokens to both sides, between two offsets, while the words are `allowed` or dates.

    Joining words and pages at the ends are cut, and the article "a"; a capital at the beginning is an initial.
    """

    def belongs(i: int) -> bool:
        word, start, _ = tokens[i]
        if i and _YEAR.fullmatch(word):
            named, _, close = tokens[i - 2 if tokens[i - 1][0] == "of" else i - 1]
            if named in allowed - JOINTS and _DATES.fullmatch(text, close, start):
                return True
        return word in allowed

    low = first
    while low and first - low < _FARTHEST and belongs(low - 1) and tokens[low - 1][1] >= behind:
        if _BREAK.search(text, tokens[low - 1][2], tokens[low][1]):
            break
        low -= 1
    high = last
    while high + 1 < len(tokens) and high - last < _FARTHEST and belongs(high + 1) and tokens[high + 1][1] < before:
        close = max(tokens[high][2], anchor.end)
        if _BREAK.search(text, close, max(anchor.end, tokens[high + 1][1])):
            break
        # A quotation is a part of it only if it is a title.
        quoted = _QUOTED.match(text, tokens[high + 1][1] - 2)
        if quoted and not {word.lower() for word in lookup.TOKEN.findall(quoted[1])} <= allowed:
            break
        high += 1
    # If the next provision follows, the words from the first pause on belong to that one.
    if _another_follows(text, tokens, high) and (stop := _PAUSE.search(text, anchor.end, tokens[high][2])):
        high = next((i for i in range(last, high + 1) if tokens[i][2] > stop.start()), high + 1) - 1
        high = max(high, last)
    while low < first and (tokens[low][0] in JOINTS or text[slice(*tokens[low][1:])] == "a"):
        low += 1
    while high > last and tokens[high][0] in JOINTS | {"a"}:
        high -= 1
    return low, high


def _another_follows(text: str, tokens: _Tokens, high: int) -> bool:
    """Whether a number follows one of the next two words, so that they begin another provision."""
    return any(
        _FOLLOWING.match(text, tokens[i][2])
        for i in range(high + 1, min(high + 3, len(tokens)))
        if not tokens[i][0].isdecimal()
    )


def _is_foreign(text: str, tokens: _Tokens, low: int, high: int) -> bool:
    """Whether the name of another author or work is directly before or after: `Cavendish, Laws of Whist`."""
    if low:
        word, start, end = tokens[low - 1]
        between = text[end : tokens[low][1]]
        if text[start].isupper() and word not in _OPENING and _JOINED.fullmatch(between):
            # `Penalty: law 62`, `Today law 62`; but `Clay, Laws of Whist`.
            opens = _OPENS.search(text, max(0, start - 6), start) and _AFTER_HEADING.fullmatch(between)
            return not (opens and is_word(word))
    return _OF_ANOTHER.match(text, tokens[high][2]) is not None


def _units(citable: Citable, work: str, anchor: _Anchor) -> tuple[UnitRow, ...]:
    """The units of a work that a numbered provision means."""
    units = citable.units.get((work, anchor.kind, anchor.number), ())
    if not anchor.part:
        return units
    return tuple(citable.parts[unit.id, anchor.part] for unit in units if (unit.id, anchor.part) in citable.parts)


def _nearest(conn: sqlite3.Connection, citable: Citable, work: str, anchor: _Anchor) -> list[str]:
    """Ids like that of a provision that a work does not have; for a missing paragraph, the whole provision."""
    whole = citable.units.get((work, anchor.kind, anchor.number), ())
    return [unit.id for unit in whole] or lookup.nearest_ids(conn, f"{work}/{anchor.kind}-{anchor.number}", 3)
