"""The command `whist cite`: cite a provision, quote it, and check the citations of a text."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import IO

import click

from extract.errors import QueryError
from kb.citing.places import on_its_page
from kb.citing.quotation import quoted
from kb.citing.verification import CitationVerdict, verify
from kb.cli.options import BASE, DB, JSON, TEXT, emit
from kb.cli.reader import find
from kb.cite import formats
from kb.read.store import open_store

FORMS = ("plain", *formats.MANUALS, "short", "bibtex", "ris", "csl", "markdown")
# Bytes; a text of a thousand pages has three million.
LONGEST, MOST_CITATIONS = 10_000_000, 10_000


@click.command("cite")
@click.argument("unit_id", type=TEXT, required=False)
@click.option("--style", "--format", "style", default="plain", show_default=True, type=click.Choice(FORMS))
@click.option("--quote", type=TEXT, help="Words to quote in the plain citation, with their hash.")
@click.option("--verify", "file", type=click.File("rb"),
              help="Check the citations in a text; - is standard input.")  # fmt: skip
@BASE
@DB
@JSON
def cite_command(
    unit_id: str | None, style: str, quote: str | None, file: IO[bytes] | None, base: str, db: Path, as_json: bool
) -> None:  # fmt: skip
    """Cite a provision with its permalink, or check the citations in a text (--verify).

    A check exits with status 1 unless all citations are unchanged and all quotations beside them were checked.
    """
    if (unit_id is None) == (file is None):
        raise click.UsageError("Name one provision, such as CODE/UNIT, or a text: --verify FILE.")
    if quote is not None and (unit_id is None or style != "plain"):
        raise click.UsageError("--quote needs a provision and the plain style.")
    with open_store(db) as conn:
        if file is not None:
            verdicts, note = verify(conn, _read(file), base, MOST_CITATIONS)
            _tell(verdicts, note, as_json)
            if not all(verdict.correct for verdict in verdicts):
                sys.exit(1)
            return
        unit = find(conn, unit_id or "")
        if quote:
            unit = on_its_page(conn, unit, quote)
        citations = formats.citations_for(conn, unit, f"{base.rstrip('/')}/{unit.id}")
        carried = None if quote is None else quoted(unit, citations.plain, citations.url, quote)
    if as_json:
        emit(citations if carried is None else carried)
        return
    click.echo(getattr(citations, style) if carried is None else carried.line)
    if carried is None and style in ("plain", "short"):
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


def _tell(verdicts: list[CitationVerdict], note: str, as_json: bool) -> None:
    """Print the result for each citation."""
    if as_json:
        emit({"citations": [_told(verdict) for verdict in verdicts], "note": note})
    else:
        for verdict in verdicts:
            click.echo("\n".join(result_lines(verdict)))
        if note or not verdicts:
            none = "No citations found; a citation names a work and a number, or has an id such as CODE/UNIT."
            click.echo(note or none, err=True)


def _told(verdict: CitationVerdict) -> dict[str, object]:
    """A result with all its attributes."""
    claim = asdict(verdict.claim) | {"id": verdict.claim.id}
    return asdict(verdict) | {"claim": claim, "altered": verdict.altered, "inferred": verdict.inferred}


def result_lines(verdict: CitationVerdict) -> list[str]:
    """Return a result as lines of text."""
    claim = verdict.claim
    quoted = f" “{claim.words}”" if claim.words else " (no quotation)" if verdict.unit and not claim.letters else ""
    lines = [f"{verdict.result}: {claim.cited}{quoted}", *(f"  {remark}" for remark in verdict.remarks)]
    if verdict.citation and (verdict.status != "unchanged" or verdict.altered):
        lines.append(f"  cite: {verdict.citation}")
    return lines


COMMANDS = (cite_command,)
