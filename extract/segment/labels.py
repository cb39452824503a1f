"""Labels of numbered units in the working text: where one may stand, and the series that they make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from extract.numbering.label import Form, Label, forms
from extract.numbering.numerals import like_roman
from extract.numbering.series import series
from extract.segment.outline import WorkingText
from extract.segment.segment import Misreading
from extract.text.lines import ends_line

_PROVED = 0.85  # the confidence in a label that its place in the series proves
_PARTED = 0.1  # what a label is worth more below a blank line


@dataclass(frozen=True, slots=True)
class UnitLabel:
    """A label found in the working text: where it begins, where the text after it begins, its number.

    `misreadings` are the misread spans of the label, and what the series proves to be printed there.
    """

    start: int
    end: int
    number: int
    confidence: float = 1.0
    misreadings: tuple[Misreading, ...] = ()

    def mended(self, text: str, start: int, end: int) -> str:
        """A span of a text that contains the label, with its misreadings corrected."""
        pieces: list[str] = []
        for misreading in self.misreadings:
            pieces += (text[start : misreading.start], misreading.printed)
            start = misreading.end
        return "".join(pieces) + text[start:end]


def unit_labels(
    work: WorkingText,
    start: int,
    end: int,
    label: str,
    *,
    first: int = 1,
    last: int | None = None,
    alone: bool = False,
    no_roman: bool = False,
) -> list[UnitLabel]:
    """Find the labels of one series within a span of the working text.

    Args:
        work: the working text.
        start, end: the span, as offsets into it.
        label: how a label is printed, with `{n}` for digits, `{I}` for roman numerals, `{a}` for a letter, or
            `{w}` for a word (`LAW THE {w}.`), or `ordinal`; `|` separates several printed forms
            (`Section {n}.|Sec. {n}.`).
        first, last: the first number of the print, and the last one, if it is known.
        alone: labels have a line of their own.
        no_roman: what reads as a roman numeral is the label of another series, and no misread figure.
    Returns:
        The labels in reading order, with rising numbers.
    """
    ways = forms(label)
    labels = [
        x
        for x in _labels(work, start, end, ways, alone)
        if not (no_roman and len(x.read) > 1 and like_roman(x.read.lower(), "ivx"))
    ]
    printed = ways[0].printed
    found = series(labels, printed, first, last)
    stops = sum(x.label.tail.strip()[:1] == "." for x in found)
    stop = "." if stops * 2 > len(found) else ""
    return [
        UnitLabel(x.label.start, x.label.end, x.number, _PROVED if x.misread else 1.0,
             _misreadings(work.text, x.label, printed(x.number), stop))
        for x in found
    ]  # fmt: skip


def _labels(work: WorkingText, start: int, end: int, ways: tuple[Form, ...], alone: bool) -> Iterator[Label]:
    """All that looks like a label where the span or a line begins; it is worth more below a blank line."""
    for at in sorted({work.trim(start, end)[0], *work.line_starts(start, end)}):
        found = next(filter(None, (way.read(work.text, at, end, alone=alone) for way in ways)), None)
        if found and not (alone and not ends_line(work.text, found.end, end)):
            parted = work.text.endswith("\n\n", start, work.text.rfind("\n", start, at) + 1)
            yield replace(found, worth=found.worth + _PARTED * parted)


def _misreadings(text: str, label: Label, printed: str, stop: str) -> tuple[Misreading, ...]:
    """The misread span of a label whose number is known: its numeral, and the full stop that its series has."""
    same = label.read.lower() == printed
    tail = label.tail.strip()
    if same and not tail:
        return ()
    numeral = label.read if same else printed if printed.isdecimal() else printed.upper()
    if not tail or (stop and len(tail) == 1 and tail != stop):
        parted = " " if text[label.end : label.end + 1].isalpha() else ""
        return (Misreading(label.at, label.end, f"{numeral}{stop}{parted}"),)
    return () if same else (Misreading(label.at, label.at + len(label.read), numeral),)
