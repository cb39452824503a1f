"""Datasette's own pages, and the site as a plugin: they reveal nothing about the machine and survive any argument."""

import base64
import hashlib
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlite_utils
from datasette.app import Datasette
from datasette.plugins import pm
from datasette.utils.asgi import Request, Response
from lxml import html
from reading_pages import begun

import datasette_plugins
from datasette_plugins import hookimpl
from datasette_plugins.answering.headers import CSP, SECURITY

PAGES = (
    "/small", "/small/unit", "/small/unit/english-1864~2Flaw-72", "/small/entry_fts", "/small/unit?_facet=kind",
    "/small/provision", "/small/concordance", "/small/concept-by-code?concept=revoke",
)  # fmt: skip


def csp_sources(policy: str, directive: str) -> str:
    return next(part for part in policy.split("; ") if part.startswith(f"{directive}-src"))


@pytest.mark.parametrize("path", PAGES)
async def test_csp_allows_only_the_scripts_of_the_page(shared: Datasette, path: str) -> None:
    response = await shared.client.get(path)
    policy = response.headers["content-security-policy"]
    assert response.status_code == 200 and response.headers["x-content-type-options"] == "nosniff"
    scripts = re.findall(r"<script>(.*?)</script>", response.text, re.S)
    assert scripts and not re.search(r"\son\w+=", response.text)
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in csp_sources(policy, "script")
    assert "unsafe" not in csp_sources(policy, "script") and "'unsafe-inline'" in csp_sources(policy, "style")
    assert policy.startswith("default-src 'none'") and "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    "path",
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
async def test_bad_arguments_cause_no_server_error(
    shared: Datasette, path: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        response = await shared.client.get(f"/small/{path}", follow_redirects=True)
    assert response.status_code in (200, 400, 404), response.text
    if response.status_code != 200:
        assert response.headers["content-security-policy"] == CSP
    if response.status_code == 400 and "html" in response.headers["content-type"]:
        (sentence,) = re.findall(r'<p class="lead">(.*?)</p>', response.text)
        assert not sentence[0].islower() and sentence.endswith(".") and "sql" not in sentence.lower()
        assert "too long" not in sentence
    assert capfd.readouterr() == ("", "") and not caplog.records


async def test_slow_query_gets_our_own_error_page(ds: Datasette) -> None:
    assert (await ds.client.get("/small/unit")).status_code == 200
    ds.sql_time_limit_ms = 0
    response = await ds.client.get("/small/unit")
    assert response.status_code == 400 and "too long" in response.text and "<script>" not in response.text


@pytest.mark.parametrize(
    "path", ["/small.json", "/small/unit.json", "/about", "/", "/nothing", "/-/databases", *PAGES[:4]]
)
async def test_no_page_reveals_the_path_of_the_file(shared: Datasette, database: Path, path: str) -> None:
    assert str(database.parent) not in (await shared.client.get(path)).text


async def test_database_file_can_be_downloaded(shared: Datasette, database: Path) -> None:
    response = await shared.client.get("/small.db")
    assert response.content == database.read_bytes()
    assert 'filename="small.db"' in response.headers["content-disposition"]
    assert response.headers["etag"] == f'"{hashlib.sha256(response.content).hexdigest()}"'


# As a plugin of any Datasette, the site affects only its own pages and knowledge bases.


LAW = "/english-1864/law-72"
SQL_QUERY = "?sql=select+1"


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
        "/other", "/other/t", "/other/t.json", "/data", "/data/t/1", "/other-1864", "/other-1864/t", "/-/versions",
        "/other/nothing", "/nothing-at-all", "/other.db", "/other?sql=select+nothing",
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
            assert title == plain_title and "About the data" not in answer.text, path


async def test_arguments_of_other_tables_are_not_checked(both: Datasette) -> None:
    many = "&".join(["_facet=a"] * 6)
    assert (await both.client.get(f"/other/t?{many}")).status_code == 200
    assert (await both.client.get(f"/small/unit?{many.replace('=a', '=kind')}")).status_code == 400


async def test_without_a_knowledge_base_the_site_has_no_pages(others: list[str]) -> None:
    ds = Datasette(others[:1])
    home = await ds.client.get("/")
    assert home.status_code == 200 and 'href="/other"' in home.text
    for path in ("/search", "/about", LAW):
        assert (await ds.client.get(path)).status_code == 404


async def test_site_pages_have_security_and_cache_headers(both: Datasette, shared: Datasette) -> None:
    assert CSP.startswith("default-src 'none'") and "unsafe" not in CSP
    for path in ("/", LAW, f"{LAW}.json", "/nowhere-1864/law-1", "/search?q=revoke", "/robots.txt"):
        for ds in (both, shared):
            answer = await ds.client.get(path)
            assert {k: v for k, v in answer.headers.items() if k in SECURITY} == SECURITY, path
            assert answer.headers["cache-control"].startswith("no-store" if answer.is_error else "public"), path
            assert ("etag" in answer.headers) != answer.is_error, path


async def test_static_paths_serve_no_source_code(both: Datasette) -> None:
    style = (await both.client.get("/")).text.partition('rel="stylesheet" href="/')[2].partition("/whist.css")[0]
    for path in (
        "/-/static-plugins/x/../page.py", f"/{style}/../page.py", f"/{style}/%2E%2E/page.py", f"/{style}/no.css"
    ):  # fmt: skip
        answer = await both.client.get(path)
        assert answer.status_code in (302, 404) and "import" not in answer.text, path


async def test_knowledge_bases_refuse_custom_sql(database: Path, others: list[str]) -> None:
    for ds in (Datasette([str(database), *others]), Datasette(others, immutables=[str(database)]),
               Datasette([str(database)], metadata={"databases": {"small": {"allow_sql": True}}}),
               datasette_plugins.instance(database)):  # fmt: skip
        await ds.invoke_startup()
        root = str(ds.sign({"a": {"id": "root"}}, "actor"))
        for path in (f"/small{SQL_QUERY}", f"/small.json{SQL_QUERY}", "/small/unit?_where=1=1"):
            assert (await ds.client.get(path)).status_code in (400, 403), path
        assert "sql=" not in (await ds.client.get("/small")).text
        assert (await ds.client.get("/small/unit")).status_code == 200
        assert (await ds.client.get("/small/unit?_where=1=1", cookies={"ds_actor": root})).status_code in (400, 403)
    assert (await Datasette([str(database), *others]).client.get(f"/other{SQL_QUERY}")).status_code == 200


def actor_from_header(datasette: Datasette, request: Request) -> dict[str, str] | None:
    name = request.headers.get("x-name")
    return {"id": name} if name else None


def only_ann(datasette: Datasette, actor: dict[str, str] | None, action: str, resource: object) -> bool | None:
    return actor == {"id": "ann"} if action in ("view-database", "view-instance") else None


@pytest.mark.parametrize("served", [True, False], ids=["whist serve", "datasette"])
async def test_permission_plugin_can_restrict_access_to_one_user(
    database: Path, plugin: Callable[..., None], served: bool
) -> None:
    ds = await begun(datasette_plugins.instance(database) if served else Datasette([], immutables=[str(database)]))
    tag = (await ds.client.get(LAW)).headers["etag"]
    plugin(actor_from_request=actor_from_header, permission_allowed=only_ann)
    for path in (LAW, "/about") * 2:  # the first of them was requested before
        granted = await ds.client.get(path, headers={"x-name": "ann"})
        assert granted.status_code == 200 and granted.headers["cache-control"] == "private, no-store"
        assert "etag" not in granted.headers
        for headers in ({}, {"if-none-match": tag}, {"if-none-match": "*"}, {"x-name": "bob"}):
            refused = await ds.client.get(path, headers=headers)
            assert refused.status_code == 403 and "not open to visitors" in refused.text


async def test_forbidden_hook_can_redirect_to_a_log_in_page(database: Path, plugin: Callable[..., None]) -> None:
    plugin(permission_allowed=only_ann, forbidden=lambda datasette, request, message: Response.redirect("/-/log-in"))
    ds = await begun(Datasette([], immutables=[str(database)]))
    assert (await ds.client.get(LAW)).headers["location"] == "/-/log-in"


async def test_other_plugins_keep_their_routes(plugin: Callable[..., None], database: Path) -> None:
    async def hello() -> Response:
        return Response.text("hello")

    plugin(register_routes=lambda datasette: [("^/-/hello$", hello), ("^/hello$", hello)])
    served = datasette_plugins.instance(database)
    for ds in (Datasette([], immutables=[str(database)]), served):
        for path in ("/-/hello", "/hello"):
            answer = await ds.client.get(path)
            assert answer.text == "hello" and ("content-security-policy" in answer.headers) == (ds is served)
    assert (await served.client.get("/-/versions")).status_code == 404, "what Datasette tells of itself stays closed"
