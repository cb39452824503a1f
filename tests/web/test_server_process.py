"""`whist serve`: listening, its own addresses, malformed requests, loading a new build, and shutdown."""

import asyncio
import gc
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest
from datasette.app import Datasette
from reading_pages import changed
from samples import damaged
from terminal import until, whist

from datasette_plugins import address
from datasette_plugins.serving import front, server
from datasette_plugins.serving.front import Build, BuildSwapper
from extract.errors import DatabaseError, WhistError

# The command `whist serve` with its last argument as the grace period; it prints its address when it listens.
COMMAND = """
import sys
from datasette_plugins.command import main
from datasette_plugins.serving import server
server.GRACE = float(sys.argv.pop())
main()
"""


@dataclass
class Running:
    """A server process: its address, and the folders of its temporary files and its log."""

    process: subprocess.Popen[str]
    port: int
    temporary: Path
    log: Path

    def get(self, path: str, **headers: str) -> httpx.Response:
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=30)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def running(database: Path, place: Path, *options: str, grace: int = 30) -> Iterator[Running]:
    """Run `whist serve` over a database; the process is always killed at the end."""
    temporary, log, port = place / "temporary", place / "log", free_port()
    temporary.mkdir()
    arguments = ["serve", "--db", str(database), "--port", str(port), "--json", *options, str(grace)]
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *arguments],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=os.environ | {"TMPDIR": str(temporary)},
        )
        try:
            assert process.stdout
            assert any(line == "}\n" for line in process.stdout), log.read_text()
            yield Running(process, port, temporary, log)
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def replaceable(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the small library that a test can replace with a new build."""
    return Path(shutil.copy(database, tmp_path_factory.mktemp("served")))


@pytest.fixture(scope="module")
def default_server(replaceable: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with default options."""
    with running(replaceable, tmp_path_factory.mktemp("server")) as server:
        yield server


def status_and_log(server: Running) -> tuple[int, str]:
    """The exit status and log of a server that is stopping; its temporary folders must be gone."""
    status = server.process.wait(30)
    assert not list(server.temporary.glob("whist-*"))
    return status, server.log.read_text()


def padded(database: Path, folder: Path, size: int) -> Path:
    """A library so large that sending it takes a while."""
    return changed(database, folder, f"create table padding as select zeroblob({size}) as zero")


def test_response_in_progress_is_completed_before_the_server_stops(database: Path, tmp_path: Path) -> None:
    large = padded(database, tmp_path, 8_000_000)
    with (
        running(large, tmp_path) as server,
        httpx.stream("GET", f"http://127.0.0.1:{server.port}/altered.db", timeout=60) as response,
    ):
        pieces = response.iter_bytes(65536)
        received = len(next(pieces))
        server.process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        received += sum(map(len, pieces))
        assert received == large.stat().st_size
        assert status_and_log(server) == (0, "")


def test_slow_client_cannot_delay_shutdown(database: Path, tmp_path: Path) -> None:
    large = padded(database, tmp_path, 30_000_000)
    with running(large, tmp_path, grace=1) as server, socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(b"GET /altered.db HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.recv(100)
        server.process.send_signal(signal.SIGTERM)
        status, log = status_and_log(server)
    assert status == 0 and "Traceback" not in log


def test_next_server_removes_only_what_killed_servers_left(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(database, tmp_path) as first:
        monkeypatch.setattr("tempfile.tempdir", str(first.temporary))
        assert first.get("/about").status_code == 200
        (copy,) = first.temporary.glob("whist-*")
        second = BuildSwapper(database)
        assert copy.exists(), "the first still needs it"
    assert copy.exists()
    third = BuildSwapper(database)
    assert {*first.temporary.glob("whist-*")} == {second._build._place.folder, third._build._place.folder}
    second._build.close()
    third._build.close()
    assert not list(first.temporary.glob("whist-*"))


def test_new_build_is_loaded_automatically(
    default_server: Running, replaceable: Path, database: Path, tmp_path: Path
) -> None:
    new = changed(database, tmp_path, "update unit set text = 'It is all new.' where id = 'english-1864/law-72'")
    assert "all new" not in default_server.get("/english-1864/law-72.json").text
    new.replace(replaceable)
    assert until(lambda: "all new" in default_server.get("/english-1864/law-72.json").text, 10)
    assert default_server.get("/small.db").content == replaceable.read_bytes()


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", pytest.param("::1", marks=pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6"))],
)
def test_socket_states_tcp_so_short_responses_are_sent_at_once(host: str) -> None:
    with server.listen(host, 0) as listening:
        assert (listening.getsockname()[0], listening.proto) == (host, socket.IPPROTO_TCP)


def test_reports_an_unavailable_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for host, port in (("1.2.3.4", 0), ("a" * 70 + ".example", 0), taken.getsockname()):
            with pytest.raises(WhistError, match=f"{host}:{port} is taken or not allowed; choose another"):
                server.listen(host, port)


@pytest.mark.parametrize(
    ("socket_of", "url"),
    [(("::1", 8001), "http://[::1]:8001"), (("127.0.0.1", 80), "http://127.0.0.1"), (None, "http://localhost")],
)
def test_permalinks_without_a_public_address_name_the_socket(
    shared: Datasette, socket_of: tuple[str, int] | None, url: str
) -> None:
    assert address.base(shared, {"server": socket_of}) == url


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux tells the processors of a process")
def test_each_server_uses_one_processor_and_the_next_port_another(default_server: Running) -> None:
    allowed = sorted(os.sched_getaffinity(0))
    assert os.sched_getaffinity(default_server.process.pid) == {allowed[default_server.port % len(allowed)]}


def test_permalinks_ignore_what_a_client_claims(default_server: Running) -> None:
    claims = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https",
              "X-Forwarded-For": "1.2.3.4", "Forwarded": "host=evil.example"}  # fmt: skip
    for path in ("/english-1864/law-72.bib", "/sitemap.xml", "/robots.txt", "/english-1864/law-72.json"):
        text = default_server.get(path, **claims).text
        assert f"http://127.0.0.1:{default_server.port}/" in text and "evil" not in text and "https://127" not in text


def test_serve_uses_the_public_address(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve = Mock()
    monkeypatch.setattr(server, "serve", serve)
    result = whist("serve", "--db", database, "--url", "https://example.org/whist/", "--port", free_port(), "--json")
    assert json.loads(result.output)["url"] == "https://example.org/whist"
    assert "https://example.org/whist" in serve.call_args.args


@pytest.mark.parametrize(
    ("line", "host", "status"),
    [
        # An absolute URL as the target is accepted.
        ("GET http://evil.example/about HTTP/1.1", "x", "200"),
        # Malformed HTTP is refused.
        *((line, "x", "4..") for line in ("no http", "GET /\xff HTTP/1.1", "GET /" + "a" * 99999)),
        # A malformed Host header breaks nothing.
        *((f"GET {path} HTTP/1.1", host, "(200|404|400)") for path in ("/about", "/small/unit", "/nothing")
          for host in ("[", "a b", "evil.example:99999", "\xff", "", "x" * 3000)),
    ],
)  # fmt: skip
def test_every_request_gets_a_response(default_server: Running, line: str, host: str, status: str) -> None:
    with socket.create_connection(("127.0.0.1", default_server.port), timeout=20) as client:
        client.sendall(f"{line}\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("latin-1"))
        response = b"".join(iter(lambda: client.recv(65536), b"")).decode("latin-1")
    assert re.match(f"HTTP/1.1 {status}", response) and "evil" not in response and "Traceback" not in response
    assert "content-security-policy" in response.lower() or status == "4.."


def test_headers_are_not_repeated(default_server: Running) -> None:
    for path in ("/", "/small/unit", "/nothing", "/about/", "/small.db", "/favicon.ico"):
        names = [name for name, _ in default_server.get(path).headers.multi_items()]
        assert "content-security-policy" in names and "server" not in names and len(names) == len(set(names))


# A build that replaces the file of a running server is loaded as a whole


PATHS = ("/english-1864/law-72.json", "/small/unit/english-1864~2Flaw-72.json", "/search.json?q=revoke", "/small.db")


def named_build(name: str, database: Path, place: Path) -> Path:
    """A build that differs from others in every unit: each text begins with the name of the build."""
    script = f"""
        update unit set text = '{name} ' || text;
        create table padding as select '{name * 50}' as word from unit;
        vacuum;
    """
    return changed(database, place, script)


@pytest.fixture(scope="module")
def first_build(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return named_build("alphabuild", database, tmp_path_factory.mktemp("alpha"))


@pytest.fixture(scope="module")
def new_build(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return named_build("betabuild", database, tmp_path_factory.mktemp("beta"))


@pytest.fixture
def served(first_build: Path, tmp_path: Path) -> Path:
    """The served file, which is the first build at the start."""
    return Path(shutil.copy(first_build, tmp_path / "small.db"))


def replace_build(new: Path, served: Path) -> None:
    """Replace the served file with a build, as `whist build` does."""
    Path(shutil.copy(new, served.with_suffix(".new"))).replace(served)


@asynccontextmanager
async def client_of(app: BuildSwapper) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://whist") as client:
            yield client
    finally:
        app._build.close()


async def settle(app: BuildSwapper) -> None:
    """Look twice: the file is loaded once it has stopped changing."""
    await app.look()
    await app.look()


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            gc.collect()
            await asyncio.sleep(0.02)


async def test_new_build_is_served_as_a_whole_once_complete(first_build: Path, new_build: Path, served: Path) -> None:
    app, whole = BuildSwapper(served), new_build.read_bytes()
    async with client_of(app) as client:
        before = {path: await client.get(path) for path in PATHS}
        with served.open("wb") as file:
            for at in range(0, len(whole), len(whole) // 3):
                file.write(whole[at : at + len(whole) // 3])
                file.flush()
                await app.look()
                still = await client.get(f"{PATHS[1]}?at={at}")
                assert "alphabuild" in still.text and "betabuild" not in still.text
        await settle(app)
        after = {path: await client.get(path) for path in PATHS}
        stale = await client.get(PATHS[0], headers={"if-none-match": before[PATHS[0]].headers["etag"]})
    assert before["/small.db"].content == first_build.read_bytes() and after["/small.db"].content == whole
    for answer, build in ((before[PATHS[0]], "alpha"), (after[PATHS[0]], "beta"), (after[PATHS[1]], "beta"),
                          (stale, "beta")):  # fmt: skip
        assert ("alphabuild" in answer.text, "betabuild" in answer.text) == (build == "alpha", build == "beta")
    assert after[PATHS[0]].headers["etag"] == stale.headers["etag"] != before[PATHS[0]].headers["etag"]


async def test_every_response_comes_from_one_build(first_build: Path, new_build: Path, served: Path) -> None:
    app, reading = BuildSwapper(served), True

    async def read(client: httpx.AsyncClient, path: str) -> None:
        while reading:
            answer = await client.get(path)
            assert answer.status_code == 200, f"{path} answered {answer.status_code}: {answer.text}"
            assert ("alphabuild" in answer.text) != ("betabuild" in answer.text), path
            await asyncio.sleep(0)  # a cached response never waits, so no other task would run

    async with client_of(app) as client:
        tasks = [asyncio.create_task(read(client, path)) for path in PATHS[:2] * 2]
        for build in (new_build, first_build) * 2:
            replace_build(build, served)
            old = app._build._place.folder
            await settle(app)
            await asyncio.sleep(0.1)
        reading = False
        await asyncio.gather(*tasks)
        await wait_until(lambda: not old.exists())


@pytest.mark.parametrize("content", [b"", b"no database" * 99, None])
async def test_invalid_build_is_not_loaded(
    new_build: Path, served: Path, content: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    app = BuildSwapper(served)
    async with client_of(app) as client:
        served.write_bytes(damaged(new_build) if content is None else content)
        for _ in range(4):
            await app.look()
        (record,) = caplog.records
        assert "not taken up" in record.message and "\n" not in record.message and not record.exc_info
        assert str(served) in record.message and app._build.datasette.databases["small"].path not in record.message
        assert "alphabuild" in (await client.get(PATHS[0])).text
        served.unlink()
        await settle(app)
        assert "alphabuild" in (await client.get(PATHS[1])).text, "a file that is gone changes nothing"
        replace_build(new_build, served)
        await settle(app)
        assert "betabuild" in (await client.get(PATHS[0])).text


async def test_replaced_builds_free_their_memory_and_threads(new_build: Path, served: Path) -> None:
    app = BuildSwapper(served)
    async with client_of(app) as client:
        await client.get("/small/unit")
        threads, forgotten = threading.active_count(), weakref.ref(app._build.datasette)
        for _ in range(3):
            replace_build(new_build, served)
            await settle(app)
            await client.get("/small/unit")
    await wait_until(lambda: forgotten() is None and threading.active_count() <= threads + 2)


async def test_indexes_are_loaded_at_the_start(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(front, "matcher_of", lambda conn: loaded.append("questions"))
    monkeypatch.setattr(front, "entries", lambda conn: loaded.append("passages"))
    app = BuildSwapper(served)
    async with client_of(app):
        await app._build.start()
    assert loaded == ["questions", "passages"]


def test_reports_a_build_that_cannot_be_copied(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front.shutil, "copy2", Mock(side_effect=OSError(28, "No space")))  # type: ignore[attr-defined]
    with pytest.raises(DatabaseError, match=f"{served} cannot be copied to .* \\(No space"):
        Build(served)
