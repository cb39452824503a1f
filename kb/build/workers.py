"""A pool of processes that ends with its parent, however the parent ends."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import ParamSpec, TypeVar

from extract.errors import WhistError

_P = ParamSpec("_P")
_T = TypeVar("_T")
_SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


@contextmanager
def workers(count: int) -> Iterator[Executor]:
    """A pool of processes; when the block is left by an error or a signal they are killed, not waited for.

    Args:
        count: how many processes.
    Raises:
        WhistError: a process was killed from outside.
    """
    others = set(multiprocessing.active_children())
    pool = _Pool(count, initializer=_begin)
    try:
        yield pool
    except BaseException as error:
        for child in set(multiprocessing.active_children()) - others:
            child.kill()
        if isinstance(error, BrokenProcessPool):
            raise WhistError(
                "A process that makes an edition was killed, perhaps for want of memory; make room and start again."
            ) from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _Pool(ProcessPoolExecutor):
    """Holds signals back while processes start, so that none meets one before it knows what to do."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        held = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _begin() -> None:
    """Get ready in a new process: what it has from its parent stays, so the collector need not look through it."""
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    _follow_parent()


def _follow_parent() -> None:
    """Leave Ctrl-C to the parent, and end when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
