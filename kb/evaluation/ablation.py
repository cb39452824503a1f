"""The value of each correction rule: how often it fires, what it fixes and harms, and what is lost without it.

This is an ablation study, rule by rule, of the machine's unaided corrections. They are measured against the shipped
edition (the machine's corrections and the editor's on top of them). Each place is judged by itself, with and without
one edit; the effect on a whole book is found by correcting it again with the rule switched off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from extract.corpus.book import Book
from extract.correction.registry import RULES
from extract.edition import make_edition, post_correct_scan
from extract.model import Edit, Span
from extract.text.textlayer import TextLayer
from kb.evaluation.letters import right_words, words

_PIECE = 400


@dataclass(frozen=True, slots=True)
class Tally:
    """The edits of one rule: how many there are, produce the shipped reading, and spoil it; the rest do neither."""

    fires: int = 0
    fixed: int = 0
    harmed: int = 0


def tally(shipped: TextLayer, edits: Iterable[Edit]) -> dict[str, Tally]:
    """Compare every edit of the machine with the shipped edition at its place, without furniture.

    Args:
        shipped: the shipped edition.
        edits: the machine's unaided edits of the same scan.
    Returns:
        The tally of each rule that made an edit, sorted by name. An edit that two rules made counts for both.
    """
    alone = machine(shipped, edits)
    fires: Counter[str] = Counter()
    fixed: Counter[str] = Counter()
    harmed: Counter[str] = Counter()
    for edit in alone.edits:
        if edit.kind == "furniture":
            continue
        place = _affected(edit, alone, shipped)
        want, have = shipped.read(place.start, place.end), alone.read(place.start, place.end)
        others = (e for e in alone.within(place.start, place.end) if e != edit)
        without = TextLayer(alone.scan, tuple(others)).read(place.start, place.end)
        for rule in edit.rule.split():
            fires[rule] += 1
            fixed[rule] += have == want != without
            harmed[rule] += without == want != have
    return {rule: Tally(n, fixed[rule], harmed[rule]) for rule, n in sorted(fires.items())}


def wrong_words(shipped: TextLayer, edits: Iterable[Edit]) -> int:
    """Count the words of the shipped edition that the machine reads differently, without furniture.

    Quotation marks, dashes and white space are normalised first; words are aligned by edit distance.

    Args:
        shipped: the shipped edition.
        edits: the machine's unaided edits of the same scan.
    """
    alone = machine(shipped, edits)
    wrong = 0
    for start, end in _pieces(shipped, alone):
        want, have = (words(layer.read(start, end)) for layer in (shipped, alone))
        wrong += right_words(want, have).count(False) if want != have else 0
    return wrong


def machine(shipped: TextLayer, edits: Iterable[Edit]) -> TextLayer:
    """Return the machine's reading without the furniture of the shipped edition."""
    furniture = [e for e in shipped.edits if e.kind == "furniture" and e.raw_start < e.raw_end]
    gone = bytearray(len(shipped.scan))
    for e in furniture:
        gone[e.raw_start : e.raw_end] = b"\1" * len(e.span)
    kept = [e for e in edits if not any(gone[e.raw_start : max(e.raw_end, e.raw_start + 1)])]
    return TextLayer(shipped.scan, tuple(sorted([*furniture, *kept])))


def _affected(edit: Edit, *layers: TextLayer) -> Span:
    """Return the span of the words that an edit touches, widened until no edit of any layer crosses its border."""
    scan = layers[0].scan
    start, end = edit.raw_start, edit.raw_end
    while start and not scan[start - 1].isspace():
        start -= 1
    while end < len(scan) and not scan[end].isspace():
        end += 1
    while True:
        touching = [e.span for layer in layers for e in layer.within(start, end)]
        wide = Span(min([start, *(s.start for s in touching)]), max([end, *(s.end for s in touching)]))
        if wide == Span(start, end):
            return wide
        start, end = wide.start, wide.end


def _pieces(*layers: TextLayer) -> Iterator[tuple[int, int]]:
    """Yield pieces of the scan, of some hundred characters, cut at white space where no layer has an edit across."""
    scan = layers[0].scan
    start = 0
    while start < len(scan):
        end = min(len(scan), start + _PIECE)
        while end < len(scan) and not (scan[end].isspace() and _no_edit_across(end, layers)):
            end += 1
        yield start, end
        start = end


def _no_edit_across(at: int, layers: Sequence[TextLayer]) -> bool:
    return not any(e.raw_start < at < e.raw_end for layer in layers for e in layer.within(at, at + 1))


@dataclass(frozen=True, slots=True)
class Weight:
    """The value of a rule in one book: its tally, and how many more words are wrong without it."""

    rule: str
    book_id: str
    fires: int
    fixed: int
    harmed: int
    net: int


@dataclass(frozen=True, slots=True)
class Ablation:
    """The weights of all rules that fire, in registry order, and the number of wrong words per book with all rules."""

    rules: int
    wrong: dict[str, int]
    weights: tuple[Weight, ...]


def ablate(books: Sequence[Book], *, executor: Executor, progress: Callable[[str], None]) -> Ablation:
    """Measure every rule in every book in which it fires.

    Args:
        books: the books, with the editor's files.
        executor: where the scans are corrected again, once for each rule.
        progress: called with a sentence at each step.
    Raises:
        WhistError: a book is invalid.
    """
    judged = list(executor.map(_judge, books))
    wrong = {book.id: n for book, (_, _, n) in zip(books, judged, strict=True)}
    jobs = [
        (rule.name, book, shipped, tallies[rule.name])
        for rule in RULES
        for book, (shipped, tallies, _) in zip(books, judged, strict=True)
        if rule.name in tallies
    ]
    names, job_books, layers, tallies = zip(*jobs, strict=True) if jobs else ((), (), (), ())
    weights: list[Weight] = []
    for name, book, found, n in zip(
        names, job_books, tallies, executor.map(_wrong_without, job_books, layers, names), strict=True
    ):
        weights.append(Weight(name, book.id, found.fires, found.fixed, found.harmed, n - wrong[book.id]))
        progress(f"{len(weights)} of {len(jobs)}: {name} in {book.id}")
    return Ablation(len(RULES), wrong, tuple(weights))


def _judge(book: Book) -> tuple[TextLayer, dict[str, Tally], int]:
    edition = make_edition(book)
    shipped = TextLayer(edition.scan, edition.edits)
    alone = post_correct_scan(book).edits
    return shipped, tally(shipped, alone), wrong_words(shipped, alone)


def _wrong_without(book: Book, shipped: TextLayer, rule: str) -> int:
    return wrong_words(shipped, post_correct_scan(book, frozenset({rule})).edits)
