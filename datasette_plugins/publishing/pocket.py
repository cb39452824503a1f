"""The search of a static copy: an inverted index as a script, which a page can load even from a disk.

That the index is a script and no JSON is the manner of Sphinx: a browser does not fetch data from a disk.
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

# How much of a text stands beside its name in the list of what was found.
GIST = 120


def index_script(conn: sqlite3.Connection) -> str:
    """The index as a script that names it `whistIndex`.

    Its keys: `units`, for each unit its path, title, work, kind, first words and number of words; `terms`, for each
    word its forms, the units that are known by it, those that have it in their text and those in which it is only a
    name of what they speak of, each place as the distance from the one before; `stop`, words that are not looked for;
    `first`, the kind that is wanted before others.
    """
    catalogue, about = works(conn), domain(conn)
    these = documents(conn)
    units = queries.units(conn, (d.id for d in these))
    parents = parents_of(conn, units.values())
    told: list[list[str | int]] = []
    known: list[IndexedDocument] = []
    for document in these:
        unit = units[document.id]
        title, work = catalogue.title(unit, parents.get(unit.parent_id or "")), catalogue.name(unit)
        told.append([unit.id, title, work, kind_name(about, unit.kind), gist(unit.body, GIST), len(unit.body.split())])
        year = catalogue.year(unit)
        known.append(replace(document, known_by=f"{document.known_by} {title} {work} {year}"))
    terms = [[" ".join(t.forms), _steps(t.known_by), _steps(t.within), _steps(t.named)] for t in invert(known)]
    index: dict[str, Any] = {"units": told, "terms": terms, "stop": " ".join(sorted(STOP_WORDS))}
    index["first"] = about.provision.singular
    # What stands between < and > in a text of a book must not end the script if somebody sets it into a page.
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"globalThis.whistIndex={text};\n"


def _steps(places: tuple[int, ...]) -> str:
    return " ".join(str(b - a) for a, b in pairwise((0, *places)))
