"""The command that starts a library."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

import click

from extract.errors import WhistError
from kb.cli.options import JSON, emit

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


COMMANDS = (init_command,)
