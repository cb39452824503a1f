"""What a book's references may point to: the numberings declared under `[citations]` in book.toml."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, model_validator

from extract.corpus.table import Count, Fault, Line, LineOrNone, Many, Table, UnitIdStart, matching

_LETTERS = r"[^\W\d_]+"
_NAME = r"(?:[a-z0-9]|\{n\}|\{chapter\})+(?:-(?:[a-z0-9]|\{n\}|\{chapter\})+)*"
_ONCE = r"(?=.*\{n\})(?!.*\{n\}.*\{n\})(?!.*\{chapter\}.*\{chapter\})"
_NO_TARGET = "is not a pattern of ids; write the id of a unit with {n} in place of its number"

Word = Annotated[
    Line, matching(rf"§|{_LETTERS}(?:\s+{_LETTERS})*", "cannot name a series; write a word without other signs, or §")
]
Ditto = Annotated[Line, matching(rf".|{_LETTERS}", "cannot mean a repeated reference; write a word, or a single sign")]
Target = Annotated[LineOrNone, matching(rf"(?:{_ONCE}{_NAME}(?:/{_NAME})+)?", _NO_TARGET)]


class CitedSeries(Table):
    """A numbering to which references point.

    `words` name its members (`Law`, `Rule`). `target` is the pattern of their unit ids, with `{n}` and perhaps
    `{chapter}`; it is empty for a book that is not in the library. A series with `names` is meant where one of them
    is near the reference (`American code`), a `default` series where no name is; unless stated otherwise, a series
    without names is a default one. `within` limits a series to citing units whose id has this prefix. `chapter` is the
    chapter meant where none is named. The members of a `lettered` series are counted by letters (`Appendix C`).
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
            raise Fault(f"{self.target!r} needs it; write the chapter that is meant if none is named", "chapter")
        return self

    def unit_id(self, number: int, chapter: int | None = None) -> str:
        """The unit id of a member."""
        meant = chapter if chapter is not None else self.chapter
        return self.target.replace("{n}", str(number)).replace("{chapter}", str(meant))

    def member(self, unit_id: str) -> int | None:
        """The number of a unit in this series, in the default chapter; None if it is not a member."""
        pattern = re.escape(self.target.replace("{chapter}", str(self.chapter))).replace(r"\{n\}", r"(\d+)")
        found = re.fullmatch(pattern, unit_id) if self.target else None
        return int(found[1]) if found else None


class Rules(Table):
    """The table `[citations]`: all series that a book refers to; without any, no references are found.

    `parts` are the words for a part of a provision (`Section`), `ditto` the words and marks of repetition (`idem`,
    `„`). Units whose id has a prefix in `without` refer to nothing: a table of contents.
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
        """The words of the series whose members are counted by letters."""
        return frozenset(word for series in self.series if series.lettered for word in series.words)
