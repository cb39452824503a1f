"""Words that the scan cuts in two: hyphens at line ends, at page breaks, and inside a single line of text.

For each hyphen there are three readings: one word (`an-/nounce`), a compound that keeps it (`twenty-/five`), or a
speck between two words (`missing-/card`). The book's own use decides, then the word lists.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from extract.mend.context import Usage
from extract.mend.lexicon import FUNCTION, Lexicon, core, word_set
from extract.mend.stream import Stream

_LEFT = re.compile(r"[^\W\d_][^\s—–.,;:?!\"-]*[-»«=¬]$")
_RIGHT = re.compile(r"^[^\W\d_]")
_RIGHT_MISREAD = re.compile(r"^[\^<>*\\|}{/][^\s]*[a-z]{2}")
_LEFT_WORD = re.compile(r"(?:^|[^\w'’-])([^\W\d_][\w'’-]*)[-»«=¬]$")
_RIGHT_WORD = re.compile(r"^([\w'’]+(?:-\w[\w'’]*)*)")
_HYPHEN_FIRST = re.compile(r"^-([^\W\d_]+)")
_GENITIVE = re.compile(r"(?:^|[^\w'])([A-Za-z]?[a-z]{2,})$")
_LONE_S = re.compile(r"^s[,.;:?!\"”)]*$")
_FIGURE = re.compile(r"^[\dil\]I]{1,2}$")
_FIGURES = re.compile(r"^(\d{1,2})[.,;:)\]]*$")
_STROKES = str.maketrans("ilI]", "1111")
_CITING = word_set("citing")
_ENOUGH = 5
_SUSPENDED, _TENS, _UNITS = word_set("suspended"), word_set("tens"), word_set("units")
_COMPOUNDING, _PREFIXES = word_set("compounding"), word_set("prefixes")


@dataclass(frozen=True, slots=True)
class Join:
    """How a gap inside a word, or beside a hyphen, is read, how sure that is, and the evidence.

    `hyphen`: whether a hyphen stands before the gap and goes with it; `between`: what is read instead.
    """

    between: str
    hyphen: bool
    confidence: float
    note: str

    @property
    def one(self) -> bool:
        """Whether the two sides become one word."""
        return self.between != " "

    def read(self, left: str, right: str) -> str:
        """The two sides put together."""
        return (left[:-1] if self.hyphen else left) + self.between + right


def find_joins(stream: Stream, lexicon: Lexicon, usage: Usage, mend: Callable[[str], str | None]) -> dict[int, Join]:
    """Decide every hyphen that stands before white space and between letters.

    Args:
        stream: the scan's tokens.
        lexicon: word lists.
        usage: the book's own counts.
        mend: gives the word that a misread form, signs and all, most likely stands for.
    Returns:
        For the index of a gap: the reading of the hyphen before it. A hyphen left as it stands has no entry.
    """
    joins: dict[int, Join] = {}
    highest = _highest(stream)
    for i in range(1, len(stream.tokens)):
        left, right, gap = stream.tokens[i - 1], stream.tokens[i], stream.gaps[i]
        if left.fixed or right.fixed or gap.given or not left.text or not right.text:
            continue
        found = _beside(left.text, right.text, lexicon, usage) or _cut_number(stream, i, highest)
        if found:
            joins[i] = found
            continue
        if not _LEFT.search(left.text) or (left.text[-1] != "-" and not gap.breaks):
            continue
        if gap.breaks > 1 and not gap.furniture and right.text[0].isupper():
            continue
        head, tail = _LEFT_WORD.search(left.text), _RIGHT_WORD.match(right.text)
        if not _RIGHT.match(right.text):
            if gap.breaks and _RIGHT_MISREAD.match(right.text):
                joins[i] = Join("", True, 0.8, "line-end hyphen before a misread letter")
            continue
        if gap.breaks == 0 and tail and tail[1].lower() in _SUSPENDED:
            continue
        if head and tail:
            found = decide(head[1], tail[1], lexicon, usage, mend)
            if found:
                joins[i] = found
        elif gap.breaks:
            joins[i] = Join("", True, 0.8, "line-end hyphen inside a misread word")
    return joins


def _beside(left: str, right: str, lexicon: Lexicon, usage: Usage) -> Join | None:
    """A blank before a hyphen (`card -room`), or for a lost apostrophe (`dealer s`)."""
    tail = _HYPHEN_FIRST.match(right)
    if tail and left[-1].isalpha():
        head = core(left)
        compound = f"{head}-{tail[1]}"
        numeral = head.lower() in _TENS and tail[1].lower() in _UNITS
        if numeral or usage.word(compound) or lexicon.size(compound) is not None:
            return Join("", False, 0.97, f"blank inside '{compound}'")
    word = _GENITIVE.search(left)
    if (
        word
        and _LONE_S.match(right)
        and lexicon.known(word[1])
        and word[1].lower() not in FUNCTION
        and word[1][-1] != "s"
    ):
        return Join("'", False, 0.95, f"lost apostrophe; 's' alone is no word after '{word[1]}'")
    return None


def _highest(stream: Stream) -> dict[str, int]:
    """The highest plain number after each citing word (`Law 91`); words with few numbers are left out."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for word, number in pairwise(stream.tokens):
        digits = core(number.text)
        if core(word.text).lower() in _CITING and digits.isdecimal() and len(digits) < 4:
            numbers[core(word.text).lower().rstrip("s")].append(int(digits))
    return {word: max(found) for word, found in numbers.items() if len(found) >= _ENOUGH}


def _cut_number(stream: Stream, i: int, highest: dict[str, int]) -> Join | None:
    """Figures of one number with a blank between (`Article 1 33`), after a word that a number follows."""
    left, right = stream.tokens[i - 1].text, stream.tokens[i].text
    figures = _FIGURES.match(right)
    if i < 2 or not _FIGURE.match(left) or not figures or stream.gaps[i].breaks > 1:
        return None
    word = core(stream.tokens[i - 2].text).lower().rstrip("s")
    number = int((left + figures[1]).translate(_STROKES))
    if word not in highest or number > 1.25 * highest[word] or not stream.tokens[i - 2].text[-1].isalpha():
        return None
    return Join("", False, 0.95, f"blank inside {number}; '{word}' takes one number")


def decide(left: str, right: str, lexicon: Lexicon, usage: Usage, mend: Callable[[str], str | None]) -> Join | None:
    """Read the hyphen between two pieces of text.

    Args:
        left: the letters before the hyphen, back to the last blank.
        right: the letters after the gap.
        lexicon: word lists.
        usage: the book's counts, in which forms cut by a line end do not count.
        mend: gives the word that a misread form most likely stands for.
    Returns:
        The reading; None if nothing tells, or the hyphen is part of a misread word.
    """
    one, compound = left + right, f"{left}-{right}"
    n_one, n_compound, n_two = usage.word(one), usage.word(compound), usage.pair(left, right)
    if left.lower() in _TENS and right.lower() in _UNITS:
        return Join("-", True, 0.99, f"'{compound}' is a numeral with a hyphen")
    if left.lower() in _TENS:
        return Join(" ", True, 0.9, f"speck; '{left}' takes a hyphen before a numeral only")
    if n_compound > n_one + (n_one == 0 and lexicon.known(one)):
        return Join("-", True, 0.98, f"line-end hyphen kept; '{compound}' stands {_times(n_compound)} elsewhere")
    if n_one:
        return Join("", True, 0.99, f"line-end hyphen; '{one}' stands {_times(n_one)} elsewhere in the book")
    if lexicon.known(one):
        return Join("", True, 0.98, f"line-end hyphen; '{one}' is in the word list")
    last = left.rpartition("-")[2]
    if left.lower() in _PREFIXES and right.islower():
        return Join("", True, 0.95, f"line-end hyphen after '{left}-', which opens words")
    if not (lexicon.known(last) and lexicon.known(right)):
        if lexicon.known(right) and mend(left + "-"):
            return None
        return Join("", True, 0.9, f"line-end hyphen; '{left}' and '{right}' are not both words")
    if {last.lower(), right.lower()} & FUNCTION and last.lower() not in _COMPOUNDING:
        return Join(" ", True, 0.95, f"speck; '{left}' and '{right}' make no compound")
    if last.lower() in _COMPOUNDING or lexicon.size(compound) is not None:
        return Join("-", True, 0.95, f"line-end hyphen kept; '{last}-' opens compounds")
    if mend(one):
        return Join("", True, 0.9, f"line-end hyphen inside a misread word, '{mend(one)}'")
    if n_two > 0:
        return Join(" ", True, 0.95, f"speck; '{left} {right}' stands {_times(n_two)} elsewhere in the book")
    if lexicon.pair(left.lower(), right.lower()) or last.endswith("ly"):
        return Join(" ", True, 0.85, f"speck; '{one}' is no word, '{left}' and '{right}' are")
    return None


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n} times"
