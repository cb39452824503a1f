"""Citations in running text and footnotes that name their work in words: `English laws, 1864, law 72 (ii)`.

A citation is a numbered provision, such as `law 72`, amid words that belong to its work: its title, who gave it, where
and when it was printed, the page. From the number the citation grows to both sides as far as all words are of one work,
and counts if they name the work: by a title or a name that is its own, or by its year. What names another author or
book, or no work at all, is no citation of this library; `ibid.` has the work of the citation before it.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from extract.numbering.numerals import arabic, is_roman, roman
from kb.read import lookup, queries
from kb.read.build_cache import cached_per_build
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import JOINTS, UNITS, work_words

_FARTHEST = 60
"""Words that a citation has at most on either side of its number: the longest title has thirty."""
_MOST_OF_LIST = 12
_LONG_TITLE = 4
"""Words of a title that no other book has by chance."""
_MOST_OF_ONE_NAME = 2
"""Books that a name may tell from the others of a library: two American codes, but not all that are on whist."""
_NUMBER = re.compile(r"[\s.]*(?:nos?\.\s*)?(?P<number>[a-z]?\d{1,3}|[ivxlc]+)\b(?!\s*['’]\w)", re.IGNORECASE)
_ALSO = re.compile(
    r"\s*(?P<joint>[,;&–—-]|\band\b|\bto\b|\bor\b)\s*(?:and\s+|&\s*)?(?P<number>\d{1,3})\b(?!\s*(?:\w*%|st|nd|rd|th))"
)
_AND = frozenset(("and", "or", "&"))
_WORD_FOR_PART = r"(?:§+|paragraphs?|paras?\.?|pars?\.?|sub-?sections?|sections?|sect?\.?|sub-?clauses?|clauses?|cl\.)"
_PARAGRAPH = re.compile(
    rf"[\s,]*(?:{_WORD_FOR_PART}\s*)?[(\[]\s*(?P<a>[ivx]{{1,5}}|\d{{1,2}})\s*[)\]]"
    rf"|[\s,]*{_WORD_FOR_PART}\s*(?P<b>[ivx]{{1,5}}|\d{{1,2}})\b",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"[\s,]+(?P<a>[IVX]{1,5})\b(?![.’'])")
_DECISION = re.compile(r"[\s,(]*(?:the\s+)?decision\b", re.IGNORECASE)
_IBID = re.compile(r"\b(?:ibid(?:em)?|id|idem|loc\.? cit|op\.? cit)\.?[\s,]*$", re.IGNORECASE)
# Between two provisions of one list stand only signs and such words.
_LISTED = re.compile(r"[\s,;&(]*(?:(?:and|or|with|also|cf\.?|see|compare)\b[\s,.]*){0,2}", re.IGNORECASE)
# A citation does not go beyond these.
_BREAK = re.compile(r";|\n\s*\n|\n\[\^|\]:|\)[\s,]+and\b")
_PAUSE = re.compile(r"[.,)]")
# With a capital before a citation, such a word opens the sentence; any other is the name of another author or work.
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


@dataclass(frozen=True, slots=True)
class CitationInWords:
    """A citation that stands in a text in words.

    Attributes:
        start, end: where it stands, with the words that name its work; offsets in characters of the text.
        units: what it means; several if the text does not tell which, none if the work has no such provision.
        nearest: where there is none, ids of provisions of the work that come nearest.
    """

    start: int
    end: int
    units: tuple[UnitRow, ...]
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Work:
    """A work by the words that citations have of it, as `WorkWords`; `own` are names that few others have."""

    id: str
    words: frozenset[str]
    titles: tuple[frozenset[str], ...]
    own: frozenset[str]
    families: frozenset[str]
    years: frozenset[str]
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Citable:
    """What can be cited by a number: works, their units by kind and number, and the paragraphs of units."""

    works: tuple[_Work, ...]
    units: Mapping[tuple[str, str, str], tuple[UnitRow, ...]]
    parts: Mapping[tuple[str, str], UnitRow]
    pages: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A numbered provision in a text: its kind, number and part, and which tokens of the text it has."""

    kind: str
    number: str
    part: str
    start: int
    end: int


def in_words(conn: sqlite3.Connection, text: str) -> Iterator[CitationInWords]:
    """The citations of a text that name their work in words, in its order."""
    citable = _citable(conn)
    tokens = [(m.group().lower(), m.start(), m.end()) for m in lookup.TOKEN.finditer(text)]
    starts = [start for _, start, _ in tokens]
    behind, before = 0, ""
    for several in _anchors(conn, text, tokens):
        opening = several[0]
        if opening.start < behind:
            continue
        first = bisect_left(starts, opening.start)
        last = bisect_left(starts, several[-1].end) - 1
        read = _read(citable, text, tokens, (first, last), several, behind)
        if read is None and before:
            gap = text[behind : opening.start]
            listed = behind and _LISTED.fullmatch(gap)
            if listed or _IBID.search(text[max(0, opening.start - 20) : opening.start]):
                work = next(w for w in citable.works if w.id == before)
                read = (opening.start, several[-1].end, (work,))
        if read is None:
            continue
        start, end, works = read
        for n, anchor in enumerate(several):
            units = tuple(chain.from_iterable(_units(citable, work.id, anchor) for work in works))
            here = (start if n == 0 else anchor.start, end if n == len(several) - 1 else anchor.end)
            nearest = () if units else tuple(_nearest(conn, citable, works[0].id, anchor))
            yield CitationInWords(*here, units, nearest)
        behind, before = end, works[0].id if len(works) == 1 else ""


def _anchors(
    conn: sqlite3.Connection, text: str, tokens: Sequence[tuple[str, int, int]]
) -> Iterator[tuple[_Anchor, ...]]:
    """The numbered provisions of a text, those of one list together: `laws 72, 73 and 80`."""
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
        if found is None or kind is None or not (number := _figures(found["number"], word)):
            continue
        part, close = _part(text, found.end())
        several = [_Anchor(kind, number, part, start, close)]
        while more := _ALSO.match(text, several[-1].end):
            if not several[-1].number.isdecimal() or (several[-1].part and more["joint"] not in _AND):
                break
            low, high = int(several[-1].number), int(more["number"])
            stretch = more["joint"] in "–—-" or more["joint"] == "to"
            if stretch and not low < high < low + _MOST_OF_LIST:
                break
            part, close = _part(text, more.end())
            begin = several[-1].start if stretch else more.start("number")
            between = range(low + 1, high) if stretch else ()
            several += (_Anchor(kind, str(n), "", begin, more.end()) for n in between)
            several.append(_Anchor(kind, more["number"], part, begin, close))
        yield tuple(several)


def _figures(number: str, word: str) -> str:
    """A number in figures, with its letter if it has one; "" for what is none: after `l` a roman one is a word."""
    if number[-1].isdecimal():
        return number.lower().lstrip("0")
    return str(arabic(number.lower())) if is_roman(number.lower()) and len(word) > 1 else ""


def _part(text: str, at: int) -> tuple[str, int]:
    """The paragraph of a provision, or `decision`, that a text names after its number; and where that ends."""
    if found := _PARAGRAPH.match(text, at) or _ROMAN.match(text, at):
        part = (found["a"] or (found["b"] if "b" in found.groupdict() else "")).lower()
        return part, found.end()
    found = _DECISION.match(text, at)
    return ("decision", found.end()) if found else ("", at)


def _read(
    citable: _Citable,
    text: str,
    tokens: Sequence[tuple[str, int, int]],
    inside: tuple[int, int],
    several: Sequence[_Anchor],
    behind: int,
) -> tuple[int, int, tuple[_Work, ...]] | None:
    """The works that the words around a number name best, and from where to where the citation goes."""
    first, last = inside
    anchor = several[0]
    found: list[tuple[tuple[int, int, int], int, int, _Work]] = []
    for work in citable.works:
        if anchor.kind not in work.kinds:
            continue
        units = citable.units.get((work.id, anchor.kind, anchor.number), ())
        pages = {page for unit in units for page in citable.pages.get(unit.id, ())}
        low, high = _grown(text, tokens, first, last, work.words | JOINTS | pages, behind, anchor)
        around = [*range(low, first), *range(last + 1, high + 1)]
        rest = {tokens[i][0] for i in around}
        names = {
            word
            for word in (tokens[i][0] for i in around if text[tokens[i][1]].isupper())
            if word in work.own | work.families
        }
        full = any(name <= rest for name in work.titles)
        dated = bool(rest & work.years)
        if not (full or names or dated):
            continue
        sure = names & work.families or any(len(n) >= _LONG_TITLE and n <= rest for n in work.titles)
        if not sure and _is_foreign(text, tokens, low, high):
            continue
        score = (2 * full + bool(names) + dated, bool(units), len(rest & work.words))
        found.append((score, tokens[low][1], max(anchor.end, several[-1].end, tokens[high][2]), work))
    if not found:
        return None
    best = max(score for score, *_ in found)
    same = [each for each in found if each[0] == best]
    return min(start for _, start, _, _ in same), max(end for _, _, end, _ in same), tuple(w for *_, w in same)


def _grown(
    text: str,
    tokens: Sequence[tuple[str, int, int]],
    first: int,
    last: int,
    allowed: frozenset[str],
    behind: int,
    anchor: _Anchor,
) -> tuple[int, int]:
    """How far the words to both sides of some tokens are all of one work; the ends are not mere joints."""
    low = first
    while low and first - low < _FARTHEST and tokens[low - 1][0] in allowed and tokens[low - 1][1] >= behind:
        if _BREAK.search(text, tokens[low - 1][2], tokens[low][1]):
            break
        low -= 1
    high = last
    while high + 1 < len(tokens) and high - last < _FARTHEST and tokens[high + 1][0] in allowed:
        if _BREAK.search(text, max(tokens[high][2], anchor.end), max(anchor.end, tokens[high + 1][1])):
            break
        high += 1
    # What stands before the next provision names that one, from the first break on.
    if _opens(text, tokens, high) and (stop := _PAUSE.search(text, anchor.end, tokens[high][2])):
        high = next((i for i in range(last, high + 1) if tokens[i][2] > stop.start()), high + 1) - 1
        high = max(high, last)
    while low < first and tokens[low][0] in JOINTS:
        low += 1
    while high > last and tokens[high][0] in JOINTS:
        high -= 1
    return low, high


def _opens(text: str, tokens: Sequence[tuple[str, int, int]], high: int) -> bool:
    """Whether a number follows on the next words: another provision."""
    return any(
        _FOLLOWING.match(text, tokens[i][2])
        for i in range(high + 1, min(high + 3, len(tokens)))
        if not tokens[i][0].isdecimal()
    )


def _is_foreign(text: str, tokens: Sequence[tuple[str, int, int]], low: int, high: int) -> bool:
    """Whether the name of something else stands directly before or behind: `Cavendish, Laws of Whist`."""
    if low:
        _, start, end = tokens[low - 1]
        between = text[end : tokens[low][1]]
        if text[start].isupper() and tokens[low - 1][0] not in _OPENING and _JOINED.fullmatch(between):
            return True
    return _OF_ANOTHER.match(text, tokens[high][2]) is not None


def _units(citable: _Citable, work: str, anchor: _Anchor) -> tuple[UnitRow, ...]:
    """The units of a work that a number means."""
    units = citable.units.get((work, anchor.kind, anchor.number), ())
    if not anchor.part:
        return units
    return tuple(citable.parts[unit.id, anchor.part] for unit in units if (unit.id, anchor.part) in citable.parts)


def _nearest(conn: sqlite3.Connection, citable: _Citable, work: str, anchor: _Anchor) -> list[str]:
    """What comes nearest to a provision that a work does not have: the whole of a paragraph, or like ids."""
    whole = citable.units.get((work, anchor.kind, anchor.number), ())
    return [unit.id for unit in whole] or lookup.nearest_ids(conn, f"{work}/{anchor.kind}-{anchor.number}", 3)


@cached_per_build
def _citable(conn: sqlite3.Connection) -> _Citable:
    units = list(queries.units(conn, UNITS(conn)).values())
    numbered: dict[tuple[str, str, str], list[UnitRow]] = defaultdict(list)
    parts: dict[tuple[str, str], UnitRow] = {}
    kinds: dict[str, set[str]] = defaultdict(set)
    keys: dict[str, set[tuple[str | None, str]]] = defaultdict(set)
    for unit in units:
        keys[unit.work].add((unit.code_id, unit.book_id))
        if unit.kind == "subclause" and unit.parent_id and unit.number:
            number = unit.number.lower()
            parts[unit.parent_id, number] = unit
            if is_roman(number):
                parts[unit.parent_id, str(arabic(number))] = unit
            elif number.isdecimal():
                parts[unit.parent_id, roman(int(number))] = unit
        elif unit.role == "decision" and unit.parent_id:
            parts[unit.parent_id, "decision"] = unit
        elif unit.number:
            numbered[unit.work, unit.kind, unit.number.lower()].append(unit)
            kinds[unit.work].add(unit.kind)
    said = work_words(conn)
    by_book: dict[str, set[str]] = defaultdict(set)
    for (_, book), words in said.items():
        by_book[book] |= words.givers
    spread = Counter(chain.from_iterable(by_book.values()))
    common = {word for word, n in spread.items() if n > _MOST_OF_ONE_NAME}
    years = {c.id: str(c.year) for c in queries.codes(conn)} | {b.id: str(b.year) for b in queries.books(conn)}
    works = tuple(
        _Work(
            work,
            frozenset(chain.from_iterable(said[key].words for key in each)),
            tuple(chain.from_iterable(said[key].names for key in each)),
            frozenset(chain.from_iterable((said[key].givers - common) | said[key].families for key in each)) - JOINTS,
            frozenset(chain.from_iterable(said[key].families for key in each)),
            frozenset((years[work], *(years[book] for _, book in each))),
            frozenset(kinds[work]),
        )
        for work, each in keys.items()
    )
    pages = {unit.id: frozenset(lookup.tokens(unit.page or "")) for found in numbered.values() for unit in found}
    return _Citable(works, {key: tuple(found) for key, found in numbered.items()}, parts, pages)
