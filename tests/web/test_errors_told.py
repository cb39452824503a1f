"""What goes wrong is told in our words, with the headers, and the log keeps what is needed and no more."""

from __future__ import annotations

import logging

import pytest
from datasette.app import Datasette

from datasette_plugins.answering.headers import CSP

NOWHERE = (
    "/.env", "//x", "/wp-admin/setup.php", "/a/b/c/d/e/f/g", "/-/databases", "/-/versions", "/-/threads",
    "/-/settings", "/-/plugins", "/-/metadata", "/-/patterns", "/-/nothing", "/_internal", "/_memory",
    "/-/static/nothing.css", "/-/static-plugins/whist/", "/small/nothing", "/small/unit/nothing",
    "/small/unit.tei.xml", "/small/-1.tei.xml", "/small.tei.xml",
)  # fmt: skip


@pytest.mark.parametrize("path", NOWHERE)
async def test_a_missing_page_is_ours_and_silent(
    ds: Datasette, path: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    response = await ds.client.get(path)
    assert response.status_code == 404 and "<h1>Not found</h1>" in response.text
    assert response.headers["content-security-policy"] == CSP and response.headers["cache-control"] == "no-store"
    assert capfd.readouterr() == ("", "") and not caplog.records


@pytest.mark.parametrize(
    "path",
    [
        "/nothing.json", "/small/nothing.json", "/english-1864/law-999.json", "/%FF.json", "/-/versions.json",
        "/-/databases.json", "/-/metadata.json", "/-/settings.json", "/small/unit.json?_size=x",
    ],
)  # fmt: skip
async def test_json_is_answered_in_json(ds: Datasette, path: str) -> None:
    response = await ds.client.get(path)
    assert response.status_code in (400, 404) and response.json()["error"].endswith(".")
    assert response.headers["content-security-policy"] == CSP


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/codes/english-1864", "/code/english-1864"),
        ("/serach", "/search"),
        ("/comparison/revoke", "/compare/revoke"),
        ("/concept/revokes.html", "/concept/revoke"),
        ("/english-1864/law-72.html", "/english-1864/law-72"),
    ],
)
async def test_a_missing_page_names_the_nearest(ds: Datasette, path: str, near: str) -> None:
    assert f'href="{near}"' in (await ds.client.get(path)).text
    data = (await ds.client.get(path.removesuffix(".html") + "x.json")).json()
    assert f"http://localhost{near}" in [n["url"] for n in data["nearest"]]


@pytest.mark.parametrize("path", ["/english-1864/law-72", "/english-1864/law-72.json"])
async def test_our_own_fault_is_logged_and_not_shown(
    ds: Datasette, path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def fail(*_: object) -> None:
        secret = "the password"  # a local, such as a traceback with locals would print
        raise RuntimeError(f"inside {len(secret)}")

    monkeypatch.setattr("datasette_plugins.views.unit._page", fail)
    response = await ds.client.get(path)
    assert response.status_code == 500 and response.headers["content-security-policy"] == CSP
    assert "inside" not in response.text and "Traceback" not in response.text and "noted" in response.text
    (record,) = caplog.records
    assert record.getMessage() == f"GET '{path}' failed: RuntimeError" and record.exc_info
    logged = logging.Formatter().format(record)
    assert "inside 12" in logged and "the password" not in logged.replace('secret = "the password"', "")
    assert capfd.readouterr() == ("", "")


async def test_a_page_that_takes_too_long_is_broken_off(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    monkeypatch.setattr("datasette_plugins.endpoint.PATIENCE", 50)
    monkeypatch.setattr("datasette_plugins.views.unit.works", lambda conn: conn.execute(endless).fetchall())
    response = await ds.client.get("/english-1864/law-72")
    assert response.status_code == 503 and "too long" in response.text and not caplog.records
