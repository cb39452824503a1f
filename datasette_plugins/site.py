"""A page of the site: one frozen object, from whose fields its template and its JSON are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, kw_only=True)
class SitePage:
    """The base class of pages, with the fields that every page has.

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
        return f"{self.path}.json{self.query_string}"
