"""What is particular to one book, read from its book.toml: bibliography, checksum, codes and plan."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from extract.errors import BookError
from extract.model import UnitKind
from extract.source import Layout

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
    explains: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """A book of the corpus; `witnesses` are the ids of books that print some of the same passages."""

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
        about = data["book"]
        if about.get("layout") not in (None, *get_args(Layout)):
            raise ValueError(f"the layout {about['layout']!r} is none of {', '.join(get_args(Layout))}")
        return Book(
            id=folder.name,
            folder=folder,
            codes=tuple(Code(**code) for code in data.get("code", [])),
            parts=tuple(_part(part) for part in data.get("part", [])),
            citations=data.get("citations", {}),
            **{**about, "witnesses": tuple(about.get("witnesses", ()))},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BookError(f"{path}: {error}; compare it with the book.toml of another book.") from error


def _part(data: dict[str, Any]) -> Part:
    series = tuple(Series(**{**s, "subdivisions": tuple(s.get("subdivisions", ()))}) for s in data.pop("series", []))
    part = Part(**{**data, "split": tuple(data.get("split", ()))}, series=series)
    if part.grammar not in get_args(Grammar):
        raise ValueError(f"part {part.id!r} has the unknown grammar {part.grammar!r}")
    if part.grammar == "chapters" and len(part.series) != 2:
        raise ValueError(f"part {part.id!r} needs two [[part.series]]: of its articles and of their sections")
    if part.grammar == "cases" and not part.split:
        raise ValueError(f"part {part.id!r} needs split = [the words that open a decision]")
    for kind in (part.rest, part.kind, *(s.kind for s in series)):
        if kind is not None and kind not in get_args(UnitKind):
            raise ValueError(f"part {part.id!r} has the unknown kind {kind!r}")
    return part


def load_books(corpus: Path) -> tuple[Book, ...]:
    """All books of a corpus, in order of their ids' years.

    Raises:
        BookError: the folder holds no book.
    """
    books = [load_book(path.parent) for path in sorted(corpus.glob("*/book.toml"))]
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
