"""The server's front: it answers each request from one build, and switches to a new build as a whole.

Datasette opens the file lazily, once in every thread, and remembers its hash. If the file were replaced in place, some
threads would read the old build and some the new one. So each build is copied to a private folder and has its own
Datasette; the front holds the current one, and closes the previous one when its last request has been answered.
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
from kb.questions.ask import matcher_of
from kb.read.store import open_store
from kb.search.search import entries

log = logging.getLogger("whist.site")
# Seconds between two checks of the file; a new file is served when it has not changed between two of them.
EVERY = 0.5
Stamp = tuple[int, int, int, int]
_PREFIX = "whist-serve-"


def stamp(path: Path) -> Stamp | None:
    """What distinguishes one state of a file from another without reading it; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size


class PrivateFolder:
    """A private folder that is removed in the end even if its server is killed.

    It is locked while its server runs. The system releases the lock even of a process that was killed, so a folder that
    can be locked is abandoned, and the next server removes it. (Unlinking the file as soon as it is open would not do:
    SQLite opens files by name, one connection a thread, and only the first connection would find it.)

    Raises:
        OSError: no folder can be made.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._lock = _open(self.folder)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def close(self) -> None:
        """Remove the folder with its contents, and release the lock."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._lock)


def _sweep() -> None:
    """Remove the folders whose servers have ended; an empty one may be new and not yet locked."""
    for folder in {file.parent for file in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/*")}:
        with contextlib.suppress(OSError):  # another user's, or in use
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
        path: the file; it is copied, since a hard link would not protect it from later writes.
        settings: as for `application.instance`.
    Raises:
        DatabaseError: it is missing, is not a knowledge base, or changed while it was copied.
    """

    def __init__(self, path: Path, **settings: Any) -> None:
        self.busy = 0
        self.stamp = stamp(path)
        self._place = PrivateFolder()
        try:
            copy = self._copy(path)
            self.datasette = application.instance(copy, **settings)
        except Exception:
            self._place.close()
            raise
        self.app = self.datasette.client.app

    def _copy(self, path: Path) -> Path:
        with open_store(path, sound=True):  # so that errors name this file and not the copy
            pass
        try:
            copy = Path(shutil.copy2(path, self._place.folder))  # with its date, which is that of the build
        except OSError as error:
            raise DatabaseError(f"{path} cannot be copied to {self._place.folder} ({error.strerror}).") from error
        if stamp(path) != self.stamp:
            raise DatabaseError(f"{path} is still being written; wait until it is whole.")
        return copy

    async def start(self) -> None:
        """Load the indexes, hashes, counts and templates, so that the first visitor does not wait for them.

        Raises:
            DatabaseError: its front page cannot be shown.
        """
        await self.datasette.invoke_startup()
        answer = await self.datasette.client.get("/")
        if answer.status_code != 200:
            raise DatabaseError(f"its front page cannot be shown (status {answer.status_code}).")
        for load in (matcher_of, entries):
            await library.of(self.datasette).db.execute_fn(load)

    def close(self) -> None:
        """Release its threads, connections and copy; waits for queries that still run."""
        self.datasette.executor.shutdown()
        for db in self.datasette.databases.values():
            db.close()
        self._place.close()


class BuildSwapper:
    """The ASGI application of `whist serve`.

    Args:
        database: the file to serve and to watch.
        settings: as for `application.instance`.
    Raises:
        DatabaseError: the file cannot be served.
    """

    def __init__(self, database: Path | str, **settings: Any) -> None:
        self._path, self._settings = Path(database), settings
        _sweep()
        self._build = Build(self._path, **settings)
        self._tried = self._seen = self._build.stamp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        build = self._build
        build.busy += 1
        try:
            await build.app(scope, receive, send)
        except asyncio.CancelledError:
            # The server is stopping and its grace period is over: nobody waits for this response, and nobody needs a
            # traceback.
            return
        finally:
            build.busy -= 1
            self._retire(build)

    async def look(self) -> None:
        """Switch to the file if it is new and no longer changes; one that cannot be served is ignored."""
        found = stamp(self._path)
        settled, self._seen = found == self._seen, found
        if found is None or not settled or found == self._tried:
            return
        self._tried = found
        build = None
        try:
            build = await asyncio.to_thread(Build, self._path, **self._settings)
            await build.start()
        except Exception as error:  # whatever is wrong with the new one, the old one is still served
            log.warning("The new %s is not taken up, the build before it is served on: %s", self._path, error)
            if build:
                await asyncio.to_thread(build.close)
            return
        previous, self._build = self._build, build
        self._retire(previous)

    def _retire(self, build: Build) -> None:
        if build is not self._build and not build.busy:
            asyncio.get_running_loop().run_in_executor(None, build.close)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
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
        """Check for new builds as long as the server runs."""
        while True:
            await asyncio.sleep(EVERY)
            await self.look()
