"""Headers, conditional requests, citation files, and Datasette's own pages behind the site."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import sqlite_utils
from click.testing import CliRunner
from datasette.app import Datasette

import datasette_plugins
from datasette_plugins.answering.headers import CSP
from datasette_plugins.command import cli
from extract.errors import DatabaseError, WhistError


@pytest.mark.parametrize(
    "path", ["/", "/search?q=revoke", "/english-1864/law-72", "/english-1864/law-72.json", "/robots.txt"]
)
async def test_security_and_cache_headers(ds: Datasette, path: str) -> None:
    headers = (await ds.client.get(path)).headers
    assert headers["content-security-policy"] == CSP and "unsafe" not in CSP
    assert CSP.startswith("default-src 'none'") and headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] and headers["cache-control"].startswith("public") and headers["etag"]


async def test_a_repeated_request_is_answered_before_any_query(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = (await ds.client.get("/english-1864/law-72")).headers["etag"]

    async def refuse(*_: object) -> None:
        raise AssertionError("a query was made")

    monkeypatch.setattr("datasette.database.Database.execute_fn", refuse)
    for sent in (tag, f"W/{tag}", f'"other", {tag}'):
        response = await ds.client.get("/english-1864/law-72", headers={"if-none-match": sent})
        assert response.status_code == 304 and response.text == "" and response.headers["etag"] == tag
        assert response.headers["content-security-policy"] == CSP


async def test_the_tag_depends_on_all_a_page_shows(ds: Datasette) -> None:
    async def tag(path: str, **headers: str) -> str:
        return str((await ds.client.get(path, headers=headers)).headers["etag"])

    tags = [
        await tag("/search?q=revoke"), await tag("/search?q=penalty"), await tag("/search"), await tag("/search.json"),
        await tag("/english-1864/law-72"),
    ]  # fmt: skip
    assert len(set(tags)) == len(tags) and await tag("/search") == tags[2]
    assert await tag("/search", host="whist.example") == tags[2], "no page shows the Host that was sent"


async def test_a_stale_tag_is_answered_in_full(ds: Datasette) -> None:
    response = await ds.client.get("/", headers={"if-none-match": '"old"'})
    assert response.status_code == 200 and response.text


@pytest.mark.parametrize("header", [{"cookie": "a=b"}, {"authorization": "Bearer x"}])
async def test_nothing_personal_is_cached(ds: Datasette, header: dict[str, str]) -> None:
    headers = (await ds.client.get("/", headers=header)).headers
    assert "etag" not in headers and headers["cache-control"] == "private, no-store"


async def test_a_missing_page_is_not_tagged(ds: Datasette) -> None:
    headers = (await ds.client.get("/english-1864/law-1")).headers
    assert "etag" not in headers and headers["content-security-policy"] == CSP


async def test_static_files_are_kept_for_ever(ds: Datasette) -> None:
    page = (await ds.client.get("/")).text
    style = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
    response = await ds.client.get(style)
    assert response.status_code == 200 and "immutable" in response.headers["cache-control"]
    assert "http" not in response.text.partition("*/")[2], "a style sheet that needs another server"


@pytest.mark.parametrize(
    ("form", "kind", "begins"),
    [
        ("bib", "application/x-bibtex", "@incollection{"),
        ("ris", "application/x-research-info-systems", "TY  - CHAP"),
        ("csl.json", "application/vnd.citationstyles.csl+json", "["),
        ("md", "text/markdown", "# "),
    ],
)
async def test_citation_files(ds: Datasette, form: str, kind: str, begins: str) -> None:
    response = await ds.client.get(f"/english-1864/law-72/ii.{form}")
    assert response.headers["content-type"].startswith(kind) and response.text.startswith(begins)
    assert "http://localhost/english-1864/law-72/ii" in response.text


async def test_robots_and_sitemap(ds: Datasette) -> None:
    robots = (await ds.client.get("/robots.txt")).text
    assert "Disallow: /search" in robots and "Sitemap: http://localhost/sitemap.xml" in robots
    sitemap = (await ds.client.get("/sitemap.xml")).text
    assert "<loc>http://localhost/english-1864/law-72/ii</loc>" in sitemap


async def test_no_one_may_run_sql(ds: Datasette) -> None:
    assert (await ds.client.get("/small?sql=select+1")).status_code == 403


async def test_a_closed_instance_is_closed_here_too(database: Path) -> None:
    ds = Datasette([], immutables=[str(database)], metadata={"allow": {"id": "editor"}})
    await ds.invoke_startup()
    assert (await ds.client.get("/")).status_code == 403
    assert (await ds.client.get("/english-1864/law-72")).status_code == 403


async def test_the_public_address_is_printed(database: Path) -> None:
    metadata = {"plugins": {"whist": {"url": "https://whist.example/"}}}
    ds = Datasette([], immutables=[str(database)], metadata=metadata)
    await ds.invoke_startup()
    assert "https://whist.example/english-1864/law-72" in (await ds.client.get("/english-1864/law-72.bib")).text


async def test_a_library_that_may_change_is_not_tagged(database: Path) -> None:
    ds = Datasette([str(database)])
    await ds.invoke_startup()
    response = await ds.client.get("/english-1864/law-72")
    assert response.status_code == 200 and "etag" not in response.headers


def test_only_a_knowledge_base_is_served(tmp_path: Path, database: Path) -> None:
    with pytest.raises(DatabaseError, match="whist build"):
        datasette_plugins.instance(tmp_path / "none.db")
    (tmp_path / "text.db").write_text("no database, but long enough to be looked at" * 9)
    with pytest.raises(DatabaseError, match="not a database"):
        datasette_plugins.instance(tmp_path / "text.db")
    sqlite_utils.Database(tmp_path / "other.db").table("t").insert({"a": 1})
    with pytest.raises(DatabaseError, match="not written by whist build"):
        datasette_plugins.instance(tmp_path / "other.db")
    (tmp_path / "search.db").write_bytes(database.read_bytes())
    with pytest.raises(DatabaseError, match="rename"):
        datasette_plugins.instance(tmp_path / "search.db")


async def test_settings_can_be_overruled(site: Callable[..., Awaitable[Datasette]]) -> None:
    ds = await site(num_sql_threads=1)
    assert ds.setting("num_sql_threads") == 1 and ds.setting("suggest_facets") is False


def test_a_port_that_is_taken_is_named(database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(cli, ["serve", "--db", str(database), "--port", port])
    assert isinstance(result.exception, WhistError) and f"127.0.0.1:{port} is taken" in str(result.exception)
    assert CliRunner().invoke(cli, ["serve", "--db", str(database), "--port", "99999"]).exit_code == 2
