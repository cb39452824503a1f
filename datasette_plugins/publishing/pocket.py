"""The search index of a static copy: an inverted index as a script, which a page can load even from a disk.

It is a script and not JSON, as in Sphinx, because a browser does not fetch data from a disk.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from itertools import pairwise
from typing import Any

from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.present import gist, kind_name
from extract.language.folding import STOP_WORDS
from kb.read import queries
from kb.read.domain import domain
from kb.search.inverted import IndexedDocument, documents, invert

# Characters of a text that are shown with its title in the list of results.
GIST = 120


def index_script(conn: sqlite3.Connection) -> str:
    """The index as a script that assigns it to `whistIndex`.

    Its keys: `units` has for each unit its path, title, work, kind, first words and number of words; `terms` has for
    each word its forms and three postings lists, delta-encoded: the units with the word in their title, heading or
    gloss, those with it in their text, and those with it only in the name of a concept they speak of; `stop` has the
    stop words; `first` is the kind that ranks before others.
    """
    catalogue, about = works(conn), domain(conn)
    indexed = documents(conn)
    units = queries.units(conn, (d.id for d in indexed))
    parents = parents_of(conn, units.values())
    rows: list[list[str | int]] = []
    known: list[IndexedDocument] = []
    for document in indexed:
        unit = units[document.id]
        title, work = catalogue.title(unit, parents.get(unit.parent_id or "")), catalogue.name(unit)
        rows.append([unit.id, title, work, kind_name(about, unit.kind), gist(unit.body, GIST), len(unit.body.split())])
        year = catalogue.year(unit)
        known.append(replace(document, known_by=f"{document.known_by} {title} {work} {year}"))
    terms = [[" ".join(t.forms), _steps(t.known_by), _steps(t.within), _steps(t.named)] for t in invert(known)]
    index: dict[str, Any] = {"units": rows, "terms": terms, "stop": " ".join(sorted(STOP_WORDS))}
    index["first"] = about.provision.singular
    # Without `<`, no text of a book can end the script element if somebody inlines the script in a page.
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"globalThis.whistIndex={text};\n"


def _steps(places: tuple[int, ...]) -> str:
    return " ".join(str(b - a) for a, b in pairwise((0, *places)))
