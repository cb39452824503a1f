"""The site cannot be brought down: whatever is asked, each page and its JSON twin answer, alike and in bounds."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote, urlencode

import attack
import pytest
from datasette.app import Datasette
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

PAGES = (
    "/search", "/dispute", "/ruling", "/compare", "/compare/revoke", "/concept/revoke", "/concepts",
    "/code/english-1864", "/book/pole-1895",
    "/code/english-1864/read", "/english-1864/law-72", "/english-1864/law-72/evidence", "/about",
)  # fmt: skip
# The small library has no page of more than a tenth of it.
LARGEST = 300_000

names = st.sampled_from(("q", "code", "kind", "book", "year", "page", "a", "b", "unit", "scan", "other"))
odd = st.sampled_from(attack.ODD)
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
async def test_a_page_and_its_twin_answer_alike(ds: Datasette, path: str, asked: list[tuple[str, str]]) -> None:
    query = urlencode([(k, v.encode("utf-8", "replace")) for k, v in asked])
    page, twin = await ds.client.get(f"{path}?{query}"), await ds.client.get(f"{path}.json?{query}")
    assert page.status_code == twin.status_code < 500, query
    assert twin.is_redirect or json.loads(twin.text), query
    assert len(page.text) < LARGEST and len(twin.text) < LARGEST


@given(st.sampled_from(("/compare/{}", "/concept/{}", "/code/{}", "/book/{}", "/english-1864/{}")), values)
@example("/english-1864/{}", "x" * 3000)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_an_address_that_leads_nowhere_is_told_in_few_words(ds: Datasette, path: str, wanted: str) -> None:
    response = await ds.client.get(path.format(quote(wanted.encode("utf-8", "replace"), safe="")))
    assert response.status_code < 500 and len(response.text) < 30_000


async def test_hostile_requests_bring_nothing_down(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Where rich is installed, Datasette's own handler prints a traceback with locals for each 404, or fails at it.
    monkeypatch.setattr("datasette.handle_exception.rich", None)
    answers = await attack.attack(database, attack.addresses(240))
    assert [a for a in answers if a.status >= 500 or not a.status] == []
    assert max(a.size for a in answers) < LARGEST
