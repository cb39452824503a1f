"""How a long command tells how far it is: on a terminal in one line that changes, in a log line by line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import click

_SHORT = 2.0  # seconds; a log need not tell of what takes no longer


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A function that tells, on standard error, what has been done or is being done, with the seconds since the start.

    It has no thread, since processes are forked while it tells.
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

        def tell(text: str) -> None:
            if not show:
                show.append(_screen(open_))
            show[0](_line(begun, text))

        yield tell


def _screen(open_: ExitStack) -> Callable[[str], None]:
    """A line of the terminal that is written anew each time, and goes when the stack is closed."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    live = open_.enter_context(Live(console=Console(stderr=True), auto_refresh=False, transient=True))
    return lambda line: live.update(Text(line, overflow="ellipsis", no_wrap=True), refresh=True)


def _line(begun: float, text: str) -> str:
    return f"{time.monotonic() - begun:6.1f} s  {text}"
