"""How work grows with the number of books: `python tests/bench/scale.py 50 200 1000` builds and searches libraries.

For each it prints the time of the build with two workers, stage by stage, the peak memory of the driver and of a
worker, the size of the file, and the latency of search on it (kb.search in one process, after a first search that loads
what stays in memory). With `--keep` the libraries, the build cache and the logs stay in a folder: a stopped run can be
resumed, and a finished one can be repeated for the stages that need all books. Existing editions are not made again,
and the seconds of the earlier runs are counted.

The libraries have many small books, made of the given texts with noise. A book is a code of 200 laws of one to three
sentences. Two laws in five are copied, with a few letters misread, from an earlier book of its family (eight
consecutive books); the others are new combinations of sentences of the given texts. So what one book has in common
with the rest does not grow with the library, as with real codes.
"""

import argparse
import hashlib
import json
import multiprocessing
import os
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

CORPUS = Path(__file__).parents[2] / "corpus"
# The driver prints its own peak when it ends, because polling could miss it.
BUILD = """
from pathlib import Path
from datasette_plugins.console import main
try:
    main()
finally:
    peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
    print(f"peak of the driver: {int(peak) // 1024} MB")
"""
SEARCHES = 200
LARGE = "1000000"  # megabytes: the cache drops nothing
_WORDS = ("revoke", "exposed card", "trump", "misdeal", "honours", "lead out of turn", "dummy", "dealer", "bystander")
_STEP = re.compile(r"^ *([\d.]+) s {2}(.+)$", re.MULTILINE)
_PEAK = re.compile(r"^peak of the driver: (\d+) MB$", re.MULTILINE)
_BUILT = re.compile(r"^Built ", re.MULTILINE)
_MADE = re.compile(r" made: \d+ of \d+ books$")

LAWS = 200
FAMILY = 8  # books
_TAKEN = 0.4  # of the laws of a book, from an earlier one of its family
_MISREAD = 0.004  # of the letters
_SHORTEST, _LONGEST = 40, 260  # letters of a sentence
_LOOK_ALIKE = {
    "e": "c",
    "c": "e",
    "h": "b",
    "i": "l",
    "l": "i",
    "o": "0",
    "n": "u",
    "u": "n",
    "t": "f",
    "s": "8",
    "a": "n",
}
_LINE = 62
_SENTENCE = re.compile(r"[A-Z][^.!?\n]*(?:\n[^.!?\n]+)*[.]")
_BOOK = """\
[book]
title = "The Laws of Club {n}"
short = "Club {n}"
year = {year}
place = "London"
publisher = "Nobody"
note = "Made of other books, to measure by."
sha256 = "{sha256}"
layout = "lines"
[[book.author]]
given = "N."
family = "N."
[[code]]
id = "club-{n}-{year}"
title = "The Laws of Club {n}"
short = "Club {n}"
year = {year}
authority = "the club"
[[part]]
id = "laws"
begins = "LAWS OF THE CLUB"
grammar = "series"
[[part.series]]
label = "{{n}}."
kind = "law"
slug = "law"
name = "Law"
code = "club-{n}-{year}"
"""


def peaks(process: int, found: dict[int, int]) -> None:
    """Record the peak resident memory, in megabytes, of a process and its children (Linux)."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        member = int(status.parent.name)
        if process in (member, int(text.partition("PPid:")[2].split()[0])) and "VmHWM:" in text:
            found[member] = max(found.get(member, 0), int(text.partition("VmHWM:")[2].split()[0]) // 1024)


def build(corpus: Path, target: Path, logs: Path) -> dict[str, object]:
    """Build a library, reusing what earlier runs have left; return seconds and megabytes."""
    logs.mkdir(exist_ok=True)
    earlier = sorted(logs.glob("*.log"))
    log, found = logs / f"{len(earlier):03}.log", dict[int, int]()
    cache = {"WHIST_CACHE": str(target.with_suffix(".cache")), "WHIST_CACHE_SIZE": LARGE}
    words = [sys.executable, "-c", BUILD, "build", "--workers", "2", "--corpus", str(corpus), "--db", str(target)]
    with log.open("w") as output:
        environment = {**os.environ, **cache, "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(words, env=environment, stdout=output, stderr=output)
        try:
            while process.poll() is None:
                peaks(process.pid, found)
                time.sleep(0.2)
        finally:
            process.terminate()
            process.wait()
    output = log.read_text()
    if process.returncode:
        raise SystemExit(output)
    steps = stages(output)
    before = editions_of(path.read_text() for path in earlier)
    driver = _PEAK.search(output)
    found.pop(process.pid)
    return {
        "seconds": round(before + sum(steps.values()), 1),
        "in earlier runs": round(before, 1),
        "stages": steps,
        "driver MB": int(driver[1]) if driver else None,
        "worker MB": max(found.values(), default=None),
        "file MB": round(target.stat().st_size / 1e6, 1),
    }


def stages(log: str) -> dict[str, float]:
    """The seconds of each stage of a finished build, from its log."""
    steps = [(float(at), words) for at, words in _STEP.findall(log) if not words.endswith(" books")]
    return {words: round(after - at, 1) for (at, words), (after, _) in pairwise([(0.0, "editions"), *steps])}


def editions_of(logs: Iterable[str]) -> float:
    """The seconds that runs spent on editions, from their logs, up to the first finished run."""
    seconds = 0.0
    for log in logs:
        seconds += max((float(at) for at, words in _STEP.findall(log) if _MADE.search(words)), default=0.0)
        if _BUILT.search(log):
            break
    return seconds


def make_shelf(corpus: Path, folder: Path, books: int, seed: int = 1) -> int:
    """Write a library.

    Args:
        corpus: the given books, with the files on concepts and topics.
        folder: the folder to create; it must not exist.
        books: how many.
        seed: of the noise; the same gives the same library.
    Returns:
        How many laws it has.
    """
    folder.mkdir(parents=True)
    for name in (
        "library.toml",
        "terms.txt",
        "off-topic.txt",
        "unruled.txt",
        "thesaurus.toml",
        "topics.toml",
    ):
        if (corpus / name).exists():
            shutil.copy(corpus / name, folder)
    known = [s for path in sorted(corpus.glob("*/scan.txt")) for s in sentences(path.read_text(encoding="utf-8"))]
    noise = random.Random(seed)
    family: list[list[str]] = []
    for n in range(books):
        if n % FAMILY == 0:
            family = []
        laws = [_law(known, family, noise, place) for place in range(LAWS)]
        family.append(laws)
        _write(folder / f"book-{n:04}", n, 1800 + n * 100 // books, laws)
    return books * LAWS


def sentences(text: str) -> Iterator[str]:
    """The sentences of a scan that read like prose."""
    for found in _SENTENCE.finditer(text):
        sentence = " ".join(found[0].split())
        letters = sum(c.isalpha() or c == " " for c in sentence)
        if _SHORTEST <= len(sentence) <= _LONGEST and letters >= 0.95 * len(sentence) and sentence[1:2].islower():
            yield sentence


def misread(text: str, noise: random.Random) -> str:
    """A text with a few letters misread."""
    return "".join(_LOOK_ALIKE[c] if c in _LOOK_ALIKE and noise.random() < _MISREAD else c for c in text)


def _law(known: Sequence[str], family: Sequence[Sequence[str]], noise: random.Random, place: int) -> str:
    if family and noise.random() < _TAKEN:
        return misread(noise.choice(family)[place], noise)
    return misread(" ".join(noise.choices(known, k=noise.choice((1, 1, 2, 3)))), noise)


def _write(folder: Path, n: int, year: int, laws: Sequence[str]) -> None:
    folder.mkdir()
    paragraphs = ["LAWS OF THE CLUB.", *(_set(f"{i}. {law}") for i, law in enumerate(laws, 1))]
    data = ("\n\n".join(paragraphs) + "\n").encode()
    (folder / "scan.txt").write_bytes(data)
    plan = _BOOK.format(n=n, year=year, sha256=hashlib.sha256(data).hexdigest())
    (folder / "book.toml").write_text(plan, encoding="utf-8")


def _set(text: str) -> str:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= _LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def sample_queries(chance: random.Random) -> list[str]:
    """Queries such as readers type: a word or two, or some words of a sentence."""
    known = [s for path in sorted(CORPUS.glob("*/scan.txt")) for s in sentences(path.read_text(encoding="utf-8"))]
    found = []
    for n in range(SEARCHES):
        words = chance.choice(known).rstrip(".").split()
        start = chance.randrange(len(words))
        found.append(_WORDS[n % len(_WORDS)] if n % 2 else " ".join(words[start : start + chance.randint(2, 5)]))
    return found


def searches(target: Path) -> dict[str, float]:
    """Search a library; return milliseconds and counts."""
    from kb.search.search import search

    with closing(sqlite3.connect(f"file:{target}?mode=ro", uri=True)) as conn:
        begun = time.monotonic()
        search(conn, "revoke")
        first = time.monotonic() - begun
        took = []
        for words in sample_queries(random.Random(2)):
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
    """Measure libraries of some sizes; print one JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", type=int, nargs="+", help="how many books, smallest first")
    parser.add_argument("--keep", type=Path, help="a folder in which all is left, so that a stopped run can go on")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = given.keep or Path(folder)
        base.mkdir(parents=True, exist_ok=True)
        for books in given.books:
            corpus, target = base / f"shelf-{books}", base / f"shelf-{books}.db"
            if not corpus.exists():
                half = base / f"shelf-{books}.part"
                shutil.rmtree(half, ignore_errors=True)
                make_shelf(CORPUS, half, books)
                half.rename(corpus)
            target.unlink(missing_ok=True)
            figures = {"books": books} | build(corpus, target, base / f"shelf-{books}.logs")
            with multiprocessing.get_context("spawn").Pool(1) as pool:  # a new process, with its own memory
                figures |= pool.apply(searches, (target,))
            line = json.dumps(figures)
            print(line, flush=True)
            with (base / "measured.jsonl").open("a") as file:
                print(line, file=file)


if __name__ == "__main__":
    main()
