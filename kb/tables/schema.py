"""The tables of the knowledge base, defined once: the build makes them, Datasette and the docs describe them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.tables.views import VIEWS

if TYPE_CHECKING:
    import sqlite_utils


@dataclass(frozen=True, slots=True)
class ColumnDef:
    """A column: its name, Python type, meaning, and the `table.column` it refers to."""

    name: str
    type: type
    note: str
    refers: str | None = None


@dataclass(frozen=True, slots=True)
class TableDef:
    """A table: its name, what a row of it is, its columns, primary key and the columns to index."""

    name: str
    note: str
    columns: tuple[ColumnDef, ...]
    key: tuple[str, ...]
    indexes: tuple[tuple[str, ...], ...] = ()


_SPAN = (
    ColumnDef("raw_start", int, "first character, as an offset into the OCR text"),
    ColumnDef("raw_end", int, "offset just after the last character"),
)

TABLES: tuple[TableDef, ...] = (
    TableDef("library", "What the library says of itself and the words it has for things: its library.toml.", (
        ColumnDef("key", str, "a table of library.toml"),
        ColumnDef("value", str, "what it holds: JSON"),
    ), ("key",)),
    TableDef("book", "A printed book, known from one OCR text.", (
        ColumnDef("id", str, "stable id, author and year"),
        ColumnDef("title", str, "title as printed"),
        ColumnDef("short", str, "short title for citations"),
        ColumnDef("author", str, "its authors, on one line"),
        ColumnDef("year", int, "year of this printing"),
        ColumnDef("place", str, "place of publication"),
        ColumnDef("publisher", str, "publisher"),
        ColumnDef("note", str, "what to know about this book and its OCR text"),
    ), ("id",)),
    TableDef("author", "An author of a book.", (
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("seq", int, "order on the title page, from 0"),
        ColumnDef("family", str, "family name; the whole name of one who has no other"),
        ColumnDef("given", str, "given names or initials; empty if there are none"),
    ), ("book_id", "seq")),
    TableDef("scan", "The OCR text of a book, unchanged.", (
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("text", str, "the OCR text, character for character"),
        ColumnDef("sha256", str, "SHA-256 of its file"),
        ColumnDef("length", int, "length in characters"),
    ), ("book_id",)),
    TableDef("edit", "A change that turns the OCR text into the reading text.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("book_id", str, "the book", "book.id"),
        *_SPAN,
        ColumnDef("before", str, "what the OCR text has"),
        ColumnDef("after", str, "what is read instead"),
        ColumnDef("kind", str, "furniture, join, space, ocr, typo or illegible"),
        ColumnDef("source", str, "rule, model or editor"),
        ColumnDef("confidence", float, "probability that the edit is right"),
        ColumnDef("note", str, "the evidence"),
        ColumnDef("rule", str, "the machine's rule, or rules, that made it (`whist rules`); empty for the editor's"),
    ), ("id",), (("book_id", "raw_start"),)),
    TableDef("suggestion", "A doubt, of the machine's or the editor's, that is not an edit.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("book_id", str, "the book", "book.id"),
        *_SPAN,
        ColumnDef("before", str, "what the OCR text has"),
        ColumnDef("after", str, "what may be read instead"),
        ColumnDef("confidence", float, "probability that the suggestion is right"),
        ColumnDef("note", str, "the evidence"),
        ColumnDef("source", str, "rule or model; editor for a question that he left open"),
    ), ("id",), (("book_id", "raw_start"),)),
    TableDef("page", "A printed page of a book.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("seq", int, "order in the OCR text, from 0"),
        *_SPAN,
        ColumnDef("folio", str, "printed page number; roman in lower case; null where the page has none"),
        ColumnDef("status", str, "printed, interpolated or unnumbered"),
    ), ("id",), (("book_id", "raw_start"),)),
    TableDef("code", "A code; one may be printed in several books.", (
        ColumnDef("id", str, "stable id, name and year"),
        ColumnDef("title", str, "title"),
        ColumnDef("short", str, "short title for citations"),
        ColumnDef("year", int, "year of the code"),
        ColumnDef("authority", str, "who made it"),
        ColumnDef("book_id", str, "the book it is read from here", "book.id"),
        ColumnDef("provision", str, "what it calls its provisions: Law, Article, Section"),
        ColumnDef("note", str, "what to know about it"),
    ), ("id",)),
    TableDef("lack", "What a code has and the book that it is read from does not print.", (
        ColumnDef("code_id", str, "the code", "code.id"),
        ColumnDef("kind", str, "the kind of provision"),
        ColumnDef("reason", str, "how that is known"),
    ), ("code_id", "kind")),
    TableDef("unit", "A citable piece of a book: a provision, a case, a definition, a paragraph.", (
        ColumnDef("id", str, "stable id: what people cite"),
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("code_id", str, "the code, if it belongs to one", "code.id"),
        ColumnDef("kind", str, "law (any numbered provision), subclause, definition, case, decision ..."),
        ColumnDef("label", str, "label as read: Article 94, Law 30, Section 12"),
        ColumnDef("number", str, "decoded number: 94, a4, ii"),
        ColumnDef("parent_id", str, "the unit it belongs to", "unit.id"),
        ColumnDef("heading", str, "the heading it stands under"),
        ColumnDef("seq", int, "order in the book"),
        *_SPAN,
        ColumnDef("page", str, "printed page on which it begins"),
        ColumnDef("text", str, "reading text"),
        ColumnDef("confidence", float, "certainty of the label and the borders, 0 to 1"),
        ColumnDef("continues", str, "of a further stretch of a unit (a footnote overleaf) the unit", "unit.id"),
        ColumnDef("role", str, "what its kind is to the software: provision, paragraph, case, prose, row, note ..."),
    ), ("id",), (
        ("book_id", "seq"), ("book_id", "raw_start"), ("code_id", "seq"), ("parent_id",), ("kind",), ("role",),
        ("continues",),
    )),
    TableDef("moved", "An id that a unit had in an earlier release: it leads to the unit's id of today.", (
        ColumnDef("old_id", str, "the id of then"),
        ColumnDef("unit_id", str, "the unit", "unit.id"),
    ), ("old_id",)),
    TableDef("editor_note", "What the editor tells the reader of a place where the text may mislead.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("unit_id", str, "the innermost unit around the place", "unit.id"),
        ColumnDef("book_id", str, "the book", "book.id"),
        *_SPAN,
        ColumnDef("text", str, "the note"),
        ColumnDef("reason", str, "the evidence"),
    ), ("id",), (("unit_id",), ("book_id", "raw_start"))),
    TableDef("table_cell", "A cell of a table row (odds, leads, matches); of the table itself, the head of a column.", (
        ColumnDef("unit_id", str, "the row, or the table", "unit.id"),
        ColumnDef("col", int, "column, from 0"),
        ColumnDef("text", str, "what the cell reads; `[illegible]` where nobody can tell"),
    ), ("unit_id", "col")),
    TableDef("explains", "A commentary and a provision it explains.", (
        ColumnDef("unit_id", str, "the commentary or remark", "unit.id"),
        ColumnDef("target_id", str, "the provision", "unit.id"),
    ), ("unit_id", "target_id"), (("target_id",),)),
    TableDef("citation", "A reference in the text, one row for each of its targets.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("from_unit", str, "the unit in which it stands", "unit.id"),
        ColumnDef("book_id", str, "the book", "book.id"),
        *_SPAN,
        ColumnDef("raw", str, "the words of the reference, as the OCR text has them"),
        ColumnDef("target_id", str, "what it refers to; null if nothing here", "unit.id"),
        ColumnDef("status", str, "resolved, ambiguous, dangling, foreign or slip"),
        ColumnDef("confidence", float, "probability that the target is right"),
    ), ("id",), (("from_unit",), ("target_id",), ("book_id", "raw_start"))),
    TableDef("audit", "What the numbering audit found: gaps, repeats, slips of the books' own.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("series", str, "which numbering"),
        ColumnDef("finding", str, "gap, repeat, garbled, slip or dangling"),
        ColumnDef("label", str, "the label concerned"),
        ColumnDef("raw_start", int, "where, as an offset into the OCR text"),
        ColumnDef("note", str, "what was found"),
    ), ("id",), (("book_id",),)),
    TableDef("concept", "A concept of the thesaurus.", (
        ColumnDef("id", str, "slug"),
        ColumnDef("label", str, "preferred term"),
        ColumnDef("note", str, "what is meant"),
        ColumnDef("broader", str, "the broader concept", "concept.id"),
    ), ("id",)),
    TableDef("concept_label", "A term for a concept: preferred, variant or historical.", (
        ColumnDef("concept_id", str, "the concept", "concept.id"),
        ColumnDef("label", str, "the term"),
        ColumnDef("role", str, "preferred, variant or historical"),
    ), ("concept_id", "label")),
    TableDef("concept_pattern", "Words that speak of a concept without naming it: `fail *3 follow`.", (
        ColumnDef("concept_id", str, "the concept", "concept.id"),
        ColumnDef("pattern", str, "the pattern: words, choices by |, *3 for up to three words between"),
    ), ("concept_id", "pattern")),
    TableDef("unit_concept", "A place where a unit speaks of a concept.", (
        ColumnDef("unit_id", str, "the unit", "unit.id"),
        ColumnDef("concept_id", str, "the concept", "concept.id"),
        *_SPAN,
    ), ("unit_id", "concept_id", "raw_start"), (("concept_id",),)),
    TableDef("link", "Two provisions of different codes on the same matter.", (
        ColumnDef("a", str, "the provision of the earlier code", "unit.id"),
        ColumnDef("b", str, "the provision of the later code", "unit.id"),
        ColumnDef("relation", str, "same-text, equivalent, differs, broader, narrower or opposed: a to b"),
        ColumnDef("topic", str, "the concept they share most", "concept.id"),
        ColumnDef("score", float, "strength of the evidence, 0 to 1"),
        ColumnDef("status", str, "proposed, confirmed or rejected"),
        ColumnDef("source", str, "machine or editor"),
        ColumnDef("why", str, "the evidence in words"),
    ), ("a", "b"), (("b",),)),
    TableDef("closed", "A provision looked for in another code: it has no counterparts there but those linked.", (
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("code_id", str, "the other code", "code.id"),
    ), ("unit_id", "code_id")),
    TableDef("apart", "Two provisions that answer one question otherwise and are no counterparts all the same.", (
        ColumnDef("a", str, "a provision", "unit.id"),
        ColumnDef("b", str, "a provision of another code", "unit.id"),
        ColumnDef("why", str, "why they are no counterparts"),
    ), ("a", "b")),
    TableDef("borrowing", "What a later code has of an earlier one, in provisions of the later.", (
        ColumnDef("code_id", str, "the later code", "code.id"),
        ColumnDef("source_id", str, "the earlier code", "code.id"),
        ColumnDef("provisions", int, "all provisions of the later code"),
        ColumnDef("same", int, "of these, printed in the same words by the earlier"),
        ColumnDef("equivalent", int, "the earlier says the same in other words"),
        ColumnDef("part", int, "one of the two says all that the other says, and more"),
        ColumnDef("nearest", int, "in the same words, and nearer to this code than to any other earlier one"),
    ), ("code_id", "source_id"), (("source_id",),)),
    TableDef("family", "A provision that prints the same rule as provisions of other codes, by the earliest of them.", (
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("head_id", str, "the earliest of its family; itself for that one", "unit.id"),
    ), ("unit_id",), (("head_id",),)),
    TableDef("topic", "A matter on which the codes are compared.", (
        ColumnDef("id", str, "slug"),
        ColumnDef("label", str, "its name"),
        ColumnDef("concept_id", str, "its own concept, the first of those that find its provisions", "concept.id"),
        ColumnDef("note", str, "what it is about"),
        ColumnDef("apart", int, "its questions are meant only where it is named"),
        ColumnDef("seq", int, "order"),
    ), ("id",)),
    TableDef("topic_concept", "A concept whose provisions belong to a topic.", (
        ColumnDef("topic_id", str, "the topic", "topic.id"),
        ColumnDef("concept_id", str, "the concept", "concept.id"),
    ), ("topic_id", "concept_id")),
    TableDef("asking", "Words by which a kind of thing is asked of any topic: what it is, what it costs, until when.", (
        ColumnDef("kind", str, "the kind: penalty"),
        ColumnDef("words", str, "words that ask for it"),
    ), ("kind", "words")),
    TableDef("topic_unit", "A provision that rules on a topic: the board on which the editor judges it.", (
        ColumnDef("topic_id", str, "the topic", "topic.id"),
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("seq", int, "order on the board, from 0"),
    ), ("topic_id", "unit_id"), (("unit_id",),)),
    TableDef("basis", "A provision that an entry of the editor's rests on, as it read when he judged it.", (
        ColumnDef("file", str, "the file of the entry: topics/revoke.toml"),
        ColumnDef("entry", str, "the entry: link 12"),
        ColumnDef("seq", int, "order among the provisions of the entry, from 0"),
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("read", str, "its text then; empty if it was not kept"),
    ), ("file", "entry", "seq")),
    TableDef("facet", "A question that is asked of each code.", (
        ColumnDef("id", str, "topic/slug"),
        ColumnDef("topic_id", str, "the topic it belongs to most, its home", "topic.id"),
        ColumnDef("label", str, "the question"),
        ColumnDef("verdict", str, "the rules from the first code to the last, in a line; empty for a draft"),
        ColumnDef("seq", int, "order in its home"),
    ), ("id",)),
    TableDef("facet_topic", "A question of a topic; one question may stand under several topics.", (
        ColumnDef("topic_id", str, "the topic", "topic.id"),
        ColumnDef("facet_id", str, "the question", "facet.id"),
        ColumnDef("seq", int, "order in the topic: its own questions come first"),
    ), ("topic_id", "facet_id"), (("facet_id",),)),
    TableDef("telling", "How players put the question of a facet: what they tell.", (
        ColumnDef("facet_id", str, "the facet", "facet.id"),
        ColumnDef("seq", int, "order, from 0"),
        ColumnDef("words", str, "the telling"),
    ), ("facet_id", "seq")),
    TableDef("classifier", "What was learnt from all paraphrases: which question is asked (kb.dispute.classifier).", (
        ColumnDef("of", str, "what is told apart: questions"),
        ColumnDef("weights", str, "the fitted weights: a file of numpy arrays (npz) in base64"),
    ), ("of",)),
    TableDef("distinction", "A fact that parts questions which are easily taken for one another: one row an answer.", (
        ColumnDef("id", str, "the fact: its topic and number"),
        ColumnDef("seq", int, "its place among the answers"),
        ColumnDef("fact", str, "the fact, as a question"),
        ColumnDef("told_by", str, "words by which a telling tells it (JSON)"),
        ColumnDef("words", str, "an answer; null for a further question that depends on the fact"),
        ColumnDef("facet_id", str, "the question that is meant then", "facet.id"),
        ColumnDef("result", str, "what it comes to, where the answers are to one question; else null"),
    ), ("id", "seq"), (("facet_id",),)),
    TableDef("principal", "A question of a topic that is meant where one asks of it in general words.", (
        ColumnDef("topic_id", str, "the topic", "topic.id"),
        ColumnDef("kind", str, "the kind of thing that is asked"),
        ColumnDef("facet_id", str, "the question", "facet.id"),
    ), ("topic_id", "kind", "facet_id")),
    TableDef("cell", "What a code answers to a facet; where it cites nothing, it is silent.", (
        ColumnDef("topic_id", str, "the home of the facet", "topic.id"),
        ColumnDef("facet_id", str, "the facet", "facet.id"),
        ColumnDef("code_id", str, "the code", "code.id"),
        ColumnDef("rule", str, "letter of the rule: one letter, one rule; A' is A made broader or narrower"),
        ColumnDef("brief", str, "the rule in a few words, the same for all cells of the letter"),
        ColumnDef("summary", str, "the answer in words; empty where it is silent"),
        ColumnDef("value", str, "the answer in the terms of the vocabulary: a JSON object; null if it has none"),
        ColumnDef("cites", str, "the provisions it rests on: JSON list of unit ids"),
        ColumnDef("source", str, "editor, or machine for a draft"),
        ColumnDef("twin", str, "the code whose answer is taken over, where both print the same words", "code.id"),
    ), ("topic_id", "facet_id", "code_id")),
    TableDef("deciding", "A provision on which a cell rests, with its deciding words; null where they have changed.", (
        ColumnDef("facet_id", str, "the facet", "facet.id"),
        ColumnDef("code_id", str, "the code", "code.id"),
        ColumnDef("seq", int, "order in the cell, from 0"),
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("words", str, "the words as it reads"),
        *_SPAN,
    ), ("facet_id", "code_id", "seq"), (("unit_id",),)),
    TableDef("gloss", "What a provision says, in present-day English: the editor's words.", (
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("words", str, "the gloss"),
    ), ("unit_id",)),
    TableDef("digest", "A case in two lines: the editor's words.", (
        ColumnDef("unit_id", str, "the case", "unit.id"),
        ColumnDef("facts", str, "what happened"),
        ColumnDef("decision", str, "what was decided, and why"),
        ColumnDef("remark", str, "what is to be known of its outcome under the codes"),
    ), ("unit_id",)),
    TableDef("precedent", "A case and a provision on which its decision turns.", (
        ColumnDef("unit_id", str, "the case", "unit.id"),
        ColumnDef("target_id", str, "the provision", "unit.id"),
        ColumnDef("source", str, "editor, or machine for what the case cites"),
    ), ("unit_id", "target_id"), (("target_id",),)),
    TableDef("case_question", "A question on which the decision of a case turned.", (
        ColumnDef("unit_id", str, "the case", "unit.id"),
        ColumnDef("facet_id", str, "the question", "facet.id"),
        ColumnDef("seq", int, "its place among those of the case: the most decisive first"),
    ), ("unit_id", "facet_id"), (("facet_id",),)),
    TableDef("case_outcome", "How a case would be decided under a code, by the editor's reading of it.", (
        ColumnDef("unit_id", str, "the case", "unit.id"),
        ColumnDef("code_id", str, "the code", "code.id"),
        ColumnDef("state", str, "decided: the case was decided under it; same: alike; otherwise; silent: the code does "
                                "not rule on it; open: its words leave it undecided"),
        ColumnDef("words", str, "of another outcome: what it would be"),
    ), ("unit_id", "code_id"), (("code_id", "state"),)),
    TableDef("unused", "A provision that answers no question of any topic.", (
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("reason", str, "why not"),
    ), ("unit_id",)),
    TableDef("term", "A term of the vocabulary of typed values.", (
        ColumnDef("kind", str, "mode, who, effect, moment, condition or unit"),
        ColumnDef("term", str, "the term"),
        ColumnDef("note", str, "what it means"),
    ), ("kind", "term")),
    TableDef("entry", "What search looks through: one row for each unit, spellings folded.", (
        ColumnDef("id", int, "running number; rowid of the full-text index"),
        ColumnDef("unit_id", str, "the unit", "unit.id"),
        ColumnDef("text", str, "reading text with ligatures folded and compounds joined"),
        ColumnDef("concepts", str, "labels of the concepts it speaks of"),
        ColumnDef("heading", str, "its headings"),
        ColumnDef("gloss", str, "the editor's gloss on it, and on its paragraphs"),
    ), ("id",), (("unit_id",),)),
    TableDef("elsewhere", "A book that these books cite and that is not among them.", (
        ColumnDef("name", str, "how it is called"),
        ColumnDef("book_id", str, "the book that cites it", "book.id"),
    ), ("name", "book_id")),
)  # fmt: skip

FULL_TEXT = """
create virtual table entry_fts using fts5(
    text, concepts, heading, gloss,
    content='entry', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
)
"""
VOCABULARY = "create table word(word text primary key, count integer not null) without rowid"


# Values of `pragma application_id` and `pragma user_version`: the first identifies a file as a knowledge base, the
# second changes with the tables and views.
APPLICATION = int.from_bytes(b"WHST", "big")
_COLUMNS = [(t.name, [(c.name, c.type.__name__) for c in t.columns]) for t in TABLES]
VERSION = zlib.crc32(repr((_COLUMNS, VOCABULARY, FULL_TEXT, [v.sql for v in VIEWS])).encode()) >> 1


def create(db: sqlite_utils.Database) -> None:
    """Create all tables, keys, indexes and views in an empty database."""
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
    for view in VIEWS:
        db.create_view(view.name, view.sql)
