"""The command line of the knowledge base. `serve` is added by the room that serves."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from extract.errors import BookError, UnknownIdError, WhistError
from extract.source import checksum
from kb import cite, comparison, queries
from kb.build import build
from kb.check import check
from kb.collate import compare_texts
from kb.evaluate import evaluate
from kb.highlight import BEGIN, END
from kb.lookup import nearest_ids, resolve_typed
from kb.rows import UnitRow
from kb.search import search
from kb.store import open_store
from kb.weights import table, weigh

DB = click.option("--db", type=click.Path(path_type=Path), default=Path("whist.db"), show_default=True,
                  help="The knowledge base.")  # fmt: skip
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="whist-law-library")
def cli() -> None:
    """The law library of whist: four treatises, five codes, 1829-1894."""


def run(command: click.Group) -> None:
    """Run a command line: an error is one sentence on standard error and exit status 2, never a traceback."""
    try:
        command.main(standalone_mode=False)
    except click.exceptions.Abort:
        raise SystemExit(130) from None
    except click.ClickException as error:
        error.show()
        raise SystemExit(2) from error
    except WhistError as error:
        click.echo(f"whist: {error}", err=True)
        raise SystemExit(2) from error
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


def find_corpus(given: Path | None) -> Path:
    """The corpus folder: the one given, ./corpus, or the one beside an editable installation.

    Raises:
        BookError: none of them is there.
    """
    places = [given] if given else [Path("corpus"), Path(__file__).resolve().parent.parent / "corpus"]
    for place in places:
        if place.is_dir():
            return place
    raise BookError(f"There is no corpus at {places[0]}; name it with --corpus DIR.")


def report(text: str) -> None:
    """Tell progress on standard error, when somebody watches."""
    if sys.stderr.isatty():
        click.echo(text, err=True)


def emit(data: Any) -> None:
    """Print JSON; dataclasses become objects."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)


@cli.command("build")
@click.option(
    "--db", type=click.Path(path_type=Path), default=Path("whist.db"), show_default=True, help="The file to write."
)
@click.option("--corpus", type=click.Path(path_type=Path), help="The folder of books.  [default: corpus]")
@click.option(
    "--unaided", is_flag=True, help="Leave the editor's files aside: what the machine makes of the scans alone."
)
@JSON
def build_command(db: Path, corpus: Path | None, unaided: bool, as_json: bool) -> None:
    """Build the knowledge base from the corpus."""
    build(find_corpus(corpus), db, unaided=unaided, progress=report)
    if as_json:
        emit({"db": str(db), "bytes": db.stat().st_size, "sha256": checksum(db), "unaided": unaided})
        return
    click.echo(f"Built {db} ({db.stat().st_size / 1e6:.1f} MB).")


@cli.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option("--code", "codes", multiple=True, help="Only this code (may be repeated).")
@click.option("--kind", "kinds", multiple=True, help="Only units of this kind.")
@click.option("--year", "years", multiple=True, type=int, help="Only works of this year.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True)
@DB
@JSON
def search_command(
    words: tuple[str, ...], codes: tuple[str, ...], kinds: tuple[str, ...], years: tuple[int, ...], limit: int,
    db: Path, as_json: bool,
) -> None:  # fmt: skip
    """Search all books: words, "quoted phrases", -unwanted, start*, code:1864, kind:law, year:1829.

    Write -- before a query that begins with an unwanted word.
    """
    with open_store(db) as conn:
        result = search(conn, " ".join(words), codes=codes, kinds=kinds, years=years, limit=limit)
        typed = resolve_typed(conn, " ".join(words))
    if as_json:
        hits = [
            {"id": h.id, "score": h.score, "snippet": h.snippet.replace(BEGIN, "").replace(END, "")}
            for h in result.hits
        ]
        emit({
            "total": result.total, "mode": result.mode, "results": hits, "suggestion": result.suggestion,
            "notes": result.notes,
        })  # fmt: skip
        return
    for note in (*result.notes, *filter(None, [typed.note])):
        click.echo(note, err=True)
    some = "; nothing has all the words, these have some of them" if result.mode == "some" else ""
    click.echo(f"{result.total} found{some}" + (f"; did you mean: {result.suggestion}" if result.suggestion else ""))
    for hit in result.hits:
        click.echo(f"\n{hit.id}" + (f"  (p. {hit.unit.page})" if hit.unit.page else ""))
        click.echo("  " + " ".join(hit.snippet.replace(BEGIN, "").replace(END, "").split()))


@cli.command("show")
@click.argument("unit_id")
@DB
@JSON
def show_command(unit_id: str, db: Path, as_json: bool) -> None:
    """Show a provision: english-1864/law-72, or "1864 law 72"."""
    with open_store(db) as conn:
        unit = _unit(conn, unit_id)
        plain = cite.plain(cite.cited(conn, unit))
        related = queries.related(conn, unit.id)
    if as_json:
        emit({"unit": unit, "citation": plain, "related": related})
        return
    heading = f"{unit.heading}\n\n" if unit.heading else ""
    click.echo(f"{unit.id}\n\n{heading}{unit.text}\n\n{plain}")
    for row in related:
        click.echo(f"  {row.relation}: {row.other} ({row.status}, {row.score:.2f})")


@cli.command("compare")
@click.argument("what", nargs=-1, required=True)
@DB
@JSON
def compare_command(what: tuple[str, ...], db: Path, as_json: bool) -> None:
    """Compare the codes on a topic (revoke), or two provisions word by word (two ids)."""
    with open_store(db) as conn:
        if len(what) == 2:
            a, b = _unit(conn, what[0]), _unit(conn, what[1])
            compared = compare_texts(a.text, b.text)
            if as_json:
                emit({"a": a.id, "b": b.id, "comparison": compared})
                return
            for unit, parts in ((a, compared.a), (b, compared.b)):
                marked = "".join(p.text if p.mark == "same" else f"[{p.text}]" for p in parts)
                click.echo(f"{unit.id}\n  {' '.join(marked.split())}\n")
            click.echo(f"{compared.similarity:.0%} of the words are shared; [what differs] stands in brackets.")
            return
        topic = comparison.find_topic(conn, " ".join(what))
        if topic is None:
            known = ", ".join(t.id for t in comparison.topics(conn))
            raise UnknownIdError(f"There is no topic {' '.join(what)!r}; the topics are: {known}.")
        treated = comparison.treatment(conn, topic)
    if as_json:
        emit(treated)
        return
    click.echo(topic.label)
    for column in treated.columns:
        click.echo("\n" + " = ".join(_named(c.short, c.year) for c in column.codes))
        for provision in column.chief:
            click.echo(f"  {' = '.join(provision.ids)}: {' '.join(provision.unit.text.split())}")
        if column.others:
            click.echo(f"  named also in: {', '.join(p.unit.id for p in column.others)}")
    for code in treated.silent:
        click.echo(f"\n{_named(code.short, code.year)}: nothing found")


@cli.command("cite")
@click.argument("unit_id")
@click.option("--format", "style", default="plain", show_default=True,
              type=click.Choice(["plain", "short", "bibtex", "ris", "csl", "markdown"]))  # fmt: skip
@click.option("--base", default="http://127.0.0.1:8001", show_default=True, help="Where the library is served.")
@DB
@JSON
def cite_command(unit_id: str, style: str, base: str, db: Path, as_json: bool) -> None:
    """Cite a provision, with its permalink."""
    with open_store(db) as conn:
        unit = _unit(conn, unit_id)
        citations = cite.citations_for(conn, unit, f"{base.rstrip('/')}/{unit.id}")
    if as_json:
        emit(citations)
        return
    click.echo(getattr(citations, style))
    if style in ("plain", "short"):
        click.echo(citations.url)


@cli.command("check")
@DB
@JSON
def check_command(db: Path, as_json: bool) -> None:
    """Print the ledger and the numbering audit of each book; exit status 1 if something is lost or missing."""
    with open_store(db) as conn:
        checks = check(conn)
    if as_json:
        emit(checks)
    else:
        for found in checks:
            ledger = found.ledger
            click.echo(f"{found.book_id}: {ledger.characters} characters = {ledger.in_units} in units + "
                       f"{ledger.in_furniture} furniture; {len(ledger.lost)} stretches lost, "
                       f"{len(ledger.crossing)} units crossing")  # fmt: skip
            for n in found.numberings:
                span = f"{n.series}{n.first}-{n.series}{n.last}" if n.last else "by headword"
                gap = f"; MISSING {', '.join(map(str, n.missing))}" if n.missing else ""
                click.echo(f"  {n.work} {n.kind}: {n.count} ({span}){gap}")
            for status, count in found.citations:
                click.echo(f"  citations {status}: {count}")
            pages = [f.label for f in found.findings if f.series == "pages"]
            for f in found.findings:
                if f.series != "pages":
                    click.echo(f"  {f.series} {f.label}: {f.finding} ({f.note})")
            if pages:
                click.echo(f"  pages without a folio in the scan: {_runs(pages)}")
    if not all(found.sound for found in checks):
        raise SystemExit(1)


def _named(short: str, year: int) -> str:
    return short if str(year) in short else f"{short} ({year})"


def _runs(folios: Sequence[str]) -> str:
    """Folios in order, with those that follow one another as a run: `v, 12-17, 20`."""
    runs: list[list[str]] = []
    for folio in folios:
        follows = runs and folio.isdigit() and runs[-1][-1].isdigit() and int(folio) == int(runs[-1][-1]) + 1
        if follows:
            runs[-1].append(folio)
        else:
            runs.append([folio])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _unit(conn: Any, typed: str) -> UnitRow:
    """The unit of an id or a typed citation.

    Raises:
        UnknownIdError: no unit, or several, have it; the nearest are named.
    """
    found = queries.find_unit(conn, typed)
    if found:
        return found
    resolved = resolve_typed(conn, typed)
    meant = resolved.units
    if len(meant) == 1 and not resolved.note:
        return meant[0]
    near = [u.id for u in meant] or nearest_ids(conn, typed)
    hint = f"; did you mean {', '.join(near[:5])}?" if near else "; `whist search` finds it by its words."
    raise UnknownIdError(f"There is no unit {typed!r}{hint}")


@cli.command("evaluate")
@click.option("--gold", type=click.Path(path_type=Path), default=Path("tests/gold"), show_default=True,
              help="The folder of gold files.")  # fmt: skip
@click.option("--ablate", is_flag=True, help="Weigh each rule of correction in the corpus instead; takes some minutes.")
@click.option("--corpus", type=click.Path(path_type=Path), help="The folder of books, to ablate.  [default: corpus]")
@DB
@JSON
def evaluate_command(gold: Path, ablate: bool, corpus: Path | None, db: Path, as_json: bool) -> None:
    """Measure a build against gold: misread letters and words, words fixed and harmed, units, pages, references."""
    if ablate:
        weighed = weigh(find_corpus(corpus), report)
        emit(weighed) if as_json else click.echo("\n".join(table(weighed)))
        return
    with open_store(db) as conn:
        found = evaluate(conn, gold)
    if as_json:
        emit(found)
        return
    for book, score in found.text.items():
        click.echo(f"{book}: " + ", ".join(f"{k} {v}" for k, v in score.figures.items()))
    for name, units in found.units.items():
        missed = f"; missed {', '.join(units.missed[:5])}" if units.missed else ""
        click.echo(f"{name}: {units.found} of {units.gold}{missed}")
    click.echo(f"printed page right: {found.pages[0]} of {found.pages[1]}")
    for book, (precision, recall) in found.citations.items():
        click.echo(f"{book} references: precision {precision:.3f}, recall {recall:.3f}")
    click.echo(f"pairs of provisions linked: {found.links[0]} of {found.links[1]}")
