"""What is made once for a build: pages, their parts and indexes; and what it has told it tells again unchanged."""

from __future__ import annotations

import asyncio
import itertools
import re
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
from reading_pages import started

from datasette_plugins.answering import cache
from datasette_plugins.answering.cache import PageCache, cache_of
from datasette_plugins.answering.headers import Message, Receive, Scope, Send
from datasette_plugins.views import unit
from kb.dispute.index import index_of
from kb.read.build_cache import cached_per_build

LAW = "/english-1864/law-72"
PATHS = (LAW, f"{LAW}.json", f"{LAW}.bib", "/search?q=revoke", "/code/english-1864/read", "/about")


@pytest.mark.parametrize("path", PATHS)
async def test_a_second_visit_gives_the_same_without_a_query_and_nothing_to_who_has_it(
    ds: Datasette, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await ds.client.get(path)
    tag = first.headers["etag"]
    monkeypatch.setattr("datasette.database.Database.execute_fn", Mock(side_effect=AssertionError("a query")))
    again, head = await ds.client.get(path), await ds.client.head(path)
    assert first.status_code == again.status_code == head.status_code == 200
    assert again.content == first.content and head.content == b""
    assert list(again.headers.raw) == list(first.headers.raw) == list(head.headers.raw)
    for sent in (tag, "*", f"W/{tag}", f'"other", W/{tag}'):
        unchanged = await ds.client.get(path, headers={"if-none-match": sent})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        same = ("etag", "vary", "content-security-policy")
        assert [unchanged.headers[name] for name in same] == [first.headers[name] for name in same]
        assert not {"content-length", "content-type", "content-encoding"} & unchanged.headers.keys()
    stale = await ds.client.get(path, headers={"if-none-match": '"old"'})
    assert (stale.status_code, stale.content) == (200, first.content)


async def test_only_the_pages_of_the_site_are_kept(ds: Datasette) -> None:
    for path in (LAW, "/nowhere", "/small/unit", "/small.db", "/-/versions", "/english-1864/72") * 2:
        await ds.client.get(path)
    assert len(cache_of(ds).answers) == 1


async def test_of_a_library_that_may_change_nothing_is_tagged_or_kept(database: Path) -> None:
    ds = Datasette([str(database)])
    await ds.invoke_startup()
    for path in (LAW, "/compare/revoke"):
        answer = await ds.client.get(path)
        assert answer.status_code == 200 and "etag" not in answer.headers
    assert len(cache_of(ds).answers) == len(ds.jinja_env.globals["whist"].parts) == 0
    assert re.search(r"#build-\d{8}T\d{6}</id>", (await ds.client.get("/feed.xml")).text)


async def test_the_bound_holds_under_many_addresses(ds: Datasette) -> None:
    pages = PageCache(most=200_000)
    setattr(ds, cache._CACHE, pages)
    for n in range(300):
        assert (await ds.client.get(f"/robots.txt?n={n}{'x' * (n * 10)}")).status_code == 200
        assert pages.answers.currsize <= 200_000
    assert 0 < len(pages.answers) <= 100


async def test_a_page_that_many_ask_for_at_once_is_made_once(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Mock(side_effect=unit._page)
    monkeypatch.setattr(unit, "_page", made)
    answers = await asyncio.gather(*(ds.client.get(LAW) for _ in range(8)))
    assert made.call_count == 1 and len({a.content for a in answers}) == 1


async def test_who_reads_nothing_keeps_a_page_from_nobody(ds: Datasette) -> None:
    sending = asyncio.Event()

    async def unread(scope: Scope, receive: Receive, send: Send) -> None:
        async def never(message: Message) -> None:
            sending.set()
            await asyncio.Event().wait()

        await ds.client.app(scope, receive, never)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=unread), base_url="http://localhost") as client:
        silent = asyncio.create_task(client.get(LAW))
        await asyncio.wait_for(sending.wait(), 20)
        assert (await asyncio.wait_for(ds.client.get(LAW), 20)).status_code == 200
        silent.cancel()


async def test_who_goes_away_takes_a_page_from_nobody() -> None:
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


async def test_a_failure_is_not_kept_and_holds_nobody_up(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(unit, "_page", Mock(side_effect=RuntimeError("broken")))
        answers = await asyncio.gather(*(ds.client.get(LAW) for _ in range(4)))
        assert {a.status_code for a in answers} == {500}
    assert (await ds.client.get(LAW)).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "zipped"),
    [
        ("gzip, deflate, br", True), ("GZIP", True), ("br;q=1, gzip ; q=0.001", True), ("", False),
        ("br, gzip ; q=0.0, zstd", False), ("notgzip", False), ("gzipped", False),
    ],
)  # fmt: skip
def test_the_coding_is_the_clients_choice(accepted: str, zipped: bool) -> None:
    assert cache.accepts_gzip(accepted) == zipped


async def test_what_is_compressed_is_the_same_page(shared: Datasette) -> None:
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


async def test_what_is_short_or_no_text_is_sent_as_it_is(shared: Datasette) -> None:
    static = (await shared.client.get("/")).text.partition('rel="stylesheet" href="')[2].partition("whist.css")[0]
    for path in (f"{static}fonts/newsreader.woff2", "/robots.txt", "/small.db"):
        answer = await shared.client.get(path)
        assert answer.status_code == 200 and "content-encoding" not in answer.headers


# Parts of pages


CHOICES = ("", "?differ=1", "?codes=english-1864,arnaud-1829", "?codes=arnaud-1829,english-1864",
           "?codes=american-1893,american-1894")  # fmt: skip


async def test_a_choice_of_codes_reads_the_same_whatever_was_chosen_before(ds: Datasette, database: Path) -> None:
    for choice in CHOICES + CHOICES[::-1]:
        alone = await (await started(database)).client.get(f"/compare/revoke{choice}")
        after_others = await ds.client.get(f"/compare/revoke{choice}")
        assert after_others.text == alone.text
    assert ds.jinja_env.globals["whist"].parts.currsize > 0


# What is loaded once for each build


COUNT = "select count(*) from sqlite_master"


def once() -> Callable[[sqlite3.Connection], int]:
    """What counts how often it is loaded, kept for each build."""
    times = itertools.count(1)
    return cached_per_build(lambda conn: next(times))


def asked(load: Callable[[sqlite3.Connection], Any], path: Path) -> Any:
    with closing(sqlite3.connect(path)) as conn:
        return load(conn)


def make(path: Path, table: str) -> Path:
    """Make a database with a table, or add it to the one that is there."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(f"create table {table} as select 7 as n")
    return path


def test_each_build_is_loaded_once_by_however_many_threads(tmp_path: Path) -> None:
    path, load = tmp_path / "a.db", once()
    for n in range(1, 5):
        make(tmp_path / "fresh.db", f"t{n}").replace(path)
        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(lambda _: asked(load, path), range(40))) == {n}
    make(path, "grown")
    assert asked(load, path) == 5, "a build that was altered is another"


def test_a_database_in_memory_is_loaded_each_time() -> None:
    load = once()
    with closing(sqlite3.connect(":memory:")) as conn:
        assert [load(conn), load(conn)] == [1, 2]


def test_the_index_of_disputes_is_kept(conn: sqlite3.Connection) -> None:
    assert index_of(conn) is index_of(conn)


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(["spacy", "sklearn", "scipy"]))  # whoever imports one of them now fails
from datasette_plugins.command import cli
whist = lambda *words: cli.main([*words, "--db", sys.argv[1]], standalone_mode=False)
whist("show", "1864, law 71")
whist("cite", "english-1864/law-71")
del sys.modules["spacy"]  # which a dispute needs
whist("dispute", "He revoked. What do we get?")
"""


def test_an_answer_needs_no_library_of_those_that_only_builds_use(library: Path) -> None:
    run = [sys.executable, "-c", WITHOUT, str(library)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_loaded_is_not_broken_off_by_a_visitors_limit(tmp_path: Path) -> None:
    with closing(sqlite3.connect(make(tmp_path / "a.db", "one"))) as conn:
        conn.set_progress_handler(lambda: 1, 1)
        with pytest.raises(sqlite3.OperationalError):
            conn.execute(COUNT)
        conn.set_progress_handler(lambda: 1, 1000)
        assert cached_per_build(lambda c: c.execute(COUNT).fetchall())(conn) == [(1,)]


def test_in_the_midst_of_a_transaction_what_it_has_written_is_loaded(tmp_path: Path) -> None:
    with closing(sqlite3.connect(make(tmp_path / "a.db", "one"))) as conn:
        conn.execute("insert into one values (8)")
        assert cached_per_build(lambda c: c.execute("select n from one").fetchall())(conn) == [(7,), (8,)]
