"""Entries of the editor's that name provisions, and whether those still read as they did when he judged them.

What each provision read then stands once for all entries in `read.toml`, which `whist judge` writes. Only letters and
figures are compared, so that a comma mended in the edition makes no entry stale and a word does.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import unicodedata
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from extract.corpus.table import Prose, Table, UnitId, read_if_there
from extract.errors import BookError
from kb.read.rows import fetch

READ = "read.toml"
_SIGNS = re.compile(r"[\W_]+")

BASES = """
select s.file, s.entry, s.unit_id, s.read, u.text from basis s join unit u on u.id = s.unit_id
order by s.file, s.entry, s.seq
"""


def letters(text: str) -> str:
    """The hash of a text's letters and figures: SHA-256 of their compatibility form (NFKD), case folded, 16 hex digits.

    White space, punctuation, accents, ligatures and capitals do not count.
    """
    return hashlib.sha256(plain(text).encode()).hexdigest()[:16]


def plain(text: str) -> str:
    """The letters and figures of a text alone, by which two readings of one provision are the same."""
    return _SIGNS.sub("", unicodedata.normalize("NFKD", text).casefold())


class ProvisionEntry(Table):
    """An entry that names provisions, paragraphs among them."""

    @property
    @abstractmethod
    def provisions(self) -> tuple[str, ...]:
        """The ids of the provisions that the entry rests on."""


class _Readings(Table):
    read: dict[UnitId, Prose] = Field(default_factory=dict)


def read_readings(path: Path) -> dict[str, str]:
    """Read read.toml: what provisions read when the editor last judged them, by id.

    Raises:
        BookError: the file cannot be read or is not what it must be.
    """
    return read_if_there(path, _Readings).read


def written(readings: Mapping[str, str]) -> str:
    """The text of read.toml."""
    lines = (f"{_quoted(unit_id)} = {_quoted(' '.join(readings[unit_id].split()))}" for unit_id in sorted(readings))
    head = "# What provisions read when the editor last judged them. Written by `whist judge --keep-texts`.\n\n[read]\n"
    return head + "".join(f"{line}\n" for line in lines)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(frozen=True, slots=True)
class Basis:
    """A provision that an entry rests on: the row of the table `basis`; `read` is empty where no text was kept."""

    file: str
    entry: str
    seq: int
    unit_id: str
    read: str


@dataclass(frozen=True, slots=True)
class Stale:
    """An entry whose provision reads otherwise now; `read` is empty where nothing tells what it read when judged."""

    file: str
    entry: str
    unit_id: str
    read: str
    now: str


def bases(file: str, entries: Iterable[tuple[str, ProvisionEntry]], readings: Mapping[str, str]) -> tuple[Basis, ...]:
    """What the entries of a file rest on, each with the text that was read.

    Args:
        file: the file, as the table `basis` names it.
        entries: the entries, each with the name by which an editor finds it: `link 12`.
        readings: what provisions read when they were judged, by id.
    """
    return tuple(
        Basis(file, name, seq, unit_id, readings.get(unit_id, ""))
        for name, entry in entries
        for seq, unit_id in enumerate(entry.provisions)
    )


def require_known(rests: Iterable[Basis], ids: Collection[str]) -> None:
    """Raise a BookError where an entry names a provision that does not exist."""
    for basis in rests:
        if basis.unit_id not in ids:
            raise BookError(f"{basis.file}: {basis.entry}: there is no unit {basis.unit_id!r}; correct the id.")


def readings_to_keep(conn: sqlite3.Connection, again: Collection[str] = ()) -> dict[str, str]:
    """What read.toml is to have of a knowledge base: the text of each provision that entries rest on, by id.

    Args:
        conn: the knowledge base.
        again: the provisions of which all entries were judged again: for them it is the text of today. Any other keeps
            the text that was read, and has that of today only if none is known.
    """
    found = fetch(conn, lambda _file, _entry, unit_id, read, now: (unit_id, read, now), BASES)
    return {unit_id: now if unit_id in again or not read else read for unit_id, read, now in found}


def stale(conn: sqlite3.Connection) -> Iterator[Stale]:
    """The entries whose provisions read otherwise in a knowledge base than when the editor judged them."""
    for entry in fetch(conn, Stale, BASES):
        if plain(entry.now) != plain(entry.read):
            yield entry
