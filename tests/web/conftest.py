"""The small library as a database, and a Datasette that serves it."""

import asyncio
import shutil
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
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
from reading_pages import started

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
    """Compile templates once in a test run, not again for every Datasette."""

    @datasette_plugins.hookimpl
    def prepare_jinja2_environment(env: Environment) -> None:
        env.bytecode_cache = FileSystemBytecodeCache(str(run))

    plugin = ModuleType("compiled")
    vars(plugin)["prepare_jinja2_environment"] = prepare_jinja2_environment
    pm.register(plugin)


@pytest.fixture
def conn(database: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection to the small library."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        yield connection


@pytest.fixture
async def ds(database: Path) -> Datasette:
    """A started Datasette over the small library."""
    return await started(database)


@pytest.fixture(scope="session")
def shared(database: Path) -> Datasette:
    """A Datasette over the small library, shared by all tests that change neither it nor the code it runs."""
    return asyncio.run(started(database))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module: while it runs, no test of the module can be asynchronous."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        pytest.skip("no Chromium on this machine")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"]) as launched,
    ):
        yield launched


@pytest.fixture(scope="session")
def address(database: Path) -> Iterator[str]:
    """The address of a real server over the small library, for the browser."""
    with serving(database) as url:
        yield url


@pytest.fixture(scope="session")
def shipped_address(library: Path) -> Iterator[str]:
    """The address of a real server over the shipped library, for the browser."""
    with serving(library) as url:
        yield url


@contextmanager
def serving(database: Path) -> Iterator[str]:
    """Serve a library in a thread, at the address that is yielded."""
    server = uvicorn.Server(uvicorn.Config(datasette_plugins.instance(database).app(), log_level="warning"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)
