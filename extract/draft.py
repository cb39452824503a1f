"""Drafts of units: what the grammars find, in offsets of the working text, before ids and pages are settled."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from extract.label import Mend
from extract.model import UnitKind

_NOT_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True)
class Draft:
    """A unit in the making. `owner` is the code or book id that begins its id, `name` the rest of it.

    `mends` are misread stretches of its label. A unit without a printed number gives the stem of its name as
    `ordinal`; it is counted in reading order.
    """

    kind: UnitKind
    start: int
    end: int
    owner: str
    name: str
    label: str = ""
    number: str | None = None
    code: str | None = None
    parent: Draft | None = None
    heading: str | None = None
    confidence: float = 1.0
    explains: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    ordinal: str = ""
    mends: tuple[Mend, ...] = ()
    division: bool = False

    @property
    def id(self) -> str:
        return f"{self.owner}/{self.name}"


def slug(text: str, words: int = 8) -> str:
    """A name for an id: lower case, letters and digits, words joined by hyphens.

    >>> slug("MODE OF PLAYING, SCORING, &c.")
    'mode-of-playing-scoring-c'
    """
    plain = unicodedata.normalize("NFKD", text.replace("'", "").replace("’", "")).encode("ascii", "ignore").decode()
    return "-".join(_NOT_SLUG.sub(" ", plain.lower()).split()[:words]) or "unnamed"
