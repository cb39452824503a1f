"""Benchmarks of pages, on a first and on a repeated visit, compared with one of Datasette's own row pages.

The figures are medians of wall time as a browser sees it: `whist serve` is a separate process that gets its requests on
one persistent connection. The name of each benchmark, and `ratio` in the JSON, give its median relative to that of the
row page in the same run.
"""

import http.client
import itertools
import socket
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

Get = Callable[..., str]
SERVE = "from datasette_plugins.command import main; main()"
WORDS = (
    "revoke",
    "exposed",
    "deal",
    "lead",
    "honours",
    "penalty",
    "trump",
    "trick",
    "partner",
    "misdeal",
    "cut",
    "turn",
)
STORY = "My partner {} and the other side says we lose {} tricks; what may they claim?"
# A new path for each visit, so that the page is rendered, whatever the cache has of others.
KINDS: dict[str, tuple[str, ...]] = {
    "a law": ("select id from unit where kind = 'law' order by seq, book_id limit 60",),
    "a case with its decision": ("select id from unit where kind = 'case' order by seq limit 60",),
    "a question": ("select 'compare/' || id from question order by id limit 60",),
    "a topic": ("select 'compare/' || id from topic",),
    "the reading view of a code": ("select 'code/' || id || '/read' from code union all "
                                   "select 'code/' || id || '/read?again=1' from code",),
}  # fmt: skip


@pytest.fixture(scope="module")
def get(library: Path) -> Iterator[Get]:
    """A function that requests a path from `whist serve`, on one connection."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    arguments = ["serve", "--db", str(library), "--port", str(port)]
    with (
        subprocess.Popen([sys.executable, "-c", SERVE, *arguments], stdout=subprocess.PIPE) as server,
        closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection,
    ):
        assert server.stdout and server.stdout.readline(), "it listens when it says where"

        def get(path: str, tag: str = "") -> str:
            connection.request("GET", path, headers={"If-None-Match": tag} if tag else {})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == (304 if tag else 200), f"{path}: {answer.status}"
            return answer.headers.get("ETag", "")

        yield get
        server.terminate()


@pytest.fixture(scope="module")
def row(get: Get, library: Path) -> float:
    """The median of Datasette's row page, in seconds."""
    ids = _addresses(library, "select id from unit where kind = 'law' order by seq limit 20")
    taken = []
    for path in ids + ids:
        start = time.perf_counter()
        get(f"/{library.stem}/unit/" + path[1:].replace("/", "~2F"))
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def _addresses(library: Path, sql: str) -> list[str]:
    with sqlite3.connect(f"file:{library}?mode=ro", uri=True) as conn:
        return [f"/{path}" for (path,) in conn.execute(sql)]


def _addresses_of(kind: str, library: Path) -> list[str]:
    if kind == "a search for words":
        return [f"/search?q={a}+{b}&kind=law" for a, b in itertools.islice(itertools.permutations(WORDS, 2), 30)]
    if kind == "a search for questions":
        stories = ((STORY.format(f"has a {a} by {b}", n)) for n, (a, b) in enumerate(itertools.combinations(WORDS, 2)))
        return [f"/search?q={text.replace(' ', '+')}" for text in itertools.islice(stories, 30)]
    return _addresses(library, *KINDS[kind])


ALL = (*KINDS, "a search for words", "a search for questions")


@pytest.mark.parametrize("kind", ALL)
def test_first_visit(benchmark: BenchmarkFixture, get: Get, row: float, library: Path, kind: str) -> None:
    first, *fresh = _addresses_of(kind, library)
    get(first)  # now everything is loaded that is loaded once for a build (words, styles, templates)
    waiting = iter(fresh)
    benchmark.pedantic(get, setup=lambda: ((next(waiting),), {}), rounds=len(fresh))
    _record_ratio(benchmark, row)


@pytest.mark.parametrize("kind", ALL)
def test_repeated_visit(benchmark: BenchmarkFixture, get: Get, row: float, library: Path, kind: str) -> None:
    """A browser that has a page asks whether it is still the same."""
    seen = itertools.cycle([(path, get(path)) for path in _addresses_of(kind, library)[:5]])
    benchmark.pedantic(get, setup=lambda: (next(seen), {}), rounds=50)
    _record_ratio(benchmark, row)


def _record_ratio(benchmark: BenchmarkFixture, row: float) -> None:
    if benchmark.stats:  # none when benchmarks are run as tests
        benchmark.extra_info["ratio"] = ratio = round(benchmark.stats.stats.median / row, 2)
        benchmark.stats.name = f"{benchmark.name} ({ratio:.2f} of a row page)"
