"""Pages without folios: similar in length, begun at the best breaks, and consistent with known page numbers."""

import pytest

from extract.pages.pagination import Anchor, Break, divide


def places(*weighted: tuple[int, float], end: int) -> list[Break]:
    return [(0, 0.0), *weighted, (end, 0.0)]


EVERY = [(at, 0.0) for at in range(100, 4000, 100)]


@pytest.mark.parametrize(
    ("weighted", "end", "known", "openings", "last", "found"),
    [
        (EVERY, 4000, [(0, 7)], (), None, [(7, 0), (8, 1000), (9, 2000), (10, 3000)]),
        ([(900, 2.0), (1000, 0.0), (1100, 0.0)], 2000, [(0, 1)], (), None, [(1, 0), (2, 900)]),
        ([(1000, 0.0)], 2000, [(0, 1), (1500, 3)], (), None, []),
        ([(1000, 0.0)], 2000, [(0, 1), (1500, 3)], {1000}, None, [(1, 0), (3, 1000)]),
        (EVERY[:29], 3000, [(0, 1)], (), 90, []),
    ],
    ids=["similar length", "evidence", "no blank page", "a blank page is allowed", "more pages than breaks"],
)
def test_pages_are_similar_in_length_and_begin_at_the_best_breaks(
    weighted: list[Break], end: int, known: list[tuple[int, int]], openings: set[int], last: int | None,
    found: list[tuple[int, int]],
) -> None:  # fmt: skip
    anchors = [Anchor(*anchor) for anchor in known]
    assert divide(places(*weighted, end=end), anchors, 1000.0, openings, last=last) == found


def test_anchors_lie_on_their_pages() -> None:
    found = dict(divide(places(*EVERY, end=4000), [Anchor(0, 1), Anchor(2450, 4)], 1000.0, ()))
    assert found[4] <= 2450 < found.get(5, 4000)
    assert [*dict(divide(places(*EVERY[:29], end=3000), [Anchor(0, 1)], 1000.0, (), last=6))] == [1, 2, 3, 4, 5]
