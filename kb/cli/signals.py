"""Ends the command line on signals, without a traceback."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """The process received a signal to end; `status` is the exit status that shells use."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def stop_on_signals() -> None:
    """Let SIGTERM and SIGHUP raise `Stopped`, so that unfinished files are removed; a second one ends at once.

    Ctrl-C still raises KeyboardInterrupt. Ignored signals (`nohup`) stay ignored.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _stop(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise Stopped(number)


@contextmanager
def nothing_to_clear() -> Iterator[None]:
    """While large libraries load, a signal ends the process directly: imports might swallow an exception."""
    before = {number: signal.getsignal(number) for number in ENDING}
    handled = [number for number, handler in before.items() if callable(handler)]
    for number in handled:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, before[number])
