"""Words that the scan cuts in two: hyphens at line ends, at page breaks, and inside a single line of text.

For each hyphen there are three readings: one word (`an-/nounce`), a compound that keeps it (`twenty-/five`), or a
speck between two words (`missing-/card`). The book's own use decides, then the word lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from extract.context import Usage
from extract.lexicon import FUNCTION, Lexicon, core
from extract.stream import Stream

_LEFT = re.compile(r"[^\W\d_][^\s—–.,;:?!\"-]*[-»«=¬]$")
_RIGHT = re.compile(r"^[^\W\d_]")
_RIGHT_MISREAD = re.compile(r"^[\^<>*\\|}{/][^\s]*[a-z]{2}")
_LEFT_WORD = re.compile(r"(?:^|[^\w'’-])([^\W\d_][\w'’-]*)[-»«=¬]$")
_RIGHT_WORD = re.compile(r"^([\w'’]+(?:-\w[\w'’]*)*)")
_HYPHEN_FIRST = re.compile(r"^-([^\W\d_]+)")
_GENITIVE = re.compile(r"(?:^|[^\w'])([A-Za-z]?[a-z]{2,})$")
_LONE_S = re.compile(r"^s[,.;:?!\"”)]*$")
_SUSPENDED = frozenset({"and", "or", "to", "nor"})
_NUMBERS = frozenset("twenty thirty forty fifty sixty seventy eighty ninety".split())
_UNITS = frozenset(
    "one two three four five six seven eight nine first second third fourth fifth sixth seventh eighth ninth".split()
)
_KEEPS = frozenset(
    """self non ex quasi vice half cross ill well above fore first second third fourth fifth left right fellow
    latter former wrong post anti co""".split()
)
_PREFIXES = frozenset("un in im ir il re dis mis en em pre sub inter over under out up counter super".split())


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
    for i in range(1, len(stream.tokens)):
        left, right, gap = stream.tokens[i - 1], stream.tokens[i], stream.gaps[i]
        if left.fixed or right.fixed or gap.given or not left.text or not right.text:
            continue
        if found := _beside(left.text, right.text, lexicon, usage):
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
        numeral = head.lower() in _NUMBERS and tail[1].lower() in _UNITS
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
    if left.lower() in _NUMBERS and right.lower() in _UNITS:
        return Join("-", True, 0.99, f"'{compound}' is a numeral with a hyphen")
    if n_compound > n_one:
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
    if {last.lower(), right.lower()} & FUNCTION and last.lower() not in _KEEPS:
        return Join(" ", True, 0.95, f"speck; '{left}' and '{right}' make no compound")
    if last.lower() in _KEEPS or lexicon.size(compound) is not None:
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
