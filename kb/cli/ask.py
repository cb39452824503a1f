"""The command that answers a question in a reader's own words."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from extract.errors import QueryError
from kb.cli.options import DB, JSON, TEXT, emit
from kb.cli.questions import read_questions
from kb.cli.signals import nothing_to_clear
from kb.read import queries
from kb.read.store import open_store

if TYPE_CHECKING:
    from kb.questions.questions import Answer

LONGEST = 20_000  # characters of a question
_SHOWN = 3  # questions of each part
TOLD = {
    "off-topic": "This does not seem to be about whist.",
    "unruled": "None of the codes seems to rule on this.",
    "nothing": "No question of the library matches this; `whist search` finds passages by their words.",
}


@click.command("ask")
@click.argument("words", nargs=-1, type=TEXT)
@click.option("--code", "codes", multiple=True, type=TEXT, help="Only this code, by id or year (may be repeated).")
@click.option("--jsonl", is_flag=True, help='Answer JSON lines {"qid", "query", "codes"} on standard input.')
@DB
@JSON
def ask_command(words: tuple[str, ...], codes: tuple[str, ...], jsonl: bool, db: Path, as_json: bool) -> None:
    """Say what happened, and get the likeliest questions with the answers of the codes."""
    with nothing_to_clear():
        from kb.questions.ask import as_data, ask
        from kb.questions.questions import questions
    with open_store(db) as conn:
        if jsonl:
            for answer in answered(conn, sys.stdin):
                click.echo(json.dumps(answer, ensure_ascii=False))
            return
        if not words:
            raise click.UsageError("Say what happened, in your own words.")
        chosen = code_ids(conn, codes)
        asked = ask(conn, " ".join(words)[:LONGEST])
        if as_json:
            emit({"query": " ".join(words), "corrected": asked.corrections, "told": asked.told,
                  "questions": as_data(conn, asked, chosen)})  # fmt: skip
            return
        for word, other in asked.corrections.items():
            click.echo(f"{word!r} was read as {other!r}.")
        if asked.told:
            click.echo(TOLD[asked.told])
        years = {code.id: code.year for code in queries.codes(conn)}
        shown: set[str] = set()
        for part in asked.parts:
            for place, match in enumerate(part[:_SHOWN]):
                if match.question in shown:
                    continue
                question = questions(conn)[match.question]
                click.echo("\n" * bool(shown or asked.corrections) + f"{question.label}  ({question.id})")
                shown.add(question.id)
                for code, held in question.answers.items() if not place else ():
                    if not chosen or code in chosen:
                        click.echo(f"  {years[code]}  {in_a_line(held)}")


def in_a_line(answer: Answer) -> str:
    """Return an answer as one line: the laws and what they say, or that there is no rule and what comes nearest."""
    laws = ", ".join(cited.pinpoint for cited in answer.laws)
    near = f"; see {answer.near.pinpoint}: {answer.near_why}" if answer.near else ""
    state = "not printed" if answer.state == "not printed" else "no rule"
    return f"{laws}: {answer.summary}" if laws else f"{state}{near}"


def code_ids(conn: sqlite3.Connection, given: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the codes that are named by id or year.

    Raises:
        QueryError: there is no such code.
    """
    known = {name: code.id for code in queries.codes(conn) for name in (code.id, str(code.year))}
    for name in given:
        if name not in known:
            raise QueryError(f"There is no code {name!r}; the codes are {', '.join(dict.fromkeys(known.values()))}.")
    return tuple(dict.fromkeys(known[name] for name in given))


def answered(conn: sqlite3.Connection, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Answer questions given as JSON lines.

    Yields:
        For each line its `qid`; `questions`, as `/search.json` has them; `results`, the provisions that these cite for
        the codes asked, in order; and `decided`, false if the first question is answered in none of these codes.
    Raises:
        QueryError: a line is not a JSON object with a `qid` and a `query`, or names an unknown code.
    """
    from kb.questions.ask import as_data, ask, provisions
    from kb.questions.questions import questions

    for line in read_questions(lines):
        codes = code_ids(conn, line.names("codes"))
        asked = ask(conn, line.query[:LONGEST])
        first = questions(conn)[asked.matches[0].question] if asked.matches else None
        states = {answer.state for code, answer in first.answers.items() if not codes or code in codes} if first else ()
        yield {
            "qid": line.qid,
            "questions": as_data(conn, asked, codes),
            "results": [{"id": i, "score": score} for i, score in provisions(conn, asked, codes)],
            "decided": "answered" in states,
        }


COMMANDS = (ask_command,)
