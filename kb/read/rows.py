"""The rows that questions to the knowledge base answer with, one dataclass for each."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from extract.model import EditorNote, Reference
from extract.numbering.numerals import arabic

Row = TypeVar("Row")


# A letter after the numeral makes it the beginning of a word: the I of `Inquiry` is no number.
# A list of numbers (`Articles 4 and 5.`) is no label: what is left of it would stand without its head.
_NUMBER = (
    r"(?P<number>(?:[A-Za-z]\s?)?\d+|[IVXLivxl]+)(?![^\W\d_])(?!\s*(?:,\s*(?:and\s+)?|and\s+|&\s*)[A-Z]?\s?\d)"
    r"\s*[.:)]?\s*(?:[—–-]+\s*)?"
)
_LABELS = (re.compile(rf"\s*{_NUMBER}"), re.compile(rf"\s*(?:[A-Z][A-Za-z]+\.?\s+|§+\s*){_NUMBER}"))


def label_end(text: str, number: str | None, kind: str = "") -> int:
    """Where the printed label of a text ends (`72. `, `Case 93.—`, `Decision.—`).

    Args:
        number: the decoded number; a label that reads otherwise is left alone.
        kind: the kind of unit, which is the label of one without a number.
    Returns:
        The offset of the first character after the label, 0 if the text does not begin with one.
    """
    if not number:
        word = re.match(rf"\s*{re.escape(kind)}\s*[.:]\s*(?:[—–-]+\s*)?", text, re.IGNORECASE) if kind else None
        return word.end() if word else 0
    for pattern in _LABELS:
        label = pattern.match(text)
        if label and number.lower() in (read := "".join(label["number"].lower().split()), str(arabic(read))):
            return label.end()
    return 0


def fetch(
    conn: sqlite3.Connection, row: Callable[..., Row], sql: str, params: Sequence[Any] | dict[str, Any] = ()
) -> list[Row]:
    """Run a query and make a row of each line of the answer, whatever row factory the connection has."""
    cursor = conn.cursor()
    cursor.row_factory = None
    return [row(*values) for values in cursor.execute(sql, params)]


@dataclass(frozen=True, slots=True)
class Statement(Generic[Row]):
    """A statement with the class of its rows; `row` is called with the columns of each line of the answer.

    Its parameters are ?1, ?2 ..., in the order in which it is called with them.
    """

    row: Callable[..., Row]
    sql: str

    def __call__(self, conn: sqlite3.Connection, *params: Any) -> list[Row]:
        """All rows."""
        return fetch(conn, self.row, self.sql, params)

    def first(self, conn: sqlite3.Connection, *params: Any) -> Row | None:
        """The first row, or nothing."""
        return next(iter(self(conn, *params)), None)


def as_tuple(*columns: Any) -> tuple[Any, ...]:
    """A row without a class of its own."""
    return columns


def grouped(rows: Iterable[Sequence[Any]]) -> dict[Any, list[Any]]:
    """Rows by their first column, each without it, in the order in which they come."""
    found: dict[Any, list[Any]] = {}
    for key, *rest in rows:
        found.setdefault(key, []).append(rest)
    return found


@dataclass(frozen=True, slots=True)
class BookRow:
    """A printed book."""

    id: str
    title: str
    short: str
    author: str
    year: int
    place: str
    publisher: str
    note: str


@dataclass(frozen=True, slots=True)
class AuthorRow:
    """An author of a book; who has one name only has it as `family`."""

    family: str
    given: str


@dataclass(frozen=True, slots=True)
class CodeRow:
    """A code and the book it is read from."""

    id: str
    title: str
    short: str
    year: int
    authority: str
    book_id: str
    provision: str
    note: str


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A citable piece of a book; offsets are characters of its scan."""

    id: str
    book_id: str
    code_id: str | None
    kind: str
    label: str
    number: str | None
    parent_id: str | None
    heading: str | None
    seq: int
    raw_start: int
    raw_end: int
    page: str | None
    text: str
    confidence: float
    continues: str | None = None
    role: str = ""

    @property
    def work(self) -> str:
        """The code or book that the id begins with."""
        return self.id.partition("/")[0]

    @property
    def anchor(self) -> str:
        """The id within its work, as the fragment of a page that shows the whole work."""
        return self.id.partition("/")[2].replace("/", ".")

    @property
    def body(self) -> str:
        """The reading text without the printed number, for lists and comparisons that set it apart."""
        return self.text[label_end(self.text, self.number, self.kind) :]


@dataclass(frozen=True, slots=True)
class EditRow:
    """A change that turns the scan into the reading text."""

    raw_start: int
    raw_end: int
    before: str
    after: str
    kind: str
    source: str
    confidence: float
    note: str


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """A doubt that was not made an edit, of the machine's or (source `editor`) of the editor's."""

    raw_start: int
    raw_end: int
    before: str
    after: str
    confidence: float
    note: str
    source: str


def columns(row: type, table: str) -> str:
    """The columns of a table that a row has, as a statement names them: the fields of its class.

    Args:
        row: a dataclass.
        table: by what name the statement calls the table.
    """
    return ", ".join(f"{table}.{field.name}" for field in fields(row))


# These tables hold what an edition holds, column by column.
NoteRow = EditorNote
CitationRow = Reference

UNIT, CODE, BOOK = columns(UnitRow, "u"), columns(CodeRow, "c"), columns(BookRow, "b")


@dataclass(frozen=True, slots=True)
class RelatedRow:
    """Another provision on the same matter; `relation` is that of this one, or of its paragraph `here`, to `other`."""

    other: str
    relation: str
    topic: str | None
    score: float
    status: str
    source: str
    why: str
    here: str = ""


@dataclass(frozen=True, slots=True)
class ConceptRow:
    """A concept of the thesaurus and how many units speak of it."""

    id: str
    label: str
    note: str
    broader: str | None
    units: int


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A matter on which the codes are compared."""

    id: str
    label: str
    concept_id: str | None
    note: str


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A line of the numbering audit."""

    series: str
    finding: str
    label: str
    raw_start: int | None
    note: str
