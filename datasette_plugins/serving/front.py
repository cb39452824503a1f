"""The server's front: it answers each request from one build, and takes up a new build as a whole.

Datasette opens the file lazily, once in every thread, and remembers its hash. Were the file replaced under it, some
threads would read the old build and some the new one. So each build is copied to a private place and has a Datasette of
its own; the front holds the one that is current, and ends the one before when its last request has been answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from datasette_plugins import library
from datasette_plugins.answering.headers import Receive, Scope, Send
from datasette_plugins.serving import application
from extract.errors import DatabaseError
from kb.dispute.index import index_of
from kb.search.catalogue import catalogue_of

log = logging.getLogger("whist.site")
# Seconds between two looks at the file; it is taken up when it has not changed between two of them.
EVERY = 0.5
Stamp = tuple[int, int, int, int]
_PREFIX = "whist-serve-"


def stamp(path: Path) -> Stamp | None:
    """What tells one state of a file from another without reading it; nothing if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size


class PrivateFolder:
    """A private folder, gone when its server is, however that ended.

    It is locked while its server lives. The system gives the lock back even of a process that was killed, so a lock
    that can be had tells the next server that the folder is a remnant. (A file whose name is removed as soon as it is
    open would be found by the first connection only: SQLite opens files by their names, one connection a thread.)

    Raises:
        OSError: none can be made.
    """

    def __init__(self) -> None:
        while True:
            self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
            with contextlib.suppress(FileNotFoundError):  # another server may have swept it away before it was locked
                self._lock = _open(self.folder)
                fcntl.flock(self._lock, fcntl.LOCK_EX)
                if self.folder.is_dir():
                    return
                os.close(self._lock)

    def close(self) -> None:
        """Remove the folder with all that is in it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._lock)


def _sweep() -> None:
    """Remove the folders whose servers are gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody else's, or in use
            lock = _open(folder)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
            finally:
                os.close(lock)


def _open(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)


class Build:
    """One state of the database with the Datasette that serves it.

    Args:
        path: the file; it is copied, since a link would not hold what is written into it later.
        settings: as for `application.instance`.
    Raises:
        DatabaseError: it is missing, is no knowledge base, or changed while it was copied.
    """

    def __init__(self, path: Path, **settings: Any) -> None:
        self.busy = 0
        self.stamp = stamp(path)
        self._place = PrivateFolder()
        try:
            copy = self._copy(path)
            self.datasette = application.instance(copy, told=path, **settings)
        except Exception:
            self._place.close()
            raise
        self.app = self.datasette.client.app

    def _copy(self, path: Path) -> Path:
        if not path.is_file():
            raise DatabaseError(f"There is no {path}; make it with: whist build --db {path}")
        try:
            copy = Path(shutil.copy(path, self._place.folder))
        except OSError as error:
            raise DatabaseError(f"{path} cannot be copied to {self._place.folder} ({error.strerror}).") from error
        if stamp(path) != self.stamp:
            raise DatabaseError(f"{path} is still being written; wait until it is whole.")
        return copy

    async def start(self) -> None:
        """Make it ready: the first visitor shall not wait for the indexes, hashes, counts and templates.

        Raises:
            DatabaseError: its front page cannot be shown.
        """
        await self.datasette.invoke_startup()
        found = await library.find(self.datasette)
        answer = await self.datasette.client.get("/")
        if found is None or answer.status_code != 200:
            raise DatabaseError(f"its front page cannot be shown (status {answer.status_code}).")
        for load in (index_of, catalogue_of):
            await found.db.execute_fn(load)

    def close(self) -> None:
        """Give back its threads, connections and copy; waits for queries that still run."""
        self.datasette.executor.shutdown()
        for db in self.datasette.databases.values():
            db.close()
        self._place.close()


class Front:
    """The ASGI application of `whist serve`.

    Args:
        database: the file to serve and to watch.
        every: seconds between two looks at it.
        settings: as for `application.instance`.
    Raises:
        DatabaseError: the file cannot be served.
    """

    def __init__(self, database: Path | str, every: float = EVERY, **settings: Any) -> None:
        self._path, self._every, self._settings = Path(database), every, settings
        _sweep()
        self._build = Build(self._path, **settings)
        self._tried = self._seen = self._build.stamp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        build = self._build
        build.busy += 1
        try:
            await build.app(scope, receive, send)
        except asyncio.CancelledError:
            # The server has stopped and its patience is over: nothing is left to be told, least of all by a traceback.
            return
        finally:
            build.busy -= 1
            self._retire(build)

    async def look(self) -> None:
        """Take up the file if it is a new one and has come to rest; one that is no good is passed over."""
        found = stamp(self._path)
        rests, self._seen = found == self._seen, found
        if found is None or not rests or found == self._tried:
            return
        self._tried = found
        build = None
        try:
            build = await asyncio.to_thread(Build, self._path, **self._settings)
            await build.start()
        except Exception as error:  # whatever is wrong with the new one, the old one is at hand
            log.warning("The new %s is not taken up, the build before it is served on: %s", self._path, error)
            if build:
                await asyncio.to_thread(build.close)
            return
        before, self._build = self._build, build
        self._retire(before)

    def _retire(self, build: Build) -> None:
        if build is not self._build and not build.busy:
            asyncio.get_running_loop().run_in_executor(None, build.close)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await self._build.start()
        watching = asyncio.create_task(self._watch())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        await asyncio.to_thread(self._build.close)
        await send({"type": "lifespan.shutdown.complete"})

    async def _watch(self) -> None:
        """Look for new builds as long as the server lives."""
        while True:
            await asyncio.sleep(self._every)
            await self.look()
