"""Which numberings of a scan are codes of laws, under which title they stand, and where they end.

A code is a hypothesis that explains text: each of its labels that stands before a law explains it, each that stands
before none (an entry of a list of contents, a move, a price) speaks against it, and so does each number that is not
seen; a numbering that begins afresh under every heading pays for each heading. Of hypotheses that overlap the one
that explains most is taken, if it explains more than chance: little below a title that names laws; more without one,
and then it must say here and there what must, shall or may be done.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf
from statistics import median, mode
from textwrap import shorten

from extract.language.lexicon import word_set
from extract.language.sentences import boundaries, ends_paragraph
from extract.segment.label import series_marks
from extract.segment.outline import WorkingText
from extract.survey.divisions import Division, find_divided
from extract.survey.labels import BARE, MEMBERS, LabelShape, Sighting, common_template
from extract.survey.numberings import LONGEST_GAP, FoundNumbering
from extract.survey.titles import Title, find_title
from extract.text.headings import inline_headings, is_heading, names_a_body
from extract.text.lines import Line, collapse

# What a code must explain, in labels: below a title that names laws or with a word that laws have, and without
# either; where its shape is that of a list too, or it is numbered afresh under every heading. Set by hand on invented
# e-texts and two statute codes (docs/quality.md).
_NAMED, _UNNAMED, _DOUBTED = 3, 12, 25
_FEWEST = 4  # labels of a code
_HEADING_PRICE = 2  # each heading under which it is numbered afresh
_CLAUSE = 12  # different words of a text that is a sentence in any case
_CHAPTER = 1500  # characters of a text that is a chapter if it has a roman numeral alone
_LONG, _LEAST_LONG = 3, 300  # times the usual length of a provision, and of characters, up to the next heading
_WITH_MORE = 0.1  # of the provisions of a code, those that may have more paragraphs than is usual there
_FULL, _WHOLE = 0.9, 160  # of the usual line, a full one; characters of a line that is a whole paragraph
_LABEL, _LEADING = 12, 40  # letters of a line with a label alone, at most; characters in which a text is known again
_HEADING = 75  # characters of a heading within a single line
_RULING = word_set("ruling")
_LEAST_RULING = 0.1  # of the texts; half of what the code has that says so least, a manual of the bayonet
_CLAUSES = word_set("inverting") | word_set("subjects") | word_set("interrogatives") | {"be", "if"}
_WORD = re.compile(r"[a-z]+")
_CAPITALS = re.compile(r"(?:^|(?<=[.!?)\"'’”—]\s))(?:[A-Z][A-Z'’-]*,?\s){1,9}[A-Z][A-Z'’-]+(?=\s(?:[A-Z\d“\"]|$))")
_ITEM = re.compile(
    r"\W{0,3}(?:\d{1,3}|(?:[ivxlIVXL]{1,5}|[a-zA-Z])(?!\. ?[A-Z]\.))[.)\]:]|[\[*†—–-]"  # `J. W. Davis` is none
    r"|_?(?:N\. ?B|Note|Example|Provided)\b"
)


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A numbering that is taken for a code: where its matter begins and ends, and what heads it.

    One that is numbered in several stretches has `divisions`, and `run` has the labels of all of them but those of
    the undivided.
    """

    run: FoundNumbering
    start: int
    end: int
    heading: str
    label: str
    divisions: tuple[Division, ...] = ()
    subdivisions: tuple[str, ...] = ()

    @property
    def member(self) -> str:
        """What begins the ids of its provisions: `law`, `art`, `sec`."""
        word = self.run.shape.word
        return word if word in MEMBERS.values() else "law"

    @property
    def stretches(self) -> tuple[Division, ...]:
        """Its divisions, the first one from the title on; itself, if it has none."""
        first, *others = self.divisions or (Division(self.start, self.run.labels),)
        return replace(first, start=self.start), *others


@dataclass(frozen=True)
class _Evidence:
    """A text, its labels and its numberings: what hypotheses are weighed by."""

    work: WorkingText
    numberings: Sequence[FoundNumbering]
    seen: Sequence[Sighting]

    @cached_property
    def lines(self) -> list[Line]:
        """The lines, notes left aside; of a single line its headings, words in capitals, and its sentences."""
        work = self.work
        if work.layout != "single-line":
            return [line for line in work.lines if not work.in_footnote(line.start)]
        heads = inline_headings(work.text, 0, len(work.text))
        bare = [m.span() for m in _CAPITALS.finditer(work.text)]  # without a full stop
        heads = [*heads, *((a, b) for a, b in bare if not any(a < y and x < b for x, y in heads))]
        labels = {x.end: x.start for x in self.seen if x.shape.numeral == "n"}
        heads = [(a, max(a, labels.get(b, b))) for a, b in heads]  # the first label may stand behind: `LAWS OF LOO 1.`
        borders = {0, len(work.text), *(x.start for x in self.seen), *(gap.end for gap in boundaries(work.text))}
        borders = {at for at in borders if not any(a < at < b for a, b in heads)}.union(*heads)
        opening = {a for a, b in heads if a < b}
        pieces = ((a, *work.trim(a, b)) for a, b in pairwise(sorted(borders)))
        return [
            Line(a, b, shorten(t, _HEADING, placeholder=""), 2, 2) if at in opening else Line(a, b, collapse(t), 2, 1)
            for at, a, b in pieces if (t := work.text[a:b])
        ]  # fmt: skip

    def line_at(self, at: int) -> int:
        """The index of the line in which an offset stands."""
        return max(0, bisect_right(self.lines, at, key=_start) - 1)

    def explained(self, run: FoundNumbering) -> int:
        """The labels of a numbering before a law, less those before none and the numbers that are not seen.

        A list of contents explains nothing: its entries return as the first words of what has their numbers below.
        """
        below = {(x.number, self.opening(x)) for x in self.seen if x.start > run.labels[-1].start}
        if sum((x.number, self.opening(x)) in below for x in run.labels) * 2 > len(run.labels):
            return 0
        numbers = [run.begins - 1, *(x.number for x in run.labels)]
        unseen = sum(b - a - 1 for a, b in pairwise(numbers) if 1 < b - a <= LONGEST_GAP)
        laws = sum(self._is_law(run, label, after) for label, after in pairwise(run.labels))
        return 2 * laws - len(run.labels) + 2 - unseen

    def opening(self, label: Sighting) -> str:
        """The first letters behind a label."""
        return "".join(filter(str.isalnum, self.work.text[label.end : label.end + _LEADING]))[:_LABEL].casefold()

    def _is_law(self, run: FoundNumbering, label: Sighting, after: Sighting) -> bool:
        """Whether a text is a law: a sentence has words of which clauses are made, or many; a chapter has more."""
        said = self.work.text[label.end : after.start].strip()
        if run.shape.numeral == "I" and not run.shape.word and run.alone and len(said) > _CHAPTER:
            return False
        titled = run.alone or self.work.layout == "markdown"  # a title may stand behind the label: `### 12. The Court`
        words = set(_WORD.findall(said if titled else said.split("\n\n")[0]))
        return len(words) >= _CLAUSE or not _CLAUSES.isdisjoint(words)

    def rules(self, run: FoundNumbering) -> bool:
        """Whether some texts of a numbering say what must, shall or may be done, as a code does whatever its title."""
        texts = [self.work.text[a.end : b.start] for a, b in pairwise(run.labels)]
        return sum(not _RULING.isdisjoint(_WORD.findall(text)) for text in texts) >= _LEAST_RULING * len(texts)

    def title(self, run: FoundNumbering, divisions: Sequence[Division], first: int, floor: int) -> Title:
        """The title of a numbering, the first label of which stands at `first`; none above `floor`."""
        at, below = self.line_at(first), self.line_at(divisions[0].start) if divisions else None
        borders = {x.start for x in run.labels}
        inside = self.lines[at + 1 : self.line_at(run.labels[-1].start)]
        divides = not divisions and any(is_heading(line) and line.start not in borders for line in inside)
        title = find_title(self.lines, at, floor, divides=divides, below=below)
        listed = any(x.shape == run.shape and title.start <= x.start < first for x in self.seen)
        return replace(title, start=first) if listed else title  # a list of contents stands between


def find_codes(
    work: WorkingText, numberings: Sequence[FoundNumbering], end: int, seen: Sequence[Sighting]
) -> list[FoundCode]:
    """Tell the codes among the numberings of a text.

    Args:
        work: the working text.
        numberings: all its numberings.
        end: where the text of the book ends.
        seen: all labels of the book.
    Returns:
        In reading order, apart from one another.
    """
    evidence = _Evidence(work, numberings, seen)
    chosen: list[tuple[FoundNumbering, tuple[Division, ...], Title]] = []
    for run, divisions, explained in _hypotheses(evidence, end):
        last = chosen[-1][0] if chosen else None
        floor = last.end if last else 0
        opening = _in_words(run, seen, floor)
        first = opening.start if opening else _first_label(work, run, floor)
        title = evidence.title(run, divisions, first, floor)
        within = last and last.shape != run.shape and not title.text and run.start - floor < _reach(last)
        if not within and explained >= _price(evidence, run, divisions, title):
            if opening:
                own = Division(title.start, (opening,), undivided=True)
                divisions = (own, Division(run.start, run.labels))
            chosen.append((run, divisions, title))
    stops = [*(title.start for _, _, title in chosen), end][1:]
    return [_code(evidence, *code, stop) for code, stop in zip(chosen, stops, strict=True)]


def _hypotheses(evidence: _Evidence, end: int) -> list[tuple[FoundNumbering, tuple[Division, ...], int]]:
    """The numberings that may be codes, apart from one another, in reading order, each with what it explains."""
    found: list[tuple[FoundNumbering, tuple[Division, ...], int]] = []
    for run in (x for x in evidence.numberings if x.shape.numeral != "a"):
        found.append((run, (), evidence.explained(run)))
    for parts in find_divided(evidence.lines, evidence.seen, evidence.numberings):
        runs = [FoundNumbering(part.labels) for part in parts if not part.undivided]
        explained = sum(map(evidence.explained, runs)) - _HEADING_PRICE * len(runs)
        found.append((FoundNumbering(tuple(x for run in runs for x in run.labels)), parts, explained))
    gains: list[tuple[float, int]] = []
    for i, (run, parts, explained) in enumerate(found):
        if explained >= _NAMED and len(run.labels) >= _FEWEST and run.labels[-1].start < end:
            gains.append((_price(evidence, run, parts, evidence.title(run, parts, run.start, 0)) - explained, i))
    apart: list[tuple[FoundNumbering, tuple[Division, ...], int]] = []
    for price, i in sorted(gains):
        run, last = found[i][0], found[i][0].labels[-1].start
        if price <= 0 and not any(run.start <= x.labels[-1].start and x.start <= last for x, _, _ in apart):
            apart.append(found[i])
    return sorted(apart, key=lambda x: x[0].start)


def _price(evidence: _Evidence, run: FoundNumbering, divisions: Sequence[Division], title: Title) -> float:
    """How many labels a numbering must explain to be a code."""
    member = run.shape.word in MEMBERS.values()
    if title.names or (names_a_body(title.text) if divisions else member):
        return _NAMED
    chapter = run.shape.numeral == "I" and not run.shape.word and run.alone
    if run.begins > 1 or chapter or run.shape.word == "no" or "[" in run.labels[0].template:
        return inf  # years, and what is numbered through a whole book; chapters, problems, forms, notes
    if not evidence.rules(run):
        return inf  # numbered prose
    listed = (run.shape.enclosed or run.shape.word == BARE) and not title.direct
    return _DOUBTED if divisions or listed else _UNNAMED


def _code(
    evidence: _Evidence, run: FoundNumbering, divisions: tuple[Division, ...], title: Title, stop: int
) -> FoundCode:
    """A code with its borders; nothing of it stands behind `stop`."""
    stop = _end(evidence, FoundNumbering(divisions[-1].labels) if divisions else run, stop)
    label = common_template(tuple(x.template for x in run.labels))
    start = min([title.start, *(part.start for part in divisions[:1])])
    below = () if divisions else tuple(_subdivisions(run, evidence.numberings))
    return FoundCode(run, start, stop, title.text, label, divisions, below)


def _in_words(run: FoundNumbering, seen: Sequence[Sighting], floor: int) -> Sighting | None:
    """The first label of a numbering that begins with 2, if it has the same word and its number in words."""
    near = max(floor, run.start - _reach(run))
    words = LabelShape(run.shape.word, "w", run.shape.enclosed)
    above = [x for x in seen if x.shape == words and x.number == 1 and near <= x.start < run.start]
    return above[-1] if above and run.first == above[-1].number + 1 and run.shape.word else None


def _first_label(work: WorkingText, run: FoundNumbering, floor: int) -> int:
    """Where a numbering begins: before the first label seen, if those before it were misread."""
    if run.first == run.begins:
        return run.start
    above = max(floor, run.start - run.first * _reach(run))
    marks = series_marks(work, above, run.labels[0].end, run.labels[0].template, run.first)
    return min((m.start for m in marks if m.number < run.first), default=run.start)


def _reach(run: FoundNumbering) -> int:
    """The characters that a provision has at most, by the usual length from one label to the next."""
    usual = median([b.start - a.start for a, b in pairwise(run.labels)] or [0])
    return int(_LONG * max(usual, _LEAST_LONG))


def _end(evidence: _Evidence, run: FoundNumbering, stop: int) -> int:
    """Where the last provision ends: before a heading, or after as many paragraphs as the others have.

    Args:
        evidence: the text.
        run: the numbering.
        stop: the next code, or the end of the book.
    """
    lines = evidence.lines
    borders = [evidence.line_at(x.start) for x in run.labels]
    tight = sum(lines[i].above == 1 for i in borders) * 2 > len(borders)
    width = _FULL * median(len(line.text) for line in lines[borders[0] : borders[-1] + 1]) if tight else 0
    counts = [len(list(_further(lines[a:b], width))) for a, b in pairwise(borders)]
    usual = mode(counts or [0])
    after = lines[borders[-1] : bisect_left(lines, stop, key=_start)]
    below = 2 if run.alone else 1  # a label that has a line of its own may have a title below it
    heads = next((line.start for line in after[below:] if is_heading(line)), stop)
    begins = list(_further([line for line in after if line.start < heads], width))[usual:]
    few = sum(count > usual for count in counts) <= _WITH_MORE * len(counts)
    return begins[0] if begins and (few or heads - run.end > _reach(run)) else heads


def _further(lines: Sequence[Line], width: float) -> Iterator[int]:
    """Where the paragraphs of a provision after its first begin, its items left aside.

    Args:
        lines: those of the provision.
        width: characters of a full line, where no blank lines part paragraphs: the last line of one is shorter, or is
            a whole paragraph; 0 where blank lines do.
    """
    first = 1 + next((i for i, line in enumerate(lines) if not is_heading(line) and line.letters > _LABEL), 0)
    for before, line in pairwise(lines[first - 1 :]):
        if line.isolated and is_heading(line):
            return
        parted = line.above > 1 or len(before.text) < width or (width and len(before.text) > _WHOLE)
        if parted and ends_paragraph(before.text) and not _ITEM.match(line.text):
            yield line.start


def _subdivisions(run: FoundNumbering, numberings: Sequence[FoundNumbering]) -> list[str]:
    """How the paragraphs of its provisions are labelled: `(a)`, `1.`; the commonest way first, two at most."""
    starts = [x.start for x in run.labels]
    counts: Counter[str] = Counter()
    for other in numberings:
        law = bisect_right(starts, other.start)
        within = 0 < law < len(starts) and starts[law - 1] < other.start and other.labels[-1].start < starts[law]
        if within and other.first == 1 and len(other.labels) > 1 and not other.shape.word:
            counts[common_template(tuple(x.template for x in other.labels))] += 1
    return [template for template, _ in counts.most_common() if "[" not in template and "{w}" not in template][:2]


def _start(line: Line) -> int:
    return line.start
