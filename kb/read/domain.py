"""The description of the library: its library.toml."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from extract.corpus.domain import Domain
from kb.read.build_cache import cached_per_build
from kb.read.rows import Statement, as_tuple

TOLD = "select key, value from library"


@cached_per_build
def domain(conn: sqlite3.Connection) -> Domain:
    """Return the library.toml of the library."""
    return Domain.model_validate({key: json.loads(value) for key, value in Statement(as_tuple, TOLD)(conn)})


def rows(told: Domain) -> Iterable[dict[str, str]]:
    """Yield a domain as rows of the table `library`."""
    for key, value in told.model_dump(mode="json", exclude={"lexicon"}).items():
        yield {"key": key, "value": json.dumps(value, ensure_ascii=False)}
