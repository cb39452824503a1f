"""What to check when a book was added: whether all laws are there and complete, and a sample of the corrections."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from extract.corpus.book import Book
from extract.corpus.plan import ChaptersPart
from extract.model import Edit, Edition, Unit

_SAMPLED = 20  # corrections to judge
_AROUND = 30  # characters shown on both sides of a correction
_LONG, _LEAST_LONG = 5, 900  # a piece is suspicious if it is longer than 5 times the median and 900 characters
_WORDS = 12  # words shown of the beginning of a provision, and of its end


@dataclass(frozen=True, slots=True)
class NumberingReport:
    """One numbering of an edition: how many of the expected numbers were found, and what looks wrong.

    `missing` are numbers, with that of the article before that of a section (`4-2`); `inserted` are numbers like `12a`.
    `first` and `last` are the beginnings of the first and the last provision, `end` the last words of the last one,
    since only a heading shows where it ends; `long` are the ids of provisions that may contain text of others.
    """

    name: str
    found: int
    expected: int
    missing: tuple[str, ...]
    inserted: tuple[str, ...]
    first: str
    last: str
    end: str
    long: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BookReport:
    """A book as it was built: its numberings, and its corrections.

    `corrections` counts those of letters and figures, some of which are `sampled` to be judged; `signs` counts those
    of punctuation alone.
    """

    numberings: tuple[NumberingReport, ...]
    corrections: int
    signs: int
    sampled: tuple[str, ...]


def report_on(book: Book, edition: Edition) -> BookReport:
    """Report on an edition.

    Args:
        book: the book.
        edition: its edition.
    """
    numberings: list[NumberingReport] = []
    pieces = _longest_pieces(edition.units)
    for part in book.parts:
        for series in part.numberings:
            owner = series.code or book.id
            units = [u for u in edition.units if u.kind == series.kind and u.id.startswith(f"{owner}/")]
            units = [u for u in units if series.labels(u.id, u.number)]
            numbers = [(u.number or "").removeprefix(series.prefix) for u in units]
            due = [str(n) for n in series.due(map(int, filter(str.isdecimal, numbers)))]
            numberings.append(_numbering(f"{owner}, label {series.label!r}", units, numbers, due, pieces))
        if isinstance(part, ChaptersPart):
            articles, sections = part.series
            stem = f"{part.code or book.id}/{articles.slug}-"
            units = [u for u in edition.units if u.kind == sections.kind and u.id.startswith(stem)]
            within = [(u.id.removeprefix(stem).partition("-")[0], int(u.number or 0)) for u in units]
            numbers = [f"{article}-{number}" for article, number in within]
            due = [f"{article}-{n}" for article, last in dict(sorted(within)).items() for n in range(1, last + 1)]
            name = f"{part.code or book.id}, labels {articles.label!r} and {sections.label!r}"
            numberings.append(_numbering(name, units, numbers, due, pieces))
    mended = [e for e in edition.edits if e.kind == "ocr" and e.source != "editor"]
    changed = [e for e in mended if _letters(e.before) != _letters(e.after)]
    sample = random.Random(0).sample(changed, min(_SAMPLED, len(changed)))
    shown = tuple(_shown(edition.scan, e) for e in sorted(sample))
    return BookReport(tuple(numberings), len(changed), len(mended) - len(changed), shown)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _longest_pieces(units: Sequence[Unit]) -> dict[str, int]:
    """The length in characters of the longest paragraph of each unit, or of what it says besides them, by id."""
    within: dict[str, list[int]] = defaultdict(list)
    for unit in units:
        within[unit.parent_id or ""].append(len(unit.text))
    return {u.id: max(len(u.text) - sum(within[u.id]), *within[u.id], 0) for u in units}


def _numbering(
    name: str, units: Sequence[Unit], numbers: Sequence[str], due: Sequence[str], pieces: Mapping[str, int]
) -> NumberingReport:
    """Report on one numbering.

    Args:
        name: its name.
        units: its members, in reading order.
        numbers: the number of each of them.
        due: the numbers that the print must have.
        pieces: the length of the longest piece of each unit, by id.
    """
    missing = [number for number in due if number not in set(numbers)]
    inserted = [number for number in numbers if number[-1:].isalpha()]
    usual = median(pieces[u.id] for u in units) if units else 0
    words = [u.text.split() for u in units] or [[]]
    return NumberingReport(
        name, len(due) - len(missing), len(due), tuple(missing), tuple(inserted),
        " ".join(words[0][:_WORDS]), " ".join(words[-1][:_WORDS]), " ".join(words[-1][-_WORDS:]),
        tuple(u.id for u in units if pieces[u.id] > max(_LONG * usual, _LEAST_LONG)),
    )  # fmt: skip


def _shown(scan: str, edit: Edit) -> str:
    """A correction with the words around it."""
    before = " ".join(scan[max(0, edit.raw_start - _AROUND) : edit.raw_start].split())
    after = " ".join(scan[edit.raw_end : edit.raw_end + _AROUND].split())
    return f"... {before} [{' '.join(edit.before.split())} -> {' '.join(edit.after.split()) or 'nothing'}] {after} ..."
