"""What is put right, led elsewhere or refused before a page is made: paths, methods, hosts, encodings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from datasette.app import Datasette

from datasette_plugins.answering.headers import CSP
from datasette_plugins.endpoint import Moved
from datasette_plugins.routes import MISSING
from datasette_plugins.serving.gate import Failure, judge


def told(target: str, method: str = "GET", query: str = "") -> str | Moved | Failure | None:
    return judge(method, target.encode(), query.encode(), frozenset({"small"}))


@pytest.mark.parametrize(
    ("target", "to"),
    [
        ("/english-1864/law-72/", "/english-1864/law-72"),
        ("//english-1864//law-72", "/english-1864/law-72"),
        ("/english-1864/law-72.JSON", "/english-1864/law-72.json"),
        ("/Code/English-1864", "/code/english-1864"),
        ("/About/", "/about"),
        ("//", "/"),
        ("/small/unit/", "/small/unit"),
    ],
)
def test_a_slip_in_an_address_leads_to_the_page(target: str, to: str) -> None:
    assert told(target) == Moved(to)


@pytest.mark.parametrize("target", ["/english-1864/law-72", "/english%2D1864/law%2d72"])
def test_an_address_is_read_decoded(target: str) -> None:
    assert told(target) == "/english-1864/law-72"


@pytest.mark.parametrize("target", ["/small", "/small.db", "/small/unit.json", "/small/unit/english-1864~2Flaw-72"])
def test_the_tables_are_left_to_datasette(target: str) -> None:
    assert told(target) is None


@pytest.mark.parametrize(
    "target", ["/.env", "//x", "/wp-admin/setup.php", "/a/b/c/d/e/f", "/-/databases", "/-/static/../app.py", "/~s~mall"]
)
def test_what_has_no_page_never_reaches_datasette(target: str) -> None:
    assert told(target) == MISSING + target


@pytest.mark.parametrize("target", ["/%", "/%ZZ", "/%00", "/%FF", "/about%0A", "/%0d%0aset-cookie:x", "*", "about"])
def test_bad_encodings_are_refused(target: str) -> None:
    fault = told(target)
    assert isinstance(fault, Failure) and fault.status == 400


def test_addresses_have_a_bound() -> None:
    assert isinstance(told("/" + "a" * 999), str) and told("/search", query="q=" + "a" * 7000) == "/search"
    for fault in (told("/" + "a" * 1000), told("/search", query="q=" + "a" * 8000)):
        assert isinstance(fault, Failure) and fault.status == 414


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


async def test_a_query_survives_being_led(ds: Datasette) -> None:
    response = await ds.client.get("/search/?q=revoke")
    assert response.status_code == 301 and response.headers["location"] == "/search?q=revoke"
    response = await ds.client.get("/ENGLISH-1864/LAW-72.json?a=b")
    assert response.headers["location"] == "/english-1864/law-72.json?a=b"
    response = await ds.client.get("/ENGLISH-1864/LAW-72.bib")
    assert response.headers["location"] == "/english-1864/law-72.bib"


async def test_being_led_stays_under_the_base_url(site: Callable[..., Awaitable[Datasette]]) -> None:
    ds = await site(base_url="/whist/")
    assert (await ds.client.get("/about/")).headers["location"] == "/whist/about"
    assert (await ds.client.get("/small/unit")).status_code == 200
    assert (await ds.client.get("/english-1864/law-72.json")).json()["url"].endswith("/whist/english-1864/law-72")


@pytest.mark.parametrize("base", ["/whist/", "/small/"])
async def test_the_links_of_tables_stay_under_the_base_url(
    site: Callable[..., Awaitable[Datasette]], base: str
) -> None:
    ds = await site(base_url=base)
    first = (await ds.client.get("/small/unit.json?_size=1")).json()
    assert first["next_url"].startswith(f"http://localhost{base}")
    second = (await ds.client.get(first["next_url"].removeprefix(f"http://localhost{base[:-1]}"))).json()
    assert second["rows"] and second["rows"] != first["rows"]
    assert (await ds.client.get("/small.db")).status_code == 200


async def test_a_star_asks_only_whether_the_page_exists(ds: Datasette) -> None:
    star = {"if-none-match": "*"}
    assert (await ds.client.get("/english-1864/law-999", headers=star)).status_code == 404
    assert (await ds.client.get("/nowhere", headers=star)).status_code == 404
    response = await ds.client.get("/english-1864/law-72", headers=star)
    assert response.status_code == 304 and response.text == "" and response.headers["etag"]


@pytest.mark.parametrize("host", ["evil.example", "[", "a b", "x" * 3000, "", "evil.example:99999", "ünï.example"])
@pytest.mark.parametrize("path", ["/english-1864/law-72", "/english-1864/law-72.bib", "/sitemap.xml", "/small/unit"])
async def test_no_page_believes_the_host_it_is_told(ds: Datasette, host: str, path: str) -> None:
    sent = [("Host", host.encode()), ("X-Forwarded-Host", b"evil.example"), ("X-Forwarded-Proto", b"gopher")]
    plain, claimed = await ds.client.get(path), await ds.client.get(path, headers=sent)
    assert claimed.status_code == 200 and "evil.example" not in claimed.text and "gopher" not in claimed.text
    assert claimed.headers.get("etag") == plain.headers.get("etag")
    assert "evil.example" not in claimed.headers.get("link", "")
