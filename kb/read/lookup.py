"""Find units from typed text: ids and citations such as `1864 law 72 (ii)`."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from extract.numbering.numerals import arabic, is_roman, roman
from extract.numbering.spelled import in_figures
from kb.read.build_cache import cached_per_build
from kb.read.domain import domain
from kb.read.rows import UNIT, Statement, UnitRow, as_tuple

BY_ID = Statement(UnitRow, f"select {UNIT} from unit u where u.id = ?1")
BY_NUMBER = Statement(UnitRow, f"""
select {UNIT} from unit u join book b on b.id = u.book_id left join code c on c.id = u.code_id
where u.kind = ?1 and lower(u.number) = ?2 and u.continues is null
and (?3 is null or coalesce(c.year, b.year) = ?3 or b.year = ?3)
and (?4 is null or coalesce(u.code_id, u.book_id) in (select value from json_each(?4)))
order by coalesce(c.year, b.year), u.seq
""")  # fmt: skip
SERIES = Statement(UnitRow, f"""
select {UNIT} from unit u join book b on b.id = u.book_id left join code c on c.id = u.code_id
where u.kind = ?1 and u.number glob '[0-9]*' and u.continues is null
and (?2 is null or coalesce(c.year, b.year) = ?2 or b.year = ?2)
and (?3 is null or coalesce(u.code_id, u.book_id) in (select value from json_each(?3)))
order by coalesce(c.year, b.year), coalesce(u.code_id, u.book_id), cast(u.number as integer)
""")  # fmt: skip
LACKS = Statement(as_tuple, """
select c.short, l.reason from lack l join code c on c.id = l.code_id
where l.kind = ?1 and (?2 is null or c.year = ?2) and (?3 is null or c.id in (select value from json_each(?3)))
""")  # fmt: skip
BY_PAGE = Statement(UnitRow, f"""
select {UNIT} from unit u where lower(u.page) = ?1 and u.continues is null
and (u.code_id in (select value from json_each(?2)) or u.book_id in (select value from json_each(?2)))
and u.kind not in ('subclause', 'decision', 'footnote', 'note') order by u.book_id, u.seq
""")  # fmt: skip
CHILD = Statement(UnitRow, f"""
select {UNIT} from unit u where u.parent_id = ?1 and u.kind = ?2 and (?3 is null or lower(u.number) = ?3)
""")  # fmt: skip
WORKS = Statement(as_tuple, """
select c.id, c.year, c.short, c.title || ' ' || c.authority || ' ' || b.author
from code c join book b on b.id = c.book_id
union all select id, year, short, title || ' ' || author from book
""")  # fmt: skip

# The words for a numbered unit: the word before the number in its label (`Article 94`), its kind, and the labels of the
# concept with that name. The rows of a table are numbered too, but nobody cites them without their table.
KIND_WORDS = Statement(as_tuple, """
with named as (
    select distinct u.kind, lower(substr(u.label, 1, instr(u.label, ' ') - 1)) as word
    from unit u left join unit p on p.id = u.parent_id
    where u.continues is null and p.kind is not 'table'
    and (lower(u.label) = lower(substr(u.label, 1, instr(u.label, ' ') - 1) || ' ' || u.number)
        or u.number is not null and u.label like u.kind || ' %')
)
select word, kind from named union select kind, kind from named
union select lower(l.label), n.kind from named n join concept_label l on l.concept_id = n.kind
""")  # fmt: skip

# The first letters of numbers such as A 4.
LETTERS = Statement(str, """
select distinct lower(substr(number, 1, 1)) from unit
where number glob '[A-Za-z][0-9]*' and kind = 'law' and continues is null
""")  # fmt: skip
_LAW, _CASE = "law", "case"
_SHORTEST = 3  # letters of an abbreviation, at least: `art`; a single letter may belong to the number (`A 4`)
_PINPOINT = frozenset(
    ("paragraph", "para", "par", "section", "sect", "sec", "clause", "subclause", "subsection", "no", "number")
)
_PAGE = frozenset(("p", "pp", "page", "pages"))
_NOISE = frozenset(("of", "the", "in", "code", "codes", "and", "from", "st", "nd", "rd", "th"))
_TO, _AND = r"\s*(?:[-–—]|\bto\b)\s*", r"\s*(?:,?\s*\b(?:and|or)\b|,|&)\s*"
_SEVERAL = re.compile(rf"(?<![\w-])\d{{1,3}}(?:(?:{_TO}|{_AND}(?:[^\W\d_]+\.?\s*)?)\d{{1,3}})+(?![\w-])", re.IGNORECASE)
_ONE = re.compile(rf"({_AND})?(?:([^\W\d_]+)\.?\s*)?(\d{{1,3}})(?:{_TO}(\d{{1,3}}))?", re.IGNORECASE)
_MOST_OF_SEVERAL = 12
_ABBREVIATED = re.compile(r"[^\W\d_]+(?=\.)")
TOKEN = re.compile(r"[a-z]\d{1,3}(?![a-z\d])|\d+|[^\W\d_]+", re.IGNORECASE)
ELSEWHERE = Statement(str, "select distinct name from elsewhere order by length(name) desc, name")
_LONGEST = 200  # characters of an id or a citation
_MOSTTOKENS = 12


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a typed citation may mean: one unit, several (if no code was named), or none; `note` explains the result.

    `every` is whether all of the units are meant: laws 72 to 74. If nothing has the number, `ends` has the first and
    the last provision of each work that may be meant.
    """

    units: tuple[UnitRow, ...] = ()
    note: str = ""
    every: bool = False
    ends: tuple[tuple[UnitRow, UnitRow], ...] = ()


@dataclass(slots=True)
class _Parsed:
    kind: str | None = None
    word: str = ""
    number: str | None = None
    paragraph: str | None = None
    page: str = ""
    year: int | None = None
    decision: bool = False
    roman: bool = False
    names: list[str] = field(default_factory=list)
    abbreviated: frozenset[str] = frozenset()
    works: list[str] | None = None


def json_list(values: Iterable[Any]) -> str:
    """Encode a list for `json_each` in SQL."""
    return json.dumps(list(values))


def resolve_typed(conn: sqlite3.Connection, text: str) -> Resolution:
    """Resolve a typed id or citation: `english-1864/law-72`, `1864 law 72 (ii)`, `art. xciv`, `laws 72-74`, `lxxii`.

    Args:
        text: the text as typed; a URL that ends in an id is accepted.
    Returns:
        The units it may mean, oldest code first. Empty if any part of the text does not belong to a citation: a word
        that is not a kind, a number or the name of a work makes it a search.
    """
    if len(text) > _LONGEST:
        return Resolution()
    terms = _terms(conn)
    steps = text.strip().rstrip("/").lower().split("/")
    if work := next((i for i, step in enumerate(steps[:-1]) if step in terms.years), None):
        steps = steps[work:]
    if steps[0] in terms.years and len(steps) > 1:
        return Resolution(tuple(BY_ID(conn, "/".join(steps))))
    if foreign := _elsewhere(text, terms):
        return Resolution(note=f"“{foreign}” is another book: it is cited here, but is not in this library.")
    text = in_figures(text)
    if (span := _SEVERAL.search(text)) and (numbers := _numbers(text, span, terms)):
        return _resolved_several(conn, text, span, numbers, terms)
    return _resolved(conn, _parse(text, terms), terms)


@dataclass(frozen=True, slots=True)
class _Terms:
    """What a citation may name: the works and the kinds of units.

    By work, `years` has its year, `words` all words that may name it, and `names` those of its short name, which may be
    abbreviated. `shorts` has the work of each short name with its year, as tokens: our own citations begin with these.
    `kinds` has the kinds that a word may stand for. `letters` are those with which a number may begin; `initial` stands
    for the library's provisions (`l72`). `elsewhere` are books that are cited but are not in the library.
    """

    years: Mapping[str, int]
    words: Mapping[str, frozenset[str]]
    names: Mapping[str, frozenset[str]]
    shorts: Mapping[tuple[str, ...], str]
    kinds: Mapping[str, frozenset[str]]
    letters: frozenset[str]
    initial: str
    elsewhere: tuple[str, ...]


@cached_per_build
def _terms(conn: sqlite3.Connection) -> _Terms:
    kinds: dict[str, frozenset[str]] = {}
    about = domain(conn)
    for word, kind in (*KIND_WORDS(conn), *((word, _LAW) for word in about.words())):
        kinds[word] = kinds.get(word, frozenset()) | {kind}
    years: dict[str, int] = {}
    words: dict[str, frozenset[str]] = {}
    names: dict[str, frozenset[str]] = {}
    shorts: dict[tuple[str, ...], str] = {}
    for work, year, short, title_and_authors in WORKS(conn):
        years[work] = year
        words[work] = words.get(work, frozenset()) | set(tokens(f"{work} {short} {title_and_authors}"))
        names[work] = names.get(work, frozenset()) | set(tokens(short))
        shorts[tuple(tokens(short if str(year) in short else f"{short} {year}"))] = work
    initial = about.provision.singular[0].lower()
    return _Terms(years, words, names, shorts, kinds, frozenset(LETTERS(conn)), initial, tuple(ELSEWHERE(conn)))


def tokens(text: str) -> list[str]:
    """Split a citation into words and numbers, in lower case."""
    return TOKEN.findall(text.lower())


def kind_of(conn: sqlite3.Connection, word: str) -> str | None:
    """Return the kind of unit that a word before a number stands for, such as `art` or `cases`; None if it has none."""
    return _kind(word, _terms(conn), "1")


def _resolved(conn: sqlite3.Connection, citation: _Parsed | None, terms: _Terms) -> Resolution:
    """Find the units of a parsed citation."""
    if citation is None or not (citation.number or citation.page):
        return Resolution()
    works = citation.works
    if citation.names:
        works = [
            work
            for work in works or terms.words
            if all(_called(work, name, citation, terms) for name in citation.names)
        ]
    if citation.number is None:
        works = works or [work for work, year in terms.years.items() if year == citation.year]
        units = tuple(BY_PAGE(conn, citation.page, json_list(works)))
        begin = " or ".join(dict.fromkeys(u.folio or "" for u in units))
        return Resolution(units, f"These begin on page {begin}." if units else "", every=True)
    named = citation.kind is not None or citation.year is not None or works is not None
    if works == [] or not (named or citation.roman):
        return Resolution()
    # A name without a kind may be that of a book's author: a book's cases are numbered, and so are the laws it prints.
    kinds = [citation.kind] if citation.kind else [_LAW, _CASE] if works else [_LAW]
    among = None if works is None else json_list(works)
    found = [u for kind in kinds for u in BY_NUMBER(conn, kind, citation.number, citation.year, among)]
    if not found and (citation.kind or citation.year or works):
        there = " there" if citation.year or works else ""
        ends = tuple(end for kind in kinds for end in _ends(conn, kind, citation.year, among))
        # What the codes call them: the word before the number in their labels.
        names = dict.fromkeys(first.label.rpartition(" ")[0].lower() or first.kind for first, _ in ends) or kinds
        lacks = _lacks(conn, kinds[0], citation.year, among) if there else ""
        return Resolution(note=f"There is no {' or '.join(names)} {citation.number.upper()}{there}.{lacks}", ends=ends)
    if works is None and citation.year is None:
        found = _so_called(found, citation.word)
    exact = [u for u in found if terms.years[u.work] == citation.year]
    return _pinpoint(conn, exact or found, citation)


def _ends(conn: sqlite3.Connection, *asked: str | int | None) -> Iterator[tuple[UnitRow, UnitRow]]:
    """The first and the last unit of a kind in each work; `asked` are the kind, the year and the works (`SERIES`)."""
    for _, series in groupby(SERIES(conn, *asked), key=lambda unit: unit.work):
        units = list(series)
        yield units[0], units[-1]


def _lacks(conn: sqlite3.Connection, kind: str, *asked: str | int | None) -> str:
    """Sentences that say which codes, of a year or among some works (`LACKS`), are printed without a kind of unit."""
    what = domain(conn).noun_of_kind(kind).several
    return "".join(
        f" The book that prints {short} leaves out its {what}. {reason}" for short, reason in LACKS(conn, kind, *asked)
    )


def _called(work: str, name: str, citation: _Parsed, terms: _Terms) -> bool:
    """Whether a word, or an abbreviation with a full stop, may name a work: `Deschapelles`, `Desch.`, `D.`."""
    if name in citation.abbreviated:
        return any(word.startswith(name) for word in terms.names[work])
    return name in terms.words[work]


def _so_called(found: list[UnitRow], word: str) -> list[UnitRow]:
    """Return the units whose label begins with the typed word, or else all: `law 72` finds laws before articles."""
    return [u for u in found if word and u.label.lower().startswith(word)] or found


def _numbers(text: str, span: re.Match[str], terms: _Terms) -> list[int]:
    """The numbers in a span of a text: ranges of them, and lists (`72 and 73`, `law 72, law 73`).

    There are none if some are not numbers of provisions: those after a word of another kind (`72, par. 2`), and those
    that do not ascend after a comma (`72, 2`).
    """
    kind = next((_kind(word, terms, span[0]) for word in reversed(tokens(text[: span.start()]))), None)
    numbers: list[int] = []
    for joint, word, first, last in _ONE.findall(span[0]):
        descends = joint.strip() == "," and int(first) <= max(numbers, default=0)
        if descends or (word and _kind(word, terms, first) != kind):
            return []
        numbers += range(int(first), int(last or first) + 1)
    return list(dict.fromkeys(numbers))


def _resolved_several(
    conn: sqlite3.Connection, text: str, span: re.Match[str], every: Sequence[int], terms: _Terms
) -> Resolution:
    """Find all units of several numbers (`laws 72-74`), work by work, each from the first to the last."""
    numbers = every[:_MOST_OF_SEVERAL]
    citations = [_parse(f"{text[: span.start()]} {n} {text[span.end() :]}", terms) for n in numbers]
    word = next((c.word for c in citations if c), "")
    each = [_resolved(conn, replace(c, word="") if c else None, terms) for c in citations]
    units = _so_called([unit for resolution in each for unit in resolution.units], word)
    if not units:
        return each[0] if each else Resolution()
    missing = [] if re.search(_TO, span[0]) else [resolution.note for resolution in each if not resolution.units]
    more = [f"Only the first {_MOST_OF_SEVERAL} are listed."] if len(every) > len(numbers) else []
    note = " ".join(missing + more)
    return Resolution(tuple(sorted(units, key=lambda u: (terms.years[u.work], u.work, u.seq))), note, every=True)


def _elsewhere(text: str, terms: _Terms) -> str:
    """Return the name of a cited book outside the library, if a text is only that name and perhaps a place in it."""
    for name in terms.elsewhere:
        before, found, after = text.lower().partition(name.lower())
        if found and not re.search(r"[^\W\d_]$", before) and not re.match(r"[^\W\d_]", after.removeprefix("'s")):
            rest = TOKEN.findall(f"{before} {after.removeprefix(chr(39) + 's')}")
            citation = _parse(" ".join(rest), terms)
            if not rest or (citation and not citation.names):
                return name
    return ""


def _parse(text: str, terms: _Terms) -> _Parsed | None:
    typed, citation = tokens(text), _Parsed(abbreviated=frozenset(_ABBREVIATED.findall(text.lower())))
    short = max((name for name in terms.shorts if tuple(typed[: len(name)]) == name), key=len, default=())
    if short:
        typed, citation.works = typed[len(short) :], [terms.shorts[short]]
    if not typed or len(typed) > _MOSTTOKENS:
        return None
    letter = ""
    for at, token in enumerate(typed):
        after = typed[at + 1] if at + 1 < len(typed) else ""
        number = _number(token, terms)
        if at and typed[at - 1] in _PAGE and (number or is_roman(token)):
            citation.page = token
            continue
        if token in _PAGE:
            continue
        if token in _NOISE and token not in terms.kinds:
            continue
        if citation.kind is None and (kind := _kind(token, terms, after)):
            citation.kind, citation.word = kind, token.removesuffix("s")
        elif citation.kind and _kind(token, terms, after) == citation.kind:
            continue  # `The Laws of Whist (1864), law 72`
        elif token == "decision":
            citation.decision = True
        elif _figures(token) and len(token) == 4:
            citation.year = int(token)
        elif token in terms.letters and citation.number is None and _figures(after) and len(after) < 4:
            letter = token
        elif number and citation.number is None:
            citation.number, letter = letter + number, ""
            if token[:1] == terms.initial and not citation.kind and _figures(token[1:]):
                citation.kind = citation.word = _LAW
        elif citation.number is None and is_roman(token) and (len(token) > 1 or citation.kind):
            citation.number, citation.roman = str(arabic(token)), True
        elif citation.number and citation.paragraph is None and (_figures(token) or is_roman(token)):
            citation.paragraph = token
        elif token not in _PINPOINT:
            citation.names.append(token)
    if citation.decision and citation.kind is None:
        citation.kind = _CASE
    return citation


def _number(token: str, terms: _Terms) -> str:
    """Return the number in a token, in digits, with its letter if any (`a4`); "" if it has none; `l72` is law 72."""
    if _figures(token):
        return token.lstrip("0") or "0"
    if not _figures(token[1:]) or len(token) > 4:
        return ""
    return token if token[0] in terms.letters else _number(token[1:], terms) if token[0] == terms.initial else ""


def _figures(token: str) -> bool:
    """Whether a token is a number in ASCII digits; `²` and other Unicode digits do not count."""
    return token.isascii() and token.isdecimal()


def _kind(token: str, terms: _Terms, after: str) -> str | None:
    """Return the kind of unit that a word, its plural or an abbreviation stands for; `rule` means a law of any code."""
    numbered = _figures(after) or (is_roman(after) and len(after) > 1)
    if token == terms.initial and token not in terms.letters and numbered:
        return _LAW
    word = _LAW if token in ("rule", "rules") else token
    meant = {kind for w in (word, word.removesuffix("s")) for kind in terms.kinds.get(w, ())}
    if not meant and len(word) >= _SHORTEST:
        meant = {kind for full, found in terms.kinds.items() if full.startswith(word) for kind in found}
    # A word that means a law in any code means a law in a citation.
    return _LAW if _LAW in meant else meant.pop() if len(meant) == 1 else None


def _pinpoint(conn: sqlite3.Connection, found: list[UnitRow], citation: _Parsed) -> Resolution:
    kind, number = ("decision", None) if citation.decision else ("subclause", citation.paragraph)
    if not found or (kind == "subclause" and number is None):
        return Resolution(tuple(found))
    numbers = [number, roman(int(number))] if number and _figures(number) and 0 < int(number) < 100 else [number]
    exact = [c for u in found for n in numbers for c in CHILD(conn, u.id, kind, n)]
    if exact:
        return Resolution(tuple(exact))
    what = "decision" if citation.decision else f"paragraph {citation.paragraph}"
    return Resolution(tuple(found), f"There is no {what}; the whole provision is shown.")
