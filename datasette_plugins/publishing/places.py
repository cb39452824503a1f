"""The files of the pages in a static copy, and the links between them.

A page is the file `its/path/index.html`, so that its permalink works: a file server redirects from `its/path` to the
folder. Its other forms (`.json`, `.bib` ...) keep their paths. Links are relative and name the file, so that the copy
can be moved, and read from a disk. Pages that answer a query are copied only where all queries can be enumerated: the
ruling by each provision, and two linked provisions word by word. Other queries need a server; the page `/browse` says
so.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from lxml import html
from lxml.html.builder import CLASS, A, P

from datasette_plugins.routes import is_own
from extract.corpus.table import WORK_ID

# Pages that answer what a visitor types; in a copy, links to them go to BROWSE, whose section NO_SERVER explains this.
ASKED = ("/search", "/dispute", "/cite", "/collate", "/ruling")
BROWSE = "/browse"
SEARCH_INDEX = "search-index.js"
NO_SERVER = f"{BROWSE[1:]}#copy"
_ID = re.compile(rf"{WORK_ID}/[\w/-]+")


@dataclass(frozen=True, slots=True, order=True)
class CopiedPage:
    """A URL that is copied: its path, and its query string if that identifies the page."""

    path: str
    query: str = ""

    @property
    def address(self) -> str:
        """Path and query string, as in a request to the server."""
        return quote(self.path, safe="/~") + (f"?{self.query}" if self.query else "")

    @property
    def file(self) -> str:
        """The path of its file within the copy."""
        bare, form = _parts(self.path)
        if self.query:
            bare = posixpath.join(bare, "~".join(value.replace("/", ".") for _, value in parse_qsl(self.query)))
        return (bare + form if form else posixpath.join(bare, "index.html")).lstrip("/")

    def is_form_of(self, other: CopiedPage) -> bool:
        """Whether it is another page in another form, as data or as a citation."""
        bare, form = _parts(self.path)
        return bool(form) and (bare, self.query) == (other.path, other.query)


@dataclass(frozen=True, slots=True)
class Places:
    """The URLs of a static copy.

    Args:
        url: its public URL, without a trailing slash.
        static: the path under which it has its static files.
    """

    url: str
    static: str

    @property
    def base(self) -> str:
        """The path of its public URL with a trailing slash, such as `/` or `/whist/`."""
        return urlsplit(self.url).path.rstrip("/") + "/"

    def target(self, href: str) -> tuple[CopiedPage | None, str]:
        """Find the page of the copy to which a link leads, and what follows its file name in the new link.

        Returns:
            The page, and the fragment, or the query string of a search or static file; None for the page if the link
            leads out of the site or stays on its page.
        """
        url = urlsplit(href)
        if url.scheme or url.netloc or not url.path:
            return None, ""
        path = "/" + unquote(url.path).removeprefix(self.base).lstrip("/")
        fragment = f"#{url.fragment}" if url.fragment else ""
        if path.startswith(self.static) or path == f"/{SEARCH_INDEX}":
            return CopiedPage(path), f"?{url.query}" if url.query else ""
        if path == "/search":
            return CopiedPage(BROWSE), f"?{url.query}" if url.query else ""
        if not is_own(path):
            return CopiedPage(BROWSE), "#copy"
        page = _kept(path, parse_qsl(url.query))
        return (page, fragment) if page else (CopiedPage(BROWSE), "#copy")


def _kept(path: str, fields: list[tuple[str, str]]) -> CopiedPage | None:
    """The page of the copy for a path and the fields of a query string, if there is one."""
    bare, form = _parts(path)
    match bare, sorted(fields):
        case "/ruling", [("code", _), ("unit", unit)] | [("unit", unit)] if _ID.fullmatch(unit):
            return CopiedPage(path, urlencode({"unit": unit}, safe="/"))
        case "/collate", [("u", a), ("u", b)] if _ID.fullmatch(a) and _ID.fullmatch(b):
            return CopiedPage(path, urlencode([("u", a), ("u", b)], safe="/"))
        case _, [("scan", _)] if not form:
            return CopiedPage(f"{path}/evidence")
    return None if bare in ASKED else CopiedPage(path)


def _parts(path: str) -> tuple[str, str]:
    """Split a path into page and form, at the first dot of its last segment; the paths of pages have none there."""
    folder, slash, name = path.rpartition("/")
    bare, dot, form = name.partition(".")
    return folder + slash + bare, dot + form


def relative(page: CopiedPage, file: str) -> str:
    """A link from a page of the copy to a file of it."""
    return quote(posixpath.relpath(file, posixpath.dirname(page.file) or "."), safe="/~-._")


def absolute(base: str, file: str) -> str:
    """A link to a file of the copy from anywhere on its server, for the not-found page."""
    return quote(base + file, safe="/~-._")


def rewritten(text: str, places: Places, link: Callable[[CopiedPage], str]) -> tuple[str, set[CopiedPage]]:
    """Rewrite the links of a page for the copy; return the page and the pages to which it links.

    Args:
        text: the page as the site sends it.
        places: the URLs of the copy.
        link: makes a link to a page of the copy from the page that is rewritten.
    """
    tree: Any = html.document_fromstring(text)
    found = set[CopiedPage]()

    def to(href: str) -> str:
        page, rest = places.target(href)
        if page is None:
            return href
        found.add(page)
        return link(page) + rest

    for form in tree.xpath("//form[not(@action = $search)]", search=f"{places.base}search"):
        link_to_notice = A("What a copy of its pages cannot do", href=f"{places.base}{NO_SERVER}")
        form.getparent().replace(form, P(CLASS("warning"), "This asks the library’s own server. ", link_to_notice, "."))
    for tag, name, value, _ in list(tree.iterlinks()):
        # Links for programs, such as the canonical URL, keep the public URL.
        if tag.tag == "a" and value.startswith(f"{places.url}/"):
            value = places.base + value.removeprefix(f"{places.url}/")
        tag.set(name, to(value))
    return html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>"), found
