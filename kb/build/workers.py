"""Where editions are made: a pool of processes that ends with its parent, or the workers of a Dask cluster."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait

from extract.errors import WhistError
from kb.build import RARELY

_PATIENCE = 10.0  # seconds in which a scheduler must answer
_KILLED = "A process at work was killed, perhaps for want of memory; make room and start again: what is done is cached."


@contextmanager
def workers(count: int | None = None) -> Iterator[Executor]:
    """A pool of processes; when the block is left by an error or a signal they are killed, not waited for.

    Args:
        count: how many processes; by default one for each processor.
    Raises:
        WhistError: a process was killed from outside.
    """
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, initializer=_begin)
    try:
        yield pool
    except BaseException as error:
        for child in set(multiprocessing.active_children()) - others:
            child.kill()
        if isinstance(error, BrokenProcessPool):
            raise WhistError(_KILLED) from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a Dask cluster; its scheduler gives the jobs of one that dies to another.

    Each must see the corpus under the path by which it is named here, and run the same release.

    Args:
        address: of the scheduler: `tcp://host:8786`.
    Raises:
        WhistError: Dask is not installed, the scheduler cannot be reached or was lost, or a job kills its workers.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.addressing import get_address_host_port
    except ImportError as error:
        raise WhistError("Dask is not installed; install the extra: pip install 'whist-law-library[dask]'.") from error
    try:
        # A client that cannot read its address ends in a traceback, long after it was refused.
        get_address_host_port(address if "://" in address else f"tcp://{address}", strict=True)
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise WhistError(
            f"No Dask scheduler answers at {address}; start `dask scheduler`, and name its address."
        ) from error
    with _unlogged(), client:
        try:
            yield client.get_executor(pure=False)
        except KilledWorker as error:
            raise WhistError(_KILLED) from error
        except (CancelledError, OSError) as error:
            if client.status == "running":
                raise
            raise WhistError(f"The scheduler at {address} was lost; start it again, and build again.") from error


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep Dask from logging tracebacks of errors that are reported in a sentence."""
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        yield
    finally:
        logging.disable(before)


def _begin() -> None:
    """Set up a new process: the garbage collector need not look through what the parent holds."""
    gc.freeze()
    gc.set_threshold(*RARELY)
    # Ctrl-C is the parent's business; when the parent is gone, this process ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
