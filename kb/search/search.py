"""Full-text search over units: rank first, narrow by facets, then read only the rows that are shown."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from extract.language.folding import STOP_WORDS, fold, words_of
from extract.language.stemming import stem
from kb.read.lookup import json_list
from kb.read.rows import UNIT, ConceptRow, UnitRow, fetch
from kb.search.facets import NARROW, WITHIN, Count, Facet, FacetValue, facets, means, narrowing, passing
from kb.search.highlight import BEGIN, END, hits, marked, snippet
from kb.search.querylang import MOST_FIELDS, MOST_LETTERS, Query, parse

__all__ = [
    "BEGIN", "END", "MOST_FIELDS", "MOST_LETTERS",
    "Facet", "FacetValue", "Hit", "SearchResult", "fold", "means", "search",
]  # fmt: skip

# A provision answers a question; a line of an index or a heading only leads to one.
STOP_STEMS = frozenset(map(stem, STOP_WORDS))
WEIGHTS = {
    "law": 1.25, "definition": 1.2, "case": 1.0, "decision": 1.0, "etiquette": 1.1, "dummy": 1.1,
    "section": 0.45, "index_entry": 0.35, "front_matter": 0.5, "table": 0.5, "table_row": 0.6, "footnote": 0.8,
}  # fmt: skip
_WEIGHT = "case u.kind " + " ".join(f"when '{k}' then {w}" for k, w in WEIGHTS.items()) + " else 0.9 end"
# Columns of the index in order: text, concepts, heading.
_HIT = """
with hit as (select rowid as id, bm25(entry_fts, 1.0, 0.5, 2.0) as rank from entry_fts where entry_fts match :match)
"""
_ALL = """
with hit as (select id, 0.0 as rank from entry
where :without = '' or id not in (select rowid from entry_fts where entry_fts match :without))
"""
_FROM = f"""
from hit join entry e on e.id = hit.id join unit u on u.id = e.unit_id
join book b on b.id = u.book_id left join code c on c.id = u.code_id
where (:paragraphs or u.kind <> 'subclause') {WITHIN}
"""
_CUBE = f"select u.code_id, u.kind, u.book_id, coalesce(c.year, b.year), count(*) {_FROM} group by 1, 2, 3, 4"
# Words that stand close together belong together: "penalty for a revoke".
_CLOSE = (
    "case when :near <> '' and hit.id in (select rowid from entry_fts where entry_fts match :near) then 1.4 else 1 end"
)
# What speaks of the very thing that is asked for, by whatever name, comes first.
_MEANT = """
case when u.id in (select unit_id from unit_concept where concept_id in (select value from json_each(:meant)))
then 1.5 else 1 end
"""
_PAGE = f"""
select round(-hit.rank * {_WEIGHT} * {_CLOSE} * {_MEANT}, 6) as score, {UNIT} {_FROM} {NARROW}
order by score desc, coalesce(c.year, b.year), u.book_id, u.seq limit :limit offset :offset
"""
CUBE_OF_WORDS, CUBE_OF_ALL = _HIT + _CUBE, _ALL + _CUBE
PAGE_OF_WORDS, PAGE_OF_ALL = _HIT + _PAGE, _ALL + _PAGE
PARAGRAPHS = """
select u.parent_id, u.id from entry_fts join entry e on e.id = entry_fts.rowid join unit u on u.id = e.unit_id
where entry_fts match :match and u.kind = 'subclause' and u.parent_id in (select value from json_each(:parents))
order by u.seq
"""
KNOWN = "select 1 from entry_fts where entry_fts match ? limit 1"
WORDS = "select word, count from word where length(word) between ? and ? order by count desc"
LABELS = "select concept_id, label from concept_label order by concept_id, label"
CONCEPTS = """
select k.id, k.label, k.note, k.broader, (select count(distinct unit_id) from unit_concept where concept_id = k.id)
from concept k where k.id in (select value from json_each(?)) order by k.label
"""
# More unknown words than these are no misspelling.
MOST_UNKNOWN = 8


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit found: higher score is better; the snippet marks its hits by BEGIN and END."""

    id: str
    score: float
    snippet: str
    unit: UnitRow
    paragraphs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found.

    `mode` is `all` (every word is there), `some` (none has every word, so those with some are shown), `browse`
    (no word, only fields) or `none`; `suggestion` a query with the unknown words respelled; `notes` what was
    passed over; `given` the values given beside the query that were understood, by field.
    """

    query: Query
    total: int
    hits: tuple[Hit, ...]
    facets: tuple[Facet, ...]
    mode: str
    suggestion: str | None = None
    concepts: tuple[ConceptRow, ...] = ()
    notes: tuple[str, ...] = ()
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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

    Ranking is BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), weighted by kind of unit.
    Paragraphs are found within their provision and named in `Hit.paragraphs`, unless `kinds` asks for them.

    Args:
        conn: the knowledge base.
        text: the query, see `kb.search.querylang.parse`; no input is an error.
        codes, kinds, books, years: results have one of each that is given; fields of the query add to them.
            A year may be a span (`1829-1864`). What the library has not is left out and told in the notes.
        limit, offset: which results to read, in their order.
    """
    query = parse(text)
    given = {"code": codes, "kind": kinds, "book": books, "year": [str(year) for year in years]}
    narrowed = narrowing(conn, query, given)
    options: dict[str, object] = {
        **narrowed.params(),
        "without": query.without,
        "near": query.near,
        "paragraphs": "subclause" in narrowed.wanted["kind"],
    }
    asks = query.wanted or query.unwanted or query.fields or query.excluded
    for mode in ("all", "some"):
        options["match"] = match = query.match(every=mode == "all")
        cube = fetch(conn, Count, CUBE_OF_WORDS if query.wanted else CUBE_OF_ALL, options) if asks else []
        if cube or not query.wanted:
            break
    if not cube or not query.wanted:
        mode = "browse" if cube else "none"
    named = _concepts(conn, query)
    meant = _meant(conn, query) or ([k.id for k in named] if mode == "some" else [])
    page = options | {"limit": limit, "offset": offset, "meant": json_list(meant)}
    rows = fetch(conn, _ranked, PAGE_OF_WORDS if query.wanted else PAGE_OF_ALL, page) if cube else []
    within = _paragraphs(conn, query, match, [u for _, u in rows])
    marks = marked(conn, match, [u.id for _, u in rows])
    return SearchResult(
        query,
        sum(row.n for row in passing(cube, narrowed)),
        tuple(
            Hit(u.id, score, snippet(u.text, hits(u.text, marks.get(u.id, ""))), u, within.get(u.id, ()))
            for score, u in rows
        ),
        tuple(facets(cube, narrowed)),
        mode,
        None if mode == "browse" else _suggestion(conn, text, query),
        tuple(named),
        (*query.notes, *narrowed.notes),
        narrowed.given,
    )


def _ranked(score: float, *unit: object) -> tuple[float, UnitRow]:
    return score, UnitRow(*unit)  # type: ignore[arg-type]


def _paragraphs(
    conn: sqlite3.Connection, query: Query, match: object, found: list[UnitRow]
) -> dict[str, tuple[str, ...]]:
    """The paragraphs that match by themselves, by their provision."""
    within: dict[str, tuple[str, ...]] = {}
    if query.wanted and found:
        params = {"match": match, "parents": json_list(u.id for u in found)}
        for parent, child in fetch(conn, lambda *r: (str(r[0]), str(r[1])), PARAGRAPHS, params):
            within[parent] = (*within.get(parent, ()), child)
    return within


def _suggestion(conn: sqlite3.Connection, text: str, query: Query) -> str | None:
    """The query with each word that occurs nowhere respelled by the nearest and most frequent word of the books."""
    respelled = text
    words = dict.fromkeys(w for t in query.wanted if not t.prefix for w in t.words if len(w) >= 4)
    unknown = [w for w in words if not (w in STOP_WORDS or w.isnumeric() or fetch(conn, bool, KNOWN, (f'"{w}"',)))]
    for word in unknown if len(unknown) <= MOST_UNKNOWN else ():
        most = 1 if len(word) < 5 else 2
        known = dict(fetch(conn, lambda w, n: (str(w), int(n)), WORDS, (len(word) - most, len(word) + most)))
        near = process.extract(word, list(known), scorer=DamerauLevenshtein.distance, score_cutoff=most, limit=None)
        if near:
            best = min(near, key=lambda n: (n[1], -known[n[0]], n[0]))[0]
            respelled = re.sub(rf"\b{re.escape(word)}\b", best, respelled, flags=re.IGNORECASE)
    return respelled if respelled != text else None


def _concepts(conn: sqlite3.Connection, query: Query) -> list[ConceptRow]:
    """The concepts one of whose labels the query names."""
    words = [w for t in query.wanted for w in t.words]
    phrase, joined = f" {' '.join(map(stem, words))} ", stem("".join(words))
    named = {
        concept
        for concept, label in (fetch(conn, lambda c, text: (str(c), _label(text)), LABELS) if words else ())
        if label.phrase in phrase or label.joined == joined
    }
    return fetch(conn, ConceptRow, CONCEPTS, (json_list(named),)) if named else []


def _meant(conn: sqlite3.Connection, query: Query) -> list[str]:
    """The concepts that the query names as a whole, in any order of its words."""
    asked = {stem(w) for t in query.wanted for w in t.words}
    rows = fetch(conn, lambda c, text: (str(c), {stem(w) for w in words_of(text)}), LABELS) if len(asked) > 1 else ()
    return sorted({concept for concept, label in rows if asked == label - STOP_STEMS})


class _LabelStems(NamedTuple):
    phrase: str
    joined: str


@lru_cache(maxsize=20_000)
def _label(label: str) -> _LabelStems:
    words = words_of(label)
    return _LabelStems(f" {' '.join(map(stem, words))} ", stem("".join(words)))
