"""Labels that a decoded series proves although no line begins with them, and those inserted between its numbers.

Only what both neighbours prove is taken: a number is missing between two that were found, and the text between them
has a label for it in the middle of a line, or as many labels as numbers are missing, however these are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from extract.language.lexicon import load_lexicon
from extract.model import Span
from extract.numbering.numerals import lettered, like_roman, reading_cost, roman
from extract.segment.label import word_pattern
from extract.segment.mark import Mark, Misreading
from extract.segment.outline import WorkingText

_LIKE = 0.75  # what it may cost to read a figure of a label in the middle of a line, one with another
_SECOND = 2
_SURE, _LOST = 0.95, 0.85
_LETTERS = "abcdefgh"
_FIGURES = re.compile(
    r"[^\w$]{0,2}(?P<number>[0-9A-Za-z$&§]{1,3})(?P<stop>[.,:;-]{1,2})(?P<opens>\s+(?=[\"“‘'(]?[A-Z]))?"
)
# A label without its stop: two figures, or what they are read as, before a capital or run together with a word.
_UNSTOPPED = re.compile(
    r"[^\w$]{0,2}(?P<number>[a-z]{2,3}(?= [A-Z])|(?=.?\d|[$&§])[\w$&§]{2}(?=[a-z]| [A-Z]))(?P<stop>)"
)
_PLAIN = re.compile(r"\d{2,3}[.,]{1,2} ?[A-Z]")  # what can be nothing but a label where its number is due
_UNREAD = re.compile(r"(?P<number>[.,])(?P<stop>)(?= [A-Z])")  # nothing of the figures is left
_READ_SO, _CAPITALISED = 1.0, 0.65  # what it may cost to read each figure of a label so; of one like a word
_SENTENCE_END = r"(?<=[.;:?!)\]\"'”’_=+])\s+"


def with_lost(
    work: WorkingText, marks: Sequence[Mark], label: str, end: int, *, start: int | None = None, alone: bool = False
) -> list[Mark]:
    """A series with the labels that its gaps prove, and with the inserted ones.

    Args:
        work: the working text.
        marks: the series as it was decoded.
        label: how a label is printed.
        end: where the matter of the series ends.
        start: where it begins, if the first label may stand in the middle of a line, as behind a heading.
        alone: labels fill a line of their own.
    Returns:
        All labels in reading order.
    """
    if label == "ordinal" or "{w}" in label or not marks:
        return list(marks)
    ways = label.split("|")
    found = list(marks)
    for before, after in pairwise(marks):
        missing = range(before.number + 1, after.number)
        if missing:
            found += (
                _by_place(work, before, after, missing, ways)
                or _by_paragraph(work, before, after, missing, ways)
                or ([] if alone else _within_line(work, before, after, missing, ways))
                or ([] if alone else _misread_within(work, before, after, missing, ways))
            )
    if start is not None and not alone and marks[0].number == _SECOND:
        found += _within_line(work, Mark(start, start, 0, 1.0), marks[0], range(1, _SECOND), ways)
    found.sort(key=lambda m: m.start)
    borders = [*(m.start for m in found[1:]), end]
    inserted = [x for mark, stop in zip(found, borders, strict=True) for x in _inserted(work, mark, stop, ways)]
    return sorted([*found, *inserted], key=lambda m: m.start)


def _by_place(work: WorkingText, before: Mark, after: Mark, missing: range, ways: Sequence[str]) -> list[Mark]:
    """As many labels as numbers are missing: theirs, whatever was read. Only labels with a word or sign are such."""
    found: list[Mark] = []
    patterns = [p for way in ways for p in _opening(way)]
    for line in work.lines_from(before.end, after.start):
        match = next((m for p in patterns if (m := p.match(work.text, line.start, after.start))), None)
        if match:
            printed = _numeral(ways[0])(missing[min(len(found), len(missing) - 1)])
            read = match["number"]
            misread = (Misreading(*match.span("number"), printed),) if read and read != printed else ()
            found.append(Mark(line.start, match.end(), 0, _LOST, misread if _numeral(ways[0]) is str else ()))
    if len(found) != len(missing):
        return []
    return [Mark(m.start, m.end, n, m.confidence, m.misreadings) for m, n in zip(found, missing, strict=True)]


def _by_paragraph(work: WorkingText, before: Mark, after: Mark, missing: range, ways: Sequence[str]) -> list[Mark]:
    """Of labels that are no more than figures: as many as are missing, each of as many signs as its number has."""
    if not any(way.startswith("{n}") for way in ways):
        return []
    found: list[Mark] = []
    lines = work.lines_from(before.end, after.start)
    starts = [m for line in lines if (m := _FIGURES.match(work.text, line.start, after.start))]
    listed = {int(m["number"]) + 1 for m in starts if m["number"].isdecimal() and int(m["number"]) not in missing}
    for line in lines:
        number = missing[min(len(found), len(missing) - 1)]
        match = _FIGURES.match(work.text, line.start, after.start)
        if match and match["number"].isdecimal() and int(match["number"]) in listed:
            continue
        same = match is not None and match["number"] == str(number)
        if not same:
            unread = _UNREAD.match(work.text, line.start, after.start)
            match = unread or (_misread_at(work.text, line.start, after.start, str(number)) if line.above > 1 else None)
        if match:
            misread = () if same else (Misreading(*match.span("number"), str(number) + _lost_stop(match)),)
            found.append(Mark(match.start("number"), match.end("stop"), number, _LOST, misread))
    if len({m.number for m in found}) == len(found) == len(missing):
        return found
    return [m for m in found if not m.misreadings and _PLAIN.match(work.text, m.start, after.start)]


def _misread_at(text: str, start: int, end: int, number: str) -> re.Match[str] | None:
    """What begins a paragraph as the label of a number, in which its figures may be misread; one alone is like it."""
    match = _FIGURES.match(text, start, end)
    if len(number) < 2:
        like = match and match["opens"] is not None and reading_cost(number, match["number"]) <= _LIKE
        return match if match and like and len(match["number"]) == 1 else None
    if match and match["opens"] is not None and len(match["number"]) == len(number):
        return match if _is_garbled(match["number"], number) else None
    match = _UNSTOPPED.match(text, start, end)
    if match and len(match["number"]) == len(number) and not load_lexicon().known(match["number"]):
        return match if reading_cost(number, match["number"]) <= _CAPITALISED * len(number) else None
    return None


def _lost_stop(match: re.Match[str]) -> str:
    """The full stop that a label has lost, with a blank where it runs together with a word."""
    return "" if match["stop"] else ". " if match.string[match.end() : match.end() + 1].isalpha() else "."


def _is_garbled(read: str, number: str) -> bool:
    """Whether signs where a label is due may be that misread: figures like it, or letters that are no numeral.

    No paragraph begins with a small letter, and few with a word of two or three letters and a stop.
    """
    cost = reading_cost(number, read)
    if read.isalpha() and read.isupper():
        return not like_roman(read)
    return cost <= _CAPITALISED * len(number) if read.isalpha() and read[0].isupper() else cost < _READ_SO * len(number)


def _within_line(work: WorkingText, before: Mark, after: Mark, missing: range, ways: Sequence[str]) -> list[Mark]:
    """The labels of missing numbers that stand behind the end of a sentence, each in one place only."""
    found: list[Mark] = []
    at = before.end
    for number in missing:
        matches = [m.span("label") for way in ways for m in _exact(way, number).finditer(work.text, at, after.start)]
        if len({start for start, _ in matches}) == 1:
            found.append(Mark(*max(matches), number, _SURE))
            at = found[-1].end
    return found


def _misread_within(work: WorkingText, before: Mark, after: Mark, missing: range, ways: Sequence[str]) -> list[Mark]:
    """Labels with a word that stand behind the end of a sentence, their numbers misread: as many as are missing."""
    patterns = [p for way in ways if (p := _behind_sentence(way))]
    matches = {m.start("label"): m for p in patterns for m in p.finditer(work.text, before.end, after.start)}
    found: list[Mark] = []
    for number, match in zip(missing, (matches[at] for at in sorted(matches)), strict=False):
        read, printed = match["number"], str(number)
        if reading_cost(printed, read) < _LIKE * len(printed):
            misread = Misreading(*match.span("number"), printed)
            found.append(Mark(match.start("label"), match.end("label"), number, _LOST, (misread,)))
    return found if len(found) == len(matches) == len(missing) else []


def _inserted(work: WorkingText, mark: Mark, stop: int, ways: Sequence[str]) -> list[Mark]:
    """Labels with a letter behind the number: `12a`, `12b`, in their order and read without a doubt."""
    found: list[Mark] = []
    patterns = [_lettered(way, mark.number) for way in ways if "{a}" not in way]
    for line in work.lines_from(mark.end, stop):
        match = next((m for p in patterns if (m := p.match(work.text, line.start, stop))), None)
        if match and match["letter"].lower() == _LETTERS[len(found) : len(found) + 1]:
            found.append(Mark(line.start, match.end(), mark.number, 1.0, (), match["letter"].lower()))
    return found


def _parts(way: str) -> tuple[str, str, Callable[[int], str]]:
    """What stands before and behind the number of a label, as regular expressions, and how numbers are printed."""
    slot = next(s for s in ("{I}", "{a}", "{n}") if s in way)
    before, _, after = way.partition(slot)
    words = "".join(rf"{re.escape(w)}\s*" for w in before.split())
    return words, re.escape(after.strip()), _numeral(way)


def _numeral(way: str) -> Callable[[int], str]:
    return roman if "{I}" in way else lettered if "{a}" in way else str


@lru_cache
def _opening(way: str) -> tuple[re.Pattern[str], ...]:
    """How a line begins with a label that has a word or sign: that as it is printed, or misread before a figure."""
    words, _, _ = _parts(way)
    before = way.split("{")[0]
    if not (re.sub(r"\W", "", before) or "§" in before or "¶" in before):
        return ()
    misread = r"\s*".join(map(word_pattern, before.split()))
    stopped = words.replace(r"\.", "[.,:;]")
    return (
        re.compile(rf"\W{{0,2}}(?i:{words})(?P<number>\S{{1,5}}?)[.,:]"),
        re.compile(rf"\W{{0,2}}(?i:{stopped})(?P<number>)[.,]?\s*(?=[A-Z])"),
        re.compile(rf"\W{{0,2}}{misread}\s*(?P<number>(?=\S*\d)\S{{1,5}}?)[.,:]"),
    )


@lru_cache
def _behind_sentence(way: str) -> re.Pattern[str] | None:
    words, _, printed = _parts(way)
    if printed is not str or not re.search("[A-Za-z]{3}", way.split("{")[0]):
        return None
    words = words.replace(r"\.", "[.,]")
    return re.compile(rf"{_SENTENCE_END}(?P<label>(?i:{words})(?P<number>[^\s.,]{{1,4}})[.,])(?=\s+[\"“‘'(]?[A-Z])")


@lru_cache(maxsize=2000)
def _exact(way: str, number: int) -> re.Pattern[str]:
    numbered, stop = _label_of(way, number)
    return re.compile(rf"{_SENTENCE_END}(?P<label>{numbered}{stop})(?=[\s—–-]*[A-Z\"“‘'_\[(])")


@lru_cache(maxsize=2000)
def _lettered(way: str, number: int) -> re.Pattern[str]:
    numbered, stop = _label_of(way, number)
    return re.compile(rf"{numbered}[ ]?(?P<letter>[a-hA-H]){stop}(?=[\s—–-])")


def _label_of(way: str, number: int) -> tuple[str, str]:
    """The label of a number, up to what stands behind the number, and that, as regular expressions."""
    words, after, printed = _parts(way)
    numeral = printed(number)
    letters = numeral if numeral.isdecimal() else f"(?:{numeral}|{numeral.upper()})"
    if words and after == r"\.":
        after = r"[.,]"
    return f"{words}{letters}", after or (r"[.,]?" if words else r"[.]")


def printed_labels(scan: str, labels: Sequence[str]) -> list[Span]:
    """Where lines of a scan begin with a label exactly as a plan has it: what is read so needs no correction.

    Args:
        scan: the scan.
        labels: the labels of all series of a book.
    Returns:
        Spans of the scan, in order.
    """
    ways = sorted({way for label in labels if label != "ordinal" for way in label.split("|") if "{w}" not in way})
    return sorted({Span(*m.span("label")) for way in ways for m in _whole(way).finditer(scan)})


@lru_cache
def _whole(way: str) -> re.Pattern[str]:
    words, after, printed = _parts(way)
    numeral = r"\d{1,4}" if printed is str else "[a-zA-Z]" if printed is lettered else r"(?:[ivxlc]{1,9}|[IVXLC]{1,9})"
    return re.compile(rf"(?m)^[ \t]*(?P<label>{words}{numeral}{after or '[.]?'})(?=\s)")
