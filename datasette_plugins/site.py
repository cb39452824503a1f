"""What a view gets and gives: a request, and a page, a document, a redirect or a refusal as the answer."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request as the views see it.

    Attributes:
        path: the path, without `.json`.
        parts: the named groups of the route.
        args: the fields of the query string.
        href: makes the URL of a path of the site.
        absolute: makes its absolute URL.
        build: the name of the build that is served.
        built: its date and time.
    """

    path: str
    parts: Mapping[str, str]
    args: Mapping[str, list[str]]
    href: Callable[[str], str]
    absolute: Callable[[str], str]
    build: str = ""
    built: str = ""

    @property
    def form(self) -> str:
        """The form of the answer: `html`, or the suffix of the address (`json`, `csv`, `bib` ...)."""
        return "json" if "json" in self.parts else self.parts.get("format", "html")

    @property
    def as_data(self) -> bool:
        """Whether the answer is read by a program: as JSON, CSV or a citation."""
        return self.form != "html"

    @property
    def host(self) -> str:
        """The host of the site's permalinks."""
        return urlsplit(self.absolute("/")).hostname or ""

    def get(self, name: str) -> str:
        """The first value of an argument, "" if there is none."""
        return self.args.get(name, [""])[0].strip()

    def all(self, name: str) -> list[str]:
        """All non-empty values of an argument."""
        return [v for v in self.args.get(name, []) if v.strip()]

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """An argument as a whole number, clamped to the bounds; `default` if it is not a number."""
        value = self.get(name)
        return min(max(int(value), least), most) if value.isdecimal() and len(value) < 9 else default


@dataclass(frozen=True, kw_only=True)
class SitePage:
    """A page: one frozen object, from whose fields its template and its JSON are made.

    Attributes:
        url: its permanent address: path and query string, without the host.
        title: its title.
        description: a sentence for search engines and previews of links.
        status: its HTTP status.
        alternates: further forms of the page, as pairs of content type and path.
        club: the id of the code that the reader has chosen; "" for all.
        linked_data: its subject for schema.org.
        template: the name of its template.
        internal: the fields that its JSON leaves out.
    """

    template: ClassVar[str] = ""
    internal: ClassVar[frozenset[str]] = frozenset()
    url: str
    title: str
    description: str = ""
    status: int = 200
    alternates: Sequence[tuple[str, str]] = ()
    club: str = ""
    linked_data: Mapping[str, Any] | None = None

    @property
    def path(self) -> str:
        """Its path, without the query string."""
        return self.url.partition("?")[0]

    @property
    def query_string(self) -> str:
        """Its query string with the question mark; empty if there is none."""
        return self.url.removeprefix(self.path)

    @property
    def json_path(self) -> str:
        """The path and query string of its JSON."""
        return ("/index" if self.path == "/" else self.path) + ".json" + self.query_string


@dataclass(frozen=True, slots=True)
class Nearest:
    """An existing provision whose id is similar to one that does not exist."""

    id: str
    url: str
    title: str


@dataclass(frozen=True, kw_only=True)
class Missing(SitePage):
    """What cannot be answered, and why; `wanted` is what was asked for, and `nearest` are provisions like it."""

    template: ClassVar[str] = "error"
    internal: ClassVar[frozenset[str]] = frozenset({"wanted"})
    error: str
    nearest: Sequence[Nearest] = ()
    wanted: str = ""
    status: int = 404


class Refused(Exception):
    """What is asked cannot be answered; `page` says why."""

    def __init__(self, page: Missing) -> None:
        super().__init__(page.title)
        self.page = page


@dataclass(frozen=True, slots=True)
class PermanentRedirect:
    """A permanent redirect to another path of the site, with another query string if one is given."""

    path: str
    query: str | None = None


@dataclass(frozen=True, slots=True)
class TemporaryRedirect:
    """A temporary redirect to another page of the site, without the query string of the request."""

    path: str


@dataclass(frozen=True, slots=True)
class Document:
    """An answer that is not a page: a citation, a list as CSV, robots.txt."""

    text: str
    content_type: str
    filename: str = ""


Answer = SitePage | PermanentRedirect | TemporaryRedirect | Document
View = Callable[[sqlite3.Connection, PageRequest], Answer]
