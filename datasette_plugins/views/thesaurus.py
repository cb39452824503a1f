"""The thesaurus for programs: one SKOS file of all concepts."""

from __future__ import annotations

import sqlite3

from datasette_plugins.page import Document, PageRequest

MEDIA_TYPES = {"ttl": "text/turtle; charset=utf-8", "jsonld": "application/ld+json"}


def thesaurus(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """All concepts as a SKOS concept scheme, in Turtle or JSON-LD."""
    from kb.concepts.skos import skos, written  # rdflib takes 0.2 s to import, and few visitors ask for it

    form = request.parts["format"]
    graph = skos(conn, request.absolute(""))
    return Document(written(graph, form), MEDIA_TYPES[form], f"concepts.{form}")
