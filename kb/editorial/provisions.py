"""The editor's entries on provisions, their files, and whether the provisions still read as they did when judged.

The text of each provision when it was judged is kept in `read.toml`, once for all entries; `whist judge` writes it.
Only letters and digits are compared: a corrected word in the edition makes entries stale, a corrected comma does not.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import unicodedata
from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from extract.corpus.table import Prose, Table, UnitId
from extract.errors import BookError
from kb.read.rows import fetch

READ = "read.toml"
_SIGNS = re.compile(r"[\W_]+")

BASES = """
select s.file, s.entry, s.unit_id, s.read, u.text from basis s join unit u on u.id = s.unit_id
order by s.file, s.entry, s.seq
"""


def letters(text: str) -> str:
    """Hash the letters and digits of a text: SHA-256 of their compatibility form (NFKD), case-folded; 16 hex digits.

    White space, punctuation, accents, ligatures and case do not count.
    """
    return hashlib.sha256(plain(text).encode()).hexdigest()[:16]


def plain(text: str) -> str:
    """Return only the letters and digits of a text, case-folded, to compare two readings of a provision."""
    return _SIGNS.sub("", unicodedata.normalize("NFKD", text).casefold())


class ProvisionEntry(Table):
    """An entry judged against the text of provisions or paragraphs; `KEY` is the TOML key that names one of them."""

    KEY: ClassVar[str] = "provision"

    @property
    @abstractmethod
    def provisions(self) -> tuple[str, ...]:
        """The ids of the provisions that the entry rests on."""

    @property
    def subject(self) -> Hashable:
        """What the entry judges; no other entry of any file may have the same subject."""
        return type(self), frozenset(self.provisions)


class OneProvision(ProvisionEntry):
    """An entry on a single provision."""

    provision: UnitId

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.provision,)


class EditorFile(Table):
    """One of the editor's files, made of arrays of entries."""

    @property
    def listed(self) -> tuple[tuple[str, ProvisionEntry], ...]:
        """The entries of its arrays, each with a name by which an editor finds it: `link 12`."""
        return tuple(
            (f"{kind} {i}", entry)
            for kind, array in self
            if isinstance(array, tuple)
            for i, entry in enumerate(array, 1)
            if isinstance(entry, ProvisionEntry)
        )

    @property
    def entries(self) -> tuple[tuple[str, ProvisionEntry], ...]:
        """All entries that rest on provisions, each with its name."""
        return self.listed


def require_judged_once(files: Mapping[str, EditorFile]) -> None:
    """Raise a BookError if two entries have the same subject; `files` are given by name."""
    first: dict[Hashable, str] = {}
    for file, said in files.items():
        for name, entry in said.listed:
            if entry.subject in first:
                raise BookError(
                    f"{file}: {name}, key {entry.KEY!r}: {first[entry.subject]} also judges "
                    f"{' and '.join(entry.provisions)}; delete one of them."
                )
            first[entry.subject] = f"{file}, {name}"


def require_units(named: Iterable[tuple[str, str]], ids: Collection[str]) -> None:
    """Raise a BookError if a unit is named that does not exist.

    Args:
        named: places in the editor's files, each with the unit id that it names.
        ids: the ids of all units.
    """
    for place, unit_id in named:
        if unit_id not in ids:
            raise BookError(f"{place}: there is no unit {unit_id!r}; correct the id.")


class Readings(Table):
    """A read.toml: the texts of provisions when the editor last judged them, by id."""

    read: dict[UnitId, Prose] = Field(default_factory=dict)


def written(readings: Mapping[str, str]) -> str:
    """Return the text of read.toml."""
    lines = (f"{_quoted(unit_id)} = {_quoted(' '.join(readings[unit_id].split()))}" for unit_id in sorted(readings))
    head = "# Texts of provisions when the editor last judged them. Written by `whist judge --keep-texts`.\n\n[read]\n"
    return head + "".join(f"{line}\n" for line in lines)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Basis:
    """A provision that an entry rests on, a row of the table `basis`; `read` is empty if no text was kept."""

    file: str
    entry: str
    seq: int
    unit_id: str
    read: str


@dataclass(frozen=True, slots=True)
class Stale:
    """An entry whose provision has another text `now`; `read` is empty if its text when judged was not kept."""

    file: str
    entry: str
    unit_id: str
    read: str
    now: str


def bases(files: Mapping[str, EditorFile], readings: Mapping[str, str]) -> tuple[Basis, ...]:
    """List the provisions that the entries of some files rest on, each with its text when judged.

    Args:
        files: the files, by their names in the table `basis`.
        readings: the texts of provisions when they were judged, by id.
    """
    return tuple(
        Basis(file, name, seq, unit_id, readings.get(unit_id, ""))
        for file, said in files.items()
        for name, entry in said.entries
        for seq, unit_id in enumerate(entry.provisions)
    )


def readings_to_keep(conn: sqlite3.Connection, again: Collection[str] = ()) -> dict[str, str]:
    """Return the texts to write to read.toml: those of all provisions that entries rest on, by id.

    Args:
        conn: the knowledge base.
        again: the provisions of which all entries were judged again: these get their present text. Any other keeps the
            text it had when judged or, if that is unknown, gets its present text.
    """
    found = fetch(conn, lambda _file, _entry, unit_id, read, now: (unit_id, read, now), BASES)
    return {unit_id: now if unit_id in again or not read else read for unit_id, read, now in found}


def stale(conn: sqlite3.Connection) -> Iterator[Stale]:
    """Yield the entries whose provisions' text has changed since the editor judged them."""
    for entry in fetch(conn, Stale, BASES):
        if plain(entry.now) != plain(entry.read):
            yield entry
