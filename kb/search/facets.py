"""Faceted search: filters, read from query fields and from given values, and the number of results for each value."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from extract.corpus.domain import Noun
from kb.read.build_cache import cached_per_build
from kb.read.domain import domain
from kb.read.rows import fetch
from kb.search.catalogue import Entry
from kb.search.querylang import FIELDS, MOST_FIELDS, Query

NAMES = ("code", "kind", "book", "year")
# The most values that a facet shows: those chosen, then those with the most results.
MOST_VALUES = 40
_LONGEST = 60  # characters of a value that a note quotes
WORKS = "select 'code', id, title, year from code union all select 'book', id, title, year from book"
SPEAKING = "select unit_id from unit_concept where concept_id = ?"
KINDS = "select distinct kind from unit"
CONCEPTS = "select concept_id, label from concept_label union select id, label from concept"

Value = str | tuple[int, int]


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value that results can be filtered by, and how many there would be."""

    value: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class SearchFacet:
    """A way to filter the results: `code`, `kind`, `year` or `book`; `more` is the number of values not shown."""

    name: str
    values: tuple[FacetValue, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The filters of a search: values of which a result must have one, and values it must not have, by field.

    Years are pairs of first and last year. `given` has the valid values that were passed beside the query, unchanged;
    `notes` report the invalid ones.
    """

    wanted: Mapping[str, tuple[Value, ...]]
    refused: Mapping[str, tuple[Value, ...]]
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def limits(self) -> bool:
        """Whether there are filters that apply to the facet counts as well: excluded values, or concepts."""
        return any(self.refused.values()) or bool(self.wanted.get("concept"))

    @property
    def narrows(self) -> bool:
        """Whether a value is chosen in a facet."""
        return any(self.wanted.get(name) for name in NAMES)

    def admits(self, entry: Entry, speaking: Mapping[str, frozenset[str]]) -> bool:
        """Whether an entry passes the filters that apply to the facet counts as well (`limits`).

        Args:
            speaking: the units that have each concept wanted or excluded.
        """
        if any(_covers(value, getattr(entry, name)) for name in NAMES for value in self.refused.get(name, ())):
            return False
        wanted = self.wanted.get("concept", ())
        if wanted and not any(entry.unit in speaking[str(concept)] for concept in wanted):
            return False
        return not any(entry.unit in speaking[str(concept)] for concept in self.refused.get("concept", ()))

    def passes(self, entry: Entry) -> bool:
        """Whether an entry has one of the values chosen in each facet."""
        return all(self.chosen(name, getattr(entry, name)) for name in NAMES if self.wanted.get(name))

    def speaking(self, conn: sqlite3.Connection) -> dict[str, frozenset[str]]:
        """The ids of the units that have each concept wanted or excluded."""
        concepts = {str(c) for found in (self.wanted, self.refused) for c in found.get("concept", ())}
        return {concept: frozenset(fetch(conn, str, SPEAKING, (concept,))) for concept in concepts}

    def chosen(self, name: str, value: str | int | None) -> bool:
        """Whether a value of a facet is chosen."""
        return any(_covers(w, value) for w in self.wanted.get(name, ()))


class Count(NamedTuple):
    """The number of results with the same code, kind, book and year."""

    code: str | None
    kind: str
    book: str
    year: int
    n: int


def narrowing(conn: sqlite3.Connection, query: Query, given: Mapping[str, Sequence[str]]) -> Narrowing:
    """Read the filters of a search.

    Args:
        query: its fields name works by any part of their id, year or title, and concepts by id or label.
        given: further values by field, as chosen from facets; they must be exact, but a year may be a range.
    Returns:
        The filters; a value that names nothing in the library is ignored and reported in the notes.
    """
    notes: dict[str, None] = {}
    wanted: dict[str, tuple[Value, ...]] = {}
    refused: dict[str, tuple[Value, ...]] = {}
    understood: dict[str, tuple[str, ...]] = {}
    for name in FIELDS:
        values = list(dict.fromkeys(given.get(name, ())))
        fields = query.values(name), query.refused(name)
        known = _known(conn)[name]
        if len(values) > MOST_FIELDS:
            notes[f"Only the first {MOST_FIELDS} values of “{name}” were read; {len(values)} were given."] = None
        fits = {value: _fit(name, value, known, notes, exact=True) for value in values[:MOST_FIELDS]}
        understood[name] = tuple(value for value, fit in fits.items() if fit)
        from_query = [_fit(name, value, known, notes) for value in fields[0]]
        wanted[name] = tuple(dict.fromkeys(v for fit in (*fits.values(), *from_query) for v in fit))
        excluded = [_fit(name, value, known, notes) for value in fields[1]]
        refused[name] = tuple(dict.fromkeys(v for fit in excluded for v in fit))
    return Narrowing(wanted, refused, understood, tuple(notes))


def codes_named(conn: sqlite3.Connection, given: str) -> tuple[str, ...]:
    """The ids of the codes that `code:` with this value means in a query; only that code if it is the id of one."""
    known = _known(conn)["code"]
    return (given,) if given in known else tuple(i for i, words in known.items() if given.lower() in words)


def facets(cube: Sequence[Count], narrowed: Narrowing) -> Iterable[SearchFacet]:
    """Count the values of each facet under the choices in the others, so that a choice can be changed too.

    Args:
        cube: the results before facets filter them, counted by code, kind, book and year.
        narrowed: the filters; a chosen value without results is shown with a count of 0.
    """
    for name in NAMES:
        counts: Counter[str] = Counter()
        years: dict[str, int] = {}
        for value in narrowed.wanted[name]:
            if isinstance(value, str) or value[0] == value[1]:
                counts[value if isinstance(value, str) else str(value[0])] = 0
        for row in passing(cube, narrowed, but=name):
            if (found := getattr(row, name)) is not None:
                counts[str(found)] += row.n
                years[str(found)] = min(row.year, years.get(str(found), row.year))
        wanted = counts if narrowed.wanted[name] else ()
        chosen = {v for v in wanted if narrowed.chosen(name, int(v) if name == "year" else v)}
        likely = sorted(counts, key=lambda v: (v not in chosen, -counts[v], v))[:MOST_VALUES]
        rank = {v: -counts[v] if name == "kind" else years.get(v, 0) for v in likely}  # a year without results has none
        order = sorted(likely, key=lambda v: (v if name == "year" else "", rank[v], v))
        yield SearchFacet(name, tuple(FacetValue(v, counts[v], v in chosen) for v in order), len(counts) - len(likely))


def passing(cube: Iterable[Count], narrowed: Narrowing, but: str = "") -> Iterable[Count]:
    """The rows of a cube that have the chosen values; the choices in the facet `but` are ignored."""
    tests = [name for name in NAMES if name != but and narrowed.wanted[name]]
    if not tests:
        return cube
    return (row for row in cube if all(narrowed.chosen(name, getattr(row, name)) for name in tests))


def means(name: str, given: str, value: str) -> bool:
    """Whether a given value selects a value of a facet: it is that value, or a range of years that includes it."""
    bounds = _bounds(given) if name == "year" else None
    return given == value or (bounds is not None and min(bounds) <= int(value) <= max(bounds))


@cached_per_build
def _known(conn: sqlite3.Connection) -> Mapping[str, Mapping[str, str]]:
    """The values that the library has for each field, with the words by which a query may name them."""
    concepts: dict[str, str] = {}
    for concept, label in fetch(conn, lambda *r: r, CONCEPTS):
        concepts[concept] = f"{concepts.get(concept, '')}\n{label.lower()}\n"
    works = fetch(conn, lambda *r: r, WORKS)
    named = {
        name: {i: f"{i} {year} {title}".lower() for kind, i, title, year in works if kind == name}
        for name in ("code", "book")
    }
    years = dict.fromkeys(sorted({str(year) for *_, year in works}), "")
    about = domain(conn)
    kinds = {kind: _called(about.noun_of_kind(kind)) for kind in sorted(fetch(conn, str, KINDS))}
    return {**named, "kind": kinds, "year": years, "concept": concepts}


def _called(noun: Noun) -> str:
    """The noun for a kind, singular and plural, each on a line between line ends."""
    return f"\n{noun.singular.lower()}\n\n{noun.several.lower()}\n"


def _fit(
    name: str, value: str, known: Mapping[str, str], notes: dict[str, None], *, exact: bool = False
) -> tuple[Value, ...]:
    """The values that a given value names; if there are none, a note says so."""
    shown = value if len(value) <= _LONGEST else value[:_LONGEST] + "…"
    if name == "year":
        return _years(value, shown, known, notes)
    if exact:
        fit = [value] if value in known else []
    elif name in ("code", "book"):
        fit = [i for i, words in known.items() if value in words]
    else:
        slug = re.sub("[- ]", "_", value) if name == "kind" else value.replace(" ", "-")
        plural = slug.removesuffix("s") if name == "kind" else value
        fit = [i for i, words in known.items() if f"\n{value}\n" in words] if name == "kind" else []
        # The library's own nouns take precedence over the software's names of kinds.
        fit = fit or [i for i, words in known.items() if i in (value, slug, plural) or f"\n{value}\n" in words]
    if not fit:
        # A kind is called by its noun if that is one word.
        plain = [i if name != "kind" or " " in w else w.split()[0] for i, w in known.items()]
        plain = plain if len(plain) <= MOST_VALUES else plain[:3]
        there = ", ".join(plain).replace("_", " ") + (f" and {more} more" if (more := len(known) - len(plain)) else "")
        notes[f"There is no {name} “{shown}” (there is {there}); that condition was left out."] = None
    return tuple(fit)


def _years(value: str, shown: str, known: Mapping[str, str], notes: dict[str, None]) -> tuple[Value, ...]:
    bounds = _bounds(value)
    if bounds is None:
        span = f" such as {min(known)}-{max(known)}" if known else ""
        notes[f"“{shown}” is not a year or a span of years{span}; that condition was left out."] = None
        return ()
    first, last = bounds
    if first > last:
        first, last = last, first
        notes[f"“{shown}” was read as {first}-{last}."] = None
    if not any(first <= int(year) <= last for year in known):
        years = f"it has {', '.join(known)}" if len(known) <= MOST_VALUES else f"it begins with {min(known)}"
        notes[f"The library has nothing of {shown} ({years}); that condition was left out."] = None
        return ()
    return ((first, last),)


def _bounds(value: str) -> tuple[int, int] | None:
    """The two years of `1829-1864`, in the order given, or twice that of `1864`; None for anything else."""
    parts = [part.strip() for part in value.replace("–", "-").split("-", 1)]
    if all(len(part) == 4 and part.isascii() and part.isdecimal() for part in parts):
        return int(parts[0]), int(parts[-1])
    return None


def _covers(wanted: Value, value: str | int | None) -> bool:
    return wanted[0] <= value <= wanted[1] if isinstance(wanted, tuple) and isinstance(value, int) else wanted == value
