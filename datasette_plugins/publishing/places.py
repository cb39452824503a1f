"""Where in a static copy the pages stand, and how they point to each other.

A page stands at `its/path/index.html`, so that its permalink holds: a file server leads from `its/path` to the folder.
Its other forms (`.json`, `.bib` ...) keep their addresses. Links are relative and name the file, so that the copy can
be moved, and read from a disk. What is computed for a question is copied where the questions can be counted: the ruling
by each provision, and two linked provisions word by word. Other questions need a server; the page `/browse` says so.
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

# Pages that answer to what a visitor types; where a link leads that asks for one of them, and what is told there.
ASKED = ("/search", "/dispute", "/cite", "/cite/verify", "/collate", "/ruling")
BROWSE = "/browse"
SEARCH_INDEX = "search-index.js"
NO_SERVER = f"{BROWSE[1:]}#copy"
_ID = re.compile(rf"{WORK_ID}/[\w/-]+")


@dataclass(frozen=True, slots=True, order=True)
class CopiedPage:
    """An address that is copied: its path, and its query if that belongs to it."""

    path: str
    query: str = ""

    @property
    def address(self) -> str:
        """Path and query, as the server is asked for it."""
        return quote(self.path, safe="/~") + (f"?{self.query}" if self.query else "")

    @property
    def file(self) -> str:
        """Its file within the copy."""
        bare, form = _parts(self.path)
        if self.query:
            bare = posixpath.join(bare, "~".join(value.replace("/", ".") for _, value in parse_qsl(self.query)))
        return (bare + form if form else posixpath.join(bare, "index.html")).lstrip("/")

    def is_form_of(self, other: CopiedPage) -> bool:
        """Whether it is what another page is, as data or as a citation."""
        bare, form = _parts(self.path)
        return bool(form) and (bare, self.query) == (other.path, other.query)


@dataclass(frozen=True, slots=True)
class Places:
    """The copy of a site.

    Args:
        url: its public address, without a slash at its end.
        static: the path on it under which its static files stand.
    """

    url: str
    static: str

    @property
    def base(self) -> str:
        """The path of its public address, "/" or as `/whist/`."""
        return urlsplit(self.url).path.rstrip("/") + "/"

    def target(self, href: str) -> tuple[CopiedPage | None, str]:
        """What a link leads to in the copy, and what follows the name of its file.

        Returns:
            The page, and its fragment or the question put to the index; no page if the link leads out of the site or
            stays on its page.
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
        kept = _kept(path, parse_qsl(url.query))
        return (kept, fragment) if kept else (CopiedPage(BROWSE), "#copy")


def _kept(path: str, fields: list[tuple[str, str]]) -> CopiedPage | None:
    """The page of the copy that a question means, if there is one."""
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
    """A path and its form: no page has a dot in its last part, and every other form of one begins with a dot."""
    folder, slash, name = path.rpartition("/")
    bare, dot, form = name.partition(".")
    return folder + slash + bare, dot + form


def relative(page: CopiedPage, file: str) -> str:
    """A link from a page of the copy to a file of it."""
    return quote(posixpath.relpath(file, posixpath.dirname(page.file) or "."), safe="/~-._")


def absolute(base: str, file: str) -> str:
    """A link to a file of the copy from anywhere on its server, for the page of what is not found."""
    return quote(base + file, safe="/~-._")


def rewritten(text: str, places: Places, link: Callable[[CopiedPage], str]) -> tuple[str, set[CopiedPage]]:
    """A page with its links as the copy has them, and what they lead to.

    Args:
        text: the page as the site has it.
        places: the copy.
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
        way = A("What a copy of its pages cannot do", href=f"{places.base}{NO_SERVER}")
        form.getparent().replace(form, P(CLASS("warning"), "This asks the library’s own server. ", way, "."))
    for tag, name, value, _ in list(tree.iterlinks()):
        # What the page itself or a machine shall know it by stays the public address.
        if tag.tag == "a" and value.startswith(f"{places.url}/"):
            value = places.base + value.removeprefix(f"{places.url}/")
        tag.set(name, to(value))
    return html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>"), found
