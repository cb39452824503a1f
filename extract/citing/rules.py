"""What a book's references may mean: its series of numbers, as `[citations]` in book.toml gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from extract.errors import BookError

_PARTS = ("paragraph",)


@dataclass(frozen=True, slots=True)
class Series:
    """A numbering to which references point.

    `words` name its members (`Law`, `Rule`), `target` is the pattern of their unit ids, with `{n}` and perhaps
    `{chapter}`; empty for a book that is not here. A series with `names` is meant where one of these stands by
    (`American code`); one that is `default` is meant otherwise. `within` limits a series to citing units
    whose id begins so. `chapter` is the chapter meant where none is named.
    """

    words: tuple[str, ...]
    target: str
    names: tuple[str, ...] = ()
    default: bool = False
    within: str = ""
    chapter: int | None = None

    def unit_id(self, number: int, chapter: int | None = None) -> str:
        """The id of a member."""
        whole = chapter if chapter is not None else self.chapter
        return self.target.replace("{n}", str(number)).replace("{chapter}", str(whole))

    def member(self, unit_id: str) -> int | None:
        """The number of the member that a unit is, in the default chapter; None if it is none."""
        pattern = re.escape(self.target.replace("{chapter}", str(self.chapter))).replace(r"\{n\}", r"(\d+)")
        found = re.fullmatch(pattern, unit_id) if self.target else None
        return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Rules:
    """All series of a book, the words for a part of a provision (`Section`), those that repeat (`idem`, `„`)."""

    series: tuple[Series, ...]
    parts: tuple[str, ...] = _PARTS
    ditto: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Every word or mark that a reference may begin with, each once."""
        return tuple(dict.fromkeys([*(word for series in self.series for word in series.words), *self.ditto]))


def read_rules(table: Mapping[str, Any]) -> Rules:
    """Read the `[citations]` table of a book.toml.

    Args:
        table: the parsed table: `parts` and `ditto` (lists of words) and `series` (array of tables with `words`,
            `target`, and optionally `names`, `default`, `within`, `chapter`).
    Returns:
        The rules; no series, so no references, for an empty table.
    Raises:
        BookError: an unknown key, a series without words, or a target without `{n}`.
    """
    _known(table, {"series", "parts", "ditto"}, "[citations]")
    series = []
    for entry in table.get("series", ()):
        _known(entry, {"words", "target", "names", "default", "within", "chapter"}, "[[citations.series]]")
        words, target = tuple(entry.get("words", ())), str(entry.get("target", ""))
        if not words or not all(isinstance(word, str) and word for word in words):
            raise BookError('A [[citations.series]] in book.toml names no words; give them, as words = ["Law"].')
        if target and "{n}" not in target:
            raise BookError(f"The target {target!r} in book.toml has no {{n}}; say where the number goes.")
        if "{chapter}" in target and "chapter" not in entry:
            raise BookError(f"The target {target!r} in book.toml needs chapter = the one meant where none is named.")
        names, chapter = tuple(entry.get("names", ())), entry.get("chapter")
        default, within = bool(entry.get("default", not names)), str(entry.get("within", ""))
        series.append(Series(words, target, names, default, within, chapter))
    return Rules(tuple(series), tuple(table.get("parts", _PARTS)), tuple(table.get("ditto", ())))


def _known(table: Mapping[str, Any], keys: set[str], where: str) -> None:
    if unknown := set(table) - keys:
        raise BookError(f"{where} in book.toml has the unknown key {min(unknown)!r}; it knows {sorted(keys)}.")
