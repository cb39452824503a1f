"""Signals end the command line at once, and quietly."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """The process was asked to end; `status` is the exit status that shells give to such an end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def stop_on_signals() -> None:
    """Have a request to end raise `Stopped`, so that what is half done is cleared away; a second one ends at once.

    Ctrl-C goes on to raise KeyboardInterrupt. A signal that is ignored (`nohup`) stays so.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _stop(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise Stopped(number)


@contextmanager
def nothing_to_clear() -> Iterator[None]:
    """While large libraries are loaded a signal ends the process itself: an exception might be lost among imports."""
    before = {number: signal.getsignal(number) for number in ENDING}
    handled = [number for number, handler in before.items() if callable(handler)]
    for number in handled:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, before[number])
