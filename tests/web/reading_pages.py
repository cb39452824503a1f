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
from lxml import etree, html

from datasette_plugins.serve import instance

# Each page of the small library, with the key of its documented JSON shape, if it has one.
PAGES: dict[str, str | None] = {
    "/": "/index.json",
    "/about": "/about.json",
    "/data": "/data.json",
    "/code/english-1864": "/code/CODE.json",
    "/code/american-1894/read": "/code/CODE/read.json",
    "/code/english-1864/read?number=nonsense": "/code/CODE/read.json",
    "/book/drayson-1896": "/book/BOOK.json",
    "/book/pole-1895": "/book/BOOK.json",
    "/search": None,
    "/search?q=revoke": None,
    "/search?q=revokke": None,
    "/search?q=laws+71-72": None,
    "/search?q=1864+law+72+%22take+three+tricks%22": None,
    "/search?q=revoke&code=english-1864&kind=law&page=2": None,
    "/search?q=It+was+a+revoke:+what+does+it+cost,+and+may+it+be+corrected%3F&code=english-1864": None,
    "/concepts": None,
    "/concept/revoke": None,
    "/compare": None,
    "/compare/revoke": None,
    "/compare/revoke?code=english-1864": None,
    "/compare/penalty": None,
    "/compare/revoke/penalty": None,
    "/compare/revoke/penalty?code=english-1864": None,
    "/compare/revoke/definition": None,
    "/compare/revoke/correction": None,
    "/ruling/revoke/penalty?code=english-1864&q=He+trumped": None,
    "/ruling/revoke/correction?code=english-1864": None,
    "/compare/american-1893/american-1894": None,
    "/collate": None,
    "/collate?u=law+28": None,
    "/collate?u=1893+law+28&u=1894+law+28&u=1864+law+72": None,
    "/collate?u=english-1864/law-72&u=american-1894/law-30": None,
    "/collate?u=american-1893/law-28&u=american-1894/law-28": None,
    "/concordance": None,
    "/concordance?by=american-1894&against=english-1864": None,
    "/shared": None,
    "/shared/american-1894": None,
    "/shared/arnaud-1829": None,
    "/cases": None,
    "/cases?law=1864+law+72": None,
    "/cases?code=1829": None,
    "/cite": None,
    "/cite?q=law+28": None,
    "/cite?q=1864+law+72+(ix)": None,
    "/english-1864/law-72": "/ID.json",
    "/english-1864/law-72?scan=1": "/ID.json",
    "/english-1864/law-72/ii": "/ID.json",
    "/english-1864/law-77": "/ID.json",
    "/drayson-1896/case-93": "/ID.json",
    "/drayson-1896/case-93/decision": "/ID.json",
    "/drayson-1896/case-93/fn-1": "/ID.json",
    "/drayson-1896/section-cases": "/ID.json",
    "/pole-1895/odds-table-1": "/ID.json",
    "/pole-1895/odds-table-1/1": "/ID.json",
    "/english-1864/law-72/evidence": "/ID/evidence.json",
}


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


def shown(page: html.HtmlElement, places: Iterable[str]) -> dict[str, list[str]]:
    """Return what each XPath finds on a page: texts with normalised white space, or values of attributes."""
    return {
        place: [" ".join(found.split()) if isinstance(found, str) else words(found) for found in page.xpath(place)]
        for place in places
    }


def told(found: Any, places: Iterable[str]) -> dict[str, Any]:
    """Return the JSON values at dotted paths such as `issues.0.id`; `*` stands for each item of a list or an object."""
    return {place: _at(found, place.split(".")) for place in places}


def _at(found: Any, keys: Sequence[str]) -> Any:
    if not keys:
        return found
    if keys[0] == "*":
        return [_at(each, keys[1:]) for each in (found.values() if isinstance(found, dict) else found)]
    return _at(found[int(keys[0])] if isinstance(found, list) else found[keys[0]], keys[1:])


async def content(ds: Datasette, path: str, places: Iterable[str]) -> dict[str, Any]:
    """Return what a page has at XPaths, or what a JSON document has at dotted paths."""
    is_json = path.partition("?")[0].endswith(".json")
    return told(await data(ds, path), places) if is_json else shown(await get(ds, path), places)


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


def changed(database: Path, folder: Path, script: str) -> Path:
    """Copy a library, alter the copy with an SQL script, and return its path."""
    path = Path(shutil.copy(database, folder / "altered.db"))
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(script)
    return path


async def altered(database: Path, folder: Path, script: str) -> Datasette:
    """Start a Datasette over a copy of a library that an SQL script has altered."""
    return await started(changed(database, folder, script))


async def mapped(ds: Datasette) -> list[str]:
    """Return the addresses listed in the sitemap; a query string changes nothing."""
    tree = etree.fromstring((await ds.client.get("/sitemap.xml?part=2")).content)
    return [
        loc.removeprefix("http://localhost")
        for loc in tree.xpath("//s:loc/text()", namespaces={"s": "http://www.sitemaps.org/schemas/sitemap/0.9"})
    ]
