"""What a provision orders: remedies, amounts, and the moments until when; their words are the library's own data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from extract.corpus.domain import Domain
from extract.corpus.table import Fault, Id, Line, Many, Table, read_if_there

_COUNTED = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""
_NUMBERS = {word: n for n, word in enumerate(_COUNTED.split(), 1)}


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is no pattern ({error}); write a regular expression") from error
    return pattern


@dataclass(frozen=True)
class Outcomes:
    """The words of a library for what its provisions order.

    `remedies` are concepts; `units` maps each word for what is counted to the one shown; `between` may stand between
    number and unit; `exchanges` are units that pay alike where both provisions speak of a concept; `patterns` find
    the moments.
    """

    remedies: frozenset[str] = frozenset()
    units: Mapping[str, str] = field(default_factory=dict)
    between: tuple[str, ...] = ()
    exchanges: tuple[tuple[str, frozenset[str]], ...] = ()
    patterns: Mapping[str, str] = field(default_factory=dict)

    def amounts(self, text: str) -> frozenset[str]:
        """The amounts that a text names, normalised: `3 points`, `2 tricks`."""
        found = set()
        for number, noun in self._amount.findall(text.lower()) if self.units else ():
            n = _NUMBERS.get(number) or int(number)
            unit = self.units.get(noun) or self.units[noun.removesuffix("s")]
            found.add(f"{n} {unit}" if n == 1 or unit.endswith("sh") else f"{n} {unit}s")
        return frozenset(found)

    def moments(self, text: str) -> frozenset[str]:
        """The moments that a text counts from, by name: `the end of the hand`."""
        return frozenset(name for name, pattern in self._moments.items() if pattern.search(text))

    def apart(self, ours: Set[str], theirs: Set[str], concepts: Set[str]) -> bool:
        """Whether two sets of amounts have a unit in common, and no amount of a common unit.

        Args:
            ours, theirs: amounts, normalised.
            concepts: what both provisions speak of.
        """
        alike = [units for concept, units in self.exchanges if concept in concepts]

        def kind(amount: str) -> str:
            unit = self.units.get(amount.split()[1]) or self.units[amount.split()[1].removesuffix("s")]
            return next((min(units) for units in alike if unit in units), unit)

        common = {kind(amount) for amount in ours} & {kind(amount) for amount in theirs}
        return bool(common) and not any(kind(amount) in common for amount in ours & theirs)

    @cached_property
    def _amount(self) -> re.Pattern[str]:
        nouns = "|".join(sorted(map(re.escape, self.units), key=len, reverse=True))
        between = "|".join(r"\s+".join(map(re.escape, words.lower().split())) for words in self.between) or r"(?!)"
        return re.compile(rf"(?<![\w-])({'|'.join(_NUMBERS)}|\d{{1,2}})\s+(?:(?:{between})\s+)?((?:{nouns})s?)\b")

    @cached_property
    def _moments(self) -> Mapping[str, re.Pattern[str]]:
        return {name: re.compile(p, re.IGNORECASE | re.DOTALL) for name, p in self.patterns.items()}


def _in_small_letters(word: str) -> str:
    if word != word.lower() or len(word.split()) > 1:
        raise ValueError("is no unit; write one word in small letters, as it stands behind `one`")
    return word


_Counted = Annotated[Line, AfterValidator(_in_small_letters)]


class _Exchange(Table):
    concept: Id
    units: Many[Line] = Field(min_length=2)


class _Moment(Table):
    name: Line
    pattern: Annotated[str, AfterValidator(_compiles)]


class _OutcomesTable(Table):
    """The table `[outcomes]`."""

    remedies: Many[Id] = ()
    units: Many[Annotated[Many[_Counted], Field(min_length=1)]] = ()
    between: Many[Line] = ()
    exchange: Many[_Exchange] = ()
    moment: Many[_Moment] = ()


class _LibraryFile(Domain):
    """A library.toml with what its provisions order."""

    outcomes: _OutcomesTable = _OutcomesTable()


def read_outcomes(path: Path) -> Outcomes:
    """Read the table `outcomes` of library.toml; a library without the file has none.

    Raises:
        BookError: the file is not what it must be; one sentence with entry and key.
    """
    table = read_if_there(path, _LibraryFile, _require_known_units).outcomes
    return Outcomes(
        frozenset(table.remedies),
        {word: words[0] for words in table.units for word in words},
        table.between,
        tuple((x.concept, frozenset(x.units)) for x in table.exchange),
        {moment.name: moment.pattern for moment in table.moment},
    )


def _require_known_units(file: _LibraryFile) -> None:
    """Raise a Fault where units that pay alike are not among the units."""
    known = {words[0] for words in file.outcomes.units}
    for i, exchange in enumerate(file.outcomes.exchange):
        if unknown := set(exchange.units) - known:
            raise Fault(
                f"{min(unknown)!r} is none of the units; name it there first", "outcomes", "exchange", i, "units"
            )
