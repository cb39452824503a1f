"""Commands for readers: search, show, compare."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from extract.errors import UnknownIdError
from kb.cli.options import DB, JSON, TEXT, emit
from kb.collation.parallel import collate
from kb.comparison import answers, tabular
from kb.comparison.topics import find_topic, topics
from kb.comparison.treatment import treatment
from kb.read import cite, nearest, queries
from kb.read.rows import RELATIONS, UnitRow
from kb.read.store import open_store
from kb.read.written import resolve
from kb.search.facets import codes_named
from kb.search.highlight import BEGIN, END
from kb.search.search import search_or_cite


@click.command("search")
@click.argument("words", nargs=-1, type=TEXT)
@click.option("--code", "codes", multiple=True, type=TEXT, help="Only this code, by id or year (may be repeated).")
@click.option("--kind", "kinds", multiple=True, type=TEXT, help="Only units of this kind.")
@click.option("--year", "years", multiple=True, type=int, help="Only works of this year.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of results.")
@DB
@JSON
def search_command(
    words: tuple[str, ...], codes: tuple[str, ...], kinds: tuple[str, ...], years: tuple[int, ...], limit: int,
    db: Path, as_json: bool,
) -> None:  # fmt: skip
    """Search all books: words, "quoted phrases", -unwanted, start*, code:NAME, kind:NAME, year:1850; or a citation.

    Write -- before a query that begins with an unwanted word.
    """
    if not words:
        raise click.UsageError("Say what to search for.")
    with open_store(db) as conn:
        codes = _ids(conn, codes)
        result, typed = search_or_cite(conn, " ".join(words), codes=codes, kinds=kinds, years=years, limit=limit)
    if as_json:
        hits = [
            {"id": h.id, "score": h.score, "snippet": h.snippet.replace(BEGIN, "").replace(END, "")}
            for h in result.hits
        ]
        emit({
            "total": result.total, "mode": result.mode, "answers": [u.id for u in typed.units], "results": hits,
            "corrected": result.corrected, "literal": result.literal, "suggestion": result.suggestion,
            "notes": [*result.notes, *result.understood, *filter(None, [typed.note])],
        })  # fmt: skip
        return
    for note in (*result.notes, *result.understood, *filter(None, [typed.note])):
        click.echo(note, err=True)
    for first, last in typed.ends:
        click.echo(f"  {first.id} to {last.id}")
    if typed.units:
        click.echo(f"named: {', '.join(u.id for u in typed.units)}")
    if result.corrected:
        click.echo(f"searched for {result.corrected}; to keep your spelling, search for {result.literal}")
    some = " that match some of the words; none matches all" if result.mode == "some" else ""
    if result.mode != "named":
        click.echo(
            f"{result.total} found{some}" + (f"; did you mean: {result.suggestion}" if result.suggestion else "")
        )
    for hit in result.hits:
        click.echo(f"\n{hit.id}" + (f"  (p. {hit.unit.folio})" if hit.unit.page else ""))
        click.echo("  " + " ".join(hit.snippet.replace(BEGIN, "").replace(END, "").split()))


def _ids(conn: sqlite3.Connection, names: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the codes that are named by id, year or a part of the title; other names unchanged."""
    return tuple(dict.fromkeys(i for name in names for i in codes_named(conn, name) or (name,)))


@click.command("show")
@click.argument("unit_id", type=TEXT)
@DB
@JSON
def show_command(unit_id: str, db: Path, as_json: bool) -> None:
    """Show a provision and its counterparts, by its id or a citation (`1893 law 33`)."""
    with open_store(db) as conn:
        unit = find(conn, unit_id)
        plain = cite.plain(cite.cited(conn, unit))
        related = queries.related(conn, unit.id)
    if as_json:
        emit({"unit": unit, "citation": plain, "related": related})
        return
    heading = f"{unit.heading}\n\n" if unit.heading else ""
    click.echo(f"{unit.id}\n\n{heading}{unit.text}\n\n{plain}")
    for row in related:
        sure = row.why if row.status == "confirmed" else f"{row.status}, {row.score:.2f}"
        click.echo(f"  {row.other}: {RELATIONS[row.relation]} ({sure})")


@click.command("compare")
@click.argument("what", nargs=-1, required=True, type=TEXT)
@DB
@JSON
def compare_command(what: tuple[str, ...], db: Path, as_json: bool) -> None:
    """Compare the codes on a topic, question by question, or two provisions word by word (two ids)."""
    with open_store(db) as conn:
        if len(what) == 2:
            a, b = find(conn, what[0]), find(conn, what[1])
            made = collate([a.text, b.text])
            if as_json:
                emit({"a": a.id, "b": b.id, "share": made.shares[1], "bands": made.bands})
                return
            marked, told = ("shared", "what they share") if made.unlike[1] else ("words", "differences")
            for n, unit in enumerate((a, b)):
                pieces = (piece for band in made.bands for piece in band[n])
                text = "".join(f"[{p.text}]" if p.mark == marked else p.text for p in pieces)
                click.echo(f"{unit.id}\n  {' '.join(text.split())}\n")
            click.echo(f"{made.shares[1]:.0%} of the words are shared; [{told}] in brackets.")
            return
        topic = find_topic(conn, " ".join(what))
        if topic is None:
            known = ", ".join(t.id for t in topics(conn))
            raise UnknownIdError(f"There is no topic {' '.join(what)!r}; the topics are: {known}.")
        table = answers.answers(conn, topic)
        treated = treatment(conn, topic)
    if table is not None:
        if as_json:
            emit({"topic": topic, "codes": [c.id for c in table.codes], "questions": tabular.as_data(table)})
        else:
            click.echo("\n".join(tabular.as_lines(table)))
        return
    if as_json:
        emit(treated)
        return
    click.echo(topic.label)
    click.echo("This topic has no questions yet; these provisions mention it.")
    for column in treated.columns:
        click.echo("\n" + " = ".join(_named(c.short, c.year) for c in column.codes))
        for provision in column.chief:
            click.echo(f"  {' = '.join(provision.ids)}: {' '.join(provision.unit.text.split())}")
        if column.others:
            click.echo(f"  also mentioned in: {', '.join(p.unit.id for p in column.others)}")
    for code in treated.silent:
        click.echo(f"\n{_named(code.short, code.year)}: nothing found")


def _named(short: str, year: int) -> str:
    return short if str(year) in short else f"{short} ({year})"


def find(conn: Any, typed: str) -> UnitRow:
    """Return the unit with this id or citation.

    Raises:
        UnknownIdError: no unit matches, or several do; the message lists the nearest.
    """
    resolved = resolve(conn, typed)
    meant = resolved.units
    if len(meant) == 1 and not resolved.note:
        return meant[0]
    near = [u.id for u in meant] or nearest.ids(conn, typed)
    hint = f"; did you mean {', '.join(near[:5])}?" if near else "; `whist search` finds provisions by their words."
    raise UnknownIdError(f"There is no unit {typed!r}{hint}")


COMMANDS = (search_command, show_command, compare_command)
