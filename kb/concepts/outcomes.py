"""What a provision orders: remedies, amounts, and moments from which it counts; each library defines their words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from extract.corpus.domain import Domain
from extract.corpus.table import Fault, Id, Line, Many, Table, read_if_there
from kb.analysis.words import number_of


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is not a valid regular expression ({error}); correct it") from error
    return pattern


def _in_small_letters(word: str) -> str:
    if word != word.lower() or len(word.split()) > 1:
        raise ValueError("is not a unit; write one word in small letters, in the singular")
    return word


_Counted = Annotated[Line, AfterValidator(_in_small_letters)]


class _Exchange(Table):
    concept: Id
    units: Many[Line] = Field(min_length=2)


class _Moment(Table):
    name: Line
    pattern: Annotated[str, AfterValidator(_compiles)]


class Outcomes(Table):
    """The words of a library for what its provisions order: the table `[outcomes]` of library.toml.

    Attributes:
        remedies: concepts that are a consequence.
        units: the words for each thing that is counted; the first one is displayed.
        between: words that may be between number and unit.
        exchange: units that are equivalent if both provisions mention a concept.
        moment: patterns that find the moments, by name.
    """

    remedies: Many[Id] = ()
    units: Many[Annotated[Many[_Counted], Field(min_length=1)]] = ()
    between: Many[Line] = ()
    exchange: Many[_Exchange] = ()
    moment: Many[_Moment] = ()

    @model_validator(mode="after")
    def _exchanges_its_units(self) -> Outcomes:
        for i, exchange in enumerate(self.exchange):
            if unknown := set(exchange.units) - {words[0] for words in self.units}:
                raise Fault(f"{min(unknown)!r} is not in `units`; add it there, or correct it", "exchange", i, "units")
        return self

    def amounts(self, text: str) -> frozenset[str]:
        """Return the amounts that a text names, normalised: `3 points`, `2 tricks`."""
        found = set()
        for number, noun in self._amount.findall(text.lower()) if self.units else ():
            if n := number_of(number):
                unit = self._shown[noun]
                found.add(f"{n} {unit}" if n == 1 or unit.endswith("sh") else f"{n} {unit}s")
        return frozenset(found)

    def moments(self, text: str) -> frozenset[str]:
        """Return the names of the moments that a text counts from: `the end of the hand`."""
        return frozenset(name for name, pattern in self._moments.items() if pattern.search(text))

    def apart(self, ours: Set[str], theirs: Set[str], concepts: Set[str]) -> bool:
        """Whether two sets of amounts have a unit in common, but no equal amount in a common unit.

        Args:
            ours, theirs: normalised amounts.
            concepts: the concepts that both provisions mention.
        """
        equivalent = [exchange.units for exchange in self.exchange if exchange.concept in concepts]

        def kind(amount: str) -> str:
            unit = self._shown[amount.split()[1]]
            return next((min(units) for units in equivalent if unit in units), unit)

        common = {kind(amount) for amount in ours} & {kind(amount) for amount in theirs}
        return bool(common) and not any(kind(amount) in common for amount in ours & theirs)

    @cached_property
    def _shown(self) -> Mapping[str, str]:
        """The displayed unit for each word for a unit, in the singular or plural."""
        shown = {word: words[0] for words in self.units for word in words}
        return {f"{word}s": unit for word, unit in shown.items()} | shown

    @cached_property
    def _amount(self) -> re.Pattern[str]:
        nouns = "|".join(sorted(map(re.escape, self._shown), key=len, reverse=True))
        between = "|".join(r"\s+".join(map(re.escape, words.lower().split())) for words in self.between) or r"(?!)"
        return re.compile(rf"(?<![\w-])([a-z]+|\d{{1,2}})\s+(?:(?:{between})\s+)?({nouns})\b")

    @cached_property
    def _moments(self) -> Mapping[str, re.Pattern[str]]:
        return {moment.name: re.compile(moment.pattern, re.IGNORECASE | re.DOTALL) for moment in self.moment}


class _LibraryFile(Domain):
    """A library.toml with its table `outcomes`."""

    outcomes: Outcomes = Outcomes()


def read_outcomes(path: Path) -> Outcomes:
    """Read the table `outcomes` of library.toml; a library without the file has none.

    Raises:
        BookError: the file is invalid; the message is one sentence that names entry and key.
    """
    return read_if_there(path, _LibraryFile).outcomes
