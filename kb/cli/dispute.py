"""The command `whist dispute`: one question on the terminal, or many as JSON lines."""

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
from kb.cli.questions import questions
from kb.cli.signals import nothing_to_clear
from kb.read import cite, queries
from kb.read.domain import domain
from kb.read.store import open_store

if TYPE_CHECKING:
    from kb.dispute.hearing import Hearing
    from kb.dispute.settlement import Heard

_SHOWN = 3
_DEEP = 50
LONGEST = 20_000  # characters of a question
NOTHING = "The codes do not seem to have a rule on this. Try other words: who did what, and when?"


@click.command("dispute")
@click.argument("words", nargs=-1, type=TEXT)
@click.option("--code", "codes", multiple=True, type=TEXT, help="Only this code (may be repeated).")
@click.option("--limit", type=click.IntRange(1, 100), default=_SHOWN, show_default=True, help="Provisions per code.")
@click.option("--fact", type=TEXT, default="", help="The answer you give, as named under `It depends`.")
@click.option("--jsonl", is_flag=True, help='Answer JSON lines {"qid", "query"} on standard input.')
@DB
@JSON
def dispute_command(
    words: tuple[str, ...], codes: tuple[str, ...], limit: int, fact: str, jsonl: bool, db: Path, as_json: bool
) -> None:
    """Say what happened, and get the provisions that decide it, code by code.

    With --jsonl each line may also have `codes`, `kinds` and `exclude`. Answers have `qid`, `results` (`id`, `score`)
    and, if none of the codes has a rule, `"decided": false`.
    """
    with nothing_to_clear():
        from kb.dispute.settlement import as_data, settle
    with open_store(db) as conn:
        if jsonl:
            for answer in answered(conn, sys.stdin):
                click.echo(json.dumps(answer, ensure_ascii=False))
            return
        if not words:
            raise click.UsageError("Say what happened, in your own words.")
        _require_codes(conn, codes)
        question = " ".join(words)
        settled = settle(conn, question, codes, limit, fact)
        if as_json:
            code = codes[0] if len(codes) == 1 else None
            emit({"query": question, "code": code, "notes": []} | as_data(settled, str))
            return
        for word, other in settled.respelt.items():
            click.echo(f"{word!r} was read as {other!r}.")
        for issue in settled.heard:
            if issue.asked:
                click.echo(f"\n{issue.asked}")
            for line in _answer_lines(conn, issue):
                click.echo(line)


def _answer_lines(conn: sqlite3.Connection, issue: Heard) -> Iterator[str]:
    """Yield the answer of each code to an issue, as lines of text."""
    names = {code.id: code.short for code in queries.codes(conn)}
    if not issue.opinions:
        yield NOTHING
    if issue.unruled:
        yield "The codes do not seem to rule on questions like this one. What comes nearest in each:"
    if issue.depends:
        yield f"\nIt depends: {issue.depends.fact}"
        for branch in issue.depends.branches:
            answer, chosen = branch.answer, " (chosen)" * branch.chosen
            yield f"  {answer.words}: {' '.join(filter(None, (answer.result, f'--fact {answer.name}')))}{chosen}"
    for opinion in issue.opinions:
        if not opinion.decided:
            yield f"\n{names[opinion.code]}: seems to have no rule on this"
            if opinion.silent_on:
                yield f"  silent on the question: {opinion.silent_on.label}"
            for finding in opinion.findings:
                held = issue.held[finding.id]
                on = f"{held.question.label} {held.answer.summary}" if held.question and held.answer else held.gloss
                yield f"  nearest: {finding.id}: {on or ' '.join(held.unit.text.split())[:120]}"
            continue
        yield f"\n{names[opinion.code]}"
        for finding in opinion.findings:
            held = issue.held[finding.id]
            yield f"  {cite.plain(cite.cited(conn, held.pinpoint))}"
            yield f"    {held.gloss or ' '.join(held.unit.text.split())[:200]}"
            yield f"    {finding.id}, score {finding.score:.1f}: {_reasons(finding.why)}"


def _reasons(why: Iterable[tuple[str, float]]) -> str:
    return ", ".join(f"{kind} {share:.0%}" for kind, share in list(why)[:3])


def _require_codes(conn: sqlite3.Connection, codes: Iterable[str]) -> None:
    there = [code.id for code in queries.codes(conn)]
    for code in codes:
        if code not in there:
            raise QueryError(f"There is no code {code!r}; the codes are {', '.join(there)}.")


def answered(conn: sqlite3.Connection, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Answer questions given as JSON lines.

    Raises:
        QueryError: a line is not a JSON object with a `qid` and a `query`, or names an unknown code.
    """
    from kb.dispute.hearing import hear, put_right
    from kb.dispute.index import index_of

    for asked in questions(lines):
        codes = asked.names("codes")
        _require_codes(conn, codes)
        question = asked.query[:LONGEST]
        index = index_of(conn)
        found = hear(
            index, put_right(index, question, domain(conn).terms)[0], codes=codes, kinds=asked.names("kinds"),
            exclude=asked.names("exclude"), limit=_DEEP,
        )  # fmt: skip
        results = [{"id": finding.id, "score": finding.score} for finding in found.findings]
        yield {"qid": asked.qid, "results": results} | _decided(found, len(codes or index.of_code))


def _decided(found: Hearing, codes: int) -> dict[str, bool]:
    return {"decided": False} if len(found.undecided) == codes or not found.findings else {}


COMMANDS = (dispute_command,)
