"""Benchmarks of pages as a browser gets them from `whist serve`: on a first visit, and when it has them already."""

import http.client
import itertools
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

SERVE = "from datasette_plugins.command import main; main()"
WORDS = ("revoke", "exposed", "deal", "lead", "honours", "penalty", "trump", "trick")
# Other words for each visit, so that the page is rendered.
PAIRS = [*itertools.permutations(WORDS, 2)][:40]
KINDS = {
    # One of Datasette's own pages, to compare with.
    "a row": "select 'library/unit/' || replace(id, '/', '~2F') from unit where kind = 'law' order by seq limit 40",
    "a law": "select id from unit where kind = 'law' order by seq, book_id limit 60",
    "a case with its decision": "select id from unit where kind = 'case' order by seq limit 60",
    "a question": "select 'compare/' || id from question order by id limit 60",
    "a topic": "select 'compare/' || id from topic",
    "a code": "select 'code/' || id || '/read' from code",
    "a search for words": [f"search?q={a}+{b}&kind=law" for a, b in PAIRS],
    "a search for questions": [f"search?q=My+partner+has+a+{a}+by+{b};+what+may+they+claim?" for a, b in PAIRS],
}


Get = Callable[..., str]


@pytest.fixture(scope="module")
def get(library: Path) -> Iterator[Get]:
    """A function that requests a path from `whist serve`, on one connection, and returns the ETag."""
    arguments = ["serve", "--db", str(library), "--port", "8765"]
    with (
        subprocess.Popen([sys.executable, "-c", SERVE, *arguments], stdout=subprocess.PIPE) as server,
        closing(http.client.HTTPConnection("127.0.0.1", 8765, timeout=60)) as connection,
    ):
        assert server.stdout and server.stdout.readline(), "it listens when it says where"

        def get(path: str, status: int = 200, **headers: str) -> str:
            connection.request("GET", f"/{path}", headers=headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status, path
            return answer.headers.get("ETag", "")

        yield get
        server.terminate()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("again", [False, True], ids=["first visit", "second visit"])
def test_visit(benchmark: BenchmarkFixture, get: Get, library: Path, kind: str, again: bool) -> None:
    if again and kind == "a row":
        pytest.skip("Datasette gives its rows no ETag")
    paths = KINDS[kind]
    if isinstance(paths, str):
        with sqlite3.connect(library) as conn:
            paths = [path for (path,) in conn.execute(paths)]
    get(paths[0])  # now everything is loaded that is loaded once for a build
    known = [(path, 304, get(path)) if again else (path, 200, "") for path in paths[1:]]
    visits = iter(known)

    def visit(path: str, status: int, tag: str) -> None:
        get(path, status, **{"If-None-Match": tag})

    benchmark.pedantic(visit, setup=lambda: (next(visits), {}), rounds=len(known))
