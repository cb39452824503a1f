"""Commands for readers: search, show, compare."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from extract.errors import UnknownIdError
from kb.cite import formats, writing
from kb.cite.resolve import resolve
from kb.cli.ask import in_a_line
from kb.cli.options import DB, JSON, TEXT, emit
from kb.collation.collate import collate
from kb.comparison.topics import find_topic, topics
from kb.questions.questions import questions, shown_under
from kb.read import nearest, queries
from kb.read.rows import RELATIONS, UnitRow
from kb.read.store import open_store
from kb.search.search import Hit, search


@click.command("search")
@click.argument("words", nargs=-1, type=TEXT)
@click.option("--code", "codes", multiple=True, type=TEXT, help="Only this code, by id or year (may be repeated).")
@click.option("--kind", "kinds", multiple=True, type=TEXT, help="Only units of this kind.")
@click.option("--year", "years", multiple=True, type=TEXT, help="Only works of this year, or of years: 1829-1864.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of results.")
@DB
@JSON
def search_command(
    words: tuple[str, ...], codes: tuple[str, ...], kinds: tuple[str, ...], years: tuple[str, ...], limit: int,
    db: Path, as_json: bool,
) -> None:  # fmt: skip
    """Search the passages of all books: words, "quoted phrases", -unwanted, start*, code:1864, kind:case, year:1829.

    Write -- before a query that begins with an unwanted word. A citation finds its provision.
    """
    if not words:
        raise click.UsageError("Say what to search for.")
    text, filters = " ".join(words), {"code": codes, "kind": kinds, "year": years}
    with open_store(db) as conn:
        named = resolve(conn, text)
        found = search(conn, text, filters, limit)
    if as_json:
        hits = [{"id": h.unit.id, "score": h.score, "passage": _plain(h)} for h in found.hits]
        emit({"total": found.total, "mode": found.mode, "named": [u.id for u in named.units], "hits": hits})
        return
    if named.units:
        click.echo(f"named: {', '.join(u.id for u in named.units)}")
    if named.note:
        click.echo(named.note)
    click.echo(f"{found.total} found" + (" with some of the words; none has all" if found.mode == "some" else ""))
    for hit in found.hits:
        click.echo(f"\n{hit.unit.id}" + (f"  (p. {hit.unit.folio})" if hit.unit.page else ""))
        click.echo(f"  {_plain(hit)}")


def _plain(hit: Hit) -> str:
    return "".join(piece.text for piece in hit.passage)


@click.command("show")
@click.argument("unit_id", type=TEXT)
@DB
@JSON
def show_command(unit_id: str, db: Path, as_json: bool) -> None:
    """Show a provision and its counterparts, by its id or a citation (`1893 law 33`)."""
    with open_store(db) as conn:
        unit = find(conn, unit_id)
        plain = formats.plain(writing.cited(conn, unit))
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
        name = " ".join(what)
        topic = find_topic(conn, name)
        if topic is None:
            known = ", ".join(t.id for t in topics(conn))
            raise UnknownIdError(f"There is no topic {name!r}; the topics are: {known}.")
        shown = [questions(conn)[i] for i in shown_under(conn).get(topic.id, ())]
        years = {code.id: code.year for code in queries.codes(conn)}
    if as_json:
        emit({"topic": topic, "questions": [asdict(question) for question in shown]})
        return
    click.echo(topic.label)
    for question in shown:
        click.echo(f"\n{question.label}  ({question.id})")
        for code, answer in question.answers.items():
            click.echo(f"  {years[code]}  {in_a_line(answer)}")


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
