"""Makes the static copy: requests every page from the application, as a visitor would, and saves the responses."""

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
from kb.read.domain import domain
from kb.read.store import open_store

# The file that marks a folder as a copy of the library, and identifies the build.
MARK = "build.txt"
# How many pages a worker is given at a time.
AT_ONCE = 40
ALSO = ("/robots.txt", "/sitemap.xml")
_UNANSWERED = frozenset(CopiedPage(path) for path in ASKED)
_REDIRECT_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Moved</title>
<link rel="canonical" href="{public}"><meta http-equiv="refresh" content="0; url={to}">
<p>This stands at <a href="{to}">another address</a> now.</p></html>
"""


@dataclass(frozen=True, slots=True)
class Written:
    """The pages a worker has written, with their sizes in bytes, and the pages to which these link."""

    sizes: dict[CopiedPage, int]
    found: frozenset[CopiedPage]


@dataclass(frozen=True, slots=True)
class Copy:
    """A static copy: its files by their kind (html, json ...) and its size in bytes."""

    kinds: Counter[str]
    size: int


def copy_site(db: Path, target: Path, url: str, pool: Executor, progress: Callable[[str], None] = print) -> Copy:
    """Write every page of the library as a file.

    The same build, software and URL give the same files, byte for byte.

    Args:
        db: the knowledge base.
        target: the folder to write; an existing copy is replaced as a whole.
        url: the public URL of the copy, with which permalinks and citations begin.
        pool: the workers that make the pages.
        progress: called with a message on how far the copy is.
    Raises:
        WhistError: the knowledge base cannot be read, the folder cannot be written to, or a page cannot be shown.
    """
    with open_store(db, sound=True), tempfile.TemporaryDirectory(prefix="whist-") as place:
        copied = Path(shutil.copy2(db, place))
        with whole_folder(target, MARK) as folder:
            make = partial(_write, str(copied), url, str(folder))
            with open_store(copied) as conn:
                first = [CopiedPage(p) for p in (*sitemap.paths(conn), *ASKED, *ALSO)]
                title = domain(conn).library.title
                (folder / SEARCH_INDEX).write_text(index_script(conn), encoding="utf-8")
            sizes = _all_pages(make, first, pool, progress)
            static = folder / library.static_folder()[1:]
            shutil.copytree(str(importlib.resources.files("datasette_plugins") / "static"), static)
            (folder / MARK).write_text(_marked(copied, title), encoding="utf-8")
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
    """Write pages, then those to which they link, until there are no new ones; return their sizes in bytes."""
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


@cache
def _served(db: str, url: str) -> tuple[Datasette, asyncio.AbstractEventLoop]:
    """The application of this worker process, with the event loop in which it runs."""
    datasette = application.instance(db, url, copied=True)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(datasette.invoke_startup())
    return datasette, loop


def _write(db: str, url: str, folder: str, pages: Sequence[CopiedPage]) -> Written:
    datasette, loop = _served(db, url)
    return loop.run_until_complete(_Writer(datasette, url, Path(folder)).write(pages))


class _Writer:
    """Writes pages one after the other, each with its other forms, so that what these share is computed once."""

    def __init__(self, datasette: Datasette, url: str, folder: Path) -> None:
        self._client, self._folder = datasette.client, folder
        self._places = Places(url, f"{library.static_folder()}/")
        self._sizes: dict[CopiedPage, int] = {}
        self._found: set[CopiedPage] = set()

    async def write(self, pages: Sequence[CopiedPage]) -> Written:
        """Write some pages."""
        for page in pages:
            if page in _UNANSWERED:
                self._redirect(page, CopiedPage(BROWSE), "#copy")
                continue
            for form in sorted(await self._page(page)):
                await self._page(form)
            if page == CopiedPage("/"):
                await self._not_found()
        return Written(self._sizes, frozenset(self._found))

    async def _page(self, page: CopiedPage) -> set[CopiedPage]:
        """Write one page and return its other forms."""
        answer = await self._client.get(page.address)
        if answer.status_code == 301:
            other, rest = self._places.target(
                urlsplit(answer.headers["location"])._replace(scheme="", netloc="").geturl()
            )
            if other is None:
                raise WhistError(f"The page {page.address} cannot be copied: it leads to no other page.")
            self._redirect(page, other, rest)
            return set()
        if answer.status_code != 200:
            raise WhistError(f"The page {page.address} cannot be copied: the site answers {answer.status_code}.")
        if not answer.headers["content-type"].startswith("text/html"):
            self._put(page, answer.text)
            return set()
        found = self._rewrite(page, answer.text, lambda other: relative(page, other.file))
        return {other for other in found if other.is_form_of(page)}

    def _rewrite(self, page: CopiedPage, text: str, link: Callable[[CopiedPage], str]) -> set[CopiedPage]:
        new_text, found = rewritten(text, self._places, link)
        self._put(page, new_text)
        found = {p for p in found if not p.path.startswith(self._places.static) and p != CopiedPage(f"/{SEARCH_INDEX}")}
        self._found |= found
        return found

    def _redirect(self, page: CopiedPage, other: CopiedPage, rest: str) -> None:
        """Write a page that redirects to another one, since a file server cannot send redirects."""
        to = escape(relative(page, other.file) + rest)
        self._put(page, _REDIRECT_PAGE.format(to=to, public=escape(self._places.url + other.address)))
        self._found.add(other)

    async def _not_found(self) -> None:
        """Write the page that many file servers show for every missing path."""
        answer = await self._client.get(f"{MISSING}/this-page")
        self._rewrite(CopiedPage("/404.html"), answer.text, lambda other: absolute(self._places.base, other.file))

    def _put(self, page: CopiedPage, text: str) -> None:
        file = self._folder / page.file
        file.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        file.write_bytes(data)
        self._sizes[page] = len(data)
