"""Glosses: what a provision says, in present-day English, for a reader who stumbles over the old words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from extract.corpus.table import Line, Many, Table, UnitId, matching, read_if_there, require_unique
from kb.editorial.provisions import ProvisionEntry

FILE = "glosses.toml"
LONGEST = 60  # words

Words = Annotated[Line, matching(rf"\S+(?: \S+){{0,{LONGEST - 1}}}", f"is longer than {LONGEST} words; shorten it")]


class Gloss(ProvisionEntry):
    """A gloss on a provision or paragraph, written from it alone."""

    provision: UnitId
    words: Words

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.provision,)


class _Glosses(Table):
    gloss: Many[Gloss] = ()


def read_glosses(path: Path) -> tuple[Gloss, ...]:
    """Read glosses.toml; without it there are none.

    Raises:
        BookError: the file cannot be read or is not what it must be.
    """

    def require_once(glosses: _Glosses) -> None:
        require_unique(glosses.gloss, lambda gloss: gloss.provision, "gloss", key="provision")

    return read_if_there(path, _Glosses, require_once).gloss


def with_twins(glosses: tuple[Gloss, ...], twin: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The gloss of each provision, by id: its own, or its twin's."""
    own = {gloss.provision: gloss.words for gloss in glosses}
    for unit_id, words in own.items():
        yield unit_id, words
        if (other := twin.get(unit_id)) and other not in own:
            yield other, words
