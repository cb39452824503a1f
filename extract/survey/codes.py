"""Decide which numberings of a scan are codes of laws, under which title they stand, and where they end.

A code is a hypothesis that explains text: each of its labels that stands before a law supports it; each label before
something else (an entry of a list of contents, a move, a price) counts against it, and so does each number that is not
found. Of overlapping hypotheses, the one that explains most beyond its price is chosen; none may explain less than its
price. The price is low if its title or the word of its labels names laws; otherwise it is higher, and its texts must
contain `must`, `shall` or `may`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf
from textwrap import shorten

from extract.language.lexicon import word_set
from extract.language.sentences import boundaries
from extract.segment.label import series_marks
from extract.segment.outline import WorkingText
from extract.survey.labels import LabelCandidate, common_template
from extract.survey.numberings import LONGEST_GAP, FoundNumbering
from extract.survey.titles import Title, find_title
from extract.text.headings import inline_headings, is_heading
from extract.text.lines import Line, collapse
from extract.weights import weights

_NAMED, _WITH_MORE = weights("labels", "survey.named", "survey.with_more")
_UNNAMED = LONGEST_GAP  # more than a list has
_HEADING = 75  # characters of a heading in a scan of a single line
_RULING = word_set("ruling")
_CLAUSES = word_set("inverting") | word_set("subjects") | word_set("interrogatives") | {"be", "if"}
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A numbering taken for a code: its span, its heading, and the template of its labels.

    `subdivisions` are the templates of the paragraphs of its provisions. In a constitution, whose articles each number
    their sections from 1, `sections` are the labels of these sections.
    """

    run: FoundNumbering
    start: int
    end: int
    heading: str
    label: str
    subdivisions: tuple[str, ...] = ()
    sections: tuple[LabelCandidate, ...] = ()

    @property
    def member(self) -> str:
        """The prefix of the ids of its provisions: `law`, `art`, `sec`."""
        return self.run.shape.word or "law"


@dataclass(frozen=True)
class _Evidence:
    """A text and its labels, by which hypotheses are scored."""

    work: WorkingText
    seen: Sequence[LabelCandidate]

    @cached_property
    def lines(self) -> list[Line]:
        """The lines without notes; in a single-line scan, the headings in capitals and the sentences."""
        work = self.work
        if work.layout != "single-line":
            return work.lines_from(0, len(work.text))
        heads = inline_headings(work.text, 0, len(work.text))
        borders = {0, len(work.text), *(x.start for x in self.seen), *(gap.end for gap in boundaries(work.text))}
        borders = {at for at in borders if not any(a < at < b for a, b in heads)}.union(*heads)
        opening = {a for a, _ in heads}
        pieces = ((a, *work.trim(a, b)) for a, b in pairwise(sorted(borders)))
        texts = ((at, a, b, collapse(work.text[a:b])) for at, a, b in pieces if a < b)
        return [
            Line(a, b, shorten(text, _HEADING, placeholder="") if at in opening else text, 2, 1 + (at in opening))
            for at, a, b, text in texts
        ]

    def line_at(self, at: int) -> int:
        """The index of the line that contains an offset."""
        return max(0, bisect_right(self.lines, at, key=lambda line: line.start) - 1)

    def explained(self, run: FoundNumbering) -> int:
        """Score a numbering: its labels before laws and in sections, minus its other labels and the missing numbers."""
        numbers = [run.first - 1, *(x.number for x in run.labels)]
        unseen = sum(b - a - 1 for a, b in pairwise(numbers) if 1 < b - a <= LONGEST_GAP)
        laws = sum(self._is_law(run, label, after) for label, after in pairwise(run.labels))
        return 2 * laws - len(run.labels) + 2 - unseen + len(self.sections(run))

    def _is_law(self, run: FoundNumbering, label: LabelCandidate, after: LabelCandidate) -> bool:
        """Whether the text after a label is a law: its first paragraph has words of which clauses are made."""
        body = self.work.text[label.end : after.start].strip()
        titled = run.alone or self.work.layout == "markdown"  # a title may follow the label: `### 12. The Court`
        return not _CLAUSES.isdisjoint(_WORD.findall(body if titled else body.split("\n\n")[0]))

    def sections(self, run: FoundNumbering) -> tuple[LabelCandidate, ...]:
        """Return the labels with another word whose numbers restart in most members, those of the last one included."""
        last = run.labels[-1].start
        other = [x for x in self.seen if run.start < x.start and x.shape.word not in ("", "case", run.shape.word)]
        found = [x for x in other if x.start < last]
        begun = {bisect_left(run.labels, x.start, key=lambda x: x.start) for x in found if x.number < 3}
        if not run.shape.word or len(begun) * 2 <= len(run.labels):
            return ()
        rising = (x for i, x in enumerate(other[len(found) :]) if x.number in (i + 1, i + 2))
        return (*found, *rising)

    def price(self, run: FoundNumbering, title: Title) -> float:
        """Return how many labels a numbering must explain to be a code.

        Chapters are a code only if they have sections (the laws of a session): nearly every book has chapters. Without
        a name, only figures with a stop can be a code; other numbers are problems, years and notes.
        """
        if run.shape.word == "ch" and not self.sections(run):
            return inf
        if title.names or run.shape.word:
            return _NAMED
        rules = not _RULING.isdisjoint(_WORD.findall(self.work.text[run.start : run.end]))
        plain = run.shape.numeral == "n" and not run.shape.enclosed and run.first == 1
        return _UNNAMED if plain and rules else inf

    def title(self, run: FoundNumbering, floor: int = 0) -> Title:
        """Return the title of a numbering, which cannot be above `floor`."""
        first = run.start
        if run.labels[0].number > run.first:  # the labels before the first one found were misread
            usual = (run.end - first) // len(run.labels)
            above = max(floor, first - 3 * usual * run.labels[0].number)
            marks = series_marks(self.work, above, run.labels[0].end, run.labels[0].template, run.labels[0].number)
            first = min((m.start for m in marks), default=first)
        at, labels = self.line_at(first), {x.start for x in run.labels}
        between = self.lines[at + 1 : self.line_at(run.labels[-1].start)]
        divides = any(line.start not in labels and is_heading(line) for line in between)
        return find_title(self.lines, at, floor, divides=divides)

    def end(self, run: FoundNumbering, stop: int) -> int:
        """Return where the last provision ends: before a heading, or after as many paragraphs as nearly all have."""
        below = self.lines[self.line_at(run.end) + 1 + run.alone :]  # the line below a lone label may be its title
        stop = min(stop, next((line.start for line in below if is_heading(line)), stop))
        counts = sorted(len(self.paragraphs(a.end, b.start)) for a, b in pairwise(run.labels))
        usual = counts[int(len(counts) * (1 - _WITH_MORE))]
        return next(iter(self.paragraphs(run.end, stop)[usual:]), stop)

    def paragraphs(self, start: int, end: int) -> list[int]:
        """Return where the paragraphs of a span begin; in a single-line scan, where its sentences begin."""
        if self.work.layout == "single-line":
            return [line.start for line in self.lines[self.line_at(start) : self.line_at(end - 1) + 1]]
        return [p.start for p in self.work.paragraphs(start, end) if any(map(str.isalnum, p.text))]

    def subdivisions(self, run: FoundNumbering) -> tuple[str, ...]:
        """Return the one or two commonest templates of the paragraphs of its provisions, such as `(a)` or `1.`."""
        counts: Counter[str] = Counter()
        for law, after in pairwise(run.labels):
            first, end = (bisect_left(self.seen, at, key=lambda x: x.start) for at in (law.end, after.start))
            # `A.` and `B.` are players, `[1]` is a note
            inner = [x for x in self.seen[first:end] if not x.shape.word and "[" not in x.template]
            inner = [x for x in inner if x.shape.numeral != "a" or x.shape.enclosed]
            further = {x.shape for x in inner if 1 < x.number <= LONGEST_GAP}
            counts.update({x.template for x in inner if x.number == 1 and x.shape in further})
        return tuple(template for template, _ in counts.most_common(2))


def find_codes(
    work: WorkingText, numberings: Sequence[FoundNumbering], end: int, seen: Sequence[LabelCandidate]
) -> list[FoundCode]:
    """Find the codes among the numberings of a text.

    Args:
        work: the working text.
        numberings: all its numberings.
        end: where the text of the book ends.
        seen: all labels of the book.
    Returns:
        The codes in reading order, without overlaps.
    """
    evidence = _Evidence(work, seen)
    gains: list[tuple[float, int]] = []
    for i, run in enumerate(numberings):
        if (explained := evidence.explained(run)) >= _NAMED:
            gains.append((explained - evidence.price(run, evidence.title(run)), -i))
    spans: dict[int, int] = {}  # from the start of each chosen numbering to that of its last label
    chosen: list[FoundNumbering] = []
    for gain, i in sorted(gains, reverse=True):
        run = numberings[-i]
        last = max(x.start for x in (run.labels[-1], *evidence.sections(run)))
        if gain >= 0 and not any(run.start <= end and start <= last for start, end in spans.items()):
            spans[run.start] = last
            chosen.append(run)
    chosen.sort(key=lambda run: run.start)
    titles = [evidence.title(run, last.end if last else 0) for last, run in zip([None, *chosen], chosen, strict=False)]
    found: list[FoundCode] = []
    for run, title, stop in zip(chosen, titles, [*(x.start for x in titles), end][1:], strict=True):
        sections = evidence.sections(run)
        stop = evidence.end(FoundNumbering(sections) if sections else run, stop)
        label = common_template(x.template for x in run.labels)
        found.append(FoundCode(run, title.start, stop, title.text, label, evidence.subdivisions(run), sections))
    return found
