"""The command `whist add`: turns a new scan into a book folder that builds, and reports what to check."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from extract.add.bibliography import imprint
from extract.add.codes import survey
from extract.add.plan import propose
from extract.add.report import report
from extract.corpus.domain import read_domain
from extract.errors import BookError, DatabaseError
from extract.text.source import read_with_unknown_encoding
from kb.cli.options import CORPUS, TEXT, find_corpus
from kb.read.queries import books
from kb.read.store import open_store


@click.command("add")
@click.argument("scan", type=click.Path(path_type=Path))
@CORPUS
@click.option("--id", "book_id", type=TEXT, help="Its id, such as hoyle-1898.  [default: from name or author]")
@click.option("--title", type=TEXT, help="The title.")
@click.option("--year", type=click.IntRange(1450, 2100), help="The year of print.")
@click.option("--author", type=TEXT, multiple=True, help="An author, given name first; may be repeated.")
@click.option("--db", type=click.Path(path_type=Path), help="Also write a database with this book alone.")
@click.option("--yes", is_flag=True, help="Do not ask whether to keep the book.")
def add_command(
    scan: Path, corpus: Path | None, book_id: str | None, title: str | None, year: int | None,
    author: tuple[str, ...], db: Path | None, yes: bool,
) -> None:  # fmt: skip
    """Add a book: copy a scan, propose its book.toml, build it, and report what to check.

    `whist build` then adds the book to the library; --db writes a separate database with this book alone.
    """
    shelf = find_corpus(corpus)
    text, encoding = read_with_unknown_encoding(scan)
    found = survey(text)
    data = imprint(scan, encoding, found.work.text, found.etext, book_id, title, year, author)
    folder = shelf / data.id
    if folder.exists():
        raise BookError(f"{folder} already exists; correct its book.toml, or choose another id with --id.")
    if db is not None:
        _require_no_other(db, data.id)
    with TemporaryDirectory(prefix=".add-", dir=shelf) as name:
        draft = Path(name) / data.id
        draft.mkdir()
        (draft / "scan.txt").write_bytes(scan.read_bytes())
        for line in report(text, encoding, found, propose(draft, data, found, read_domain(shelf))):
            click.echo(line)
        click.echo(f"Title: {data.title}; year: {data.year}" + " (a guess; correct it with --year)" * data.guessed)
        if not yes:
            click.confirm(f"Keep {folder}?", default=True, abort=True)
        draft.rename(folder)
    if db is not None:
        from kb.build.database import build

        build(shelf, db, only=data.id, workers=1, progress=lambda _: None)
    where = f" --corpus {shlex.quote(str(shelf))}" if corpus else ""
    click.echo(f"Check {folder / 'book.toml'}; then:")
    click.echo(f"  whist serve --db {shlex.quote(str(db))}" if db else f"  whist build{where} && whist serve")


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


COMMANDS = (add_command,)
