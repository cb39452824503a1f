"""The rows that queries of the knowledge base return, with a dataclass for each kind."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from extract.model import EditorNote, Reference
from extract.numbering.numerals import arabic

Row = TypeVar("Row")


# A numeral with a letter after it is the beginning of a word: the I of `Inquiry` is not a number.
# A list of numbers (`Articles 4 and 5.`) is not a label: the text would begin in the middle of the list.
_NUMBER = (
    r"(?P<number>(?:[A-Za-z]\s?)?\d+[a-z]?|[IVXLivxl]+)(?![^\W\d_])(?!\s*(?:,\s*(?:and\s+)?|and\s+|&\s*)[A-Z]?\s?\d)"
    r"\s*[.:)]?\s*(?:[—–-]+\s*)?"
)
_LABELS = (re.compile(rf"\s*{_NUMBER}"), re.compile(rf"\s*(?:[A-Z][A-Za-z]+\.?\s+|§+\s*){_NUMBER}"))


def label_end(text: str, number: str | None, kind: str = "") -> int:
    """Return where the printed label of a text ends (`72. `, `Case 93.—`, `Decision.—`).

    Args:
        number: the decoded number; a label with another number is not counted.
        kind: the kind of unit, which is the label of a unit without a number.
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


@dataclass(frozen=True, slots=True)
class Statement(Generic[Row]):
    """An SQL statement with the class of its rows; `row` is called with the columns of each line of the result.

    The statement's parameters ?1, ?2 ... are the arguments of the call, in their order.
    """

    row: Callable[..., Row]
    sql: str

    def __call__(self, conn: sqlite3.Connection, *params: Any) -> list[Row]:
        """Return all rows."""
        cursor = conn.cursor()
        cursor.row_factory = None  # whatever the connection has
        return [self.row(*values) for values in cursor.execute(self.sql, params)]

    def first(self, conn: sqlite3.Connection, *params: Any) -> Row | None:
        """Return the first row, or None."""
        return next(iter(self(conn, *params)), None)


def json_list(values: Iterable[Any]) -> str:
    """Encode a list for `json_each` in SQL."""
    return json.dumps(list(values))


def as_tuple(*columns: Any) -> tuple[Any, ...]:
    """Return a row as a tuple, for statements without a row class."""
    return columns


def grouped(rows: Iterable[Sequence[Any]]) -> dict[Any, list[Any]]:
    """Group rows by their first column, which is removed from them; their order is kept."""
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
    """An author of a book; `family` is the whole name of an author with only one."""

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
    """A citable piece of a book; offsets are into its scan, in characters."""

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
    inferred: int = 0
    title: str | None = None

    @property
    def folio(self) -> str | None:
        """The number of its page as it is cited: in brackets if it is only inferred."""
        return f"[{self.page}]" if self.inferred else self.page

    @property
    def work(self) -> str:
        """The code or book that the id begins with."""
        return self.id.partition("/")[0]

    @property
    def anchor(self) -> str:
        """The id within its work, as a fragment of the URL of a page that shows the whole work."""
        return self.id.partition("/")[2].replace("/", ".")

    @property
    def body(self) -> str:
        """The reading text without the printed label, for lists and comparisons that show the number separately."""
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
    """A doubtful reading that was not edited, found by the machine or (`source` is `editor`) by the editor."""

    raw_start: int
    raw_end: int
    before: str
    after: str
    confidence: float
    note: str
    source: str


def columns(row: type, table: str) -> str:
    """Return the columns of a table for a statement: the fields of a row class, qualified with the table's name.

    Args:
        row: a dataclass.
        table: the name or alias of the table in the statement.
    """
    return ", ".join(f"{table}.{field.name}" for field in fields(row))


# The columns of these tables are the fields of classes of an edition.
NoteRow = EditorNote
CitationRow = Reference

UNIT, CODE, BOOK = columns(UnitRow, "u"), columns(CodeRow, "c"), columns(BookRow, "b")


@dataclass(frozen=True, slots=True)
class RelatedRow:
    """Another provision on the same matter; `relation` is that of this one, or of its paragraph `here`, to `other`."""

    other: str
    relation: str
    score: float
    source: str
    why: str
    here: str = ""


RELATIONS = {
    "same-text": "nearly the same words", "equivalent": "the same rule, other words", "differs": "a different rule",
    "broader": "a narrower rule", "narrower": "a broader rule", "opposed": "the opposite rule",
}  # fmt: skip
"""What the other provision is, seen from the one shown, by the relation of this one to it."""


@dataclass(frozen=True, slots=True)
class ConceptRow:
    """A concept of the thesaurus and how many units mention it."""

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
