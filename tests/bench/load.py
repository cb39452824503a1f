"""Many readers at once: `python tests/bench/load.py whist.db` requests pages from `whist serve` on 64 connections.

It starts the server and prints requests a second, errors, and the memory of the server before and after. The paths are
those of a normal day: laws and cases, searches, disputes, comparisons and whole codes, each requested again and again;
with `--fresh` none is requested twice, so that no response is cached.
"""

import argparse
import asyncio
import json
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import combinations, repeat
from pathlib import Path
from urllib.parse import quote_plus

OTHERS = (
    "/", "/about", "/concepts", "/concept/revoke", "/compare/revoke", "/compare/revoke.json", "/search?q=revoke",
    "/search?q=exposed+card&kind=law", "/search?q=lead+out+of+turn", "/dispute?q=My+partner+revoked",
    "/dispute?q=The+dealer+gave+me+fourteen+cards", "/code/english-1864/read", "/code/english-1864",
)  # fmt: skip
SERVE = "from datasette_plugins.command import main; main()"


def addresses(database: Path) -> list[str]:
    """The paths to request, half of them provisions."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as conn:
        units = conn.execute("select id from unit where kind in ('law', 'case') order by id").fetchall()
    return [f"/{unit}" for (unit,) in units] + list(OTHERS) * (len(units) // len(OTHERS))


def fresh(database: Path) -> Iterator[str]:
    """Paths without repetition: units in four forms, as many searches, half as many disputes."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as conn:
        units = [unit for (unit,) in conn.execute("select id from unit where continues is null")]
        words = [word for (word,) in conn.execute("select word from word order by count desc limit 400")]
        stories = [quote_plus(words) for (words,) in conn.execute("select words from telling")]
    paths = [f"/{unit}{form}" for unit in units for form in ("", "/evidence", ".json", ".md")]
    paths += [f"/search?q={a}+{b}" for a, b in combinations(words, 2)][: len(paths)]
    chance = random.Random(1)
    paths += [f"/dispute?q={telling}" for telling in chance.sample(stories, min(len(stories), 2 * len(units)))]
    chance.shuffle(paths)
    yield from paths


async def reader(port: int, paths: Iterator[str], until: float) -> tuple[int, int]:
    """Send requests on one connection until a time; return the numbers of responses and of those other than 200."""
    answered = failed = 0
    stream, out = await asyncio.open_connection("127.0.0.1", port)
    while time.monotonic() < until:
        out.write(f"GET {next(paths)} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        head = (await stream.readuntil(b"\r\n\r\n")).lower()
        await stream.readexactly(int(head.partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]))
        answered, failed = answered + 1, failed + (not head.startswith(b"http/1.1 200"))
    out.close()
    return answered, failed


def memory(process: int) -> int:
    """The resident memory of a process in megabytes (Linux)."""
    return int(Path(f"/proc/{process}/status").read_text().partition("VmRSS:")[2].split()[0]) // 1024


async def load(port: int, paths: Iterator[str], clients: int, seconds: float) -> tuple[int, int]:
    """Run all readers at once; return the sums of their counts."""
    until = time.monotonic() + seconds
    counts = await asyncio.gather(*(reader(port, paths, until) for _ in range(clients)))
    return sum(answered for answered, _ in counts), sum(failed for _, failed in counts)


def main() -> None:
    """Start the server, load it, print the figures and stop it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--fresh", action="store_true", help="ask for no address twice")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--port", type=int, default=8003)
    given = parser.parse_args()
    seconds = min(given.seconds, 300)
    arguments = ["serve", "--db", str(given.database), "--port", str(given.port), "--json"]
    server = subprocess.Popen([sys.executable, "-c", SERVE, *arguments], stdout=subprocess.PIPE, text=True)
    try:
        for line in server.stdout or ():
            if line.startswith("}"):
                break
        time.sleep(3)
        before = memory(server.pid)
        repeated = map(random.Random(1).choice, repeat(addresses(given.database)))
        paths = fresh(given.database) if given.fresh else repeated
        count, failed = asyncio.run(load(given.port, paths, given.clients, seconds))
        figures = {"seconds": seconds, "clients": given.clients, "requests": count, "a_second": round(count / seconds),
                   "failed": failed, "mb_before": before, "mb_after": memory(server.pid)}  # fmt: skip
        print(json.dumps(figures, indent=1))
    finally:
        server.terminate()
        server.wait(30)


if __name__ == "__main__":
    main()
