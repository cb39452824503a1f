"""The command `whist cite`: cite a provision, a code or a book, and check the citations of a text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import click

from extract.errors import QueryError
from kb.cite import formats
from kb.cite.verify import EXISTS, Verdict, compare, stands, verify
from kb.cli.options import BASE, DB, JSON, TEXT, emit
from kb.library import open_library

FORMS = ("plain", *formats.MANUALS, "short", "bibtex", "ris", "csl", "markdown")
LONGEST = 10_000_000  # bytes; a text of a thousand pages has three million


@click.command("cite")
@click.argument("cited", metavar="ID", type=TEXT, required=False)
@click.option("--style", "--format", "style", default="plain", show_default=True, type=click.Choice(FORMS))
@click.option("--quote", type=TEXT, help="Words to quote in the plain citation, if they stand in it exactly.")
@click.option("--verify", "file", type=click.File("rb"),
              help="Check the citations in a text; - is standard input.")  # fmt: skip
@BASE
@DB
@JSON
def cite_command(
    cited: str | None, style: str, quote: str | None, file: IO[bytes] | None, base: str, db: Path, as_json: bool
) -> None:  # fmt: skip
    """Cite a provision, a code or a book with its permalink, or check the citations in a text (--verify).

    A check exits with status 1 unless every citation was read and all words quoted beside it stand there exactly.
    """
    if (cited is None) == (file is None):
        raise click.UsageError("Name one provision, such as english-1864/law-72, or a text: --verify FILE.")
    if quote is not None and (cited is None or style != "plain"):
        raise click.UsageError("--quote needs a provision and the plain style.")
    with open_library(db) as library:
        conn = library.conn
        if file is not None:
            verdicts = verify(conn, _read(file), urlsplit(base).hostname or "")
            _tell(verdicts, as_json)
            sys.exit(0 if verdicts and all(verdict.right for verdict in verdicts) else 1)
        work, code, book = (cited or "").strip().strip("/").lower(), formats.whole_code, formats.whole_book
        whole = code(conn, work, f"{base}/code/{work}") or book(conn, work, f"{base}/book/{work}")
        if whole and quote is None:
            citations = formats.in_all_forms(whole)
        else:
            unit = library.unit(cited or "")
            citations = formats.citations_for(conn, unit, f"{base}/{unit.id}")
            if quote is not None and not stands(quote, unit.text):
                near = compare(quote, [unit.text]).law
                hint = f"; it has “{near}”" if near else ""
                raise QueryError(f"{unit.id} does not have the words “{quote}”{hint}.")
    if as_json:
        emit(citations if quote is None else asdict(citations) | {"words": quote})
    elif quote is not None:
        click.echo(f"{citations.plain}: “{quote}” <{citations.url}>")
    else:
        click.echo(getattr(citations, style))
        if style in ("plain", "short"):
            click.echo(citations.url)


def _read(file: IO[bytes]) -> str:
    try:
        data = file.read(LONGEST + 1)
    except OSError as error:
        raise QueryError("The file cannot be read.") from error
    if len(data) > LONGEST:
        raise QueryError(f"The file has more than {LONGEST:,} bytes; check it in parts.")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise QueryError("The file is not UTF-8 text.") from error


def _tell(verdicts: Sequence[Verdict], as_json: bool) -> None:
    """Print the result for each citation."""
    if as_json:
        emit({"citations": [asdict(verdict) | {"right": verdict.right} for verdict in verdicts]})
        return
    for verdict in verdicts:
        click.echo("\n".join(result_lines(verdict)))
    if not verdicts:
        click.echo(
            "No citation is read in this text; one names a work and a number: English laws, 1864, law 72.", err=True
        )


def result_lines(verdict: Verdict) -> list[str]:
    """Return a result as lines of text."""
    read = verdict.result if verdict.result != EXISTS else ", ".join(verdict.ids)
    alone = "" if verdict.quotations or verdict.result != EXISTS else " (no words beside it)"
    lines = [f"line {verdict.line}: {verdict.cited}: {read}{alone}"]
    if verdict.why:
        lines.append(f"  {verdict.why}")
    for quotation in verdict.quotations:
        where = f" in {', '.join(quotation.only)}" if quotation.only else ""
        lines.append(f"  “{quotation.words}”: {quotation.result}{where}")
        if quotation.law:
            lines.append(f"  it has: “{quotation.law}”")
        if quotation.difference:
            lines.append(f"  {quotation.difference}")
    return lines


COMMANDS = (cite_command,)
