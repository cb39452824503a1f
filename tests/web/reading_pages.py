"""The pages of the small library, and helpers that request a page and read its content."""

import csv
import io
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from datasette.app import Datasette
from lxml import html

from datasette_plugins.serve import instance

# The pages of the small library: every kind of page, and every state of one.
PAGES = (
    "/", "/about", "/data", "/code/english-1864", "/code/american-1894/read",
    "/code/english-1864/read?number=nonsense", "/book/drayson-1896", "/book/pole-1895", "/search", "/search?q=revoke",
    "/search?q=revokke", "/search?q=laws+71-72", "/search?q=1864+law+72+%22take+three+tricks%22",
    "/search?q=revoke&code=english-1864&kind=law&page=2",
    "/search?q=It+was+a+revoke:+what+does+it+cost,+and+may+it+be+corrected%3F&code=english-1864", "/concepts",
    "/concept/revoke", "/compare", "/compare/revoke", "/compare/revoke?code=english-1864", "/compare/penalty",
    "/compare/revoke/penalty", "/compare/revoke/penalty?code=english-1864", "/compare/revoke/definition",
    "/compare/revoke/correction", "/ruling/revoke/penalty?code=english-1864&q=He+trumped",
    "/ruling/revoke/correction?code=english-1864", "/compare/american-1893/american-1894", "/collate",
    "/collate?u=law+28", "/collate?u=1893+law+28&u=1894+law+28&u=1864+law+72",
    "/collate?u=english-1864/law-72&u=american-1894/law-30", "/collate?u=american-1893/law-28&u=american-1894/law-28",
    "/concordance", "/concordance?by=american-1894&against=english-1864", "/shared", "/shared/american-1894",
    "/shared/arnaud-1829", "/cases", "/cases?law=1864+law+72", "/cases?code=1829", "/cite", "/cite?q=law+28",
    "/cite?q=1864+law+72+(ix)", "/english-1864/law-72", "/english-1864/law-72/ii",
    "/english-1864/law-77", "/drayson-1896/case-93", "/drayson-1896/case-93/decision", "/drayson-1896/case-93/fn-1",
    "/drayson-1896/section-cases", "/pole-1895/odds-table-1", "/pole-1895/odds-table-1/1",
    "/english-1864/law-72/evidence",
)  # fmt: skip


def twin(path: str) -> str:
    bare, mark, query = path.partition("?")
    return ("/index" if bare == "/" else bare) + ".json" + mark + query


async def get(ds: Datasette, path: str, status: int = 200) -> html.HtmlElement:
    response = await ds.client.get(path)
    assert response.status_code == status, path
    return html.document_fromstring(response.text)


async def data(ds: Datasette, path: str) -> Any:
    return (await ds.client.get(path)).json()


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


async def content(ds: Datasette, path: str, places: Iterable[str]) -> dict[str, Any]:
    """Return what a page has at XPaths, texts with normalised white space, or what a JSON document has at dotted paths.

    In a dotted path such as `codes.*.id`, `*` stands for each item of a list or an object.
    """
    if path.partition("?")[0].endswith(".json"):
        found = await data(ds, path)
        return {place: _at(found, place.split(".")) for place in places}
    page = await get(ds, path)
    return {
        place: [" ".join(found.split()) if isinstance(found, str) else words(found) for found in page.xpath(place)]
        for place in places
    }


def _at(found: Any, keys: Sequence[str]) -> Any:
    if not keys:
        return found
    if keys[0] == "*":
        return [_at(each, keys[1:]) for each in (found.values() if isinstance(found, dict) else found)]
    return _at(found[int(keys[0])] if isinstance(found, list) else found[keys[0]], keys[1:])


async def lines(ds: Datasette, path: str) -> list[dict[str, str]]:
    """Return the rows of a CSV response, each a dictionary keyed by column name."""
    response = await ds.client.get(path)
    assert response.headers["content-type"].startswith("text/csv"), path
    return list(csv.DictReader(io.StringIO(response.text)))


async def begun(ds: Datasette) -> Datasette:
    """Start a Datasette, and return it."""
    await ds.invoke_startup()
    return ds


async def started(database: Path, **settings: Any) -> Datasette:
    """Start a Datasette over a library with the given settings."""
    return await begun(instance(database, **settings))


def changed(database: Path, folder: Path, script: str, name: str = "altered.db") -> Path:
    """Copy a library, alter the copy with an SQL script, and return its path."""
    path = Path(shutil.copy(database, folder / name))
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(script)
    return path


async def altered(database: Path, folder: Path, script: str) -> Datasette:
    """Start a Datasette over a copy of a library that an SQL script has altered."""
    return await started(changed(database, folder, script))
