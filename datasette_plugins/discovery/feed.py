"""The feed of builds (Atom, RFC 4287): a reader who follows it is told when the library has changed.

A knowledge base knows only itself, so the feed has one entry. Its id is that of the data: a new build is a new entry.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from datetime import datetime
from xml.sax.saxutils import escape

from datasette_plugins.endpoint import Document, PageRequest
from datasette_plugins.present import kind_name
from kb.read import queries
from kb.read.domain import domain

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
    """The build that is served, with its date and what it holds."""
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
        "told": _told(conn),
    }
    text = _FEED.format_map({name: escape(value) for name, value in values.items()})
    return Document(text, "application/atom+xml; charset=utf-8")


def _told(conn: sqlite3.Connection) -> str:
    counts: Counter[str] = Counter()
    for kinds in queries.kind_counts(conn).values():
        counts.update(kinds)
    edits: Counter[str] = Counter()
    for _, kind, source, number in queries.edit_counts(conn):
        edits["editor" if source == "editor" else "machine"] += number if kind == "ocr" else 0
    about = domain(conn)
    codes, books, whole = len(queries.codes(conn)), len(queries.books(conn)), edits.total()
    asked = ("law", *about.kinds_of("case", "commentary", "definition", "maxim"))  # first of a build
    held = ", ".join(f"{counts[kind]} {kind_name(about, kind, counts[kind])}" for kind in asked if counts[kind])
    return (
        f"{codes} {about.code.of(codes)} from {books} {'book' if books == 1 else 'books'}: {held or 'no provisions'}. "
        f"{whole} misread {'place is' if whole == 1 else 'places are'} mended, {edits['editor']} by the editor’s hand."
    )
