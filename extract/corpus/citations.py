"""What a book's references may mean: its series of numbers, as `[citations]` in book.toml gives them."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, model_validator

from extract.corpus.table import Count, Fault, Line, LineOrNone, Many, Table, UnitIdStart, matching

_LETTERS = r"[^\W\d_]+"
_NAME = r"(?:[a-z0-9]|\{n\}|\{chapter\})+(?:-(?:[a-z0-9]|\{n\}|\{chapter\})+)*"
_ONCE = r"(?=.*\{n\})(?!.*\{n\}.*\{n\})(?!.*\{chapter\}.*\{chapter\})"
_NO_TARGET = "is no pattern of ids; write the id of a unit with {n} where its number goes"

Word = Annotated[
    Line, matching(rf"§|{_LETTERS}(?:\s+{_LETTERS})*", "is no word that names a series; write letters alone, or §")
]
Ditto = Annotated[Line, matching(rf".|{_LETTERS}", "is no word or mark of repetition; write a word, or a single mark")]
Target = Annotated[LineOrNone, matching(rf"(?:{_ONCE}{_NAME}(?:/{_NAME})+)?", _NO_TARGET)]


class CitedSeries(Table):
    """A numbering to which references point.

    `words` name its members (`Law`, `Rule`), `target` is the pattern of their unit ids, with `{n}` and perhaps
    `{chapter}`; empty for a book that is not here. A series with `names` is meant where one of these stands by
    (`American code`); one that is `default` is meant otherwise: if nothing is said, a series without names is.
    `within` limits a series to citing units whose id begins so. `chapter` is the chapter meant where none is named.
    The members of a series that is `lettered` are counted by letters (`Appendix C`).
    """

    words: Many[Word] = Field(min_length=1)
    target: Target = ""
    names: Many[Line] = ()
    default: bool = Field(default_factory=lambda entry: not entry["names"])
    within: UnitIdStart = ""
    chapter: Count | None = None
    lettered: bool = False

    @model_validator(mode="after")
    def _complete(self) -> CitedSeries:
        if "{chapter}" in self.target and self.chapter is None:
            raise Fault(f"the target {self.target!r} needs it; write the chapter meant where none is named", "chapter")
        return self

    def unit_id(self, number: int, chapter: int | None = None) -> str:
        """The id of a member."""
        whole = chapter if chapter is not None else self.chapter
        return self.target.replace("{n}", str(number)).replace("{chapter}", str(whole))

    def member(self, unit_id: str) -> int | None:
        """The number of the member that a unit is, in the default chapter; None if it is none."""
        pattern = re.escape(self.target.replace("{chapter}", str(self.chapter))).replace(r"\{n\}", r"(\d+)")
        found = re.fullmatch(pattern, unit_id) if self.target else None
        return int(found[1]) if found else None


class Rules(Table):
    """The table `[citations]`: all series of a book; no series, so no references, for an empty one.

    `parts` are the words for a part of a provision (`Section`), `ditto` those that repeat (`idem`, `„`). Units whose
    id begins with one of `without` refer to nothing: a table of contents.
    """

    series: Many[CitedSeries] = ()
    parts: Many[Word] = ("paragraph",)
    ditto: Many[Ditto] = ()
    without: Many[UnitIdStart] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Every word or mark that a reference may begin with, each once."""
        return tuple(dict.fromkeys([*(word for series in self.series for word in series.words), *self.ditto]))

    @property
    def lettered(self) -> frozenset[str]:
        """The words whose members are counted by letters."""
        return frozenset(word for series in self.series if series.lettered for word in series.words)
