"""Find where quoted words stand: in which units, and on which pages."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable

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


def is_on(cited: str, found: Iterable[str | None]) -> bool:
    """Whether a page as cited (`18`, `40-44`, `252-3`, `18 ff`) is one of those found; a page without number may be."""
    first, *_, last = re.findall(r"\d+", cited) * 2
    following = (0, 1, 999)[cited.lower().count("f")]
    numbers = range(int(first), int(first[: -len(last)] + last) + 1 + following)
    return any(page is None or (page.isdecimal() and int(page) in numbers) for page in found)


def having(conn: sqlite3.Connection, words: str, cited: UnitRow | None = None) -> list[UnitRow]:
    """The other units that have words quoted from a unit: those that rank first, the shortest before longer ones.

    Units of the same law rank first; then those with the same characters, of the same work, and of a code.
    """
    if max(map(len, map(plain, quotation.pieces(words))), default=0) < _LEAST_LETTERS:
        return []
    found = in_units(conn, words, lambda unit: cited is None or unit.id != cited.id)
    law = "" if cited is None else cited.parent_id if cited.kind == "subclause" else cited.id
    exact = collapse(words).strip(" .,;:…")

    def rank(unit: UnitRow) -> tuple[bool, ...]:
        beside, same = law in (unit.id, unit.parent_id), cited is not None and unit.work == cited.work
        return not beside, exact not in collapse(unit.text), not same, unit.code_id is None

    best = min(map(rank, found), default=())
    return [unit for unit in found if rank(unit) == best]


def in_units(conn: sqlite3.Connection, words: str, wanted: Callable[[UnitRow], bool]) -> list[UnitRow]:
    """The units wanted that have some words, the shortest first; not those of which a paragraph has them."""
    pieces = list(map(plain, quotation.pieces(words)))
    found = [
        unit
        for unit, text in _plain_texts(conn).values()
        if wanted(unit) and all(piece in text for piece in pieces) and quotation.find_in_pieces(unit.text, words)
    ]
    parents = {unit.parent_id for unit in found}
    return sorted((unit for unit in found if unit.id not in parents), key=lambda unit: len(unit.text))


def most_similar(
    conn: sqlite3.Connection, words: str, wanted: Callable[[UnitRow], bool], least: float
) -> tuple[UnitRow, str] | None:
    """Of the units wanted, the one with the words most similar to those quoted, and these words.

    None if their similarity is below `least`.
    """
    sought = plain(words)
    if len(sought) < _LEAST_LETTERS:
        return None
    texts = {i: text for i, (unit, text) in _plain_texts(conn).items() if 2 * len(text) > len(sought) and wanted(unit)}
    best = process.extract(sought, texts, scorer=fuzz.partial_ratio, limit=_MOST_COMPARED, score_cutoff=quotation.LIKE)
    units = (_plain_texts(conn)[i][0] for _, _, i in best)
    found = [(unit, near) for unit in units if (near := quotation.nearest_in_pieces(unit.text, words))]
    nearest = max(found, key=lambda pair: quotation.likeness(pair[1], words), default=None)
    return nearest if nearest and quotation.likeness(nearest[1], words) >= least else None


@cached_per_build
def _plain_texts(conn: sqlite3.Connection) -> dict[str, tuple[UnitRow, str]]:
    """All units, by id, with the letters and digits of their texts (`plain`)."""
    units = queries.units(conn, UNITS(conn))
    return {i: (unit, plain(unit.text)) for i, unit in units.items()}
