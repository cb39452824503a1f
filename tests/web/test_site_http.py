"""What the server answers besides its pages: headers, conditional requests, redirects, refusals, errors and the log."""

import json
import logging
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
import sqlite_utils
from datasette.app import Datasette
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from reading_pages import started

from datasette_plugins.headers import CSP
from datasette_plugins.serve import instance
from extract.errors import DatabaseError

LAW = "/english-1864/law-72"


async def test_etag_depends_on_path_and_query_but_not_on_the_host(shared: Datasette) -> None:
    async def tag(path: str, **headers: str) -> str:
        return str((await shared.client.get(path, headers=headers)).headers["etag"])

    tags = [
        await tag("/search?q=revoke"), await tag("/search?q=penalty"), await tag("/search"), await tag("/search.json"),
        await tag("/english-1864/law-72"),
    ]  # fmt: skip
    assert len(set(tags)) == len(tags) and await tag("/search") == tags[2]
    assert await tag("/search", host="whist.example") == tags[2], "no page shows the Host that was sent"


@pytest.mark.parametrize(
    "header",
    [*({"cookie": value} for value in ("a=b", "a/b=c", b"\xff", "x=" + "\\" * 9000)), {"authorization": "Bearer x"}],
)
async def test_cookies_and_passwords_change_nothing(shared: Datasette, header: dict[str, str]) -> None:
    plain, personal = [await shared.client.get(LAW, headers=given) for given in ({}, header)]
    assert (personal.status_code, personal.text, personal.headers) == (200, plain.text, plain.headers)


async def test_static_files_are_cached_as_immutable(shared: Datasette) -> None:
    style = (await shared.client.get("/")).text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    response = await shared.client.get(style)
    assert "immutable" in response.headers["cache-control"]
    assert "http" not in response.text.partition("*/")[2], "a style sheet that needs another server"
    assert "immutable" not in (await shared.client.get(style.partition("?")[0])).headers.get("cache-control", "")


def test_serves_only_databases_written_by_a_build(tmp_path: Path) -> None:
    sqlite_utils.Database(tmp_path / "other.db").table("t").insert({"a": 1})
    with pytest.raises(DatabaseError, match="not a knowledge base made by `whist build`"):
        instance(tmp_path / "other.db")


# Requests for other methods, hosts and addresses


@pytest.mark.parametrize("path", ["/", "/small/unit"])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
async def test_refuses_methods_that_write(shared: Datasette, path: str, method: str) -> None:
    response = await shared.client.request(method, path)
    assert response.status_code == 405 and response.headers["allow"] == "GET, HEAD"
    assert "content-security-policy" in response.headers and "read-only" in response.text


@pytest.mark.parametrize("base", ["/whist/", "/small/"])
async def test_addresses_stay_under_the_base_url(database: Path, base: str) -> None:
    ds = await started(database, base_url=base)
    assert (await ds.client.get("/about/")).headers["location"] == f"{base}about"
    assert (await ds.client.get(f"{LAW}.json")).json()["url"].endswith(base[:-1] + LAW)
    first = (await ds.client.get("/small/unit.json?_size=1")).json()
    assert first["next_url"].startswith(f"http://localhost{base}")
    second = (await ds.client.get(first["next_url"].removeprefix(f"http://localhost{base[:-1]}"))).json()
    assert second["rows"] and second["rows"] != first["rows"]


@pytest.mark.parametrize("host", ["evil.example", "[", "a b", "x" * 3000, "", "evil.example:99999", "ünï.example"])
@pytest.mark.parametrize("path", ["/english-1864/law-72.bib", "/small/unit"])
async def test_pages_ignore_the_host_sent(shared: Datasette, host: str, path: str) -> None:
    sent = [("Host", host.encode()), ("X-Forwarded-Host", b"evil.example"), ("X-Forwarded-Proto", b"gopher")]
    plain, claimed = await shared.client.get(path), await shared.client.get(path, headers=sent)
    assert claimed.status_code == 200 and "evil.example" not in claimed.text and "gopher" not in claimed.text
    assert claimed.headers.get("etag") == plain.headers.get("etag")
    assert "evil.example" not in claimed.headers.get("link", "")


# Error pages are our own, and the log has what is needed and no more


NOWHERE = (
    "/.env", "//x", "/wp-admin/setup.php", "/a/b/c/d/e/f/g", "/-/databases", "/-/versions", "/-/threads",
    "/-/settings", "/-/plugins", "/-/metadata", "/-/patterns", "/-/nothing", "/_memory", "/small/nothing",
    "/small/unit/nothing", "/small/unit.tei.xml", "/small/-1.tei.xml", "/small.tei.xml", "/english-1864/law-999",
)  # fmt: skip


@pytest.mark.parametrize("path", NOWHERE)
async def test_missing_page_has_our_layout_is_not_cached_and_logs_nothing(
    shared: Datasette, path: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    response = await shared.client.get(path, headers={"if-none-match": "*"})
    assert response.status_code == 404 and "<h1>Not found</h1>" in response.text
    assert response.headers["content-security-policy"] == CSP and response.headers["cache-control"] == "no-store"
    assert "etag" not in response.headers
    assert capfd.readouterr() == ("", "") and not caplog.records


@pytest.mark.parametrize(
    "path",
    [
        "/nothing.json", "/small/nothing.json", "/english-1864/law-999.json", "/-/versions.json",
        "/-/databases.json", "/-/metadata.json", "/-/settings.json", "/small/unit.json?_size=x",
    ],
)  # fmt: skip
async def test_errors_of_json_addresses_are_json(shared: Datasette, path: str) -> None:
    response = await shared.client.get(path)
    assert response.status_code in (400, 404) and len(response.json()["error"]) > 10
    assert response.headers["content-security-policy"] == CSP


@pytest.mark.parametrize("path", ["/english-1864/law-72", "/english-1864/law-72.json"])
async def test_internal_error_is_logged_but_not_shown(
    ds: Datasette, path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def fail(*_: object) -> None:
        secret = "the password"  # a local variable, which a traceback with locals would print
        raise RuntimeError(f"inside {len(secret)}")

    monkeypatch.setattr("datasette_plugins.pages.law._page", fail)
    response = await ds.client.get(path)
    assert response.status_code == 500 and response.headers["content-security-policy"] == CSP
    assert "inside" not in response.text and "Traceback" not in response.text and "noted" in response.text
    (record,) = caplog.records
    assert record.getMessage() == f"GET '{path}' failed: RuntimeError" and record.exc_info
    logged = logging.Formatter().format(record)
    assert "inside 12" in logged and "the password" not in logged.replace('secret = "the password"', "")
    assert capfd.readouterr() == ("", "")


async def test_slow_page_is_aborted(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    monkeypatch.setattr("datasette_plugins.endpoint.PATIENCE", 50)
    monkeypatch.setattr("datasette_plugins.pages.law.works", lambda conn: conn.execute(endless).fetchall())
    response = await ds.client.get("/english-1864/law-72")
    assert response.status_code == 503 and "too long" in response.text and not caplog.records


# No request brings the site down: each page and its JSON twin respond, with the same status and in bounded size


PAGES = (
    "/search", "/compare", "/compare/revoke", "/compare/revoke/penalty", "/ruling/revoke/penalty", "/concept/revoke",
    "/concepts", "/code/english-1864", "/book/pole-1895",
    "/code/english-1864/read", "/english-1864/law-72", "/english-1864/law-72/evidence", "/about",
)  # fmt: skip
# No page of the small library is larger than a tenth of this.
LARGEST = 300_000

ODD = (
    "", " ", "\0", "\u202erevoke", "²²²²", "law ²", "١٨٦٤", "e\u0301" * 50, "\U0010ffff", "-1", "99999999999999999999",
    "../../etc/passwd", "%", "{{7*7}}", "<b>x</b>", "' or 1=1 --", '"', '"unclosed', "((((", "AND", "NEAR(a b, 9)",
    "rev*", "*a", "-", '-"', ":", "code:", "-code:", "year:", "year:0000-9999", "year:1864-1829", "kind:nonsense",
    "-concept:revoke", "1864 law 72 (ii)", "law 0", "english-1864/law-72/ix", "the", "mis-deal",
)  # fmt: skip
names = st.sampled_from(("q", "code", "kind", "book", "year", "page", "a", "b", "unit", "scan", "other"))
odd = st.sampled_from(ODD)
values = st.one_of(
    odd, st.lists(odd, max_size=40).map(" ".join), st.text(max_size=60), st.text('"(*-:a ²', max_size=900)
)
fields = st.lists(st.tuples(names, values), max_size=30)


@given(st.sampled_from(PAGES), fields)
@example("/search", [("q", "year:0000-9999 " * 60)])
@example("/search", [("q", "²²²²")])
@example("/search", [("code", "nonsense"), ("book", "nonsense"), ("q", "revoke")])
@example("/search", [("year", f"{year}") for year in range(1800, 1890)])
@example("/compare", [("a", "x"), ("b", "y")])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_page_and_json_have_the_same_status(shared: Datasette, path: str, asked: list[tuple[str, str]]) -> None:
    query = urlencode([(k, v.encode("utf-8", "replace")) for k, v in asked])
    page, twin = await shared.client.get(f"{path}?{query}"), await shared.client.get(f"{path}.json?{query}")
    refused = "There is no argument" in twin.text  # as only a list for programs says
    assert twin.status_code == (400 if refused else page.status_code) and page.status_code < 500, query
    assert twin.is_redirect or json.loads(twin.text), query
    assert len(page.text) < LARGEST and len(twin.text) < LARGEST


@given(st.sampled_from(("/compare/{}", "/concept/{}", "/code/{}", "/book/{}", "/english-1864/{}")), values)
@example("/english-1864/{}", "x" * 3000)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_response_to_an_unknown_address_is_short(shared: Datasette, path: str, wanted: str) -> None:
    response = await shared.client.get(path.format(quote(wanted.encode("utf-8", "replace"), safe="")))
    assert response.status_code < 500 and len(response.text) < 30_000
