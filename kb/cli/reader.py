"""Commands for readers: ask, search, show, compare."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from extract.errors import QueryError
from kb.cli.options import DB, JSON, TEXT, emit
from kb.cli.signals import nothing_to_clear
from kb.library import Library, open_library

if TYPE_CHECKING:
    from kb.questions.questions import Question

CODES = click.option(
    "--code", "codes", multiple=True, type=TEXT, help="Only this code, by id or year (may be repeated)."
)
_SHOWN = 3  # questions of each part
TOLD = {
    "off-topic": "This does not seem to be about whist.",
    "unruled": "None of the codes seems to rule on this.",
    "nothing": "No question of the library matches this; `whist search` finds passages by their words.",
}


@click.command("ask")
@click.argument("words", nargs=-1, type=TEXT)
@CODES
@click.option("--jsonl", is_flag=True, help='Answer JSON lines {"qid", "query", "codes"} on standard input.')
@DB
@JSON
def ask_command(words: tuple[str, ...], codes: tuple[str, ...], jsonl: bool, db: Path, as_json: bool) -> None:
    """Say what happened, and get the likeliest questions with the answers of the codes."""
    with nothing_to_clear():
        from kb.questions.ask import as_data
    with open_library(db) as library:
        if jsonl:
            for answer in answered(library, sys.stdin):
                click.echo(json.dumps(answer, ensure_ascii=False))
            return
        if not words:
            raise click.UsageError("Say what happened, in your own words.")
        text = " ".join(words)
        asked = library.ask(text, codes)
        if as_json:
            emit({"query": text, "corrected": asked.corrections, "told": asked.told, "questions": as_data(asked)})
            return
        for word, other in asked.corrections.items():
            click.echo(f"{word!r} was read as {other!r}.")
        if asked.told:
            click.echo(TOLD[asked.told])
        shown: set[str] = set()
        for part in asked.parts:
            for match in part[:_SHOWN]:
                if match.question.id not in shown:
                    click.echo("\n" * bool(shown or asked.corrections) + heading(match.question))
                    shown.add(match.question.id)
                    if match is part[0]:
                        _say_answers(library, match.question)


def answered(library: Library, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Answer questions given as JSON lines.

    Yields:
        For each line its `qid`; `questions`, as `/search.json` has them; `results`, the provisions that these cite for
        the codes asked, in order; and `decided`, false if the first question is answered in none of these codes.
    Raises:
        QueryError: a line is not a JSON object with a `qid` and a `query`, or names an unknown code.
    """
    from kb.questions.ask import as_data

    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        qid, query, codes = _read(line, f"Line {number} of standard input")
        asked = library.ask(query, codes)
        first = asked.matches[0].question.answers.values() if asked.matches else ()
        yield {
            "qid": qid,
            "questions": as_data(asked),
            "results": [{"id": i, "score": score} for i, score in asked.provisions.items()],
            "decided": any(answer.state == "answered" for answer in first),
        }


def _read(line: str, where: str) -> tuple[Any, str, list[str]]:
    """Read a question as a JSON object: its `qid`, its `query`, and the codes that are asked, if any are named."""
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"{where} is not JSON; write one object per line.") from error
    if not isinstance(given, dict) or not isinstance(given.get("query"), str) or "qid" not in given:
        raise QueryError(f'{where} lacks "qid" or "query"; write both.')
    codes = given.get("codes") or []
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise QueryError(f'{where}: "codes" is not a list of names; write ["..."].')
    return given["qid"], given["query"], codes


def heading(question: Question) -> str:
    """Return the line above the answers to a question."""
    return f"{question.label}  ({question.id})"


def _say_answers(library: Library, question: Question) -> None:
    """Print each answer as a line: the laws and what they say, or that there is no rule and what comes nearest."""
    for code, answer in question.answers.items():
        laws = ", ".join(cited.pinpoint for cited in answer.laws)
        near = f"; see {answer.near.pinpoint}: {answer.near_why}" if answer.near else ""
        state = "not printed" if answer.state == "not printed" else "no rule"
        click.echo(f"  {library.years[code]}  " + (f"{laws}: {answer.summary}" if laws else f"{state}{near}"))


@click.command("search")
@click.argument("words", nargs=-1, type=TEXT, required=True)
@CODES
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
    from kb.cite.resolve import resolve
    from kb.search.search import search

    with open_library(db) as library:
        named = resolve(library.conn, " ".join(words))
        found = search(library.conn, " ".join(words), {"code": codes, "kind": kinds, "year": years}, limit)
    if named.note and not named.units:  # passages that happen to have the number of a wrong citation are not meant
        found = replace(found, total=0, hits=(), mode="none")
    passages = [(hit, "".join(piece.text for piece in hit.passage)) for hit in found.hits]
    ids = [unit.id for unit in named.units]
    if as_json:
        hits = [{"id": hit.unit.id, "score": hit.score, "passage": passage} for hit, passage in passages]
        emit({"total": found.total, "mode": found.mode, "named": ids, "hits": hits})
        return
    if ids:
        click.echo(f"named: {', '.join(ids)}")
    if named.note:
        click.echo(named.note)
    click.echo(f"{found.total} found" + (" with some of the words; none has all" if found.mode == "some" else ""))
    for hit, passage in passages:
        page = f"  (p. {hit.unit.folio})" if hit.unit.page else ""
        click.echo(f"\n{hit.unit.id}{page}\n  {passage}")


@click.command("show")
@click.argument("cited", metavar="ID", type=TEXT)
@DB
@JSON
def show_command(cited: str, db: Path, as_json: bool) -> None:
    """Show a provision and its counterparts, by its id or a citation (`1893 law 33`)."""
    from kb.read.rows import RELATIONS

    with open_library(db) as library:
        law = library.law(cited)
    if as_json:
        emit(law)
        return
    title = f"{law.unit.heading}\n\n" if law.unit.heading else ""
    click.echo(f"{law.id}\n\n{title}{law.text}\n\n{law.citation}")
    for row in law.related:
        sure = row.why if row.source == "editor" else f"proposed, {row.score:.2f}"
        click.echo(f"  {row.other}: {RELATIONS[row.relation]} ({sure})")


@click.command("compare")
@click.argument("what", nargs=-1, required=True, type=TEXT)
@DB
@JSON
def compare_command(what: tuple[str, ...], db: Path, as_json: bool) -> None:
    """Compare the codes on a topic, question by question, or two provisions word by word (two ids)."""
    with open_library(db) as library:
        if len(what) == 2:
            _compare_texts(library, *what, as_json=as_json)
            return
        compared = library.compare(" ".join(what))
        if as_json:
            emit(compared)
            return
        click.echo(compared.topic.label)
        for question in compared.questions:
            click.echo(f"\n{heading(question)}")
            _say_answers(library, question)


def _compare_texts(library: Library, a: str, b: str, *, as_json: bool) -> None:
    """Print two provisions with their differences in brackets; with what they share, if that is little."""
    from kb.collation.collate import collate

    units = library.unit(a), library.unit(b)
    made = collate([unit.text for unit in units])
    if as_json:
        emit({"a": units[0].id, "b": units[1].id, "share": made.shares[1], "bands": made.bands})
        return
    marked, told = ("shared", "what they share") if made.unlike[1] else ("words", "differences")
    for n, unit in enumerate(units):
        pieces = (piece for band in made.bands for piece in band[n])
        text = "".join(f"[{p.text}]" if p.mark == marked else p.text for p in pieces)
        click.echo(f"{unit.id}\n  {' '.join(text.split())}\n")
    click.echo(f"{made.shares[1]:.0%} of the words are shared; [{told}] in brackets.")


COMMANDS = (ask_command, search_command, show_command, compare_command)
