"""Commands that build, check and measure the knowledge base: build, check, evaluate, export."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.build import RARELY
from kb.cli.options import CORPUS, DB, JSON, emit, find_corpus
from kb.cli.progress import progress
from kb.cli.signals import nothing_to_clear

if TYPE_CHECKING:
    from kb.editorial.waiting import Open


@click.command("build")
@click.option(
    "--db", type=click.Path(path_type=Path), default=Path("whist.db"), show_default=True, help="The file to write."
)
@CORPUS
@click.option("--unaided", is_flag=True, help="Ignore the editor's files and build from the scans alone.")
@click.option("--workers", type=click.IntRange(1), metavar="N",
              help="Number of processes; by default one for each processor.")  # fmt: skip
@JSON
def build_command(
    db: Path,
    corpus: Path | None,
    unaided: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Build the knowledge base from the corpus."""
    with nothing_to_clear():
        from kb.build.database import build
    gc.set_threshold(*RARELY)
    with progress() as report:
        build(find_corpus(corpus), db, unaided=unaided, workers=workers, progress=report)
    size = db.stat().st_size
    if as_json:
        emit({"db": str(db), "bytes": size, "sha256": hashlib.sha256(db.read_bytes()).hexdigest(), "unaided": unaided})
        return
    click.echo(f"Built {db} ({size / 1e6:.1f} MB).")


@click.command("check")
@CORPUS
@DB
@JSON
def check_command(corpus: Path | None, db: Path, as_json: bool) -> None:
    """List what waits for the editor: what is stale, contradictory or not yet judged, and gaps in the texts.

    The exit status is 1 if anything does.
    """
    with nothing_to_clear():
        from kb.editorial.built import open_work
        from kb.read.store import open_store
    with open_store(db) as conn:
        found = open_work(conn, find_corpus(corpus))
    if as_json:
        emit(found)
    else:
        click.echo("\n".join(_told(found)) or "Nothing to do.")
    if found:
        raise SystemExit(1)


def _told(found: Sequence[Open]) -> Iterator[str]:
    """Yield the lines that tell what waits; how a text has changed only once for all entries that rest on it."""
    diff = ""
    for each in found:
        yield f"{each.file}{f':{each.line}' if each.line else ''}: {each.kind}: {each.what}"
        for words, near in each.quotations:
            yield f"    quoted: {words!r}" + (f"; now perhaps {near!r}" if near else "")
        if each.diff != diff and each.diff:
            yield f"    {each.diff}"
        diff = each.diff


@click.command("evaluate")
@click.option("--gold", type=click.Path(path_type=Path), default=Path("tests/gold"), show_default=True,
              help="The folder of gold files.")  # fmt: skip
@DB
@JSON
def evaluate_command(gold: Path, db: Path, as_json: bool) -> None:
    """Measure a build against gold data: letters, units, pages, references, links, answers, retrieval."""
    with nothing_to_clear():
        from kb.evaluation import evaluate
        from kb.read.store import open_store
    with open_store(db) as conn:
        found = evaluate(conn, gold)
    if as_json:
        emit(found)
        return
    for line in found.lines():
        click.echo(line)


@click.command("export")
@click.option("--tei", type=click.Path(path_type=Path), help="Write one TEI P5 file per book into this folder.")
@click.option("--csv", type=click.Path(path_type=Path), help="Write one CSV file per table into this folder.")
@click.option(
    "--json", "as_json", type=click.Path(path_type=Path), help="Write one JSON file per table into this folder."
)
@CORPUS
@click.option("--unaided", is_flag=True, help="Leave the editor's work out of the TEI.")
@DB
def export_command(
    tei: Path | None, csv: Path | None, as_json: Path | None, corpus: Path | None, unaided: bool, db: Path
) -> None:
    """Export the library as TEI, CSV or JSON."""
    folders = list(filter(None, (tei, csv, as_json)))
    if not folders:
        raise click.UsageError(
            "Say what to write, such as --tei DIR or --csv DIR; `whist export --help` lists the formats."
        )
    with nothing_to_clear():
        from kb.build.export import export_csv, export_json, export_tei
    with progress() as report:
        if tei:
            export_tei(find_corpus(corpus), tei, unaided=unaided, progress=report)
        if csv:
            export_csv(db, csv, progress=report)
        if as_json:
            export_json(db, as_json, progress=report)
    for folder in folders:
        click.echo(f"{sum(1 for _ in folder.iterdir())} files in {folder}")


COMMANDS = (build_command, check_command, evaluate_command, export_command)
