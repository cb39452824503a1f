"""What to look at when a book was added: whether all laws are there and whole, and samples of what was changed."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from extract.corpus.book import Book
from extract.corpus.plan import Series, member
from extract.model import Edit, Edition, Unit
from extract.text.lines import split_lines

_SAMPLED = 20  # corrections to judge,
_AROUND = 30  # with so many characters on both sides
_LONG, _LEAST_LONG = 5, 900  # times the usual length, and characters, from which a provision is suspicious
_OPENING, _CLOSING = 12, 6  # words of the beginning of a provision, and of its end
_RETURNS, _SHORT_LINE = 3, 60  # a line so short that stands so often may be a head


@dataclass(frozen=True, slots=True)
class NumberingReport:
    """One numbering of an edition: what was found of what was expected, and what looks wrong.

    `beyond` are numbers higher than expected; `first` and `last` are the beginnings of its first and last provision,
    `end` the last words of that one, since nothing but a heading tells where it ends; `long` are the ids of provisions
    that may have swallowed something, `within` labels seen in the midst of a provision, with its id.
    """

    name: str
    found: int
    expected: int
    missing: tuple[int, ...]
    beyond: tuple[int, ...]
    inserted: tuple[str, ...]
    first: str
    last: str
    end: str
    long: tuple[str, ...]
    within: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BookReport:
    """A book as it was built: its numberings, heads that remain in its text, and corrections.

    `corrections` are those of letters and figures, of which some are `sampled` to be judged; `signs` those of
    punctuation alone.
    """

    numberings: tuple[NumberingReport, ...]
    heads: tuple[tuple[str, int], ...]
    corrections: int
    signs: int
    sampled: tuple[str, ...]


def report_on(book: Book, edition: Edition, seed: int = 0) -> BookReport:
    """Report on an edition.

    Args:
        book: the book.
        edition: its edition.
        seed: of the sample of corrections.
    """
    numberings = [_numbering(book, series, edition) for part in book.parts for series in part.numberings]
    mended = [e for e in edition.edits if e.kind == "ocr" and e.source != "editor"]
    changed = [e for e in mended if _letters(e.before) != _letters(e.after)]
    sample = random.Random(seed).sample(changed, min(_SAMPLED, len(changed)))
    return BookReport(
        tuple(numberings), _heads(edition), len(changed), len(mended) - len(changed),
        tuple(_shown(edition.scan, e) for e in sorted(sample)),
    )  # fmt: skip


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _numbering(book: Book, series: Series, edition: Edition) -> NumberingReport:
    own = f"{series.code or book.id}/"
    units = [
        u for u in edition.units if u.kind == series.kind and u.id.startswith(own) and series.labels(u.id, u.number)
    ]
    plain = [u for u in units if (u.number or "").removeprefix(series.prefix).isdecimal()]
    numbers = {int((u.number or "").removeprefix(series.prefix)) for u in plain}
    due = set(range(series.first, (series.expect or max(numbers, default=0)) + 1))
    middle = median(len(u.text) for u in units) if units else 0
    long = [u.id for u in units if len(u.text) > max(_LONG * middle, _LEAST_LONG)]
    return NumberingReport(
        _name(book, series),
        len(numbers & due), len(due), tuple(sorted(due - numbers)),
        tuple(sorted(n for n in numbers if n > max(due, default=0))),
        tuple(u.number or "" for u in units if u not in plain),
        _opening(units[:1]), _opening(units[-1:]),
        " ".join(units[-1].text.split()[-_CLOSING:]) if units else "",
        tuple(long), tuple(_within(series, units)),
    )  # fmt: skip


def _name(book: Book, series: Series) -> str:
    """The code and the label of a numbering; of one that is numbered afresh under every heading, the heading."""
    divided = f" ({series.name})" if (series.slug, series.name) != member(series.label) and series.name else ""
    return f"{book.id if series.code is None else series.code}: {series.label}{divided}"


def _opening(units: Sequence[Unit]) -> str:
    return " ".join(units[0].text.split()[:_OPENING]) if units else ""


def _within(series: Series, units: Sequence[Unit]) -> Iterator[tuple[str, str]]:
    """Labels of the next number in the midst of a provision, in figures, printed as most are."""
    usual = series.label.split("|")[0]
    for unit in units if "{n}" in usual else ():
        if number := re.match(r"\d+", (unit.number or "").removeprefix(series.prefix)):
            label = usual.replace("{n}", str(int(number[0]) + 1)).strip()
            if re.search(rf"(?<=[.;:!?)] ){re.escape(label)}\s", unit.text[3:]):
                yield unit.id, label


def _heads(edition: Edition) -> tuple[tuple[str, int], ...]:
    """Lines in capitals that return in the text and are neither headings nor furniture."""
    gone = [e.span for e in edition.edits if e.kind == "furniture"]
    sections = [u.span for u in edition.units if u.kind == "section"]
    taken = bytearray(len(edition.scan) + 1)
    for span in (*gone, *sections):
        taken[span.start : span.end] = b"\1" * len(span)
    lines = [
        line.text for line in split_lines(edition.scan)
        if line.capital and line.letters > 3 and len(line.text) < _SHORT_LINE and not taken[line.start]
    ]  # fmt: skip
    counts = Counter(re.sub(r"[\W\d_]+", " ", line).strip() for line in lines)
    return tuple((line, count) for line, count in counts.most_common(10) if count >= _RETURNS and line)


def _shown(scan: str, edit: Edit) -> str:
    """A correction with the words around it."""
    before = " ".join(scan[max(0, edit.raw_start - _AROUND) : edit.raw_start].split())
    after = " ".join(scan[edit.raw_end : edit.raw_end + _AROUND].split())
    return f"... {before} [{' '.join(edit.before.split())} -> {' '.join(edit.after.split()) or 'nothing'}] {after} ..."
