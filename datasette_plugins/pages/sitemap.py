"""Documents for crawlers: the sitemap (sitemaps.org) and robots.txt."""

from __future__ import annotations

import sqlite3
from xml.sax.saxutils import escape

from datasette_plugins.site import Document, PageRequest
from kb.comparison.matrix import code_pairs
from kb.comparison.topics import topics
from kb.questions.questions import questions
from kb.read import queries

# Searches, comparisons of anything with anything, and Datasette's tables have endless URLs for the same texts.
CLOSED = (
    "/search", "/cases?", "/code/*/read?", "/dispute", "/ruling",
    "/compare?", "/compare/*?", "/collate", "/cite", "/-/", "/*?_",
)  # fmt: skip


def paths(conn: sqlite3.Connection) -> list[str]:
    """The paths of all pages, without their other forms and without those that answer a query."""
    return [
        *("/", "/about", "/data", "/compare", "/concordance", "/shared", "/cases", "/concepts"),
        *(f"/code/{code.id}{page}" for code in queries.codes(conn) for page in ("", "/read")),
        *(f"/book/{book.id}" for book in queries.books(conn)),
        *(f"/compare/{topic.id}" for topic in topics(conn)),
        *(f"/compare/{question}" for question in questions(conn)),
        *(f"/compare/{a}/{b}" for a, b in code_pairs(conn)),
        *(f"/shared/{code.id}" for code in queries.codes(conn)),
        *(f"/concept/{concept.id}" for concept in queries.concepts(conn)),
        *(f"/{unit_id}" for unit_id in queries.whole_ids(conn)),
    ]


def robots(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """Allow crawlers to read all pages except those with endless addresses."""
    lines = ["User-agent: *", *(f"Disallow: {request.href(path)}" for path in CLOSED)]
    return Document(
        "\n".join([*lines, "", f"Sitemap: {request.absolute('/sitemap.xml')}", ""]), "text/plain; charset=utf-8"
    )


def sitemap(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """All pages with the date of the build, since a build changes every page."""
    day = f"<lastmod>{request.built[:10]}</lastmod>" if request.built else ""
    urls = "".join(f"<url><loc>{escape(request.absolute(path))}</loc>{day}</url>\n" for path in paths(conn))
    return Document(
        f'<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n',
        "application/xml; charset=utf-8",
    )
