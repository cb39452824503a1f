"""Words cut at line ends and at page breaks: joined, unless they are printed with a hyphen elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from extract.language.lexicon import Lexicon, core
from extract.text.spacing import CUTS
from extract.text.stream import Gap, Stream

_LEFT = re.compile(rf"(?:^|[^\w'’-])([^\W\d_][\w'’-]*)[{CUTS}]$")
_RIGHT = re.compile(r"[^\W\d_][\w'’]*(?:-\w[\w'’]*)*")


@dataclass(frozen=True, slots=True)
class Join:
    """How a cut word is read: what stands in place of the hyphen and the gap ("" or "-"), and why."""

    between: str
    why: str


def count_words(stream: Stream) -> Counter[str]:
    """Count the words of a scan, in lower case, without those that a line end or a page break cuts."""
    words: Counter[str] = Counter()
    cut = False
    for token, gap in zip(stream.tokens, stream.gaps[1:], strict=True):
        broken = token.text.endswith("-") or (gap.breaks > 0 and token.text.endswith(tuple(CUTS)))
        if not (cut or broken):
            words[core(token.text).lower()] += 1
        cut = broken
    return words


def find_joins(stream: Stream, lexicon: Lexicon, words: Counter[str]) -> dict[int, Join]:
    """Decide how each word is read that is cut before a small letter, or in a line of capitals.

    Args:
        stream: the tokens of the scan.
        lexicon: the word lists.
        words: how often each word occurs in the book (`count_words`).
    Returns:
        The joins, by the index of the gap.
    """
    read = ((i, _read(left, right, lexicon, words)) for i, left, right in _cuts(stream))
    return {i: join for i, join in read if join}


def _cuts(stream: Stream) -> Iterator[tuple[int, str, str]]:
    """The gaps after a hyphen that cuts a word, with the two sides of the word."""
    for i in range(1, len(stream.tokens)):
        left, right, gap = stream.tokens[i - 1].text, stream.tokens[i].text, stream.gaps[i]
        if not _ends_line(left, gap) or not (head := _LEFT.search(left)) or not (tail := _RIGHT.match(right)):
            continue
        if tail[0][0].islower() or (tail[0].isupper() and head[1].isupper()):
            yield i, head[1], tail[0]


def _ends_line(left: str, gap: Gap) -> bool:
    """Whether a token may be cut before a gap; in a scan without lines, at any hyphen before a blank."""
    return left[-1] == "-" or (gap.breaks > 0 and left[-1] in CUTS)


def _read(left: str, right: str, lexicon: Lexicon, words: Counter[str]) -> Join | None:
    one, compound = left + right, f"{left}-{right}"
    uses, hyphened = words[one.lower()], words[compound.lower()]
    if hyphened > uses:
        return Join("-", f"the hyphen is printed: '{compound}' stands elsewhere in the book")
    if uses:
        return Join("", f"line-end hyphen: '{one}' stands elsewhere in the book")
    if lexicon.known(one):
        return Join("", f"line-end hyphen: '{one}' is in the word lists")
    if lexicon.size(compound) is not None:
        return Join("-", f"the hyphen is printed: '{compound}' is in the word lists")
    if lexicon.known(left.rpartition("-")[2]) and lexicon.known(right):
        return None  # a compound, or a speck between two words
    return Join("", f"line-end hyphen: '{left}' or '{right}' is no word")
