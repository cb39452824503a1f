"""Numbers written in words: `one hundred and sixty-three`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NamedTuple

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = (
    {word: n for n, word in enumerate((*_ONES, *_TEENS), 1)}
    | {word: 10 * n for n, word in enumerate(_TENS, 2)}
)  # fmt: skip
_BELOW = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s]*(?:{'|'.join(_ONES)}))?|{'|'.join(_TEENS + _ONES)})"
_PART = rf"(?:(?:{'|'.join(_ONES)})\s+hundred(?:\s+(?:and\s+)?{_BELOW})?|{_BELOW})"
_NUMBER = re.compile(rf"{_PART}(?:\s+thousand(?![\w-])(?:\s+(?:and\s+)?{_PART})?)?(?![\w-]|\s+hundred)", re.IGNORECASE)
_WORD = re.compile("|".join((*_TEENS, *_TENS, *_ONES, "hundred", "thousand")), re.IGNORECASE)
_GOES_ON = re.compile(r"\s+and\s+(?!(?:the|for|to|on|then)\b)(?P<word>[^\W\d_]+)\b(?!\s+hundred)", re.IGNORECASE)
_LIKE_A_NUMBER = 0.75  # similarity of a misread word to a number word
_FIRST = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_TENTH = (
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth",
)  # fmt: skip
_ORDINALS = {word: n for n, word in enumerate((*_FIRST, *_TENTH), 1)}
_ORDINALS |= {f"{word[:-1]}ieth": n for word, n in _VALUES.items() if word in _TENS}
_ORDINAL = re.compile(
    rf"(?:(?P<tens>{'|'.join(_TENS)})[-\s]+(?P<ones>{'|'.join(_FIRST)})|(?P<small>{'|'.join(_ORDINALS)}))(?=(?:ly)?(?![\w-]*\w))",
    re.IGNORECASE,
)


_LABEL_END = re.compile(
    r"(?:ly)?[_*=]{0,2}(?P<stop>[.:,)]{0,2})[_*=]{0,2}[ \t]?[—–-]{0,3}[_*=]{0,2}(?=\s|$|(?<=[—–-])\S)"
)


class Spelled(NamedTuple):
    """A number in words: the offset after it, its value, and the number of its words."""

    end: int
    value: int
    words: int


def spelled(text: str, at: int) -> Spelled | None:
    """The number below a million in words at an offset of a text; None also if its last words are misread.

    >>> spelled("section one hundred and sixty-three, for", 8)
    Spelled(end=35, value=163, words=5)
    """
    match = _NUMBER.match(text, at)
    if match is None:
        return None
    words = [word.lower() for word in _WORD.findall(match[0])]
    more = _GOES_ON.match(text, match.end()) if words[-1] == "hundred" else None
    if more and get_close_matches(more["word"].lower(), _VALUES, cutoff=_LIKE_A_NUMBER):
        return None
    thousands = value = 0
    for word in words:
        if word == "thousand":
            thousands, value = 1000 * value, 0
        else:
            value = 100 * value if word == "hundred" else value + _VALUES[word]
    return Spelled(match.end(), thousands + value, len(re.findall(r"\w+", match[0])))


def in_figures(text: str) -> str:
    """A text with its numbers in words in figures, but not one that begins it (`two cases`).

    >>> in_figures("law seventy-two")
    'law 72'
    """
    numbers = re.finditer(rf"(?<=\s){_NUMBER.pattern}", text, re.IGNORECASE)
    for match in reversed([*numbers]):
        if found := spelled(text, match.start()):
            text = f"{text[: match.start()]}{found.value}{text[found.end :]}"
    return text


def ordinal(text: str, at: int) -> Spelled | None:
    """The ordinal below a hundred in words at an offset of a text.

    >>> ordinal("LAW THE TWENTY-FIRST.", 8)
    Spelled(end=20, value=21, words=2)
    """
    match = _ORDINAL.match(text, at)
    if match is None:
        return None
    words = [word.lower() for word in match.groups() if word]
    value = sum(_VALUES[word] if word in _TENS else _ORDINALS[word] for word in words)
    return Spelled(match.end(), value, len(words))


class Worded(NamedTuple):
    """A number in words in a label: the offset after the label, its value, and the punctuation after the number.

    `ordinal`: whether it is an ordinal (`Second`, not `Two`).
    """

    end: int
    value: int
    stop: str
    ordinal: bool


def worded(text: str, at: int) -> Worded | None:
    """The number in words at an offset of a text, if what follows it may end a label.

    >>> worded("LAW THE FIRST. The dealer", 8)
    Worded(end=14, value=1, stop='.', ordinal=True)
    """
    counted = ordinal(text, at)
    found = counted or spelled(text, at)
    tail = _LABEL_END.match(text, found.end) if found else None
    return Worded(tail.end(), found.value, tail["stop"], counted is not None) if found and tail else None
