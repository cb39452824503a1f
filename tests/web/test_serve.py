"""`whist serve`, and the site as a plugin of any Datasette: what is answered, refused, cached and left to others."""

import base64
import hashlib
import itertools
import json
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
import sqlite_utils
from datasette.app import Datasette
from datasette.plugins import pm
from datasette.utils.asgi import Request, Response
from lxml import html
from reading_pages import begun, changed, started
from terminal import until, whist

import datasette_plugins
from datasette_plugins import address, hookimpl, library
from datasette_plugins.headers import CSP, SECURITY
from datasette_plugins.serve import MOST_CONNECTIONS, instance
from extract.errors import DatabaseError
from kb.read.build_cache import cached_per_build

LAW = "/english-1864/law-72"


# Pages that a client already has


@pytest.mark.parametrize("path", [LAW, f"{LAW}.json", f"{LAW}.bib", "/search?q=revoke", "/about"])
async def test_matching_etag_is_answered_before_anything_is_made(
    ds: Datasette, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await ds.client.get(path)
    tag = first.headers["etag"]
    assert (await ds.client.get(path, headers={"if-none-match": '"old"'})).content == first.content
    monkeypatch.setattr("datasette.database.Database.execute_fn", Mock(side_effect=AssertionError("a query")))
    for condition in (tag, f"W/{tag}", f'"other", W/{tag}'):
        unchanged = await ds.client.get(path, headers={"if-none-match": condition})
        assert (unchanged.status_code, unchanged.content, unchanged.headers["etag"]) == (304, b"", tag)
        assert unchanged.headers["content-security-policy"] == CSP
        assert unchanged.headers["cache-control"] == first.headers["cache-control"]


async def test_etag_changes_with_the_build_and_with_the_software(
    ds: Datasette, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rebuilt = await started(
        changed(database, tmp_path, "update unit set text = 'new' where id = 'english-1864/law-71'")
    )
    tags = [(await each.client.get("/about")).headers["etag"] for each in (ds, rebuilt)]
    monkeypatch.setattr(library, "software", lambda: "other")
    tags.append((await ds.client.get("/about")).headers["etag"])
    assert len(set(tags)) == 3


@pytest.mark.parametrize("package", ["datasette_plugins", "extract", "kb"])
def test_software_changes_with_the_files_of_each_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for name in ("datasette_plugins", "extract", "kb"):
        (tmp_path / name / "static").mkdir(parents=True)
    monkeypatch.setattr("importlib.resources.files", lambda name: tmp_path / name)
    versions = []
    for text in ("<svg/>", "<svg></svg>"):
        (tmp_path / package / "static" / "spade.svg").write_text(text)
        versions.append(library.software.__wrapped__())
    assert versions[0] != versions[1]


# What is loaded once per build


def counting_loader() -> Callable[[sqlite3.Connection], int]:
    """A loader, cached per build, that returns how many times it has run."""
    times = itertools.count(1)
    return cached_per_build(lambda conn: next(times))


def load_from(load: Callable[[sqlite3.Connection], Any], path: Path) -> Any:
    with closing(sqlite3.connect(path)) as conn:
        return load(conn)


def make(path: Path, table: str) -> Path:
    """Create a database with a table, or add the table to an existing database."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(f"create table {table} as select 7 as n")
    return path


def test_each_build_is_loaded_once_by_many_threads(tmp_path: Path) -> None:
    path, load = tmp_path / "a.db", counting_loader()
    for n in range(1, 4):
        make(tmp_path / "fresh.db", f"t{n}").replace(path)
        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(lambda _: load_from(load, path), range(40))) == {n}
    with closing(sqlite3.connect(":memory:")) as conn:
        assert [load(conn), load(conn)] == [4, 5], "what has no file is loaded each time"


def test_open_connection_never_loads_from_a_file_that_has_replaced_its_own(tmp_path: Path) -> None:
    names = cached_per_build(lambda c: c.execute("select name from sqlite_master").fetchall())
    with closing(sqlite3.connect(make(tmp_path / "a.db", "old"))) as conn:
        assert names(conn) == [("old",)]
        make(tmp_path / "b.db", "new").replace(tmp_path / "a.db")
        assert names(conn) == [("old",)]


def test_loading_is_not_interrupted_by_the_time_limit_of_a_query(tmp_path: Path) -> None:
    with closing(sqlite3.connect(make(tmp_path / "a.db", "one"))) as conn:
        conn.set_progress_handler(lambda: 1, 100)
        assert len(cached_per_build(lambda c: c.execute("select n from one").fetchall() * 1000)(conn)) == 1000
    with closing(sqlite3.connect(tmp_path / "a.db")) as conn:
        conn.execute("insert into one values (8)")
        assert cached_per_build(lambda c: c.execute("select n from one").fetchall())(conn) == [(7,), (8,)]


# Datasette's own pages under `whist serve`


PAGES = (
    "/small", "/small/unit", "/small/unit/english-1864~2Flaw-72", "/small/entry_fts", "/small/unit?_facet=kind",
    "/small/provision", "/small/concordance", "/small/concept-by-code?concept=revoke",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
async def test_csp_allows_only_the_scripts_of_the_page(shared: Datasette, path: str) -> None:
    response = await shared.client.get(path)
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
        "unit?_search_nothing=1", "entry_fts?_next=x", "unit?_sort_by_desc=on&_sort=%00", "unit?_json_infinity=x",
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
    "path",
    [
        "unit?text__glob=" + "*[^~]" * 30, "unit?text__like=" + "%25a" * 60, "unit?_fts_table=entry_fts&_search=a",
        "entry_fts?_searchmode=raw&_search=NEAR(a+b)", "unit?_fts_pk=id&_fts_table=entry_fts&_search=a",
    ],
)  # fmt: skip
async def test_steps_that_no_time_limit_interrupts_are_refused(shared: Datasette, path: str) -> None:
    assert (await shared.client.get(f"/small/{path}")).status_code == 400
    assert (await shared.client.get("/small/unit?text__glob=*revoke*")).status_code == 200


async def test_slow_query_of_a_table_is_the_visitors_fault(ds: Datasette) -> None:
    assert (await ds.client.get("/small/unit")).status_code == 200
    ds.sql_time_limit_ms = 0
    assert (await ds.client.get("/small/unit")).status_code == 400


@pytest.mark.parametrize("path", ["/small.json", "/small/unit.json", "/about", "/", "/nothing", "/-/databases.json"])
async def test_no_page_reveals_the_path_of_the_file(shared: Datasette, database: Path, path: str) -> None:
    assert str(database.parent) not in (await shared.client.get(path)).text


async def test_file_can_be_downloaded(shared: Datasette, database: Path) -> None:
    response = await shared.client.get("/small.db")
    assert response.content == database.read_bytes()
    assert 'filename="small.db"' in response.headers["content-disposition"]


async def test_tables_lead_back_to_the_library(database: Path) -> None:
    page = html.document_fromstring((await (await started(database, base_url="/x/")).client.get("/small/unit")).text)
    assert page.xpath("//footer//a[normalize-space()='the data']/@href") == ["/x/data"]


@pytest.mark.parametrize("name", ["data", "1864", "english-1864", "a?b", "50%"])
def test_refuses_a_file_whose_pages_would_be_hidden(database: Path, tmp_path: Path, name: str) -> None:
    renamed = Path(shutil.copy(database, tmp_path / f"{name}.db"))
    with pytest.raises(DatabaseError, match="hides pages"):
        instance(renamed)


# As a plugin of any Datasette, the site affects only its own pages


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
        "/other/nothing", "/nothing-at-all", "/other.db", "/other?sql=select+nothing", "/other/t?_searchmode=raw",
        "/other/t?" + "&".join(["_facet=a"] * 6),
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
    home = await ds.client.get("/")
    assert home.status_code == 200 and 'href="/other"' in home.text
    for path in ("/search", "/about", LAW):
        assert (await ds.client.get(path)).status_code == 404


async def test_site_pages_have_security_and_cache_headers(both: Datasette, shared: Datasette, database: Path) -> None:
    assert CSP.startswith("default-src 'none'") and "unsafe" not in CSP
    mutable = await begun(Datasette([str(database)]))
    for path in ("/", LAW, f"{LAW}.json", "/nowhere-1864/law-1", "/search?q=revoke", "/robots.txt"):
        for ds in (both, shared, mutable):
            answer = await ds.client.get(path)
            assert {k: v for k, v in answer.headers.items() if k in SECURITY} == SECURITY, path
            assert answer.headers["cache-control"].startswith("no-store" if answer.is_error else "public"), path
            assert ("etag" in answer.headers) == (not answer.is_error and ds is not mutable), path


async def test_visitors_run_sql_of_their_own_only_in_a_plain_datasette(database: Path, both: Datasette) -> None:
    for path in ("/small.json?sql=select+1", "/small/unit.json?_where=1=1"):
        assert (await both.client.get(path)).status_code == 200, path
        assert (await instance(database).client.get(path)).status_code == 403, path
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


async def test_forbidden_hook_can_redirect_to_a_log_in_page(database: Path, plugin: Callable[..., None]) -> None:
    plugin(permission_allowed=only_ann, forbidden=lambda datasette, request, message: Response.redirect("/-/log-in"))
    ds = await begun(Datasette([], immutables=[str(database)]))
    assert (await ds.client.get(LAW)).headers["location"] == "/-/log-in"


async def test_other_plugins_keep_their_routes(plugin: Callable[..., None], database: Path) -> None:
    async def hello() -> Response:
        return Response.text("hello")

    plugin(register_routes=lambda datasette: [(f"^{path}$", hello) for path in ("/-/hello", "/hello", "/robots.txt")])
    for ds in (Datasette([], immutables=[str(database)]), served := instance(database)):
        for path in ("/-/hello", "/hello", "/robots.txt"):
            answer = await ds.client.get(path)
            assert answer.text == "hello" and ("content-security-policy" in answer.headers) == (ds is served)


# The process: `whist serve` as a command


COMMAND = "from datasette_plugins.command import main; main()"


@dataclass
class Running:
    """A server process: its port, and its log."""

    process: subprocess.Popen[str]
    port: int
    log: Path

    def get(self, path: str, **headers: str) -> httpx.Response:
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=30)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def running(database: Path, place: Path, *options: str) -> Iterator[Running]:
    """Run `whist serve` over a database; the process is always killed at the end."""
    log, port = place / "log", free_port()
    arguments = ["serve", "--db", str(database), "--port", str(port), "--json", *options]
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *arguments],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 4096)),
        )
        try:
            assert process.stdout
            assert any(line == "}\n" for line in process.stdout), log.read_text()
            yield Running(process, port, log)
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def server(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with default options."""
    with running(database, tmp_path_factory.mktemp("server")) as process:
        yield process


def test_response_in_progress_is_completed_before_the_server_stops(database: Path, tmp_path: Path) -> None:
    large = changed(database, tmp_path, "create table padding as select zeroblob(8000000) as zero")
    with (
        running(large, tmp_path) as server,
        httpx.stream("GET", f"http://127.0.0.1:{server.port}/altered.db", timeout=60) as response,
    ):
        pieces = response.iter_bytes(65536)
        received = len(next(pieces))
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        received += sum(map(len, pieces))
        assert received == large.stat().st_size
        server.process.wait(30)
        assert "Traceback" not in server.log.read_text()


def test_permalinks_ignore_what_a_client_claims(server: Running) -> None:
    claims = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https",
              "X-Forwarded-For": "1.2.3.4", "Forwarded": "host=evil.example"}  # fmt: skip
    for path in (f"{LAW}.bib", "/sitemap.xml", "/robots.txt", f"{LAW}.json"):
        text = server.get(path, **claims).text
        assert f"http://127.0.0.1:{server.port}/" in text and "evil" not in text and "https://127" not in text


@pytest.mark.parametrize(
    ("line", "header", "status"),
    [
        *((line, "Host: x", "4..") for line in ("no http", "GET /\xff HTTP/1.1", "GET /" + "a" * 99999)),
        *((f"GET {path} HTTP/1.1", f"Host: {host}", "(200|404|400)") for path in ("/about", "/small/unit", "/nothing")
          for host in ("[", "a b", "evil.example:99999", "\xff", "", "x" * 3000)),
        ("GET /about HTTP/1.1", "Cookie: \xff", "200"),
        ("POST /about HTTP/1.1", "Content-Type: multipart/form-data\r\nContent-Length: 3", "405"),
    ],
)  # fmt: skip
def test_every_request_gets_a_response(server: Running, line: str, header: str, status: str) -> None:
    host = "" if header.startswith("Host") else "Host: x\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        client.sendall(f"{line}\r\n{host}{header}\r\nConnection: close\r\n\r\n".encode("latin-1"))
        response = b"".join(iter(lambda: client.recv(65536), b"")).decode("latin-1")
    assert re.match(f"HTTP/1.1 {status}", response) and "evil" not in response and "Traceback" not in response


def test_headers_are_not_repeated(server: Running) -> None:
    for path in ("/", "/small/unit", "/nothing", "/about/", "/small.db", "/favicon.ico"):
        names = [name for name, _ in server.get(path).headers.multi_items()]
        assert "content-security-policy" in names and "server" not in names and len(names) == len(set(names))


def test_too_many_connections_are_refused_at_once_and_later_ones_served(database: Path, tmp_path: Path) -> None:
    with running(database, tmp_path) as server:
        idle = []
        for _ in range(MOST_CONNECTIONS + 50):  # more than the soft limit of file descriptors, 256
            client = socket.create_connection(("127.0.0.1", server.port), timeout=20)
            client.sendall(b"GET / HT")
            idle.append(client)
        assert until(lambda: server.get("/about").status_code == 503, 10)
        for client in idle:
            client.close()
        assert until(lambda: server.get("/about").status_code == 200, 10)
        assert "Too many open files" not in server.log.read_text()


@pytest.fixture(scope="module")
def new_build(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build in which every text is different."""
    return changed(database, tmp_path_factory.mktemp("new"), "update unit set text = 'betabuild ' || text; vacuum")


@pytest.mark.parametrize("reload", [False, True])
def test_every_answer_comes_from_one_build(database: Path, new_build: Path, tmp_path: Path, reload: bool) -> None:
    served = Path(shutil.copy(database, tmp_path / "small.db"))
    with running(served, tmp_path, *(["--reload"] if reload else [])) as server:
        first = server.get(f"{LAW}.json").headers["etag"]
        Path(shutil.copy(new_build, tmp_path / "new")).replace(served)
        if reload:
            (tmp_path / "bad").write_bytes(b"no database")
            (tmp_path / "bad").replace(served)
            time.sleep(1)
            assert server.get("/about").status_code == 200, "what cannot be served is left alone"
            Path(shutil.copy(new_build, tmp_path / "new")).replace(served)
            tables = f"/small/unit.json?id={LAW[1:]}&_shape=array"

            def is_new() -> bool:
                try:
                    return "betabuild" in server.get(tables).text
                except httpx.TransportError:
                    return False  # it is starting again

            assert until(is_new, 30)
            answer = server.get(f"{LAW}.json")
            assert "betabuild" in answer.text and answer.headers["etag"] != first
            return
        # All threads at once, pages and tables; none of them may open the new file.
        paths = [f"{LAW}.json", "/code/english-1864/read", "/small/unit.json?_size=100", "/search.json?q=revoke"] * 6
        with ThreadPoolExecutor(8) as pool:
            answers = [*pool.map(server.get, paths)]
        assert all(answer.status_code == 200 and "betabuild" not in answer.text for answer in answers)
        assert server.get(f"{LAW}.json").headers["etag"] == first


async def test_indexes_and_connections_are_ready_before_the_first_visitor(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: set[int] = set()
    monkeypatch.setattr("datasette_plugins.public.matcher_of", lambda conn: loaded.append("matcher"))
    monkeypatch.setattr("datasette_plugins.public.entries", lambda conn: loaded.append("entries"))
    loaded: list[str] = []
    ds = instance(database)
    connect = ds.databases["small"].connect
    monkeypatch.setattr(ds.databases["small"], "connect", lambda: opened.add(threading.get_ident()) or connect())
    await ds.invoke_startup()
    assert loaded == ["matcher", "entries"] and len(opened - {threading.get_ident()}) == ds.setting("num_sql_threads")


@pytest.mark.parametrize(
    "url",
    ["whist.example", "ftp://x", "javascript:alert(1)", "http://a b", 'http://x/"', "http://ünï.example", "http://u:p@x",
     "http://x?q", "http://x#y", "http://x:99x", "http://", "http://x//y"],
)  # fmt: skip
def test_public_address_is_checked_in_one_place(url: str) -> None:
    result = whist("serve", "--url", url)
    assert result.exit_code == 2 and "write it as https://whist.example" in " ".join(result.output.split())


def test_public_address_loses_its_final_slash(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve = Mock(side_effect=lambda db, host, port, url, listens, reload: listens())
    monkeypatch.setattr("datasette_plugins.serve.serve", serve)
    result = whist("serve", "--db", database, "--url", "https://example.org/whist/", "--json")
    assert json.loads(result.output)["url"] == serve.call_args.args[3] == "https://example.org/whist"


@pytest.mark.parametrize(
    ("socket_of", "url"),
    [(("::1", 8001), "http://[::1]:8001"), (("127.0.0.1", 80), "http://127.0.0.1"), (None, "http://localhost")],
)
def test_permalinks_without_a_public_address_name_the_socket(
    shared: Datasette, socket_of: tuple[str, int] | None, url: str
) -> None:
    assert address.base(shared, {"server": socket_of}) == url


def test_taken_port_ends_the_command(database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-c", COMMAND, "serve", "--db", str(database), "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "(address already in use); choose" in done.stderr and done.stderr.count("\n") == 1
    assert not done.stdout


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(["spacy", "sklearn", "scipy"]))  # whoever imports one of them now fails
from datasette_plugins.command import cli
for words in (["show", "1864, law 71"], ["cite", "english-1864/law-71"], ["search", "revoke"], ["ask", "He revoked."]):
    cli.main([*words, "--db", sys.argv[1]], standalone_mode=False)
"""


def test_commands_need_no_package_that_only_builds_use(database: Path) -> None:
    result = subprocess.run([sys.executable, "-c", WITHOUT, str(database)], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")


# Behind nginx, set up as docs/publishing.md describes


NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
DOCUMENT = Path(__file__).parents[2] / "docs" / "publishing.md"
MAIN = """daemon off; pid {place}/pid; error_log {place}/error.log;
events {{}}
http {{
    access_log off; client_body_temp_path {place}/body; proxy_temp_path {place}/proxy;
    fastcgi_temp_path {place}/fastcgi; uwsgi_temp_path {place}/uwsgi; scgi_temp_path {place}/scgi;
    {told}
}}
"""


def configuration(server_port: int, listen_port: int) -> str:
    """The configuration in the document, with the ports of the test, without TLS and with a shorter timeout."""
    text = DOCUMENT.read_text("utf-8")
    lines = text[text.index("    limit_req_zone") :].split("\n")
    config = "\n".join(lines[: next(n for n, line in enumerate(lines) if line and not line.startswith("    "))])
    for pattern, replacement in (
        (r"listen 443 ssl;", f"listen 127.0.0.1:{listen_port};"),
        (r"ssl_certificate\w* [^;]+;", ""),
        (r"client_header_timeout 15s", "client_header_timeout 1s"),
        (r"127\.0\.0\.1:8001", f"127.0.0.1:{server_port}"),
    ):
        config, count = re.subn(pattern, replacement, config)
        assert count, f"docs/publishing.md has no {pattern}"
    return config


@pytest.fixture(scope="module")
def nginx_port(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of an nginx in front of a server."""
    if NGINX is None:
        pytest.skip("nginx is not installed (Debian: nginx-light)")
    place, port = tmp_path_factory.mktemp("proxy"), free_port()
    with running(database, place, "--url", "https://example.org/whist") as server:
        (place / "nginx.conf").write_text(MAIN.format(place=place, told=configuration(server.port, port)))
        proxy = subprocess.Popen([NGINX, "-p", str(place), "-c", "nginx.conf", "-e", str(place / "error.log")])
        try:
            with httpx.Client(transport=httpx.HTTPTransport(retries=6)) as client:
                client.get(f"http://127.0.0.1:{port}/")  # retried until nginx listens
            yield port
        finally:
            proxy.terminate()
            proxy.wait()


@pytest.mark.parametrize("path", [LAW, "/small/unit.json?_size=5", "/search?q=revoke"])
def test_pages_behind_a_proxy_are_compressed_and_under_the_public_path(nginx_port: int, path: str) -> None:
    page = httpx.get(f"http://127.0.0.1:{nginx_port}/whist{path}")
    assert page.status_code == 200 and "https://example.org/whist/" in page.text
    assert page.headers["content-encoding"] == "gzip"
    if tag := page.headers.get("etag"):
        assert httpx.get(str(page.url), headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("head", [b"GET /whist/ HT", b"GET /whist/about HTTP/1.1\r\nHost: x\r\n"])
def test_stalled_client_is_disconnected(nginx_port: int, head: bytes) -> None:
    with socket.create_connection(("127.0.0.1", nginx_port), timeout=10) as client:
        client.sendall(head)
        assert b"200 OK" not in b"".join(iter(lambda: client.recv(65536), b""))
