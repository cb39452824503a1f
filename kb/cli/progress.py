"""Progress of long commands: a line for each step."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import click

_SHORT = 2.0  # seconds; shorter commands report nothing


def progress() -> Callable[[str], None]:
    """Return a function that reports a step on standard error, with the seconds since now."""
    begun = time.monotonic()

    def report(text: str) -> None:
        if (passed := time.monotonic() - begun) > _SHORT:
            with suppress(OSError):
                click.echo(f"{passed:6.1f} s  {text}", err=True)

    return report
