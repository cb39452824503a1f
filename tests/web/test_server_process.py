"""`whist serve` as a process: how it listens, what it says of itself, what it bears, and how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from datasette_plugins.command import cli
from datasette_plugins.serving import server
from extract.errors import WhistError

COMMAND = "from datasette_plugins.command import main; main()"
# The same without the command line, which takes some seconds to load all that a build needs.
SERVER = """
import sys
from datasette_plugins.serving import server
database, host, port, grace = sys.argv[1:]
server.GRACE = float(grace)
with server.listen(host, int(port)) as listening:
    print("{}", flush=True)
    server.serve(database, listening)
"""


@dataclass
class Running:
    """A server process: its address, and the folders of its temporary files and its log."""

    process: subprocess.Popen[bytes]
    port: int
    host: str
    told: dict[str, str]
    temporary: Path
    log: Path

    def talk(self, sent: bytes, seconds: float = 20) -> bytes:
        """Send bytes as they are and read until the server closes."""
        with socket.create_connection((self.host, self.port), timeout=seconds) as client:
            client.sendall(sent)
            return b"".join(iter(lambda: client.recv(65536), b""))

    def get(self, path: str, **headers: str) -> httpx.Response:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return httpx.get(f"http://{host}:{self.port}{path}", headers=headers, timeout=30)


def free_port(host: str) -> int:
    with socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as free:
        return int(free.getsockname()[1])


@contextmanager
def running(
    database: Path,
    place: Path,
    *options: str,
    host: str = "127.0.0.1",
    grace: int = 30,
    command: bool = False,
    temporary: Path | None = None,
) -> Iterator[Running]:
    """A server over a database, by the command `whist serve` or without it; ended at last whatever happens."""
    temporary, log, port = temporary or place / "temporary", place / "log", free_port(host)
    temporary.mkdir(exist_ok=True)
    if command:
        arguments = [COMMAND, "serve", "--db", str(database), "--host", host, "--port", str(port), "--json", *options]
    else:
        arguments = [SERVER, str(database), host, str(port), str(grace)]
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", *arguments],
            stdout=subprocess.PIPE,
            stderr=errors,
            env=os.environ | {"TMPDIR": str(temporary)},
        )
        try:
            assert process.stdout
            told = b""
            while not told.endswith(b"}\n"):
                line = process.stdout.readline()
                assert line, log.read_text()
                told += line
            yield Running(process, port, host, json.loads(told), temporary, log)
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def here(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server as it is by default."""
    with running(database, tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def altered(database: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Make a copy of the small library that a script in SQL has altered."""

    def make(script: str) -> Path:
        path = Path(shutil.copy(database, tmp_path / "altered.db"))
        with closing(sqlite3.connect(path)) as conn:
            conn.executescript(script)
        return path

    return make


def ended(server: Running, number: int) -> tuple[int, str]:
    """Exit status and log after a signal."""
    server.process.send_signal(number)
    return server.process.wait(30), server.log.read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_answer_under_way_is_ended_before_the_server_is(
    altered: Callable[[str], Path], tmp_path: Path, number: int
) -> None:
    large = altered("create table padding as select zeroblob(8000000) as zero")
    with (
        running(large, tmp_path) as server,
        httpx.stream("GET", f"http://127.0.0.1:{server.port}/altered.db", timeout=60) as answer,
    ):
        pieces = answer.iter_bytes(65536)
        received = len(next(pieces))
        server.process.send_signal(number)
        time.sleep(0.3)
        received += sum(map(len, pieces))
        assert received == large.stat().st_size
        assert server.process.wait(30) == 0 and server.log.read_text() == ""
        assert not list(server.temporary.glob("whist-*"))


async def test_short_answers_are_sent_at_once() -> None:
    """Not when the client has acknowledged what came before, which it puts off for 40 ms."""
    accepted: asyncio.Queue[int] = asyncio.Queue()

    def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.put_nowait(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listening = server.listen("127.0.0.1", 0)
    async with await asyncio.start_server(note, sock=listening):
        with socket.create_connection(listening.getsockname()):
            assert await asyncio.wait_for(accepted.get(), 20)


def test_a_server_that_is_killed_leaves_nothing_for_long(database: Path, tmp_path: Path) -> None:
    for name in ("killed", "living", "next"):
        (tmp_path / name).mkdir()
    with running(database, tmp_path / "killed") as first:
        assert first.get("/about").status_code == 200
        (copy,) = first.temporary.glob("whist-*")
        with running(database, tmp_path / "living", temporary=first.temporary) as second:
            assert second.get("/about").status_code == 200 and copy.exists(), "the first still needs it"
    assert len(list(first.temporary.glob("whist-*"))) == 2
    with running(database, tmp_path / "next", temporary=first.temporary) as third:
        assert third.get("/about").status_code == 200
        (kept,) = first.temporary.glob("whist-*")
        assert kept != copy and ended(third, signal.SIGTERM) == (0, "")
    assert not list(first.temporary.glob("whist-*"))


def test_nobody_can_hold_up_the_end(altered: Callable[[str], Path], tmp_path: Path) -> None:
    large = altered("create table padding as select zeroblob(30000000) as zero")
    with running(large, tmp_path, grace=1) as server, socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(b"GET /altered.db HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.recv(100)
        status, log = ended(server, signal.SIGTERM)
    assert status == 0 and "Traceback" not in log and not list(server.temporary.glob("whist-*"))


def test_a_new_build_is_taken_up_by_itself(database: Path, altered: Callable[[str], Path], tmp_path: Path) -> None:
    served = Path(shutil.copy(database, tmp_path / "small.db"))
    new = altered("update unit set text = 'It is all new.' where id = 'english-1864/law-72'")
    with running(served, tmp_path) as server:
        assert "all new" not in server.get("/english-1864/law-72.json").text
        new.replace(served)
        end = time.monotonic() + 10
        while "all new" not in server.get("/english-1864/law-72.json").text:
            assert time.monotonic() < end
            time.sleep(0.1)
        assert server.get("/small.db").content == served.read_bytes()
        assert ended(server, signal.SIGTERM) == (0, "")


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 on this machine")
def test_an_address_of_ipv6(database: Path, tmp_path: Path) -> None:
    with running(database, tmp_path, host="::1", command=True) as server:
        base = f"http://[::1]:{server.port}"
        assert server.told["url"] == base
        assert f"{base}/english-1864/law-72" in server.get("/english-1864/law-72.bib").text


def test_permalinks_name_the_socket_that_listens(here: Running) -> None:
    claims = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https",
              "X-Forwarded-For": "1.2.3.4", "Forwarded": "host=evil.example"}  # fmt: skip
    for path in ("/english-1864/law-72.bib", "/sitemap.xml", "/robots.txt", "/english-1864/law-72.json"):
        text = here.get(path, **claims).text
        assert f"http://127.0.0.1:{here.port}/" in text and "evil" not in text and "https://127" not in text


def test_permalinks_name_the_public_address(database: Path, tmp_path: Path) -> None:
    with running(database, tmp_path, "--url", "https://example.org/whist/", command=True) as server:
        assert server.told["url"] == "https://example.org/whist"
        assert 'href="https://example.org/whist/english-1864/law-72"' in server.get("/whist/english-1864/law-72").text


@pytest.mark.parametrize("url", ["whist.example", "ftp://whist.example", "https://a:b", "https://a/?q"])
def test_a_public_address_must_be_one(database: Path, url: str) -> None:
    result = CliRunner().invoke(cli, ["serve", "--db", str(database), "--url", url])
    assert result.exit_code == 2 and "write it as https://whist.example" in result.output


@pytest.mark.parametrize("host", ["1.2.3.4", "a" * 70 + ".example"])
def test_a_host_that_cannot_be_had_is_told(host: str) -> None:
    with pytest.raises(WhistError, match="choose another"):
        server.listen(host, 0)


@pytest.mark.parametrize(
    ("line", "host", "status"),
    [
        # An absolute address is read.
        ("GET http://evil.example/about HTTP/1.1", "x", "200"),
        # What is no HTTP is refused.
        *((line, "x", "4..") for line in ("no http", "GET /\xff HTTP/1.1", "GET /" + "a" * 99999)),
        # An absurd host breaks nothing.
        *((f"GET {path} HTTP/1.1", host, "(200|404|400)") for path in ("/about", "/small/unit", "/nothing")
          for host in ("[", "a b", "evil.example:99999", "\xff", "", "x" * 3000)),
    ],
)  # fmt: skip
def test_whatever_is_sent_is_answered(here: Running, line: str, host: str, status: str) -> None:
    answer = here.talk(f"{line}\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("latin-1")).decode("latin-1")
    assert re.match(f"HTTP/1.1 {status}", answer) and "evil" not in answer and "Traceback" not in answer
    assert "content-security-policy" in answer.lower() or status == "4.."


def test_headers_are_set_once(here: Running) -> None:
    for path in ("/", "/small/unit", "/nothing", "/about/", "/small.db", "/favicon.ico"):
        names = [name for name, _ in here.get(path).headers.multi_items()]
        assert "content-security-policy" in names and "server" not in names and len(names) == len(set(names))
