"""Hostile requests from a seeded generator, sent to a library within one process.

`make attack` sends 5,000 to the pages of the built library and 5,000 to its tables, and fails if a response has status
500 or more; the tests send a few of them to the small library. No request leaves the process.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import AsyncMock
from urllib.parse import quote

import httpx

from datasette_plugins.serving.front import Build

PATHS = (
    "/search", "/search", "/search", "/dispute", "/dispute", "/ruling", "/ruling", "/compare", "/compare",
    "/compare/revoke",
    "/compare/american-1893/american-1894", "/collate", "/concept/revoke", "/concepts", "/",
    "/concordance", "/cases", "/references/unresolved",
    "/code/english-1864", "/code/english-1864/read", "/book/drayson-1896", "/about", "/english-1864/law-72",
    "/english-1864/law-72/ii", "/drayson-1896/case-93/evidence", "/english-1864", "/English-1864/Law-72",
    "/english-1864/{}", "/compare/{}", "/compare/{}/{}", "/concept/{}", "/code/{}", "/book/{}", "/{}",
    "/english-1864/law-72.{}", "/data", "/openapi", "/schemas/Unit", "/schemas/{}", "/english-1864/law-72.tei.xml",
)  # fmt: skip
TABLES = (
    "/{db}/unit", "/{db}/edit", "/{db}/unit_concept", "/{db}/link", "/{db}/table_cell", "/{db}/unit/{}",
    "/{db}/unit_concept/{}", "/{db}/{}", "/{db}", "/-/{}", "/-/versions", "/{db}/provision", "/{db}/correction",
    "/{db}/answer", "/{db}/concept-by-code", "/{db}/without-counterpart", "/{db}/doubtful", "/{db}/concordance",
    "/{db}/provision/{}", "/{db}/concordance/{}",
)  # fmt: skip
FIELDS = (
    "q", "q", "q", "code", "kind", "book", "year", "page", "a", "b", "u", "u", "unit", "codes", "differ", "build",
    "scan", "concept", "by", "against", "law", "number", "{}",
)  # fmt: skip
TABLE_FIELDS = (
    "_sort", "_sort_desc", "_next", "_search", "_facet", "_facet_array", "_facet_date", "_facet_size", "_size",
    "_where", "_shape", "_col", "_nocol", "_json", "_json_infinity", "_labels", "_timelimit", "_through", "_trace",
    "_stream", "_filter_column", "_filter_op", "id__gt", "id__in", "text__contains", "seq__exact",
    "id__arraycontains", "sql", "concept", "code", "other", "below", "_hide_sql", "{}",
)  # fmt: skip
SUFFIXES = ("", "", ".json", ".json", ".csv", ".md", ".bib", ".tei.xml", ".nonsense")
ODD = (
    "", " ", "\0", "a\0b", "\u202erevoke", "\u200frevoke\u200e", "\ufeff", "²²²²", "law ²", "١٨٦٤", "٧٢", "½", "ⅷ",
    "𝟙𝟠𝟞𝟜", "e\u0301" * 50, "ﬁneſſe", "\ud7ff", "\U0010ffff", "\ue000revoke\ue001", "🂡", "null", "true", "NaN", "-1",
    "0", "00", "1e9", "99999999999999999999", "0x10", "../../etc/passwd", "..%2f", "%", "%%", "%ZZ", "{{7*7}}",
    "${x}", "<b>x</b>", "' or 1=1 --", "'; drop table unit; --", '"', '""', '"unclosed', "(", ")", "((((", "AND",
    "OR", "NOT", "NEAR(a b, 9)", "a AND (b OR", "*", "^", "rev*", "r*", "*a", "-", "--", "-revoke", '-"', ":",
    "code:", "-code:", "code::", "year:", "-year:", "year:0000-9999", "year:9999-0000", "year:1829-", "year:-1829",
    "year:1864-1829", "-year:1864", "year:²²²²", "kind:law", "-kind:law", "kind:nonsense", "concept:revoke",
    "-concept:revoke", "concept:nonsense", "code:english", "-code:english", "code:e", "book:drayson", "-book:x",
    "text:revoke", "law 72", "1864 law 72 (ii)", "law 0", "law 00000", "case 93 decision", "english-1864/law-72",
    "english-1864/law-72/ix", "drayson-1896/case-93", "english-1864", "revoke", "the", "mis-deal", "a-b-c-d-e",
    "card card card", "who deals after a misdeal", "1864", "1829-1894", "english-1864", "law", "case",
)  # fmt: skip
RAW = (
    "%ED%A0%80", "%FF", "%C0%AF", "%00", "%u0041", "+", "%2B", "%26", "%3D", "%0d%0aSet-Cookie:x", "~ZZ", "~",
    "a,b,c",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; its status is 0 if the application raised an exception."""

    address: str
    status: int
    size: int
    seconds: float


def value(rng: random.Random) -> str:
    """Return a random hostile value of a query field, percent-encoded."""
    match rng.randrange(10):
        case 0 | 1 | 2 | 3 | 4:
            return quote(rng.choice(ODD), safe="")
        case 5:
            return rng.choice(RAW)
        case 6:
            character = rng.choice(("a", "é", "²", '"', "(", "-", "*", "year:", "x-"))
            return quote(character * rng.choice((10, 300, 3000)))
        case 7:
            return quote(" ".join(rng.choice(ODD) for _ in range(rng.choice((3, 30, 200)))))
        case 8:
            characters = (" ", '"', "*", "-", ":", "(", chr(rng.randrange(0x20, 0xD7FF)))
            return quote("".join(rng.choice(characters) for _ in range(60)))
    return quote(" ".join(rng.choice("abcdefghilmnoprstuw") + "*" for _ in range(rng.choice((2, 40, 300)))))


def address(rng: random.Random, paths: Iterable[str], fields: Iterable[str]) -> str:
    """Return one hostile address."""
    path = rng.choice(tuple(paths)).replace("{}", value(rng)[:3000])
    count = rng.choice((0, 1, 1, 2, 3, 8, 45, 70, 150))
    names = [rng.choice(tuple(fields)) for _ in range(min(count, 3))] or ["q"]
    pairs = [f"{rng.choice(names).replace('{}', value(rng)[:40])}={value(rng)}" for _ in range(count)]
    suffix = "" if path == "/" else rng.choice(SUFFIXES)
    return path + suffix + ("?" + "&".join(pairs) if pairs else "")


def addresses(count: int, seed: int = 1, tables_of: str = "") -> Iterator[str]:
    """Generate hostile addresses of the site's pages, or of a database's tables; one seed always gives the same."""
    rng = random.Random(seed)
    paths = [path.replace("{db}", tables_of) for path in (TABLES if tables_of else PATHS)]
    return (address(rng, paths, TABLE_FIELDS if tables_of else FIELDS) for _ in range(count))


async def attack(database: Path, requests: Iterable[str]) -> list[Answer]:
    """Send requests to a served library one after another, as raw paths that no HTTP client has normalised."""
    build = Build(database)
    try:
        await build.start()
        return [await _send(build.app, request) for request in requests]
    finally:
        build.close()


async def _send(app: object, request: str) -> Answer:
    path, _, query = request.partition("?")
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": httpx.URL("http://localhost").copy_with(raw_path=path.encode()).path, "raw_path": path.encode(),
        "query_string": query.encode(), "root_path": "", "headers": [(b"host", b"localhost")],
        "server": ("localhost", 80), "client": ("127.0.0.1", 1),
    }  # fmt: skip
    receive, send = AsyncMock(return_value={"type": "http.request", "body": b""}), AsyncMock()
    start_time = time.perf_counter()
    try:
        await app(scope, receive, send)  # type: ignore[operator]
    except Exception:
        return Answer(request, 0, 0, time.perf_counter() - start_time)
    seconds = time.perf_counter() - start_time
    start, *bodies = [message for ((message,), _) in send.await_args_list]
    return Answer(request, start["status"], sum(len(message.get("body", b"")) for message in bodies), seconds)


def main() -> None:
    """Attack a library and print the results; exit with status 1 if any request failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", type=Path)
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", action="store_true", help="Datasette's own pages instead of the site's.")
    options = parser.parse_args()
    requests = addresses(options.requests, options.seed, options.database.stem if options.tables else "")
    answers = asyncio.run(attack(options.database, requests))
    failed = [a for a in answers if a.status >= 500 or not a.status]
    print(f"{len(answers)} requests, {len(failed)} failed; largest answer {max(a.size for a in answers):,} bytes")
    for a in sorted(answers, key=lambda a: -a.seconds)[:5]:
        print(f"  {a.seconds:.2f} s  {a.status}  {a.address[:150]}")
    for a in failed[:20]:
        print(f"  FAILED {a.status}: {a.address[:300]}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
