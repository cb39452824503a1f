"""Commands for the editor: list doubtful words, judge a topic."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import click

from extract.corpus.book import load_books
from extract.errors import UnknownIdError
from extract.text.source import read_scan
from kb.build.atomic import whole_file
from kb.cli.options import CORPUS, DB, JSON, TEXT, emit, find_corpus
from kb.comparison.topics import find_topic, topics
from kb.desk.doubts import Suggestion, decide, doubts
from kb.editorial.board import board, render, to_fill
from kb.editorial.provisions import READ, readings_to_keep, written
from kb.read.store import open_store


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
@click.argument("topic_id", metavar="TOPIC", required=False, type=TEXT)
@click.option("--keep-texts", is_flag=True, help="Write read.toml: the texts of the provisions that you have judged.")
@click.option(
    "--again",
    metavar="UNIT",
    multiple=True,
    help="With --keep-texts: mark all entries on this provision as judged again.",
)
@click.option("--width", default=0, help="Number of columns.  [default: width of the terminal]")
@CORPUS
@DB
@JSON
def judge_command(
    topic_id: str | None,
    keep_texts: bool,
    again: tuple[str, ...],
    width: int,
    corpus: Path | None,
    db: Path,
    as_json: bool,
) -> None:
    """Print all codes side by side on a topic, with links, proposals and the entries still to write."""
    with open_store(db) as conn:
        if keep_texts:
            path, texts = find_corpus(corpus) / READ, readings_to_keep(conn, again)
            if unknown := set(again) - set(texts):
                raise UnknownIdError(f"No entry rests on {min(unknown)!r}; `whist check` lists stale entries.")
            with whole_file(path) as part:
                part.write_text(written(texts), encoding="utf-8")
            click.echo(f"{len(texts)} texts written to {path}")
            return
        if again:
            raise click.UsageError("--again needs --keep-texts; add it.")
        known = [t.id for t in topics(conn)]
        if not known:
            raise UnknownIdError("There are no topics; add one to topics.toml in the corpus and build again.")
        if topic_id is None:
            raise click.UsageError(f"Say which topic: {', '.join(known)}.")
        topic = find_topic(conn, topic_id)
        if topic is None:
            raise UnknownIdError(f"There is no topic {topic_id!r}; the topics are {', '.join(known)}.")
        laid = board(conn, topic)
    if as_json:
        emit(laid)
        return
    for line in render(laid, width or shutil.get_terminal_size((160, 24)).columns):
        click.echo(line)
    left = list(to_fill(laid))
    click.echo("\n".join([f"# For topics/{topic.id}.toml:", "", *left]) if left else "Nothing is left to judge.")


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
