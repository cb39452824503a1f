"""Commands for the editor: list doubtful words, judge pairs of provisions."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from pathlib import Path

import click

from extract.corpus.book import load_books
from extract.corpus.table import read_if_there
from extract.errors import UnknownIdError
from extract.text.source import read_scan
from kb.build.atomic import locked, whole_file
from kb.cli.options import CORPUS, DB, JSON, TEXT, emit, find_corpus
from kb.doubts import Suggestion, decide, doubts
from kb.editorial.built import judged_library
from kb.editorial.faults import unknown
from kb.editorial.files import READ, Readings
from kb.editorial.judging import proposed, texts_to_keep, to_fill, unjudged, written
from kb.editorial.tables import tables
from kb.read.rows import Statement, as_tuple
from kb.read.store import open_store

_MENTIONS = Statement(as_tuple, "select distinct unit_id, concept_id from unit_concept")


@click.command("suggest")
@click.argument("book_id", type=TEXT)
@CORPUS
@click.option("--limit", default=0, help="Most words to list; 0 lists all.")
@click.option("--accept", "accepted", multiple=True, type=int, help="Write this reading to errata.toml (its number).")
@click.option(
    "--reject", "rejected", multiple=True, type=int, help="The scan is right: never doubt this again (its number)."
)
@click.option(
    "--ask",
    is_flag=True,
    help="Ask about each: y to accept, r to reject for good, n to skip, e to type another reading, q to stop.",
)
@DB
@JSON
def suggest_command(
    book_id: str,
    corpus: Path | None,
    limit: int,
    accepted: tuple[int, ...],
    rejected: tuple[int, ...],
    ask: bool,
    db: Path,
    as_json: bool,
) -> None:
    """List the doubtful words of a book, likeliest errors first, and write your decisions to its errata.toml."""
    books = {b.id: b for b in load_books(find_corpus(corpus))}
    if book_id not in books:
        raise UnknownIdError(f"There is no book {book_id!r}; the books are {', '.join(books)}.")
    with open_store(db) as conn:
        found = doubts(conn, book_id)
    unknown = {*accepted, *rejected} - {d.id for d in found}
    if unknown:
        raise UnknownIdError(f"{book_id} has no doubtful word {min(unknown)}; `whist suggest {book_id}` lists them.")
    chosen = [_rejected(d) if d.id in rejected else d for d in found if d.id in {*accepted, *rejected}]
    if ask:
        chosen += _ask([d for d in found if d.id not in {*accepted, *rejected}][: limit or None])
    elif not chosen:
        shown = found[: limit or None]
        if as_json:
            emit(shown)
            return
        for doubt in shown:
            click.echo(_line(doubt))
        click.echo(f"{len(found)} doubtful words; decide with --accept NUMBER, --reject NUMBER or --ask.")
        return
    if chosen:
        book = books[book_id]
        decide(book.folder / "errata.toml", read_scan(book.scan_path, book.sha256, book.encoding), chosen)
    click.echo(f"{len(chosen)} decisions written to {book_id}/errata.toml; run `whist build` to apply them.")


@click.command("judge")
@click.argument("topic", required=False, type=TEXT)
@click.option("--keep-texts", is_flag=True, help="Write read.toml: the texts of the provisions that you have judged.")
@click.option(
    "--again",
    metavar="UNIT",
    multiple=True,
    help="With --keep-texts: mark all entries on this provision as judged again.",
)
@CORPUS
@DB
@JSON
def judge_command(
    topic: str | None, keep_texts: bool, again: tuple[str, ...], corpus: Path | None, db: Path, as_json: bool
) -> None:
    """List the pairs of provisions that you have not judged, of a topic or of all, as entries to complete."""
    if again and not keep_texts:
        raise click.UsageError("--again needs --keep-texts; add it.")
    folder = find_corpus(corpus)
    mentioned: dict[str, set[str]] = defaultdict(set)
    with open_store(db) as conn:
        said, library = judged_library(conn, folder)
        for unit_id, concept in _MENTIONS(conn):
            mentioned[unit_id].add(concept)
    rows = tables(said, library)
    if keep_texts:
        with locked(folder / READ):
            texts = texts_to_keep(said, library, read_if_there(folder / READ, Readings).read, again)
            if strange := [unit_id for unit_id in again if unit_id not in texts]:
                raise UnknownIdError(f"No entry rests on {strange[0]!r}; `whist check` lists stale entries.")
            with whole_file(folder / READ) as part:
                part.write_text(written(texts), encoding="utf-8")
        click.echo(f"{len(texts)} texts written to {folder / READ}")
        return
    if topic is not None and topic not in library.topics:
        raise UnknownIdError(unknown("topic", topic, library.topics))
    left = unjudged(said, library, rows, proposed(library, mentioned), topic or "")
    if as_json:
        emit(left)
        return
    click.echo("\n".join(to_fill(left, library, rows)) or "Nothing is left to judge.")


def _line(doubt: Suggestion) -> str:
    left, right = (" ".join(t.split()) for t in (doubt.left, doubt.right))
    before = " ".join(doubt.before.split())
    return (
        f"{doubt.id:>5}  {doubt.unit_id or '-'} at {doubt.raw_start}\n"
        f"       ...{left} [{before} -> {doubt.after}] {right}...\n       {doubt.note}"
    )


def _ask(found: list[Suggestion]) -> list[Suggestion]:
    chosen: list[Suggestion] = []
    for doubt in found:
        click.echo(_line(doubt))
        answer = click.prompt("       accept?", type=click.Choice(["y", "r", "n", "e", "q"]), default="n")
        if answer == "q":
            break
        if answer == "e":
            chosen.append(dataclasses.replace(doubt, after=click.prompt("       reads", default=doubt.before)))
        elif answer in ("y", "r"):
            chosen.append(doubt if answer == "y" else _rejected(doubt))
    return chosen


def _rejected(doubt: Suggestion) -> Suggestion:
    return dataclasses.replace(doubt, after=doubt.before)


COMMANDS = (suggest_command, judge_command)
