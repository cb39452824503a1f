"""Where work is done: a pool of processes that ends with its parent, or any executor; who dies at it is replaced."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from multiprocessing.connection import wait as wait_for
from types import TracebackType
from typing import ParamSpec, TypeVar

from extract.errors import WhistError
from kb.build import RARELY

_P = ParamSpec("_P")
_T = TypeVar("_T")
_J = TypeVar("_J")
_SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
_AHEAD = 64  # jobs handed out and not yet come back, so that neither jobs nor results pile up
_TRIES = 3  # where so many pools come to nothing, so will the next
_PATIENCE = 10.0  # seconds in which a scheduler must answer
_KILLED = "A process at work was killed, perhaps for want of memory; make room and start again."


class Crew:
    """Does jobs side by side; the processes of its own pool are replaced when one of them is killed.

    The pool is made for the first job, so that a crew that gets none costs nothing.
    """

    def __init__(self, executor: Executor | None = None, count: int | None = None) -> None:
        """Make ready.

        Args:
            executor: where jobs are done; by default a pool of processes.
            count: how many processes the pool has; by default one for each processor.
        """
        self._given, self._count = executor, count or os.cpu_count() or 1
        self._pools = ExitStack()
        self._pool: Executor | None = None
        self._replaced = 0
        self._in_vain = 0  # pools replaced since the last job was done

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pools.__exit__(kind, error, trace)

    def each(self, work: Callable[[_J], _T], jobs: Iterable[_J]) -> Iterator[tuple[_J, _T]]:
        """Have jobs done; the first are begun at once.

        Args:
            work: a pure function that can be pickled; it may be called twice for a job whose process was killed.
            jobs: what to do it with, asked for as hands are free.
        Returns:
            Each job with its result, once, in the order in which they are done.
        Raises:
            WhistError: what a job raised, or processes were killed at one again and again.
        """
        begun: dict[Future[_T], tuple[_J, int]] = {}
        rest, lost = iter(jobs), deque[_J]()  # those lost come last: one that kills must not hold up the others

        def hand_out() -> None:
            for job in islice(chain(rest, _taken(lost)), _AHEAD - len(begun)):
                begun[self._submit(work, job)] = job, self._replaced

        def come() -> Iterator[tuple[_J, _T]]:
            try:
                while begun:
                    for future in wait(begun, return_when=FIRST_COMPLETED).done:
                        job, pool = begun.pop(future)
                        try:
                            result = future.result()
                        except BrokenExecutor as error:
                            self._replace(pool, error)
                            lost.append(job)
                            continue
                        self._in_vain = 0
                        hand_out()
                        yield job, result
                    hand_out()
            finally:
                for future in begun:
                    future.cancel()

        hand_out()
        return come()

    def _submit(self, work: Callable[[_J], _T], job: _J) -> Future[_T]:
        while True:
            try:
                return self._hands().submit(work, job)
            except BrokenExecutor as error:
                self._replace(self._replaced, error)

    def _hands(self) -> Executor:
        if self._given:
            return self._given
        if self._pool is None:
            self._pool = self._pools.enter_context(workers(self._count))
        return self._pool

    def _replace(self, pool: int, error: Exception) -> None:
        """Have a new pool, if that in which a process was killed has not been replaced already."""
        if self._given or (pool == self._replaced and self._in_vain >= _TRIES):
            raise WhistError(_KILLED) from error
        if pool == self._replaced and self._pool:
            self._pool.shutdown(cancel_futures=True)  # it has ended its other processes itself
            self._pool = None
            self._replaced += 1
            self._in_vain += 1


def _taken(jobs: deque[_J]) -> Iterator[_J]:
    while jobs:
        yield jobs.popleft()


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
    except ImportError as error:
        raise WhistError("Dask is not installed; install the extra: pip install 'whist-law-library[dask]'.") from error
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise WhistError(
            f"No Dask scheduler answers at {address}; start `dask scheduler`, and name its address."
        ) from error
    with client:
        try:
            yield client.get_executor(pure=False)
        except KilledWorker as error:
            raise WhistError(_KILLED) from error
        except (CancelledError, OSError) as error:
            if client.status == "running":
                raise
            raise WhistError(f"The scheduler at {address} was lost; start it again, and build again.") from error


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
    gc.set_threshold(*RARELY)
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
    wait_for([sentinel])
    os._exit(1)
