"""The editions of all books, made by two or more processes that end with their parent."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from functools import partial
from multiprocessing.connection import wait

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.errors import WhistError
from extract.model import Edition

Progress = Callable[[str], None]
RARELY = 200_000, 20, 100
"""Garbage collector thresholds for a process that only builds: it has many objects and few reference cycles."""
_KILLED = "A build process was killed, perhaps for lack of memory; free some and start again."


def make_editions(
    books: Sequence[Book], *, unaided: bool, workers: int | None = None, progress: Progress = print
) -> list[Edition]:
    """Make the edition of each book.

    Args:
        books: the books.
        unaided: ignore the editor's files.
        workers: how many processes make them, by default one for each processor; if 1, this one does.
        progress: called with a sentence when an edition is made.
    Returns:
        The editions, in the order of the books.
    Raises:
        WhistError: a book is invalid, or a process was killed.
    """
    progress(f"{len(books)} books")
    # The longest scans come first, so that no process works on one alone at the end.
    order = sorted(books, key=lambda book: book.scan_path.stat().st_size if book.scan_path.exists() else 0)[::-1]
    made: dict[str, Edition] = {}
    with nullcontext() if workers == 1 else processes(workers) as pool:
        for edition in (pool.map if pool else map)(partial(make_edition, unaided=unaided), order):
            made[edition.book_id] = edition
            progress(f"{edition.book_id} made: {len(made)} of {len(books)} books")
    return [made[book.id] for book in books]


@contextmanager
def processes(count: int | None) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes; on an error or a signal they are killed, not waited for.

    Args:
        count: how many; by default one for each processor.
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
        # If a process was killed while it sent a result, the pool waits for the rest of it until the pipe is closed.
        pool._result_queue._writer.close()  # type: ignore[attr-defined]
        if isinstance(error, BrokenProcessPool):
            raise WhistError(_KILLED) from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Set up a new process: the garbage collector ignores objects of the parent, which also handles the signals."""
    gc.freeze()
    gc.set_threshold(*RARELY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """End this process when the parent is gone."""
    wait([sentinel])
    os._exit(1)
