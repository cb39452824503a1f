"""Increasing runs among labels: each numbering of a book from its first label to its last, gaps and all.

The best chain of labels is found, taken out, and the next one is looked for, as long as one is
worth it. A chain is worth its labels; it pays for numbers that it skips and for labels of its shape that it steps over,
so that a list within a law, or a table of contents before a code, does not lend its numbers to another numbering.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from extract.numbering.chain import best_chain
from extract.numbering.sequence import stepping
from extract.survey.labels import LabelShape, Sighting

if TYPE_CHECKING:
    from extract.numbering.chain import Floats, Ints

# Costs and worths, a label seen being worth 1; set by hand on invented e-texts and two statute codes (docs/quality.md).
_GAP = 0.7  # for each number skipped
LONGEST_GAP = 12
"""Numbers that may be missing between two labels of a numbering; where more are, the print leaves them out."""
_OVER = 0.35  # for labels stepped over, by their `stepping`
_LATE = 0.6  # for each number that a chain does not begin with
_LATEST = 8  # numbers that are paid for at most
_FEWEST, _LEAST = 3, 2.0  # labels of a run, and what it is worth
_FEWEST_RUNNING, _WITHIN = 12, 0.15  # labels of a numbering in running text, and the share that stands within lines
_RECENT = 8  # labels of one number that are tried as the one before
_UNLIKE, _TITLE = 0.9, 0.7  # for a label printed otherwise, and for a title between two labels
_LIST, _SHORTER = 13, 0.7  # labels of a list and one more, and how long its items are beside laws
_HEADLESS = 0.6  # for a first label without a heading above it
_INDENTED, _INDENT = 0.5, 3  # for a label further from the margin, or nearer, than by so many characters
_BEGINS, _LEADING, _NEAR = 3, 6, 3  # what leads up to the rest of a run: its first number, labels, and the gap
_HUNDRED = 100  # with which numbers the next chapter may begin
_STRAYED = 3  # labels of a run that may be those of another
_DOUBTFUL = 0.3  # for a label that is misread


@dataclass(frozen=True, slots=True)
class LabelRun:
    """An increasing run of labels of one shape; `inserted` are those with a letter (`12a`) that stand in it."""

    shape: LabelShape
    labels: tuple[Sighting, ...]
    inserted: tuple[Sighting, ...] = ()

    @property
    def start(self) -> int:
        return self.labels[0].start

    @property
    def end(self) -> int:
        """Where the text of the last label begins."""
        return max(self.labels[-1].end, *(x.end for x in self.inserted), 0)

    @property
    def first(self) -> int:
        return self.labels[0].number

    @property
    def last(self) -> int:
        return self.labels[-1].number

    @property
    def alone(self) -> bool:
        """Whether its labels have lines of their own."""
        return sum(x.alone for x in self.labels) * 3 > len(self.labels) * 2

    @property
    def running(self) -> bool:
        """Whether its labels stand in running text: not few of them within lines."""
        return sum(x.within for x in self.labels) > _WITHIN * len(self.labels)

    @property
    def begins(self) -> int:
        """The number with which it begins in print: 1, but for an excerpt, which begins with a high one."""
        return self.first if self.first > LONGEST_GAP else 1

    @property
    def gaps(self) -> tuple[int, ...]:
        """The numbers that no label bears, from the first in print to the last."""
        return tuple(sorted(set(range(self.begins, self.last + 1)) - {x.number for x in self.labels}))

    def within(self, other: LabelRun) -> bool:
        """Whether this run lies between two neighbours of another, as the items of a law do."""
        return any(a.start < self.start and self.labels[-1].start < b.start
                   for a, b in pairwise(other.labels))  # fmt: skip


def with_running(runs: Sequence[LabelRun], further: Sequence[LabelRun]) -> list[LabelRun]:
    """The numberings of a text, with those whose labels stand in the midst of its paragraphs, however lines are broken.

    Args:
        runs: the numberings of the labels with which lines begin.
        further: those of these labels and the ones within lines.
    """
    running = [r for r in further if len(r.labels) >= _FEWEST_RUNNING and r.running]
    taken = {x.start for r in running for x in r.labels}
    kept = [r for r in runs if sum(x.start in taken for x in r.labels) * 2 <= len(r.labels)]
    return sorted([*kept, *running], key=lambda r: r.start)


def find_runs(sightings: Sequence[Sighting], titles: Sequence[int] = (), heads: Sequence[int] = ()) -> list[LabelRun]:
    """The numberings of a text.

    Args:
        sightings: all labels seen, in reading order.
        titles: where headings stand that say that laws or rules follow; few numberings go on below one.
        heads: where headings stand of any kind.
    Returns:
        The runs of at least three labels in reading order.
    """
    shapes: dict[LabelShape, list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        shapes[sighting.shape].append(sighting)
    found: list[LabelRun] = []
    taken: set[tuple[int, int]] = set()
    order = sorted(shapes, key=lambda s: (s.numeral == "a", not s.word))
    for shape in order:
        plain = [s for s in shapes[shape] if not s.letter]
        lettered = [s for s in shapes[shape] if s.letter]
        while len(plain) >= _FEWEST:
            chain = _best_chain(plain, titles, heads)
            if len(chain) < _FEWEST:
                break
            chain = _below_contents(chain, plain)
            gone = {s.start for s in chain}
            plain = [s for s in plain if s.start not in gone]
            inserted = tuple(s for s in lettered if _inserted(s, chain))
            found.append(LabelRun(shape, tuple(chain), inserted))
    for shape in order:
        alike = [r for r in found if r.shape == shape]
        found = [r for r in found if r.shape != shape]
        found += _resumed(_apart(_uncrossed(own_beginnings(alike, titles, heads))), titles)
    found.sort(key=lambda r: -len(r.labels))
    kept: list[LabelRun] = []
    for run in found:  # a letter that is a roman numeral too belongs to the longer run
        places = {(s.start, s.end) for s in run.labels}
        if len(places & taken) * 2 <= len(places):
            kept.append(run)
            taken |= places
    return sorted(kept, key=lambda r: r.start)


def own_beginnings(runs: Sequence[LabelRun], titles: Sequence[int], heads: Sequence[int]) -> list[LabelRun]:
    """The runs of one shape, each with its own first labels where it has those of a list that begins at 1 as it does.

    The first labels of a law's own list may lead on to the next law as well as the laws before it do, and so may a list
    before the title of a code. What is a law's own list has no heading above it; what leads up to a code has its title.

    Args:
        runs: those of one shape.
        titles: where headings stand that say that laws or rules follow.
        heads: where headings stand of any kind.
    """
    left = list(runs)
    for lead in sorted((r for r in runs if r.first == 1), key=lambda r: r.start):
        for run in left:
            k = bisect_right(run.labels, lead.last, key=lambda x: x.number)
            if run is lead or lead not in left or run.first != 1 or k >= len(run.labels):
                continue
            last, begins = lead.labels[-1].start, run.labels[k].start
            after = last < run.start and not _between(heads, last, run.start) and _between(titles, 0, lead.start)
            inside = run.labels[k - 1].start < lead.start and last < begins and not _between(heads, last, begins)
            titled = inside and _between(titles, run.labels[k - 1].start, lead.start)
            if (after and _is_list(run.labels[: k + 1], lead.labels)) or titled:
                whole, rest = _of(run, (*lead.labels, *run.labels[k:]), [lead]), _of(run, run.labels[:k], [lead])
                left = [r for r in left if r not in (run, lead)]
                left += [whole, *([rest] if len(rest.labels) >= _FEWEST else [])]
                break
    return left


def _below_contents(chain: list[Sighting], labels: Sequence[Sighting]) -> list[Sighting]:
    """A chain whose first label returns before the second: what stands between them is a list of contents."""
    first, second = chain[:2]
    again = [x for x in labels if x.number == first.number and first.start < x.start < second.start]
    return [again[-1], *chain[1:]] if again and first.shape.word else chain


def _is_list(items: Sequence[Sighting], laws: Sequence[Sighting]) -> bool:
    """Whether labels are those of a list within the last law: few, set in, or introduced and shorter than laws are."""
    if items[0].indent - laws[0].indent > _INDENT:
        return len(items) <= _LIST
    short = items[-1].start - items[0].start < _SHORTER * (laws[-1].start - laws[0].start) / len(laws) * len(items)
    return len(items) <= _LIST and items[0].listed and short


def _between(places: Sequence[int], start: int, end: int) -> bool:
    return bisect_right(places, start) < bisect_right(places, end)


def _uncrossed(runs: Sequence[LabelRun]) -> list[LabelRun]:
    """The runs of one shape, those parted that begin in one numbering and go on in the next.

    Where a run jumps, another may stand that leads from 1 up to what follows the jump: it is its beginning. What goes
    on where the run jumps away is then the end of the first numbering.
    """
    left = sorted(runs, key=lambda r: -len(r.labels))
    done: list[LabelRun] = []
    while left:
        run = left.pop(0)
        parted = next((p for i in range(1, len(run.labels)) if (p := _parted(run, i, left))), None)
        if parted is None:
            done.append(run)
        else:
            taken, (first, second) = parted
            left = [r for r in left if r not in taken]
            left += [r for r in (first, second) if len(r.labels) >= _FEWEST]
    return done


def _parted(
    run: LabelRun, i: int, others: Sequence[LabelRun]
) -> tuple[list[LabelRun], tuple[LabelRun, LabelRun]] | None:
    """The two numberings of a run that jumps before its label `i`, and the other runs that they took up."""
    a, b = run.labels[i - 1], run.labels[i]
    leads = [r for r in others if r.first <= _BEGINS and 0 < b.number - r.last <= LONGEST_GAP]
    leads = [r for r in leads if a.start < r.start and r.labels[-1].start < b.start and len(r.labels) >= _LEADING]
    if not leads:
        return None
    inside = (r for r in others if a.start < r.start and r.labels[-1].start < leads[-1].start)
    end = next((r for r in inside if 0 < r.first - a.number <= LONGEST_GAP), None)
    for lead in leads:
        if (end and lead.start < end.end) or b.number - lead.last > (LONGEST_GAP if end else _NEAR):
            continue
        taken = [lead, end] if end else [lead]
        first = _of(run, (*run.labels[:i], *(end.labels if end else ())), taken)
        return taken, (first, _of(run, (*lead.labels, *run.labels[i:]), taken))
    return None


def _of(run: LabelRun, labels: tuple[Sighting, ...], others: Sequence[LabelRun]) -> LabelRun:
    """A numbering of other labels, with those inserted among them."""
    inserted = (x for r in (run, *others) for x in r.inserted if _inserted(x, labels))
    return LabelRun(run.shape, labels, tuple(sorted(inserted, key=lambda x: x.start)))


def _apart(runs: Sequence[LabelRun]) -> list[LabelRun]:
    """The runs of one shape, without the few labels by which one reaches into the next (an item of a list there)."""
    kept = sorted(runs, key=lambda r: r.start)
    for i, a in enumerate(kept):
        for j in range(i + 1, len(kept)):
            b = kept[j]
            if not a.start < b.start < a.labels[-1].start < b.labels[-1].start:
                continue
            front = sum(x.start < a.labels[-1].start for x in b.labels)
            back = sum(x.start > b.start for x in a.labels)
            if front <= min(back, _STRAYED):
                kept[j] = _of(b, b.labels[front:], ())
            elif back <= _STRAYED:
                kept[i] = a = _of(a, a.labels[:-back], ())
    return [r for r in kept if len(r.labels) >= _FEWEST]


def _resumed(runs: Sequence[LabelRun], titles: Sequence[int]) -> list[LabelRun]:
    """The runs of one shape, joined where a long one goes on at a higher number: what stood between is lost."""
    left = sorted(runs, key=lambda r: r.start)
    kept: list[LabelRun] = []
    for run in left:
        last = kept[-1] if kept else None
        if (
            last and last.labels[-1].start < run.start and min(len(last.labels), len(run.labels)) >= _FEWEST_RUNNING
            and LONGEST_GAP < run.first - last.last <= max(_HUNDRED, len(last.labels) + len(run.labels))
            and not _between(titles, last.labels[-1].start, run.start)
        ):  # fmt: skip
            kept[-1] = _of(last, (*last.labels, *run.labels), [run])
        else:
            kept.append(run)
    return kept


def _inserted(sighting: Sighting, chain: Sequence[Sighting]) -> bool:
    """Whether a label with a letter stands behind its number and before the next one."""
    before = max((s for s in chain if s.start < sighting.start), key=lambda s: s.start, default=None)
    return before is not None and before.number == sighting.number


def _setting(label: Sighting) -> tuple[bool, str]:
    """What sets labels of one shape apart: a dash behind them, markup before."""
    return label.dashed, label.template[:1] if label.template[:1] in "_*" else ""


def _best_chain(labels: Sequence[Sighting], titles: Sequence[int], heads: Sequence[int]) -> list[Sighting]:
    """The chain that is worth most, or none that is worth anything."""
    import numpy as np

    number = np.array([x.number for x in labels])
    indent = np.array([x.indent for x in labels])
    setting = np.unique_inverse([str(_setting(x)) for x in labels]).inverse_indices
    within = np.array([x.within for x in labels])
    under = np.array([bisect_right(titles, x.start) for x in labels])
    above = pairwise([0, *(x.start for x in labels)])
    headless = np.array([bool(heads) and not _between(heads, a, b) for a, b in above]) & ~within

    def step(before: Ints, after: Ints) -> Floats:
        cost: Floats = _GAP * (number[after] - number[before] - 1) + _OVER * stepping(after - before - 1)
        cost += _INDENTED * ((abs(indent[after] - indent[before]) > _INDENT) & ~within[after])
        cost += _UNLIKE * (setting[after] != setting[before]) + _TITLE * (under[after] != under[before])
        return cost

    worth = np.array([1.0 - _DOUBTFUL * x.doubtful for x in labels])
    begin = _LATE * np.minimum(number - 1, _LATEST) + _HEADLESS * headless
    chain = best_chain(np.arange(len(labels)), number, worth, begin, step, LONGEST_GAP, _RECENT, least=_LEAST)
    return [labels[i] for i in chain]
