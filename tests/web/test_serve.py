"""`whist serve` as a process: signals, limits, a rebuild under it, and the public address."""

import json
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import quote_plus

import httpx
import pytest
from reading_pages import changed
from terminal import until, whist

from datasette_plugins.serve import MOST_CONNECTIONS, instance, serve

LAW = "/english-1864/law-72"


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


def test_headers_are_not_repeated_and_scripts_of_any_origin_may_read(server: Running) -> None:
    for path in ("/", "/small/unit", "/nothing", "/about/", "/small.db", "/favicon.ico", "/small.json?sql=select+1",
                 f"{LAW}.tei.xml", "/compare/revoke.csv", "/small/concordance.csv"):  # fmt: skip
        answer = server.get(path, origin="https://example.org")
        names = [name for name, _ in answer.headers.multi_items()]
        assert "content-security-policy" in names and "server" not in names and len(names) == len(set(names)), path
        assert answer.headers["access-control-allow-origin"] == "*", path
        assert "access-control-allow-credentials" not in names, path


def test_work_for_clients_that_have_left_does_not_hold_others(server: Running) -> None:
    for text in ("a* " * 300, "p. 5, " * 330, ". " * 900, "he revoked? " * 150) * 8:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
            client.sendall(f"GET /search?q={quote_plus(text)} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    assert server.get("/about").status_code == 200
    assert "Traceback" not in server.log.read_text()


def test_too_many_connections_are_refused_at_once_and_later_ones_served(server: Running) -> None:
    with ExitStack() as idle:
        for _ in range(MOST_CONNECTIONS + 50):  # more than the soft limit of file descriptors, 256
            client = idle.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=20))
            client.sendall(b"GET / HT")
        assert until(lambda: server.get("/about").status_code == 503, 10)
    assert until(lambda: server.get("/about").status_code == 200, 10)
    assert "Too many open files" not in server.log.read_text()


def test_body_of_an_answer_does_not_wait_for_its_head(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listening: list[socket.socket] = []
    monkeypatch.setattr("datasette_plugins.serve.Server.run", lambda server, sockets: listening.extend(sockets))
    serve(database, "127.0.0.1", 0, None, lambda: None)
    with listening[0]:
        assert listening[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_taken_port_ends_the_command(server: Running, database: Path) -> None:
    command = [sys.executable, "-c", COMMAND, "serve", "--db", str(database), "--port", str(server.port)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "(address already in use); choose" in done.stderr and done.stderr.count("\n") == 1
    assert not done.stdout


PADDING = "create table padding as select zeroblob(8000000) as zero;"
NEW = PADDING + "update unit set text = 'betabuild ' || text; vacuum"


def test_server_keeps_to_its_build_and_completes_what_it_sends_before_it_stops(database: Path, tmp_path: Path) -> None:
    served = changed(database, tmp_path, PADDING)
    with running(served, tmp_path) as server:
        first = server.get(f"{LAW}.json").headers["etag"]
        changed(database, tmp_path, NEW, "new.db").replace(served)
        # All threads at once, pages and tables; none of them may open the new file.
        paths = [f"{LAW}.json", "/code/english-1864/read", "/altered/unit.json?_size=100", "/search.json?q=revoke"] * 6
        with ThreadPoolExecutor(8) as pool:
            answers = [*pool.map(server.get, paths)]
        assert all(answer.status_code == 200 and "betabuild" not in answer.text for answer in answers)
        assert server.get(f"{LAW}.json").headers["etag"] == first
        with httpx.stream("GET", f"http://127.0.0.1:{server.port}/altered.db", timeout=60) as response:
            pieces = response.iter_bytes(65536)
            received = len(next(pieces))
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            assert received + sum(map(len, pieces)) == served.stat().st_size
        server.process.wait(30)
        assert "Traceback" not in server.log.read_text()


def test_new_build_is_taken_up_and_what_cannot_be_served_left_alone(database: Path, tmp_path: Path) -> None:
    served = Path(shutil.copy(database, tmp_path / "small.db"))
    new = changed(database, tmp_path, NEW, "new.db")
    with running(served, tmp_path, "--reload") as server:
        first = server.get(f"{LAW}.json").headers["etag"]
        (tmp_path / "bad").write_bytes(b"no database")
        (tmp_path / "bad").replace(served)
        time.sleep(1)
        assert server.get("/about").status_code == 200
        new.replace(served)

        def is_new() -> bool:
            try:
                return "betabuild" in server.get(f"/small/unit.json?id={LAW[1:]}&_shape=array").text
            except httpx.TransportError:
                return False  # it is starting again

        assert until(is_new, 30)
        answer = server.get(f"{LAW}.json")
        assert "betabuild" in answer.text and answer.headers["etag"] != first


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
