"""What each rule of correction is worth: how often it fires, what it fixes and harms, and what is lost without it.

Measured against the shipped edition (the machine's reading with the editor's on top), unaided: an ablation study, rule
by rule. A place is judged alone, with and without the one edit; the effect on a whole book is found by repairing it
again with the rule switched off.
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

_STRETCH = 400


@dataclass(frozen=True, slots=True)
class Tally:
    """The edits of one rule: how many, how many make the shipped reading, how many spoil it; the rest do neither."""

    fires: int = 0
    fixed: int = 0
    harmed: int = 0


def tally(shipped: TextLayer, edits: Iterable[Edit]) -> dict[str, Tally]:
    """Judge every edit of the machine's by what the shipped edition reads at its place; furniture is left out.

    Args:
        shipped: the shipped edition.
        edits: what the machine does unaided to the same scan.
    Returns:
        For each rule that made an edit, in order of names: its tally. An edit that two rules made counts for both.
    """
    alone = machine(shipped, edits)
    fires: Counter[str] = Counter()
    fixed: Counter[str] = Counter()
    harmed: Counter[str] = Counter()
    for edit in alone.edits:
        if edit.kind == "furniture":
            continue
        place = _place(edit, alone, shipped)
        want, have = shipped.read(place.start, place.end), alone.read(place.start, place.end)
        others = (e for e in alone.within(place.start, place.end) if e != edit)
        without = TextLayer(alone.scan, tuple(others)).read(place.start, place.end)
        for rule in edit.rule.split():
            fires[rule] += 1
            fixed[rule] += have == want != without
            harmed[rule] += without == want != have
    return {rule: Tally(n, fixed[rule], harmed[rule]) for rule, n in sorted(fires.items())}


def wrong_words(shipped: TextLayer, edits: Iterable[Edit]) -> int:
    """How many words of the shipped edition the machine does not read so, furniture left out.

    Quotation marks, dashes and white space are made uniform first; words are aligned by the least number of changes.

    Args:
        shipped: the shipped edition.
        edits: what the machine does unaided to the same scan.
    """
    alone = machine(shipped, edits)
    wrong = 0
    for start, end in _stretches(shipped, alone):
        want, have = (words(layer.read(start, end)) for layer in (shipped, alone))
        wrong += right_words(want, have).count(False) if want != have else 0
    return wrong


def machine(shipped: TextLayer, edits: Iterable[Edit]) -> TextLayer:
    """The machine's reading, with the shipped edition's furniture taken out of it."""
    furniture = [e for e in shipped.edits if e.kind == "furniture" and e.raw_start < e.raw_end]
    gone = bytearray(len(shipped.scan))
    for e in furniture:
        gone[e.raw_start : e.raw_end] = b"\1" * len(e.span)
    kept = [e for e in edits if not any(gone[e.raw_start : max(e.raw_end, e.raw_start + 1)])]
    return TextLayer(shipped.scan, tuple(sorted([*furniture, *kept])))


def _place(edit: Edit, *layers: TextLayer) -> Span:
    """The words that an edit touches, taken so wide that no edit of any layer straddles the border."""
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


def _stretches(*layers: TextLayer) -> Iterator[tuple[int, int]]:
    """The scan in pieces of some hundred characters, cut at blanks that all layers leave, or change alone."""
    scan = layers[0].scan
    start = 0
    while start < len(scan):
        end = min(len(scan), start + _STRETCH)
        while end < len(scan) and not (scan[end].isspace() and _clear(end, layers)):
            end += 1
        yield start, end
        start = end


def _clear(at: int, layers: Sequence[TextLayer]) -> bool:
    return not any(e.raw_start < at < e.raw_end for layer in layers for e in layer.within(at, at + 1))


@dataclass(frozen=True, slots=True)
class Weight:
    """What a rule is worth in one book: its tally, and how many more words are wrong without it."""

    rule: str
    book_id: str
    fires: int
    fixed: int
    harmed: int
    net: int


@dataclass(frozen=True, slots=True)
class Ablation:
    """The weights of all rules that fire, in the order of the registry, and the wrong words of each book with all."""

    rules: int
    wrong: dict[str, int]
    weights: tuple[Weight, ...]


def ablate(books: Sequence[Book], *, executor: Executor, progress: Callable[[str], None]) -> Ablation:
    """Weigh every rule in every book in which it fires.

    Args:
        books: the books, with the editor's files.
        executor: where the scans are repaired again, once for each rule.
        progress: told, in words, how far it is.
    Raises:
        WhistError: a book is not what it must be.
    """
    judged = list(executor.map(_judge, books))
    wrong = {book.id: n for book, (_, _, n) in zip(books, judged, strict=True)}
    asked = [
        (rule.name, book, shipped, tallies[rule.name])
        for rule in RULES
        for book, (shipped, tallies, _) in zip(books, judged, strict=True)
        if rule.name in tallies
    ]
    names, of, layers, tallies = zip(*asked, strict=True) if asked else ((), (), (), ())
    weights: list[Weight] = []
    for name, book, found, n in zip(names, of, tallies, executor.map(_wrong_without, of, layers, names), strict=True):
        weights.append(Weight(name, book.id, found.fires, found.fixed, found.harmed, n - wrong[book.id]))
        progress(f"{len(weights)} of {len(asked)}: {name} in {book.id}")
    return Ablation(len(RULES), wrong, tuple(weights))


def _judge(book: Book) -> tuple[TextLayer, dict[str, Tally], int]:
    edition = make_edition(book)
    shipped = TextLayer(edition.scan, edition.edits)
    alone = post_correct_scan(book).edits
    return shipped, tally(shipped, alone), wrong_words(shipped, alone)


def _wrong_without(book: Book, shipped: TextLayer, rule: str) -> int:
    return wrong_words(shipped, post_correct_scan(book, frozenset({rule})).edits)
