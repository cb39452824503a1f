"""Commands that start a library: create it, and propose terms for its thesaurus."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

import click

from extract.errors import WhistError
from kb.cli.options import DB, JSON, emit
from kb.cli.signals import nothing_to_clear

_FILES = ("library.toml", "README.md")


@click.command("init")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@JSON
def init_command(folder: Path, as_json: bool) -> None:
    """Create an empty library: a library.toml to fill in, and a README with the next steps."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise WhistError(f"{folder} is not empty; name a new folder.")
        for name in _FILES:
            text = (importlib.resources.files("kb") / "data" / "init" / name).read_text(encoding="utf-8")
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise WhistError(f"{folder} cannot be written ({error.strerror}); name another folder.") from error
    if as_json:
        emit({"folder": str(folder), "files": _FILES})
        return
    click.echo(f"Created an empty library in {folder}: edit library.toml, then follow README.md.")


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


COMMANDS = (init_command, terms_command)
