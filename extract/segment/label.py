"""Labels of numbered units: where one may stand, and the decoding of a whole series of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from extract.numbering.numerals import lettered, like_roman
from extract.numbering.sequence import Candidate, decode
from extract.numbering.template import Template, templates
from extract.segment.outline import WorkingText
from extract.segment.segment import Misreading
from extract.text.lines import ends_line
from extract.weights import weights

_OVER, _PARTED, _HEADED, _WITHIN = weights("labels", "label.over", "place.parted", "place.headed", "place.within")
_ABOVE, _NUMERAL = 60, 2  # characters above a label that are looked at; letters of a word that may be a numeral
_SENTENCE_END = re.compile(r"(?<=[.;:?!)\]\"'”’_=+])\s+")
_Read = Callable[..., Candidate | None]
_INSERTED = re.compile(r"(?P<number>\d+) ?(?P<letter>[a-hA-H])")


@dataclass(frozen=True, slots=True)
class Mark:
    """A label found in the working text: where it begins, where the text after it begins, its number.

    `misreadings` are stretches of the label that were misread, and what the series proves to be printed there;
    `letter` is that of one inserted after its number (`12a`).
    """

    start: int
    end: int
    number: int
    confidence: float
    misreadings: tuple[Misreading, ...] = ()
    letter: str = ""

    def mended(self, text: str, start: int, end: int) -> str:
        """A stretch of a text that holds the label, with what is printed for its misreadings."""
        pieces: list[str] = []
        for misreading in self.misreadings:
            pieces += (text[start : misreading.start], misreading.printed)
            start = misreading.end
        return "".join(pieces) + text[start:end]


def series_marks(
    work: WorkingText,
    start: int,
    end: int,
    label: str,
    highest: int,
    *,
    alone: bool = False,
    running: bool = False,
    shy: bool = False,
    first: int = 1,
    expect: int | None = None,
) -> list[Mark]:
    """Decode the labels of one series within a stretch of the working text.

    Args:
        work: the working text.
        start, end: the stretch, as offsets into it.
        label: how a label is printed, with `{n}` for digits, `{I}` for roman numerals, `{a}` for a letter, or
            `{w}` for a word (`LAW THE {w}.`), or `ordinal`; `|` stands between several ways to print it
            (`Section {n}.|Sec. {n}.`).
        highest: the greatest number to consider.
        alone: labels fill a line of their own.
        running: labels stand within lines too, where a clause ends.
        shy: a numeral that may as well be one of another series counts for less.
        first: the number with which the series begins.
        expect: the last number that the print has, if that is known.
    Returns:
        The labels in reading order, their numbers increasing; those inserted (`12a`) behind the one with their number.
    """
    matter = _Matter(work, start, end, templates(label), alone, shy)
    begun = [c for at in work.line_starts(start, end, running=running) if (c := matter.label_at(at))]
    printed = matter.ways[0].printed
    found = decode(
        begun, min(highest, first + 3 * len(begun) + 2), printed, over=_OVER, first=first, expect=expect,
        within=lambda after, before: matter.between(begun, after, before),
    )  # fmt: skip
    stops = sum(x.candidate.tail.strip()[:1] == "." for x in found)
    stop = "." if stops * 2 > len(found) else ""
    marks = [
        Mark(x.candidate.start, x.candidate.end, x.number, x.confidence,
             _misreadings(work.text, x.candidate, printed(x.number), stop))
        for x in found
    ]  # fmt: skip
    return sorted([*marks, *_inserted(marks, begun)], key=lambda m: m.start)


@dataclass(frozen=True, slots=True)
class _Matter:
    """The stretch of a working text that a series labels, and how its labels are printed."""

    work: WorkingText
    start: int
    end: int
    ways: tuple[Template, ...]
    alone: bool
    shy: bool

    def label_at(self, at: int) -> Candidate | None:
        """What may be a label where a line begins, or a clause."""
        return self._first(at, self.end, Template.read, self._place(at))

    def between(self, begun: Sequence[Candidate], after: int, before: int) -> list[Candidate]:
        """What may be a label between two, where numbers are missing: misread beyond reading, or within a line."""
        found = {c.start: c for c in begun if after < c.start < before}
        gaps = _SENTENCE_END.finditer(self.work.text, max(after, self.start), before) if not self.alone else ()
        places = {gap.end(): _WITHIN for gap in gaps if not self.work.in_footnote(gap.end())}
        places |= {x.start: self._place(x.start) for x in self.work.lines_from(max(after + 1, self.start), before)}
        for at, place in places.items():
            due = self._first(at, before, Template.due, place)
            if due and (at not in found or due.prior > found[at].prior):
                found[at] = due
        return sorted(found.values(), key=lambda c: c.start)

    def _first(self, at: int, end: int, read: _Read, place: float) -> Candidate | None:
        """The label that stands at a place in one of the ways, with what the place adds to what its shape says."""
        for way in self.ways:
            found = read(way, self.work.text, at, end, alone=self.alone)
            if found and not (self.alone and not ends_line(self.work.text, found.end, self.end)):
                doubtful = self.shy and like_roman(found.read.lower(), "ivx")
                return replace(found, prior=found.prior + place - doubtful)
        return None

    def _place(self, at: int) -> float:
        """What stands above speaks for a label: a blank line, and for one without a word the beginning or a heading."""
        line = self.work.text.rfind("\n", self.start, at) + 1
        parted = _PARTED * self.work.text.endswith("\n\n", self.start, line)
        last = self.work.text[max(self.start, at - _ABOVE) : at].split()[-1:]
        headed = all(word.isupper() and len(word.strip(".")) > _NUMERAL for word in last)
        return parted + _HEADED * (headed and not self.ways[0].worded)


def _misreadings(text: str, label: Candidate, printed: str, stop: str) -> tuple[Misreading, ...]:
    """What of a label is misread, once its number is known: the numeral, and the full stop its series has."""
    numeral = printed if printed.isdecimal() else printed.upper()
    same = label.read.lower() == printed
    tail = label.tail.strip()
    if same and not tail:
        return ()
    if not label.read or not tail or (stop and len(tail) == 1 and tail != stop):
        parted = " " if text[label.end : label.end + 1].isalpha() else ""
        return (Misreading(label.at, label.end, f"{label.read if same else numeral}{stop}{parted}"),)
    return () if same else (Misreading(label.at, label.at + len(label.read), numeral),)


def _inserted(marks: Sequence[Mark], candidates: Sequence[Candidate]) -> Iterator[Mark]:
    """Labels with a letter behind the number: `12a`, `12b`, in their order and read without a doubt."""
    numbers = {mark.start: mark.number for mark in marks}
    number, count = 0, 0
    for candidate in candidates:
        match = _INSERTED.fullmatch(candidate.read)
        if candidate.start in numbers:
            number, count = numbers[candidate.start], 0
        elif match and int(match["number"]) == number and match["letter"].lower() == lettered(count + 1):
            count += 1
            yield Mark(candidate.start, candidate.end, number, 1.0, (), lettered(count))
