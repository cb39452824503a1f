"""Find the codes of laws in a scan: lines that begin with a label, runs of their numbers, and the headings above them.

Lines that begin with a label (`12.`, `§ 12.`, `SEC. 12.`, `Art. XII`, `LAW THE FIRST.`) are grouped by its form. In a
group, consecutive numbers make a run: each label continues the run of which it skips fewest numbers and steps over
fewest labels. A run is a code if its label or the heading above it names laws, or if a dozen of its texts have `must`,
`shall` or `may`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import log2

from extract.add.bibliography import EText, read_etext
from extract.language.lexicon import word_list, word_set
from extract.numbering.label import STRAY
from extract.numbering.numerals import arabic
from extract.numbering.spelled import worded
from extract.pages.furniture import Furniture, find_furniture
from extract.segment.outline import Paragraph, WorkingText, working_text
from extract.text.headings import is_heading, names_a_body
from extract.text.lines import Line, ends_line
from extract.text.source import normalise_line_ends, recognise_layout

_MEMBERS = dict(pair.split("=") for pair in word_list("members"))
_NO_LAWS = ("ch", "case")
_LABEL = re.compile(
    r"(?P<open>[_*=]{0,2}\(?)(?:(?P<word>[§¶]|[A-Z][A-Za-z-]{1,14}[.,:;]?(?: No\.)?)(?P<gap>[ \t]+|(?<=[.§¶])))?"
    r"(?:(?P<n>\d{1,4})|(?P<I>[IVXLC]{1,8}))(?P<tail>[_*=]{0,2}[ \t]?[.,:)]{0,2}[_*=]{0,2})(?=[—–-]{1,3}\s*\S|\s|$)"
)
_IN_WORDS = re.compile(r"([A-Z][A-Za-z]+)(?: [Tt][Hh][Ee])? ")
_STOP, _BEGINS = re.compile(r"[.:)]"), re.compile(r"[\s—–-]*[_*=\"“‘'(\[]{0,2}[A-Z]")
_RULING = word_set("ruling")
_CLAUSES = word_set("inverting") | word_set("subjects") | word_set("interrogatives") | {"be", "if"}
_WORD = re.compile(r"[a-z]+")
_LATE, _SKIPPED, _COUNTED = 12, 40, 24  # numbers misread before a run, skipped in it, and that labels make up for
_LIST = 24  # labels of lists within a law, at most
_FEWEST, _DOZEN = 4, 12  # laws of a code that is named as one, and of another
_ABOVE, _REMARKS = 3500, 2  # characters, and paragraphs, between the title of a code and its first law, at most
_LAST, _LONG = 300, 15  # characters of the last text of a run that are read; words of more than a title
_HEADING = 75  # characters of a heading that is not in capitals
_MOST = 0.9  # share of the laws that have no more paragraphs than the last one
_PARAGRAPHS = {
    label: re.compile(rf"(?ms)^\s*{one}\s.*^\s*{two}\s")
    for label, one, two in (("{n}.", r"1\.", r"2\."), ("({n})", r"\(1\)", r"\(2\)"), ("{I}.", r"I\.", r"II\."))
}


@dataclass(frozen=True, slots=True)
class LabelCandidate:
    """What looks like a label at the start of a line: its span, form, number and template (`SEC. {n}.`).

    The form is the prefix of the ids (`sec` for `Section`, `Sec.` and `§`; empty without a word), how the number is
    printed, and whether it is in brackets. `alone`: nothing follows on its line.
    """

    start: int
    end: int
    form: tuple[str, str, bool]
    number: int
    template: str
    alone: bool


Run = Sequence[LabelCandidate]
"""Labels of one form with increasing numbers."""


@dataclass(frozen=True, slots=True)
class Code:
    """A run of labels that is a code of laws: its span, its heading, and the template of its labels.

    `alone`: labels have lines of their own. `paragraphs` are the templates of the numbered paragraphs of its laws.
    """

    run: Run
    start: int
    end: int
    heading: str
    label: str
    alone: bool
    paragraphs: Sequence[str]

    @property
    def numbers(self) -> range:
        """The numbers in print, which begin with 1, except in an excerpt, which begins with a high number."""
        return range(self.run[0].number if self.run[0].number > _LATE else 1, self.run[-1].number + 1)


@dataclass(frozen=True)
class Survey:
    """A scan without furniture, uncorrected, and where the book begins and ends in it."""

    work: WorkingText
    furniture: Furniture
    etext: EText

    @cached_property
    def paragraphs(self) -> list[Paragraph]:
        """The paragraphs of the book; short ones with capital initials are headings, too."""
        found = self.work.paragraphs(self.etext.start, self.etext.end)
        lines = (Line(p.start, p.end, p.text, 2, 2) for p in found)
        titles = (len(line.text) <= _HEADING and is_heading(line) for line in lines)
        return [replace(p, heading=p.heading or title) for p, title in zip(found, titles, strict=True)]

    @cached_property
    def runs(self) -> list[Run]:
        """The runs of labels of all forms, in reading order."""
        forms: dict[object, list[LabelCandidate]] = defaultdict(list)
        for at in self.work.line_starts(self.etext.start, self.etext.end):
            if label := read_label(self.work.text, at):
                forms[label.form].append(label)
        runs = (self._trimmed(run) for labels in forms.values() for run in _runs(labels))
        return sorted(filter(None, runs), key=lambda run: run[0].start)

    @cached_property
    def codes(self) -> list[Code]:
        """The codes in reading order; of runs that overlap, the one with most laws is chosen."""
        chosen: list[Run] = []
        for run in sorted(filter(self._is_code, self.runs), key=lambda run: -sum(self._laws(run))):
            if not any(run[0].start <= other[-1].start and other[0].start <= run[-1].start for other in chosen):
                chosen.append(run)
        chosen.sort(key=lambda run: run[0].start)
        found: list[Code] = []
        stop = self.etext.end
        for run, floor in reversed([*zip(chosen, [0, *(x[-1].end for x in chosen)], strict=False)]):
            title = self._title(run, floor)
            counts = Counter(x.template for x in run)
            label = "|".join(dict.fromkeys([*(x for x in counts if counts[x] * 5 > len(run)), run[0].template]))
            texts = self._texts(run)
            items = [x for x, item in _PARAGRAPHS.items() if len([*filter(item.search, texts[:-1])]) > 1]
            alone = sum(x.alone for x in run) * 3 > len(run) * 2
            found.append(Code(run, title.start, self._end(run, stop, alone), title.text, label, alone, items))
            stop = title.start
        return found[::-1]

    def heading_after(self, at: int) -> int:
        """The first heading at or after an offset, or the end of the book."""
        return next((p.start for p in self.paragraphs if p.heading and p.start >= at), self.etext.end)

    def _trimmed(self, run: Run) -> Run:
        """A run without a few labels behind a gap, and without what follows a heading at its end and is no law."""
        for i in reversed(range(1, len(run))):
            if min(run[i].number - run[i - 1].number - 1, _COUNTED) > 2 * (len(run) - i):
                run = run[:i]
        laws = self._laws(run)
        end = len(run) - next((i for i, law in enumerate(reversed(laws)) if law), len(run))
        apart = not end or (end < len(run) and self.heading_after(run[end - 1].end) < run[end].start)
        return run[:end] if apart else run

    def _texts(self, run: Run) -> list[str]:
        ends = [*(x.start for x in run[1:]), run[-1].end + _LAST]
        return [self.work.text[x.end : end] for x, end in zip(run, ends, strict=True)]

    def _laws(self, run: Run) -> list[bool]:
        """Whether the text behind each label is a law: it is long, or has words of which clauses are made."""
        texts = map(_WORD.findall, self._texts(run))
        return [len(words) >= _LONG or not _CLAUSES.isdisjoint(words) for words in texts]

    def _is_code(self, run: Run) -> bool:
        laws, (word, numeral, enclosed) = sum(self._laws(run)), run[0].form
        if word or names_a_body(self._title(run, 0).text):
            return laws >= _FEWEST and laws * 2 > len(run)
        ruling = sum(not _RULING.isdisjoint(_WORD.findall(text)) for text in self._texts(run))
        return ruling >= _DOZEN and numeral == "n" and not enclosed and run[0].number <= _LATE

    def _title(self, run: Run, floor: int) -> Paragraph:
        """The nearest heading above a run that names laws, else the one directly above, else the first label."""
        remarks, nearest = 0, Paragraph(run[0].start, run[0].start, "", False)
        at = bisect_left(self.paragraphs, run[0].start, key=lambda p: p.start)
        for p in reversed(self.paragraphs[:at]):
            if remarks > _REMARKS or p.start < max(floor, run[0].start - _ABOVE):
                break
            if p.heading and names_a_body(p.text):
                return p
            if p.heading and not (nearest.heading or remarks):
                nearest = p
            label = read_label(self.work.text, p.start)  # a list within a law may seem to be the beginning
            remarks += not p.heading and not (label and label.form == run[0].form)
        return nearest

    def _end(self, run: Run, stop: int, alone: bool) -> int:
        """Where the last law ends: at a heading, or after as many paragraphs as nearly all laws have."""
        starts = [p.start for p in self.paragraphs]
        counts = sorted(bisect_left(starts, b.start) - bisect_left(starts, a.start) for a, b in pairwise(run))
        below = starts[bisect_left(starts, run[-1].end) + alone :]  # the line below a lone label may be a title
        usual = below[max(counts[int(len(counts) * _MOST)], 1) - 1 :]
        return min([stop, *usual[:1], *(self.heading_after(at) for at in below[:1])])


def survey(scan: str) -> Survey:
    """Survey a scan.

    Args:
        scan: its text.
    """
    scan = normalise_line_ends(scan)
    layout = recognise_layout(scan)
    furniture = find_furniture(scan, layout)
    work = working_text(scan, furniture.edits, furniture.pages, layout)
    return Survey(work, furniture, read_etext(work.text))


def read_label(text: str, at: int) -> LabelCandidate | None:
    """Read the label at an offset where a line begins; None if there is none.

    >>> read_label("SEC. 12. The dealer", 0).template, read_label("LAW THE FIRST. The dealer", 0).number
    ('SEC. {n}.', 1)
    """
    stray = STRAY.match(text, at)
    begin = stray.end() if stray else at
    opening = _IN_WORDS.match(text, begin)
    member = _MEMBERS.get(opening[1].casefold()) if opening else None
    said = worded(text, opening.end()) if opening and member else None
    if opening and member and said and (said.stop or ends_line(text, said.end, len(text))):
        alone = ends_line(text, said.end, len(text))
        return LabelCandidate(at, said.end, (member, "w", False), said.value, f"{opening[0]}{{w}}{said.stop}", alone)
    match = _LABEL.match(text, begin)
    if match is None:
        return None
    slot, tail, alone = "n" if match["n"] else "I", match["tail"].strip(), ends_line(text, match.end(), len(text))
    word = _MEMBERS.get((match["word"] or "").partition(" ")[0].rstrip(".,:;").casefold(), "")
    stopped = _STOP.search(tail) or (slot == "n" and text[match.end() : match.end() + 1] in "—–-")
    number = arabic(match[slot]) if stopped or (word and (alone or _BEGINS.match(text, match.end()))) else 0
    if not number or (match["word"] and not word) or word in _NO_LAWS:
        return None
    template = f"{match['open']}{match['word'] or ''}{' ' if match['gap'] else ''}{{{slot}}}{tail.rstrip(',')}"
    return LabelCandidate(at, match.end(), (word, slot, "(" in match["open"] or ")" in tail), number, template, alone)


def _runs(labels: Run) -> list[Run]:
    """Part the labels of one form into runs, in the order of their first labels; some labels are left over."""
    runs: list[list[LabelCandidate]] = []
    last: dict[int, int] = {}  # the place of the last label of each run that may go on
    top = -_SKIPPED  # the highest number so far
    for place, label in enumerate(labels):
        last = {i: at for i, at in last.items() if place - at - 1 <= _LIST}
        ways: list[tuple[float, int, int]] = []  # each with its cost, and the run that keeps its labels up to an index
        if label.number < 4 or top < label.number - _SKIPPED:
            ways.append((4.0 * (label.number - 1) if label.number < 4 else 0, len(runs), 0))
        for i, at in last.items():
            run, stepped = runs[i], place - at - 1
            skipped = label.number - run[-1].number - 1
            if 0 <= skipped <= _SKIPPED:
                ways.append((2 * skipped + log2(1 + stepped), i, len(run)))
            elif not stepped and len(run) > 1 and run[-2].number < label.number < run[-1].number:  # that was misread
                ways.append((2 * (label.number - run[-2].number - 1), i, len(run) - 1))
        if ways:
            _, i, kept = min(ways, key=lambda way: (way[0], -way[1]))
            if i == len(runs):
                runs.append([])
            runs[i][kept:] = [label]
            last[i], top = place, max(top, label.number)
    return list(runs)
