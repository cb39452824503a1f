"""What a build has once told it tells again unchanged, without being asked anything."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from datasette.app import Datasette

from datasette_plugins.answering import content_coding, page_cache
from datasette_plugins.answering.headers import CSP, Message, Receive, Scope, Send
from datasette_plugins.answering.page_cache import Made, PageCache
from datasette_plugins.serving.front import Front

LAW = "/english-1864/law-72"
PATHS = (LAW, f"{LAW}.json", f"{LAW}.bib", "/search?q=revoke", "/code/english-1864/read", "/about")


@contextmanager
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """While nothing may be asked of the database."""

    async def refuse(*_: object) -> None:
        raise AssertionError("a query was made")

    with monkeypatch.context() as patch:
        patch.setattr("datasette.database.Database.execute_fn", refuse)
        yield


@pytest.mark.parametrize("path", PATHS)
async def test_a_second_visit_gives_the_same_bytes_and_headers_without_a_query(
    ds: Datasette, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await ds.client.get(path)
    with silent(monkeypatch):
        again, head = await ds.client.get(path), await ds.client.head(path)
    assert first.status_code == again.status_code == head.status_code == 200
    assert again.content == first.content and head.content == b""
    assert list(again.headers.raw) == list(first.headers.raw) == list(head.headers.raw)


async def test_a_kept_page_is_not_sent_to_whoever_has_it(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await ds.client.get(LAW)
    with silent(monkeypatch):
        for sent in (first.headers["etag"], "*", f'"x", W/{first.headers["etag"]}'):
            answer = await ds.client.get(LAW, headers={"if-none-match": sent})
            assert answer.status_code == 304 and answer.content == b""
            assert not {"content-length", "content-type", "content-encoding"} & answer.headers.keys()
            assert answer.headers["vary"] == first.headers["vary"] and answer.headers["content-security-policy"] == CSP
        stale = await ds.client.get(LAW, headers={"if-none-match": '"old"'})
    assert stale.status_code == 200 and stale.content == first.content


@pytest.mark.parametrize("header", [{"cookie": "a=b"}, {"authorization": "Bearer x"}])
async def test_who_shows_a_cookie_gets_no_kept_answer(ds: Datasette, header: dict[str, str]) -> None:
    public = await ds.client.get(LAW)
    for _ in range(2):
        own = await ds.client.get(LAW, headers=header)
        assert own.text == public.text and own.headers["cache-control"] == "private, no-store"
        assert "etag" not in own.headers
    assert (await ds.client.get(LAW)).headers["cache-control"].startswith("public")


async def kept_of(path: str, ds: Datasette) -> int:
    """How many entries two visits to an address leave."""
    for _ in range(2):
        await ds.client.get(path)
    return len(page_cache.of(ds).answers)


@pytest.mark.parametrize(
    ("path", "kept"),
    [(LAW, 1), ("/nowhere", 0), ("/small/unit", 0), ("/small.db", 0), ("/-/versions", 0), ("/english-1864/72", 0)],
)
async def test_only_the_pages_of_the_site_are_kept(ds: Datasette, path: str, kept: int) -> None:
    assert await kept_of(path, ds) == kept


async def test_a_library_that_may_change_is_not_kept(database: Path) -> None:
    ds = Datasette([str(database)])
    await ds.invoke_startup()
    assert await kept_of(LAW, ds) == 0


async def test_the_bound_holds_under_a_thousand_addresses(ds: Datasette) -> None:
    cache = PageCache(most=200_000)
    setattr(ds, page_cache._PAGES, cache)
    for n in range(1000):
        assert (await ds.client.get(f"/robots.txt?n={n}{'x' * (n % 3000)}")).status_code == 200
        assert cache.answers.currsize <= 200_000
    assert 0 < len(cache.answers) <= 100
    last = len(cache.answers)
    await ds.client.get(f"/robots.txt?n=999{'x' * 999}")
    assert len(cache.answers) == last, "the newest is still there"


async def test_what_was_asked_for_is_kept_longer() -> None:
    cache, made = PageCache(most=10_000), []

    async def ask(tag: str) -> None:
        async def make() -> Made:
            made.append(tag)
            return Made(200, "text/plain", (), b"x" * 1000)

        await cache.get(tag, make)

    for tag in "abcde":
        await ask(tag)
        await ask("a")
    assert made == [*"abcde"]
    for tag in "aeb":
        await ask(tag)
    assert made == [*"abcde", "b"]


async def test_a_page_that_many_ask_for_at_once_is_made_once(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    from datasette_plugins.views import unit

    made, page = [], unit._page

    def counting(*args: object) -> object:
        made.append(args)
        return page(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(unit, "_page", counting)
    answers = await asyncio.gather(*(ds.client.get(LAW) for _ in range(8)))
    assert len(made) == 1 and len({a.content for a in answers}) == 1


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
    cache, go = PageCache(), asyncio.Event()

    async def make() -> Made:
        await go.wait()
        return Made(200, "text/plain", (), b"made")

    first, second = (asyncio.create_task(cache.get("tag", make)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    go.set()
    assert (await second).body == b"made" and first.cancelled() and len(cache.answers) == 1


async def test_a_failure_is_not_kept_and_holds_nobody_up(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    from datasette_plugins.views import unit

    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(unit, "_page", fail)
        answers = await asyncio.gather(*(ds.client.get(LAW) for _ in range(4)))
        assert {a.status_code for a in answers} == {500}
    assert (await ds.client.get(LAW)).status_code == 200


async def test_a_new_build_has_an_empty_cache(database: Path, tmp_path: Path) -> None:
    served = tmp_path / "small.db"
    served.write_bytes(database.read_bytes())
    app = Front(served)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://whist") as client:
        old = await client.get(LAW)
        changed = bytes(served.read_bytes()).replace(b"revoke", b"REVOKE")
        (tmp_path / "new.db").write_bytes(changed)
        (tmp_path / "new.db").replace(served)
        await app.look()
        await app.look()
        new = await client.get(LAW)
    app._build.close()
    assert new.text.count("REVOKE") > old.text.count("REVOKE") and new.headers["etag"] != old.headers["etag"]


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        (b"gzip, deflate, br", "gzip"), (b"GZIP", "gzip"), (b"*", "gzip"), (b"br;q=1, gzip;q=0.5", "gzip"),
        (b"identity, gzip", "gzip"), (b"", ""), (b"br", ""), (b"gzip;q=0", ""), (b"*;q=0", ""),
        (b"*, gzip;q=0", ""), (b"identity, gzip;q=0.5", ""), (b"gzip;q=x", ""), (b"gzip ; q=0.001", "gzip"),
    ],
)  # fmt: skip
def test_the_coding_is_the_clients_choice(accepted: bytes, coding: str) -> None:
    assert content_coding.chosen(accepted) == coding


async def test_what_is_compressed_is_the_same_page(ds: Datasette) -> None:
    for path in PATHS:
        zipped = await ds.client.get(path)
        whole = await ds.client.get(path, headers={"accept-encoding": "identity"})
        assert zipped.content == whole.content and "content-encoding" not in whole.headers
        for answer in (zipped, whole):
            assert "Accept-Encoding" in answer.headers["vary"]
        assert int(whole.headers["content-length"]) == len(whole.content)
        if len(whole.content) >= content_coding.LEAST:
            assert zipped.headers["content-encoding"] == "gzip"
            assert int(zipped.headers["content-length"]) == len(gzip.compress(whole.content, 6, mtime=0))
        assert zipped.headers["etag"] != whole.headers["etag"], "two codings are two representations"


async def test_what_is_short_or_no_text_is_sent_as_it_is(ds: Datasette) -> None:
    page = (await ds.client.get("/")).text
    style = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
    font = style.partition("whist.css")[0] + "fonts/newsreader.woff2"
    assert (await ds.client.get(style)).headers["content-encoding"] == "gzip"
    for path in (font, "/robots.txt", "/small.db"):
        answer = await ds.client.get(path)
        assert answer.status_code == 200 and "content-encoding" not in answer.headers
