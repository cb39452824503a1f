"""Which databases of a Datasette are knowledge bases, which one its pages show, and what they depend on."""

from __future__ import annotations

import hashlib
import importlib.resources
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from datasette.app import Datasette
from datasette.database import Database
from datasette.plugins import get_plugins
from datasette.utils import tilde_encode

from extract.corpus.domain import Domain
from kb.read.domain import domain, rooms

# Attributes that cache on a Datasette its knowledge base and its plugin configuration, so that they are dropped with it
# when a new build comes, and on a Database whether it is a knowledge base. The configuration is read several times for
# every page, and Datasette merges all its sources each time.
_FOUND = "whist_library"
_CONFIGURED = "whist_configured"
_HOLDS = "whist_holds"
# A database that has these tables is a knowledge base.
TABLES = frozenset({"unit", "entry_fts", "scan", "library"})


@dataclass(frozen=True, slots=True)
class Library:
    """The knowledge base a Datasette serves; `seed` changes with its data and with the software, None if mutable.

    `domain` describes its subject, `rooms` are the sections of the site for which it has content.
    """

    db: Database
    seed: str | None
    domain: Domain = field(default_factory=Domain)
    rooms: frozenset[str] = frozenset()


def holds(db: Database | None) -> bool:
    """Whether a database of a Datasette is a knowledge base; the result is cached on it."""
    found: bool | None = getattr(db, _HOLDS, None)
    if found is None and db is not None:
        try:
            with closing(db.connect()) as conn:
                found = {name for (name,) in conn.execute("select name from sqlite_master")} >= TABLES
        except sqlite3.Error:
            found = False
        setattr(db, _HOLDS, found)
    return bool(found)


async def find(datasette: Datasette) -> Library | None:
    """Find the knowledge base that the pages show: the first among the databases of a Datasette, if there is one."""
    if known(datasette) is None and (db := next(filter(holds, datasette.databases.values()), None)):
        seed = f"{db.hash}-{software()}" if db.hash else None
        about, sections = await db.execute_fn(lambda conn: (domain(conn), rooms(conn)))
        setattr(datasette, _FOUND, Library(db, seed, about, sections))
    return known(datasette)


def known(datasette: Datasette) -> Library | None:
    """The knowledge base, if `find` has already found it."""
    found: Library | None = getattr(datasette, _FOUND, None)
    return found


def built(datasette: Datasette) -> str:
    """When the served build was written, as a date and time of RFC 3339: the modification time of its file.

    A build contains no date, so that two builds of the same corpus are identical files. If the file is a copy, the
    plugin configuration `built` gives the date of the original.
    """
    given = configured(datasette).get("built")
    if given:
        return str(given)
    knowledge = known(datasette)
    return dated(Path(knowledge.db.path)) if knowledge and knowledge.db.path else ""


def dated(file: Path) -> str:
    """The modification time of a file in UTC, to the second."""
    return f"{datetime.fromtimestamp(file.stat().st_mtime, UTC):%Y-%m-%dT%H:%M:%SZ}"


def configured(datasette: Datasette) -> dict[str, Any]:
    """The configuration of the plugin.

    Its keys: `url`, the public URL; `built`, the date of the build; `copied`, for a static copy; `edit`, for the
    editor's own server.
    """
    config: dict[str, Any] | None = getattr(datasette, _CONFIGURED, None)
    if config is None:
        config = dict(datasette.plugin_config("whist") or {})
        setattr(datasette, _CONFIGURED, config)
    return config


def edited(datasette: Datasette) -> bool:
    """Whether the server is the editor's own, which has the editor's pages."""
    return bool(configured(datasette).get("edit"))


def build(datasette: Datasette) -> str:
    """The name of the served build: the first eight digits of its hash; empty if the file is mutable."""
    knowledge = known(datasette)
    return (knowledge.db.hash or "")[:8] if knowledge else ""


def served(conn: sqlite3.Connection) -> str:
    """The name of a connection's database in URLs: the stem of its file name, tilde-encoded."""
    return str(tilde_encode(Path(conn.execute("pragma database_list").fetchone()[2]).stem))


@cache
def software() -> str:
    """A short hash of the code, templates and most static files of the packages that make a page."""
    digest = hashlib.sha256()
    for package in ("datasette_plugins", "kb"):
        root = Path(str(importlib.resources.files(package)))
        for path in sorted(
            p for p in root.rglob("*") if p.suffix in (".py", ".html", ".css", ".js", ".png", ".woff2", ".csl")
        ):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def static_name() -> str:
    """The plugin name under which Datasette serves our static files; it depends on how the plugin was loaded."""
    ours = str(importlib.resources.files("datasette_plugins") / "static")
    plugins: list[dict[str, Any]] = get_plugins()
    return next((str(p["name"]) for p in plugins if p["static_path"] == ours), "datasette_plugins")


@cache
def _static_files() -> frozenset[str]:
    plugins: list[dict[str, Any]] = get_plugins()
    roots = {f"/-/static-plugins/{p['name']}": Path(str(p["static_path"])) for p in plugins if p["static_path"]}
    roots["/-/static"] = Path(str(importlib.resources.files("datasette") / "static"))
    files = {
        f"{at}/{f.relative_to(root).as_posix()}" for at, root in roots.items() for f in root.rglob("*") if f.is_file()
    }
    return frozenset(files | {"/favicon.ico"})


def is_static(path: str) -> bool:
    """Whether a path (without base_url) is a static file of Datasette or of a plugin."""
    return path in _static_files()


@cache
def release() -> str:
    """The version of the installed package, or `checkout` if it is not installed."""
    try:
        return version("whist-law-library")
    except PackageNotFoundError:
        return "checkout"
