"""The shipped library, open, and its index of disputes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.dispute.index import Index, load_index
from kb.read.store import open_store


@pytest.fixture(scope="module")
def conn(library: Path) -> Iterator[sqlite3.Connection]:
    with open_store(library) as found:
        yield found


@pytest.fixture(scope="module")
def index(library: Path) -> Index:
    """It needs no connection any more."""
    with open_store(library) as found:
        index = load_index(found)
    with pytest.raises(sqlite3.ProgrammingError):
        found.execute("select 1")
    return index
