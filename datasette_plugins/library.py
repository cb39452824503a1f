"""Which database of a Datasette is the knowledge base, and what its pages depend on."""

from __future__ import annotations

import hashlib
import importlib.resources
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from datasette.app import Datasette
from datasette.database import Database
from datasette.plugins import get_plugins

_LIBRARIES: WeakKeyDictionary[Datasette, Library] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Library:
    """The knowledge base a Datasette serves; `seed` changes with its data and with the software, null if mutable."""

    db: Database
    seed: str | None


async def find(datasette: Datasette) -> Library | None:
    """The knowledge base among the databases of a Datasette, if there is one."""
    if datasette not in _LIBRARIES:
        for db in datasette.databases.values():
            if await db.table_exists("entry_fts") and await db.table_exists("unit"):
                seed = f"{db.hash}-{software()}" if db.hash else None
                _LIBRARIES[datasette] = Library(db, seed)
                break
    return _LIBRARIES.get(datasette)


def known(datasette: Datasette) -> Library | None:
    """The knowledge base, if it was looked for already."""
    return _LIBRARIES.get(datasette)


@cache
def software() -> str:
    """A short hash of all code, templates and styles that make a page."""
    digest = hashlib.sha256()
    for package in ("datasette_plugins", "kb"):
        root = Path(str(importlib.resources.files(package)))
        for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".html", ".css", ".js", ".woff2")):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def static_name() -> str:
    """The name under which Datasette serves the plugin's static files: it depends on how the plugin was loaded."""
    ours = str(importlib.resources.files("datasette_plugins") / "static")
    plugins: list[dict[str, Any]] = get_plugins()
    return next((str(p["name"]) for p in plugins if p["static_path"] == ours), "datasette_plugins")


@cache
def release() -> str:
    """The release of the installed package, or the word `checkout`."""
    try:
        return version("whist-law-library")
    except PackageNotFoundError:
        return "checkout"
