"""What the commands share: options, the corpus folder, JSON output."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import click

from extract.errors import BookError


class _Text(click.ParamType[str]):
    """An argument that must be UTF-8: other bytes arrive as lone surrogates, which match nothing."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            str(value).encode("utf-8")
        except UnicodeEncodeError:
            self.fail(f"{value!a} is not valid UTF-8; type it again.", param, ctx)
        return str(value)


TEXT = _Text()
DB = click.option("--db", type=click.Path(path_type=Path), default=Path("whist.db"), show_default=True,
                  help="The knowledge base.")  # fmt: skip
CORPUS = click.option("--corpus", type=click.Path(path_type=Path), help="The folder of books.  [default: corpus]")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_ADDRESS = re.compile(r"https?://(?:[a-zA-Z0-9.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?(?:/[\w.~-]+)*/?", re.ASCII)


def public_address(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Check the public URL of the library, and return it without a final slash."""
    if value is not None and not _ADDRESS.fullmatch(value):
        raise click.BadParameter(
            "write it as https://whist.example or https://example.org/whist, without a name, blanks or other letters."
        )
    return value and value.rstrip("/")


BASE = click.option("--base", type=TEXT, default="http://127.0.0.1:8001", show_default=True, callback=public_address,
                    envvar="WHIST_BASE", show_envvar=True,
                    help="The address of the library, for permalinks.")  # fmt: skip


def find_corpus(given: Path | None) -> Path:
    """Return the corpus folder: the given one, or ./corpus.

    Raises:
        BookError: there is none.
    """
    folder = given or Path("corpus")
    if not folder.is_dir():
        raise BookError(f"There is no corpus at {folder}; name it with --corpus DIR.")
    return folder


def emit(data: Any) -> None:
    """Print JSON; dataclasses become objects."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)
