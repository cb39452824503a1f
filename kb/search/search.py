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
from kb.search.intent import Intent, everywhere, understood
from kb.search.querylang import MOST_FIELDS, MOST_LETTERS, Query
from kb.search.ranking import NOTHING, QueryMatter, joining, ranked, ruled

__all__ = [
    "BEGIN", "END", "MOST_FIELDS", "MOST_LETTERS",
    "FacetValue", "Hit", "SearchFacet", "SearchResult", "asked", "fold", "means", "search",
]  # fmt: skip

MATCHING = "select rowid from entry_fts where entry_fts match ?"
# Columns of the index in order: text, concepts, heading, gloss.
MATCHED = "select rowid, -bm25(entry_fts, 1.0, 0.5, 2.0, 0.6) as score from entry_fts where entry_fts match ?"
UNITS = f"select {UNIT} from unit u where u.id in (select value from json_each(?))"
# From the paragraphs to the index, each asked for by itself: what matches in all may be much more.
PARAGRAPHS = """
select u.parent_id, u.id from unit u cross join entry e on e.unit_id = u.id cross join entry_fts f on f.rowid = e.id
where f.entry_fts match :match and u.kind = 'subclause' and u.parent_id in (select value from json_each(:parents))
order by u.seq
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit found: higher score is better; the snippet marks its hits by BEGIN and END.

    `twin` is the unit before it that has the same text.
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

    `mode` is `all` (every word is there), `some` (none has every word, so those with some are shown), `browse`
    (no word, only fields), `named` (it is a citation) or `none`. `joined` is how many of the results have not every
    word in their text: they speak of it in other words, have it in a heading, or are provisions that rule on it.
    `corrected` is the query with misspelt words put right, which was searched; `literal` the query that is searched as
    it stands, if anything was understood otherwise; `suggestion` a query with words respelled that are words, but not
    of these books. `notes` tell what was passed over, `understood` what of the query was read as where to look; `given`
    are the values given beside the query that were understood, by field. Where to look apart, the query is `rest`, and
    `where` has all values by field that narrow it then.
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
    """Find units by their words, their headings and the concepts they speak of.

    How they are ranked is told in `kb.search.ranking`.
    Paragraphs are found within their provision and named in `Hit.paragraphs`, unless `kinds` asks for them.

    Args:
        conn: the knowledge base.
        text: the query, see `kb.search.querylang.parse`; no input is an error.
        codes, kinds, books, years: results have one of each that is given; fields of the query add to them.
            A year may be a span (`1829-1864`). What the library has not is left out and told in the notes.
        limit, offset: which results to read, in their order.
    """
    catalogue = catalogue_of(conn)
    given = {"code": codes, "kind": kinds, "book": books, "year": [str(year) for year in years]}
    fixed = [name for name, values in given.items() if values]
    intent = understood(conn, catalogue, text, fixed)
    result = _searched(conn, catalogue, intent, given, limit, offset)
    if intent.notes and not result.total:
        # A name that leaves nothing was no name.
        return _searched(conn, catalogue, everywhere(conn, catalogue, text, fixed), given, limit, offset)
    return result


def asked(conn: sqlite3.Connection, text: str, **where: Any) -> tuple[SearchResult, Resolution]:
    """What a search finds, and what the query names as a citation.

    Where it names something, places that have only some of its words are no results; the mode is then `named`.

    Args:
        text: the query, and `where` what else `search` takes.
    """
    found, named = search(conn, text, **where), resolve(conn, text[:MOST_LETTERS]) if text else Resolution()
    if named.units and found.mode in ("some", "none"):
        nothing: dict[str, Any] = dict.fromkeys(("suggestion", "corrected", "literal"))
        found = replace(found, total=0, hits=(), facets=(), mode="named", **nothing)
    # Who names a provision has named its code or year with it.
    return replace(found, understood=()) if named.units else found, named


def _searched(
    conn: sqlite3.Connection,
    catalogue: Catalogue,
    intent: Intent,
    given: Mapping[str, Sequence[str]],
    limit: int,
    offset: int,
) -> SearchResult:
    """What a query, as it was understood, finds."""
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
    """The entries that may be found at all: not refused, and speaking of the concepts asked for."""
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
    """The mode of the search, and the entries found before facets narrow them, with their scores by words."""
    without = set(fetch(conn, int, MATCHING, (query.without,))) if query.without else set()
    if not query.wanted:
        asks = query.unwanted or query.fields or query.excluded
        found = {n: 0.0 for n in catalogue.entries if asks and n in scope and n not in without}
        return ("browse" if found else "none"), found
    others = [n for unit in near if (n := catalogue.number.get(unit)) in scope and n is not None and n not in without]
    for mode in ("all", "some"):
        matched = fetch(conn, lambda n, score: (n, score), MATCHED, (query.match(every=mode == "all"),))
        found = {n: score for n, score in matched if n in scope}
        found |= {n: found.get(n, 0.0) for n in others if found}
        # Whether anything has all the words is told by what is left when the facets have narrowed it.
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
    """What the codes rule on a query, and the provisions that do; nothing of a single word that names no concept."""
    if not query.wanted or (len(query.sought) < 2 and not named):
        return NOTHING, []
    index, words = index_of(conn), len(_stems(query))
    matter = QueryMatter(ruled(index, " ".join(query.words), words), {}, words)
    strict = any(t.quoted or t.prefix for t in query.sought)
    return matter, [] if strict else joining(index, matter)


def _stems(query: Query) -> set[str]:
    return {stem(w) for t in query.sought for w in t.words}


def _answering(catalogue: Catalogue, query: Query, matter: QueryMatter, found: Iterable[int]) -> QueryMatter:
    """What a query is about, with what the entries found answer of the things that it names."""
    if matter is NOTHING:
        return matter
    asked = _stems(query)
    covered: dict[str, float] = {}
    for label in catalogue.labels:
        if label.stems and label.stems <= asked:
            covered[label.concept] = max(len(label.stems) / len(asked), covered.get(label.concept, 0.0))
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
    """The paragraphs that match by themselves, by their provision."""
    within: dict[str, tuple[str, ...]] = {}
    if query.wanted and found:
        params = {"match": query.match(every=mode == "all"), "parents": json_list(u.id for u in found)}
        for parent, child in fetch(conn, lambda *r: (str(r[0]), str(r[1])), PARAGRAPHS, params):
            within[parent] = (*within.get(parent, ()), child)
    return within


def _concepts(conn: sqlite3.Connection, catalogue: Catalogue, query: Query) -> list[ConceptRow]:
    """The concepts one of whose labels the query names."""
    phrase, joined = f" {' '.join(map(stem, query.words))} ", stem("".join(query.words))
    named = {k.concept for k in catalogue.labels if k.phrase in phrase or k.joined == joined} if query.words else ()
    return [concept for concept in queries.concepts(conn) if concept.id in named]
