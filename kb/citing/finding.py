"""Find citations in running text and footnotes that name their work in words: `English laws, 1864, law 72 (ii)`.

A citation is a numbered provision, such as `law 72`, among words that belong to its work: its title, who issued it,
where and when it was printed, the page. From the number the citation is extended to both sides as long as all words
belong to one work, and it counts if they name that work: by a title or a distinctive name, or by its year. A number
with the name of another author or book, or of no work at all, is not a citation of this library; `ibid.` has the work
of the citation before it.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from extract.language.misspelling import is_word
from extract.numbering.numerals import arabic, is_roman, roman
from kb.read import lookup, queries
from kb.read.build_cache import cached_per_build
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import JOINTS, UNITS, work_words

_FARTHEST = 60
"""The most words that a citation has on either side of its number: the longest title has thirty."""
_MOST_OF_LIST = 12
_LONG_TITLE = 4
"""The fewest words of a title that no other book has by chance."""
_MOST_OF_ONE_NAME = 2
"""The most books with the same distinctive name: two American codes, but not all books on whist."""
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


@dataclass(frozen=True, slots=True)
class CitationInWords:
    """A citation in words.

    Attributes:
        start, end: its span, with the words that name its work, in characters of the text.
        units: the units it means: several if it is ambiguous, none if the work does not have the provision.
        nearest: if there are none, the most similar ids of provisions of the work.
    """

    start: int
    end: int
    units: tuple[UnitRow, ...]
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Work:
    """A work with the words that its citations have (see `WorkWords`); `own` are names that few other works have."""

    id: str
    words: frozenset[str]
    titles: tuple[frozenset[str], ...]
    own: frozenset[str]
    families: frozenset[str]
    years: frozenset[str]
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Citable:
    """What can be cited by number.

    Attributes:
        works: all works.
        units: their units, by work, kind and number.
        parts: the paragraphs and decisions of units, by unit and number or "decision".
        pages: the page numbers of units, by unit.
    """

    works: tuple[_Work, ...]
    units: Mapping[tuple[str, str, str], tuple[UnitRow, ...]]
    parts: Mapping[tuple[str, str], UnitRow]
    pages: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A numbered provision in a text: its kind, number and part, and its span in characters."""

    kind: str
    number: str
    part: str
    start: int
    end: int


def in_words(conn: sqlite3.Connection, text: str) -> Iterator[CitationInWords]:
    """The citations of a text that name their work in words, in order."""
    citable = _citable(conn)
    tokens = [(m.group().lower(), m.start(), m.end()) for m in lookup.TOKEN.finditer(text)]
    starts = [start for _, start, _ in tokens]
    behind, last_work = 0, ""
    for anchors in _anchors(conn, text, tokens):
        first_anchor = anchors[0]
        if first_anchor.start < behind:
            continue
        first = bisect_left(starts, first_anchor.start)
        last = bisect_left(starts, anchors[-1].end) - 1
        found = _best_works(citable, text, tokens, (first, last), anchors, behind)
        if found is None and last_work:
            gap = text[behind : first_anchor.start]
            listed = behind and _LISTED.fullmatch(gap)
            if listed or _IBID.search(text[max(0, first_anchor.start - 20) : first_anchor.start]):
                work = next(w for w in citable.works if w.id == last_work)
                found = (first_anchor.start, anchors[-1].end, (work,))
        if found is None:
            continue
        start, end, works = found
        for n, anchor in enumerate(anchors):
            units = tuple(chain.from_iterable(_units(citable, work.id, anchor) for work in works))
            here = (start if n == 0 else anchor.start, end if n == len(anchors) - 1 else anchor.end)
            nearest = () if units else tuple(_nearest(conn, citable, works[0].id, anchor))
            yield CitationInWords(*here, units, nearest)
        behind, last_work = end, works[0].id if len(works) == 1 else ""


def _anchors(
    conn: sqlite3.Connection, text: str, tokens: Sequence[tuple[str, int, int]]
) -> Iterator[tuple[_Anchor, ...]]:
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
    citable: _Citable,
    text: str,
    tokens: Sequence[tuple[str, int, int]],
    inside: tuple[int, int],
    anchors: Sequence[_Anchor],
    behind: int,
) -> tuple[int, int, tuple[_Work, ...]] | None:
    """The span of the citation around a number, and the works that its words name best; None if they name none."""
    first, last = inside
    anchor = anchors[0]
    found: list[tuple[tuple[int, int, int], int, int, _Work]] = []
    for work in citable.works:
        if anchor.kind not in work.kinds:
            continue
        units = citable.units.get((work.id, anchor.kind, anchor.number), ())
        pages = {page for unit in units for page in citable.pages.get(unit.id, ())}
        low, high = _extended(text, tokens, first, last, work.words | JOINTS | pages, behind, anchor)
        around = [*range(low, first), *range(last + 1, high + 1)]
        rest = {tokens[i][0] for i in around}
        names = {
            word
            for word in (tokens[i][0] for i in around if text[tokens[i][1]].isupper())
            if word in work.own | work.families
        }
        titled = any(name <= rest for name in work.titles)
        dated = bool(rest & work.years)
        if not (titled or names or dated):
            continue
        sure = names & work.families or any(len(n) >= _LONG_TITLE and n <= rest for n in work.titles)
        if not sure and _is_foreign(text, tokens, low, high):
            continue
        score = (2 * titled + bool(names) + dated, bool(units), len(rest & work.words))
        found.append((score, tokens[low][1], max(anchor.end, anchors[-1].end, tokens[high][2]), work))
    if not found:
        return None
    best = max(score for score, *_ in found)
    same = [each for each in found if each[0] == best]
    return min(start for _, start, _, _ in same), max(end for _, _, end, _ in same), tuple(w for *_, w in same)


def _extended(
    text: str,
    tokens: Sequence[tuple[str, int, int]],
    first: int,
    last: int,
    allowed: frozenset[str],
    behind: int,
    anchor: _Anchor,
) -> tuple[int, int]:
    """Extend a range of tokens to both sides while the words are `allowed`.

    Joining words at the ends are cut, and the article "a"; a capital at the beginning is an initial.
    """
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
    # If the next provision follows, the words from the first pause on belong to that one.
    if _another_follows(text, tokens, high) and (stop := _PAUSE.search(text, anchor.end, tokens[high][2])):
        high = next((i for i in range(last, high + 1) if tokens[i][2] > stop.start()), high + 1) - 1
        high = max(high, last)
    while low < first and (tokens[low][0] in JOINTS or text[tokens[low][1] : tokens[low][2]] == "a"):
        low += 1
    while high > last and tokens[high][0] in JOINTS | {"a"}:
        high -= 1
    return low, high


def _another_follows(text: str, tokens: Sequence[tuple[str, int, int]], high: int) -> bool:
    """Whether a number follows one of the next two words, so that they begin another provision."""
    return any(
        _FOLLOWING.match(text, tokens[i][2])
        for i in range(high + 1, min(high + 3, len(tokens)))
        if not tokens[i][0].isdecimal()
    )


def _is_foreign(text: str, tokens: Sequence[tuple[str, int, int]], low: int, high: int) -> bool:
    """Whether the name of another author or work is directly before or after: `Cavendish, Laws of Whist`."""
    if low:
        word, start, end = tokens[low - 1]
        between = text[end : tokens[low][1]]
        if text[start].isupper() and word not in _OPENING and _JOINED.fullmatch(between):
            # `Penalty: law 62`, `Today law 62`; but `Clay, Laws of Whist`.
            opens = _OPENS.search(text, max(0, start - 6), start) and _AFTER_HEADING.fullmatch(between)
            return not (opens and is_word(word))
    return _OF_ANOTHER.match(text, tokens[high][2]) is not None


def _units(citable: _Citable, work: str, anchor: _Anchor) -> tuple[UnitRow, ...]:
    """The units of a work that a numbered provision means."""
    units = citable.units.get((work, anchor.kind, anchor.number), ())
    if not anchor.part:
        return units
    return tuple(citable.parts[unit.id, anchor.part] for unit in units if (unit.id, anchor.part) in citable.parts)


def _nearest(conn: sqlite3.Connection, citable: _Citable, work: str, anchor: _Anchor) -> list[str]:
    """Ids like that of a provision that a work does not have; for a missing paragraph, the whole provision."""
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
    terms = work_words(conn)
    by_book: dict[str, set[str]] = defaultdict(set)
    for (_, book), words in terms.items():
        by_book[book] |= words.givers
    spread = Counter(chain.from_iterable(by_book.values()))
    common = {word for word, n in spread.items() if n > _MOST_OF_ONE_NAME}
    years = {c.id: str(c.year) for c in queries.codes(conn)} | {b.id: str(b.year) for b in queries.books(conn)}
    works = tuple(
        _Work(
            work,
            frozenset(chain.from_iterable(terms[key].words for key in each)),
            tuple(chain.from_iterable(terms[key].names for key in each)),
            frozenset(chain.from_iterable((terms[key].givers - common) | terms[key].families for key in each)) - JOINTS,
            frozenset(chain.from_iterable(terms[key].families for key in each)),
            frozenset((years[work], *(years[book] for _, book in each))),
            frozenset(kinds[work]),
        )
        for work, each in keys.items()
    )
    pages = {unit.id: frozenset(lookup.tokens(unit.page or "")) for found in numbered.values() for unit in found}
    return _Citable(works, {key: tuple(found) for key, found in numbered.items()}, parts, pages)
