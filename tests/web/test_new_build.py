"""A build that takes the place of the file under a running server is taken up as a whole."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import os
import shutil
import sqlite3
import threading
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest

from datasette_plugins.serving import front
from datasette_plugins.serving.front import Build, Front
from datasette_plugins.views import unit
from extract.errors import DatabaseError

PATHS = ("/english-1864/law-72.json", "/small/unit/english-1864~2Flaw-72.json", "/search.json?q=revoke", "/small.db")


@pytest.fixture
def builds(database: Path, tmp_path: Path) -> dict[str, Path]:
    """Two builds that differ in every unit: each text begins with the name of its build."""
    paths = {name: Path(shutil.copy(database, tmp_path / f"{name}.db")) for name in ("alphabuild", "betabuild")}
    for name, path in paths.items():
        with closing(sqlite3.connect(path)) as conn:
            conn.executescript(f"""
                update unit set text = '{name} ' || text;
                create table padding as select '{name * 50}' as word from unit;
                vacuum;
            """)
    return paths


@pytest.fixture
def served(builds: dict[str, Path], tmp_path: Path) -> Path:
    """The file that is served, at first the first build."""
    (tmp_path / "served").mkdir()
    return Path(shutil.copy(builds["alphabuild"], tmp_path / "served" / "small.db"))


def put(new: Path, served: Path) -> None:
    """Put a build in the place of the file, as `whist build` does."""
    Path(shutil.copy(new, served.with_suffix(".new"))).replace(served)


@asynccontextmanager
async def client_of(app: Front) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://whist") as client:
            yield client
    finally:
        app._build.close()


async def settle(app: Front) -> None:
    """Look twice: the file is taken up once it rests."""
    await app.look()
    await app.look()


async def until(fulfilled: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not fulfilled():
            gc.collect()
            await asyncio.sleep(0.02)


async def test_a_new_build_is_served_as_a_whole_once_it_is_whole(builds: dict[str, Path], served: Path) -> None:
    app = Front(served)
    old, whole = app._build, builds["betabuild"].read_bytes()
    async with client_of(app) as client:
        before = {path: await client.get(path) for path in PATHS}
        with served.open("wb") as file:
            for at in range(0, len(whole), len(whole) // 3):
                file.write(whole[at : at + len(whole) // 3])
                file.flush()
                await app.look()
                assert app._build is old
        await settle(app)
        after = {path: await client.get(path) for path in PATHS}
        stale = await client.get(PATHS[0], headers={"if-none-match": before[PATHS[0]].headers["etag"]})
    assert before["/small.db"].content == builds["alphabuild"].read_bytes() and after["/small.db"].content == whole
    for answer, build in ((before[PATHS[0]], "alpha"), (after[PATHS[0]], "beta"), (after[PATHS[1]], "beta"),
                          (stale, "beta")):  # fmt: skip
        assert ("alphabuild" in answer.text, "betabuild" in answer.text) == (build == "alpha", build == "beta")
    assert after[PATHS[0]].headers["etag"] == stale.headers["etag"] != before[PATHS[0]].headers["etag"]


async def test_every_answer_is_wholly_of_one_build(builds: dict[str, Path], served: Path) -> None:
    app, reading = Front(served), True
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in builds.values()}
    seen: dict[str, set[str]] = {path: set() for path in PATHS}

    async def read(client: httpx.AsyncClient, path: str) -> None:
        while reading:
            answer = await client.get(path)
            assert answer.status_code == 200, f"{path} answered {answer.status_code}: {answer.text}"
            names = {name for name in builds if name.encode() in answer.content}
            if path == "/small.db":
                digest = hashlib.sha256(answer.content).hexdigest()
                assert digest in digests and answer.headers["etag"] == f'"{digest}"'
            elif path != PATHS[2]:
                assert len(names) == 1, f"{path} mixes {names}"
            seen[path] |= names
            await asyncio.sleep(0)  # an answer from the cache waits for nothing, and would let nobody else run

    async with client_of(app) as client:
        tasks = [asyncio.create_task(read(client, path)) for path in PATHS for _ in range(2)]
        for name in ("betabuild", "alphabuild") * 2:
            current = app._build
            put(builds[name], served)
            await settle(app)
            assert app._build is not current, "the new build was not taken up"
            await asyncio.sleep(0.1)
        reading = False
        await asyncio.gather(*tasks)
    assert seen[PATHS[0]] == seen[PATHS[1]] == {"alphabuild", "betabuild"}


async def test_a_request_under_way_keeps_its_build(
    builds: dict[str, Path], served: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, entered, go, page = Front(served), threading.Event(), threading.Event(), unit._page

    def wait(*args: object) -> object:
        entered.set()
        go.wait(20)
        return page(*args)  # type: ignore[arg-type]

    async with client_of(app) as client:
        old = app._build
        await client.get("/about")
        monkeypatch.setattr(unit, "_page", wait)
        under_way = asyncio.create_task(client.get(PATHS[0]))
        assert await asyncio.to_thread(entered.wait, 20)
        monkeypatch.setattr(unit, "_page", page)
        put(builds["betabuild"], served)
        await settle(app)
        assert "betabuild" in (await client.get(PATHS[0])).text
        assert old._place.folder.exists(), "the copy is needed as long as somebody reads from it"
        go.set()
        answer = await under_way
    assert answer.status_code == 200 and "alphabuild" in answer.text and "betabuild" not in answer.text
    await until(lambda: not old._place.folder.exists())


@pytest.mark.parametrize("content", [b"", b"no database" * 99, None])
async def test_what_is_no_knowledge_base_is_not_taken_up(
    builds: dict[str, Path], served: Path, content: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    app = Front(served)
    beside = served.with_suffix(".new")
    beside.write_bytes(builds["betabuild"].read_bytes()[:8192] if content is None else content)
    async with client_of(app) as client:
        beside.replace(served)
        for _ in range(4):
            await app.look()
        (record,) = caplog.records
        assert "not taken up" in record.message and "\n" not in record.message and not record.exc_info
        assert str(served) in record.message and app._build.datasette.databases["small"].path not in record.message
        assert "alphabuild" in (await client.get(PATHS[0])).text
        served.unlink()
        await settle(app)
        assert "alphabuild" in (await client.get(PATHS[1])).text, "a file that is gone changes nothing"
        put(builds["betabuild"], served)
        await settle(app)
        assert "betabuild" in (await client.get(PATHS[0])).text


async def test_a_build_that_is_done_with_leaves_nothing_behind(builds: dict[str, Path], served: Path) -> None:
    app = Front(served)
    async with client_of(app) as client:
        await client.get("/small/unit")
        threads, forgotten = threading.active_count(), weakref.ref(app._build.datasette)
        for name in ("betabuild", "alphabuild", "betabuild"):
            put(builds[name], served)
            await settle(app)
            await client.get("/small/unit")
    await until(lambda: forgotten() is None and threading.active_count() <= threads + 2)


async def test_no_visitor_waits_for_the_indexes(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(front, "index_of", lambda conn: loaded.append("disputes"))
    monkeypatch.setattr(front, "catalogue_of", lambda conn: loaded.append("search"))
    app = Front(served)
    async with client_of(app):
        await app._build.start()
    assert loaded == ["disputes", "search"]


def test_what_cannot_be_copied_is_told(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(28, os.strerror(28))
    monkeypatch.setattr(front.shutil, "copy", Mock(side_effect=full))  # type: ignore[attr-defined]
    with pytest.raises(DatabaseError, match=f"{served} cannot be copied to .* \\(No space"):
        Build(served)
