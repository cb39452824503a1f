"""Signals while modules are imported; it imports little itself, because it is imported first."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nothing_to_clear() -> Iterator[None]:
    """While large libraries load, a signal ends the process directly: imports might swallow an exception."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    handled = [number for number, handler in before.items() if callable(handler)]
    for number in handled:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, before[number])
