"""Entries of the editor's that name provisions, and whether those still read as they did when he wrote.

An entry keeps a hash of the letters of each provision it rests on, so that a comma mended in the edition does not make
it stale and a word does. What the provisions read then stands once for all entries in `read.toml`, to be shown with
that of today.
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
from typing import Annotated, Any

from pydantic import model_validator

from extract.corpus.table import Fault, Many, Prose, Table, UnitId, matching, read_if_there, require_unique
from extract.errors import BookError
from kb.read.rows import fetch

READ = "read.toml"
_SIGNS = re.compile(r"[\W_]+")

BASES = """
select s.file, s.entry, s.unit_id, s.letters, s.read, u.text from basis s join unit u on u.id = s.unit_id
order by s.file, s.entry, s.seq
"""

Letters = Annotated[str, matching("[0-9a-f]{16}", 16, "is no hash of letters; write what `whist show` prints")]


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
    def rests(self) -> tuple[tuple[str, str], ...]:
        """The ids of the provisions on which the entry rests, each with the hash of its text."""


class HashedEntry(ProvisionEntry):
    """An entry whose `letters` are the hashes of its provisions' texts, in order."""

    letters: Many[Letters]

    @property
    @abstractmethod
    def provisions(self) -> tuple[str, ...]:
        """The ids of the provisions that the entry rests on."""

    @property
    def rests(self) -> tuple[tuple[str, str], ...]:
        return tuple(zip(self.provisions, self.letters, strict=True))

    @model_validator(mode="after")
    def _one_hash_each(self) -> Any:
        if len(self.letters) != len(self.provisions):
            named = ", ".join(self.provisions)
            raise Fault(f"it has {len(self.letters)} hashes; write one for each of {named}, in order", "letters")
        return self


class _ReadText(Table):
    unit: UnitId
    read: Prose


class _ReadTexts(Table):
    text: Many[_ReadText] = ()


def read_texts(path: Path) -> dict[tuple[str, str], str]:
    """Read read.toml: what provisions read when the editor wrote on them, by id and hash.

    Raises:
        BookError: the file cannot be read or is not what it must be.
    """
    kept = read_if_there(
        path, _ReadTexts, lambda t: require_unique(t.text, lambda x: (x.unit, x.read), "text", key="unit")
    )
    return {(text.unit, letters(text.read)): text.read for text in kept.text}


@dataclass(frozen=True, slots=True)
class Basis:
    """A provision that an entry rests on: the row of the table `basis`; `read` is empty where the text was not kept."""

    file: str
    entry: str
    seq: int
    unit_id: str
    letters: str
    read: str


@dataclass(frozen=True, slots=True)
class Stale:
    """An entry whose provision reads otherwise now, or is no more (`now` is empty)."""

    file: str
    entry: str
    unit_id: str
    read: str
    now: str


def bases(
    file: str, entries: Iterable[tuple[str, ProvisionEntry]], texts: Mapping[tuple[str, str], str]
) -> tuple[Basis, ...]:
    """What the entries of a file rest on, each with the text that was read.

    Args:
        file: the file, as the table `basis` names it.
        entries: the entries, each with the name by which an editor finds it: `link 12`.
        texts: what provisions read, by id and hash.
    """
    return tuple(
        Basis(file, name, seq, unit_id, hashed, texts.get((unit_id, hashed), ""))
        for name, entry in entries
        for seq, (unit_id, hashed) in enumerate(entry.rests)
    )


def require_known(rests: Iterable[Basis], ids: Collection[str]) -> None:
    """Raise a BookError where an entry names a provision that does not exist."""
    for basis in rests:
        if basis.unit_id not in ids:
            raise BookError(f"{basis.file}: {basis.entry}: there is no unit {basis.unit_id!r}; correct the id.")


def kept_texts(conn: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """What the provisions read on which entries rest, by id and hash: as kept, or as now where nothing has changed."""
    found: dict[tuple[str, str], str] = {}
    for _, _, unit_id, hashed, read, now in fetch(conn, lambda *row: row, BASES):
        if text := read or (now if letters(now) == hashed else ""):
            found[unit_id, hashed] = text
    return found


def stale(conn: sqlite3.Connection) -> Iterator[Stale]:
    """The entries whose provisions read otherwise in a knowledge base than when the editor wrote."""
    for file, entry, unit_id, hashed, read, now in fetch(conn, lambda *row: row, BASES):
        if letters(now) != hashed:
            yield Stale(file, entry, unit_id, read, now)
