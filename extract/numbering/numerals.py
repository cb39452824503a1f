"""Numerals as printers set them and as OCR reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import product
from math import inf

from roman_numerals import InvalidRomanNumeralError, RomanNumeral

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_ONE, _EACH = 0.6, 0.5  # what a misread numeral may cost: in all, or for each of its characters


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


@lru_cache(maxsize=100_000)
def misreading_cost(printed: str, read: str) -> float:
    """The cost of OCR reading a printed numeral as the given characters.

    A weighted edit distance (Wagner & Fischer, "The String-to-String Correction Problem", J. ACM 21, 1974) with
    operations over several characters, because the digits of narrow 19th-century founts run together: 11 is read `n`.

    Args:
        printed: the numeral as printed, digits or lower-case roman.
        read: the characters of the scan; blanks inside cost little, the case of roman letters costs nothing.
    Returns:
        0 for a faithful reading, about 1 for each arbitrary wrong character.
    """
    read = read if printed.isdecimal() else read.lower()
    cost = {(0, 0): 0.0}  # of reading the first characters printed as the first characters read
    for i, j in product(range(len(printed) + 1), range(len(read) + 1)):
        ways = [cost[i, j]] if not i + j else []
        if i:
            ways.append(cost[i - 1, j] + 1.0)  # printed, but not read
        if j:
            ways.append(cost[i, j - 1] + (0.05 if read[j - 1] == " " else 0.9))  # read, but not printed
        if i and j:
            ways.append(cost[i - 1, j - 1] + (printed[i - 1] != read[j - 1]))
        ways += [
            cost[i - len(glyphs), j - len(misread)] + more
            for misread, confused in _confusions().items()
            if read.endswith(misread, 0, j)
            for glyphs, more in confused
            if printed.endswith(glyphs, 0, i)
        ]
        cost[i, j] = min(ways)
    return cost[len(printed), len(read)]


def may_be(printed: str, read: str) -> bool:
    """Whether a printed numeral may have been read as the given characters: one misread in two, or a single one."""
    return misreading_cost(printed, read) <= max(_ONE, _EACH * len(printed))


def nearest(read: str, numbers: range, printed: Callable[[int], str] = str, worst: float = inf) -> int | None:
    """The number that was likeliest read as the given characters, of equals the lowest; None if all cost too much.

    Args:
        read: the characters of the scan.
        numbers: the numbers that may be printed.
        printed: how a number is printed (`str` or `roman`).
        worst: the highest `misreading_cost` to believe.
    """
    cost, number = min(((misreading_cost(printed(n), read), n) for n in numbers), default=(inf, 0))
    return number if cost <= worst and numbers else None
