"""A page of the site as a page of the copy: its links lead to files, and a form that nobody would answer says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lxml import html
from lxml.html.builder import CLASS, A, P

from datasette_plugins.publishing.places import NO_SERVER, CopiedPage, Places


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
