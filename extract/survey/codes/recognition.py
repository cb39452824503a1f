"""Which of the numberings found are codes of laws, under which heading they stand, and where they end."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, mode

from extract.language.lexicon import word_list
from extract.language.sentences import ends_paragraph
from extract.segment.label import series_marks
from extract.segment.outline import WorkingText
from extract.survey.codes.contents import is_contents, is_repeated
from extract.survey.codes.divisions import Division, find_divided
from extract.survey.codes.inline import LONG, inline_end, inline_heading
from extract.survey.codes.titles import find_heading
from extract.survey.labels import BARE, LabelShape, Sighting, common_template
from extract.survey.runs import LONGEST_GAP, LabelRun
from extract.text.headings import division, is_heading, names_a_body, numbered_heading, plain
from extract.text.lines import Line

# Set by hand on invented e-texts and two statute codes (docs/quality.md). So many labels make a code: without a heading
# that names laws, with one, and in brackets without one, as items of lists are.
_FEWEST, _FEWEST_NAMED, _MANY = 12, 4, 25
_LONGEST_ALONE = 1500  # characters that stand below a roman numeral alone; more are a chapter
_COVERED = 0.55  # of the numbers up to the last, those that are seen;
_COVERED_LATE = 0.9  # where the first is a high one
_SECOND = 2
_BEFORE = 1500  # characters above the first label seen, for each that may be misread there
_WITH_MORE = 0.1  # of the provisions of a code, those that may have more paragraphs than is usual there
_FULL, _WHOLE = 0.9, 160  # of the usual line, a full one; characters of a line that is a whole paragraph
_FEWEST_LISTS = 2  # provisions with a list of one kind, so that the last one may have such a list too
_LABEL = 12  # letters of a line with a label alone, at most
_MEMBERS = dict(pair.split("=") for pair in word_list("members"))
_MEMBERS |= {stem: stem for stem in _MEMBERS.values()}
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
    divisions: tuple[Division, ...] = ()
    opening: Sighting | None = None

    @property
    def member(self) -> str:
        """What begins the ids of its provisions: `law`, `art`, `sec`."""
        return _MEMBERS.get(self.run.shape.word, "law")


def find_codes(work: WorkingText, runs: Sequence[LabelRun], end: int, seen: Sequence[Sighting] = ()) -> list[FoundCode]:
    """Tell the codes among the numberings of a text.

    A code has many labels, or a heading that names laws, rules or articles; its members are sentences. A list within
    one of its laws, a table of contents and the marks of notes are none.

    Args:
        work: the working text.
        runs: its numberings.
        end: where the text of the book ends.
        seen: all labels of the book, by which codes are found that are numbered afresh under every heading.
    Returns:
        In reading order, apart from one another.
    """
    lines = [line for line in work.lines if not work.in_footnote(line.start)]
    starts = [line.start for line in lines]
    inline = work.layout == "single-line"
    divided = {run: parts for parts in find_divided(lines, seen) if not is_contents(work, run := _whole(parts))}
    apart: list[LabelRun] = list(divided)
    spans = [(parts[0].start, run.labels[-1].start) for run, parts in divided.items()]
    for run in sorted(runs, key=lambda r: -len(r.labels)):
        span = run.start, run.labels[-1].start
        if span[1] >= end or any(span[0] < b and a < span[1] for a, b in spans):
            continue
        if _may_be_code(work, run) and not is_repeated(work, run, seen):
            apart.append(run)
            spans.append(span)
    heads = [line.start for line in lines if is_heading(line)]
    chosen: list[tuple[LabelRun, int, str]] = []
    openings: list[Sighting | None] = []
    floor = 0
    for run in sorted(apart, key=lambda r: r.start):
        opening = _in_words(run, seen, floor)
        first = opening.start if opening else _first_label(work, run, floor)
        above = max(floor, _named_already(seen, run.shape, first, heads))
        at = max(0, bisect_right(starts, first) - 1)
        begin, heading = (
            inline_heading(work, first, above)
            if inline
            else find_heading(lines, at, first, above, divided=run in divided)
        )
        between = lines[bisect_left(starts, begin) : at]
        direct = bool(between) and all(map(is_heading, between))
        needed = _needed(run, heading, _in_chapter(between), direct=direct)
        if chosen and not names_a_body(heading) and _in_last(chosen[-1][0], run, seen):
            continue
        if run in divided or len(run.labels) >= needed:
            if run in divided and not names_a_body(heading) and not _numbered(lines, divided[run][0], at):
                heading = ""  # that of its first division alone
            if any(x.shape == run.shape and begin <= x.start < first for x in seen):
                begin = lines[at].start  # a list of contents stands above
            elif not inline and run not in divided and not _headed(run, heads):
                begin, heading = find_heading(lines, at, first, above, headed=False)
            parts = divided.get(run, ())
            chosen.append((run, min([begin, *(part.start for part in parts[:1])]), heading))
            openings.append(opening)
            floor = max([run.end, *(part.labels[-1].end for part in parts[-1:])])
    found: list[FoundCode] = []
    for i, (run, begin, heading) in enumerate(chosen):
        stop = chosen[i + 1][1] if i + 1 < len(chosen) else end
        divisions = divided.get(run, ())
        last = LabelRun(run.shape, divisions[-1].labels) if divisions else run
        if inline:
            stop = inline_end(work, last.end, _usual_length(last), stop)
        else:
            first = max(0, bisect_right(starts, last.start) - 1)  # in running text a label stands within a line
            stop = _end(lines[first : bisect_left(starts, stop)], last, stop)
        label = common_template(tuple(x.template for x in run.labels))
        found.append(
            FoundCode(run, begin, stop, heading, label, run.alone, _subdivisions(run, runs), divisions, openings[i])
        )
    return found


def _numbered(lines: Sequence[Line], first: Division, at: int) -> bool:
    """Whether a heading numbers the first division of a code, so that what stands above is the title of the code."""
    block = lines[bisect_left(lines, first.start, key=_start) : at]
    return any(numbered_heading(plain(line.text)) for line in block)


def _in_last(above: LabelRun, run: LabelRun, seen: Sequence[Sighting]) -> bool:
    """Whether a numbering is a list within the last provision of the one above: others there have such lists."""
    if run.shape == above.shape or run.start - above.end > LONG * max(_usual_length(above), 300):
        return False
    begins = [x.start for x in above.labels]
    inside = [x for x in seen if x.shape == run.shape and begins[0] < x.start < begins[-1]]
    listing = {bisect_right(begins, x.start) for x in inside if x.number <= _SECOND}
    return len(listing) >= _FEWEST_LISTS and run.last <= 2 * max(x.number for x in inside)


def _headed(run: LabelRun, heads: Sequence[int]) -> bool:
    """Whether headings stand between the members of a numbering."""
    inside = heads[bisect_right(heads, run.start) : bisect_left(heads, run.labels[-1].start)]
    return not {x.start for x in run.labels}.issuperset(inside)


def _named_already(seen: Sequence[Sighting], shape: LabelShape, first: int, heads: Sequence[int]) -> int:
    """Where the last numbering before a code begins, another heading between: what stands above names that one."""
    above = bisect_left(heads, first)
    begins = [x.start for x in seen if x.number == 1 and x.shape == shape and x.start < first]
    return max((at for at in begins if bisect_left(heads, at) < above), default=0)


def _whole(divisions: Sequence[Division]) -> LabelRun:
    """All labels of a divided code, as one numbering."""
    labels = tuple(x for division in divisions if not division.undivided for x in division.labels)
    return LabelRun(labels[0].shape, labels)


def _may_be_code(work: WorkingText, run: LabelRun) -> bool:
    shape = run.shape
    if shape.numeral == "a":
        return False
    if shape.numeral == "I" and not shape.word and run.alone and _usual_length(run) > _LONGEST_ALONE:
        return False  # the chapters of a book
    if len(run.labels) < (_COVERED if run.begins == 1 else _COVERED_LATE) * _due(run):
        return False
    return not is_contents(work, run)


def _due(run: LabelRun) -> int:
    """How many numbers there are from the first to the last, without those that the print leaves out."""
    numbers = [run.begins - 1, *(x.number for x in run.labels)]
    return sum(b - a if b - a <= LONGEST_GAP else 1 for a, b in pairwise(numbers))


def _usual_length(run: LabelRun) -> float:
    """The characters from one label to the next, half of them."""
    return median([b.start - a.start for a, b in pairwise(run.labels)] or [0])


def _in_chapter(lines: Sequence[Line]) -> bool:
    """Whether a chapter begins between the heading of a numbering and its first label, with text above it."""
    texts = [line for line in lines if not is_heading(line)]
    return any(division(line.text.upper()) and texts and texts[0].start < line.start for line in lines)


def _needed(run: LabelRun, heading: str, in_chapter: bool, *, direct: bool) -> int:
    """How many labels it takes to believe that a numbering is a code; `direct`: a heading stands directly above it."""
    named = names_a_body(heading) and not in_chapter
    if run.begins > 1:  # an excerpt, or years, or what is numbered through a whole book
        return _FEWEST if named or run.shape.word in _MEMBERS else len(run.labels) + 1
    if run.shape.numeral == "I" and not run.shape.word and run.alone and not named:
        return len(run.labels) + 1
    if not named and (run.shape.word == "no" or "[" in run.labels[0].template):
        return len(run.labels) + 1  # problems, forms, notes
    if run.shape.word in _MEMBERS:
        return _FEWEST_NAMED
    if run.shape.enclosed or run.shape.word == BARE:
        return _FEWEST if named or direct else _MANY
    return _FEWEST_NAMED if named else _FEWEST


def _in_words(run: LabelRun, seen: Sequence[Sighting], floor: int) -> Sighting | None:
    """The first label of a numbering that begins with 2, if it has the same word and its number in words."""
    if run.first != _SECOND or run.shape.numeral == "w":
        return None
    first = LabelShape(run.shape.word, "w", run.shape.enclosed)
    above = [x for x in seen if x.shape == first and x.number == 1 and floor <= x.start < run.start]
    step = (run.labels[-1].start - run.start) // max(1, run.last - run.first)
    return above[-1] if above and run.shape.word and run.start - above[-1].start <= max(2 * step, _BEFORE) else None


def _first_label(work: WorkingText, run: LabelRun, floor: int) -> int:
    """Where a numbering begins: before the first label seen, if those before it were misread."""
    if run.first == run.begins:
        return run.start
    step = (run.labels[-1].start - run.start) // max(1, run.last - run.first)
    above = max(floor, run.start - run.first * max(2 * step, _BEFORE))
    marks = series_marks(work, above, run.labels[0].end, run.labels[0].template, run.first)
    return min((m.start for m in marks if m.number < run.first), default=run.start)


def _end(lines: Sequence[Line], run: LabelRun, stop: int) -> int:
    """Where the last provision ends: before a heading, or after as many paragraphs as the others have.

    Args:
        lines: those from the one with the first label to `stop`.
        run: the numbering.
        stop: the next code, or the end of the book.
    """
    borders = [max(0, bisect_right(lines, x.start, key=_start) - 1) for x in run.labels]
    tight = sum(lines[i].above == 1 for i in borders) * 2 > len(borders)
    width = _FULL * median(len(line.text) for line in lines) if tight else 0
    parts = [_further(lines[a:b], width) for a, b in pairwise(borders)]
    after = lines[borders[-1] :]
    below = 2 if run.alone else 1  # a label that has a line of its own may have a title below it
    heads = next((line.start for line in after[below:] if is_heading(line)), stop)
    usual = mode([len(part) for part in parts] or [0])
    begins = _further([line for line in after if line.start < heads], width)[usual:]
    longest = LONG * max(_usual_length(run), 300)
    few = sum(len(part) > usual for part in parts) <= _WITH_MORE * len(parts)
    return begins[0] if begins and (few or heads - run.end > longest) else heads


def _further(lines: Sequence[Line], width: float) -> list[int]:
    """Where the paragraphs of a provision after its first begin, its items left aside.

    Args:
        lines: those of the provision.
        width: characters of a full line, where no blank lines part paragraphs: the last line of one is shorter, or is
            a whole paragraph; 0 where blank lines do.
    """
    found: list[int] = []
    first = 1 + next((i for i, line in enumerate(lines) if not is_heading(line) and line.letters > _LABEL), 0)
    for before, line in pairwise(lines[first - 1 :]):
        if line.isolated and is_heading(line):
            break
        parted = line.above > 1 or len(before.text) < width or (width and len(before.text) > _WHOLE)
        if parted and ends_paragraph(before.text) and not _ITEM.match(line.text):
            found.append(line.start)
    return found


def _start(line: Line) -> int:
    return line.start


def _subdivisions(run: LabelRun, runs: Sequence[LabelRun]) -> tuple[str, ...]:
    """How the paragraphs of its provisions are labelled, the commonest way first."""
    counts: dict[str, int] = {}
    for other in runs:
        if other is not run and other.within(run) and other.first == 1 and not other.labels[0].shape.word:
            template = common_template(tuple(x.template for x in other.labels))
            if "[" not in template and "{w}" not in template:
                counts[template] = counts.get(template, 0) + 1
    return tuple(sorted(counts, key=lambda t: (-counts[t], t))[:2])
