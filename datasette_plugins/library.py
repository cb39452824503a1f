"""Which databases of a Datasette are knowledge bases, which one its pages show, and what they depend on."""

from __future__ import annotations

import hashlib
import importlib.resources
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, wraps
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

from datasette.app import Datasette
from datasette.database import Database
from datasette.plugins import get_plugins
from datasette.utils import tilde_encode
from datasette.utils.asgi import NotFound

from extract.corpus.domain import Domain
from kb.read.domain import domain

Value = TypeVar("Value")
# A database that has these tables is a knowledge base.
TABLES = frozenset({"unit", "entry_fts", "scan", "library"})


def cached_on_it(make: Callable[[Any], Value]) -> Callable[[Any], Value]:
    """Cache what a function returns for a Datasette or Database, unless it is None, as an attribute of that object."""
    name = f"whist_{make.__name__}"

    @wraps(make)
    def cached(owner: Any) -> Value:
        found: Value | None = getattr(owner, name, None)
        if found is None:
            found = make(owner)
            setattr(owner, name, found)
        return found

    return cached


@dataclass(frozen=True, slots=True)
class Library:
    """A knowledge base, as it was when its Datasette started.

    Attributes:
        db: its database.
        domain: its subject, and its words for things.
        hash: the hash of its file; empty if the file is mutable.
        built: when the build was written, as a date and time of RFC 3339: the modification time of its file (a build
            contains no date, so that two builds of the same corpus are identical files).
    """

    db: Database
    domain: Domain
    hash: str
    built: str

    @property
    def build(self) -> str:
        """The name of the build: the first eight digits of its hash; empty if the file is mutable."""
        return self.hash[:8]


@cached_on_it
def is_knowledge_base(db: Database) -> bool:
    """Whether a database of a Datasette is a knowledge base."""
    try:
        with closing(db.connect()) as conn:
            return {name for (name,) in conn.execute("select name from sqlite_master")} >= TABLES
    except sqlite3.Error:
        return False


def is_named(datasette: Datasette, name: str | None) -> bool:
    """Whether a name is that of a knowledge base among the databases of a Datasette."""
    return name in datasette.databases and is_knowledge_base(datasette.databases[name])


@cached_on_it
def find(datasette: Datasette) -> Library | None:
    """The knowledge base that the pages show: the first among the databases of a Datasette, if there is one."""
    db = next(filter(is_knowledge_base, datasette.databases.values()), None)
    if db is None:
        return None
    with closing(db.connect()) as conn:
        return Library(db, domain(conn), db.hash or "", dated(Path(db.path)) if db.path else "")


def of(datasette: Datasette) -> Library:
    """The knowledge base that the pages show.

    Raises:
        NotFound: there is none.
    """
    found = find(datasette)
    if found is None:
        raise NotFound("There is no knowledge base to read from")
    return found


def dated(file: Path) -> str:
    """The modification time of a file in UTC, to the second."""
    return f"{datetime.fromtimestamp(file.stat().st_mtime, UTC):%Y-%m-%dT%H:%M:%SZ}"


@cached_on_it
def configured(datasette: Datasette) -> dict[str, Any]:
    """The configuration of the plugin; it is read several times for every page, and Datasette merges it anew each time.

    Its keys: `url`, the public URL; `public`, whether anybody may ask (see `datasette_plugins.public`).
    """
    return dict(datasette.plugin_config("whist") or {})


def served(conn: sqlite3.Connection) -> str:
    """The name of a connection's database in URLs: the stem of its file name, tilde-encoded."""
    return str(tilde_encode(Path(conn.execute("pragma database_list").fetchone()[2]).stem))


@cache
def software() -> str:
    """A short hash of all files of the packages that make a page: code, templates, static files and data."""
    whole = hashlib.sha256()
    for name in ("datasette_plugins", "extract", "kb"):
        for path in sorted(Path(str(importlib.resources.files(name))).rglob("*.*")):
            if path.is_file() and path.parent.name != "__pycache__":
                whole.update(b"%s\0%d\0" % (path.name.encode(), path.stat().st_size) + path.read_bytes())
    return whole.hexdigest()[:12]


@cache
def static_folder() -> str:
    """The path (without base_url) of our static files; it depends on how the plugin was loaded."""
    ours = str(importlib.resources.files("datasette_plugins") / "static")
    plugins: list[dict[str, Any]] = get_plugins()
    name = next((p["name"] for p in plugins if p["static_path"] == ours), "datasette_plugins")
    return f"/-/static-plugins/{name}"


@cache
def release() -> str:
    """The version of the installed package, or `checkout` if it is not installed."""
    try:
        return version("whist-law-library")
    except PackageNotFoundError:
        return "checkout"
