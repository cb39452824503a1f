"""What is cached for each build: pages and indexes; cached pages are the same as fresh ones."""

import asyncio
import itertools
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from datasette.app import Datasette
from datasette.utils.asgi import Response
from reading_pages import begun

from datasette_plugins import library
from datasette_plugins.answering import cache
from datasette_plugins.answering.cache import PageCache, cache_of
from datasette_plugins.answering.headers import Message, Receive, Scope, Send
from datasette_plugins.views import unit
from kb.read.build_cache import cached_per_build

LAW = "/english-1864/law-72"
PATHS = (LAW, f"{LAW}.json", f"{LAW}.bib", "/search?q=revoke", "/code/english-1864/read", "/about")


@pytest.mark.parametrize("path", PATHS)
async def test_second_visit_needs_no_query_and_matching_etag_gets_304(
    ds: Datasette, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await ds.client.get(path)
    tag = first.headers["etag"]
    monkeypatch.setattr("datasette.database.Database.execute_fn", Mock(side_effect=AssertionError("a query")))
    again, head = await ds.client.get(path), await ds.client.head(path)
    assert first.status_code == again.status_code == head.status_code == 200
    assert again.content == first.content and head.content == b""
    assert list(again.headers.raw) == list(first.headers.raw) == list(head.headers.raw)
    for condition in (tag, "*", f"W/{tag}", f'"other", W/{tag}'):
        unchanged = await ds.client.get(path, headers={"if-none-match": condition})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        names = ("etag", "vary", "content-security-policy")
        assert [unchanged.headers[name] for name in names] == [first.headers[name] for name in names]
        assert not {"content-length", "content-type", "content-encoding"} & unchanged.headers.keys()
    stale = await ds.client.get(path, headers={"if-none-match": '"old"'})
    assert (stale.status_code, stale.content) == (200, first.content)


@pytest.mark.parametrize("package", ["datasette_plugins", "extract", "kb"])
def test_software_version_changes_with_the_files_of_each_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for name in ("datasette_plugins", "extract", "kb"):
        (tmp_path / name / "static").mkdir(parents=True)
    monkeypatch.setattr("importlib.resources.files", lambda name: tmp_path / name)
    file = tmp_path / package / "static" / "spade.svg"
    versions = []
    for text in ("<svg/>", "<svg></svg>"):
        file.write_text(text)
        versions.append(library.software.__wrapped__())
    assert versions[0] != versions[1]


async def test_only_pages_of_the_site_are_cached(ds: Datasette) -> None:
    for path in (LAW, "/nowhere", "/small/unit", "/small.db", "/-/versions", "/english-1864/72") * 2:
        await ds.client.get(path)
    assert len(cache_of(ds).answers) == 1


async def test_mutable_library_has_no_etags_and_is_not_cached(database: Path) -> None:
    ds = await begun(Datasette([str(database)]))
    for path in (LAW, "/compare/revoke/penalty"):
        answer = await ds.client.get(path)
        assert answer.status_code == 200 and "etag" not in answer.headers
    assert len(cache_of(ds).answers) == 0


async def test_cache_stays_within_its_limit_under_many_addresses(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = PageCache(most=200_000)
    monkeypatch.setattr(cache, "cache_of", lambda _: pages)
    for n in range(300):
        assert (await ds.client.get(f"/robots.txt?n={n}{'x' * (n * 10)}")).status_code == 200
        assert pages.answers.currsize <= 200_000
    assert 0 < len(pages.answers) <= 100


async def test_concurrent_requests_render_a_page_once(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    render = Mock(side_effect=unit._page)
    monkeypatch.setattr(unit, "_page", render)
    responses = await asyncio.gather(*(ds.client.get(LAW) for _ in range(8)))
    assert render.call_count == 1 and len({response.content for response in responses}) == 1


async def test_client_that_does_not_read_blocks_no_other(ds: Datasette) -> None:
    sending = asyncio.Event()

    async def stalled_app(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_nothing(message: Message) -> None:
            sending.set()
            await asyncio.Event().wait()

        await ds.client.app(scope, receive, send_nothing)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=stalled_app), base_url="http://localhost") as client:
        stalled = asyncio.create_task(client.get(LAW))
        await asyncio.wait_for(sending.wait(), 20)
        assert (await asyncio.wait_for(ds.client.get(LAW), 20)).status_code == 200
        stalled.cancel()


async def test_cancelled_request_does_not_cancel_the_page_for_others() -> None:
    pages, go = PageCache(), asyncio.Event()

    async def make() -> Response:
        await go.wait()
        return Response(b"made")

    first, second = (asyncio.create_task(pages.get("tag", make)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    go.set()
    assert (await second).body == b"made" and first.cancelled() and len(pages.answers) == 1


async def test_failure_is_not_cached_and_blocks_no_request(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(unit, "_page", Mock(side_effect=RuntimeError("broken")))
        responses = await asyncio.gather(*(ds.client.get(LAW) for _ in range(4)))
        assert {response.status_code for response in responses} == {500}
    assert (await ds.client.get(LAW)).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "zipped"),
    [
        ("gzip, deflate, br", True), ("GZIP", True), ("br;q=1, gzip ; q=0.001", True), ("", False),
        ("br, gzip ; q=0.0, zstd", False), ("notgzip", False), ("gzipped", False),
    ],
)  # fmt: skip
def test_accept_encoding_decides_whether_to_gzip(accepted: str, zipped: bool) -> None:
    assert cache.accepts_gzip(accepted) == zipped


async def test_gzipped_page_has_the_same_content(shared: Datasette) -> None:
    for path in PATHS:
        zipped = await shared.client.get(path)
        whole = await shared.client.get(path, headers={"accept-encoding": "identity"})
        assert zipped.content == whole.content and "content-encoding" not in whole.headers
        assert "Accept-Encoding" in zipped.headers["vary"] and "Accept-Encoding" in whole.headers["vary"]
        assert int(whole.headers["content-length"]) == len(whole.content)
        if len(whole.content) >= cache.LEAST:
            assert zipped.headers["content-encoding"] == "gzip"
            assert int(zipped.headers["content-length"]) < len(whole.content)
        assert zipped.headers["etag"] != whole.headers["etag"], "two codings are two representations"


async def test_short_and_binary_responses_are_not_compressed(shared: Datasette) -> None:
    static = (await shared.client.get("/")).text.partition('rel="stylesheet" href="')[2].partition("whist.css")[0]
    for path in (f"{static}fonts/newsreader.woff2", "/robots.txt", "/small.db"):
        answer = await shared.client.get(path)
        assert answer.status_code == 200 and "content-encoding" not in answer.headers


# What is loaded once per build


COUNT = "select count(*) from sqlite_master"


def counting_loader() -> Callable[[sqlite3.Connection], int]:
    """A loader, cached per build, that returns how many times it has run."""
    times = itertools.count(1)
    return cached_per_build(lambda conn: next(times))


def load_from(load: Callable[[sqlite3.Connection], Any], path: Path) -> Any:
    with closing(sqlite3.connect(path)) as conn:
        return load(conn)


def make(path: Path, table: str) -> Path:
    """Create a database with a table, or add the table to an existing database."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(f"create table {table} as select 7 as n")
    return path


def test_each_build_is_loaded_once_by_many_threads(tmp_path: Path) -> None:
    path, load = tmp_path / "a.db", counting_loader()
    for n in range(1, 5):
        make(tmp_path / "fresh.db", f"t{n}").replace(path)
        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(lambda _: load_from(load, path), range(40))) == {n}
    make(path, "grown")
    assert load_from(load, path) == 5, "a build that was altered is another"


def test_in_memory_database_is_loaded_each_time() -> None:
    load = counting_loader()
    with closing(sqlite3.connect(":memory:")) as conn:
        assert [load(conn), load(conn)] == [1, 2]


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(["spacy", "sklearn", "scipy"]))  # importing one of them now fails
from datasette_plugins.command import cli
whist = lambda *words: cli.main([*words, "--db", sys.argv[1]], standalone_mode=False)
whist("show", "1864, law 71")
whist("cite", "english-1864/law-71")
whist("ask", "He revoked. What do we get?")
"""


def test_commands_need_no_package_that_only_builds_use(library: Path) -> None:
    result = subprocess.run([sys.executable, "-c", WITHOUT, str(library)], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")


def test_loading_is_not_interrupted_by_the_query_time_limit(tmp_path: Path) -> None:
    with closing(sqlite3.connect(make(tmp_path / "a.db", "one"))) as conn:
        conn.set_progress_handler(lambda: 1, 1)
        with pytest.raises(sqlite3.OperationalError):
            conn.execute(COUNT)
        conn.set_progress_handler(lambda: 1, 1000)
        assert cached_per_build(lambda c: c.execute(COUNT).fetchall())(conn) == [(1,)]


def test_loader_sees_uncommitted_rows_of_its_own_transaction(tmp_path: Path) -> None:
    with closing(sqlite3.connect(make(tmp_path / "a.db", "one"))) as conn:
        conn.execute("insert into one values (8)")
        assert cached_per_build(lambda c: c.execute("select n from one").fetchall())(conn) == [(7,), (8,)]
