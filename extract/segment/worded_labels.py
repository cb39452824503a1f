"""Labels whose number is printed in words: `LAW THE FIRST.`, `Article Second.`, `Rule Three.`, `Fourthly.--`"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from extract.numbering.sequence import Candidate, decode
from extract.numbering.spelled import ordinal, spelled
from extract.segment.mark import Mark
from extract.segment.outline import WorkingText
from extract.text.lines import ends_line

OVER = 0.35
"""What it costs to step over a label that is read well, as those of a list within a law."""
_HIGHEST = 99
_TAIL = re.compile(r"(?:ly)?[_*=]{0,2}(?P<stop>[.:,)]{0,2})[_*=]{0,2}[ \t]?[—–-]{0,3}[_*=]{0,2}(?=\s|$|(?<=[—–-])\S)")


class Worded(NamedTuple):
    """A number in words where a label has it: the offset after the label, its value, what stands behind the number.

    `ordinal`: whether it is one (`Second`, and not `Two`).
    """

    end: int
    value: int
    stop: str
    ordinal: bool


def worded(text: str, at: int) -> Worded | None:
    """The number in words at a place of a text, if what follows it may end a label.

    >>> worded("LAW THE FIRST. The dealer", 8)
    Worded(end=14, value=1, stop='.', ordinal=True)
    """
    counted = ordinal(text, at)
    found = counted or spelled(text, at)
    tail = _TAIL.match(text, found.end) if found and found.value <= _HIGHEST else None
    return Worded(tail.end(), found.value, tail["stop"], counted is not None) if found and tail else None


def worded_marks(
    work: WorkingText, start: int, end: int, label: str, *, alone: bool, first: int = 1, highest: int = _HIGHEST
) -> list[Mark]:
    """The labels of a series with its numbers in words; they are read as they stand.

    Args:
        work: the working text.
        start, end: the stretch, as offsets into it.
        label: how a label is printed, `{w}` for its number.
        alone: labels fill a line of their own.
        first: the number with which the series begins.
        highest: the greatest number to consider.
    """
    befores = [_before(way) for way in label.split("|")]
    candidates: list[Candidate] = []
    for at in work.line_starts(start, end):
        words = next((m for before in befores if (m := before.match(work.text, at, end))), None)
        found = worded(work.text, words.end()) if words else None
        if found is None or not work.text[words.end() if words else at].isupper():
            continue
        if alone and not ends_line(work.text, found.end, end):
            continue
        if found.stop or "\n" in work.text[found.end : found.end + 1] or work.text[found.end - 1] in "—–-":
            candidates.append(Candidate(at, found.end, str(found.value)))
    return [
        Mark(x.candidate.start, x.candidate.end, x.number, x.confidence)
        for x in decode(candidates, min(highest, _HIGHEST), over=OVER, first=first)
        if x.cost == 0
    ]


@lru_cache
def _before(way: str) -> re.Pattern[str]:
    """What stands before the number of a label, in capitals or not."""
    return re.compile("".join(rf"{re.escape(word)}\s*" for word in way.split("{")[0].split()), re.IGNORECASE)
