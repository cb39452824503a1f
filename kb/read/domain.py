"""The description of the library: its library.toml, and which of its sections have content."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from extract.corpus.domain import Domain
from kb.read.build_cache import cached_per_build
from kb.read.rows import Statement, as_tuple

TOLD = "select key, value from library"
HELD = {
    "topics": "select 1 from topic",
    "answers": "select 1 from question",
    "concepts": "select 1 from concept",
    "cases": "select 1 from unit where role = 'case'",
    "concordance": "select 1 from link where status = 'confirmed' union all select 1 from closed",
    "codes": "select 1 from code",
    "compare": "select 1 from unit where code_id is not null limit 1 offset 1",
}


@cached_per_build
def domain(conn: sqlite3.Connection) -> Domain:
    """Return the library.toml of the library."""
    return Domain.model_validate({key: json.loads(value) for key, value in Statement(as_tuple, TOLD)(conn)})


@cached_per_build
def rooms(conn: sqlite3.Connection) -> frozenset[str]:
    """Return the sections that have content (`concepts`, `topics`, `cases` ...)."""
    held = {room for room, sql in HELD.items() if Statement(bool, f"select exists ({sql})").first(conn)}
    return frozenset(held | ({"collate", "cite"} if "codes" in held else set()))


def rows(told: Domain) -> Iterable[dict[str, str]]:
    """Yield a domain as rows of the table `library`."""
    for key, value in told.model_dump(mode="json", exclude={"outcomes", "lexicon"}).items():
        yield {"key": key, "value": json.dumps(value, ensure_ascii=False)}
