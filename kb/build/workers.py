"""A pool of processes that ends with its parent."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait

from extract.errors import WhistError
from kb.build import RARELY

_KILLED = "A build process was killed, perhaps for lack of memory; free some and start again."


@contextmanager
def workers(count: int | None = None) -> Iterator[Executor]:
    """Yield a pool of processes; on an error or a signal the processes are killed, not waited for.

    Args:
        count: how many processes; by default one for each processor.
    Raises:
        WhistError: a process was killed from outside.
    """
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, initializer=_set_up)
    try:
        yield pool
    except BaseException as error:
        for child in set(multiprocessing.active_children()) - others:
            child.kill()
        # If a process was killed while it sent a result, the pool waits for the rest of it until the pipe is closed.
        pool._result_queue._writer.close()  # type: ignore[attr-defined]
        if isinstance(error, BrokenProcessPool):
            raise WhistError(_KILLED) from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _set_up() -> None:
    """Set up a new process: the garbage collector ignores objects of the parent, and signals get their handlers."""
    gc.freeze()
    gc.set_threshold(*RARELY)
    # The parent handles Ctrl-C; when the parent is gone, this process ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
