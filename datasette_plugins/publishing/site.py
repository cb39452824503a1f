"""Makes the static copy: asks the application for every page, as a visitor would, and writes down what it answers."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.resources
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass
from functools import cache, partial
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from datasette.app import Datasette

from datasette_plugins import library
from datasette_plugins.publishing.places import (
    ASKED,
    BROWSE,
    SEARCH_INDEX,
    CopiedPage,
    Places,
    absolute,
    relative,
    rewritten,
)
from datasette_plugins.publishing.pocket import index_script
from datasette_plugins.routes import MISSING
from datasette_plugins.serving import application
from datasette_plugins.views import sitemap
from extract.errors import WhistError
from kb.build.atomic import whole_folder
from kb.read import queries
from kb.read.domain import domain
from kb.read.store import open_store

# What tells that a folder is a copy of the library, and of which build.
MARK = "build.txt"
# Pages that one worker is given at a time.
AT_ONCE = 40
ALSO = ("/robots.txt", "/sitemap.xml")
_UNANSWERED = frozenset(CopiedPage(path) for path in ASKED)
_LEADS_ON = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Moved</title>
<link rel="canonical" href="{public}"><meta http-equiv="refresh" content="0; url={to}">
<p>This stands at <a href="{to}">another address</a> now.</p></html>
"""


@dataclass(frozen=True, slots=True)
class Written:
    """What a worker has written, each page with its bytes, and the pages that these lead to."""

    sizes: dict[CopiedPage, int]
    found: frozenset[CopiedPage]


@dataclass(frozen=True, slots=True)
class Copy:
    """A static copy: its files by their kind (html, json ...) and its size in bytes."""

    kinds: Counter[str]
    size: int


def copy_site(db: Path, target: Path, url: str, pool: Executor, progress: Callable[[str], None] = print) -> Copy:
    """Write every page of the library as a file.

    The same build, software and address give the same files, byte for byte.

    Args:
        db: the knowledge base.
        target: the folder to write; a copy that stands there is replaced as a whole.
        url: the public address of the copy, with which permalinks and citations begin.
        pool: where pages are made.
        progress: told, in words, how far the copy is.
    Raises:
        WhistError: the knowledge base cannot be read, the folder cannot be written to, or a page cannot be shown.
    """
    with open_store(db, sound=True), tempfile.TemporaryDirectory(prefix="whist-") as place:
        kept = Path(shutil.copy2(db, place))
        with whole_folder(target, MARK) as folder:
            make = partial(_write, str(kept), url, str(folder))
            with open_store(kept) as conn:
                first = [CopiedPage(p) for p in (*sitemap.paths(conn), *ASKED, *ALSO)]
                first += [CopiedPage(f"/{old}") for old in queries.moved_ids(conn)]
                title = domain(conn).library.title
                (folder / SEARCH_INDEX).write_text(index_script(conn), encoding="utf-8")
            sizes = _all_pages(make, first, pool, progress)
            static = folder / _static_folder()
            shutil.copytree(str(importlib.resources.files("datasette_plugins") / "static"), static)
            (folder / MARK).write_text(_marked(kept, title), encoding="utf-8")
            files = [p for p in (*static.rglob("*"), folder / MARK, folder / SEARCH_INDEX) if p.is_file()]
            kinds = Counter(
                Path(name).suffix[1:] for name in (*(page.file for page in sizes), *(p.name for p in files))
            )
            return Copy(kinds, sum(sizes.values()) + sum(p.stat().st_size for p in files))


def _marked(db: Path, title: str) -> str:
    with db.open("rb") as file:
        data = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{title}, a copy of its pages\ndata {data}\nsoftware {library.software()}\n"


def _all_pages(
    make: Callable[[Sequence[CopiedPage]], Written],
    first: Iterable[CopiedPage],
    pool: Executor,
    progress: Callable[[str], None],
) -> dict[CopiedPage, int]:
    """Write pages, then those that they lead to, until nothing is new; the pages with their bytes."""
    sizes: dict[CopiedPage, int] = {}
    new = sorted(set(first))
    while new:
        found: set[CopiedPage] = set()
        for done in as_completed(pool.submit(make, new[i : i + AT_ONCE]) for i in range(0, len(new), AT_ONCE)):
            written = done.result()
            sizes |= written.sizes
            found |= written.found
            progress(f"{len(sizes)} files")
        new = sorted(found - sizes.keys())
    return sizes


def _static_folder() -> str:
    return f"-/static-plugins/{library.static_name()}"


@cache
def _served(db: str, url: str) -> tuple[Datasette, asyncio.AbstractEventLoop]:
    """The application of this process, with the loop it lives in."""
    datasette = application.instance(db, url, copied=True)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(datasette.invoke_startup())
    loop.run_until_complete(library.find(datasette))
    return datasette, loop


def _write(db: str, url: str, folder: str, pages: Sequence[CopiedPage]) -> Written:
    datasette, loop = _served(db, url)
    return loop.run_until_complete(_Writer(datasette, url, Path(folder)).write(pages))


class _Writer:
    """Writes pages with their other forms, one page after the other: what they share is computed once."""

    def __init__(self, datasette: Datasette, url: str, folder: Path) -> None:
        self._client, self._folder = datasette.client, folder
        self._places = Places(url, f"/{_static_folder()}/")
        self._sizes: dict[CopiedPage, int] = {}
        self._found: set[CopiedPage] = set()

    async def write(self, pages: Sequence[CopiedPage]) -> Written:
        """Write some pages."""
        for page in pages:
            if page in _UNANSWERED:
                self._lead_on(page, CopiedPage(BROWSE), "#copy")
                continue
            for form in sorted(await self._page(page)):
                await self._page(form)
            if page == CopiedPage("/"):
                await self._not_found()
        return Written(self._sizes, frozenset(self._found))

    async def _page(self, page: CopiedPage) -> set[CopiedPage]:
        """Write one page, and tell its other forms."""
        answer = await self._client.get(page.address)
        if answer.status_code == 301:
            other, rest = self._places.target(
                urlsplit(answer.headers["location"])._replace(scheme="", netloc="").geturl()
            )
            if other is None:
                raise WhistError(f"The page {page.address} cannot be copied: it leads to no other page.")
            self._lead_on(page, other, rest)
            return set()
        if answer.status_code != 200:
            raise WhistError(f"The page {page.address} cannot be copied: the site answers {answer.status_code}.")
        if not answer.headers["content-type"].startswith("text/html"):
            self._put(page, answer.text)
            return set()
        found = self._rewrite(page, answer.text, lambda other: relative(page, other.file))
        return {other for other in found if other.is_form_of(page)}

    def _rewrite(self, page: CopiedPage, text: str, link: Callable[[CopiedPage], str]) -> set[CopiedPage]:
        made, found = rewritten(text, self._places, link)
        self._put(page, made)
        static = f"/{_static_folder()}/"
        found = {p for p in found if not p.path.startswith(static) and p != CopiedPage(f"/{SEARCH_INDEX}")}
        self._found |= found
        return found

    def _lead_on(self, page: CopiedPage, other: CopiedPage, rest: str) -> None:
        """Write where a page went, or what there is in its place; a file server has no other way to say it."""
        to = escape(relative(page, other.file) + rest)
        self._put(page, _LEADS_ON.format(to=to, public=escape(self._places.url + other.address)))
        self._found.add(other)

    async def _not_found(self) -> None:
        """Write the page that many file servers show for what is not there, wherever that is."""
        answer = await self._client.get(f"{MISSING}/this-page")
        self._rewrite(CopiedPage("/404.html"), answer.text, lambda other: absolute(self._places.base, other.file))

    def _put(self, page: CopiedPage, text: str) -> None:
        file = self._folder / page.file
        file.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        file.write_bytes(data)
        self._sizes[page] = len(data)
