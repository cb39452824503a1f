"""Where pages without folios begin: before the first folio, after the last one, and between two parts of a book."""

import pytest

from extract.model import Span
from extract.pages.folio import Folio
from extract.pages.pagination import DIVISION, OPENING, paginate, with_inferred

STRONG = 9.0
"""A weight that would win from any distance."""


def pages(length: int, folios: dict[int, str], *breaks: tuple[int, float]) -> list[tuple[int, str | None, str]]:
    """The pages of a scan: where each begins, its number, in brackets if it is only inferred, and its status."""
    printed = [Folio(Span(at, at + 1), text, 1.0) for at, text in folios.items()]
    found = with_inferred(paginate(length, printed, list(folios), sorted(breaks)))
    return [(p.raw_start, f"[{p.folio}]" if p.inferred else p.folio, p.status) for p in found]


FROM_1, FROM_5 = {0: "1", 1000: "2", 2000: "3"}, {5000: "5", 6000: "6", 7000: "7"}
GAP, MORE = {1000: "1", 2000: "2", 4000: "4", 5000: "5"}, {1000: "1", 2000: "2", 4000: "5", 5000: "6"}
FRONT = {1000: "v", 2000: "vi", 3000: "vii"}
TEXT = {7000: "3", 8000: "4", 9000: "5"}
NEAR = [(2150, STRONG), (2950, 0.0)]
BEFORE = [*((at, 0.0) for at in (400, 1400, 2400, 4100)), (3400, STRONG), (3700, 0.15), (4850, STRONG)]
AFTER = [(4300, 0.0), (5000, 0.0), (5900, 3.0)]


@pytest.mark.parametrize(
    ("length", "folios", "breaks", "found"),
    [
        # A page may begin between a seventh of a page and 1.6 pages (exclusive) after the previous one. The evidence
        # has weight 1, the distance from where the page should begin weight 2.
        (6600, FROM_1, [*NEAR, (3300, 0.55), *AFTER], [(3300, "[4]"), (4300, "[5]"), (5000, "[6]")]),
        (6600, FROM_1, [*NEAR, (3600, STRONG)], [(2950, "[4]"), (3600, "[5]")]),
        (9000, {0: "i", 1000: "ii", 2000: "iii"}, [(3000, 0.0)], [(3000, "[iv]")]),
        (3600, FROM_1, [(2900, STRONG)], []),
        (3601, FROM_1, [(2900, STRONG)], [(2900, "[4]")]),
        (8000, FROM_5, [(4000, 0.0), (2400, STRONG)], [(4000, "[4]")]),
        (8000, FROM_5, BEFORE, [(1400, "[1]"), (2400, "[2]"), (3400, "[3]"), (4100, "[4]")]),
        (8000, FRONT | {4800: "3", 5800: "4", 6800: "5"}, [(3300, STRONG), (3800, 0.0)], [(3800, "[2]")]),
        (6000, GAP, [(2900, 0.5)], [(2900, "3")]),
        (6000, GAP, [(3300, 0.5)], [(3300, "3")]),
        (6000, GAP, [*((at, STRONG) for at in (500, 1000, 2000, 4000, 4500)), (3100, 0.0)], [(3100, "3")]),
        (6000, GAP, [], []),
        (6000, {0: "1", 500: "2", 1000: "3", 2000: "4", 3000: "5", 4000: "6"}, [(4500, 0.0), (5000, 0.0)],
         [(5000, "[7]")]),
        (6000, MORE, [(3000, OPENING)], [(3000, "[4]")]),
        (6000, MORE, [(3000, 1.5)], []),
    ],
    ids=[
        "after the last folio", "near breaks only", "no break left", "a last page may be longer", "but not by more",
        "before the first folio", "back to the first page", "not on the last page of the front matter", "between two",
        "between two, later",
        "breaks beyond do not count", "no evidence of a break", "the usual length is the median",
        "a number is skipped where a part opens", "and nowhere else",
    ],
)  # fmt: skip
def test_pages_without_folios_begin_at_the_best_breaks(
    length: int, folios: dict[int, str], breaks: list[tuple[int, float]], found: list[tuple[int, str]]
) -> None:
    assert [(at, folio) for at, folio, status in pages(length, folios, *breaks) if status == "interpolated"] == found


HALF_TITLE = [(3300, OPENING), (3500, 2.0), (4000, OPENING), (4200, DIVISION), (5000, OPENING), (6000, 0.0)]


@pytest.mark.parametrize(
    ("folios", "breaks", "between"),
    [
        (FRONT | TEXT, HALF_TITLE, [(3000, "vii"), (4000, None), (5000, "[1]"), (6000, "[2]"), (7000, "3")]),
        (FRONT | TEXT, [(5000, OPENING), (6000, 0.0)], [(3000, "vii"), (5000, "[1]"), (6000, "[2]"), (7000, "3")]),
        (TEXT, [(1000, OPENING), (5000, 0.0), (6000, 0.0)], [(0, None), (5000, "[1]"), (6000, "[2]"), (7000, "3")]),
    ],
    ids=["a half-title", "not the first page of the text", "none without front matter"],
)
def test_half_title_between_front_matter_and_text_may_be_unnumbered(
    folios: dict[int, str], breaks: list[tuple[int, float]], between: list[tuple[int, str | None]]
) -> None:
    found = [(at, folio) for at, folio, _ in pages(10_000, folios, *breaks)]
    assert found[found.index(between[0]) :][: len(between)] == between
