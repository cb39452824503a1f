"""Datasette's own pages behind the site: they work, tell nothing of the machine, and bear any argument."""

from __future__ import annotations

import base64
import hashlib
import re
import warnings
from pathlib import Path

import lxml.html
import pytest
from datasette.app import Datasette

from datasette_plugins.answering.headers import CSP

PAGES = (
    "/small", "/small/unit", "/small/unit/english-1864~2Flaw-72", "/small/entry_fts", "/small/unit?_facet=kind",
    "/small/provision", "/small/concordance", "/small/concept-by-code?concept=revoke",
)  # fmt: skip


def allowed(policy: str, kind: str) -> str:
    return next(part for part in policy.split("; ") if part.startswith(f"{kind}-src"))


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_may_run_the_scripts_it_brings_and_no_other(ds: Datasette, path: str) -> None:
    response = await ds.client.get(path)
    policy = response.headers["content-security-policy"]
    assert response.status_code == 200 and response.headers["x-content-type-options"] == "nosniff"
    scripts = re.findall(r"<script>(.*?)</script>", response.text, re.S)
    assert scripts and not re.search(r"\son\w+=", response.text)
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in allowed(policy, "script")
    assert "unsafe" not in allowed(policy, "script") and "'unsafe-inline'" in allowed(policy, "style")
    assert policy.startswith("default-src 'none'") and "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    "asked",
    [
        "unit?_sort=nothing", "unit?_sort=id&_sort_desc=id", "unit?_size=-1", "unit?_size=x", "unit?_size=99999",
        "unit?_facet=nothing", "unit?_facet={", "unit?_facet_array=nothing", "unit?_facet_date=1", "unit?_col=nothing",
        "unit?_facet=kind&_facet=book_id&_facet=code_id&_facet=page&_facet=number", "unit?_nocol=nothing",
        "edit?_timelimit=x", "table_cell/1", "table_cell/1,2,3", "entry_fts?_search=%22", "unit.csv?_stream=1",
        "unit/a.json?_shape=x", "unit.json?_shape=x", "unit?_through=x", "unit?_through={}", "unit?nothing=1",
        "unit?_search_nothing=1", "entry_fts?_next=x", "unit?_sort_by_desc=on&_sort=%00",
        "unit?_facet_size=%C2%B2&_facet=kind", "unit?seq__gt=%C2%B2", "link.json?id__gt=999999999999999999999999",
        "unit?_json_infinity=x", "unit.json?_json_infinity=x", "edit?_facet_array={}", "unit?_facet=%00",
        "unit?_sort_desc=%00", "unit_concept/x", "link/a", "unit?_through=0",
    ],
)  # fmt: skip
async def test_bad_arguments_are_the_visitors_fault(
    ds: Datasette, asked: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        response = await ds.client.get(f"/small/{asked}", follow_redirects=True)
    assert response.status_code in (200, 400, 404), response.text
    if response.status_code != 200:
        assert response.headers["content-security-policy"] == CSP
    if response.status_code == 400 and "html" in response.headers["content-type"]:
        (sentence,) = re.findall(r'<p class="lead">(.*?)</p>', response.text)
        assert not sentence[0].islower() and sentence.endswith(".") and "sql" not in sentence.lower()
    assert capfd.readouterr() == ("", "") and not caplog.records


async def test_a_slow_query_is_told_in_our_words(ds: Datasette) -> None:
    assert (await ds.client.get("/small/unit")).status_code == 200
    ds.sql_time_limit_ms = 0
    response = await ds.client.get("/small/unit")
    assert response.status_code == 400 and "too long" in response.text and "<script>" not in response.text


async def test_answers_are_bounded(ds: Datasette) -> None:
    assert ds.setting("max_returned_rows") <= 1000 and ds.setting("sql_time_limit_ms") <= 1000
    assert not ds.setting("allow_csv_stream") and (await ds.client.get("/small?sql=select+1")).status_code == 403


@pytest.mark.parametrize("path", [*PAGES, "/small.json", "/small/unit.json", "/about", "/", "/nothing", "/-/databases"])
async def test_no_page_tells_where_the_file_is(ds: Datasette, database: Path, path: str) -> None:
    assert str(database.parent) not in (await ds.client.get(path)).text


async def test_what_a_form_of_a_table_asks_for_has_a_name(ds: Datasette) -> None:
    page = lxml.html.fromstring((await ds.client.get("/small/unit")).text)
    asked = page.xpath("//form//*[self::select or self::input][starts-with(@name, '_filter') or @name = '_sort']")
    names = {field.get("name").rstrip("_0123456789"): field.get("aria-label") for field in asked}
    assert names == {
        "_filter_column": "Column", "_filter_op": "Comparison", "_filter_value": "Value", "_sort": "Sort by"
    }  # fmt: skip


async def test_the_file_can_be_had(ds: Datasette, database: Path) -> None:
    response = await ds.client.get("/small.db")
    assert response.content == database.read_bytes()
    assert 'filename="small.db"' in response.headers["content-disposition"]
    assert response.headers["etag"] == f'"{hashlib.sha256(response.content).hexdigest()}"'
