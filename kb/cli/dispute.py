"""The command `whist dispute`: one question on the terminal, or many as JSON lines."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
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
from kb.search.facets import codes_named

if TYPE_CHECKING:
    from kb.dispute.hearing import Hearing
    from kb.dispute.opinion import Holding
    from kb.dispute.settlement import IssueResult, Settlement

_SHOWN = 3
_DEEP = 50
LONGEST = 20_000  # characters of a question
UNMATCHED = "The library could not match this to a rule. Try other words: who did what, and when?"
UNRULED = "None of the codes seems to rule on this. If one might, try other words: who did what, and when?"


@click.command("dispute")
@click.argument("words", nargs=-1, type=TEXT)
@click.option("--code", "codes", multiple=True, type=TEXT, help="Only this code, by id or year (may be repeated).")
@click.option("--limit", type=click.IntRange(1, 100), default=_SHOWN, show_default=True, help="Provisions per code.")
@click.option(
    "--fact", "facts", multiple=True, type=TEXT, help="Your answer to a follow-up question (may be repeated)."
)
@click.option("--jsonl", is_flag=True, help='Answer JSON lines {"qid", "query"} on standard input.')
@DB
@JSON
def dispute_command(
    words: tuple[str, ...],
    codes: tuple[str, ...],
    limit: int,
    facts: tuple[str, ...],
    jsonl: bool,
    db: Path,
    as_json: bool,
) -> None:
    """Say what happened, and get the provisions that decide it, code by code.

    With --jsonl each line may also have `codes`, `kinds` and `exclude`. Answers have `qid`, `results` (`id`, `score`)
    and, if none of the codes has a rule, `"decided": false`.
    """
    with nothing_to_clear():
        from kb.dispute.serialisation import as_data
        from kb.dispute.settlement import settle
    with open_store(db) as conn:
        if jsonl:
            for answer in answered(conn, sys.stdin):
                click.echo(json.dumps(answer, ensure_ascii=False))
            return
        if not words:
            raise click.UsageError("Say what happened, in your own words.")
        codes = _codes(conn, codes)
        question = " ".join(words)
        settled = settle(conn, question, codes, limit, facts)
        _require_facts(settled)
        if as_json:
            code = codes[0] if len(codes) == 1 else None
            emit({"query": question, "code": code, "notes": []} | as_data(settled, str))
            return
        for word, other in settled.respelt.items():
            click.echo(f"{word!r} was read as {other!r}.")
        if settled.off_topic:
            subject = domain(conn).library.subject or "the subject of this library"
            click.echo(f"This does not seem to be about {subject}.")
            return
        for issue in settled.heard:
            if issue.question:
                click.echo(f"\n{issue.question}")
            for line in _answer_lines(conn, issue, codes):
                click.echo(line)


def _answer_lines(conn: sqlite3.Connection, issue: IssueResult, codes: Sequence[str]) -> Iterator[str]:
    """Yield the answer of each code to an issue, as lines of text."""
    names = {code.id: code.short for code in queries.codes(conn)}
    if not issue.opinions or issue.unruled:
        yield UNRULED if issue.unruled else UNMATCHED
    for follow_up in issue.followed_up:
        yield f"\n{'Not certain' if follow_up == issue.which else 'It depends'}: {follow_up.fact}"
        for branch in follow_up.branches:
            answer, chosen = branch.answer, " (chosen)" * branch.chosen
            result = branch.result_in(codes[0]) if len(codes) == 1 else answer.result
            follows = "" if answer.words == branch.question.label else f": {result or branch.question.label}"
            yield f"  {answer.words}{follows} --fact {answer.name}{chosen}"
    for opinion in () if issue.unruled else issue.opinions:
        name = names[opinion.code]
        if opinion.decided or opinion.elsewhere:
            yield f"\n{name}"
        elif opinion.silent_on:
            printed = opinion.silent_on.state(opinion.code) != "not printed"
            found = "the editor looked for a rule and found none" if printed else "its book omits such rules"
            yield f"\n{name}: if you mean “{opinion.silent_on.label}”, {found}."
        else:
            yield f"\n{name}: no rule matches this."
        for text in opinion.elsewhere:
            yield from _text_lines(conn, text)
        if opinion.best and not opinion.decided:
            yield "  Related (about something else):"
        for held in filter(None, (opinion.best, *(opinion.others if opinion.decided else ()))):
            yield from _text_lines(conn, held)


def _text_lines(conn: sqlite3.Connection, held: Holding) -> Iterator[str]:
    """Yield the citation of a text, and its answer with the deciding words, as lines of text."""
    yield f"  {cite.plain(cite.cited(conn, held.pinpoint))}"
    if held.question and held.answer:
        yield f"    {held.question.label} {held.answer.summary}"
        here = (words for unit, words in held.answer.deciding if f"{unit}/".startswith(f"{held.unit.id}/"))
        yield from (f"    “{' '.join(words.split())}”" for words in here)
    else:
        yield f"    {held.gloss or ' '.join(held.unit.text.split())[:200]}"


def _codes(conn: sqlite3.Connection, given: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the codes that are named by id, year or a part of the title."""
    found: dict[str, None] = {}
    for name in given:
        if not (named := codes_named(conn, name)):
            there = ", ".join(code.id for code in queries.codes(conn))
            raise QueryError(f"There is no code {name!r}; the codes are {there}.")
        found |= dict.fromkeys(named)
    return tuple(found)


def _require_facts(settled: Settlement) -> None:
    if settled.ignored:
        asked = ", ".join(dict.fromkeys(branch.answer.name for branch in settled.branches))
        values = f"the values are {asked}" if asked else "nothing is asked here, so leave --fact out"
        raise click.BadParameter(f"{settled.ignored[0]!r} is not an answer to a question asked here; {values}.",
                                 param_hint="--fact")  # fmt: skip


def answered(conn: sqlite3.Connection, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Answer questions given as JSON lines.

    Raises:
        QueryError: a line is not a JSON object with a `qid` and a `query`, or names an unknown code.
    """
    from kb.dispute.hearing import correct_words, hear
    from kb.dispute.index import index_of

    for asked in questions(lines):
        codes = _codes(conn, asked.names("codes"))
        question = asked.query[:LONGEST]
        index = index_of(conn)
        found = hear(
            index, correct_words(index, question, domain(conn).terms)[0], codes=codes, kinds=asked.names("kinds"),
            exclude=asked.names("exclude"), limit=_DEEP,
        )  # fmt: skip
        results = [{"id": finding.id, "score": finding.score} for finding in found.findings]
        yield {"qid": asked.qid, "results": results} | _decided(found, len(codes or index.of_code))


def _decided(found: Hearing, codes: int) -> dict[str, bool]:
    return {"decided": False} if len(found.undecided) == codes or not found.findings else {}


COMMANDS = (dispute_command,)
