"""As a plugin of any Datasette, the site affects only its own pages: what is others' stays theirs."""

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlite_utils
from datasette.app import Datasette
from datasette.plugins import pm
from datasette.utils.asgi import Request
from lxml import html
from reading_pages import begun

import datasette_plugins
from datasette_plugins import hookimpl
from datasette_plugins.headers import SECURITY
from datasette_plugins.serve import instance

LAW = "/english-1864/law-72"


@pytest.fixture(autouse=True)
def our_plugin() -> None:
    """Register our plugin, as installing the package does."""
    if datasette_plugins not in pm.get_plugins():
        pm.register(datasette_plugins, "whist")


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Databases that are not knowledge bases; `/data` and `/other-1864` could also be addresses of the site."""
    files = [tmp_path_factory.mktemp("others") / f"{name}.db" for name in ("other", "data", "other-1864")]
    for file in files:
        sqlite_utils.Database(file).table("t").insert_all({"a": n, "b": n} for n in range(9))
    return [str(file) for file in files]


@pytest.fixture
async def both(database: Path, others: list[str]) -> Datasette:
    """The Datasette that `datasette -i small.db other.db ...` serves."""
    return await begun(Datasette(others, immutables=[str(database)]))


@pytest.fixture
def plugin() -> Iterator[Callable[..., None]]:
    """A function that registers a plugin with the given hooks, until the test ends."""
    module = ModuleType("tiny")

    def register(**hooks: Any) -> None:
        vars(module).update({name: hookimpl(hook) for name, hook in hooks.items()})
        pm.register(module)

    yield register
    pm.unregister(module)


async def test_pages_of_other_databases_are_as_without_the_plugin(both: Datasette, others: list[str]) -> None:
    paths = (
        "/other", "/other/t", "/other/t.json", "/data", "/data/t/1", "/data/t.csv", "/other-1864", "/other-1864/t",
        "/-/versions", "/other/nothing", "/nothing-at-all", "/other.db", "/other?sql=select+nothing",
        "/other/t?_searchmode=raw", "/other/t?" + "&".join(["_facet=a"] * 6),
    )  # fmt: skip
    with_us = [await both.client.get(path) for path in paths]
    pm.unregister(datasette_plugins)
    try:
        alone = Datasette(others)
        without_us = [await alone.client.get(path) for path in paths]
    finally:
        pm.register(datasette_plugins, "whist")
    for path, answer, plain in zip(paths, with_us, without_us, strict=True):
        assert answer.status_code == plain.status_code, path
        headers, plain_headers = ({k: v for k, v in each.headers.items() if k != "link"} for each in (answer, plain))
        assert headers == plain_headers, path
        if answer.headers["content-type"].startswith("text/html"):
            title, plain_title = (html.document_fromstring(each.text).findtext(".//title") for each in (answer, plain))
            assert title == plain_title, path


async def test_without_a_knowledge_base_the_site_has_no_pages(others: list[str]) -> None:
    ds = Datasette(others[:1])
    assert 'href="/other"' in (await ds.client.get("/")).text
    assert [(await ds.client.get(path)).status_code for path in ("/search", "/about", LAW)] == [404] * 3


async def test_our_pages_have_security_and_cache_headers_beside_others_too(both: Datasette, database: Path) -> None:
    mutable = await begun(Datasette([str(database)]))
    for path, ds in product(
        ("/", f"{LAW}.json", "/nowhere-1864/law-1", "/search?q=revoke", "/robots.txt"), (both, mutable)
    ):
        answer = await ds.client.get(path)
        assert {k: v for k, v in answer.headers.items() if k in SECURITY} == SECURITY, path
        assert answer.headers["cache-control"].startswith("no-store" if answer.is_error else "public"), path
        assert ("etag" in answer.headers) == (ds is both and not answer.is_error), path


async def test_on_ones_own_machine_ones_own_sql_works(both: Datasette) -> None:
    for path in ("/small.json?sql=select+1", "/small/unit.json?_where=1=1"):
        assert (await both.client.get(path)).status_code == 200, path
    long = "/small.json?sql=select+'a'+like+'" + "a" * 200 + "'"
    assert (await both.client.get(long)).json()["rows"] == [[0]]


def actor_from_header(datasette: Datasette, request: Request) -> dict[str, str] | None:
    name = request.headers.get("x-name")
    return {"id": name} if name else None


def only_ann(datasette: Datasette, actor: dict[str, str] | None, action: str, resource: object) -> bool | None:
    return actor == {"id": "ann"} if action in ("view-database", "view-instance") else None


@pytest.mark.parametrize("served", [True, False], ids=["whist serve", "datasette"])
async def test_permission_plugin_can_restrict_access_to_one_user(
    database: Path, plugin: Callable[..., None], served: bool
) -> None:
    ds = await begun(instance(database) if served else Datasette([], immutables=[str(database)]))
    tag = (await ds.client.get(LAW)).headers["etag"]
    plugin(actor_from_request=actor_from_header, permission_allowed=only_ann)
    granted = await ds.client.get(LAW, headers={"x-name": "ann"})
    assert granted.status_code == 200 and granted.headers["cache-control"] == "private, no-store"
    for headers in ({}, {"if-none-match": tag}, {"x-name": "bob"}):
        assert (await ds.client.get(LAW, headers=headers)).status_code == 403
