"""What a query means in this library: the years and works that it names, and the words that it misspells.

Nothing of this is done to words in quotation marks.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from extract.language.misspelling import is_word, respelt, spellings
from extract.model import Span
from kb.read.domain import domain
from kb.read.rows import fetch
from kb.search.catalogue import Catalogue
from kb.search.facets import NAMES
from kb.search.querylang import Query, Term, parse, quoted, rewritten

KNOWN = "select 1 from entry_fts where entry_fts match ? limit 1"
# What is said after the name of a code, and no more: `English laws`.
_OF_A_CODE = frozenset(("law", "laws", "rule", "rules", "code", "codes"))
_WORD = re.compile(r"[^\W_]+")
# More unknown words than these are no misspelling.
MOST_UNKNOWN = 8


@dataclass(frozen=True, slots=True)
class Intent:
    """What is searched for.

    Attributes:
        query: the query as understood.
        corrected: the query with misspelt words put right, if any was; it is what is searched.
        suggestion: the query with words respelled that are words, but not of these books.
        literal: the query that is searched as it stands, if anything was understood otherwise.
        rest: the query without its names of works and years.
        named: the fields that these stand for.
        notes: what was understood as a narrowing.
    """

    query: Query
    corrected: str | None = None
    suggestion: str | None = None
    literal: str | None = None
    rest: str = ""
    named: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def everywhere(conn: sqlite3.Connection, catalogue: Catalogue, text: str, given: Collection[str] = ()) -> Intent:
    """Read a query as `understood` does, but its names of works and years as mere words."""
    typed = parse(text)
    return understood(conn, catalogue, quoted(typed, _narrowed(conn, catalogue, typed, given).taken), NAMES)


def understood(conn: sqlite3.Connection, catalogue: Catalogue, text: str, given: Collection[str] = ()) -> Intent:
    """Read a query as people mean it.

    Args:
        conn: the knowledge base.
        catalogue: its catalogue.
        text: the query; no input is an error.
        given: the fields that are narrowed beside the query: its words narrow no others then.
    """
    typed = parse(text)
    narrowed = _narrowed(conn, catalogue, typed, given)
    joined = _joined(narrowed.query.wanted, catalogue)
    wrong, doubtful = _misspelt(conn, catalogue, joined)
    respelled = [_put_right(term, wrong) for term in joined]
    unread = [*narrowed.naming, *(term for term in joined if _of(term, wrong))]
    return Intent(
        replace(narrowed.query, wanted=tuple(_spelt(term, catalogue) for term in respelled)),
        _respelled(typed.text, joined, wrong) if wrong else None,
        _respelled(typed.text, joined, wrong | doubtful) if doubtful else None,
        quoted(typed, unread) if unread else None,
        " ".join(rewritten(typed.text, ((term.span, "") for term in narrowed.taken)).split()),
        narrowed.fields,
        narrowed.notes,
    )


@dataclass(frozen=True, slots=True)
class _Narrowed:
    """A query with what it names as `fields`: the terms `taken` for that, and those of them that are `naming`."""

    query: Query
    taken: tuple[Term, ...] = ()
    naming: tuple[Term, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def _narrowed(conn: sqlite3.Connection, catalogue: Catalogue, query: Query, given: Collection[str]) -> _Narrowed:
    """Read the years and works that a query names as fields."""
    of_a_code = _said_of_a_code(conn)
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
    if not fields or all(term.idle for term in left) or not _meet(catalogue, years, works):
        return _Narrowed(query)
    naming = [term for term in taken if term.words[0] not in of_a_code]
    told = " ".join(dict.fromkeys(_name(term).capitalize() for term in naming))
    note = f"“{told}” was used as a filter: {_told(catalogue, years, works)}."
    narrowed = replace(query, wanted=tuple(left), fields=(*query.fields, *fields))
    return _Narrowed(narrowed, tuple(taken), tuple(naming), tuple(fields), (note,))


def _name(term: Term) -> str:
    return "-".join(term.words) if term.words[1:] != ("s",) else term.words[0]


def _said_of_a_code(conn: sqlite3.Connection) -> frozenset[str]:
    about = domain(conn)
    return _OF_A_CODE | about.words() | {about.code.singular.lower(), about.code.several.lower()}


def _of_a_phrase(conn: sqlite3.Connection, terms: Sequence[Term], at: int) -> bool:
    """Whether the books have the name of a work beside the same word as the query: `American leads`."""
    of_a_code = _said_of_a_code(conn)
    before, name, after = terms[max(0, at - 1) : at], terms[at], terms[at + 1 : at + 2]
    after = tuple(t for t in after if t.words[0] not in of_a_code)
    beside = [(*t.words, *name.words) for t in before if not t.idle] + [
        (*name.words, *t.words) for t in after if not t.idle
    ]
    return any(fetch(conn, bool, KNOWN, (f'"{" ".join(words)}"',)) for words in beside)


def _told(catalogue: Catalogue, years: Sequence[str], works: Mapping[str, Sequence[str]]) -> str:
    """What a search is narrowed to, in words."""
    titles = [catalogue.titles[work] for found in works.values() for work in found]
    return " and ".join(filter(None, (", ".join(titles), f"works of {', '.join(years)}" if years else "")))


def _years(term: Term, catalogue: Catalogue) -> str:
    """The year or span of years that a term is, "" if it is none of the library's."""
    known = {year for years in catalogue.years.values() for year in years}
    figures = [int(w) for w in term.words if len(w) == 4 and w.isascii() and w.isdecimal()]
    if len(figures) != len(term.words) or len(figures) > 2:
        return ""
    first, last = min(figures), max(figures)
    there = str(first) if first == last else f"{first}-{last}"
    return there if any(first <= year <= last for year in known) else ""


def _meet(catalogue: Catalogue, years: Iterable[str], works: dict[str, list[str]]) -> bool:
    """Whether some work has one of the years and is one of the works named."""
    spans = [(int(span[:4]), int(span[-4:])) for span in years]
    named = [work for found in works.values() for work in found]
    return not spans or not named or any(
        first <= year <= last for work in named for year in catalogue.years[work] for first, last in spans
    )  # fmt: skip


def _misspelt(
    conn: sqlite3.Connection, catalogue: Catalogue, terms: Iterable[Term]
) -> tuple[dict[str, str], dict[str, str]]:
    """The words that no book has, each as it must be meant: those that are no words, and those that are."""
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
    for word in unknown if len(unknown) <= MOST_UNKNOWN else ():
        if best := respelt(word, catalogue.words):
            (doubtful if is_word(word, subject) else wrong)[word] = best
    return wrong, doubtful


def _of(term: Term, words: Collection[str]) -> bool:
    """Whether a term is looked for in other spellings, and has one of some words."""
    return not (term.quoted or term.prefix) and any(w in words for w in term.words)


def _put_right(term: Term, wrong: dict[str, str]) -> Term:
    if not _of(term, wrong):
        return term
    words = tuple(part for w in term.words for part in wrong.get(w, w).replace("’", "'").replace("'", "-").split("-"))
    return replace(term, words=words)


def _joined(terms: Iterable[Term], catalogue: Catalogue) -> list[Term]:
    """Terms with those made one that are halves of a compound: `mis deal`, `by stander`."""
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
    """Whether two words are a compound of these books: one that is, and of which a half alone is not."""
    return first + second in words and not (first in words and second in words)


def _spelt(term: Term, catalogue: Catalogue) -> Term:
    """A term with the other spellings that the books have of it."""
    if term.quoted or term.prefix or len(term.words) > 1:
        return term
    return replace(term, also=spellings(term.words[0], catalogue.words))


def _respelled(text: str, terms: Iterable[Term], words: Mapping[str, str]) -> str:
    """A query with some of the words of its terms written otherwise."""

    def other(word: re.Match[str]) -> str:
        return words.get(word[0].lower(), word[0])

    spans = [term.span for term in terms if _of(term, words)]
    return rewritten(text, ((s, _WORD.sub(other, text[s.start : s.end])) for s in spans))
