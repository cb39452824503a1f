"""The cells of Datasette's own table pages: what names a unit, book, code, concept or topic links to its page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from datasette.app import Datasette
from markupsafe import Markup

from datasette_plugins import library
from extract.corpus.table import WORK_ID
from kb.tables.metadata import SHOWN
from kb.tables.schema import TABLES

# The path of a row's page, by its table, with the id of the row as {}.
_PAGES = {
    "unit": "/{}", "provision": "/{}", "book": "/book/{}", "code": "/code/{}", "concept": "/concept/{}",
    "topic": "/compare/{}", "question": "/compare/{}",
}  # fmt: skip
_REFERS = {(t.name, c.name): c.refers.partition(".")[0] for t in TABLES for c in t.columns if c.refers}
# In views and saved queries a column with the name of a foreign key is taken for one.
_KEYS = {"book_id": "book", "code_id": "code", "concept_id": "concept", "topic_id": "topic", "question_id": "question"}
_UNIT = re.compile(rf"{WORK_ID}/[^\s.\"]+")


def render_cell(
    row: Mapping[str, Any], value: Any, column: str, table: str | None, database: str, datasette: Datasette
) -> Markup | None:
    """Render a cell as a link to the page of what it names; None if it names nothing.

    Args:
        row: the row of the cell.
        value: its value; for an expanded foreign key a dict of value and label.
        column: its column.
        table: its table or view; None in the result of a query.
        database: the name of the database.
        datasette: the Datasette that shows it.
    """
    knowledge = library.find(datasette)
    if knowledge is None or knowledge.db.name != database or value in (None, ""):
        return None
    key, label = (value["value"], value["label"]) if isinstance(value, dict) else (value, value)
    if table in _PAGES and column == SHOWN.get(table, SHOWN["unit"]).label and "id" in row.keys():  # noqa: SIM118
        return _link(datasette, table, row["id"], label)
    if not isinstance(key, str):
        return None
    refers = _REFERS.get((table or "", column)) or _KEYS.get(column)
    if refers in _PAGES:
        return _link(datasette, refers, key, label)
    if _UNIT.fullmatch(key):
        return _link(datasette, "unit", key, key)
    if column in ("cites", "citations") and key.startswith("["):
        return Markup(", ").join(_link(datasette, "unit", unit, unit) for unit in json.loads(key))
    return None


def _link(datasette: Datasette, table: str, key: str, label: str) -> Markup:
    href = datasette.urls.path(_PAGES[table].format(key))
    named = Markup('<a href="{}">{}</a>').format(href, label)
    return named if label == key else Markup("{}&nbsp;<em>{}</em>").format(named, key)
