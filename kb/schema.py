"""The tables of the knowledge base, defined once: the build makes them, Datasette and the docs describe them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import sqlite_utils


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, Python type, what it means, and the `table.column` it refers to."""

    name: str
    type: type
    note: str
    refers: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns, primary key, the columns to index, and what a row of it is."""

    name: str
    note: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    indexes: tuple[tuple[str, ...], ...] = ()


_SPAN = (
    Column("raw_start", int, "first character, as an offset into the scan"),
    Column("raw_end", int, "offset just after the last character"),
)

TABLES: tuple[Table, ...] = (
    Table("book", "A printed book, known from one scan.", (
        Column("id", str, "stable id, author and year"),
        Column("title", str, "title as printed"),
        Column("short", str, "short title for citations"),
        Column("author", str, "author"),
        Column("year", int, "year of this printing"),
        Column("place", str, "place of publication"),
        Column("publisher", str, "publisher"),
        Column("note", str, "what to know about this book and its scan"),
    ), ("id",)),
    Table("scan", "The scan of a book, unchanged.", (
        Column("book_id", str, "the book", "book.id"),
        Column("text", str, "the text of the scan, character for character"),
        Column("sha256", str, "SHA-256 of the scan file"),
        Column("length", int, "length in characters"),
    ), ("book_id",)),
    Table("edit", "A change that turns the scan into the reading text.", (
        Column("id", int, "running number"),
        Column("book_id", str, "the book", "book.id"),
        *_SPAN,
        Column("before", str, "what the scan has"),
        Column("after", str, "what is read instead"),
        Column("kind", str, "furniture, join, space, ocr, typo or illegible"),
        Column("source", str, "rule, model or editor"),
        Column("confidence", float, "probability that the edit is right"),
        Column("note", str, "the evidence"),
        Column("rule", str, "the machine's rule, or rules, that made it (`whist rules`); empty for the editor's"),
    ), ("id",), (("book_id", "raw_start"),)),
    Table("suggestion", "A doubt of the machine's that is not an edit: for the editor to decide.", (
        Column("id", int, "running number"),
        Column("book_id", str, "the book", "book.id"),
        *_SPAN,
        Column("before", str, "what the scan has"),
        Column("after", str, "what the machine would read"),
        Column("confidence", float, "probability that the suggestion is right"),
        Column("note", str, "the evidence"),
    ), ("id",), (("book_id", "raw_start"),)),
    Table("page", "A printed page of a book.", (
        Column("id", int, "running number"),
        Column("book_id", str, "the book", "book.id"),
        Column("seq", int, "order in the scan, from 0"),
        *_SPAN,
        Column("folio", str, "printed page number; roman in lower case; null where the page has none"),
        Column("status", str, "printed, interpolated or unnumbered"),
    ), ("id",), (("book_id", "raw_start"),)),
    Table("code", "A code of laws; one code may be printed in several books.", (
        Column("id", str, "stable id, name and year"),
        Column("title", str, "title"),
        Column("short", str, "short title for citations"),
        Column("year", int, "year of the code"),
        Column("authority", str, "who made it"),
        Column("book_id", str, "the book it is read from here", "book.id"),
        Column("provision", str, "what it calls its provisions: Law or Article"),
        Column("note", str, "what to know about it"),
    ), ("id",)),
    Table("unit", "A citable piece of a book: a law, a case, a definition, a paragraph.", (
        Column("id", str, "stable id: what people cite"),
        Column("book_id", str, "the book", "book.id"),
        Column("code_id", str, "the code, if it belongs to one", "code.id"),
        Column("kind", str, "law, subclause, definition, case, decision ..."),
        Column("label", str, "label as read: Article 94, Law 30, Case 12"),
        Column("number", str, "decoded number: 94, a4, ii"),
        Column("parent_id", str, "the unit it belongs to", "unit.id"),
        Column("heading", str, "the heading it stands under"),
        Column("seq", int, "order in the book"),
        *_SPAN,
        Column("page", str, "printed page on which it begins"),
        Column("text", str, "reading text"),
        Column("confidence", float, "certainty of the label and the borders, 0 to 1"),
        Column("continues", str, "of a further stretch of a unit (a footnote overleaf) the unit; else null", "unit.id"),
    ), ("id",), (("book_id", "seq"), ("code_id", "seq"), ("parent_id",), ("kind",), ("continues",))),
    Table("moved", "An id that a unit had in an earlier release: it leads to the unit's id of today.", (
        Column("old_id", str, "the id of then"),
        Column("unit_id", str, "the unit", "unit.id"),
    ), ("old_id",)),
    Table("editor_note", "What the editor tells the reader of a place where the text may mislead.", (
        Column("id", int, "running number"),
        Column("unit_id", str, "the innermost unit around the place", "unit.id"),
        Column("book_id", str, "the book", "book.id"),
        *_SPAN,
        Column("text", str, "the note"),
        Column("reason", str, "the evidence"),
    ), ("id",), (("unit_id",), ("book_id", "raw_start"))),
    Table("table_cell", "A cell of a table row (odds, leads, matches); of the table itself, the head of a column.", (
        Column("unit_id", str, "the row, or the table", "unit.id"),
        Column("col", int, "column, from 0"),
        Column("text", str, "what the cell reads; `[illegible]` where nobody can tell"),
    ), ("unit_id", "col")),
    Table("explains", "A commentary and a provision it explains.", (
        Column("unit_id", str, "the commentary or remark", "unit.id"),
        Column("target_id", str, "the provision", "unit.id"),
    ), ("unit_id", "target_id"), (("target_id",),)),
    Table("citation", "A reference in the text, one row for each of its targets.", (
        Column("id", int, "running number"),
        Column("from_unit", str, "the unit in which it stands", "unit.id"),
        Column("book_id", str, "the book", "book.id"),
        *_SPAN,
        Column("raw", str, "the words of the reference, as scanned"),
        Column("target_id", str, "what it refers to; null if nothing here", "unit.id"),
        Column("status", str, "resolved, ambiguous, dangling, foreign or slip"),
        Column("confidence", float, "probability that the target is right"),
    ), ("id",), (("from_unit",), ("target_id",), ("book_id", "raw_start"))),
    Table("audit", "What the numbering audit found: gaps, repeats, slips of the books' own.", (
        Column("id", int, "running number"),
        Column("book_id", str, "the book", "book.id"),
        Column("series", str, "which numbering"),
        Column("finding", str, "gap, repeat, garbled, slip or dangling"),
        Column("label", str, "the label concerned"),
        Column("raw_start", int, "where, as an offset into the scan"),
        Column("note", str, "what was found"),
    ), ("id",), (("book_id",),)),
    Table("concept", "A concept of whist, from the thesaurus.", (
        Column("id", str, "slug"),
        Column("label", str, "preferred term"),
        Column("note", str, "what is meant"),
        Column("broader", str, "the broader concept", "concept.id"),
    ), ("id",)),
    Table("concept_label", "A term for a concept: preferred, variant or historical.", (
        Column("concept_id", str, "the concept", "concept.id"),
        Column("label", str, "the term"),
        Column("role", str, "preferred, variant or historical"),
    ), ("concept_id", "label")),
    Table("unit_concept", "A place where a unit speaks of a concept.", (
        Column("unit_id", str, "the unit", "unit.id"),
        Column("concept_id", str, "the concept", "concept.id"),
        *_SPAN,
    ), ("unit_id", "concept_id", "raw_start"), (("concept_id",),)),
    Table("link", "Two provisions of different codes on the same matter.", (
        Column("a", str, "the provision of the earlier code", "unit.id"),
        Column("b", str, "the provision of the later code", "unit.id"),
        Column("relation", str, "same-text, equivalent, differs, broader, narrower or opposed: a to b"),
        Column("topic", str, "the concept they share most", "concept.id"),
        Column("score", float, "strength of the evidence, 0 to 1"),
        Column("status", str, "proposed, confirmed or rejected"),
        Column("source", str, "machine or editor"),
        Column("why", str, "the evidence in words"),
    ), ("a", "b"), (("b",),)),
    Table("topic", "A matter on which the codes are compared.", (
        Column("id", str, "slug"),
        Column("label", str, "its name"),
        Column("concept_id", str, "its own concept, the first of those that find its provisions", "concept.id"),
        Column("note", str, "what it is about"),
        Column("seq", int, "order"),
    ), ("id",)),
    Table("topic_concept", "A concept whose provisions belong to a topic.", (
        Column("topic_id", str, "the topic", "topic.id"),
        Column("concept_id", str, "the concept", "concept.id"),
    ), ("topic_id", "concept_id")),
    Table("facet", "A question that a topic asks of each code.", (
        Column("id", str, "topic/slug"),
        Column("topic_id", str, "the topic", "topic.id"),
        Column("label", str, "the question"),
        Column("seq", int, "order"),
    ), ("id",)),
    Table("cell", "What a code answers to a facet.", (
        Column("topic_id", str, "the topic", "topic.id"),
        Column("facet_id", str, "the facet", "facet.id"),
        Column("code_id", str, "the code", "code.id"),
        Column("summary", str, "the answer in words"),
        Column("value", str, "the answer, normalised"),
        Column("cites", str, "the provisions it rests on: JSON list of unit ids"),
    ), ("topic_id", "facet_id", "code_id")),
    Table("entry", "What search looks through: one row for each unit, spellings folded.", (
        Column("id", int, "running number; rowid of the full-text index"),
        Column("unit_id", str, "the unit", "unit.id"),
        Column("text", str, "reading text with ligatures folded and compounds joined"),
        Column("concepts", str, "labels of the concepts it speaks of"),
        Column("heading", str, "its headings"),
    ), ("id",), (("unit_id",),)),
)  # fmt: skip

FULL_TEXT = """
create virtual table entry_fts using fts5(
    text, concepts, heading,
    content='entry', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
)
"""
VOCABULARY = "create table word(word text primary key, count integer not null) without rowid"


# What `pragma application_id` and `pragma user_version` say of a file: that it is a knowledge base, and which tables
# it has.
APPLICATION = int.from_bytes(b"WHST", "big")
VERSION = zlib.crc32(
    repr(([(t.name, [(c.name, c.type.__name__) for c in t.columns]) for t in TABLES], VOCABULARY, FULL_TEXT)).encode()
) >> 1  # fmt: skip


def create(db: sqlite_utils.Database) -> None:
    """Create all tables, keys and indexes in an empty database."""
    db.execute(f"pragma application_id = {APPLICATION}")
    db.execute(f"pragma user_version = {VERSION}")
    for table in TABLES:
        foreign: list[tuple[str, str, str]] = []
        for column in table.columns:
            if column.refers:
                other, _, key = column.refers.partition(".")
                foreign.append((column.name, other, key))
        db.table(table.name).create(
            {c.name: c.type for c in table.columns},
            pk=table.key if len(table.key) > 1 else table.key[0],
            foreign_keys=foreign,
        )
        for index in table.indexes:
            db.table(table.name).create_index(index)
    db.execute(VOCABULARY)
    db.execute(FULL_TEXT)


def metadata(database: str) -> dict[str, Any]:
    """The descriptions in the form Datasette reads (`-m`): tables and their columns.

    Args:
        database: the name under which Datasette serves the file (its stem).
    """
    tables: dict[str, dict[str, Any]] = {
        t.name: {
            "description": t.note,
            "columns": {c.name: c.note for c in t.columns},
            "sortable_columns": [],
        }
        for t in TABLES
    }
    tables["word"] = {"description": "Every word of the reading texts, for spelling suggestions.",
                      "columns": {"word": "the word, in lower case", "count": "how often it occurs"}}  # fmt: skip
    tables["entry_fts"] = {"hidden": True}
    return {
        "title": "The Law Library of Whist",
        "description": "The laws of whist, 1829-1894, from four scanned treatises.",
        "databases": {database: {"tables": tables, "allow_sql": False}},
    }
