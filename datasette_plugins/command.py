"""The whole command line: the knowledge base's commands, and `serve`."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import click

from kb import cli_editor as _editor_commands  # noqa: F401  (registers its commands)
from kb.cli import DB, JSON, cli, emit, run
from kb.store import open_store


def _public(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    try:
        url = urlsplit(value)
        whole = url.scheme in ("http", "https") and url.hostname and not url.query and not url.fragment
        url.port  # noqa: B018  (raises if it is none)
    except ValueError:
        whole = None
    if not whole:
        raise click.BadParameter("write it as https://whist.example or https://example.org/whist.")
    return value.rstrip("/")


@cli.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8001, show_default=True)
@click.option("--url", callback=_public, help="The public address, for permalinks: https://whist.example.")
@DB
@JSON
def serve_command(host: str, port: int, url: str | None, db: Path, as_json: bool) -> None:
    """Serve the knowledge base on http://127.0.0.1:8001, read-only; a new build of the file is taken up by itself."""
    from datasette_plugins import server

    with open_store(db, sound=True):
        pass
    with server.listen(host, port) as listening:
        here = f"http://{server.written(host, port)}"
        if as_json:
            emit({"url": url or here, "db": str(db)})
        else:
            click.echo(f"The law library of whist: {here} (stop with Ctrl-C)")
        server.serve(db, listening, url)


def main() -> None:
    """The console command `whist`."""
    run(cli)
