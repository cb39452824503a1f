"""Progress of long commands: one changing line on a terminal, otherwise a line per step."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import click

_SHORT = 2.0  # seconds; shorter commands log nothing


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Yield a function that reports a step on standard error, with the seconds since the start.

    It uses no thread, because the command may fork processes.
    """
    begun = time.monotonic()

    def log(text: str) -> None:
        if time.monotonic() - begun > _SHORT:
            with suppress(OSError):
                click.echo(_line(begun, text), err=True)

    if sys.stderr is None or not sys.stderr.isatty():
        yield log
        return
    with ExitStack() as open_:
        show: list[Callable[[str], None]] = []

        def report(text: str) -> None:
            if not show:
                show.append(_screen(open_))
            show[0](_line(begun, text))

        yield report


def _screen(open_: ExitStack) -> Callable[[str], None]:
    """Return a function that shows a message in place of the one before; the last disappears when the stack closes."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    live = open_.enter_context(Live(console=Console(stderr=True), auto_refresh=False, transient=True))
    return lambda line: live.update(Text(line, overflow="ellipsis", no_wrap=True), refresh=True)


def _line(begun: float, text: str) -> str:
    return f"{time.monotonic() - begun:6.1f} s  {text}"
