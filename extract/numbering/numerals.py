"""Numerals as printers set them and as OCR reads them.

The cost of reading a printed numeral as some string is a weighted edit distance (Wagner & Fischer, "The
String-to-String Correction Problem", J. ACM 21, 1974) with operations over several characters, because the digits of
narrow 19th-century founts run together: 11 is read `n`, 110 `no`, 113 `"3`.
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
    """The confusions of data/numerals.tsv: for each string read, what may be printed there, each with its cost."""
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
    """The letter at this place in the alphabet, 1 to 26; the empty string beyond."""
    return _ALPHABET[number - 1 : number]


def arabic(numeral: str) -> int:
    """The value of a numeral in digits, or in well-formed roman letters of one case; 0 for any other text."""
    if numeral.isdecimal():
        return int(numeral)
    try:
        return int(RomanNumeral.from_string(numeral))
    except InvalidRomanNumeralError:
        return 0


def is_roman(text: str) -> bool:
    """Whether a text is a roman numeral up to 399, in one case; d and m are excluded, as they mostly name something."""
    return like_roman(text) and arabic(text) > 0


def like_roman(text: str, letters: str = "ivxlc") -> bool:
    """Whether a text consists of the given letters in one case, as a roman numeral does, well-formed or not."""
    return bool(text) and text in (text.lower(), text.upper()) and set(text.lower()) <= set(letters)


@lru_cache(maxsize=200_000)
def reading_cost(printed: str, read: str) -> float:
    """The cost of OCR reading a printed numeral as the given characters.

    Args:
        printed: the numeral as printed, digits or lower-case roman.
        read: the characters of the scan; blanks inside cost little, the case of roman letters costs nothing.
    Returns:
        0 for a faithful reading, about 1 for each arbitrary wrong character.
    """
    root = _Numerals()
    root.add(printed, 1)
    return _costs(read if printed.isdecimal() else read.lower(), root, inf)[1]


@lru_cache(maxsize=20_000)
def readings(read: str, highest: int, printed: Callable[[int], str], worst: float) -> tuple[tuple[int, float], ...]:
    """The numbers that a string may stand for.

    The numerals are searched as a trie, so that numerals with a common prefix share their work, and a prefix that costs
    too much is abandoned at once (as for dictionaries: Oflazer, "Error-tolerant Finite-state Recognition",
    Computational Linguistics 22, 1996).

    Args:
        read: the characters of the scan.
        highest: the highest number to consider.
        printed: how a number is printed (`str` or `roman`).
        worst: the highest cost to consider.
    Returns:
        Each number with its `reading_cost`, in increasing order.
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
    """Find which of some numbers is likeliest to have been read as a string; of equals, the lowest.

    Args:
        read: the characters of the scan.
        numbers: the candidates, all of them 1 or more.
        printed: how a number is printed (`str` or `roman`).
        worst: the highest cost to consider; the result is None if all numbers cost more.
    """
    power = 10 ** len(str(numbers.stop))  # rounded up, so that a few tries serve all ranges
    highest = min(power, MAX) if printed is roman else power
    within = (pair for pair in readings(read, highest, printed, worst + 1) if pair[0] in numbers)
    ranked = sorted((cost, number) for number, cost in within)
    if not ranked or ranked[0][0] > worst:
        return None
    (cost, number), *others = ranked
    return Reading(number, cost, others[0][0] - cost if others else inf)


@dataclass(slots=True, eq=False)
class _Numerals:
    """A node in a trie of numerals; `number` is the value of the glyphs up to it, 0 if they are not a numeral."""

    number: int = 0
    after: dict[str, _Numerals] = field(default_factory=dict)

    def add(self, numeral: str, number: int) -> None:
        node = self
        for glyph in numeral:
            node = node.after.setdefault(glyph, _Numerals())
        node.number = number

    def begun(self, glyphs: str) -> _Numerals | None:
        """The node that some glyphs lead to, if any numeral continues with them."""
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
    """The cost of reading each numeral as a string, for the numerals that cost no more than `worst`.

    The string is processed from left to right. `reached` has, for each place in it, the prefixes of numerals (nodes of
    the trie) that may be read as the characters before that place, each with its cost.
    """
    reached: list[dict[_Numerals, float]] = [{} for _ in range(len(read) + 1)]

    def reach(place: int, node: _Numerals | None, cost: float) -> None:
        if node and cost <= worst and cost < reached[place].get(node, inf):
            reached[place][node] = cost
            for after in node.after.values():  # a printed glyph that is not read
                reach(place, after, cost + 1.0)

    reach(0, numerals, 0.0)
    for place, character in enumerate(read):
        confused = [
            (glyphs, place + len(misread), cost)
            for misread, printed in _confusions().items()
            if read.startswith(misread, place)
            for glyphs, cost in printed
        ]
        for node, cost in reached[place].items():
            reach(place + 1, node, cost + (0.05 if character == " " else 0.9))  # a character that is not printed
            for glyph, after in node.after.items():
                reach(place + 1, after, cost + (glyph != character))
            for glyphs, end, more in confused:
                reach(end, node.begun(glyphs), cost + more)
    return {node.number: cost for node, cost in reached[-1].items() if node.number}
