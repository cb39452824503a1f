"""Numerals as printers set them and as OCR reads them.

The cost of reading a printed numeral as some string is a weighted edit distance (Wagner & Fischer, "The
String-to-String Correction Problem", J. ACM 21, 1974) with operations over several characters, as 19th-century
figures in narrow founts run together: 11 is read `n`, 110 `no`, 113 `"3`.
"""

from __future__ import annotations

from functools import lru_cache

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip

# printed -> {read: cost}; a cost of 1 is an arbitrary substitution.
_CONFUSION: dict[str, dict[str, float]] = {
    "0": {"o": 0.1, "O": 0.1, "Q": 0.4, "6": 0.8},
    "1": {"i": 0.1, "I": 0.1, "l": 0.1, "!": 0.2, "|": 0.2, "]": 0.3, "[": 0.3, "j": 0.3, "J": 0.3, "t": 0.5, "T": 0.5,
          "*": 0.6, "(": 0.6, ")": 0.6, "/": 0.5, "'": 0.6, "r": 0.6, "f": 0.6},
    "2": {"z": 0.3, "Z": 0.3, "a": 0.7, "?": 0.7},
    "3": {"S": 0.5, "s": 0.6, "8": 0.6, "5": 0.8, "B": 0.7},
    "4": {"q": 0.6, "A": 0.7, "a": 0.8, "h": 0.8},
    "5": {"S": 0.3, "s": 0.3, "3": 0.8, "$": 0.4, "6": 0.8},
    "6": {"G": 0.5, "b": 0.5, "c": 0.7, "C": 0.7, "0": 0.8, "o": 0.8, "O": 0.8, "5": 0.8, "fi": 0.5},
    "7": {"?": 0.3, "/": 0.35, "T": 0.5, "y": 0.5, "Y": 0.5, "1": 0.8, "r": 0.7},
    "8": {"S": 0.3, "s": 0.5, "B": 0.4, "3": 0.6, "&": 0.5, "§": 0.4, '" o': 0.6},
    "9": {"g": 0.3, "q": 0.4, "p": 0.7, "Q": 0.7},
    "11": {"n": 0.2, "u": 0.4, "H": 0.3, "U": 0.4, "M": 0.6, "\"": 0.4, "tt": 0.4},
    "10": {"lo": 0.1, "to": 0.3, "ic": 0.5},
    "12": {"la": 0.6},
    "14": {"U": 0.5},
    "111": {"m": 0.4, "in": 0.3, "hi": 0.3, "ni": 0.3, "Ill": 0.1},
    "110": {"no": 0.2},
    "77": {"yj": 0.5, "tj": 0.5, "TJ": 0.5},
    "i": {"l": 0.1, "1": 0.1, "!": 0.2, "j": 0.3, "t": 0.5, "f": 0.6},
    "ii": {"n": 0.3, "u": 0.3, "h": 0.3, "ll": 0.1, "11": 0.1},
    "iii": {"m": 0.4, "hi": 0.3, "in": 0.3, "ni": 0.3},
    "v": {"y": 0.2, "\\": 0.6},
    "iv": {"rv": 0.4, "w": 0.6},
    "vi": {"yl": 0.3},
    "x": {"k": 0.6},
}  # fmt: skip
_LONGEST = max(map(len, _CONFUSION))


def roman(number: int) -> str:
    """The number in lower-case roman numerals, 1 to 3999."""
    out = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        out += letters * count
    return out


def arabic(numeral: str) -> int:
    """The value of a numeral in digits or lower-case roman letters."""
    if numeral.isdecimal():
        return int(numeral)
    value = at = 0
    for worth, letters in _ROMAN:
        while numeral.startswith(letters, at):
            value += worth
            at += len(letters)
    return value


@lru_cache(maxsize=5_000)
def _readable(read: str) -> frozenset[str]:
    """The glyphs that some part of what was read may stand for."""
    singles = {g for glyphs, seen in _CONFUSION.items() if any(s in read for s in seen) for g in glyphs}
    return frozenset(singles | set(read))


@lru_cache(maxsize=10_000)
def _legible(printed: str) -> frozenset[str]:
    """The signs that some part of a numeral may be read as, and the blank, which costs next to nothing."""
    pieces = {printed[i : i + width] for i in range(len(printed)) for width in range(1, _LONGEST + 1)}
    return frozenset(" ".join([printed, *(sign for piece in pieces for sign in _CONFUSION.get(piece, ())), " "]))


def least_cost(printed: str, read: str) -> float:
    """A quick lower bound of `reading_cost`: what neither side can stand for on the other is lost, added or changed."""
    read = read if printed.isdecimal() else read.lower()
    glyphs, signs = _readable(read), _legible(printed)
    lost = len(printed) - sum(map(glyphs.__contains__, printed))
    added = len(read) - sum(map(signs.__contains__, read))
    return max(float(lost), 0.9 * added)


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
    row = [0.0]
    for sign in read:
        row.append(row[-1] + _added(sign))
    rows = [row]
    for i, glyph in enumerate(printed, 1):
        seen = [
            (i - width, sign, cost)
            for width in range(1, min(_LONGEST, i) + 1)
            for sign, cost in _CONFUSION.get(printed[i - width : i], {}).items()
            if sign in read
        ]
        above, row = row, [row[0] + 1.0]
        for j, sign in enumerate(read, 1):
            best = min(above[j] + 1.0, row[-1] + _added(sign), above[j - 1] + (0.0 if glyph == sign else 1.0))
            for back, signs, cost in seen:
                if read.endswith(signs, 0, j):
                    best = min(best, rows[back][j - len(signs)] + cost)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def _added(sign: str) -> float:
    """What a sign costs that is not in print."""
    return 0.05 if sign == " " else 0.9
