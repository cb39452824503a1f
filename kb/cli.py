"""The command line of the knowledge base. `serve` is added by the room that serves."""

from __future__ import annotations

import dataclasses
import io
import json
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import click

from extract.errors import BookError, UnknownIdError, WhistError
from extract.source import checksum
from kb import cite, comparison, queries
from kb.check import check
from kb.collate import compare_texts
from kb.evaluation import evaluate
from kb.highlight import BEGIN, END
from kb.lookup import nearest_ids, resolve_typed
from kb.rows import UnitRow
from kb.search import search
from kb.signals import Stopped, nothing_to_clear, stop_on_signals
from kb.store import open_store
from kb.weights import table, weigh


class _Text(click.ParamType[str]):
    """Words that are text: bytes that are no UTF-8 arrive as lone surrogates, and nothing can be found by them."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            str(value).encode("utf-8")
        except UnicodeEncodeError:
            self.fail(f"{value!a} is not UTF-8; type it as text.", param, ctx)
        return str(value)


TEXT = _Text()
DB = click.option("--db", type=click.Path(path_type=Path), default=Path("whist.db"), show_default=True,
                  help="The knowledge base.")  # fmt: skip
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="whist-law-library")
def cli() -> None:
    """The law library of whist: four treatises, five codes, 1829-1894."""


def run(command: click.Group) -> NoReturn:
    """Run a command line: an error is one sentence on standard error and exit status 2, never a traceback.

    A signal ends it with one sentence and the status that shells give to it; a reader that has seen enough (`| head`)
    ends it in silence, as it ends other tools.
    """
    stop_on_signals()
    try:
        raise SystemExit(_status(command))
    except (click.Abort, KeyboardInterrupt):
        _tell("stopped.")
        raise SystemExit(128 + signal.SIGINT) from None
    except Stopped as ended:
        _tell("stopped.")
        raise SystemExit(ended.status) from None
    except BrokenPipeError:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)
        raise SystemExit(128 + signal.SIGPIPE) from None


def _status(command: click.Group) -> int:
    """The exit status of a command line, its errors told."""
    if sys.stdout is None:
        _tell("Standard output is closed, so there is nowhere to answer to; leave it open or name a file for it.")
        return 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files need not be text
    try:
        with command.make_context("whist", sys.argv[1:]) as context:
            command.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except WhistError as error:
        _tell(str(error))
        return 2
    except BrokenPipeError:
        raise
    except OSError as error:
        what = error.filename or "The answer"
        _tell(f"{what} cannot be read or written ({error.strerror}); make room or choose another place.")
        return 2
    return 0


def _tell(text: str) -> None:
    """Say a sentence on standard error, if anybody can hear it."""
    with suppress(OSError):
        click.echo(f"whist: {text}", err=True)


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
    with nothing_to_clear():
        from kb.build import build
    build(find_corpus(corpus), db, unaided=unaided, progress=report)
    if as_json:
        emit({"db": str(db), "bytes": db.stat().st_size, "sha256": checksum(db), "unaided": unaided})
        return
    click.echo(f"Built {db} ({db.stat().st_size / 1e6:.1f} MB).")


@cli.command("search")
@click.argument("words", nargs=-1, required=True, type=TEXT)
@click.option("--code", "codes", multiple=True, type=TEXT, help="Only this code (may be repeated).")
@click.option("--kind", "kinds", multiple=True, type=TEXT, help="Only units of this kind.")
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
@click.argument("unit_id", type=TEXT)
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
@click.argument("what", nargs=-1, required=True, type=TEXT)
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
@click.argument("unit_id", type=TEXT)
@click.option("--format", "style", default="plain", show_default=True,
              type=click.Choice(["plain", "short", "bibtex", "ris", "csl", "markdown"]))  # fmt: skip
@click.option(
    "--base", type=TEXT, default="http://127.0.0.1:8001", show_default=True, help="Where the library is served."
)
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
            for old, new in found.astray:
                click.echo(f"  moved id {old} leads to {new}: no such unit, or the old id is a unit again")
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
        follows = runs and folio.isdecimal() and runs[-1][-1].isdecimal() and int(folio) == int(runs[-1][-1]) + 1
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
    found = queries.find_unit(conn, queries.moved(conn, typed) or typed)
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
    """Measure a build against gold: letters, units, pages, references, links, answers, retrieval."""
    if ablate:
        weighed = weigh(find_corpus(corpus), report)
        emit(weighed) if as_json else click.echo("\n".join(table(weighed)))
        return
    with open_store(db) as conn:
        found = evaluate(conn, gold)
    if as_json:
        emit(found)
        return
    for line in found.lines():
        click.echo(line)
