"""Full-text search over units: rank first, narrow by facets, then read only the rows that are shown."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from extract.language.folding import fold
from extract.language.stemming import stem
from kb.dispute.index import index_of
from kb.read import queries
from kb.read.lookup import Resolution, json_list
from kb.read.rows import UNIT, ConceptRow, UnitRow, fetch
from kb.read.written import resolve
from kb.search.catalogue import Catalogue, catalogue_of
from kb.search.facets import NAMES, Count, FacetValue, Narrowing, SearchFacet, facets, means, narrowing
from kb.search.highlight import BEGIN, END, hits, marked, snippet
from kb.search.intent import Intent, everywhere, understood, works_named
from kb.search.querylang import MOST_FIELDS, MOST_LETTERS, Query
from kb.search.ranking import NOTHING, QueryMatter, added_provisions, ranked, ruled

__all__ = [
    "BEGIN", "END", "MOST_FIELDS", "MOST_LETTERS",
    "FacetValue", "Hit", "SearchFacet", "SearchResult", "fold", "means", "search", "search_or_cite",
]  # fmt: skip

MATCHING = "select rowid from entry_fts where entry_fts match ?"
# Columns of the index in order: text, concepts, heading, gloss.
MATCHED = "select rowid, -bm25(entry_fts, 1.0, 0.5, 2.0, 0.6) as score from entry_fts where entry_fts match ?"
UNITS = f"select {UNIT} from unit u where u.id in (select value from json_each(?))"
# The joins go from the paragraphs to the index, which is queried for each: all matches may be many more.
PARAGRAPHS = """
select u.parent_id, u.id from unit u cross join entry e on e.unit_id = u.id cross join entry_fts f on f.rowid = e.id
where f.entry_fts match :match and u.kind = 'subclause' and u.parent_id in (select value from json_each(:parents))
order by u.seq
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit found; a higher score is better, and the snippet has its matches between BEGIN and END.

    `paragraphs` are the ids of its paragraphs that match; `twin` is the result before it, if that has the same text.
    """

    id: str
    score: float
    snippet: str
    unit: UnitRow
    paragraphs: tuple[str, ...] = ()
    twin: str | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found.

    `mode` is `all` (the results have every word), `some` (no unit has every word, so those with some are shown),
    `browse` (the query has no words, only fields), `named` (it is a citation) or `none`. `joined` counts the results
    that do not have every word in their text: they use other words for it, have it in a heading, or are provisions that
    rule on it. `corrected` is the query that was searched, if misspelt words were corrected; `literal` is a query that
    searches literally for the words that were interpreted; `suggestion` also replaces English words by terms that the
    books have. `notes` state what was ignored, `understood` which words were read as filters; `given` has the valid
    values passed beside the query, by field. `rest` is the query without the words read as filters, and `where` has all
    filter values by field that then apply. `works` are the works that the query names, if it says nothing else.
    """

    query: Query
    total: int
    hits: tuple[Hit, ...]
    facets: tuple[SearchFacet, ...]
    mode: str
    suggestion: str | None = None
    concepts: tuple[ConceptRow, ...] = ()
    notes: tuple[str, ...] = ()
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    corrected: str | None = None
    literal: str | None = None
    understood: tuple[str, ...] = ()
    joined: int = 0
    rest: str = ""
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    works: tuple[str, ...] = ()


def search(
    conn: sqlite3.Connection,
    text: str,
    *,
    codes: Sequence[str] = (),
    kinds: Sequence[str] = (),
    books: Sequence[str] = (),
    years: Sequence[int | str] = (),
    limit: int = 20,
    offset: int = 0,
) -> SearchResult:
    """Find units by their words, their headings and their concepts.

    The ranking is described in `kb.search.ranking`. A paragraph is found as part of its provision and listed in
    `Hit.paragraphs`, unless `kinds` asks for paragraphs.

    Args:
        conn: the knowledge base.
        text: the query, see `kb.search.querylang.parse`; any input is valid.
        codes, kinds, books, years: filters; a result has one of the values of each that is given. Fields of the query
            add values. A year may be a range (`1829-1864`). Values that the library does not have are ignored, with a
            note.
        limit, offset: which of the results to read.
    """
    catalogue = catalogue_of(conn)
    given = {"code": codes, "kind": kinds, "book": books, "year": [str(year) for year in years]}
    fixed = [name for name, values in given.items() if values]
    intent = understood(conn, catalogue, text, fixed)
    result = _searched(conn, catalogue, intent, given, limit, offset)
    if intent.notes and not result.total:
        # A name that leaves no results as a filter was not meant as one.
        result = _searched(conn, catalogue, everywhere(conn, catalogue, text, fixed), given, limit, offset)
    return replace(result, works=works_named(conn, catalogue, text))


def search_or_cite(conn: sqlite3.Connection, text: str, **where: Any) -> tuple[SearchResult, Resolution]:
    """Search, and resolve the query as a citation.

    If it is a citation, even of a provision that does not exist, units that have only some of its words are not
    results; the mode is then `named`.

    Args:
        text: the query.
        where: further arguments of `search`.
    """
    found, named = search(conn, text, **where), resolve(conn, text[:MOST_LETTERS]) if text else Resolution()
    if (named.units or named.ends) and found.mode in ("some", "none"):
        nothing: dict[str, Any] = dict.fromkeys(("suggestion", "corrected", "literal"))
        found = replace(found, total=0, hits=(), facets=(), mode="named", **nothing)
    # In a citation, the code or year is part of what is cited and not a filter.
    return replace(found, understood=()) if named.units else found, named


def _searched(
    conn: sqlite3.Connection,
    catalogue: Catalogue,
    intent: Intent,
    given: Mapping[str, Sequence[str]],
    limit: int,
    offset: int,
) -> SearchResult:
    """Search for an interpreted query."""
    query = intent.query
    narrowed = narrowing(conn, query, given)
    scope = _scope(conn, catalogue, narrowed)
    named = _concepts(conn, catalogue, query)
    matter, near = _matter(conn, query, bool(named))
    mode, found = _found(conn, catalogue, query, narrowed, scope, near)
    cube = [Count(*key, n) for key, n in Counter(map(catalogue.keys.__getitem__, found)).items()]
    kept = (
        {n: score for n, score in found.items() if narrowed.passes(catalogue.entries[n])} if narrowed.narrows else found
    )
    if mode == "browse":
        order = [(0.0, n) for n in sorted(kept, key=catalogue.place.__getitem__)]
    else:
        order = ranked(conn, catalogue, query, kept, _answering(catalogue, query, matter, kept))
    shown = order[offset : offset + limit]
    units = {u.id: u for u in fetch(conn, UnitRow, UNITS, (json_list(catalogue.entries[n].unit for _, n in shown),))}
    rows = [(score, units[catalogue.entries[n].unit]) for score, n in shown]
    within = _paragraphs(conn, query, mode, list(units.values()))
    marks = marked(conn, query.match(every=False), units)
    return SearchResult(
        query,
        len(kept),
        tuple(
            Hit(
                u.id, round(score, 6), snippet(u.text, hits(u.text, marks.get(u.id, ""))), u, within.get(u.id, ()),
                _twin(catalogue, rows[at - 1][1].id, u.id) if at else None,
            )
            for at, (score, u) in enumerate(rows)
        ),
        tuple(facets(cube, narrowed)),
        mode,
        None if mode == "browse" else intent.suggestion,
        tuple(named),
        (*query.notes, *narrowed.notes),
        narrowed.given,
        intent.corrected,
        intent.literal,
        intent.notes,
        len(kept) - _with_every_word(conn, query, kept) if mode == "all" else 0,
        intent.rest,
        {name: (*narrowed.given[name], *(v for of, v in intent.named if of == name)) for name in NAMES},
    )  # fmt: skip


def _scope(conn: sqlite3.Connection, catalogue: Catalogue, narrowed: Narrowing) -> Collection[int]:
    """The entries that may be found at all: those not excluded, with one of the concepts wanted."""
    paragraphs = "subclause" in narrowed.wanted["kind"]
    if not paragraphs and not narrowed.limits:
        return catalogue.whole
    speaking = narrowed.speaking(conn)
    among = catalogue.entries if paragraphs else catalogue.whole
    return {n for n in among if narrowed.admits(catalogue.entries[n], speaking)}


def _found(
    conn: sqlite3.Connection,
    catalogue: Catalogue,
    query: Query,
    narrowed: Narrowing,
    scope: Collection[int],
    near: Iterable[str],
) -> tuple[str, dict[int, float]]:
    """The mode of the search, and the entries found before the facets filter them, with their BM25 scores."""
    without = set(fetch(conn, int, MATCHING, (query.without,))) if query.without else set()
    if not query.wanted:
        asks = query.unwanted or narrowed.limits or narrowed.narrows
        found = {n: 0.0 for n in catalogue.entries if asks and n in scope and n not in without}
        return ("browse" if found else "none"), found
    others = [n for unit in near if (n := catalogue.number.get(unit)) in scope and n is not None and n not in without]
    for mode in ("all", "some"):
        matched = fetch(conn, lambda n, score: (n, score), MATCHED, (query.match(every=mode == "all"),))
        found = {n: score for n, score in matched if n in scope}
        found |= {n: found.get(n, 0.0) for n in others if found}
        # The mode is `all` only if something is left after the facets have filtered it.
        if any(narrowed.passes(catalogue.entries[n]) for n in found):
            break
    else:
        mode = "none" if not found else mode
    return mode, found


def _with_every_word(conn: sqlite3.Connection, query: Query, found: Collection[int]) -> int:
    """How many of the entries found have every word of a query in their text."""
    there = fetch(conn, int, MATCHING, (f"{{text}} : ({query.match()})",))
    return len(set(there).intersection(found))


def _matter(conn: sqlite3.Connection, query: Query, named: bool) -> tuple[QueryMatter, list[str]]:
    """How far each provision rules on a query, and which of them to add; nothing if it is one word and no concept."""
    if not query.wanted or (len(query.sought) < 2 and not named):
        return NOTHING, []
    index, words = index_of(conn), len(_stems(query))
    matter = QueryMatter(ruled(index, " ".join(query.words), words), {}, words)
    strict = any(t.quoted or t.prefix for t in query.sought)
    return matter, [] if strict else added_provisions(index, matter)


def _stems(query: Query) -> set[str]:
    return {stem(w) for t in query.sought for w in t.words}


def _answering(catalogue: Catalogue, query: Query, matter: QueryMatter, found: Iterable[int]) -> QueryMatter:
    """Add to a `QueryMatter` how many of the questions on the concepts named each entry found answers."""
    if matter is NOTHING:
        return matter
    query_stems = _stems(query)
    covered: dict[str, float] = {}
    for label in catalogue.labels_with(query_stems):
        if label.stems and label.stems <= query_stems:
            covered[label.concept] = max(len(label.stems) / len(query_stems), covered.get(label.concept, 0.0))
    shares = [(part, of) for concept, part in covered.items() if (of := catalogue.answers.get(concept))]
    units = (catalogue.entries[n].unit for n in found)
    return replace(
        matter, answers={unit: max((part * of.get(unit, 0.0) for part, of in shares), default=0.0) for unit in units}
    )


def _twin(catalogue: Catalogue, before: str, unit: str) -> str | None:
    return before if before in catalogue.twins.get(unit, ()) else None


def _paragraphs(
    conn: sqlite3.Connection, query: Query, mode: str, found: Sequence[UnitRow]
) -> dict[str, tuple[str, ...]]:
    """The paragraphs that match by themselves, by provision."""
    within: dict[str, tuple[str, ...]] = {}
    if query.wanted and found:
        params = {"match": query.match(every=mode == "all"), "parents": json_list(u.id for u in found)}
        for parent, child in fetch(conn, lambda *r: (str(r[0]), str(r[1])), PARAGRAPHS, params):
            within[parent] = (*within.get(parent, ()), child)
    return within


def _concepts(conn: sqlite3.Connection, catalogue: Catalogue, query: Query) -> list[ConceptRow]:
    """The concepts of which the query has a label."""
    stems, joined = [stem(word) for word in query.words], stem("".join(query.words))
    phrase = f" {' '.join(stems)} "
    labels = catalogue.labels_with((*stems, joined)) if stems else ()
    named = {label.concept for label in labels if label.phrase in phrase or label.joined == joined}
    return [concept for concept in queries.concepts(conn) if concept.id in named]
