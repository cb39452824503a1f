"""Documents for crawlers: the sitemap (sitemaps.org) and robots.txt."""

from __future__ import annotations

import sqlite3
from xml.sax.saxutils import escape

from datasette_plugins.endpoint import Document, PageRequest
from kb.comparison.matrix import code_pairs
from kb.comparison.topics import topics
from kb.questions.questions import questions
from kb.read import queries
from kb.read.domain import rooms

# Searches, comparisons of anything with anything, and Datasette's tables have endless URLs for the same texts.
CLOSED = (
    "/search", "/cases?", "/code/*/read?", "/dispute", "/ruling",
    "/compare?", "/compare/*?", "/collate", "/cite", "/-/", "/*?_",
)  # fmt: skip

# The pages of sections of the site, which are listed only if they have content.
ROOMS = (
    ("compare", "/compare"), ("concordance", "/concordance"), ("concordance", "/shared"), ("cases", "/cases"),
    ("concepts", "/concepts"),
)  # fmt: skip


def paths(conn: sqlite3.Connection) -> list[str]:
    """The paths of the pages of works, provisions, topics, concepts and sections, without their other forms."""
    codes, books, held = queries.codes(conn), queries.books(conn), rooms(conn)
    return [
        "/",
        "/about",
        "/data",
        *(path for room, path in ROOMS if room in held),
        *(f"/code/{c.id}{page}" for c in codes for page in ("", "/read")),
        *(f"/book/{b.id}" for b in books),
        *(f"/compare/{t.id}" for t in topics(conn)),
        *(f"/compare/{question}" for question in questions(conn)),
        *(f"/compare/{a}/{b}" for a, b in code_pairs(conn)),
        *(f"/shared/{c.id}" for c in codes if "concordance" in held),
        *(f"/concept/{k.id}" for k in queries.concepts(conn)),
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
