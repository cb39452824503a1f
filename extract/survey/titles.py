"""The title of a numbering: of all headings above its first label, the one for which most speaks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf

from extract.language.lexicon import word_set
from extract.text.headings import block_above, is_heading, names_a_body, numbered_heading, plain
from extract.text.lines import Line

_INTRODUCTION = 3500  # characters between the title of a code and its first law, at most
# What speaks for a title: that it names laws, and that it is in capitals; against it, each paragraph between it and the
# label, the first ones, that it numbers a part, and where headings stand between the laws too, that it names no laws.
_NAMES, _CAPITAL, _PARAGRAPH, _MOST, _NUMBERS, _DIVIDES = 4.0, 1.0, 1.5, 3, 2.0, 2.0
_SURE = 3.0  # how much speaks for a title that surely is one
_APART = 3  # line ends above a title that part it from that of the book
_LONGEST = 100  # characters of a title that stands in several lines
_NUMERAL = re.compile(r"(?:\d{1,3}|[IVXLC]+)\. ")
_BARE = {"laws", "the laws", "rules", "the rules", "regulations"}  # titles that do not say of what
_JOINING = word_set("joining")
_ARTICLES = word_set("articles") | {"a"}


@dataclass(frozen=True, slots=True)
class Title:
    """What heads a numbering, and where its matter begins; `text` is empty if there is no heading.

    `names`: it surely says that laws follow; `direct`: no text stands between it and the first label.
    """

    start: int
    text: str = ""
    names: bool = False
    direct: bool = False


def find_title(lines: Sequence[Line], at: int, floor: int, *, divides: bool = False, below: int | None = None) -> Title:
    """The title of a numbering.

    Args:
        lines: the lines of the text.
        at: the index of the line with its first label.
        floor: an offset above which its title cannot stand.
        divides: headings stand between its members too, so that the one directly above may be the first of these.
        below: if it is numbered afresh under every heading, the index of the first of these headings. What stands
            below one that numbers a part is the title of that part.
    """
    best = (-inf, 0, 0)
    texts = 0
    for i in reversed(range(bisect_left(lines, max(floor, lines[at].start - _INTRODUCTION), key=_start), at)):
        if not is_heading(lines[i]):
            texts += lines[i].above > 1 and (not i or lines[i - 1].below > 1)  # no sentence of a single line
            continue
        names, numbers = names_a_body(lines[i].text), _numbers(lines[i])
        value = _NAMES * names + _CAPITAL * lines[i].capital - _PARAGRAPH * min(texts, _MOST)
        value -= _NUMBERS * numbers + _DIVIDES * (divides and not names)
        of_part = any(map(_numbers, lines[block_above(lines, i) : i + 1]))
        if below is None or not (of_part or (i >= below and not names)):
            best = max(best, (value, -texts, -i))
        texts += lines[i].above >= _APART
    value, i = best[0], -best[2]
    if value == -inf:
        top = _top(lines, at, floor)
        return Title(lines[top].start, direct=top < at)
    names = names_a_body(lines[i].text)
    direct = all(map(is_heading, lines[i:at]))
    start = lines[_top(lines, i + 1, floor) if direct or names else at].start
    return Title(start, _whole(lines, i, floor), names and value >= _SURE, direct)


def _top(lines: Sequence[Line], at: int, floor: int) -> int:
    """The first of the headings that stand together above a line, or that line."""
    top = at
    while top and is_heading(lines[top - 1]) and lines[top - 1].start >= floor:
        top -= 1
        if lines[top].above >= _APART:
            break
    return top


def _whole(lines: Sequence[Line], at: int, floor: int) -> str:
    """A title with the lines in which it goes on: `THE`, `LAWS`, `OF`, `WHIST.`; what does not say of what, with that.

    `AN ACT` goes on in any case, and `LAWS.` may stand below the name of the game.
    """
    first = last = at
    while first and _goes_on(lines[first - 1], lines[first]):
        first -= 1
    while last + 1 < len(lines) and _goes_on(lines[last], lines[last + 1]):
        last += 1
    title = " ".join(plain(line.text) for line in lines[first : last + 1])[:_LONGEST].rstrip(",;")
    if title.casefold().strip(".") in _BARE:
        above = (x for x in reversed(lines[:first]) if x.start >= floor and is_heading(x) and not _numbers(x))
        title = ": ".join([*(plain(line.text).rstrip(".,;:") for line in islice(above, 1)), title])
    return title


def _goes_on(line: Line, below: Line) -> bool:
    """Whether two lines are one title: a word that joins ends the first or begins the other."""
    text, words = plain(line.text).casefold(), plain(below.text).casefold().split()
    if text in ("an act", "act"):
        return True
    if not (line.capital and below.capital) or text.endswith((".", ":", "!")) or _numbers(line) or _numbers(below):
        return False
    return not (_JOINING.isdisjoint(text.split()[-1:]) and (_JOINING - _ARTICLES).isdisjoint(words[:1]))


def _numbers(line: Line) -> bool:
    """Whether a heading numbers what it heads: `CHAPTER I.`, `II. OF CONSTABLES.`"""
    return numbered_heading(plain(line.text)) is not None or _NUMERAL.match(plain(line.text)) is not None


def _start(line: Line) -> int:
    return line.start
