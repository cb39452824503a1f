"""Labels of numbered units: where one may stand, and the decoding of a whole series of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from extract.numbering.numerals import lettered, like_roman
from extract.numbering.sequence import Candidate, decode
from extract.numbering.template import Template, templates
from extract.segment.mark import Mark, Misreading
from extract.segment.outline import WorkingText
from extract.text.lines import ends_line

_OVER = 0.35  # what it costs to step over a label that is read well, as those of a list within a law
# What the place speaks for a label: the beginning of the matter, a blank line above, a heading; and against one
# within a line.
_BEGINS, _PARTED, _HEADED, _WITHIN = 0.6, 0.3, 0.5, -0.65
_ABOVE = 60  # characters above a label that are looked at
_NUMERAL = 2  # letters of the last word above, in capitals, that may be a numeral
_LAST_LETTER, _SEVERAL = 26, 2
_SENTENCE_END = re.compile(r"(?<=[.;:?!)\]\"'”’_=+])\s+")
_INSERTED = re.compile(r"(?P<number>\d+) ?(?P<letter>[a-hA-H])")


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
    most = min(highest, first + 3 * len(begun) + 2, _LAST_LETTER if printed is lettered else highest)
    found = decode(
        begun, most, printed, over=_OVER, first=first, expect=expect,
        within=lambda after, before: matter.between(begun, after, before),
    )  # fmt: skip
    if matter.ways[0].slot == "{w}":
        found = tuple(x for x in found if not x.cost)
    if label == "ordinal" and len(found) < _SEVERAL:
        return []
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
        found = self._kept(way.read(self.work.text, at, self.end, alone=self.alone) for way in self.ways)
        return self._placed(found[0], self._place(at)) if found else None

    def between(self, begun: Sequence[Candidate], after: int, before: int) -> list[Candidate]:
        """What may be a label between two, where numbers are missing: misread beyond reading, or within a line."""
        text, ways = self.work.text, self.ways
        found = {c.start: c for c in begun if after < c.start < before}
        for line in self.work.lines_from(max(after + 1, self.start), before):
            if line.above > 1 or ways[0].worded:
                due = self._kept(way.due(text, line.start, before, alone=self.alone) for way in ways)
                placed = [self._placed(c, self._place(line.start)) for c in due]
                known = [found[line.start]] if line.start in found else []
                if both := [*known, *placed]:
                    found[line.start] = max(both, key=lambda c: c.prior)
        for gap in _SENTENCE_END.finditer(text, max(after, self.start), before) if not self.alone else ():
            at = gap.end()
            if at not in found and not self.work.in_footnote(at):
                reads = (way.due if way.worded else way.read for way in ways)
                due = self._kept(read(text, at, before) for read in reads)
                if due:
                    found[at] = self._placed(due[0], _WITHIN)
        return sorted(found.values(), key=lambda c: c.start)

    def _kept(self, candidates: Iterable[Candidate | None]) -> list[Candidate]:
        return [c for c in candidates if c and not (self.alone and not ends_line(self.work.text, c.end, self.end))]

    def _placed(self, candidate: Candidate, place: float) -> Candidate:
        """A candidate, with what its place adds to what its shape says."""
        doubtful = self.shy and like_roman(candidate.read.lower(), "ivx")
        return replace(candidate, prior=candidate.prior + place - doubtful)

    def _place(self, at: int) -> float:
        """What stands above speaks for a label: a blank line, and for one without a word the beginning or a heading."""
        above = self.work.text[max(self.start, at - _ABOVE) : at].rstrip(" ")
        parted = _PARTED if above.endswith("\n\n") else 0.0
        if self.ways[0].worded:
            return parted
        last = above.split()[-1] if above.strip() else ""
        headed = last.isupper() and len(last.strip(".")) > _NUMERAL
        return parted + _HEADED if headed else parted if last else _BEGINS


def _misreadings(text: str, label: Candidate, printed: str, stop: str) -> tuple[Misreading, ...]:
    """What of a label is misread, once its number is known: the numeral, and the full stop its series has."""
    numeral = printed if printed.isdecimal() else printed.upper()
    same = label.read == printed or (label.read.lower() == printed and not printed.isdecimal())
    end, tail = label.at + len(label.read), label.tail.strip()
    if label.at < 0 or (same and not tail) or (label.worded and not label.read):
        return ()
    if not label.read or not tail or (stop and tail[0] != stop and len(tail) == 1):
        parted = " " if text[label.end : label.end + 1].isalpha() else ""
        return (Misreading(label.at, label.end, f"{label.read if same else numeral}{stop}{parted}"),)
    return () if same else (Misreading(label.at, end, numeral),)


def _inserted(marks: Sequence[Mark], candidates: Sequence[Candidate]) -> Iterator[Mark]:
    """Labels with a letter behind the number: `12a`, `12b`, in their order and read without a doubt."""
    letters = {mark.number: "" for mark in marks}
    last = {mark.start: mark.number for mark in marks}
    number = 0
    for candidate in candidates:
        match = _INSERTED.fullmatch(candidate.read)
        number = last.get(candidate.start, number)
        if match and candidate.start not in last and int(match["number"]) == number:
            letter = match["letter"].lower()
            if letter == lettered(len(letters[number]) + 1):
                letters[number] += letter
                yield Mark(candidate.start, candidate.end, number, 1.0, (), letter)
