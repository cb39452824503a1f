"""The command `whist export`: adds the static copy of the site to the formats of `kb.cli.builder`."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click

from kb.build.workers import workers
from kb.cli import builder
from kb.cli.options import public_address
from kb.cli.progress import progress
from kb.cli.signals import nothing_to_clear

_KB = builder.export_command


@click.command("export", params=[
    click.Option(["--site"], type=click.Path(path_type=Path),
                 help="Write a static copy of the site into this folder; needs --url."),
    click.Option(["--url"], callback=public_address, help="The public address of the static copy: https://whist.example."),
    *_KB.params,
])  # fmt: skip
@click.pass_context
def export_command(ctx: click.Context, /, site: Path | None, url: str | None, **others: Any) -> None:
    """Export the library as TEI, CSV or JSON, or a static copy of the site."""
    if site:
        if url is None:
            raise click.UsageError("--site needs the public address of the copy, for its permalinks: --url https://…")
        _copy(others["db"], site, url)
    if not site or any(others[name] for name in ("tei", "csv", "as_json")):
        ctx.invoke(_KB, **others)


def _copy(db: Path, site: Path, url: str) -> None:
    with nothing_to_clear():
        from datasette_plugins.publishing.site import copy_site
    begun = time.monotonic()
    with workers(os.cpu_count() or 1) as pool, progress() as report:
        copy = copy_site(db, site, url, pool, report)
    kinds = ", ".join(f"{count} {kind}" for kind, count in copy.kinds.most_common())
    click.echo(
        f"{copy.kinds.total()} files in {site}, {copy.size / 1e6:.0f} MB, {time.monotonic() - begun:.0f} s: {kinds}"
    )


COMMANDS = (export_command,)
