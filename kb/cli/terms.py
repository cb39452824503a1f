"""The command that proposes terms for the thesaurus."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli.options import DB, JSON, emit
from kb.cli.signals import nothing_to_clear


@click.command("terms")
@click.option("--limit", type=click.IntRange(1, 2000), default=100, show_default=True, help="Most terms to propose.")
@DB
@JSON
def terms_command(limit: int, db: Path, as_json: bool) -> None:
    """Propose terms from the texts for thesaurus.toml, under the heading that uses each most."""
    with nothing_to_clear():
        from kb.concepts.terms import as_toml, propose_terms
        from kb.read.store import open_store

    with open_store(db) as conn:
        found = propose_terms(conn, limit)
    if as_json:
        emit(found)
    elif not found:
        click.echo("No terms to propose: there is too little text, or the thesaurus has them all.")
    else:
        click.echo(
            "\n".join(
                [
                    "# For thesaurus.toml. Keep those that are concepts, and merge those with the same meaning.",
                    *as_toml(found),
                ]
            )
        )


COMMANDS = (terms_command,)
