"""Interpret a query for this library: the years and works that it names, and the words that it misspells.

Words in quotation marks are not interpreted.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from extract.language.folding import words_of
from extract.language.misspelling import is_word, respelt, spellings
from extract.model import Span
from kb.read.domain import domain
from kb.read.rows import fetch
from kb.search.catalogue import Catalogue
from kb.search.facets import NAMES
from kb.search.querylang import Query, Term, parse, quoted, rewritten

KNOWN = "select 1 from entry_fts where entry_fts match ? limit 1"
# Words that add nothing after the name of a code: `English laws`.
_OF_A_CODE = frozenset(("law", "laws", "rule", "rules", "code", "codes"))
_YEAR = re.compile(r"[0-9]{4}")
_WORD = re.compile(r"[^\W_]+")
# A query with more unknown words than this is not corrected.
MOST_UNKNOWN = 8


@dataclass(frozen=True, slots=True)
class Intent:
    """An interpreted query.

    Attributes:
        query: the query as interpreted.
        corrected: the text of the query with misspelt words corrected, if there are any; this is what is searched.
        suggestion: the same, with terms of the subject for similar English words that are not in these books, if any.
        literal: a query that searches literally for the words that were interpreted, if there are any.
        rest: the text of the query without its names of works and years.
        named: the fields and values that these names stand for.
        notes: notes on the names that were used as filters.
    """

    query: Query
    corrected: str | None = None
    suggestion: str | None = None
    literal: str | None = None
    rest: str = ""
    named: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def everywhere(conn: sqlite3.Connection, catalogue: Catalogue, text: str, given: Collection[str] = ()) -> Intent:
    """Interpret a query as `understood` does, but take its names of works and years as mere words."""
    typed = parse(text)
    return understood(conn, catalogue, quoted(typed, _narrowed(conn, catalogue, typed, given).taken), NAMES)


def understood(conn: sqlite3.Connection, catalogue: Catalogue, text: str, given: Collection[str] = ()) -> Intent:
    """Interpret a query.

    Args:
        conn: the knowledge base.
        catalogue: its catalogue.
        text: the query; any input is valid.
        given: the fields that have filters beside the query; words of the query are not used as filters for these.
    """
    typed = parse(text)
    narrowed = _narrowed(conn, catalogue, typed, given)
    joined = _joined(narrowed.query.wanted, catalogue)
    wrong, doubtful = _misspelt(conn, catalogue, joined)
    respelled = [_corrected(term, wrong) for term in joined]
    unread = [*narrowed.naming, *(term for term in joined if _correctable(term, wrong))]
    return Intent(
        replace(narrowed.query, wanted=tuple(_spelt(term, catalogue) for term in respelled)),
        _respelled(typed.text, joined, wrong) if wrong else None,
        _respelled(typed.text, joined, wrong | doubtful) if doubtful else None,
        quoted(typed, unread) if unread else None,
        " ".join(rewritten(typed.text, ((term.span, "") for term in narrowed.taken)).split()),
        narrowed.fields,
        narrowed.notes,
    )


def works_named(conn: sqlite3.Connection, catalogue: Catalogue, text: str) -> tuple[str, ...]:
    """The works that a query names by name or year, if it says nothing else: codes if there are any, or else books."""
    general = _words_for_codes(conn) | {*words_of(domain(conn).library.subject), "s"}
    words = [w for w in parse(text).words if w not in general and not Term((w,)).idle]
    names, years = [w for w in words if w in catalogue.works], [w for w in words if _YEAR.fullmatch(w)]
    if not words or len(names) + len(years) < len(words):
        return ()
    meant = [catalogue.works[name] for name in names] or catalogue.works.values()
    works = {w: kind for kind, ids in meant for w in ids if not years or catalogue.years[w] & set(map(int, years))}
    codes = [work for work, kind in works.items() if kind == "code"]
    return tuple(sorted(codes or works, key=lambda work: (min(catalogue.years[work]), work)))


@dataclass(frozen=True, slots=True)
class _Narrowed:
    """A query with its names turned into `fields`: `taken` are the terms used for that, `naming` the names in them."""

    query: Query
    taken: tuple[Term, ...] = ()
    naming: tuple[Term, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def _narrowed(conn: sqlite3.Connection, catalogue: Catalogue, query: Query, given: Collection[str]) -> _Narrowed:
    """Turn the years and works that a query names into fields."""
    of_a_code = _words_for_codes(conn)
    fixed = {name for name, _ in query.fields} | set(given)
    years: list[str] = []
    works: dict[str, list[str]] = {}
    left: list[Term] = []
    taken: list[Term] = []
    for at, term in enumerate(query.wanted):
        first, rest = term.words[0], term.words[1:]
        free = not (term.quoted or term.prefix or term.compound)
        if free and "year" not in fixed and (span := _years(term, catalogue)):
            years.append(span)
        elif (
            free
            and rest in ((), ("s",))
            and (named := catalogue.works.get(first))
            and named[0] not in fixed
            and not _of_a_phrase(conn, query.wanted, at)
        ):
            works.setdefault(named[0], []).extend(named[1])
        elif free and taken and not rest and first in of_a_code:
            pass
        else:
            left.append(term)
            continue
        taken.append(term)
    fields = [("year", year) for year in years] + [(name, work) for name, found in works.items() for work in found]
    if not fields or all(term.idle for term in left) or not _agree(catalogue, years, works):
        return _Narrowed(query)
    naming = [term for term in taken if term.words[0] not in of_a_code]
    names = " ".join(dict.fromkeys(_name(term).capitalize() for term in naming))
    note = f"“{names}” was used as a filter: {_filters_in_words(catalogue, years, works)}."
    narrowed = replace(query, wanted=tuple(left), fields=(*query.fields, *fields))
    return _Narrowed(narrowed, tuple(taken), tuple(naming), tuple(fields), (note,))


def _name(term: Term) -> str:
    return "-".join(term.words) if term.words[1:] != ("s",) else term.words[0]


def _words_for_codes(conn: sqlite3.Connection) -> frozenset[str]:
    about = domain(conn)
    return _OF_A_CODE | about.words() | {about.code.singular.lower(), about.code.several.lower()}


def _of_a_phrase(conn: sqlite3.Connection, terms: Sequence[Term], at: int) -> bool:
    """Whether the books have the name of a work beside the same word as in the query: `American leads`."""
    of_a_code = _words_for_codes(conn)
    before, name, after = terms[max(0, at - 1) : at], terms[at], terms[at + 1 : at + 2]
    after = tuple(t for t in after if t.words[0] not in of_a_code)
    beside = [(*t.words, *name.words) for t in before if not t.idle] + [
        (*name.words, *t.words) for t in after if not t.idle
    ]
    return any(fetch(conn, bool, KNOWN, (f'"{" ".join(words)}"',)) for words in beside)


def _filters_in_words(catalogue: Catalogue, years: Sequence[str], works: Mapping[str, Sequence[str]]) -> str:
    """The works and years that results are filtered by, in words."""
    titles = [catalogue.titles[work] for found in works.values() for work in found]
    return " and ".join(filter(None, (", ".join(titles), f"works of {', '.join(years)}" if years else "")))


def _years(term: Term, catalogue: Catalogue) -> str:
    """The year or range of years that a term is; "" if it is not one, or the library has no work of those years."""
    known = {year for years in catalogue.years.values() for year in years}
    figures = [int(w) for w in term.words if len(w) == 4 and w.isascii() and w.isdecimal()]
    if len(figures) != len(term.words) or len(figures) > 2:
        return ""
    first, last = min(figures), max(figures)
    there = str(first) if first == last else f"{first}-{last}"
    return there if any(first <= year <= last for year in known) else ""


def _agree(catalogue: Catalogue, years: Iterable[str], works: dict[str, list[str]]) -> bool:
    """Whether one of the works named is of one of the years; true if no works or no years are named."""
    spans = [(int(span[:4]), int(span[-4:])) for span in years]
    named = [work for found in works.values() for work in found]
    return not spans or not named or any(
        first <= year <= last for work in named for year in catalogue.years[work] for first, last in spans
    )  # fmt: skip


def _misspelt(
    conn: sqlite3.Connection, catalogue: Catalogue, terms: Iterable[Term]
) -> tuple[dict[str, str], dict[str, str]]:
    """Corrections of words that no book has: of those that are not words, and of English ones to terms."""
    free = [t for t in terms if not (t.quoted or t.prefix or t.idle or "".join(t.words) in catalogue.words)]
    words = dict.fromkeys(w for t in free for w in t.words if len(w) >= 4 and w.isalpha())
    unknown = [
        w
        for w in words
        if w not in catalogue.words and not spellings(w, catalogue.words) and not fetch(conn, bool, KNOWN, (f'"{w}"',))
    ]
    wrong: dict[str, str] = {}
    doubtful: dict[str, str] = {}
    subject = domain(conn).terms if unknown else ()
    there = {w: catalogue.words[w] for w in subject if w in catalogue.words}
    for word in unknown if len(unknown) <= MOST_UNKNOWN else ():
        real = is_word(word, subject)
        if best := respelt(word, there if real else catalogue.words):
            (doubtful if real else wrong)[word] = best
    return wrong, doubtful


def _correctable(term: Term, words: Collection[str]) -> bool:
    """Whether a term may be corrected and has one of some words."""
    return not (term.quoted or term.prefix) and any(w in words for w in term.words)


def _corrected(term: Term, wrong: dict[str, str]) -> Term:
    if not _correctable(term, wrong):
        return term
    words = tuple(part for w in term.words for part in wrong.get(w, w).replace("’", "'").replace("'", "-").split("-"))
    return replace(term, words=words)


def _joined(terms: Iterable[Term], catalogue: Catalogue) -> list[Term]:
    """Terms, with the two halves of a compound merged into one: `mis deal`, `by stander`."""
    found: list[Term] = []
    for term in terms:
        last = found[-1] if found else None
        if last and _plain(last) and _plain(term) and _halves(last.words[0], term.words[0], catalogue.words):
            span = Span(last.span.start, term.span.end)
            found[-1] = Term((*last.words, *term.words), compound=True, span=span)
        else:
            found.append(term)
    return found


def _plain(term: Term) -> bool:
    return len(term.words) == 1 and not (term.quoted or term.prefix)


def _halves(first: str, second: str, words: Collection[str]) -> bool:
    """Whether these books have two words joined to a compound, but not both of them separately."""
    return first + second in words and not (first in words and second in words)


def _spelt(term: Term, catalogue: Catalogue) -> Term:
    """A term with its other spellings in the books."""
    if term.quoted or term.prefix or len(term.words) > 1:
        return term
    return replace(term, also=spellings(term.words[0], catalogue.words))


def _respelled(text: str, terms: Iterable[Term], words: Mapping[str, str]) -> str:
    """The text of a query with some words of its terms replaced."""

    def other(word: re.Match[str]) -> str:
        return words.get(word[0].lower(), word[0])

    spans = [term.span for term in terms if _correctable(term, words)]
    return rewritten(text, ((s, _WORD.sub(other, text[s.start : s.end])) for s in spans))
