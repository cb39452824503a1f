"""Find where quoted words stand: in which units, and on which pages."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from rapidfuzz import fuzz, process

from extract.model import Span
from extract.text.lines import collapse
from kb.citing import quotation
from kb.editorial.provisions import plain
from kb.read import queries, reading
from kb.read.build_cache import cached_per_build
from kb.read.rows import Statement, UnitRow, as_tuple
from kb.read.written import UNITS

# The fewest letters of words that are searched for in all units: many units have shorter ones.
_LEAST_LETTERS = 12
_MOST_COMPARED = 3  # of the units with the most similar stretches, these are compared word by word
Passage: TypeAlias = tuple[UnitRow, str]
"""A unit with some words, as it has them."""
_PAGES = Statement(as_tuple, """
select folio, inferred from page where book_id = ?1 and raw_start < ?3 and raw_end > ?2 order by seq
""")  # fmt: skip


def pages(conn: sqlite3.Connection, unit: UnitRow, words: str = "") -> dict[str | None, bool]:
    """The pages on which words of a unit stand, each time it has them; without words, all pages of the unit.

    Returns:
        The page numbers in order (None: a page has no number), with whether each is inferred from those of other pages.
    """
    parts = [unit, *queries.continued(conn, unit.id)]
    spans = []
    for part in parts if words else ():
        layer = reading.layer(conn, part)
        for piece in quotation.pieces(words):
            places = (layer.to_scan(Span(*place)) for place in quotation.places(layer.reading, piece))
            spans += [(part.raw_start + place.start, part.raw_start + place.end) for place in places]
    if not spans:  # a case is printed with its decision, and cited for both
        parts += (child for child in queries.children(conn, unit.id) if child.kind == "decision")
        spans = [(part.raw_start, part.raw_end) for part in parts]
    return dict(page for span in spans for page in _PAGES(conn, unit.book_id, *span))


def on_its_page(conn: sqlite3.Connection, unit: UnitRow, words: str) -> UnitRow:
    """A unit with the page on which some words of it stand, for the citation of these words."""
    page, inferred = next(iter(pages(conn, unit, words).items()), (unit.page, unit.inferred))
    return replace(unit, page=page, inferred=inferred)


def is_on(cited: str, found: Iterable[str | None]) -> bool:
    """Whether a page as cited (`18`, `40-44`, `252-3`, `18 ff`) is one of those found; a page without number may be."""
    first, *_, last = re.findall(r"\d+", cited) * 2
    following = (0, 1, 999)[cited.lower().count("f")]
    numbers = range(int(first), int(first[: -len(last)] + last) + 1 + following)
    return any(page is None or (page.isdecimal() and int(page) in numbers) for page in found)


def having(units: Iterable[UnitRow], words: str) -> list[Passage]:
    """Those of some units that have some words."""
    piece = max(map(plain, quotation.pieces(words)), key=len, default="")
    there = (unit for unit in units if piece in _plain(unit.text))
    return [(unit, found) for unit in there if (found := quotation.find(unit.text, words))]


def shortest(found: Iterable[Passage]) -> list[Passage]:
    """Some passages, the shortest unit first; without units of which a paragraph has the words."""
    sized = sorted(found, key=lambda passage: len(passage[0].text))
    parents = {unit.parent_id for unit, _ in sized}
    return [passage for passage in sized if passage[0].id not in parents]


def nearest_to(conn: sqlite3.Connection, words: str, cited: UnitRow | None = None) -> list[Passage]:
    """The other units that have words quoted from a unit: those that rank first, the shortest before longer ones.

    Units of the same law rank first; then those with the same characters, of the same work, and of a code.
    """
    if max(map(len, map(plain, quotation.pieces(words))), default=0) < _LEAST_LETTERS:
        return []
    exact = collapse(words).strip(" .,;:…")

    def rank(passage: Passage) -> tuple[bool, ...]:
        unit = passage[0]
        beside, same = cited and law(cited) in (unit.id, unit.parent_id), cited and unit.work == cited.work
        return not beside, exact not in collapse(unit.text), not same, unit.code_id is None

    found = shortest(having((unit for unit in library(conn) if cited is None or unit.id != cited.id), words))
    best = min(map(rank, found), default=())
    return [passage for passage in found if rank(passage) == best]


def most_similar(units: Iterable[UnitRow], words: str, least: float) -> list[Passage]:
    """Of some units, the one with the words most similar to those quoted; none if their similarity is below `least`."""
    sought = plain(words)
    if len(sought) < _LEAST_LETTERS:
        return []
    known = [unit for unit in units if 2 * len(_plain(unit.text)) > len(sought)]
    best = process.extract(
        sought, [_plain(unit.text) for unit in known],
        scorer=fuzz.partial_ratio, limit=_MOST_COMPARED, score_cutoff=quotation.LIKE,
    )  # fmt: skip
    found = [(known[at], quotation.nearest(known[at].text, words)) for _, _, at in best]
    nearest = max(found, key=lambda passage: quotation.likeness(passage[1], words), default=None)
    return [nearest] if nearest and quotation.likeness(nearest[1], words) >= least else []


def law(unit: UnitRow) -> str:
    """The id of the provision of a paragraph, or of the unit itself."""
    return unit.parent_id or "" if unit.kind == "subclause" else unit.id


@cached_per_build
def library(conn: sqlite3.Connection) -> tuple[UnitRow, ...]:
    """All units, in the order of their books."""
    return tuple(queries.units(conn, UNITS(conn)).values())


@lru_cache(maxsize=10_000)
def _plain(text: str) -> str:
    """The letters and digits of a unit's text."""
    return plain(text)
