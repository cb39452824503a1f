"""From what a person types to a unit: ids, near misses, and citations such as `1864 law 72 (ii)`."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from extract.numbering.numerals import is_roman
from kb.read.rows import UNIT, UnitRow, fetch

ALL_IDS = "select id from unit where continues is null order by book_id, seq"
BY_ID = f"select {UNIT} from unit u where u.id = ?"
BY_NUMBER = f"""
select {UNIT} from unit u join book b on b.id = u.book_id left join code c on c.id = u.code_id
where u.kind = :kind and lower(u.number) = :number
and (:year is null or coalesce(c.year, b.year) = :year or b.year = :year)
and (:works is null or coalesce(u.code_id, u.book_id) in (select value from json_each(:works)))
order by coalesce(c.year, b.year), u.seq
"""
CHILD = f"select {UNIT} from unit u where u.parent_id = ? and u.kind = ? and (? is null or lower(u.number) = ?)"
WORKS = """
select c.id, c.year, lower(c.id || ' ' || c.title || ' ' || c.short || ' ' || c.authority || ' ' || b.author)
from code c join book b on b.id = c.book_id
union all select b.id, b.year, lower(b.id || ' ' || b.title || ' ' || b.short || ' ' || b.author) from book b
"""

# The words for a numbered unit: what its label has before the number (`Article 94`), its kind, and the labels of the
# concept of that name. The rows of a table are numbered too, but nobody cites them without their table.
KIND_WORDS = """
with named as (
    select distinct u.kind, lower(substr(u.label, 1, instr(u.label, ' ') - 1)) as word
    from unit u left join unit p on p.id = u.parent_id
    where u.continues is null and p.kind is not 'table'
    and (lower(u.label) = lower(substr(u.label, 1, instr(u.label, ' ') - 1) || ' ' || u.number)
        or u.number is not null and u.label like u.kind || ' %')
)
select word, kind from named union select kind, kind from named
union select lower(l.label), n.kind from named n join concept_label l on l.concept_id = n.kind
"""

_SHORTEST = 3  # letters of an abbreviation: `art`; a single letter may belong to the number (`A 4`)
_PINPOINT = frozenset(("paragraph", "para", "par", "section", "sect", "clause", "subclause", "no", "number"))
_NOISE = frozenset(("of", "the", "in", "code", "codes", "p", "and", "from"))
_TOKEN = re.compile(r"[a-z]\d{1,3}(?![a-z\d])|\d+|[^\W\d_]+", re.IGNORECASE)
# What is longer is no id, and is not compared with all of them.
_LONGEST = 200
_MOST_TOKENS = 12


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a typed citation may mean: one unit, several (no code was named), or none; `note` says what was bent."""

    units: tuple[UnitRow, ...] = ()
    note: str = ""


@dataclass(slots=True)
class _Parsed:
    kind: str | None = None
    number: str | None = None
    paragraph: str | None = None
    year: int | None = None
    decision: bool = False
    names: list[str] = field(default_factory=list)


def json_list(values: Iterable[Any]) -> str:
    """A list in the form that SQL reads with `json_each`."""
    return json.dumps(list(values))


def nearest_ids(conn: sqlite3.Connection, unit_id: str, limit: int = 5) -> list[str]:
    """The ids most like one that does not exist, its nearest parent first."""
    wanted = unit_id[:_LONGEST].strip().strip("/").lower()
    ids = fetch(conn, str, ALL_IDS)
    known = set(ids)
    parents = [p for p in _parents(wanted) if p in known]
    return list(dict.fromkeys([*parents, *nearest(wanted, ids, limit)]))[:limit]


def nearest(wanted: str, names: Sequence[str], limit: int = 5) -> list[str]:
    """The names most like the one wanted (Jaro-Winkler similarity of at least 0.8), best first."""
    found = process.extract(wanted[:_LONGEST], names, scorer=JaroWinkler.similarity, score_cutoff=0.8, limit=limit)
    return [name for name, _, _ in found]


def resolve_typed(conn: sqlite3.Connection, text: str) -> Resolution:
    """Read an id or a citation as typed: `english-1864/law-72`, `1864 law 72 (ii)`, `article 94 1839`, `case 93`.

    Args:
        text: what was typed; a web address that ends in an id will do.
    Returns:
        The units it may mean, oldest code first. Empty if the text is not a citation through and through:
        a word that is neither a kind, a number nor the name of a work makes it a search.
    """
    if len(text) > _LONGEST:
        return Resolution()
    known = {work: (year, set(_TOKEN.findall(words))) for work, year, words in fetch(conn, lambda *row: row, WORKS)}
    steps = text.strip().rstrip("/").lower().split("/")
    if work := next((i for i, step in enumerate(steps[:-1]) if step in known), None):
        steps = steps[work:]
    if steps[0] in known and len(steps) > 1:
        return Resolution(tuple(fetch(conn, UnitRow, BY_ID, ("/".join(steps),))))
    citation = _parse(text, dict(fetch(conn, lambda *row: row, KIND_WORDS)))
    if citation is None or citation.number is None:
        return Resolution()
    works = [work for work, (_, words) in known.items() if words >= set(citation.names)] if citation.names else None
    if works == [] or (citation.kind is None and citation.year is None and works is None):
        return Resolution()
    params = {
        "kind": citation.kind or "law",
        "number": citation.number,
        "year": citation.year,
        "works": None if works is None else json_list(works),
    }
    found = fetch(conn, UnitRow, BY_NUMBER, params)
    if not found and (citation.year or works):
        return Resolution(note=f"There is no {params['kind']} {citation.number.upper()} there.")
    exact = [u for u in found if known[u.work][0] == citation.year]
    return _pinpoint(conn, exact or found, citation)


def _parents(unit_id: str) -> list[str]:
    parts = unit_id.split("/")
    return ["/".join(parts[:n]) for n in range(len(parts) - 1, 1, -1)]


def _parse(text: str, kinds: Mapping[str, str]) -> _Parsed | None:
    tokens = _TOKEN.findall(text.lower())
    if not tokens or len(tokens) > _MOST_TOKENS:
        return None
    citation = _Parsed()
    letter = ""
    for at, token in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else ""
        if citation.kind is None and (kind := _kind(token, kinds)):
            citation.kind = kind
        elif citation.kind and _kind(token, kinds) == citation.kind:
            continue  # `The Laws of Whist (1864), law 72`
        elif token == "decision":
            citation.decision = True
        elif _figures(token) and len(token) == 4:
            citation.year = int(token)
        elif len(token) == 1 and citation.number is None and _figures(after) and len(after) < 4:
            letter = token
        elif (_figures(token) or (_figures(token[1:]) and len(token) < 4)) and citation.number is None:
            citation.number, letter = letter + (token.lstrip("0") or "0"), ""
        elif citation.number and citation.paragraph is None and (_figures(token) or is_roman(token)):
            citation.paragraph = token
        elif token not in _PINPOINT and token not in _NOISE:
            citation.names.append(token)
    if citation.decision and citation.kind is None:
        citation.kind = "case"
    return citation


def _figures(token: str) -> bool:
    """Whether a token is a number in plain figures; `²` and others that Unicode calls digits are none here."""
    return token.isascii() and token.isdecimal()


def _kind(token: str, kinds: Mapping[str, str]) -> str | None:
    """The kind of unit that a word, its plural or an abbreviation stands for; `rule` is said of any code's laws."""
    word = "law" if token in ("rule", "rules") else token
    meant = {kinds[w] for w in (word, word.removesuffix("s")) if w in kinds}
    if not meant and len(word) >= _SHORTEST:
        meant = {kind for full, kind in kinds.items() if full.startswith(word)}
    return meant.pop() if len(meant) == 1 else None


def _pinpoint(conn: sqlite3.Connection, found: list[UnitRow], citation: _Parsed) -> Resolution:
    kind, number = ("decision", None) if citation.decision else ("subclause", citation.paragraph)
    if not found or (kind == "subclause" and number is None):
        return Resolution(tuple(found))
    exact = [c for u in found for c in fetch(conn, UnitRow, CHILD, (u.id, kind, number, number))]
    if exact:
        return Resolution(tuple(exact))
    what = "decision" if citation.decision else f"paragraph {citation.paragraph}"
    return Resolution(tuple(found), f"There is no {what}; this is the whole.")
