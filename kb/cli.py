"""The command line: `whist build | serve | search | show | compare | cite | check`."""

from __future__ import annotations

from pathlib import Path

import click

from extract.errors import WhistError
from kb.build import build


@click.group()
def cli() -> None:
    """The law library of whist."""


@cli.command("build")
@click.option("--db", type=click.Path(path_type=Path), default=Path("whist.db"))
@click.option("--corpus", type=click.Path(path_type=Path), default=Path("corpus"))
@click.option("--unaided", is_flag=True)
def build_command(db: Path, corpus: Path, unaided: bool) -> None:
    """Build."""
    build(corpus, db, unaided=unaided)


def main() -> None:
    """Run the command line; an error is one sentence and exit status 2."""
    try:
        cli(standalone_mode=True)
    except WhistError as error:
        click.echo(f"whist: {error}", err=True)
        raise SystemExit(2) from error
