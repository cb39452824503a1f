"""A Datasette set up for the library: read-only, without arbitrary SQL, on one file."""

from __future__ import annotations

import importlib.resources
import re
import secrets
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from datasette.app import Datasette
from datasette.plugins import pm

from datasette_plugins.answering import headers
from datasette_plugins.serving import gate
from datasette_plugins.serving.tables import InternalDatabase, ThrottledDatabase
from extract.corpus.table import WORK_ID
from extract.errors import DatabaseError
from kb.read.domain import domain
from kb.read.store import open_store
from kb.tables.metadata import metadata
from kb.tables.schema import TABLES

# The library is open to anybody, so none of Datasette's own pages may cost more than a moment: queries and facets have
# time limits, and no response contains a whole table (the file itself can be downloaded).
SETTINGS = {
    "allow_download": True,
    "allow_csv_stream": False,
    "suggest_facets": False,
    "sql_time_limit_ms": 1000,
    "facet_time_limit_ms": 100,
    "max_returned_rows": 500,
    "default_page_size": 50,
    "truncate_cells_html": 400,
    "default_cache_ttl": 300,
    # One thread is left for the reading pages when a table page uses the other. More threads would only contend for the
    # global interpreter lock: a fifth fewer pages a second.
    "num_sql_threads": 2,
}
# Our templates for Datasette's own pages; only this server uses them.
TEMPLATES = Path(str(importlib.resources.files("datasette_plugins") / "templates" / "whist" / "back_room"))
# Names that a database cannot have, since the site's own URLs would hide its pages.
RESERVED = re.compile(
    r"code|book|search|dispute|ruling|compare|collate|concept|concepts|about|data|schemas|openapi|index"
    r"|robots|sitemap|favicon|[-_].*|" + WORK_ID
)

# Names that a database can have: Datasette can open the file and has a URL for it.
NAME = re.compile(r"[\w. +-]+")


class Served(Datasette):  # type: ignore[misc]  # Datasette is not typed
    """A Datasette that serves nothing but a knowledge base, with our gate and headers around all its responses."""

    def app(self) -> headers.App:
        """The ASGI application, behind the gate and with the security headers."""
        return headers.wrap(gate.wrap(self, super().app()))


def instance(
    database: Path | str,
    url: str | None = None,
    **settings: Any,
) -> Datasette:
    """Make the Datasette that serves a knowledge base.

    Args:
        database: the file `whist build` has written.
        url: the public URL of the front page; without it, URLs in pages name the listening socket.
        settings: Datasette settings that override those of the library, such as `base_url`.
    Raises:
        DatabaseError: the file is missing, is not a knowledge base, or has a name the site uses itself.
    """
    path = Path(database)
    if RESERVED.fullmatch(path.stem) or not NAME.fullmatch(path.stem):
        raise DatabaseError(f"A file called {path.name} hides pages or has no address; rename it, say to whist.db.")
    with open_store(path) as conn:
        empty = [t.name for t in TABLES if not conn.execute(f"select exists (select 1 from [{t.name}])").fetchone()[0]]
        about = domain(conn)
    ours = sys.modules["datasette_plugins"]
    if ours not in pm.get_plugins():
        pm.register(ours, "whist")
    plugin = {"url": url}
    under = {"base_url": urlsplit(url).path.rstrip("/") + "/"} if url else {}
    datasette = Served(
        files=[],
        immutables=[str(path)],
        template_dir=str(TEMPLATES),
        metadata=metadata(path.stem, empty, about) | {"plugins": {"whist": plugin}},
        settings=SETTINGS | under | settings,
    )
    for replaced in ("_internal", path.stem):
        datasette.remove_database(replaced)
    datasette.add_database(InternalDatabase(datasette, memory_name=secrets.token_hex()), name="_internal")
    datasette.add_database(ThrottledDatabase(datasette, str(path), is_mutable=False), name=path.stem)
    return datasette
