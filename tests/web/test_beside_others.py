"""The site as a plugin of any Datasette: it speaks for its own pages and knowledge bases, and for nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlite_utils
from datasette.app import Datasette
from datasette.plugins import pm
from datasette.utils.asgi import Request, Response

import datasette_plugins
from datasette_plugins import hookimpl
from datasette_plugins.answering.headers import SECURITY

LAW = "/english-1864/law-72"
BOMB = "?sql=select+1"


@pytest.fixture(autouse=True)
def ours() -> None:
    """Our plugin is registered, as it is where the package is installed."""
    if datasette_plugins not in pm.get_plugins():
        pm.register(datasette_plugins, "whist")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A database that is no knowledge base; `/data` and `/other-1864` are also addresses of the site."""
    for name in ("other", "data", "other-1864"):
        sqlite_utils.Database(tmp_path / f"{name}.db").table("t").insert_all({"a": n, "b": n} for n in range(9))
    return tmp_path / "other.db"


@pytest.fixture
async def both(database: Path, other: Path) -> Datasette:
    """What `datasette -i small.db other.db ...` serves."""
    files = [str(other), str(other.with_name("data.db")), str(other.with_name("other-1864.db"))]
    ds = Datasette(files, immutables=[str(database)])
    await ds.invoke_startup()
    return ds


@pytest.fixture
def plugin() -> Iterator[Callable[..., None]]:
    """Register a plugin made of hooks."""
    made: list[ModuleType] = []

    def register(**hooks: Any) -> None:
        module = ModuleType(f"tiny{len(made)}")
        vars(module).update({name: hookimpl(hook) for name, hook in hooks.items()})
        pm.register(module)
        made.append(module)

    yield register
    for module in made:
        pm.unregister(module)


@pytest.mark.parametrize(
    "path", ["/other", "/other/t", "/other/t.json", "/data", "/data/t/1", "/other-1864", "/other-1864/t", "/-/versions",
             "/other/nothing", "/nothing-at-all", "/other.db", "/other?sql=select+nothing"],
)  # fmt: skip
async def test_what_is_not_ours_is_as_it_is_without_us(both: Datasette, other: Path, path: str) -> None:
    answer = await both.client.get(path)
    with_us = {k: v for k, v in answer.headers.items() if k != "link"}
    pm.unregister(datasette_plugins)
    try:
        alone = Datasette([str(other), str(other.with_name("data.db")), str(other.with_name("other-1864.db"))])
        plain = await alone.client.get(path)
    finally:
        pm.register(datasette_plugins, "whist")
    assert answer.status_code == plain.status_code
    assert with_us == {k: v for k, v in plain.headers.items() if k != "link"}
    if answer.headers["content-type"].startswith("text/html"):
        title, own = (text.text.partition("<title>")[2].partition("</title>")[0] for text in (answer, plain))
        assert title == own and "About the data" not in answer.text


async def test_arguments_of_other_tables_are_not_looked_through(both: Datasette) -> None:
    many = "&".join(["_facet=a"] * 6)
    assert (await both.client.get(f"/other/t?{many}")).status_code == 200
    assert (await both.client.get(f"/small/unit?{many.replace('=a', '=kind')}")).status_code == 400


async def test_without_a_knowledge_base_no_page_is_ours(other: Path) -> None:
    ds = Datasette([str(other)])
    front = await ds.client.get("/")
    assert front.status_code == 200 and 'href="/other"' in front.text
    for path in ("/search", "/about", LAW):
        assert (await ds.client.get(path)).status_code == 404


async def test_our_pages_have_our_headers(both: Datasette) -> None:
    for path in ("/", LAW, f"{LAW}.json", "/nowhere-1864/law-1", "/search?q=revoke"):
        answer = await both.client.get(path)
        assert {k: v for k, v in answer.headers.items() if k in SECURITY} == SECURITY, path


@pytest.mark.parametrize(
    "path", ["/-/static-plugins/x/../page.py", "/{}/../page.py", "/{}/%2E%2E/page.py", "/{}/no.css"]
)
async def test_nothing_but_the_files_can_be_had(both: Datasette, path: str) -> None:
    style = (await both.client.get("/")).text.partition('rel="stylesheet" href="/')[2].partition("/whist.css")[0]
    answer = await both.client.get(path.format(style))
    assert answer.status_code in (302, 404) and "import" not in answer.text


async def test_nobody_writes_sql_for_a_knowledge_base(database: Path, other: Path) -> None:
    for ds in (Datasette([str(database), str(other)]), Datasette([str(other)], immutables=[str(database)]),
               Datasette([str(database)], metadata={"databases": {"small": {"allow_sql": True}}})):  # fmt: skip
        await ds.invoke_startup()
        root = str(ds.sign({"a": {"id": "root"}}, "actor"))
        for path in (f"/small{BOMB}", f"/small.json{BOMB}", "/small/unit?_where=1=1"):
            assert (await ds.client.get(path)).status_code in (400, 403), path
        assert "sql=" not in (await ds.client.get("/small")).text
        assert (await ds.client.get("/small/unit")).status_code == 200
        assert (await ds.client.get("/small/unit?_where=1=1", cookies={"ds_actor": root})).status_code in (400, 403)
    both = Datasette([str(database), str(other)])
    assert (await both.client.get(f"/other{BOMB}")).status_code == 200


def of_header(datasette: Datasette, request: Request) -> dict[str, str] | None:
    name = request.headers.get("x-name")
    return {"id": name} if name else None


def only_ann(datasette: Datasette, actor: dict[str, str] | None, action: str, resource: object) -> bool | None:
    return actor == {"id": "ann"} if action in ("view-database", "view-instance") else None


@pytest.mark.parametrize("served", [True, False], ids=["whist serve", "datasette"])
async def test_what_was_open_can_be_closed_to_all_but_one(
    database: Path, plugin: Callable[..., None], served: bool
) -> None:
    ds = datasette_plugins.instance(database) if served else Datasette([], immutables=[str(database)])
    await ds.invoke_startup()
    tag = (await ds.client.get(LAW)).headers["etag"]
    plugin(actor_from_request=of_header, permission_allowed=only_ann)
    for path in (LAW, "/about") * 2:  # of which one was asked for before
        mine = await ds.client.get(path, headers={"x-name": "ann"})
        assert mine.status_code == 200 and mine.headers["cache-control"] == "private, no-store"
        assert "etag" not in mine.headers
        for headers in ({}, {"if-none-match": tag}, {"if-none-match": "*"}, {"x-name": "bob"}):
            answer = await ds.client.get(path, headers=headers)
            assert answer.status_code == 403 and "not open to visitors" in answer.text


async def test_a_plugin_that_leads_to_its_log_in_page_does_so_from_ours(
    database: Path, plugin: Callable[..., None]
) -> None:
    plugin(permission_allowed=only_ann, forbidden=lambda datasette, request, message: Response.redirect("/-/log-in"))
    ds = Datasette([], immutables=[str(database)])
    await ds.invoke_startup()
    assert (await ds.client.get(LAW)).headers["location"] == "/-/log-in"


async def test_other_plugins_have_their_addresses(plugin: Callable[..., None], database: Path) -> None:
    async def hello() -> Response:
        return Response.text("hello")

    plugin(register_routes=lambda datasette: [("^/-/hello$", hello), ("^/hello$", hello)])
    served = datasette_plugins.instance(database)
    for ds in (Datasette([], immutables=[str(database)]), served):
        for path in ("/-/hello", "/hello"):
            answer = await ds.client.get(path)
            assert answer.text == "hello" and ("content-security-policy" in answer.headers) == (ds is served)
    assert (await served.client.get("/-/versions")).status_code == 404, "what Datasette tells of itself stays closed"
