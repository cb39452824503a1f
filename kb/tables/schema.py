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
    ColumnDef("raw_start", int, "offset of the first character in the OCR text"),
    ColumnDef("raw_end", int, "offset after the last character"),
)

TABLES: tuple[TableDef, ...] = (
    TableDef("library", "Settings from library.toml.", (
        ColumnDef("key", str, "name of a table in library.toml"),
        ColumnDef("value", str, "its contents, as JSON"),
    ), ("key",)),
    TableDef("book", "A printed book, of which the library has one OCR text.", (
        ColumnDef("id", str, "permanent id: author and year"),
        ColumnDef("title", str, "title, as printed"),
        ColumnDef("short", str, "short title, for citations"),
        ColumnDef("author", str, "its authors, in one line"),
        ColumnDef("year", int, "year of this edition"),
        ColumnDef("place", str, "place of publication"),
        ColumnDef("publisher", str, "publisher"),
        ColumnDef("note", str, "the editor's note on the book and its OCR text"),
    ), ("id",)),
    TableDef("author", "An author of a book.", (
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("seq", int, "order on the title page, from 0"),
        ColumnDef("family", str, "family name, or the whole name if the author has only one"),
        ColumnDef("given", str, "given names or initials; empty if there are none"),
    ), ("book_id", "seq")),
    TableDef("scan", "The OCR text of a book, unchanged.", (
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("text", str, "the OCR text"),
        ColumnDef("sha256", str, "SHA-256 checksum of its file"),
        ColumnDef("length", int, "length in characters"),
    ), ("book_id",)),
    TableDef("edit", "A change that turns the OCR text into the reading text.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("book_id", str, "the book", "book.id"),
        *_SPAN,
        ColumnDef("before", str, "what the OCR text has"),
        ColumnDef("after", str, "what the reading text has instead"),
        ColumnDef("kind", str, "furniture (running head, page number), join, space, ocr (misread letters), typo (the "
                               "book's misprint, which stays) or illegible"),
        ColumnDef("source", str, "rule or editor"),
        ColumnDef("confidence", float, "estimated probability that the edit is right; 1 for the editor's readings"),
        ColumnDef("note", str, "the evidence"),
        ColumnDef("rule", str, "the rules that made it; empty for the editor's edits"),
    ), ("id",), (("book_id", "raw_start"),)),
    TableDef("suggestion", "A doubtful word that was left unchanged, with another possible reading.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("book_id", str, "the book", "book.id"),
        *_SPAN,
        ColumnDef("before", str, "what the OCR text has"),
        ColumnDef("after", str, "what the print may have instead"),
        ColumnDef("confidence", float, "score of the machine, to sort its suggestions; not a measured probability. "
                                       "0.5 for the editor's"),
        ColumnDef("note", str, "the evidence"),
        ColumnDef("source", str, "rule; editor for a question that the editor left open"),
    ), ("id",), (("book_id", "raw_start"),)),
    TableDef("page", "A printed page of a book.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("seq", int, "order in the OCR text, from 0"),
        *_SPAN,
        ColumnDef("folio", str, "page number, roman in lower case; null if the page has none"),
        ColumnDef("status", str, "printed, interpolated (number missing or misread; inferred from the other pages) or "
                                 "unnumbered"),
        ColumnDef("inferred", int, "1 if it is interpolated, and the printed ones around leave others possible"),
    ), ("id",), (("book_id", "raw_start"),)),
    TableDef("code", "A code of laws.", (
        ColumnDef("id", str, "permanent id: name and year"),
        ColumnDef("title", str, "title"),
        ColumnDef("short", str, "short title, for citations"),
        ColumnDef("year", int, "year of the code"),
        ColumnDef("authority", str, "who issued it"),
        ColumnDef("book_id", str, "the book whose text the library uses", "book.id"),
        ColumnDef("provision", str, "what the code calls a provision: Law, Article, Section"),
        ColumnDef("note", str, "the editor's note on it"),
    ), ("id",)),
    TableDef("lack", "Provisions that a code has but our print of it leaves out.", (
        ColumnDef("code_id", str, "the code", "code.id"),
        ColumnDef("kind", str, "the kind of provision"),
        ColumnDef("reason", str, "how the editor knows this"),
    ), ("code_id", "kind")),
    TableDef("unit", "A part of a book that can be cited: a provision, a case, a definition, a paragraph.", (
        ColumnDef("id", str, "permanent id, used in citations"),
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("code_id", str, "the code, if the unit belongs to one", "code.id"),
        ColumnDef("kind", str, "law (any numbered provision), subclause (numbered paragraph), definition, case, "
                               "decision ..."),
        ColumnDef("label", str, "label: Article 94, Law 30, Section 12"),
        ColumnDef("number", str, "number: 94, a4, ii"),
        ColumnDef("parent_id", str, "the unit that contains it, or to which it belongs", "unit.id"),
        ColumnDef("heading", str, "the heading above it"),
        ColumnDef("title", str, "what a provision or case is chiefly about, in at most six words of the editor"),
        ColumnDef("seq", int, "order in the book"),
        *_SPAN,
        ColumnDef("page", str, "number of the page on which it begins"),
        ColumnDef("inferred", int, "1 if that number is only inferred (table page); it is cited in brackets"),
        ColumnDef("text", str, "reading text"),
        ColumnDef("confidence", float, "estimated probability that its label, beginning and end are right"),
        ColumnDef("continues", str, "if the row is a further part of a unit (a footnote on the next page), that "
                                    "unit", "unit.id"),
        ColumnDef("role", str, "what the software does with its kind: provision, paragraph, case, prose, row, note "
                               "..."),
    ), ("id",), (
        ("book_id", "seq"), ("book_id", "raw_start"), ("code_id", "seq"), ("parent_id",), ("kind",), ("role",),
        ("continues",),
    )),
    TableDef("editor_note", "The editor's note to readers on a passage that may mislead.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("unit_id", str, "the smallest unit that contains the passage", "unit.id"),
        ColumnDef("book_id", str, "the book", "book.id"),
        *_SPAN,
        ColumnDef("text", str, "the note"),
        ColumnDef("reason", str, "the evidence"),
    ), ("id",), (("unit_id",), ("book_id", "raw_start"))),
    TableDef("table_cell", "A cell of a table row (odds, leads, matches), or the head of a column of the table.", (
        ColumnDef("unit_id", str, "the row; for the head of a column, the table", "unit.id"),
        ColumnDef("col", int, "number of the column, from 0"),
        ColumnDef("text", str, "text of the cell; `[illegible]` if nobody can read it"),
    ), ("unit_id", "col")),
    TableDef("explains", "A commentary and a provision that it explains.", (
        ColumnDef("unit_id", str, "the commentary or remark", "unit.id"),
        ColumnDef("target_id", str, "the provision", "unit.id"),
    ), ("unit_id", "target_id"), (("target_id",),)),
    TableDef("citation", "A reference in the text to another unit; one row for each target.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("from_unit", str, "the unit that contains it", "unit.id"),
        ColumnDef("book_id", str, "the book", "book.id"),
        *_SPAN,
        ColumnDef("raw", str, "the words of the reference in the OCR text"),
        ColumnDef("target_id", str, "the unit it refers to; null if none in this library", "unit.id"),
        ColumnDef("status", str, "resolved, ambiguous, dangling (there is no such unit here), foreign (in another "
                                 "book) or slip (the author cites the wrong provision)"),
        ColumnDef("confidence", float, "estimated probability that the target is right"),
    ), ("id",), (("from_unit",), ("target_id",), ("book_id", "raw_start"))),
    TableDef("audit", "A finding of the check of numbers: missing, repeated and doubtful numbers.", (
        ColumnDef("id", int, "running number"),
        ColumnDef("book_id", str, "the book", "book.id"),
        ColumnDef("series", str, "the series of numbers"),
        ColumnDef("finding", str, "gap (number missing), repeat, garbled (misread), slip (the book's own mistake) or "
                                  "dangling (refers to nothing here)"),
        ColumnDef("label", str, "the label with this number"),
        ColumnDef("raw_start", int, "its place, as an offset into the OCR text"),
        ColumnDef("note", str, "what was found"),
    ), ("id",), (("book_id",),)),
    TableDef("concept", "A concept of the thesaurus.", (
        ColumnDef("id", str, "permanent id"),
        ColumnDef("label", str, "preferred term"),
        ColumnDef("note", str, "what it means"),
        ColumnDef("broader", str, "the broader concept", "concept.id"),
    ), ("id",)),
    TableDef("concept_label", "A term for a concept.", (
        ColumnDef("concept_id", str, "the concept", "concept.id"),
        ColumnDef("label", str, "the term"),
        ColumnDef("role", str, "preferred, variant or historical"),
    ), ("concept_id", "label")),
    TableDef("concept_pattern", "Words that express a concept without its terms: `fail *3 follow`.", (
        ColumnDef("concept_id", str, "the concept", "concept.id"),
        ColumnDef("pattern", str, "the pattern: words; | separates alternatives; *3 stands for up to three words"),
    ), ("concept_id", "pattern")),
    TableDef("unit_concept", "A mention of a concept in a unit.", (
        ColumnDef("unit_id", str, "the unit", "unit.id"),
        ColumnDef("concept_id", str, "the concept", "concept.id"),
        *_SPAN,
    ), ("unit_id", "concept_id", "raw_start"), (("concept_id",),)),
    TableDef("link", "Two counterparts: provisions of different codes on the same question.", (
        ColumnDef("a", str, "the provision of the earlier code", "unit.id"),
        ColumnDef("b", str, "the provision of the later code", "unit.id"),
        ColumnDef("relation", str, "what a is, compared with b: same-text, equivalent (same rule, other words), "
                                   "differs (another rule), broader, narrower or opposed"),
        ColumnDef("score", float, "strength of the evidence, 0 to 1"),
        ColumnDef("source", str, "editor, or machine (in a library made without the editor)"),
        ColumnDef("why", str, "the reason"),
    ), ("a", "b"), (("b",),)),
    TableDef("closed", "A provision and a code that the editor has checked: all its counterparts there are linked, if "
                       "any.", (
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("code_id", str, "the other code", "code.id"),
    ), ("unit_id", "code_id")),
    TableDef("topic", "A topic on which the codes are compared.", (
        ColumnDef("id", str, "permanent id"),
        ColumnDef("label", str, "its name"),
        ColumnDef("concept_id", str, "its main concept", "concept.id"),
        ColumnDef("note", str, "what it is about"),
        ColumnDef("seq", int, "order"),
    ), ("id",)),
    TableDef("topic_concept", "A concept whose provisions belong to a topic.", (
        ColumnDef("topic_id", str, "the topic", "topic.id"),
        ColumnDef("concept_id", str, "the concept", "concept.id"),
    ), ("topic_id", "concept_id")),
    TableDef("topic_unit", "A provision on a topic.", (
        ColumnDef("topic_id", str, "the topic", "topic.id"),
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("seq", int, "order in the topic, from 0"),
    ), ("topic_id", "unit_id"), (("unit_id",),)),
    TableDef("question", "A question that every code is asked.", (
        ColumnDef("id", str, "permanent id: topic/name"),
        ColumnDef("topic_id", str, "its main topic", "topic.id"),
        ColumnDef("label", str, "the question"),
        ColumnDef("verdict", str, "the rules of all codes, oldest first, in one line"),
        ColumnDef("seq", int, "order in its main topic"),
    ), ("id",)),
    TableDef("question_topic", "A question and a topic on whose page it is; a question may be on several.", (
        ColumnDef("topic_id", str, "the topic", "topic.id"),
        ColumnDef("question_id", str, "the question", "question.id"),
        ColumnDef("seq", int, "order on the page; questions with this main topic come first"),
    ), ("topic_id", "question_id"), (("question_id",),)),
    TableDef("matcher", "The classifier that tells which question a text asks (kb.questions.matcher); one row.", (
        ColumnDef("of", str, "what it tells apart: questions"),
        ColumnDef("fitted", bytes, "corpus/matcher.npz"),
    ), ("of",)),
    TableDef("distinction", "A fact on which a question depends; one row for each answer about the fact.", (
        ColumnDef("question_id", str, "the question that depends on it", "question.id"),
        ColumnDef("seq", int, "order on the page of the question, from 0"),
        ColumnDef("fact", str, "the question about the fact"),
        ColumnDef("answer", str, "an answer to it"),
        ColumnDef("other_id", str, "the question to which this answer leads", "question.id"),
        ColumnDef("result", str, "what follows, with the years of the codes; null if other_id says it"),
    ), ("question_id", "seq"), (("other_id",),)),
    TableDef("sister", "A question and a neighbouring one, which a reader may have meant instead.", (
        ColumnDef("question_id", str, "the question", "question.id"),
        ColumnDef("other_id", str, "its neighbour", "question.id"),
        ColumnDef("seq", int, "order, the nearest first"),
    ), ("question_id", "other_id"), (("other_id",),)),
    TableDef("answer", "What a code answers to a question, or that it has no rule.", (
        ColumnDef("question_id", str, "the question", "question.id"),
        ColumnDef("code_id", str, "the code", "code.id"),
        ColumnDef("state", str, "answered, silent (read through, no rule) or not printed (its book omits such rules)"),
        ColumnDef("rule", str, "letter of the rule: answers with the same letter give the same rule; A' is a broader "
                               "or narrower form of A"),
        ColumnDef("brief", str, "the rule in a few words, the same for all answers with this letter"),
        ColumnDef("summary", str, "the answer in words; empty if the code has no rule"),
        ColumnDef("cites", str, "the provisions it rests on: a JSON list of ids"),
        ColumnDef("near", str, "if the code is silent: the provision that comes nearest, if any", "unit.id"),
        ColumnDef("near_why", str, "why that provision does not decide the question"),
        ColumnDef("reprint_of", str, "the code with the same words from which the answer was taken, if any", "code.id"),
    ), ("question_id", "code_id"), (("code_id",),)),
    TableDef("deciding", "A provision on which an answer rests, with the words that decide.", (
        ColumnDef("question_id", str, "the question", "question.id"),
        ColumnDef("code_id", str, "the code", "code.id"),
        ColumnDef("seq", int, "order in the answer, from 0"),
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("words", str, "the deciding words; null if the text has changed since"),
    ), ("question_id", "code_id", "seq"), (("unit_id",),)),
    TableDef("gloss", "The editor's paraphrase of a provision in modern English.", (
        ColumnDef("unit_id", str, "the provision", "unit.id"),
        ColumnDef("words", str, "the paraphrase"),
    ), ("unit_id",)),
    TableDef("digest", "The editor's summary of a case.", (
        ColumnDef("unit_id", str, "the case", "unit.id"),
        ColumnDef("facts", str, "what happened"),
        ColumnDef("decision", str, "what was decided, and why"),
        ColumnDef("remark", str, "note on its result under the codes"),
    ), ("unit_id",)),
    TableDef("precedent", "A case and a provision that decides it.", (
        ColumnDef("unit_id", str, "the case", "unit.id"),
        ColumnDef("target_id", str, "the provision", "unit.id"),
        ColumnDef("source", str, "editor, or machine for a provision that the case cites"),
    ), ("unit_id", "target_id"), (("target_id",),)),
    TableDef("case_question", "A question that decides a case.", (
        ColumnDef("unit_id", str, "the case", "unit.id"),
        ColumnDef("question_id", str, "the question", "question.id"),
        ColumnDef("seq", int, "order, the most decisive first"),
    ), ("unit_id", "question_id"), (("question_id",),)),
    TableDef("case_outcome", "How the editor thinks a case would be decided under a code.", (
        ColumnDef("unit_id", str, "the case", "unit.id"),
        ColumnDef("code_id", str, "the code", "code.id"),
        ColumnDef("state", str, "decided (the case was decided under this code), same (same result), otherwise "
                                "(another result), silent (no rule), not printed (its book omits such rules) or open "
                                "(unclear)"),
        ColumnDef("words", str, "the other result, if state is otherwise"),
    ), ("unit_id", "code_id"), (("code_id", "state"),)),
    TableDef("entry", "The texts that the search uses, one row per unit.", (
        ColumnDef("id", int, "running number; rowid in the full-text index"),
        ColumnDef("unit_id", str, "the unit", "unit.id"),
        ColumnDef("text", str, "reading text, with ligatures resolved and compounds joined"),
        ColumnDef("concepts", str, "labels of the concepts that it mentions"),
        ColumnDef("heading", str, "its headings"),
        ColumnDef("gloss", str, "the editor's paraphrase of it and of its paragraphs"),
    ), ("id",), (("unit_id",),)),
)  # fmt: skip

# Datasette and sqlite-utils recognise the index of a table by the double quotes around its name.
FULL_TEXT = """
create virtual table entry_fts using fts5(
    text, concepts, heading, gloss,
    content="entry", content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
)
"""
WITH_WORDS = """
id in (
    select e.unit_id from entry_fts f join entry e on e.id = f.rowid
    where entry_fts match '{text heading} : (' || escape_fts(:words) || ')'
)
"""
"""The condition that a unit has some words in its text or headings; `escape_fts` is a function of Datasette."""
VOCABULARY = "create table word(word text primary key, count integer not null) without rowid"


# Values of `pragma application_id` and `pragma user_version`: the first identifies a file as a knowledge base, the
# second changes with the tables and views.
READABLE = tuple(table for table in TABLES if not any(column.type is bytes for column in table.columns))
"""The tables for people and programs to read: all but the matcher, whose one value is megabytes of numbers."""
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
