"""The command that settles disputes: one question on the terminal, or many as JSON lines."""

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
from kb.comparison.ruling import ruling
from kb.read import cite, queries
from kb.read.store import open_store

if TYPE_CHECKING:
    from kb.dispute.adjudication import Adjudication
    from kb.dispute.hearing import Hearing
    from kb.dispute.index import Index

_SHOWN = 3
_DEEP = 50
LONGEST = 20_000  # characters of a question


@click.command("dispute")
@click.argument("words", nargs=-1, type=TEXT)
@click.option("--code", "codes", multiple=True, type=TEXT, help="Only this code (may be repeated).")
@click.option("--limit", type=click.IntRange(1, 100), default=_SHOWN, show_default=True, help="Provisions of a code.")
@click.option("--jsonl", is_flag=True, help='Answer JSON lines {"qid", "query"} on standard input.')
@DB
@JSON
def dispute_command(
    words: tuple[str, ...], codes: tuple[str, ...], limit: int, jsonl: bool, db: Path, as_json: bool
) -> None:
    """Say what happened, and get the provisions that decide it, code by code.

    With --jsonl each line may also have `codes`, `kinds` and `exclude`; an answer has `qid`, `results` (`id`, `score`)
    and, where no code asked for says anything on the matter, `"decided": false`.
    """
    with nothing_to_clear():
        from kb.dispute.hearing import hear
        from kb.dispute.index import index_of
    with open_store(db) as conn:
        index = index_of(conn)
        if jsonl:
            for answer in answered(index, sys.stdin):
                click.echo(json.dumps(answer, ensure_ascii=False))
            return
        if not words:
            raise click.UsageError("Say what happened, in your own words.")
        _require_codes(index, codes)
        found = hear(index, " ".join(words), codes=codes, limit=limit)
        if as_json:
            emit([{"asked": issue.asked, "put": issue.put, "said": settled} for issue, settled in found.heard])
            return
        for issue, settled in found.heard:
            if issue.asked:
                click.echo(f"\n{issue.asked}")
            for line in _told(conn, settled, codes or index.codes, limit):
                click.echo(line)


def _told(conn: sqlite3.Connection, found: Adjudication, codes: Iterable[str], limit: int) -> Iterator[str]:
    """What each code says on an issue, in lines."""
    names = {code.id: code.short for code in queries.codes(conn)}
    for code in codes:
        yield f"\n{names[code]}" + (": says nothing on it; the nearest are" if code in found.undecided else "")
        for finding in found.of(code)[:limit]:
            unit = queries.unit(conn, finding.id)
            yield f"  {cite.plain(cite.cited(conn, unit))}"
            yield f"    {ruling(conn, unit).gloss or ' '.join(unit.text.split())[:200]}"
            yield f"    {finding.id}, score {finding.score:.1f}: {_reasons(finding.why)}"


def _reasons(why: Iterable[tuple[str, float]]) -> str:
    return ", ".join(f"{kind} {share:.0%}" for kind, share in list(why)[:3])


def _require_codes(index: Index, codes: Iterable[str]) -> None:
    for code in codes:
        if code not in index.codes:
            raise QueryError(f"There is no code {code!r}; the codes are {', '.join(index.codes)}.")


def answered(index: Index, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Answer questions given as JSON lines.

    Raises:
        QueryError: a line is no JSON object with a `qid` and a `query`, or asks for what does not exist.
    """
    from kb.dispute.hearing import hear

    for asked in questions(lines):
        codes = asked.names("codes")
        _require_codes(index, codes)
        found = hear(
            index, asked.query[:LONGEST], codes=codes, kinds=asked.names("kinds"), exclude=asked.names("exclude"),
            limit=_DEEP,
        )  # fmt: skip
        results = [{"id": finding.id, "score": finding.score} for finding in found.findings]
        yield {"qid": asked.qid, "results": results} | _decided(found, len(codes or index.codes))


def _decided(found: Hearing, codes: int) -> dict[str, bool]:
    return {"decided": False} if len(found.undecided) == codes else {}


COMMANDS = (dispute_command,)
