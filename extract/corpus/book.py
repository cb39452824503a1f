"""The description of one book, read from its book.toml: bibliography, checksum, codes and plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, combinations, count
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, field_validator

from extract.corpus.citations import CitedSeries, Rules
from extract.corpus.domain import Domain, read_domain
from extract.corpus.plan import AnyPart
from extract.corpus.table import (
    Fault,
    Id,
    KindId,
    Line,
    LineOrNone,
    Many,
    Prose,
    Table,
    Year,
    is_id,
    matching,
    read,
    repeated,
    shown,
)
from extract.errors import BookError, printable
from extract.text.lines import listed
from extract.text.source import Encoding, Layout

_ID_PREFIX_KEYS = ("explains", "without", "target", "within")
TITLE: str = Field(default_factory=lambda entry: entry["title"])


class Lack(Table):
    """Provisions of one kind that a code has but the book does not print, and how the editor knows of them."""

    kind: KindId
    reason: Line


class Code(Table):
    """A code that a book prints; `provision` is its own word for its provisions, if it differs from the library's.

    `note` is what a reader should know about its text, `lacks` lists what the book omits. Year and authority are by
    default those of the book.
    """

    id: Id
    title: Line
    short: Line = TITLE
    year: Year = 0
    authority: Line = ""
    provision: LineOrNone = ""
    note: Prose = ""
    lacks: Many[Lack] = ()


def _regular_expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise Fault(f"{shown(text)} is not a regular expression: {error}") from error
    return text


class Author(Table):
    """An author, by given and family name; a single name (of a club, a pen name) is the `family` name."""

    family: Line
    given: LineOrNone = ""


class Bibliography(Table):
    """The table `[book]`: bibliographic data of the print, the checksum of the scan (SHA-256, in hex) and its layout.

    `encoding` is that of the scan. An unknown place or publisher has the abbreviation that bibliographies use: `s. l.`
    (without place), `s. n.` (without name).
    """

    title: Line
    short: Line = TITLE
    author: Many[Author] = Field(min_length=1)
    year: Year
    place: Line = "s. l."
    publisher: Line = "s. n."
    note: Prose = ""
    sha256: Annotated[str, matching("[0-9a-f]{64}", "is not a SHA-256 sum; write what `sha256sum scan.txt` prints")]
    layout: Layout | None = None
    encoding: Encoding = "utf-8"

    @property
    def byline(self) -> str:
        """The authors on one line: `A. W. Drayson`, `A. Barwell, H. Jones and William Pole`."""
        return listed([f"{a.given} {a.family}".strip() for a in self.author])


class Habit(Table):
    """A recurrent OCR error: what is read, a regular expression as in data/signs.tsv, what is printed, and why."""

    read: Annotated[Line, AfterValidator(_regular_expression)]
    printed: Prose
    reason: Line


class _BookFile(Table):
    """A book.toml; parts without an id that begin alike are numbered from the second on (`rules`, `rules-2`)."""

    book: Bibliography
    code: Many[Code] = ()
    part: Many[AnyPart] = Field(min_length=1)
    habit: Many[Habit] = ()
    citations: Rules = Rules()

    @field_validator("part")
    @classmethod
    def _named_apart(cls, parts: tuple[AnyPart, ...]) -> tuple[AnyPart, ...]:
        taken = {part.id for part in parts if "id" in part.model_fields_set}
        named: list[AnyPart] = []
        for part in parts:
            if "id" not in part.model_fields_set:
                names = chain([part.id], (f"{part.id}-{n}" for n in count(2)))
                part = part.model_copy(update={"id": next(name for name in names if name not in taken)})
                taken.add(part.id)
            named.append(part)
        return tuple(named)


class Book(Bibliography):
    """A book of the corpus; its id is the name of its folder.

    `habits` are the recurrent OCR errors of its scan. `domain` has the settings of the library, whose words the book is
    read with.
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
        domain: the settings of the library; read from the folder's parent if not given.
    Returns:
        The book.
    Raises:
        BookError: the folder's name is not an id, or the file cannot be read or is invalid; the message is one
            sentence with file, entry and key.
    """
    name = folder.absolute().name
    if not is_id(name):
        raise BookError(
            f"{printable(folder)}: the name of a book's folder is its id; rename it, using small letters and digits, "
            "with hyphens between words."
        )
    library = domain or read_domain(folder.absolute().parent)
    file = read(folder / "book.toml", _BookFile, partial(_contradictions, name, library))
    return Book(
        id=name, folder=folder, parts=file.part, domain=library,
        codes=tuple(_completed(code, file.book, library) for code in file.code),
        citations=file.citations if file.citations.series else _own_citations(file, library),
        habits=file.habit,
        **{key: getattr(file.book, key) for key in Bibliography.model_fields},
    )  # fmt: skip


def _completed(code: Code, book: Bibliography, domain: Domain) -> Code:
    """Fill in missing values of a code: year and authority from its book, `provision` from its library."""
    noun = domain.provision.singular
    defaults = {
        "year": book.year,
        "authority": " and ".join(author.family for author in book.author),
        "provision": noun[:1].upper() + noun[1:],
    }
    return code.model_copy(update={key: value for key, value in defaults.items() if not getattr(code, key)})


def _own_citations(file: _BookFile, domain: Domain) -> Rules:
    """The rules of a book whose book.toml has no series: the words of the library refer to the book's own provisions.

    If the book has several codes, the words refer to the code that uses them, and text outside the codes is not
    searched for references.
    """
    words = domain.citations.words
    numberings = [s for part in file.part for s in part.numberings if s.code and words]
    several = len({series.code for series in numberings}) > 1
    targets = dict.fromkeys(f"{series.code}/{series.slug}-" for series in numberings if not series.prefix)
    series = tuple(
        CitedSeries(words=words, target=target + "{n}").model_copy(update={"within": target if several else ""})
        for target in targets
    )
    return file.citations.model_copy(update={"series": series})


def _contradictions(name: str, domain: Domain, file: _BookFile) -> Iterator[Fault]:
    """Where tables of a book.toml contradict each other or the library."""
    yield from repeated(file.code, lambda code: code.id, "code", key="id")
    yield from repeated(file.part, lambda part: part.id, "part", key="id")
    for i, part in enumerate(file.part[1:], 1):
        if not part.begins:
            yield Fault(
                "only the first part may omit it; write the words with which this part begins", "part", i, "begins"
            )
    numberings = [(s, part.id, i, j) for i, part in enumerate(file.part) for j, s in enumerate(part.numberings)]
    for (one, owner, *_), (two, _, i, j) in combinations(numberings, 2):
        alike = (one.code, one.slug, one.prefix) == (two.code, two.slug, two.prefix)
        if alike and one.first <= (two.expect or one.first) and two.first <= (one.expect or two.first):
            yield Fault(f"the part {owner!r} gives its units the same ids; choose another slug or add a prefix",
                        "part", i, "series", j, "slug")  # fmt: skip
    codes = {code.id for code in file.code}
    for value, *where in _words(file):
        key = next(step for step in reversed(where) if isinstance(step, str))
        if key == "kind" and value not in domain.roles:
            known = ", ".join(sorted(domain.roles))
            yield Fault(f"{value!r} is not a known kind; write one of {known}, or declare it in library.toml", *where)
        if key == "code" and value not in codes:
            yield Fault(f"no [[code]] has the id {value!r}; add one, or correct the id", *where)
        if key in _ID_PREFIX_KEYS and value.partition("/")[0] not in {name, *codes}:
            known = ", ".join(sorted({name, *codes}))
            yield Fault(f"{value!r} is not an id of this book; begin it with one of {known}", *where)
    for i, code in enumerate(file.code):
        yield from repeated(code.lacks, lambda lack: lack.kind, "code", i, "lacks", key="kind")
        printed = {series.kind for part in file.part for series in part.numberings if series.code == code.id}
        for j, lack in enumerate(code.lacks):
            if domain.roles.get(lack.kind, "provision") != "provision" or lack.kind in printed:
                yield Fault(
                    f"{lack.kind!r} is not a kind of provision, or the book prints such units; write another",
                    "code", i, "lacks", j, "kind",
                )  # fmt: skip


def _words(table: object, *where: str | int) -> Iterator[tuple[str, *tuple[str | int, ...]]]:
    """Yield the non-empty strings of a table and its subtables, each with its path."""
    if isinstance(table, str) and table:
        yield table, *where
    elif isinstance(table, Table):
        for key, value in table:
            yield from _words(value, *where, key)
    elif isinstance(table, tuple):
        for i, value in enumerate(table):
            yield from _words(value, *where, i)


def load_books(corpus: Path) -> tuple[Book, ...]:
    """Return all books of a corpus, in order of their years.

    Raises:
        BookError: the folder cannot be read or has no book, one of its books is invalid, or two contradict each
            other.
    """
    folders = list(_folders(corpus))
    domain = read_domain(corpus)
    books = [load_book(folder, domain) for folder in folders]
    if not books:
        raise BookError(
            f"{printable(corpus)} has no books yet; add one with `whist add SCAN`, or make a folder with scan.txt and "
            "book.toml."
        )
    _require_apart(books)
    return tuple(sorted(books, key=lambda b: (b.year, b.id)))


def _folders(corpus: Path) -> Iterator[Path]:
    """Yield the folders of a corpus that are books; a scan or an errata.toml without book.toml is an error."""
    try:
        folders = sorted(path for path in corpus.iterdir() if path.is_dir() and not path.name.startswith("."))
        for folder in folders:
            names = {path.name for path in folder.iterdir()}
            if "book.toml" in names:
                yield folder
            elif names & {"scan.txt", "errata.toml"}:
                raise BookError(
                    f"{printable(folder)} has {min(names & {'scan.txt', 'errata.toml'})} but no book.toml; "
                    "write one, using that of another book as a model."
                )
    except OSError as error:
        raise BookError(
            f"{printable(error.filename or corpus)} cannot be read as a folder of books ({error.strerror}); "
            "correct it, or name another folder with --corpus."
        ) from error


def _require_apart(books: Sequence[Book]) -> None:
    """Raise a BookError if two books claim the same id."""
    owners = {book.id: book.id for book in books}
    for book in books:
        path = printable(book.folder / "book.toml")
        for i, code in enumerate(book.codes, 1):
            owner = owners.setdefault(code.id, book.id)
            if owner != book.id:
                raise BookError(
                    f"{path}: [[code]] {i} {code.id!r}, key 'id': {owner} has the same id; use a different one."
                )
