"""Documents for crawlers and feed readers: the sitemap (sitemaps.org), robots.txt, and the feed of new builds."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from xml.sax.saxutils import escape

from datasette_plugins.endpoint import Document, PageRequest
from datasette_plugins.present import kind_name
from kb.comparison import borrowing, changes
from kb.comparison.topics import topics
from kb.read import queries
from kb.read.domain import domain, rooms

MOST = 50_000
"""URLs in one sitemap, according to the protocol."""
# Searches, comparisons of anything with anything, and Datasette's tables have endless URLs for the same texts.
CLOSED = (
    "/search", "/cases?", "/code/*/read?", "/dispute?", "/dispute.json", "/ruling",
    "/compare?", "/compare/*?", "/collate", "/cite", "/-/", "/*?_",
)  # fmt: skip

# The pages of sections of the site, which are listed only if they have content.
ROOMS = (
    ("dispute", "/dispute"), ("compare", "/compare"), ("concordance", "/concordance"), ("cases", "/cases"),
    ("references", "/references/unresolved"), ("concepts", "/concepts"), ("browse", "/browse"),
)  # fmt: skip


def paths(conn: sqlite3.Connection) -> list[str]:
    """The paths of the pages of works, provisions, topics, concepts and sections, without their other forms."""
    codes, books, held = queries.codes(conn), queries.books(conn), rooms(conn)
    borrowed = borrowing.borrowings(conn)
    return [
        "/",
        "/about",
        "/data",
        *(path for room, path in ROOMS if room in held),
        *(f"/code/{c.id}{page}" for c in codes for page in ("", "/read")),
        *(f"/book/{b.id}" for b in books),
        *(f"/compare/{t.id}" for t in topics(conn)),
        *(f"/compare/{a}/{b}" for a, b in changes.listed_pairs(conn)),
        *(["/borrowings"] if borrowed else []),
        *dict.fromkeys(f"/borrowings/{code}" for b in borrowed for code in (b.source, b.code)),
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
    """All pages with the date of the build, since a build changes every page.

    If there are too many for one sitemap, an index of sitemaps, of which `part` selects one.
    """
    day = f"<lastmod>{request.built[:10]}</lastmod>" if request.built else ""
    every, part = paths(conn), request.get("part")
    if part.isdecimal():
        every = every[MOST * (int(part) - 1) : MOST * int(part)] if int(part) else []
    elif len(every) > MOST:
        maps = (f"/sitemap.xml?part={n + 1}" for n in range(-(-len(every) // MOST)))
        return _map("sitemapindex", (f"<sitemap><loc>{escape(request.absolute(m))}</loc>{day}</sitemap>" for m in maps))
    return _map("urlset", (f"<url><loc>{escape(request.absolute(path))}</loc>{day}</url>" for path in every))


def _map(kind: str, entries: Iterable[str]) -> Document:
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    body = "".join(f"{entry}\n" for entry in entries)
    return Document(f"{head}{body}</{kind}>\n", "application/xml; charset=utf-8")


_FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>{title}</title>
<id>{feed}</id>
<link rel="self" type="application/atom+xml" href="{feed}"/>
<link rel="alternate" type="text/html" href="{home}"/>
<updated>{built}</updated>
<author><name>{library}</name></author>
<entry>
<title>{name}</title>
<id>{feed}#build-{build}</id>
<link rel="alternate" type="text/html" href="{home}"/>
<updated>{built}</updated>
<content type="text">{told}</content>
</entry>
</feed>
"""


def feed(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """The build that is served, with its date and a summary of its contents."""
    title = domain(conn).library.title
    moment = datetime.fromisoformat(request.built)
    build = request.build or f"{moment:%Y%m%dT%H%M%S}"
    values = {
        "title": f"{title}: new builds",
        "library": title,
        "feed": request.absolute("/feed.xml"),
        "home": request.absolute("/"),
        "built": request.built,
        "name": f"Build {build} of {moment.day} {moment:%B %Y}",
        "build": build,
        "told": _holdings(conn),
    }
    text = _FEED.format_map({name: escape(value) for name, value in values.items()})
    return Document(text, "application/atom+xml; charset=utf-8")


def _holdings(conn: sqlite3.Connection) -> str:
    counts: Counter[str] = Counter()
    for kinds in queries.kind_counts(conn).values():
        counts.update(kinds)
    edits: Counter[str] = Counter()
    for _, kind, source, number in queries.edit_counts(conn):
        edits["editor" if source == "editor" else "machine"] += number if kind == "ocr" else 0
    about = domain(conn)
    codes, books, whole = len(queries.codes(conn)), len(queries.books(conn)), edits.total()
    listed = ("law", *about.kinds_of("case", "commentary", "definition", "maxim"))  # the usual ones first
    held = ", ".join(f"{counts[kind]} {kind_name(about, kind, counts[kind])}" for kind in listed if counts[kind])
    return (
        f"{codes} {about.code.of(codes)} from {books} {'book' if books == 1 else 'books'}: {held or 'no provisions'}. "
        f"{whole} misread {'place is' if whole == 1 else 'places are'} corrected, {edits['editor']} by the editor."
    )
