"""Find the title of a numbering: the best of all headings above its first label."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from extract.language.lexicon import word_set
from extract.text.headings import is_heading, names_a_body, numbered_heading, plain
from extract.text.lines import Line

_INTRODUCTION = 3500  # characters between the title of a code and its first law, at most
_PARAGRAPHS = 2  # between a title that names laws and the first law, at most
_NUMERAL = re.compile(r"(?:\d{1,3}|[IVXLC]+)\. ")
_JOINING = word_set("joining")


@dataclass(frozen=True, slots=True)
class Title:
    """The heading of a numbering, and where its text begins; `text` is empty if there is no heading.

    `names`: the heading clearly announces laws.
    """

    start: int
    text: str = ""
    names: bool = False


def find_title(lines: Sequence[Line], at: int, floor: int, *, divides: bool = False) -> Title:
    """Find the title of a numbering: the nearest heading that names laws, else the nearest that does not number a part.

    Args:
        lines: the lines of the text.
        at: the index of the line with its first label.
        floor: an offset above which its title cannot be.
        divides: there are headings between its members too, so that one directly above may belong to the first member.
    """
    best = (False, False, 0, False, -len(lines))
    texts = 0
    for i in reversed(
        range(bisect_left(lines, max(floor, lines[at].start - _INTRODUCTION), key=lambda x: x.start), at)
    ):
        line = lines[i]
        if is_heading(line):
            names = names_a_body(line.text) and (divides or texts <= _PARAGRAPHS)
            best = max(best, (names, not _numbers(line), -texts, line.capital, -i))
        else:
            texts += line.above > 1 and (not i or lines[i - 1].below > 1)  # not for sentences of a single-line scan
    names, _, texts, _, i = best
    if -i == len(lines):
        return Title(lines[at].start)
    first, last = _whole(lines[:at], -i)
    direct = all(map(is_heading, lines[first:at]))
    start = lines[first if direct or names else at].start
    text = " ".join(plain(line.text) for line in lines[first : last + 1]).rstrip(",;")
    return Title(max(floor, start), text, names and texts >= -1)


def _whole(lines: Sequence[Line], at: int) -> tuple[int, int]:
    """Return the indices of the first and the last line of a title: `THE`, `LAWS`, `OF`, `WHIST.`"""
    first = last = at
    while first and _goes_on(lines[first - 1], lines[first]):
        first -= 1
    while last + 1 < len(lines) and _goes_on(lines[last], lines[last + 1]):
        last += 1
    return first, last


def _goes_on(line: Line, below: Line) -> bool:
    """Whether two lines are one title: both in capitals, with a joining word where one ends or the other begins.

    Any line without a number continues `AN ACT`.
    """
    text, words = plain(line.text).casefold(), plain(below.text).casefold().split()
    if text == "an act":
        return not _numbers(below)
    if not (line.capital and below.capital) or text.endswith((".", ":", "!")):
        return False
    return not (_JOINING.isdisjoint(text.split()[-1:]) and (_JOINING - {"the", "a", "an"}).isdisjoint(words[:1]))


def _numbers(line: Line) -> bool:
    """Whether a heading has a number: `CHAPTER I.`, `II. OF CONSTABLES.`"""
    return numbered_heading(plain(line.text)) is not None or _NUMERAL.match(plain(line.text)) is not None
