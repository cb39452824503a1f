"""Commands that build, check and measure the knowledge base: build, check, evaluate, fit, export."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from extract.errors import WhistError
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
def build_command(db: Path, corpus: Path | None, unaided: bool, workers: int | None) -> None:
    """Build the knowledge base from the corpus."""
    with nothing_to_clear():
        from kb.build.database import build
        from kb.build.editions import RARELY
    gc.set_threshold(*RARELY)
    build(find_corpus(corpus), db, unaided=unaided, workers=workers, progress=progress())
    click.echo(f"Built {db} ({db.stat().st_size / 1e6:.1f} MB).")


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
    """Measure a build against gold data: letters, units, pages, references, links, answers, finding."""
    with nothing_to_clear():
        from kb.evaluation.evaluate import evaluate
        from kb.read.store import open_store
    with open_store(db) as conn:
        found = evaluate(conn, gold)
    if as_json:
        emit(found)
        return
    for name, figure in found.items():
        click.echo(f"{name}: {figure}")


@click.command("fit")
@CORPUS
def fit_command(corpus: Path | None) -> None:
    """Fit the matcher of questions to the paraphrases, and write it beside them (half a minute).

    Needed after a change of questions or paraphrases; until then a new question is found by its words alone.
    """
    with nothing_to_clear():
        from kb.build.atomic import whole_file
        from kb.editorial.judgements import question_labels, read_judgements
        from kb.questions.fit import fit
        from kb.questions.matcher import FILE
        from kb.questions.paraphrases import read_paraphrases
    folder = find_corpus(corpus)
    labels = question_labels(read_judgements(folder))
    paraphrases = read_paraphrases(folder, labels)
    try:
        fitted = fit(labels, paraphrases)
    except ImportError as error:
        raise WhistError("Fitting needs scikit-learn; install requirements-dev.lock (`make fit` does).") from error
    with whole_file(folder / FILE) as path:
        path.write_bytes(fitted)
    known = sum(map(len, paraphrases.values()))
    click.echo(f"{folder / FILE}: {len(labels)} questions, {known} paraphrases, {len(fitted)} bytes")


@click.command("export")
@click.option("--tei", type=click.Path(path_type=Path), help="Write one TEI P5 file per book into this folder.")
@click.option("--csv", type=click.Path(path_type=Path), help="Write one CSV file per table and view into this folder.")
@click.option("--json", type=click.Path(path_type=Path), help="Write one JSON file per table and view.")
@CORPUS
@click.option("--unaided", is_flag=True, help="Leave the editor's work out of the TEI.")
@DB
def export_command(
    tei: Path | None, csv: Path | None, json: Path | None, corpus: Path | None, unaided: bool, db: Path
) -> None:
    """Export the library as TEI, CSV or JSON."""
    if not (tei or csv or json):
        raise click.UsageError("Say what to write: --tei DIR, --csv DIR or --json DIR.")
    with nothing_to_clear():
        from kb.build.export import export_tables, export_tei
    if tei:
        export_tei(find_corpus(corpus), tei, unaided=unaided, progress=progress())
    if csv:
        export_tables(db, csv, "csv")
    if json:
        export_tables(db, json, "json")
    for folder in filter(None, (tei, csv, json)):
        click.echo(f"{sum(1 for _ in folder.iterdir())} files in {folder}")


COMMANDS = (build_command, check_command, evaluate_command, fit_command, export_command)
