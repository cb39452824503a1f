"""How work grows with the shelf: `python tests/bench/scale.py 50 200 1000` makes, builds and searches libraries.

Of each it tells the time of the build with two workers, the peak memory of the driver and of a worker, the size of the
file, and the latency of search on it (kb.search in one process, after a first search that loads what is kept).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from shelf import make_shelf, sentences

CORPUS = Path(__file__).parents[2] / "corpus"
BUILD = "from datasette_plugins.console import main; main()"
SEARCHES = 200
_WORDS = ("revoke", "exposed card", "trump", "misdeal", "honours", "lead out of turn", "dummy", "dealer", "bystander")


def peaks(process: int, found: dict[int, int]) -> None:
    """Note the peak resident memory, in megabytes, of a process and of those that it has started (Linux)."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        member = int(status.parent.name)
        if process in (member, int(text.partition("PPid:")[2].split()[0])) and "VmHWM:" in text:
            found[member] = max(found.get(member, 0), int(text.partition("VmHWM:")[2].split()[0]) // 1024)


def build(corpus: Path, target: Path, log: Path) -> dict[str, float]:
    """Build a library anew, and tell seconds and megabytes."""
    begun, found = time.monotonic(), dict[int, int]()
    environment = {**os.environ, "WHIST_CACHE": "", "PYTHONHASHSEED": "0"}
    words = [sys.executable, "-c", BUILD, "build", "--workers", "2", "--corpus", str(corpus), "--db", str(target)]
    with log.open("w") as said:
        process = subprocess.Popen(words, env=environment, stdout=said, stderr=said)
        while process.poll() is None:
            peaks(process.pid, found)
            time.sleep(0.2)
    if process.returncode:
        raise SystemExit(log.read_text())
    return {
        "seconds": round(time.monotonic() - begun, 1),
        "driver MB": found.pop(process.pid),
        "worker MB": max(found.values()),
        "file MB": round(target.stat().st_size / 1e6, 1),
    }


def asked(chance: random.Random) -> list[str]:
    """What readers ask: a word or two, or some words of a sentence."""
    said = [s for path in sorted(CORPUS.glob("*/scan.txt")) for s in sentences(path.read_text(encoding="utf-8"))]
    found = []
    for n in range(SEARCHES):
        words = chance.choice(said).rstrip(".").split()
        start = chance.randrange(len(words))
        found.append(_WORDS[n % len(_WORDS)] if n % 2 else " ".join(words[start : start + chance.randint(2, 5)]))
    return found


def searches(target: Path) -> dict[str, float]:
    """Search a library, and tell milliseconds."""
    from kb.search.search import search

    with closing(sqlite3.connect(f"file:{target}?mode=ro", uri=True)) as conn:
        begun = time.monotonic()
        search(conn, "revoke")
        first = time.monotonic() - begun
        took = []
        for words in asked(random.Random(2)):
            begun = time.perf_counter()
            search(conn, words)
            took.append(1000 * (time.perf_counter() - begun))
        laws = conn.execute("select count(*) from unit where kind = 'law'").fetchone()[0]
        links = conn.execute("select count(*) from link").fetchone()[0]
    cut = statistics.quantiles(took, n=20)
    return {
        "laws": laws, "links": links, "first search s": round(first, 1),
        "p50 ms": round(statistics.median(took), 1), "p95 ms": round(cut[18], 1),
    }  # fmt: skip


def main() -> None:
    """Measure libraries of some sizes; one JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", type=int, nargs="+", help="how many books, smallest first")
    parser.add_argument("--keep", type=Path, help="a folder in which libraries and databases are left")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = given.keep or Path(folder)
        for books in given.books:
            corpus, target = base / f"shelf-{books}", base / f"shelf-{books}.db"
            if not corpus.exists():
                make_shelf(CORPUS, corpus, books)
            told = {"books": books} | build(corpus, target, base / f"shelf-{books}.log")
            with multiprocessing.get_context("spawn").Pool(1) as pool:  # whose memory is its own
                told |= pool.apply(searches, (target,))
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
