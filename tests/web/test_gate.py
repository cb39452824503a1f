"""What is put right, led elsewhere or refused before a page is made: paths, methods, hosts, encodings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from datasette.app import Datasette

from datasette_plugins.answering.headers import CSP
from datasette_plugins.endpoint import Moved
from datasette_plugins.routes import MISSING
from datasette_plugins.serving.gate import Failure, judge

LAW = "/english-1864/law-72"


@pytest.mark.parametrize(
    ("target", "verdict"),
    [
        # A slip in an address leads to the page.
        (f"{LAW}/", Moved(LAW)), ("//english-1864//law-72", Moved(LAW)), (f"{LAW}.JSON", Moved(f"{LAW}.json")),
        ("/Code/English-1864", Moved("/code/english-1864")), ("//", Moved("/")), ("/small/unit/", Moved("/small/unit")),
        # An address is read decoded.
        (LAW, LAW), ("/english%2D1864/law%2d72", LAW), ("/search?q=" + "a" * 7000, "/search"),
        # The tables are left to Datasette.
        *((path, None) for path in ("/small", "/small.db", "/small/unit.json", "/small/unit/english-1864~2Flaw-72")),
        # What has no page never reaches Datasette.
        *((path, MISSING + path) for path in ("/.env", "//x", "/a/b/c/d/e/f", "/-/databases", "/-/static/../app.py",
                                              "/~s~mall", "/" + "a" * 999)),
        # What is badly encoded or too long is refused.
        *((path, 400) for path in ("/%", "/%ZZ", "/%00", "/%FF", "/about%0A", "/%0d%0aset-cookie:x", "*", "about")),
        ("/" + "a" * 1000, 414), ("/search?q=" + "a" * 8000, 414),
    ],
)  # fmt: skip
def test_what_becomes_of_an_address(target: str, verdict: str | Moved | int | None) -> None:
    path, _, query = target.partition("?")
    told = judge("GET", path.encode(), query.encode(), frozenset({"small"}))
    assert (told.status if isinstance(told, Failure) else told) == verdict


@pytest.mark.parametrize("path", ["/", "/english-1864/law-72", "/small/unit", "/.env"])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
async def test_nothing_can_be_written(ds: Datasette, path: str, method: str) -> None:
    response = await ds.client.request(method, path)
    assert response.status_code == 405 and response.headers["allow"] == "GET, HEAD, OPTIONS"
    assert response.headers["content-security-policy"] == CSP and "not written to" in response.text


@pytest.mark.parametrize("path", ["/", "/english-1864/law-72.json", "/small/unit", "/nowhere"])
async def test_head_and_options(ds: Datasette, path: str) -> None:
    whole, head = await ds.client.get(path), await ds.client.head(path)
    assert head.status_code == whole.status_code and head.text == ""
    # Datasette's tables tell how long they took, so that two are seldom of one length.
    passing = {"link", "content-length"} if path == "/small/unit" else {"link"}
    told, same = ({k: v for k, v in r.headers.items() if k not in passing} for r in (whole, head))
    assert told == same
    options = await ds.client.options(path)
    assert options.status_code == 204 and options.headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    ("asked", "to"),
    [
        ("/search/?q=revoke", "/search?q=revoke"),
        ("/ENGLISH-1864/LAW-72.json?a=b", "/english-1864/law-72.json?a=b"),
        ("/ENGLISH-1864/LAW-72.bib", "/english-1864/law-72.bib"),
    ],
)
async def test_a_query_survives_being_led(ds: Datasette, asked: str, to: str) -> None:
    response = await ds.client.get(asked)
    assert (response.status_code, response.headers["location"]) == (301, to)


@pytest.mark.parametrize("base", ["/whist/", "/small/"])
async def test_all_stays_under_the_base_url(site: Callable[..., Awaitable[Datasette]], base: str) -> None:
    ds = await site(base_url=base)
    assert (await ds.client.get("/about/")).headers["location"] == f"{base}about"
    assert (await ds.client.get(f"{LAW}.json")).json()["url"].endswith(base[:-1] + LAW)
    first = (await ds.client.get("/small/unit.json?_size=1")).json()
    assert first["next_url"].startswith(f"http://localhost{base}")
    second = (await ds.client.get(first["next_url"].removeprefix(f"http://localhost{base[:-1]}"))).json()
    assert second["rows"] and second["rows"] != first["rows"]
    assert (await ds.client.get("/small.db")).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "[", "a b", "x" * 3000, "", "evil.example:99999", "ünï.example"])
@pytest.mark.parametrize("path", ["/english-1864/law-72", "/english-1864/law-72.bib", "/sitemap.xml", "/small/unit"])
async def test_no_page_believes_the_host_it_is_told(ds: Datasette, host: str, path: str) -> None:
    sent = [("Host", host.encode()), ("X-Forwarded-Host", b"evil.example"), ("X-Forwarded-Proto", b"gopher")]
    plain, claimed = await ds.client.get(path), await ds.client.get(path, headers=sent)
    assert claimed.status_code == 200 and "evil.example" not in claimed.text and "gopher" not in claimed.text
    assert claimed.headers.get("etag") == plain.headers.get("etag")
    assert "evil.example" not in claimed.headers.get("link", "")
