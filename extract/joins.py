"""Words that the scan cuts in two: hyphens at line ends, at page breaks, and inside a single line of text.

For each hyphen there are three readings: one word (`an-/nounce`), a compound that keeps it (`twenty-/five`), or a
speck between two words (`missing-/card`). The book's own use decides, then the word lists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from extract.context import Usage
from extract.lexicon import Lexicon
from extract.stream import Stream

Reading = Literal["one word", "compound", "two words"]

_LEFT = re.compile(r"[^\W\d_][^\s—–.,;:?!\"-]*-$")
_RIGHT = re.compile(r"^[^\W\d_]")
_LEFT_WORD = re.compile(r"([^\W\d_][\w'’-]*)-$")
_RIGHT_WORD = re.compile(r"^([\w'’]+(?:-\w[\w'’]*)*)")
_SUSPENDED = frozenset({"and", "or", "to", "nor"})
_NUMBERS = frozenset("twenty thirty forty fifty sixty seventy eighty ninety half three-quarters".split())
_UNITS = frozenset(
    "one two three four five six seven eight nine first second third fourth fifth sixth ninth".split()
)
_KEEPS = frozenset("self non ex quasi vice half cross ill well above fore".split())


@dataclass(frozen=True, slots=True)
class Join:
    """How the hyphen before a gap is read, how sure that is, and the evidence."""

    reading: Reading
    confidence: float
    note: str


def find_joins(stream: Stream, lexicon: Lexicon, usage: Usage) -> dict[int, Join]:
    """Decide every hyphen that stands before white space and between letters.

    Args:
        stream: the scan's tokens.
        lexicon: word lists.
        usage: the book's own counts.
    Returns:
        For the index of a gap: the reading of the hyphen before it. A hyphen left as it stands has no entry.
    """
    joins: dict[int, Join] = {}
    for i in range(1, len(stream.tokens)):
        left, right, gap = stream.tokens[i - 1], stream.tokens[i], stream.gaps[i]
        if (
            left.fixed
            or right.fixed
            or gap.given
            or not _LEFT.search(left.text)
            or not _RIGHT.match(right.text)
        ):
            continue
        head, tail = _LEFT_WORD.search(left.text), _RIGHT_WORD.match(right.text)
        if head is None or tail is None:
            joins[i] = Join("one word", 0.8, "line-end hyphen inside a misread word")
            continue
        if gap.breaks == 0 and tail[1].lower() in _SUSPENDED:
            continue
        follows = tail[1] if tail.end() == len(right.text) else ""
        joins[i] = decide(head[1], tail[1], lexicon, usage, whole=bool(follows) or len(right.text) < 40)
    return joins


def decide(left: str, right: str, lexicon: Lexicon, usage: Usage, *, whole: bool = True) -> Join:
    """Read the hyphen between two pieces of text.

    Args:
        left: the letters before the hyphen, back to the last blank.
        right: the letters after the gap.
        lexicon: word lists.
        usage: the book's counts, in which forms cut by a line end do not count.
        whole: whether `right` is the whole rest of the word.
    """
    one, compound = left + right, f"{left}-{right}"
    n_one, n_compound = usage.word(one), usage.word(compound)
    n_two = usage.pair(left, right)
    words = lexicon.known(left.rpartition("-")[2]) and lexicon.known(right)
    if left.lower() in _NUMBERS and right.lower() in _UNITS:
        return Join("compound", 0.99, f"'{compound}' is a numeral with a hyphen")
    if n_compound > n_one:
        return Join(
            "compound", 0.98, f"line-end hyphen kept; '{compound}' stands {_times(n_compound)} elsewhere"
        )
    if n_one:
        return Join(
            "one word", 0.99, f"line-end hyphen; '{one}' stands {_times(n_one)} elsewhere in the book"
        )
    if lexicon.known(one):
        return Join("one word", 0.98, f"line-end hyphen; '{one}' is in the word list")
    if not words:
        return Join("one word", 0.9, f"line-end hyphen; '{left}' and '{right}' are no words of their own")
    if n_two > 0 and left.lower() not in _KEEPS:
        return Join(
            "two words", 0.95, f"speck; '{left} {right}' stands {_times(n_two)} elsewhere in the book"
        )
    if left.lower() in _KEEPS or lexicon.size(compound) is not None:
        return Join("compound", 0.95, f"line-end hyphen kept; '{left}-' opens compounds")
    if lexicon.pair(left.lower(), right.lower()):
        return Join("two words", 0.85, f"speck; '{left} {right}' is a common pair of words, '{one}' no word")
    return Join("compound", 0.7, f"line-end hyphen kept; '{one}' is no word, '{left}' and '{right}' are")


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n} times"
