"""What a build has once told it tells again unchanged, without being asked anything."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest
from datasette.app import Datasette
from datasette.utils.asgi import Response

from datasette_plugins.answering import cache
from datasette_plugins.answering.cache import PageCache, cache_of
from datasette_plugins.answering.headers import Message, Receive, Scope, Send
from datasette_plugins.views import unit

LAW = "/english-1864/law-72"
PATHS = (LAW, f"{LAW}.json", f"{LAW}.bib", "/search?q=revoke", "/code/english-1864/read", "/about")


@pytest.mark.parametrize("path", PATHS)
async def test_a_second_visit_gives_the_same_bytes_and_headers_without_a_query(
    ds: Datasette, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await ds.client.get(path)
    monkeypatch.setattr("datasette.database.Database.execute_fn", Mock(side_effect=AssertionError("a query")))
    again, head = await ds.client.get(path), await ds.client.head(path)
    assert first.status_code == again.status_code == head.status_code == 200
    assert again.content == first.content and head.content == b""
    assert list(again.headers.raw) == list(first.headers.raw) == list(head.headers.raw)


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


async def test_the_bound_holds_under_a_thousand_addresses(ds: Datasette) -> None:
    pages = PageCache(most=200_000)
    setattr(ds, cache._CACHE, pages)
    for n in range(1000):
        assert (await ds.client.get(f"/robots.txt?n={n}{'x' * (n % 3000)}")).status_code == 200
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


async def test_who_goes_away_takes_a_page_from_nobody(ds: Datasette) -> None:
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
        ("gzip, deflate, br", True), ("GZIP", True), ("br;q=1, gzip;q=0.5", True), ("identity, gzip", True),
        ("gzip ; q=0.001", True), ("", False), ("br", False), ("gzip;q=0", False), ("br, gzip ; q=0.0, zstd", False),
        ("notgzip", False), ("gzipped", False),
    ],
)  # fmt: skip
def test_the_coding_is_the_clients_choice(accepted: str, zipped: bool) -> None:
    assert cache.accepts_gzip(accepted) == zipped


async def test_what_is_compressed_is_the_same_page(ds: Datasette) -> None:
    for path in PATHS:
        zipped = await ds.client.get(path)
        whole = await ds.client.get(path, headers={"accept-encoding": "identity"})
        assert zipped.content == whole.content and "content-encoding" not in whole.headers
        assert "Accept-Encoding" in zipped.headers["vary"] and "Accept-Encoding" in whole.headers["vary"]
        assert int(whole.headers["content-length"]) == len(whole.content)
        if len(whole.content) >= cache.LEAST:
            assert zipped.headers["content-encoding"] == "gzip"
            assert int(zipped.headers["content-length"]) == len(gzip.compress(whole.content, cache._LEVEL, mtime=0))
        assert zipped.headers["etag"] != whole.headers["etag"], "two codings are two representations"


async def test_what_is_short_or_no_text_is_sent_as_it_is(ds: Datasette) -> None:
    static = (await ds.client.get("/")).text.partition('rel="stylesheet" href="')[2].partition("whist.css")[0]
    for path in (f"{static}fonts/newsreader.woff2", "/robots.txt", "/small.db"):
        answer = await ds.client.get(path)
        assert answer.status_code == 200 and "content-encoding" not in answer.headers
