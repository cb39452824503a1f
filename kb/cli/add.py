"""The command `whist add`: turns a new scan into a book folder and its edition, and reports what to check."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from extract.corpus.book import Book, load_book
from extract.corpus.table import is_work_id
from extract.edition import make_edition
from extract.errors import BookError, DatabaseError, LedgerError, WhistError
from extract.survey.codes import FoundCode
from extract.survey.etext import LATEST_PRINT, year_of_print
from extract.survey.plan import Imprint, book_file, propose
from extract.survey.report import BookReport, report_on
from extract.survey.shelf import (
    NO_WORK_ID,
    folder_of,
    id_of,
    plan_diff,
    require_address,
    year_in_name,
)
from extract.survey.survey import Survey, describe, some, survey, title_of
from extract.survey.trial import buildable_plan
from extract.text.source import Encoding, checksum, read_with_unknown_encoding
from kb.build.atomic import whole_file
from kb.cli.options import CORPUS, TEXT, find_corpus
from kb.cli.progress import progress
from kb.read.queries import books
from kb.read.store import open_store

_TITLE_PAGE = 6000  # characters at the start of a book in which its year is searched
_UNKNOWN_YEAR = 1900
_YEARS = click.IntRange(1450, 2100)  # of print
_NOBODY = "Anonymous"
_NO_NAMES = {"", "anonymous", "various", "unknown"}
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class _GivenData:
    """The bibliographic data given as options."""

    id: str | None
    title: str | None
    year: int | None
    author: tuple[str, ...]


@click.command("add")
@click.argument("scan", type=click.Path(path_type=Path))
@CORPUS
@click.option(
    "--id", "book_id", type=TEXT, help="The id of the book, such as hoyle-1898.  [default: from name or author]"
)
@click.option("--title", type=TEXT, help="The title.")
@click.option("--year", type=_YEARS, help="The year of print.")
@click.option("--author", type=TEXT, multiple=True, help="An author, given name first; may be repeated.")
@click.option("--db", type=click.Path(path_type=Path), help="Also write a database with this book alone.")
@click.option("--yes", is_flag=True, help="Ask nothing; accept all proposals.")
def add_command(
    scan: Path, corpus: Path | None, book_id: str | None, title: str | None, year: int | None,
    author: tuple[str, ...], db: Path | None, yes: bool,
) -> None:  # fmt: skip
    """Add a book: survey a scan, write its folder with a proposed book.toml, and report what to check.

    An existing book.toml is not changed; differences from the new proposal are listed. `whist build` then adds the book
    to the library; --db writes a separate database with this book alone.
    """
    shelf = find_corpus(corpus)
    text, encoding = read_with_unknown_encoding(scan)
    if not yes and not sys.stdin.isatty():
        raise WhistError(
            "No questions can be asked, because this is not a terminal; use --yes to accept all proposals."
        )
    report = progress()
    report("surveying the scan")
    found = survey(text)
    _say(_survey_lines(text, encoding, found))
    folder = folder_of(shelf, scan)
    given = _GivenData(book_id or (folder.name if folder else None), title, year, author)
    there = folder is not None and (folder / "book.toml").is_file()
    ask = not yes and not there
    imprint, chosen_id = _imprint(shelf, scan, text, encoding, found, given, ask=ask)
    require_address(chosen_id)
    if db is not None:
        _require_no_other(db, chosen_id)
    _say(() if there else [_imprint_line(imprint)])
    codes = [code for code in found.codes if not ask or _take(found, code)]
    report("testing the proposal")
    plan = buildable_plan(found, chosen_id, codes)
    _say(
        f"Rejected: {describe(found.work, code.run)}{_heading_note(code.heading)}: {why}" for code, why in plan.refused
    )
    proposed = book_file(imprint, plan)
    differs: tuple[str, ...] = ()
    if folder is not None and there and folder.name == chosen_id:
        differs = plan_diff((folder / "book.toml").read_text(encoding="utf-8"), proposed)
    else:
        folder = _write_folder(shelf / chosen_id, scan.read_bytes(), proposed)
    report("building this book")
    try:
        built = _build(shelf, folder, db)
    except (BookError, LedgerError) as error:
        if there or not plan.codes:
            raise
        _say([f"Rejected: all codes, because they cannot be built: {error}"])
        with whole_file(folder / "book.toml") as path:
            path.write_text(book_file(imprint, propose(found, chosen_id, ())), encoding="utf-8")
        built = _build(shelf, folder, db)
    _say(_kept_lines(folder, differs, given if there else None))
    _say(_report_lines(built))
    _say(_next_lines(load_book(folder), shelf, db))


def _build(shelf: Path, folder: Path, db: Path | None) -> BookReport:
    """Make the edition of a book, and a database of it if one is wanted, and report the result."""
    book = load_book(folder)
    edition = make_edition(book)
    if db is not None:
        from kb.build.database import build

        build(shelf, db, only=book.id, workers=1, progress=lambda _: None)
    return report_on(book, edition)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def _write_folder(folder: Path, scan: bytes, proposed: str) -> Path:
    """Write the folder of a book, or finish one that an interrupted run left with the scan alone.

    Raises:
        BookError: the folder exists and has other contents.
        DatabaseError: the folder cannot be written.
    """
    held = folder / "scan.txt"
    begun = held.is_file() and held.read_bytes() == scan and not (folder / "book.toml").exists()
    if folder.exists() and not begun:
        raise BookError(f"{folder} already exists with other contents; choose another id with --id.")
    for path, data in (held, scan), (folder / "book.toml", proposed.encode()):
        with whole_file(path) as part:
            part.write_bytes(data)
    return folder


def _require_no_other(db: Path, book_id: str) -> None:
    """Refuse to overwrite anything but a database of this book.

    Raises:
        DatabaseError: the file exists and is something else.
    """
    if not db.is_file():
        return
    with suppress(DatabaseError), open_store(db) as conn:
        if all(book.id == book_id for book in books(conn)):
            return
    raise DatabaseError(f"{db} already exists and is not a database of {book_id} alone; name another file with --db.")


def _id(shelf: Path, typed: str) -> str:
    if not is_work_id(typed):
        raise click.UsageError(f"{typed!r} {NO_WORK_ID}.")
    if (shelf / typed).exists():
        raise click.UsageError(f"{typed} is the id of another book; type a different one.")
    return typed


def _take(found: Survey, code: FoundCode) -> bool:
    """Ask whether to accept a code."""
    return click.confirm(
        f"Code: {describe(found.work, code.run)}{_heading_note(code.heading)}. Accept it?", default=True
    )


def _imprint(
    shelf: Path, scan: Path, text: str, encoding: Encoding, found: Survey, given: _GivenData, *, ask: bool
) -> tuple[Imprint, str]:
    """Return the bibliographic data, from options, the scan or questions, and the id of the book."""
    fields = found.etext.fields
    page = text[found.etext.start : found.etext.start + _TITLE_PAGE]
    first = fields.get("original publication", "")
    sure = given.year or year_in_name(scan)
    year = sure or year_of_print(first) or year_of_print(page)
    guessed = not sure and (year is None or year > LATEST_PRINT)
    names = given.author or tuple(filter(None, [fields.get("author") or fields.get("editor", "")]))
    title = given.title or fields.get("title") or title_of(found) or re.sub("[-_]", " ", scan.stem).capitalize()
    if ask:
        title = given.title or click.prompt("Title", title)
        year = given.year or click.prompt("Year of print", year, type=_YEARS)
        guessed = False
        names = given.author or (click.prompt("Author, given name first", names[0] if names else _NOBODY),)
    title = " ".join(title.split())[:200].strip() or "Untitled"
    authors = tuple(_split_name(name) for name in names) or (("", _NOBODY),)
    known = year or _UNKNOWN_YEAR
    family = authors[0][1] if authors[0][1].casefold() not in _NO_NAMES else ""
    chosen = given.id or id_of(scan, family, known)
    if ask and not given.id:
        chosen = click.prompt("Id", chosen, value_proc=partial(_id, shelf))
    return Imprint(title, known, authors, checksum(scan), encoding, guessed), chosen


def _split_name(name: str) -> tuple[str, str]:
    """Split a name into given and family name: `Hoyle, Edmond` or `Edmond Hoyle`."""
    name = " ".join(name.split()) or _NOBODY
    if ", " in name:
        family, given = name.split(", ", 1)
        return given, family
    given, _, family = name.rpartition(" ")
    return given, family


def _survey_lines(text: str, encoding: Encoding, found: Survey) -> Iterator[str]:
    """Yield what the survey found, with counts."""
    ends = "CRLF" if text.count("\r\n") * 2 > text.count("\n") else "LF"
    mark = ", byte order mark" if text.startswith("\ufeff") else ""
    yield f"Scan: {len(text):,} characters, {encoding}, {ends} line ends{mark}, layout {found.layout!r}"
    yield "Page numbers: " + ("{} to {}; the scan has {}".format(*found.folios) if found.folios else "none found")
    if found.taken_out:
        furniture = (f"{what.replace('folio', 'page number')} ({n})" for what, n in found.taken_out.items())
        yield f"Page furniture, not in the text: {', '.join(furniture)}"
    if found.work.text[: found.etext.start].strip() or found.work.text[found.etext.end :].strip():
        after = len(found.work.text) - found.etext.end
        yield f"Left out: {found.etext.start:,} characters before the book and {after:,} after it"
    yield f"Codes found: {len(found.codes)} (in a label, {{n}} is a number, {{I}} a roman one, {{w}} a word)"
    for code in found.codes:
        yield f"  {describe(found.work, code.run)}{_heading_note(code.heading)}"
    if found.lists:
        yield f"Numbered lists that are not codes: {len(found.lists)}"
    yield from (f"  {describe(found.work, run)}" for run in found.lists[:_SHOWN])


def _heading_note(heading: str) -> str:
    return f", under the heading {heading!r}" if heading else ""


def _imprint_line(imprint: Imprint) -> str:
    names = ", ".join(f"{given} {family}".strip() for given, family in imprint.authors)
    year = f"{imprint.year} is a guess; correct it with --year" if imprint.guessed else imprint.year
    return f"Title: {imprint.title}, by {names}; year {year}"


def _kept_lines(folder: Path, differs: Sequence[str], given: _GivenData | None) -> Iterator[str]:
    yield f"Book: {folder / 'book.toml'}"
    if given and (given.title or given.year or given.author):
        yield "--title, --year and --author apply only to new books; edit book.toml instead."
    if differs:
        yield "It was not changed. A new proposal would differ in these lines:"
        yield from (f"  {line}" for line in differs)


def _report_lines(report: BookReport) -> Iterator[str]:
    if not report.numberings:
        yield "No code was accepted; all text is treated as prose until you add a [[code]] to book.toml."
    for n in report.numberings:
        missing = f"; missing {some(n.missing)}" if n.missing else ""
        inserted = f"; inserted {some(n.inserted)}" if n.inserted else ""
        yield f"{n.name}: {n.found} of {n.expected} numbers{missing}{inserted}"
        yield f"  first: {n.first}"
        yield f"  last: {n.last} ... {n.end}"
        if n.long:
            yield f"  suspiciously long, perhaps with text of others: {some(n.long)}"
    judged = f"; check this sample of {len(report.sampled)}:" if report.sampled else ""
    yield f"Corrections: {report.corrections} of letters and digits, {report.signs} of punctuation only{judged}"
    yield from (f"  {line}" for line in report.sampled)


def _next_lines(book: Book, corpus: Path, db: Path | None) -> Iterator[str]:
    where = "" if corpus == Path("corpus") else f" --corpus {shlex.quote(str(corpus))}"
    page = next((series.code for part in book.parts for series in part.numberings if series.code), book.id)
    yield "Next:"
    if db is None:
        yield f"  whist build{where}"
    only = f" --db {shlex.quote(str(db))}" if db else ""
    yield f"  whist serve{only}    # then open /{page}"
    yield f"  whist check{only}    # what is doubtful, contradictory or missing"


COMMANDS = (add_command,)
