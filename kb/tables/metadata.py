"""Descriptions of the tables, views and queries for Datasette: columns, units, labels, facets, order, licence."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from extract.corpus.domain import Domain
from kb.tables.canned import QUERIES
from kb.tables.schema import TABLES
from kb.tables.views import VIEWS


@dataclass(frozen=True, slots=True)
class Shown:
    """How rows of a table or view are shown: their label column, facets and order (- for descending).

    `sortable` are columns by which all rows can be sorted quickly.
    """

    label: str = ""
    facets: tuple[str, ...] = ()
    sort: str = ""
    sortable: tuple[str, ...] = ()


SHOWN: dict[str, Shown] = {
    "book": Shown("short", sort="year", sortable=("year",)),
    "code": Shown("short", sort="year", sortable=("year",)),
    "author": Shown("family"),
    "edit": Shown(facets=("kind", "source")),
    "page": Shown("folio", ("book_id", "status"), sortable=("raw_start",)),
    "unit": Shown("label", ("kind", "code_id"), sortable=("id", "kind", "page", "confidence")),
    "citation": Shown("raw", ("status", "book_id"), sortable=("confidence",)),
    "audit": Shown("label", ("finding", "book_id")),
    "concept": Shown("label", sort="label", sortable=("label",)),
    "concept_label": Shown("label", ("role",)),
    "link": Shown(facets=("relation", "source"), sortable=("score",)),
    "topic": Shown("label", sort="seq", sortable=("seq", "label")),
    "question": Shown("label", ("topic_id",)),
    "answer": Shown(facets=("code_id",)),
    "precedent": Shown(facets=("source",)),
    "case_outcome": Shown(facets=("code_id", "state")),
    "suggestion": Shown(facets=("book_id",), sortable=("confidence",)),
    "word": Shown("word", sort="-count", sortable=("word", "count")),
    "provision": Shown(facets=("code", "kind"), sortable=("year", "number", "page")),
    "answered": Shown(facets=("code", "state"), sortable=("year", "topic")),
    "equivalence": Shown(facets=("relation", "a_code", "b_code"), sortable=("a_year", "b_year", "score")),
    "correction": Shown(facets=("kind", "source", "book_id"), sortable=("confidence", "raw_start")),
    "reference": Shown(facets=("status", "from_kind"), sortable=("confidence",)),
}
WORD = "Every word of the reading texts, for spelling corrections."
WORD_COLUMNS = {"word": "the word, in lower case", "count": "number of occurrences"}
# The units of numbers, by column name.
UNITS = {
    "raw_start": "characters", "raw_end": "characters", "length": "characters",
    "confidence": "probability", "score": "share",
}  # fmt: skip


def metadata(database: str, hidden: Collection[str] = (), about: Domain | None = None) -> dict[str, Any]:
    """Return the descriptions and the saved queries in the format of Datasette's metadata file (`-m`).

    Args:
        database: the name under which Datasette serves the file (its stem).
        hidden: tables that are not listed: those without rows.
        about: the contents of library.toml.
    """
    info = (about or Domain()).library
    tables = {t.name: _described(t.name, t.note, {c.name: c.note for c in t.columns}) for t in TABLES}
    tables |= {v.name: _described(v.name, v.note, dict(v.columns)) for v in VIEWS}
    tables["word"] = _described("word", WORD, WORD_COLUMNS)
    for name in ("entry_fts", *hidden):
        tables.setdefault(name, {})["hidden"] = True
    return {
        "title": info.title,
        "description": info.description or info.title,
        "source": "OCR texts of printed books, each named with its checksum in the table scan",
        **({"license": info.rights, "license_url": info.rights_url} if info.rights_url else {}),
        "databases": {
            database: {
                "tables": tables,
                "queries": {q.name: {"title": q.title, "description": q.note, "sql": q.sql.strip()} for q in QUERIES},
            }
        },
    }


def _described(name: str, note: str, columns: dict[str, str]) -> dict[str, Any]:
    shown = SHOWN.get(name, Shown())
    result: dict[str, Any] = {
        "description": note,
        "columns": {c: f"{words} ({UNITS[c]})" if c in UNITS else words for c, words in columns.items()},
        "sortable_columns": list(shown.sortable),
    }
    if shown.label:
        result["label_column"] = shown.label
    if shown.facets:
        result["facets"] = list(shown.facets)
    if shown.sort:
        result["sort_desc" if shown.sort[0] == "-" else "sort"] = shown.sort.removeprefix("-")
    return result
