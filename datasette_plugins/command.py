"""The command line `whist`: all commands of the project in one list."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import click

from kb.cli.options import DB, JSON, emit, public_address
from kb.cli.running import run
from kb.cli.signals import nothing_to_clear


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8001, show_default=True)
@click.option("--url", callback=public_address, help="The public address, for permalinks: https://whist.example.")
@click.option("--reload", is_flag=True, help="Start again when a new build replaces the file.")
@DB
@JSON
def serve_command(host: str, port: int, url: str | None, reload: bool, db: Path, as_json: bool) -> None:
    """Serve the knowledge base on http://127.0.0.1:8001, read-only."""
    from datasette_plugins.serve import serve

    here = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def tell() -> None:
        if as_json:
            emit({"url": url or here, "db": str(db)})
        else:
            click.echo(f"The library is at {here} (stop with Ctrl-C)")
        sys.stdout.flush()

    serve(db, host, port, url, tell, reload=reload)


COMMANDS = (serve_command,)


class _Commands(click.Group):
    """All commands by name; the module of a command is imported only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_WHERE)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _WHERE:
            return None
        with nothing_to_clear():
            commands: tuple[click.Command, ...] = import_module(_WHERE[cmd_name]).COMMANDS
        return next(command for command in commands if command.name == cmd_name)


_WHERE = {
    "add": "kb.cli.add",
    "build": "kb.cli.builder",
    "check": "kb.cli.builder",
    "evaluate": "kb.cli.builder",
    "fit": "kb.cli.builder",
    "serve": "datasette_plugins.command",
    "search": "kb.cli.reader",
    "show": "kb.cli.reader",
    "compare": "kb.cli.reader",
    "cite": "kb.cli.citing",
    "ask": "kb.cli.reader",
    "suggest": "kb.cli.editor",
    "judge": "kb.cli.editor",
    "export": "kb.cli.builder",
}


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="whist-law-library")
def cli() -> None:
    """Build the law library of whist from scanned books, and search, compare and cite it."""


def main() -> None:
    """The console command `whist`."""
    run(cli)
