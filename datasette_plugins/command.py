"""The command line `whist`: all commands of the project in one list."""

from __future__ import annotations

from pathlib import Path

import click

from datasette_plugins.publishing.command import export_command, public_address
from extract.errors import WhistError
from kb.cli import add, builder, citing, dispute, editor, reader
from kb.cli.options import DB, JSON, emit
from kb.cli.running import run
from kb.read.store import open_store


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8001, show_default=True)
@click.option("--url", callback=public_address, help="The public address, for permalinks: https://whist.example.")
@click.option("--edit", is_flag=True, help="With the editor's pages (/editor); on this machine alone.")
@DB
@JSON
def serve_command(host: str, port: int, url: str | None, edit: bool, db: Path, as_json: bool) -> None:
    """Serve the knowledge base on http://127.0.0.1:8001, read-only; a new build of the file is taken up by itself."""
    from datasette_plugins.serving import server

    if edit and url:
        raise WhistError("The editor's pages have no public address; leave out --url or --edit.")
    with open_store(db, sound=True):
        pass
    with server.listen(host, port, alone=edit) as listening:
        here = f"http://{server.written(host, port)}"
        if as_json:
            emit({"url": url or here, "db": str(db)})
        else:
            click.echo(f"The law library of whist: {here}{'/editor' if edit else ''} (stop with Ctrl-C)")
        server.serve(db, listening, url, edit)


@click.group(
    commands=[
        *add.COMMANDS,
        *builder.COMMANDS,
        serve_command,
        *reader.COMMANDS,
        *citing.COMMANDS,
        *dispute.COMMANDS,
        *editor.COMMANDS,
        export_command,  # in the place of kb's, which knows of no pages
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="whist-law-library")
def cli() -> None:
    """The law library of whist: four treatises, five codes, 1829-1894."""


def main() -> None:
    """The console command `whist`."""
    run(cli)
