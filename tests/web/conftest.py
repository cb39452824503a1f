"""The small library as a database, and a Datasette that serves it."""

from __future__ import annotations

import shutil
import socket
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from types import ModuleType

import library
import pytest
import sqlite_utils
import uvicorn
from datasette.app import Datasette
from datasette.plugins import pm
from jinja2 import Environment, FileSystemBytecodeCache
from playwright.sync_api import Browser, sync_playwright

import datasette_plugins


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small library, built once."""
    path = tmp_path_factory.mktemp("library") / "small.db"
    db = sqlite_utils.Database(path)
    library.build(db)
    db.conn.execute("vacuum")
    db.close()
    return path


@pytest.fixture(scope="session", autouse=True)
def compiled(run: Path) -> None:
    """Templates are compiled once in a run of the tests, not for every Datasette."""

    @datasette_plugins.hookimpl
    def prepare_jinja2_environment(env: Environment) -> None:
        env.bytecode_cache = FileSystemBytecodeCache(str(run))

    plugin = ModuleType("compiled")
    vars(plugin)["prepare_jinja2_environment"] = prepare_jinja2_environment
    pm.register(plugin)


@pytest.fixture
def conn(database: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection to the small library."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    yield connection
    connection.close()


@pytest.fixture
def site(database: Path) -> Callable[..., Awaitable[Datasette]]:
    """Make a started Datasette over the small library, with settings."""

    async def start(**settings: object) -> Datasette:
        ds = datasette_plugins.instance(database, **settings)
        await ds.invoke_startup()
        return ds

    return start


@pytest.fixture
async def ds(site: Callable[..., Awaitable[Datasette]]) -> AsyncIterator[Datasette]:
    """A started Datasette over the small library."""
    yield await site()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module: while it runs, no test of the module can be asynchronous."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium on this machine")
    with (
        sync_playwright() as play,
        play.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"]) as running,
    ):
        yield running


@pytest.fixture(scope="session")
def address(database: Path) -> Iterator[str]:
    """The address of a real server over the small library, for the browser."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = datasette_plugins.instance(database).app()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    for _ in range(200):
        if server.started:
            break
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)
