"""A Datasette set up for the library: read-only, without arbitrary SQL, on one file."""

from __future__ import annotations

import re
import sqlite3
import sys
from pathlib import Path
from typing import Any

import uvicorn
from datasette.app import Datasette
from datasette.plugins import pm

from extract.errors import DatabaseError
from kb import schema

SETTINGS = {
    "suggest_facets": False,
    "default_allow_sql": False,
    "allow_download": True,
    "num_sql_threads": 3,
    "default_page_size": 50,
    "default_cache_ttl": 300,
    "truncate_cells_html": 400,
}
# A database of such a name would hide behind the site's own addresses.
RESERVED = re.compile(r"code|book|search|compare|concept|concepts|about|index|[a-z]+-\d{4}")


def instance(database: Path | str, **settings: Any) -> Datasette:
    """Make the Datasette that serves a knowledge base.

    Args:
        database: the file `whist build` has written.
        settings: Datasette settings that win over those of the library, such as `base_url`.
    Raises:
        DatabaseError: the file is missing, is not a knowledge base, or has a name the site uses itself.
    """
    path = Path(database)
    check(path)
    plugin = sys.modules["datasette_plugins"]
    if plugin not in pm.get_plugins():
        pm.register(plugin, "whist")
    return Datasette(
        files=[],
        immutables=[str(path)],
        metadata=schema.metadata(path.stem),
        settings=SETTINGS | settings,
    )


def check(path: Path) -> None:
    """See that a file can be served.

    Raises:
        DatabaseError: it is missing, is not a knowledge base, or has a name the site uses itself.
    """
    if not path.is_file():
        raise DatabaseError(f"There is no {path}; make it with: whist build --db {path}")
    if RESERVED.fullmatch(path.stem):
        raise DatabaseError(f"A file called {path.name} would hide pages of the site; rename it, say to whist.db.")
    try:
        conn = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            names = {name for (name,) in conn.execute("select name from sqlite_master")}
        finally:
            conn.close()
    except sqlite3.DatabaseError as error:
        raise DatabaseError(f"{path} is not a database; make it with: whist build --db {path}") from error
    if not {"unit", "entry_fts", "scan"} <= names:
        raise DatabaseError(f"{path} was not written by whist build; make it with: whist build --db {path}")


def serve(database: Path | str, host: str = "127.0.0.1", port: int = 8001, **settings: Any) -> None:
    """Serve a knowledge base until interrupted."""
    datasette = instance(database, **settings)
    uvicorn.run(datasette.app(), host=host, port=port, log_level="warning", server_header=False)
