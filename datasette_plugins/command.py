"""The whole command line: the knowledge base's commands, and `serve`."""

from __future__ import annotations

import socket
from pathlib import Path

import click

from extract.errors import WhistError
from kb import cli_editor as _editor_commands  # noqa: F401  (registers its commands)
from kb.cli import DB, JSON, cli, emit, run
from kb.store import open_store


@cli.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8001, show_default=True)
@DB
@JSON
def serve_command(host: str, port: int, db: Path, as_json: bool) -> None:
    """Serve the knowledge base on http://127.0.0.1:8001, read-only."""
    from datasette_plugins import serve

    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        raise WhistError(f"{host}:{port} is taken or not allowed; choose another --port.") from error
    with open_store(db, sound=True):
        url = f"http://{host}:{port}"
        if as_json:
            emit({"url": url, "db": str(db)})
        else:
            click.echo(f"The law library of whist: {url} (stop with Ctrl-C)")
    serve(db, host, port)


def main() -> None:
    """The console command `whist`."""
    run(cli)
