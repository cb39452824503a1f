"""What is particular to one book, read from its book.toml: bibliography, checksum, codes and plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from extract.corpus.citations import CitedSeries, Rules
from extract.corpus.domain import Domain, read_domain
from extract.corpus.plan import AnyPart, Series
from extract.corpus.table import (
    Fault,
    Id,
    Line,
    LineOrNone,
    Many,
    Prose,
    Table,
    Year,
    is_id,
    matching,
    read,
    require_unique,
)
from extract.corpus.toml import printable
from extract.correction.rules import Habit, Place
from extract.errors import BookError
from extract.model import PROVISIONS, UnitKind
from extract.text.source import Encoding, Layout

Sign = Annotated[str, Field(min_length=1, max_length=8)]


class Lack(Table):
    """What a code has and the book does not print: provisions of a kind, and how the editor knows of them."""

    kind: UnitKind
    reason: Line


class Code(Table):
    """A code that a book prints; `provision` is the word it has for its provisions, if not the library's.

    `note` says what is to be known of its text, `lacks` what of it the book does not print.
    """

    id: Id
    title: Line
    short: Line
    year: Year
    authority: Line
    provision: LineOrNone = ""
    note: Prose = ""
    lacks: Many[Lack] = ()


class Author(Table):
    """An author by given and family name; one with a single name (a club, a pen name) has it as `family`."""

    family: Line
    given: LineOrNone = ""


class Bibliography(Table):
    """The table `[book]`: what is known of the print, the checksum of the scan (SHA-256, in hex) and its layout.

    `witnesses` are the ids of books that print some of the same passages. `encoding` is that of the scan. What is not
    known of the print stands as bibliographies have it: without place (`s. l.`), without name (`s. n.`).
    """

    title: Line
    short: Line
    author: Many[Author] = Field(min_length=1)
    year: Year
    place: Line = "s. l."
    publisher: Line = "s. n."
    note: Prose = ""
    sha256: Annotated[str, matching("[0-9a-f]{64}", 64, "is no SHA-256; write what `sha256sum scan.txt` prints")]
    layout: Layout | None = None
    encoding: Encoding = "utf-8"
    witnesses: Many[Id] = ()

    @model_validator(mode="before")
    @classmethod
    def _shortly(cls, data: Any) -> Any:
        return {"short": data["title"], **data} if isinstance(data, dict) and "title" in data else data

    @property
    def byline(self) -> str:
        """The authors on one line: `A. W. Drayson`, `A. Barwell, H. Jones and William Pole`."""
        *first, last = (f"{a.given} {a.family}".strip() for a in self.author)
        return f"{', '.join(first)} and {last}" if first else last


class HabitEntry(Table):
    """What the scan reads for what is printed, again and again, and why."""

    read: Sign
    printed: Sign
    where: Place
    reason: Line


class _BookFile(Table):
    """A book.toml.

    A part without an id has that of the words with which it begins; what a code does not say of short title, year and
    authority is as its book has it.
    """

    book: Bibliography
    code: Many[Code] = ()
    part: Many[AnyPart] = Field(min_length=1)
    habit: Many[HabitEntry] = ()
    citations: Rules = Rules()

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data = dict(data)
        if isinstance(parts := data.get("part"), list):
            data["part"] = _with_ids(parts)
        if isinstance(codes := data.get("code"), list):
            data["code"] = [_after_book(code, data.get("book")) if isinstance(code, dict) else code for code in codes]
        return data


def _with_ids(parts: Sequence[Any]) -> list[Any]:
    """The parts as they are written, each with an id: of equal ones the second has a 2 behind it."""
    taken = {str(part["id"]) for part in parts if isinstance(part, dict) and "id" in part}
    named: list[Any] = []
    for part in parts:
        if isinstance(part, dict) and "id" not in part and isinstance(part.get("begins", ""), str):
            words = re.findall("[a-z0-9]+", part.get("begins", "").casefold())[:4]
            stem = name = "-".join(words)[:40].strip("-") or "beginning"
            count = 1
            while name in taken:
                count += 1
                name = f"{stem}-{count}"
            taken.add(name)
            part = {"id": name, **part}
        named.append(part)
    return named


def _after_book(code: Mapping[str, Any], book: Any) -> dict[str, Any]:
    """A code with what it shares with its book, where it does not say otherwise."""
    given = book if isinstance(book, dict) else {}
    shared: dict[str, Any] = {"short": code["title"]} if "title" in code else {}
    if "year" in given:
        shared["year"] = given["year"]
    authors = given.get("author")
    names = [a["family"] for a in authors if isinstance(a, dict) and "family" in a] if isinstance(authors, list) else []
    shared["authority"] = " and ".join(map(str, names)) or "not named"
    return {**shared, **code}


class Book(Bibliography):
    """A book of the corpus; its id is the name of its folder. `habits`: what its scan reads for what is printed.

    `domain` is what the library is about, in whose words the book is read.
    """

    id: Id
    folder: Path
    codes: tuple[Code, ...] = ()
    parts: tuple[AnyPart, ...] = ()
    habits: tuple[Habit, ...] = ()
    citations: Rules = Rules()
    domain: Domain = Domain()

    @property
    def scan_path(self) -> Path:
        return self.folder / "scan.txt"


def load_book(folder: Path, domain: Domain | None = None) -> Book:
    """Read a book folder's book.toml.

    Args:
        folder: the book's folder; its name is the book's id.
        domain: what the library is about; read from the folder's parent if not given.
    Returns:
        The book.
    Raises:
        BookError: the folder's name is no id, or the file cannot be read or is not what it must be; one sentence
            with file, entry and key.
    """
    name = folder.resolve().name if folder.name in ("", "..") else folder.name
    if not is_id(name):
        raise BookError(
            f"{printable(folder)}: the name of a book's folder is its id; rename it, with small letters and figures, "
            "words joined by hyphens."
        )
    file = read(folder / "book.toml", _BookFile, lambda file: _require_whole(file, name))
    told = domain if domain is not None else read_domain(folder.parent if folder.name else folder.resolve().parent)
    return Book(
        id=name, folder=folder, parts=file.part, domain=told,
        codes=tuple(_with_noun(code, told) for code in file.code),
        citations=file.citations if file.citations.series else _own_citations(file, told),
        habits=tuple(Habit(h.read, h.printed, h.where, h.reason) for h in file.habit),
        **{key: getattr(file.book, key) for key in Bibliography.model_fields},
    )  # fmt: skip


def _with_noun(code: Code, domain: Domain) -> Code:
    """A code with the word for its provisions, which is the library's where it has none of its own."""
    noun = domain.provision.singular
    return code if code.provision else code.model_copy(update={"provision": noun[:1].upper() + noun[1:]})


def _own_citations(file: _BookFile, domain: Domain) -> Rules:
    """How a book whose book.toml tells nothing of it refers to its own provisions: by the words of the library.

    Of several codes in one book, each speaks of its own; what stands outside of them is not read for references.
    """
    if not domain.citations.words:
        return file.citations
    targets = [
        f"{series.code}/{series.slug}-{series.prefix}"
        for part in file.part
        for series in part.numberings
        if series.code and series.kind in PROVISIONS
    ]
    several = len({target.partition("/")[0] for target in targets}) > 1
    words = domain.citations.words
    series = [
        CitedSeries(words=words, target=target + "{n}").model_copy(update={"within": target if several else ""})
        for target in dict.fromkeys(targets)
        if target.endswith("-")
    ]
    return file.citations.model_copy(update={"series": tuple(series)})


def _require_whole(file: _BookFile, name: str) -> None:
    """Raise a Fault where tables of a book.toml do not fit each other."""
    require_unique(file.code, lambda code: code.id, "code", key="id")
    require_unique(file.part, lambda part: part.id, "part", key="id")
    if name in file.book.witnesses:
        raise Fault("a book is no witness of itself; take it out", "book", "witnesses")
    if len(set(file.book.witnesses)) < len(file.book.witnesses):
        raise Fault("a book is named twice; take it out once", "book", "witnesses")
    codes = {code.id for code in file.code}
    for i, code in enumerate(file.code):
        told = {series.kind for part in file.part for series in part.numberings if series.code == code.id}
        for j, lack in enumerate(code.lacks):
            if lack.kind in told:
                raise Fault(f"a part prints {lack.kind!r} of it, or an entry before has the same; take one out",
                            "code", i, "lacks", j, "kind")  # fmt: skip
            told.add(lack.kind)
    owners = {name, *codes}
    known = ", ".join(sorted(owners))
    taken: dict[tuple[str, str, str], list[tuple[Series, str]]] = {}
    for i, part in enumerate(file.part):
        if i and not part.begins:
            raise Fault(
                "only the first part may begin with nothing; write the words with which it begins", "part", i, "begins"
            )
        if part.code is not None and part.code not in codes:
            raise Fault(f"no [[code]] declares {part.code!r}; declare it, or correct the id", "part", i, "code")
        if part.grammar == "commentary" and part.explains.partition("/")[0] not in owners:
            raise Fault(f"{part.explains!r} is of no code of this book; write one of {known}", "part", i, "explains")
        for j, series in enumerate(part.numberings):
            if series.code is not None and series.code not in codes:
                raise Fault(f"no [[code]] declares {series.code!r}; declare it, or correct the id",
                            "part", i, "series", j, "code")  # fmt: skip
            ids = (series.code or name, series.slug, series.prefix)
            alike = taken.setdefault(ids, [])
            if clash := next((of for x, of in alike if series.first <= x.highest and x.first <= series.highest), None):
                raise Fault(f"the part {clash!r} has the same ids; choose another slug or a prefix",
                            "part", i, "series", j, "slug")  # fmt: skip
            alike.append((series, part.id))
    for start in file.citations.without:
        if start.partition("/")[0] not in owners:
            raise Fault(f"{start!r} is of no code of this book; write one of {known}", "citations", "without")
    for i, cited in enumerate(file.citations.series):
        for key, target in (("target", cited.target), ("within", cited.within)):
            if target and target.partition("/")[0] not in owners:
                raise Fault(
                    f"{target!r} is of no code of this book; write one of {known}", "citations", "series", i, key
                )


def load_books(corpus: Path) -> tuple[Book, ...]:
    """All books of a corpus, in order of their years.

    Raises:
        BookError: the folder cannot be read or holds no book, one of its books is not what it must be, or two do
            not fit each other.
    """
    folders = list(_folders(corpus))
    domain = read_domain(corpus)
    books = [load_book(folder, domain) for folder in folders]
    if not books:
        raise BookError(
            f"{printable(corpus)} holds no book yet; `whist add SCAN` adds one, or make a folder with scan.txt and "
            "book.toml."
        )
    _require_apart(books)
    return tuple(sorted(books, key=lambda b: (b.year, b.id)))


def _folders(corpus: Path) -> Iterator[Path]:
    """The folders of a corpus that are meant to be books."""
    try:
        folders = sorted(path for path in corpus.iterdir() if path.is_dir() and not path.name.startswith("."))
        for folder in folders:
            names = {path.name for path in folder.iterdir()}
            if "book.toml" in names:
                yield folder
            elif names & {"scan.txt", "errata.toml"}:
                raise BookError(
                    f"{printable(folder)} has {min(names & {'scan.txt', 'errata.toml'})} and no book.toml; "
                    "write one after that of another book."
                )
    except OSError as error:
        raise BookError(
            f"{printable(error.filename or corpus)} cannot be read as a folder of the corpus ({error.strerror}); "
            "make it one, or name another with --corpus."
        ) from error


def _require_apart(books: Sequence[Book]) -> None:
    """Raise a BookError where two books claim the same id, or a witness is not there."""
    owners = {book.id: book.id for book in books}
    for book in books:
        path = printable(book.folder / "book.toml")
        for i, code in enumerate(book.codes, 1):
            owner = owners.setdefault(code.id, book.id)
            if owner != book.id:
                raise BookError(
                    f"{path}: [[code]] {i} {code.id!r}, key 'id': {owner} has the same; give each an id of its own."
                )
        if missing := [witness for witness in book.witnesses if witness not in owners]:
            raise BookError(f"{path}: [book], key 'witnesses': there is no book {missing[0]!r}; correct its id.")
