"""Commands that build, check and measure the knowledge base: build, check, evaluate, fit, export."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from extract.errors import WhistError
from kb.cli.options import CORPUS, DB, JSON, emit, find_corpus
from kb.cli.progress import progress
from kb.cli.signals import nothing_to_clear

if TYPE_CHECKING:
    from extract.ledger import Ledger
    from kb.desk.check import BookCheck
    from kb.editorial.completeness import Completeness
    from kb.editorial.provisions import Stale

_REFERENCES = {
    "resolved": "resolved",
    "ambiguous": "with several possible targets",
    "dangling": "to something not in this library",
    "foreign": "to other books",
    "slip": "that are the author's mistakes",
}
_SHOWN = 8  # entries of each kind of open work


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
    for work in _without_address(db):
        click.echo(_no_address(work), err=True)
    click.echo(f"Built {db} ({db.stat().st_size / 1e6:.1f} MB).")


def _without_address(db: Path) -> tuple[str, ...]:
    from kb.desk.check import without_address
    from kb.read.store import open_store

    with open_store(db) as conn:
        return without_address(conn)


@click.command("check")
@click.option("--verbose", is_flag=True, help="Also list numberings, references, misprints and pages without a number.")
@DB
@JSON
def check_command(verbose: bool, db: Path, as_json: bool) -> None:
    """Check that no text or number is missing, and list what the editor must do.

    The exit status is 1 if something is lost, missing, stale or not judged.
    """
    with nothing_to_clear():
        from kb.desk.check import check, without_address
        from kb.editorial.completeness import completeness
        from kb.editorial.provisions import stale
        from kb.read.domain import domain
        from kb.read.store import open_store
    with open_store(db) as conn:
        checks = check(conn)
        outdated, lost = tuple(stale(conn)), without_address(conn)
        left = completeness(conn)
        provision = domain(conn).provision.singular
    if as_json:
        emit({"books": checks, "stale": outdated, "open": left})
    else:
        todo = [*(line for found in checks for line in _faults(found)), *map(_no_address, lost)]
        todo += [*(line for entry in outdated for line in _stale(entry)), *_left_open(left)]
        click.echo("\n".join(["To do:", *(f"  {line}" for line in todo)]) if todo else "Nothing to do.")
        if not left.begun:
            click.echo("No links or questions have been judged yet.")
        for found in checks:
            click.echo(_covered(found.book_id, found.ledger))
            for line in _details(found, provision) if verbose else ():
                click.echo(f"  {line}")
        if not verbose:
            click.echo("--verbose also lists numberings, references, misprints and pages without a number.")
    if outdated or not left.whole or not all(found.sound for found in checks):
        raise SystemExit(1)


def _covered(book_id: str, ledger: Ledger) -> str:
    """Return a line on how much of a scan is in units and in page furniture."""
    return (
        f"{book_id}: {ledger.characters:,} characters; {ledger.in_units:,} in units, {ledger.in_furniture:,} page "
        f"furniture, {len(ledger.lost)} passages lost, {len(ledger.crossing)} units overlapping"
    )


def _faults(found: BookCheck) -> Iterator[str]:
    """Yield what is wrong in a book, and what to do."""
    if not found.ledger.balanced:
        yield f"{found.book_id}: some text is in no unit, or in two; correct the parts in book.toml"
    for (series, finding, note), faults in groupby(found.faults, lambda f: (f.series, f.finding, f.note)):
        omitted = ", or to `omits` in book.toml if the print leaves it out" if finding == "gap" else ""
        numbers = _runs([*dict.fromkeys(f.label for f in faults)])
        yield f"{found.book_id}: {series} {numbers}: {note}; add a reading of the number to errata.toml{omitted}"


def _no_address(work: str) -> str:
    return f"{work}: its pages cannot be opened, because the id must begin with a letter and end in -YEAR; change it"


def _details(found: BookCheck, provision: str) -> Iterator[str]:
    """Yield the numberings of a book, its references by status, its misprints and its pages without a number."""
    for n in found.numberings:
        span = f"{n.series}{n.first} to {n.series}{n.last}" if n.last else "without numbers"
        missing = f"; not among them: {', '.join(map(str, n.missing))}" if n.missing else ""
        yield f"{n.work}, {provision if n.kind == 'law' else n.kind}: {n.count} ({span}){missing}"
    for status, count in found.citations:
        yield f"references {_REFERENCES[status]}: {count}"
    for f in found.findings:
        if f.series != "pages":
            yield f"{f.series} {f.label!r}: {f.note}"
    if pages := [f.label for f in found.findings if f.series == "pages"]:
        yield f"pages without a number in the scan: {_runs(pages)}"


def _stale(entry: Stale) -> Iterator[str]:
    """Yield an entry that rests on a changed text, with the text then and now."""
    what = f"{entry.file}, {entry.entry}: {entry.unit_id}"
    if entry.read:
        yield f"{what} has changed; judge it again, then run `whist judge --keep-texts --again` with its id"
        yield f"  then: {' '.join(entry.read.split())}"
        yield f"  now:  {' '.join(entry.now.split())}"
    else:
        yield f"{what} is not in read.toml; when the entry is right, run `whist judge --keep-texts`"


def _left_open(left: Completeness) -> Iterator[str]:
    """Yield what the editor has not judged: the number of each kind, the first of them, and what to do."""
    if not left.begun:
        return
    cells = [f"{unit} in {code}" for unit, code in left.open_cells]
    questions = [f"{question} by {code}" for question, code in left.unanswered]
    topicless = [f"{unit} ({count})" for unit, count in left.topicless]
    contradictory = [f"{c.a} and {c.b}, {c.question}: {c.why}" for c in left.contradictory]
    for what, found, todo in (
        ("provisions not yet compared with a code", cells, "add [[link]] or [[closed]]"),
        ("questions without an answer", questions, "add an answer, or list the code in `silent`"),
        ("provisions not used in an answer", left.unused, "use them, or add [[unused]]"),
        ("provisions in no topic, or in more than three", topicless, "correct `members`"),
        ("contradictions between answers, links and outcomes of cases", contradictory, "correct one of the two"),
    ):
        if found:
            yield f"{_listed(what, found)}; {todo}"


def _listed(what: str, found: Sequence[str]) -> str:
    return f"{what}: {len(found)} ({', '.join(found[:_SHOWN])}{' ...' if len(found) > _SHOWN else ''})"


def _runs(numbers: Sequence[str]) -> str:
    """Return numbers in order, consecutive ones as a range: `v, 12-17, 20`."""
    runs: list[list[str]] = []
    for number in numbers:
        follows = runs and number.isdecimal() and runs[-1][-1].isdecimal() and int(number) == int(runs[-1][-1]) + 1
        if follows:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


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
