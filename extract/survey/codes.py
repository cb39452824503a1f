"""Which of the numberings of a scan are codes of laws, under which title they stand, and where they end."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median, mode
from textwrap import shorten

from extract.language.lexicon import word_list, word_set
from extract.language.sentences import boundaries, ends_paragraph
from extract.segment.label import series_marks
from extract.segment.outline import WorkingText
from extract.survey.divisions import CodeDivision, find_divided
from extract.survey.labels import BARE, LabelShape, Sighting, common_template
from extract.survey.numberings import LONGEST_GAP, LabelRun
from extract.survey.titles import Title, find_title
from extract.text.headings import inline_headings, is_heading, names_a_body
from extract.text.lines import Line, collapse

# Set by hand on invented e-texts and two statute codes (docs/quality.md). So many labels make a code: below a title
# that names laws, without one, and without one in brackets, as items of lists are, or below changing headings.
_FEWEST_NAMED, _FEWEST, _MANY = 4, 12, 25
_COVERED, _COVERED_LATE = 0.55, 0.9  # of the numbers up to the last, those that are seen; where the first is a high one
_HEADING = 75  # characters by which a heading within a single line is known
_SENTENCE = 12  # different words of a member that is a sentence in any case
_CHAPTER = 1500  # characters below a roman numeral alone that make a chapter
_LONG, _LEAST_LONG = 3, 300  # times the usual length of a provision, and of characters, up to the next heading
_WITH_MORE = 0.1  # of the provisions of a code, those that may have more paragraphs than is usual there
_FULL, _WHOLE = 0.9, 160  # of the usual line, a full one; characters of a line that is a whole paragraph
_LABEL, _LEADING = 12, 40  # letters of a line with a label alone, at most; characters in which a text is known again
_MEMBERS = dict(pair.split("=") for pair in word_list("members"))
_MEMBERS |= {stem: stem for stem in _MEMBERS.values()}
_CLAUSES = word_set("inverting") | word_set("subjects") | word_set("interrogatives") | {"be", "if"}
_WORD = re.compile(r"[a-z]+")
_BARE = re.compile(r"(?:^|(?<=[.!?)\"'’”—]\s))(?:[A-Z][A-Z'’-]*,?\s){1,9}[A-Z][A-Z'’-]+(?=\s(?:[A-Z\d“\"]|$))")
_ITEM = re.compile(
    r"\W{0,3}(?:\d{1,3}|(?:[ivxlIVXL]{1,5}|[a-zA-Z])(?!\. ?[A-Z]\.))[.)\]:]|[\[*†—–-]"  # `J. W. Davis` is none
    r"|_?(?:N\. ?B|Note|Example|Provided)\b"
)


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A numbering that is taken for a code: where its matter begins and ends, and what heads it.

    One that is numbered afresh under every heading has `divisions`, and `run` has the labels of all of them. `opening`
    is its first label, where that has its number in words and the others have not (`ARTICLE FIRST.`, `ARTICLE 2.`).
    """

    run: LabelRun
    start: int
    end: int
    heading: str
    label: str
    alone: bool
    subdivisions: tuple[str, ...]
    divisions: tuple[CodeDivision, ...] = ()
    opening: Sighting | None = None

    @property
    def member(self) -> str:
        """What begins the ids of its provisions: `law`, `art`, `sec`."""
        return _MEMBERS.get(self.run.shape.word, "law")


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A numbering that is a code, with its divisions, its first label if that is in words, and its title."""

    run: LabelRun
    divisions: tuple[CodeDivision, ...]
    opening: Sighting | None
    title: Title


def find_codes(
    work: WorkingText, numberings: Sequence[LabelRun], end: int, seen: Sequence[Sighting]
) -> list[FoundCode]:
    """Tell the codes among the numberings of a text.

    A code has many labels, or a title that names laws; its members are sentences. A list within one of its laws, a
    list of contents, the moves of a game and the marks of notes are none.

    Args:
        work: the working text.
        numberings: all its numberings.
        end: where the text of the book ends.
        seen: all labels of the book.
    Returns:
        In reading order, apart from one another.
    """
    lines = _lines(work, seen)
    chosen: list[_Chosen] = []
    for run, divisions in _candidates(work, lines, numberings, end, seen):
        last = chosen[-1].run if chosen else None
        floor = last.end if last else 0
        opening = _in_words(run, seen, floor)
        first = opening.start if opening else _first_label(work, run, floor)
        title = _title(lines, run, divisions, first, floor)
        within = last and last.shape != run.shape and not title.text and run.start - floor < _reach(last)
        if not within and len(run.labels) >= _needed(run, title, divided=bool(divisions)):
            if any(x.shape == run.shape and title.start <= x.start < first for x in seen):
                title = Title(first, title.text)  # a list of contents stands between
            chosen.append(_Chosen(run, divisions, opening, title))
    found: list[FoundCode] = []
    for i, code in enumerate(chosen):
        run, parts = code.run, code.divisions
        stop = chosen[i + 1].title.start if i + 1 < len(chosen) else end
        final = LabelRun(run.shape, parts[-1].labels) if parts else run
        stop = _end(lines, final, stop)
        label = common_template(tuple(x.template for x in run.labels))
        start = min([code.title.start, *(part.start for part in parts[:1])])
        below = () if parts else tuple(_subdivisions(run, numberings))
        found.append(FoundCode(run, start, stop, code.title.text, label, run.alone, below, parts, code.opening))
    return found


def _candidates(
    work: WorkingText, lines: Sequence[Line], numberings: Sequence[LabelRun], end: int, seen: Sequence[Sighting]
) -> list[tuple[LabelRun, tuple[CodeDivision, ...]]]:
    """The numberings that may be codes, and those under changing headings, apart from one another; long ones first."""
    found = [(_joined(parts), parts) for parts in find_divided(lines, seen, numberings)]
    found = sorted([*found, *((x, ()) for x in numberings)], key=lambda pair: -len(pair[0].labels))
    apart: list[tuple[LabelRun, tuple[CodeDivision, ...]]] = []
    for run, parts in found:
        begin, last = run.start, run.labels[-1].start
        free = last < end and not any(begin <= x.labels[-1].start and x.start <= last for x, _ in apart)
        if free and _may_be_code(work, run, seen):
            apart.append((run, parts))
    return sorted(apart, key=lambda pair: pair[0].start)


def _joined(divisions: Sequence[CodeDivision]) -> LabelRun:
    """All labels of a divided code, as one numbering."""
    labels = tuple(x for division in divisions if not division.undivided for x in division.labels)
    return LabelRun(labels[0].shape, labels)


def _may_be_code(work: WorkingText, run: LabelRun, seen: Sequence[Sighting]) -> bool:
    """Whether most of the numbers are seen, and most of the members are sentences, none of them as long as a chapter.

    None is a list of contents, the entries of which return as the first words of what has their numbers further down.
    A sentence has words of which clauses are made, or many. Entries of a list of contents, moves and prices have not.
    """
    numbers = [run.begins - 1, *(x.number for x in run.labels)]
    due = sum(b - a if 0 < b - a <= LONGEST_GAP else 1 for a, b in pairwise(numbers))
    covered = len(run.labels) >= (_COVERED if run.begins == 1 else _COVERED_LATE) * due
    if len(run.labels) < _FEWEST_NAMED or run.shape.numeral == "a" or not covered:
        return False
    if run.shape.numeral == "I" and not run.shape.word and run.alone and _usual_length(run) > _CHAPTER:
        return False
    members = [work.text[a.end : b.start].strip() for a, b in pairwise(run.labels)]
    titled = run.alone or work.layout == "markdown"  # a title may stand behind the label: `### 12. The Court`
    members = members if titled else [text.split("\n\n")[0] for text in members]
    below = {(x.number, _opening(work.text, x.end)) for x in seen if x.start > run.labels[-1].start}
    if sum((x.number, _opening(work.text, x.end)) in below for x in run.labels) * 2 > len(run.labels):
        return False  # a list of contents
    words = [set(_WORD.findall(text)) for text in members]
    return sum(len(said) >= _SENTENCE or not _CLAUSES.isdisjoint(said) for said in words) * 2 > len(words)


def _opening(text: str, at: int) -> str:
    """The first letters behind an offset."""
    return "".join(filter(str.isalnum, text[at : at + _LEADING]))[:_LABEL].casefold()


def _needed(run: LabelRun, title: Title, *, divided: bool) -> float:
    """How many labels it takes to believe that a numbering is a code."""
    member = run.shape.word in _MEMBERS
    if divided:
        return _FEWEST if names_a_body(title.text) else _MANY
    if run.begins > 1:  # an excerpt, or years, or what is numbered through a whole book
        return _FEWEST if title.names or member else inf
    chapter = run.shape.numeral == "I" and not run.shape.word and run.alone
    if not title.names and (chapter or run.shape.word == "no" or "[" in run.labels[0].template):
        return inf  # chapters, problems, forms, notes
    if run.shape.enclosed or run.shape.word == BARE:
        return _FEWEST if title.names or title.direct else _MANY
    return _FEWEST_NAMED if title.names or member else _FEWEST


def _lines(work: WorkingText, seen: Sequence[Sighting]) -> list[Line]:
    """The lines of a text, notes left aside; of a single line its headings, words in capitals, and its sentences."""
    if work.layout != "single-line":
        return [line for line in work.lines if not work.in_footnote(line.start)]
    heads = inline_headings(work.text, 0, len(work.text))
    bare = [m.span() for m in _BARE.finditer(work.text)]  # without a full stop
    heads = [*heads, *((a, b) for a, b in bare if not any(a < y and x < b for x, y in heads))]
    labels = {x.end: x.start for x in seen if x.shape.numeral == "n"}
    heads = [(a, max(a, labels.get(b, b))) for a, b in heads]  # the first label may stand behind: `LAWS OF LOO 1.`
    opening = {a for a, b in heads if a < b}
    borders = {0, len(work.text), *(x.start for x in seen), *(gap.end for gap in boundaries(work.text))}
    borders = {at for span in heads for at in span} | {at for at in borders if not any(a < at < b for a, b in heads)}
    pieces = [work.trim(a, b) for a, b in pairwise(sorted(borders))]
    texts = ((a, b, collapse(work.text[a:b])) for a, b in pieces if a < b)
    return [
        Line(a, b, shorten(t, _HEADING, placeholder=""), 2, 2) if a in opening else Line(a, b, t, 2, 1)
        for a, b, t in texts
    ]


def _title(lines: Sequence[Line], run: LabelRun, divisions: Sequence[CodeDivision], first: int, floor: int) -> Title:
    """The title of a numbering, the first label of which stands at `first`."""
    at = max(0, bisect_right(lines, first, key=_start) - 1)
    below = bisect_left(lines, divisions[0].start, key=_start) if divisions else None
    borders = {x.start for x in run.labels}
    inside = lines[at + 1 : bisect_left(lines, run.labels[-1].start, key=_start)]
    divides = any(is_heading(line) and line.start not in borders for line in inside)
    return find_title(lines, at, floor, divides=divides and not divisions, below=below)


def _in_words(run: LabelRun, seen: Sequence[Sighting], floor: int) -> Sighting | None:
    """The first label of a numbering that begins with 2, if it has the same word and its number in words."""
    first = LabelShape(run.shape.word, "w", run.shape.enclosed)
    near = max(floor, run.start - _reach(run))
    above = [x for x in seen if x.shape == first and x.number == 1 and near <= x.start < run.start]
    return above[-1] if above and run.first == above[-1].number + 1 and run.shape.word else None


def _first_label(work: WorkingText, run: LabelRun, floor: int) -> int:
    """Where a numbering begins: before the first label seen, if those before it were misread."""
    if run.first == run.begins:
        return run.start
    above = max(floor, run.start - run.first * _reach(run))
    marks = series_marks(work, above, run.labels[0].end, run.labels[0].template, run.first)
    return min((m.start for m in marks if m.number < run.first), default=run.start)


def _usual_length(run: LabelRun) -> float:
    """The characters from one label to the next, half of them."""
    return median([b.start - a.start for a, b in pairwise(run.labels)] or [0])


def _reach(run: LabelRun) -> int:
    """The characters that a provision has at most."""
    return int(_LONG * max(_usual_length(run), _LEAST_LONG))


def _end(lines: Sequence[Line], run: LabelRun, stop: int) -> int:
    """Where the last provision ends: before a heading, or after as many paragraphs as the others have.

    Args:
        lines: those of the text.
        run: the numbering.
        stop: the next code, or the end of the book.
    """
    borders = [bisect_right(lines, x.start, key=_start) - 1 for x in run.labels]
    tight = sum(lines[i].above == 1 for i in borders) * 2 > len(borders)
    inside = lines[borders[0] : borders[-1] + 1]
    width = _FULL * median(len(line.text) for line in inside) if tight else 0
    parts = [list(_further(lines[a:b], width)) for a, b in pairwise(borders)]
    after = lines[borders[-1] : bisect_left(lines, stop, key=_start)]
    below = 2 if run.alone else 1  # a label that has a line of its own may have a title below it
    heads = next((line.start for line in after[below:] if is_heading(line)), stop)
    usual = mode([len(part) for part in parts] or [0])
    begins = list(_further([line for line in after if line.start < heads], width))[usual:]
    few = sum(len(part) > usual for part in parts) <= _WITH_MORE * len(parts)
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


def _subdivisions(run: LabelRun, numberings: Sequence[LabelRun]) -> list[str]:
    """How the paragraphs of its provisions are labelled: `(a)`, `1.`; the commonest way first, two at most."""
    starts = [x.start for x in run.labels]
    counts: dict[str, int] = {}
    for other in numberings:
        law = bisect_right(starts, other.start)
        within = 0 < law < len(starts) and starts[law - 1] < other.start and other.labels[-1].start < starts[law]
        if within and other.first == 1 and len(other.labels) > 1 and not other.shape.word:
            template = common_template(tuple(x.template for x in other.labels))
            counts[template] = counts.get(template, 0) + 1
    known = [t for t in counts if "[" not in t and "{w}" not in t]
    return sorted(known, key=lambda t: (-counts[t], t))[:2]


def _start(line: Line) -> int:
    return line.start
