"""Numerals as printers set them and as OCR reads them.

The cost of reading a printed numeral as some string is a weighted edit distance (Wagner & Fischer, "The
String-to-String Correction Problem", J. ACM 21, 1974) with operations over several characters, as 19th-century
figures in narrow founts run together: 11 is read `n`, 110 `no`, 113 `"3`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from math import inf

from roman_numerals import MAX, InvalidRomanNumeralError, RomanNumeral

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=1)
def _confusions() -> Mapping[str, Mapping[str, float]]:
    """By what is printed, what it is read as, each with its cost: data/numerals.tsv."""
    found: dict[str, dict[str, float]] = {}
    for line in (files("extract") / "data" / "numerals.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            printed, read, cost = line.split("\t")
            found.setdefault(printed, {})[read] = float(cost)
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
    if not printed.isdecimal():
        read = read.lower()
    seen = _Seen.of(read)
    rows = [_first_row(read)]
    for length in range(1, len(printed) + 1):
        rows.append(_next_row(rows, printed[:length], seen))
    return rows[-1][-1]


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
    trie = _trie(highest, printed)
    if not all(map(str.isdecimal, trie.after)):
        read = read.lower()
    seen = _Seen.of(read)
    found: list[tuple[int, float]] = []
    pending = [("", trie, [_first_row(read)])]
    while pending:
        prefix, node, rows = pending.pop()
        if node.number and rows[-1][-1] <= worst:
            found.append((node.number, rows[-1][-1]))
        least = min(rows[-1])
        if least <= worst or any(min(rows[-n - 1]) <= worst for n in seen.begun(prefix)):
            for glyph, after in node.after.items():
                if glyph in seen.explained or least + 1.0 <= worst:
                    pending.append((prefix + glyph, after, [*rows, _next_row(rows, prefix + glyph, seen)]))
    return tuple(sorted(found))


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


@dataclass(slots=True)
class _Trie:
    """Numerals by their first glyphs; `number` is what the glyphs so far print, 0 for none."""

    number: int = 0
    after: dict[str, _Trie] = field(default_factory=dict)


@lru_cache(maxsize=64)
def _trie(highest: int, printed: Callable[[int], str]) -> _Trie:
    root = _Trie()
    for number in range(1, highest + 1):
        node = root
        for glyph in printed(number):
            node = node.after.setdefault(glyph, _Trie())
        if node is not root:
            node.number = number
    return root


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was read: its signs, what each costs if it is not in print, and the confusions that may have played a part.

    `confused`: by their last glyph, the glyphs with the places in `signs` where that ends which they may be read as,
    its width and the cost; `openings`: what those of several glyphs begin with; `explained`: the glyphs that something
    in what was read may stand for. Any other costs a whole sign more.
    """

    signs: tuple[tuple[str, float], ...]
    confused: Mapping[str, Sequence[tuple[str, Sequence[tuple[int, int, float]]]]]
    openings: tuple[str, ...]
    explained: frozenset[str]

    @classmethod
    def of(cls, read: str) -> _Seen:
        confused: dict[str, list[tuple[str, Sequence[tuple[int, int, float]]]]] = {}
        openings: set[str] = set()
        for glyphs, signs in _confusions().items():
            places = [
                (end, len(sign), cost)
                for sign, cost in signs.items()
                if sign in read
                for end in range(len(sign), len(read) + 1)
                if read.endswith(sign, 0, end)
            ]
            if places:
                confused.setdefault(glyphs[-1], []).append((glyphs, places))
                openings |= {glyphs[:n] for n in range(1, len(glyphs))}
        explained = frozenset({*read, *confused, *"".join(openings)})
        return cls(tuple((sign, _added(sign)) for sign in read), confused, tuple(openings), explained)

    def begun(self, prefix: str) -> Iterator[int]:
        """How many glyphs at the end of a numeral's beginning may be read together with those to come."""
        return (len(opening) for opening in self.openings if prefix.endswith(opening))


def _first_row(read: str) -> list[float]:
    return list(accumulate(map(_added, read), initial=0.0))


def _next_row(rows: Sequence[Sequence[float]], printed: str, seen: _Seen) -> list[float]:
    """One more row of the edit matrix: what it costs that the beginnings of what was read stand for `printed`."""
    above, glyph = rows[-1], printed[-1]
    together: dict[int, float] = {}
    for glyphs, places in seen.confused.get(glyph, ()):
        if printed.endswith(glyphs):
            before = rows[-len(glyphs)]
            for end, width, cost in places:
                together[end] = min(before[end - width] + cost, together.get(end, inf))
    best = above[0] + 1.0
    row = [best]
    for j, (sign, added) in enumerate(seen.signs, 1):
        best += added
        if (other := above[j] + 1.0) < best:
            best = other
        if (other := above[j - 1] + (0.0 if glyph == sign else 1.0)) < best:
            best = other
        if j in together and (other := together[j]) < best:
            best = other
        row.append(best)
    return row


def _added(sign: str) -> float:
    """What a sign costs that is not in print."""
    return 0.05 if sign == " " else 0.9
