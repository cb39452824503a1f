"""The search for folios leaves out what cannot matter: it finds what a search through everything finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.numbering.numerals import reading_cost, readings, roman
from extract.numbering.sequence import Candidate, Label
from extract.pages import folio

Chain = tuple[Label, ...]


def chain_by_all(candidates: Sequence[Candidate], highest: int, printed: Callable[[int], str]) -> Chain:
    """The best chain, each reading tried after every earlier one that is near enough."""
    length = folio._page_length(candidates)
    found: list[tuple[Label, float, int | None]] = []
    for candidate in candidates:
        far_back = sum(s[0].candidate.start < candidate.start - folio._PAGES_BACK * length for s in found)
        floor = max(min(len(found) - folio._LOOK_BACK, far_back), len(found) - folio._MOST_BACK, 0)
        worst = folio._WORST if candidate.prior > folio._UNLIKELY else folio._WORST_OF_UNLIKELY
        fresh: list[tuple[Label, float, int | None]] = []
        for number, cost in readings(candidate.read, min(highest, folio._MORE_THAN_ANY_BOOK), printed, worst):
            gain = folio._REWARD + candidate.prior - cost * (1 + cost)
            ways: list[tuple[float, int]] = []
            for i in range(floor, len(found)):
                label, score, _ = found[i]
                step = number - label.number
                if step >= 1:
                    far = abs(candidate.start - label.candidate.start - step * length) / length
                    ways.append((score + gain - min(1.2, 0.15 * (step - 1)) - min(1.6, 0.8 * far / step**0.5), i))
            best = max(ways, default=(gain, -1))
            before = best[1] if best[0] > gain else None
            fresh.append((Label(candidate, number, cost), max(best[0], gain), before))
        found += fresh
    at = max(range(len(found)), key=lambda i: found[i][1], default=None)
    labels: list[Label] = []
    while at is not None:
        labels.append(found[at][0])
        at = found[at][2]
    return tuple(reversed(labels)) if len(labels) > 1 else ()


def by_place_of_all(labels: Chain, candidates: Sequence[Candidate]) -> Chain:
    """The folios that stand where a page is missing, every candidate tried in every gap."""
    length = folio._page_length(candidates)
    found: dict[int, Label] = {}
    for a, b in zip(labels, [*labels[1:], None], strict=False):
        step = (b.candidate.start - a.candidate.start) / (b.number - a.number) if b else length
        for candidate in candidates:
            far = (candidate.start - a.candidate.start) / step
            number = a.number + round(far)
            if a.number < number < (b.number if b else a.number + 2):
                cost = reading_cost(str(number), candidate.read)
                worst = 1.5 if abs(far - round(far)) > 0.2 else 2.0
                if cost <= worst and (number not in found or cost < found[number].cost):
                    found[number] = Label(candidate, number, cost)
    return tuple(sorted([*labels, *found.values()], key=lambda label: label.number))


@st.composite
def books(draw: st.DrawFn) -> list[Candidate]:
    """Folios of a book, some garbled and some lost, among other figures and strokes."""
    found: list[Candidate] = []
    at = 0
    for number in range(1, draw(st.integers(2, 30))):
        at += draw(st.integers(300, 2500))
        read = draw(st.sampled_from([str(number), str(number).replace("1", "i"), roman(number), "", "?", "l" * 3]))
        prior = draw(st.sampled_from([0.3, 0.0, -0.6]))
        if read:
            found.append(Candidate(at, at + len(read), read, prior))
        for noise in draw(st.lists(st.text("0123456789ilvxSO", min_size=1, max_size=3), max_size=2)):
            at += draw(st.integers(1, 400))
            found.append(Candidate(at, at + len(noise), noise, prior - 0.5))
    return found


@pytest.mark.parametrize("printed", [str, roman])
@given(books())
def test_what_is_not_tried_would_not_have_been_better(
    printed: Callable[[int], str], candidates: list[Candidate]
) -> None:
    chain = folio._chain(candidates, 60, printed)
    assert chain == chain_by_all(candidates, 60, printed)
    if chain and printed is str:
        assert folio._by_place(chain, candidates) == by_place_of_all(chain, candidates)


def test_a_long_book_is_searched_as_a_short_one_many_times(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0

    def counted(printed: str, read: str) -> float:
        nonlocal tried
        tried += 1
        return reading_cost(printed, read)

    monkeypatch.setattr(folio, "reading_cost", counted)

    def tries(pages: int) -> int:
        nonlocal tried
        tried = 0
        lost = [n for n in range(1, pages + 1) if n % 10]
        folio.decode_folios([Candidate(1500 * n, 1500 * n + 3, str(n), 0.3) for n in lost])
        return tried

    assert tries(400) <= 4 * tries(100) + 10
