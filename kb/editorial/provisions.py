"""Entries of the editor's that name provisions, and whether those still read as they did when he wrote.

An entry keeps a hash of the letters of each provision it rests on, so that a comma mended in the edition does not make
it stale and a word does. The text that was read may be kept beside the entries, to be shown with that of today.
"""

from __future__ import annotations

import hashlib
import sqlite3
import unicodedata
from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import model_validator

from extract.corpus.table import Fault, Many, Prose, Table, UnitId, matching
from extract.errors import BookError
from kb.read.rows import fetch

BASES = """
select s.file, s.entry, s.unit_id, s.letters, s.read, u.text from basis s join unit u on u.id = s.unit_id
order by s.file, s.entry, s.seq
"""

Letters = Annotated[str, matching("[0-9a-f]{16}", 16, "is no hash of letters; write what `whist show` prints")]


def letters(text: str) -> str:
    """The hash of a text's letters and figures: SHA-256 of their compatibility form (NFKD), case folded, 16 hex digits.

    White space, punctuation, accents, ligatures and capitals do not count.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


class ProvisionEntry(Table):
    """An entry that names provisions, paragraphs among them; `letters` are the hashes of their texts, in order."""

    letters: Many[Letters]

    @property
    @abstractmethod
    def provisions(self) -> tuple[str, ...]:
        """The ids of the provisions that the entry rests on."""

    @model_validator(mode="after")
    def _one_hash_each(self) -> Any:
        if len(self.letters) != len(self.provisions):
            named = ", ".join(self.provisions)
            raise Fault(f"it has {len(self.letters)} hashes; write one for each of {named}, in order", "letters")
        return self


class ReadText(Table):
    """A provision as it read when entries were written on it."""

    unit: UnitId
    read: Prose


class ProvisionFile(Table):
    """A file of such entries; `text` has what their provisions read, for the list of what is stale."""

    text: Many[ReadText] = ()


@dataclass(frozen=True, slots=True)
class Basis:
    """A provision that an entry rests on: the row of the table `basis`; `read` is empty where the text was not kept."""

    file: str
    entry: int
    seq: int
    unit_id: str
    letters: str
    read: str


@dataclass(frozen=True, slots=True)
class Stale:
    """An entry whose provision reads otherwise now."""

    file: str
    entry: int
    unit_id: str
    read: str
    now: str


def bases(file: str, entries: Sequence[ProvisionEntry], texts: Sequence[ReadText]) -> tuple[Basis, ...]:
    """What the entries of a file rest on, each with the text that was read."""
    kept = {(text.unit, letters(text.read)): text.read for text in texts}
    return tuple(
        Basis(file, number, seq, unit_id, hashed, kept.get((unit_id, hashed), ""))
        for number, entry in enumerate(entries, 1)
        for seq, (unit_id, hashed) in enumerate(zip(entry.provisions, entry.letters, strict=True))
    )


def require_used(entries: Sequence[ProvisionEntry], texts: Sequence[ReadText]) -> None:
    """Raise a Fault where a text is kept on which no entry was written."""
    used = {pair for entry in entries for pair in zip(entry.provisions, entry.letters, strict=True)}
    for i, text in enumerate(texts):
        if (text.unit, letters(text.read)) not in used:
            raise Fault("no entry was written on this text; correct it, or take it out", "text", i, "read")


def require_known(rests: Sequence[Basis], ids: Collection[str], table: str) -> None:
    """Raise a BookError where an entry of a table names a provision that does not exist."""
    for basis in rests:
        if basis.unit_id not in ids:
            raise BookError(
                f"{basis.file}: [[{table}]] {basis.entry}: there is no unit {basis.unit_id!r}; correct the id."
            )


def stale(conn: sqlite3.Connection) -> Iterator[Stale]:
    """The entries whose provisions read otherwise in a knowledge base than when the editor wrote."""
    for file, entry, unit_id, hashed, read, now in fetch(conn, lambda *row: row, BASES):
        if letters(now) != hashed:
            yield Stale(file, entry, unit_id, read, now)
