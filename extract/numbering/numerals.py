"""Numerals as printers set them and as OCR reads them.

The cost of reading a printed numeral as some string is a weighted edit distance (Wagner & Fischer, "The
String-to-String Correction Problem", J. ACM 21, 1974) with operations over several characters, as 19th-century
figures in narrow founts run together: 11 is read `n`, 110 `no`, 113 `"3`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from math import inf

from roman_numerals import MAX, InvalidRomanNumeralError, RomanNumeral

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=1)
def _confusions() -> Mapping[str, Sequence[tuple[str, float]]]:
    """By what is read, what may be printed there, each with its cost: data/numerals.tsv."""
    found: dict[str, list[tuple[str, float]]] = {}
    for line in (files("extract") / "data" / "numerals.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            printed, read, cost = line.split("\t")
            found.setdefault(read, []).append((printed, float(cost)))
    return found


def roman(number: int) -> str:
    """The number in lower-case roman numerals, 1 to 3999."""
    return RomanNumeral(number).to_lowercase()


def lettered(number: int) -> str:
    """The number as the letter of that place in the alphabet, 1 to 26; the empty string beyond."""
    return _ALPHABET[number - 1 : number]


def arabic(numeral: str) -> int:
    """The value of a numeral in digits, or in well-formed roman letters of one case; 0 if it is none."""
    if numeral.isdecimal():
        return int(numeral)
    try:
        return int(RomanNumeral.from_string(numeral))
    except InvalidRomanNumeralError:
        return 0


def is_roman(text: str) -> bool:
    """Whether a text is a roman numeral up to 399, in letters of one case: d and m rather name something."""
    return like_roman(text) and arabic(text) > 0


def like_roman(text: str, letters: str = "ivxlc") -> bool:
    """Whether a text is made of such letters alone, in one case, as a roman numeral is, well-formed or not."""
    return bool(text) and text in (text.lower(), text.upper()) and set(text.lower()) <= set(letters)


@lru_cache(maxsize=200_000)
def reading_cost(printed: str, read: str) -> float:
    """How unlikely OCR turns a printed numeral into what was read.

    Args:
        printed: the numeral as printed, digits or lower-case roman.
        read: the characters of the scan; blanks inside cost little, case of roman letters nothing.
    Returns:
        0 for a faithful reading, about 1 for each arbitrary wrong character.
    """
    root = _Numerals()
    root.add(printed, 1)
    return _costs(read if printed.isdecimal() else read.lower(), root, inf)[1]


@lru_cache(maxsize=20_000)
def readings(read: str, highest: int, printed: Callable[[int], str], worst: float) -> tuple[tuple[int, float], ...]:
    """The numbers that some string may stand for.

    The numerals are walked as a trie, so that those which begin alike share their work and those which begin too
    unlike are left at once (as for dictionaries: Oflazer, "Error-tolerant Finite-state Recognition", Computational
    Linguistics 22, 1996).

    Args:
        read: the characters of the scan.
        highest: the greatest number to consider.
        printed: how a number is printed (`str` or `roman`).
        worst: the greatest cost.
    Returns:
        Each number with its `reading_cost`, numbers increasing.
    """
    found = _costs(read if printed is str else read.lower(), _trie(highest, printed), worst)
    return tuple(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class Reading:
    """The number that a string most likely stands for, its `reading_cost`, and how much more the next one costs."""

    number: int
    cost: float
    lead: float


def best_reading(read: str, numbers: range, printed: Callable[[int], str] = str, worst: float = inf) -> Reading | None:
    """The likeliest of some numbers to have been misread as a string; of equals, the lowest.

    Args:
        read: the characters of the scan.
        numbers: those that may stand there, 1 or more.
        printed: how a number is printed (`str` or `roman`).
        worst: the greatest cost; None is returned if all cost more.
    """
    power = 10 ** len(str(numbers.stop))  # few tries serve all ranges
    highest = min(power, MAX) if printed is roman else power
    within = (pair for pair in readings(read, highest, printed, worst + 1) if pair[0] in numbers)
    ranked = sorted((cost, number) for number, cost in within)
    if not ranked or ranked[0][0] > worst:
        return None
    (cost, number), *others = ranked
    return Reading(number, cost, others[0][0] - cost if others else inf)


@dataclass(slots=True, eq=False)
class _Numerals:
    """Numerals by their first glyphs; `number` is what the glyphs so far print, 0 for none."""

    number: int = 0
    after: dict[str, _Numerals] = field(default_factory=dict)

    def add(self, numeral: str, number: int) -> None:
        node = self
        for glyph in numeral:
            node = node.after.setdefault(glyph, _Numerals())
        node.number = number

    def begun(self, glyphs: str) -> _Numerals | None:
        """The numerals that go on with some glyphs, if there are any."""
        node: _Numerals | None = self
        for glyph in glyphs:
            node = node and node.after.get(glyph)
        return node


@lru_cache(maxsize=64)
def _trie(highest: int, printed: Callable[[int], str]) -> _Numerals:
    root = _Numerals()
    for number in range(1, highest + 1):
        if numeral := printed(number):
            root.add(numeral, number)
    return root


def _costs(read: str, numerals: _Numerals, worst: float) -> dict[int, float]:
    """What it costs that each of some numerals is read so, where that is no more than `worst`.

    What was read is gone through from left to right; at each place the beginnings of numerals that may stand for what
    comes before it are known, each with what that costs.
    """
    reached: list[dict[_Numerals, float]] = [{} for _ in range(len(read) + 1)]

    def reach(place: int, node: _Numerals | None, cost: float) -> None:
        if node and cost <= worst and cost < reached[place].get(node, inf):
            reached[place][node] = cost
            for after in node.after.values():  # a glyph of which nothing is read
                reach(place, after, cost + 1.0)

    reach(0, numerals, 0.0)
    for place, sign in enumerate(read):
        confused = [
            (glyphs, place + len(signs), cost)
            for signs, printed in _confusions().items()
            if read.startswith(signs, place)
            for glyphs, cost in printed
        ]
        for node, cost in reached[place].items():
            reach(place + 1, node, cost + (0.05 if sign == " " else 0.9))  # a sign that is not in print
            for glyph, after in node.after.items():
                reach(place + 1, after, cost + (glyph != sign))
            for glyphs, end, more in confused:
                reach(end, node.begun(glyphs), cost + more)
    return {node.number: cost for node, cost in reached[-1].items() if node.number}
