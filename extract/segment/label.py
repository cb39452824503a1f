"""Labels of numbered units: where one may occur, and the decoding of a whole series of them."""

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
_ABOVE, _NUMERAL = 60, 2  # characters examined before a label; the most letters of a word that may be a numeral
_SENTENCE_END = re.compile(r"(?<=[.;:?!)\]\"'”’_=+])\s+")
_Read = Callable[..., Candidate | None]
_INSERTED = re.compile(r"(?P<number>\d+) ?(?P<letter>[a-hA-H])")


@dataclass(frozen=True, slots=True)
class Mark:
    """A label found in the working text: where it begins, where the text after it begins, its number.

    `misreadings` are the misread spans of the label, and what the series proves to be printed there;
    `letter` is the letter of a label that was inserted after its number (`12a`).
    """

    start: int
    end: int
    number: int
    confidence: float
    misreadings: tuple[Misreading, ...] = ()
    letter: str = ""

    def mended(self, text: str, start: int, end: int) -> str:
        """A span of a text that contains the label, with its misreadings corrected."""
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
    """Decode the labels of one series within a span of the working text.

    Args:
        work: the working text.
        start, end: the span, as offsets into it.
        label: how a label is printed, with `{n}` for digits, `{I}` for roman numerals, `{a}` for a letter, or
            `{w}` for a word (`LAW THE {w}.`), or `ordinal`; `|` separates several printed forms
            (`Section {n}.|Sec. {n}.`).
        highest: the highest number to consider.
        alone: labels have a line of their own.
        running: labels occur within lines too, where a clause ends.
        shy: a candidate that may be a roman numeral of another series scores lower.
        first: the number with which the series begins.
        expect: the last number in the print, if it is known.
    Returns:
        The labels in reading order, with increasing numbers; inserted ones (`12a`) follow the one with their number.
    """
    span = _SeriesSpan(work, start, end, templates(label), alone, shy)
    begun = [c for at in work.line_starts(start, end, running=running) if (c := span.label_at(at))]
    printed = span.ways[0].printed
    found = decode(
        begun, min(highest, first + 3 * len(begun) + 2), printed, over=_OVER, first=first, expect=expect,
        within=lambda after, before: span.between(begun, after, before),
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
class _SeriesSpan:
    """The span of a working text that a series labels, and how its labels are printed."""

    work: WorkingText
    start: int
    end: int
    ways: tuple[Template, ...]
    alone: bool
    shy: bool

    def label_at(self, at: int) -> Candidate | None:
        """The candidate at an offset where a line or a clause begins."""
        return self._first(at, self.end, Template.read, self._place(at))

    def between(self, begun: Sequence[Candidate], after: int, before: int) -> list[Candidate]:
        """Candidates between two labels with numbers missing: also badly misread ones, and ones within a line."""
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
        """The candidate at an offset, in the first printed form that matches; `place` is added to its score."""
        for way in self.ways:
            found = read(way, self.work.text, at, end, alone=self.alone)
            if found and not (self.alone and not ends_line(self.work.text, found.end, self.end)):
                doubtful = self.shy and like_roman(found.read.lower(), "ivx")
                return replace(found, prior=found.prior + place - doubtful)
        return None

    def _place(self, at: int) -> float:
        """Score a place by what precedes it: a blank line; for labels without a word, also a heading, or no text."""
        line = self.work.text.rfind("\n", self.start, at) + 1
        parted = _PARTED * self.work.text.endswith("\n\n", self.start, line)
        last = self.work.text[max(self.start, at - _ABOVE) : at].split()[-1:]
        headed = all(word.isupper() and len(word.strip(".")) > _NUMERAL for word in last)
        return parted + _HEADED * (headed and not self.ways[0].worded)


def _misreadings(text: str, label: Candidate, printed: str, stop: str) -> tuple[Misreading, ...]:
    """The misread span of a label whose number is known: its numeral, and the full stop that its series has."""
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
    """Labels with a letter after the number: `12a`, `12b`, in order and read without doubt."""
    numbers = {mark.start: mark.number for mark in marks}
    number, count = 0, 0
    for candidate in candidates:
        match = _INSERTED.fullmatch(candidate.read)
        if candidate.start in numbers:
            number, count = numbers[candidate.start], 0
        elif match and int(match["number"]) == number and match["letter"].lower() == lettered(count + 1):
            count += 1
            yield Mark(candidate.start, candidate.end, number, 1.0, (), lettered(count))
