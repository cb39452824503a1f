"""Responses under `whist serve`: conditional requests, headers, refusals, errors, and what no visitor may ask for."""

import base64
import hashlib
import itertools
import json
import logging
import re
import shutil
import sqlite3
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import quote, urlencode

import pytest
import sqlite_utils
from datasette.app import Datasette
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import html
from reading_pages import changed, started

from datasette_plugins import address, library
from datasette_plugins.headers import CSP, SECURITY
from datasette_plugins.serve import instance
from extract.errors import DatabaseError
from kb.read.build_cache import cached_per_build

LAW = "/english-1864/law-72"


# Pages that a client already has


@pytest.mark.parametrize("path", [LAW, f"{LAW}.json", f"{LAW}.bib", "/search?q=revoke", "/about"])
async def test_matching_etag_is_answered_before_anything_is_made(
    shared: Datasette, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await shared.client.get(path)
    tag = first.headers["etag"]
    assert (await shared.client.get(path, headers={"if-none-match": '"old"'})).content == first.content
    monkeypatch.setattr("datasette.database.Database.execute_fn", Mock(side_effect=AssertionError("a query")))
    for condition in (tag, f"W/{tag}", f'"other", W/{tag}'):
        unchanged = await shared.client.get(path, headers={"if-none-match": condition})
        assert (unchanged.status_code, unchanged.content, unchanged.headers["etag"]) == (304, b"", tag)
        assert {name: unchanged.headers[name] for name in SECURITY} == SECURITY
        assert unchanged.headers["cache-control"] == first.headers["cache-control"]


async def test_etag_changes_with_address_build_and_software_alone(
    ds: Datasette, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def tag(of: Datasette, path: str, **headers: str) -> str:
        return str((await of.client.get(path, headers=headers)).headers["etag"])

    tags = [await tag(ds, path) for path in ("/search", "/search?q=revoke", "/search?q=penalty", "/search.json")]
    assert await tag(ds, "/search", host="whist.example") == tags[0], "no page shows the Host that was sent"
    tags.append(await tag(await started(changed(database, tmp_path, "update unit set text = 'new'")), "/search"))
    monkeypatch.setattr(library, "software", lambda: "other")
    tags.append(await tag(ds, "/search"))
    assert len(set(tags)) == len(tags)


async def test_static_files_are_cached_for_ever_by_the_address_that_names_their_version(shared: Datasette) -> None:
    style = (await shared.client.get("/")).text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    response = await shared.client.get(style)
    assert "immutable" in response.headers["cache-control"]
    assert "http" not in response.text.partition("*/")[2], "a style sheet that needs another server"
    assert "immutable" not in (await shared.client.get(style.partition("?")[0])).headers.get("cache-control", "")


# What is loaded once per build


def test_each_build_is_loaded_once_by_many_threads_and_without_a_time_limit(tmp_path: Path) -> None:
    times = itertools.count(1)
    load = cached_per_build(lambda conn: (next(times), len(conn.execute("select n from t").fetchall())))
    for n in (1, 2, 3):
        (fresh := sqlite_utils.Database(tmp_path / "fresh.db")).table("t").insert_all({"n": i} for i in range(n * 1000))
        fresh.close()
        (tmp_path / "fresh.db").replace(tmp_path / "a.db")
        with closing(sqlite3.connect(tmp_path / "a.db", check_same_thread=False)) as conn:
            conn.set_progress_handler(lambda: 1, 100)  # the time limit of a query is over
            with ThreadPoolExecutor(8) as pool:
                assert {*pool.map(load, [conn] * 40)} == {(n, n * 1000)}
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.execute("create table t (n)")
        assert [load(conn), load(conn)] == [(4, 0), (5, 0)], "what has no file is loaded each time"


# Cookies, hosts, methods, and a path in front


@pytest.mark.parametrize(
    "header",
    [
        *({"cookie": value} for value in ("a=b", "a/b=c", b"\xff", "x=" + "\\" * 9000)), {"authorization": "Bearer x"},
        *({"Host": host, "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "gopher"} for host in (
            "evil.example", "[", "a b", "x" * 3000, "", "evil.example:99999", "ünï.example".encode()
        )),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", [LAW, f"{LAW}.bib", "/small/unit"])
async def test_cookies_passwords_and_hosts_change_nothing(shared: Datasette, header: Any, path: str) -> None:
    plain, personal = [await shared.client.get(path, headers=given) for given in ({}, header)]
    assert (personal.status_code, personal.headers) == (200, plain.headers)
    assert re.sub(r"took [\d.]+ms", "", personal.text) == re.sub(r"took [\d.]+ms", "", plain.text)


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
    page = html.document_fromstring((await ds.client.get("/small/unit")).text)
    assert page.xpath("//footer//a[normalize-space()='the data']/@href") == [f"{base}data"]
    assert f"{base}english-1864/law-72" in page.xpath("//td//a/@href")


@pytest.mark.parametrize(
    ("socket_of", "url"),
    [(("::1", 8001), "http://[::1]:8001"), (("127.0.0.1", 80), "http://127.0.0.1"), (None, "http://localhost")],
)
def test_permalinks_without_a_public_address_name_the_socket(
    shared: Datasette, socket_of: tuple[str, int] | None, url: str
) -> None:
    assert address.base(shared, {"server": socket_of}) == url


# Errors


def failing(conn: sqlite3.Connection, topic: str) -> None:
    secret = "the password"  # a local variable, which a traceback with locals would print
    raise RuntimeError(f"inside {len(secret)}")


def endless(conn: sqlite3.Connection, topic: str) -> None:
    conn.execute("with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n").fetchall()


@pytest.mark.parametrize("form", ["", ".json", ".csv"])
@pytest.mark.parametrize(
    ("view", "status", "told", "logged"),
    [(failing, 500, "noted", "inside 12"), (endless, 503, "too long", "")], ids=["failing", "endless"],
)  # fmt: skip
async def test_failure_is_logged_but_not_shown_and_a_slow_page_is_aborted(
    ds: Datasette, form: str, view: Callable[..., None], status: int, told: str, logged: str,
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr("datasette_plugins.endpoint.PATIENCE", 50)
    monkeypatch.setattr("datasette_plugins.pages.topic.find_topic", view)
    response = await ds.client.get(f"/compare/revoke{form}")
    assert response.status_code == status and response.headers["content-security-policy"] == CSP
    assert "inside" not in response.text and "Traceback" not in response.text and told in response.text
    assert ("<" in response.text) == (form == "") and capfd.readouterr() == ("", "")
    log = "".join(logging.Formatter().format(record) for record in caplog.records)
    assert logged in log and bool(logged) == bool(log) and "password" not in log.replace('secret = "the password"', "")


# No request brings the site down: each page and its JSON respond, with the same status and in bounded size


PAGES = (
    "/search", "/compare", "/compare/revoke", "/compare/revoke/penalty", "/ruling/revoke/penalty", "/concept/revoke",
    "/concepts", "/code/english-1864", "/book/pole-1895", "/code/english-1864/read", LAW, f"{LAW}/evidence", "/about",
    "/cases", "/concordance", "/collate", "/cite",
)  # fmt: skip
# No page of the small library is larger than a tenth of this.
LARGEST = 300_000
ODD = (
    "", " ", "\0", "\u202erevoke", "²²²²", "law ²", "١٨٦٤", "e\u0301" * 50, "\U0010ffff", "-1", "99999999999999999999",
    "../../etc/passwd", "%", "{{7*7}}", "<b>x</b>", "' or 1=1 --", '"', '"unclosed', "((((", "AND", "NEAR(a b, 9)",
    "rev*", "*a", "-", '-"', ":", "code:", "-code:", "year:", "year:0000-9999", "year:1864-1829", "kind:nonsense",
    "-concept:revoke", "1864 law 72 (ii)", "law 0", "english-1864/law-72/ix", "the", "mis-deal", "1" * 5000,
)  # fmt: skip
names = st.sampled_from(("q", "code", "kind", "book", "year", "page", "u", "by", "law", "otherwise", "other"))
odd = st.sampled_from(ODD)
values = st.one_of(
    odd, st.lists(odd, max_size=40).map(" ".join), st.text(max_size=60), st.text('"(*-:a ²', max_size=900)
)


@given(st.sampled_from(PAGES), st.lists(st.tuples(names, values), max_size=30))
@example("/search", [("q", "year:0000-9999 " * 60)])
@example("/search", [("q", "a* " * 300)])
@example("/search", [("q", "p. 5, " * 330)])
@example("/search", [("code", "nonsense"), ("book", "nonsense"), ("q", "revoke")])
@example("/search", [("year", f"{year}") for year in range(1800, 1890)])
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_page_and_json_have_the_same_status(shared: Datasette, path: str, asked: list[tuple[str, str]]) -> None:
    query = urlencode([(k, v.encode("utf-8", "replace")) for k, v in asked])
    page, twin = await shared.client.get(f"{path}?{query}"), await shared.client.get(f"{path}.json?{query}")
    refused = "There is no argument" in twin.text  # as only a list for programs says
    assert twin.status_code == (400 if refused else page.status_code) and page.status_code < 500, query
    assert twin.is_redirect or json.loads(twin.text), query
    assert len(page.text) < LARGEST and len(twin.text) < LARGEST


@given(st.sampled_from(("/compare/{}", "/concept/{}", "/code/{}", "/book/{}", "/english-1864/{}")), values)
@example("/english-1864/{}", "x" * 3000)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_response_to_an_unknown_address_is_short(shared: Datasette, path: str, wanted: str) -> None:
    response = await shared.client.get(path.format(quote(wanted.encode("utf-8", "replace"), safe="")))
    assert response.status_code < 500 and len(response.text) < 30_000


# Datasette's own pages


@pytest.mark.parametrize("path", [
    "", "/unit", "/unit/english-1864~2Flaw-72", "/entry_fts", "/unit?_facet=kind", "/concept-by-code?concept=revoke",
])  # fmt: skip
async def test_csp_allows_only_the_scripts_of_the_page(shared: Datasette, path: str) -> None:
    response = await shared.client.get(f"/small{path}")
    policy = dict(part.split(" ", 1) for part in response.headers["content-security-policy"].split("; "))
    assert response.status_code == 200 and response.headers["x-content-type-options"] == "nosniff"
    scripts = re.findall(r"<script>(.*?)</script>", response.text, re.S)
    assert scripts and not re.search(r"\son\w+=", response.text)
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy["script-src"], script
    assert "unsafe" not in policy["script-src"] and "'unsafe-inline'" in policy["style-src"]
    assert (policy["default-src"], policy["frame-ancestors"]) == ("'none'", "'none'")


@pytest.mark.parametrize(
    "path",
    [
        "unit?_sort=nothing", "unit?_sort=id&_sort_desc=id", "unit?_size=-1", "unit?_size=x", "unit?_size=99999",
        "unit?_facet=nothing", "unit?_facet={", "unit?_facet_array=nothing", "unit?_facet_date=1", "unit?_col=nothing",
        "unit?_facet=kind&_facet=book_id&_facet=code_id&_facet=page&_facet=number", "unit?_nocol=nothing",
        "edit?_timelimit=x", "table_cell/1", "table_cell/1,2,3", "entry_fts?_search=%22", "unit.csv?_stream=1",
        "unit/a.json?_shape=x", "unit.json?_shape=x", "unit?_through=x", "unit?_through={}", "unit?nothing=1",
        "unit?_search=%22", "unit?_search=+(", "unit?_search_nothing=1",
        "entry_fts?_next=x", "unit?_sort_by_desc=on&_sort=%00", "unit?_json_infinity=x",
        "unit?_facet_size=%C2%B2&_facet=kind", "unit?seq__gt=%C2%B2", "link.json?id__gt=999999999999999999999999",
        "unit.json?_json_infinity=x", "unit?_facet=%00", "unit?_sort_desc=%00", "unit_concept/x", "link/a", "%FF",
        "unit?_through=0", "unit?_extra=x", "unit.blob?_blob_column=x", "unit/%2e%2e", "unit?_where=1=1", "a/b/c/d",
    ],
)  # fmt: skip
async def test_bad_arguments_are_no_error_of_the_server(
    shared: Datasette, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Datasette's coroutines that nobody awaits once one has failed
        response = await shared.client.get(f"/small/{path}", follow_redirects=True)
    assert response.status_code in (200, 400, 403, 404), response.text
    assert "content-security-policy" in response.headers and "Traceback" not in response.text and not caplog.records


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/unit?text__glob=" + "*[^~]" * 30, 400), ("/unit?text__like=" + "%25a" * 60, 400),
        ("/unit?_fts_table=entry_fts&_search=a", 400), ("/unit?_fts_pk=id&_fts_table=entry_fts&_search=a", 400),
        ("/entry_fts?_searchmode=raw&_search=NEAR(a+b)", 400), ("/unit?text__glob=*revoke*", 200),
        (".json?sql=select+1", 403), ("/unit.json?_where=1=1", 403),
    ],
)  # fmt: skip
async def test_visitors_cannot_ask_for_what_no_time_limit_interrupts(shared: Datasette, path: str, status: int) -> None:
    assert (await shared.client.get(f"/small{path}")).status_code == status


async def test_slow_query_of_a_table_is_the_visitors_fault(ds: Datasette) -> None:
    assert (await ds.client.get("/small/unit")).status_code == 200
    ds.sql_time_limit_ms = 0
    assert (await ds.client.get("/small/unit")).status_code == 400


async def test_file_can_be_downloaded_and_no_page_reveals_its_path(shared: Datasette, database: Path) -> None:
    response = await shared.client.get("/small.db")
    assert response.content == database.read_bytes()
    assert 'filename="small.db"' in response.headers["content-disposition"]
    for path in ("/small.json", "/small/unit.json", "/about", "/", "/nothing", "/-/databases.json"):
        assert str(database.parent) not in (await shared.client.get(path)).text


@pytest.mark.parametrize("name", ["data", "1864", "english-1864", "a?b", "50%"])
def test_refuses_a_file_that_is_no_library_or_would_hide_pages(database: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(DatabaseError, match="hides pages"):
        instance(Path(shutil.copy(database, tmp_path / f"{name}.db")))
    sqlite_utils.Database(tmp_path / "other.db").table("t").insert({"a": 1})
    with pytest.raises(DatabaseError, match="not a knowledge base made by `whist build`"):
        instance(tmp_path / "other.db")
