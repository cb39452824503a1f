"""What is particular to one book, read from its book.toml: bibliography, checksum, codes and plan."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Set
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from extract.errors import BookError
from extract.mend.rules import Habit, Place
from extract.model import UnitKind
from extract.source import Layout

_T = TypeVar("_T")
# How a number stands in a label: in figures, in roman numerals, or as a list of them.
_PLACEHOLDERS = ("{n}", "{I}", "{list}")
_BRACED = re.compile(r"\{.*?\}")

Grammar = Literal["series", "cases", "chapters", "commentary", "definitions", "paragraphs", "entries", "table", "whole"]


@dataclass(frozen=True, slots=True)
class Code:
    """A code of laws that a book prints; `provision` is the word it has for them, `slug` that of the ids."""

    id: str
    title: str
    short: str
    year: int
    authority: str
    provision: str = "Law"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """A numbering: how a label is printed (`{n}.`, `Article {n}.`, `{I}.`), and what it labels.

    `slug` makes the id (`art-94`); `code` is given where the units belong to a code; `expect` is the number that
    the print has, for the audit and for the end of a list `and following`: the decoder does not know it. `alone`:
    the label has a line of its own. `name` is put before the number when the unit is named to a reader.
    """

    label: str
    kind: UnitKind
    slug: str
    code: str | None = None
    name: str = ""
    expect: int | None = None
    alone: bool = False
    prefix: str = ""
    highest: int = 400
    subdivisions: tuple[str, ...] = ()
    items: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a book with one grammar. It begins where the words `begins` stand and ends at the next part."""

    id: str
    begins: str
    grammar: Grammar
    rest: UnitKind = "essay_section"
    series: tuple[Series, ...] = ()
    kind: UnitKind | None = None
    slug: str = ""
    split: tuple[str, ...] = ()
    heading: bool = True
    topics: bool = False
    headings: tuple[str, ...] = ()
    explains: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """A book of the corpus; `witnesses` are the ids of books that print some of the same passages.

    `habits`: what its scan reads again and again for what is printed.
    """

    id: str
    title: str
    short: str
    author: str
    year: int
    place: str
    publisher: str
    note: str
    sha256: str
    folder: Path
    layout: Layout | None = None
    witnesses: tuple[str, ...] = ()
    codes: tuple[Code, ...] = ()
    parts: tuple[Part, ...] = ()
    habits: tuple[Habit, ...] = ()
    citations: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scan_path(self) -> Path:
        return self.folder / "scan.txt"


def load_book(folder: Path) -> Book:
    """Read a book folder's book.toml.

    Args:
        folder: the book's folder; its name is the book's id.
    Returns:
        The book.
    Raises:
        BookError: the file is missing, is no TOML, or lacks or misspells a key.
    """
    path = folder / "book.toml"
    data = read_toml(path)
    try:
        if unknown := set(data) - {"book", "code", "part", "habit", "citations"}:
            raise ValueError(f"there is no table {min(unknown)!r}")
        about = data.get("book", {})
        _known(Book, about, "[book]", given={"id", "folder", "codes", "parts", "habits", "citations"})
        if about.get("layout") not in (None, *get_args(Layout)):
            raise ValueError(f"the layout {about['layout']!r} is none of {', '.join(get_args(Layout))}")
        return Book(
            id=folder.name,
            folder=folder,
            codes=(codes := tuple(_made(Code, code, "a [[code]]") for code in data.get("code", []))),
            parts=tuple(_part(part, {c.id for c in codes}) for part in data.get("part", [])),
            habits=tuple(_habit(habit) for habit in data.get("habit", [])),
            citations=data.get("citations", {}),
            **{**about, "witnesses": tuple(about.get("witnesses", ()))},
        )
    except (TypeError, ValueError) as error:
        raise BookError(f"{path}: {error}; compare it with the book.toml of another book.") from error


def _made(kind: type[_T], data: Mapping[str, Any], where: str) -> _T:
    _known(kind, data, where)
    return kind(**data)


def _habit(data: dict[str, Any]) -> Habit:
    habit = _made(Habit, data, "a [[habit]]")
    if habit.where not in get_args(Place):
        raise ValueError(f"a [[habit]] is {habit.where!r}, which is none of {', '.join(get_args(Place))}")
    return habit


def _known(kind: type, data: Mapping[str, Any], where: str, given: Set[str] = frozenset()) -> None:
    """Raises ValueError if a table lacks a key that it must have, or has one that nobody reads."""
    keys = {f.name: f.default is MISSING and f.default_factory is MISSING for f in fields(kind) if f.name not in given}
    if unknown := data.keys() - keys:
        raise ValueError(f"{where} has the unknown key {min(unknown)!r}; it may have {', '.join(keys)}")
    if lacking := [name for name, needed in keys.items() if needed and name not in data]:
        raise ValueError(f"{where} lacks {', '.join(map(repr, lacking))}")


def _series(data: dict[str, Any], where: str) -> Series:
    series = _made(Series, {**data, "subdivisions": tuple(data.get("subdivisions", ()))}, f"a series of {where}")
    for label in (series.label, *series.subdivisions):
        for form in label.split("|"):
            if form != "ordinal" and (len(found := _BRACED.findall(form)) != 1 or found[0] not in _PLACEHOLDERS):
                raise ValueError(
                    f"{where}: the label {form!r} must have one of {' '.join(_PLACEHOLDERS)}, or be `ordinal`"
                )
    return series


def _part(data: dict[str, Any], codes: Set[str]) -> Part:
    where = f"part {data.get('id')!r}"
    series = tuple(_series(s, where) for s in data.get("series", []))
    part = _made(
        Part,
        {**data, "split": tuple(data.get("split", ())), "headings": tuple(data.get("headings", ())), "series": series},
        where,
    )
    if part.grammar not in get_args(Grammar):
        raise ValueError(f"{where} has the unknown grammar {part.grammar!r}; there are {', '.join(get_args(Grammar))}")
    for s in series:
        if s.code is not None and s.code not in codes:
            raise ValueError(f"{where} has units of the code {s.code!r}, which no [[code]] declares")
    if part.grammar == "chapters" and len(part.series) != 2:
        raise ValueError(f"part {part.id!r} needs two [[part.series]]: of its articles and of their sections")
    if part.grammar == "cases" and not part.split:
        raise ValueError(f"part {part.id!r} needs split = [the words that open a decision]")
    for kind in (part.rest, part.kind, *(s.kind for s in series)):
        if kind is not None and kind not in get_args(UnitKind):
            raise ValueError(f"{where} has the unknown kind {kind!r}; there are {', '.join(get_args(UnitKind))}")
    return part


def load_books(corpus: Path) -> tuple[Book, ...]:
    """All books of a corpus, in order of their ids' years.

    Raises:
        BookError: the folder holds no book.
    """
    books = [load_book(path.parent) for path in sorted(corpus.glob("*/book.toml"))]
    for scan in sorted(corpus.glob("*/scan.txt")):
        if not (scan.parent / "book.toml").exists():
            raise BookError(f"{scan.parent} has a scan and no book.toml; write one after that of another book.")
    if not books:
        raise BookError(f"{corpus} holds no book; a book is a folder with scan.txt and book.toml.")
    return tuple(sorted(books, key=lambda b: (b.year, b.id)))


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        BookError: it is missing or is no TOML; the message names the line.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BookError(f"{path} cannot be read ({error.strerror}); create it.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BookError(f"{path} is not TOML: {error}.") from error
