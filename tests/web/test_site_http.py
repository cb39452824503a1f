"""Headers, conditional requests, citation files, and Datasette's own pages behind the site."""

from __future__ import annotations

import socket
from pathlib import Path
from unittest.mock import Mock

import pytest
import sqlite_utils
from datasette.app import Datasette
from terminal import whist

import datasette_plugins
from datasette_plugins.answering.headers import CSP
from extract.errors import DatabaseError, WhistError

LAW = "/english-1864/law-72"


@pytest.mark.parametrize(
    "path", ["/", "/search?q=revoke", "/english-1864/law-72", "/english-1864/law-72.json", "/robots.txt"]
)
async def test_security_and_cache_headers(ds: Datasette, path: str) -> None:
    headers = (await ds.client.get(path)).headers
    assert headers["content-security-policy"] == CSP and "unsafe" not in CSP
    assert CSP.startswith("default-src 'none'") and headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] and headers["cache-control"].startswith("public") and headers["etag"]


async def test_who_has_a_page_is_not_sent_it_again(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await ds.client.get(LAW)
    tag = first.headers["etag"]
    monkeypatch.setattr("datasette.database.Database.execute_fn", Mock(side_effect=AssertionError("a query")))
    for sent in (tag, "*", f"W/{tag}", f'"other", W/{tag}'):
        answer = await ds.client.get(LAW, headers={"if-none-match": sent})
        assert (answer.status_code, answer.content) == (304, b"")
        same = ("etag", "vary", "content-security-policy")
        assert [answer.headers[name] for name in same] == [first.headers[name] for name in same]
        assert not {"content-length", "content-type", "content-encoding"} & answer.headers.keys()
    stale = await ds.client.get(LAW, headers={"if-none-match": '"old"'})
    assert (stale.status_code, stale.content) == (200, first.content)


async def test_the_tag_depends_on_all_a_page_shows(ds: Datasette) -> None:
    async def tag(path: str, **headers: str) -> str:
        return str((await ds.client.get(path, headers=headers)).headers["etag"])

    tags = [
        await tag("/search?q=revoke"), await tag("/search?q=penalty"), await tag("/search"), await tag("/search.json"),
        await tag("/english-1864/law-72"),
    ]  # fmt: skip
    assert len(set(tags)) == len(tags) and await tag("/search") == tags[2]
    assert await tag("/search", host="whist.example") == tags[2], "no page shows the Host that was sent"


@pytest.mark.parametrize("header", [{"cookie": "a=b"}, {"authorization": "Bearer x"}])
async def test_nothing_personal_is_cached(ds: Datasette, header: dict[str, str]) -> None:
    public = await ds.client.get(LAW)
    for _ in range(2):
        own = await ds.client.get(LAW, headers=header)
        assert own.text == public.text and own.headers["cache-control"] == "private, no-store"
        assert "etag" not in own.headers
    assert (await ds.client.get(LAW)).headers["cache-control"].startswith("public")


@pytest.mark.parametrize("path", ["/english-1864/law-999", "/nowhere"])
async def test_a_missing_page_is_missing_whoever_asks_and_not_tagged(ds: Datasette, path: str) -> None:
    answer = await ds.client.get(path, headers={"if-none-match": "*"})
    assert answer.status_code == 404 and "etag" not in answer.headers
    assert answer.headers["content-security-policy"] == CSP


async def test_static_files_are_kept_for_ever(ds: Datasette) -> None:
    style = (await ds.client.get("/")).text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    response = await ds.client.get(style)
    assert "immutable" in response.headers["cache-control"] and response.headers["content-encoding"] == "gzip"
    assert "http" not in response.text.partition("*/")[2], "a style sheet that needs another server"
    assert (await ds.client.get(style, headers={"if-none-match": response.headers["etag"]})).status_code == 304


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


async def test_a_closed_instance_is_closed_here_too(database: Path) -> None:
    ds = Datasette([], immutables=[str(database)], metadata={"allow": {"id": "editor"}})
    await ds.invoke_startup()
    for path in ("/", LAW):
        assert (await ds.client.get(path)).status_code == 403


def test_only_a_knowledge_base_is_served(tmp_path: Path, database: Path) -> None:
    (tmp_path / "text.db").write_text("no database, but long enough to be looked at" * 9)
    (tmp_path / "search.db").write_bytes(database.read_bytes())
    sqlite_utils.Database(tmp_path / "other.db").table("t").insert({"a": 1})
    for name, told in (
        ("none", "whist build"), ("text", "not a database"), ("other", "not written by whist build"),
        ("search", "rename"),
    ):  # fmt: skip
        with pytest.raises(DatabaseError, match=told):
            datasette_plugins.instance(tmp_path / f"{name}.db")


def test_a_port_that_is_taken_is_named(database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = whist("serve", "--db", database, "--port", port)
    assert isinstance(result.exception, WhistError) and f"127.0.0.1:{port} is taken" in str(result.exception)
    assert whist("serve", "--db", database, "--port", "99999").exit_code == 2
