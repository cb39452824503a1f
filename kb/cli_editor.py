"""Commands for the editor: go through the machine's doubts, export the edition."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from extract.book import load_books
from extract.errors import UnknownIdError
from extract.mend.registry import RULES
from extract.source import read_scan
from kb.cli import DB, JSON, TEXT, cli, emit, find_corpus, report
from kb.moved import FILE, find_moved, open_earlier, read_moved, written
from kb.signals import nothing_to_clear
from kb.store import open_store
from kb.suggest import Doubt, accept, doubts
from kb.weights import listing


@cli.command("suggest")
@click.argument("book_id", type=TEXT)
@click.option("--corpus", type=click.Path(path_type=Path), help="The folder of books.  [default: corpus]")
@click.option("--limit", default=0, help="Show no more than this many.")
@click.option(
    "--accept", "accepted", multiple=True, type=int, help="Write this suggestion to errata.toml (its number)."
)
@click.option("--ask", is_flag=True, help="Go through them one by one: y, n, e to type another reading, q to stop.")
@DB
@JSON
def suggest_command(
    book_id: str, corpus: Path | None, limit: int, accepted: tuple[int, ...], ask: bool, db: Path, as_json: bool
) -> None:
    """List the machine's doubts of a book, the likeliest first, and write those accepted to its errata.toml."""
    books = {b.id: b for b in load_books(find_corpus(corpus))}
    if book_id not in books:
        raise UnknownIdError(f"There is no book {book_id!r}; the books are {', '.join(books)}.")
    with open_store(db) as conn:
        found = doubts(conn, book_id)
    unknown = set(accepted) - {d.id for d in found}
    if unknown:
        raise UnknownIdError(f"{book_id} has no suggestion {min(unknown)}; `whist suggest {book_id}` lists them.")
    chosen = [d for d in found if d.id in accepted]
    if ask:
        chosen += _ask([d for d in found if d.id not in accepted][: limit or None])
    elif not accepted:
        shown = found[: limit or None]
        if as_json:
            emit(shown)
            return
        for doubt in shown:
            click.echo(_line(doubt))
        click.echo(f"{len(found)} doubts; accept with --accept NUMBER or --ask.")
        return
    if chosen:
        book = books[book_id]
        accept(book.folder / "errata.toml", read_scan(book.scan_path, book.sha256), chosen)
    click.echo(f"{len(chosen)} written to {book_id}/errata.toml; build again to see them.")


@cli.command("rules")
@JSON
def rules_command(as_json: bool) -> None:
    """List the rules of correction, each with an example; `whist evaluate --ablate` weighs them."""
    if as_json:
        emit([{"name": r.name, "before": r.before, "after": r.after, "about": r.about} for r in RULES])
        return
    for line in listing():
        click.echo(line)


@cli.command("export")
@click.option("--tei", type=click.Path(path_type=Path), help="Write one TEI P5 file a book into this folder.")
@click.option("--csv", type=click.Path(path_type=Path), help="Write one CSV file a table into this folder.")
@click.option(
    "--json", "as_json", type=click.Path(path_type=Path), help="Write one JSON file a table into this folder."
)
@click.option("--corpus", type=click.Path(path_type=Path), help="The folder of books, for TEI.  [default: corpus]")
@click.option("--unaided", is_flag=True, help="TEI of what the machine makes without the editor.")
@DB
def export_command(
    tei: Path | None, csv: Path | None, as_json: Path | None, corpus: Path | None, unaided: bool, db: Path
) -> None:
    """Export the library as TEI, CSV or JSON."""
    if not (tei or csv or as_json):
        raise click.UsageError("Say what to write: --tei DIR, --csv DIR or --json DIR.")
    with nothing_to_clear():
        from kb.export import export_csv, export_json, export_tei
    if tei:
        export_tei(find_corpus(corpus), tei, unaided=unaided, progress=report)
    if csv:
        export_csv(db, csv, progress=report)
    if as_json:
        export_json(db, as_json, progress=report)
    for folder in filter(None, (tei, csv, as_json)):
        click.echo(f"{sum(1 for _ in folder.iterdir())} files in {folder}")


@cli.command("moved")
@click.option("--from", "earlier", required=True, type=click.Path(path_type=Path, exists=True),
              help="The knowledge base of an earlier release.")  # fmt: skip
@click.option("--corpus", type=click.Path(path_type=Path), help="The folder of books.  [default: corpus]")
@click.option("--write", is_flag=True, help="Write each book's moved.toml; without it, only tell.")
@DB
def moved_command(earlier: Path, corpus: Path | None, write: bool, db: Path) -> None:
    """Find the ids that units no longer have, and where their words stand now, so that old citations lead on."""
    with open_earlier(earlier) as old, open_store(db) as new:
        for book in load_books(find_corpus(corpus)):
            known = read_moved(book.folder)
            found = find_moved(old, new, book.id, known)
            if write and found != known:
                (book.folder / FILE).write_text(written(found), encoding="utf-8")
            for key in [k for k in found if known.get(k) != found[k]]:
                click.echo(f"{key} -> {found[key]}")
            click.echo(f"{book.id}: {len(found)} ids lead on, {len(found.keys() - known.keys())} of them new")


def _line(doubt: Doubt) -> str:
    left, right = (" ".join(t.split()) for t in (doubt.left, doubt.right))
    before = " ".join(doubt.before.split())
    return (
        f"{doubt.id:>5}  {doubt.confidence:.2f}  {doubt.unit_id or '-'} at {doubt.raw_start}\n"
        f"       ...{left} [{before} -> {doubt.after}] {right}...\n       {doubt.note}"
    )


def _ask(found: list[Doubt]) -> list[Doubt]:
    chosen: list[Doubt] = []
    for doubt in found:
        click.echo(_line(doubt))
        answer = click.prompt("       accept?", type=click.Choice(["y", "n", "e", "q"]), default="n")
        if answer == "q":
            break
        if answer == "e":
            chosen.append(dataclasses.replace(doubt, after=click.prompt("       reads", default=doubt.before)))
        elif answer == "y":
            chosen.append(doubt)
    return chosen
