"""A page of the site as a page of the copy: the same bytes but for links, and forms that nobody would answer."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from html.parser import HTMLParser

from datasette_plugins.publishing.places import NO_SERVER, CopiedPage, Places

LINKS = ("href", "src", "action")
_UNANSWERED = (
    '<p class="warning">This asks the library’s own server. <a href="{}">What a copy of its pages cannot do</a>.</p>'
)


class Rewriter(HTMLParser):
    """Copies a page sign by sign and rewrites the tags that have links.

    Args:
        places: the copy.
        link: makes a link to a page of the copy from the page that is rewritten.
    """

    def __init__(self, places: Places, link: Callable[[CopiedPage], str]) -> None:
        super().__init__(convert_charrefs=False)
        self._places, self._link = places, link
        self._out: list[str] = []
        self._in_form = False
        self.found: set[CopiedPage] = set()

    def rewritten(self, page: str) -> str:
        """A page with its links as the copy has them; `found` gathers what they lead to."""
        self.feed(page)
        self.close()
        return "".join(self._out)

    def _to(self, href: str) -> str:
        page, rest = self._places.target(href)
        if page is None:
            return href
        self.found.add(page)
        return self._link(page) + rest

    def _put(self, text: str) -> None:
        if not self._in_form:
            self._out.append(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag, with its links rewritten; a form that needs a server is left out for a sentence."""
        raw = self.get_starttag_text() or ""
        given = dict(attrs)
        if tag == "form" and given.get("action") != f"{self._places.base}search":
            self._put(_UNANSWERED.format(escape(self._to(self._places.base + NO_SERVER))))
            self._in_form = True
        if self._in_form:
            return
        for name in LINKS:
            if (value := given.get(name)) is not None:
                if tag == "a" and value.startswith(f"{self._places.url}/"):
                    value = self._places.base + value.removeprefix(f"{self._places.url}/")
                raw = raw.replace(f'{name}="{_written(raw, name)}"', f'{name}="{escape(self._to(value))}"', 1)
        self._put(raw)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag that ends itself."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """The end of an element."""
        if tag == "form" and self._in_form:
            self._in_form = False
            return
        self._put(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Text, and what scripts hold."""
        self._put(data)

    def handle_entityref(self, name: str) -> None:
        """A named sign."""
        self._put(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """A numbered sign."""
        self._put(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        """A comment."""
        self._put(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        """The type of the document."""
        self._put(f"<!{decl}>")


def _written(tag: str, name: str) -> str:
    """The value of an attribute as it is written in its tag."""
    return tag.partition(f' {name}="')[2].partition('"')[0]
