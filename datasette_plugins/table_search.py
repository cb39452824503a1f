"""The search of Datasette's pages of the tables whose words stand in the full-text index under their ids."""

from __future__ import annotations

from typing import Any

from datasette.filters import FilterArguments
from datasette.utils.asgi import BadRequest, Request

from kb.tables.schema import WITH_WORDS

INDEXED = ("unit", "provision")
# Datasette searches these by itself.
_ITS_OWN = ("entry", "entry_fts")


def filtered(request: Request, table: str) -> FilterArguments | None:
    """The rows of a table with the words of `_search`, which Datasette ignores where it knows of no index.

    Args:
        request: the request for the table.
        table: its name.

    Returns:
        what Datasette adds to the query of the table; None if it searches the table by itself, or there is no search.

    Raises:
        BadRequest: the table cannot be searched like that: all its rows would be no answer.
    """
    asked = [name for name in request.args if name.startswith("_search") and name != "_searchmode"]
    if table in _ITS_OWN or (not asked and table not in INDEXED):
        return None
    if table not in INDEXED or any(name != "_search" for name in asked):
        raise BadRequest(f"The table {table} cannot be searched like that; _search finds words in {', '.join(INDEXED)}")
    words = (request.args.get("_search") or "").strip()
    box: dict[str, Any] = {"supports_search": True, "search": words}
    if not words:
        return FilterArguments([], {}, [], box)
    return FilterArguments([WITH_WORDS], {"words": words}, [f'search matches "{words}"'], box)
