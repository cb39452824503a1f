"""The search for folios leaves out what cannot matter: it finds what a search through everything finds."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from extract.numbering.numerals import reading_cost, roman
from extract.numbering.sequence import Candidate, Label
from extract.pages import folio

Chain = tuple[Label, ...]


def by_place_of_all(labels: Chain, candidates: Sequence[Candidate]) -> Chain:
    """The folios that stand where a page is missing, every candidate tried in every gap."""
    length = folio._page_length(candidates)
    found: dict[int, Label] = {}
    for a, b in zip(labels, [*labels[1:], None], strict=False):
        step = (b.candidate.start - a.candidate.start) / (b.number - a.number) if b else length
        for candidate in candidates:
            number = a.number + round((candidate.start - a.candidate.start) / step)
            if a.number < number < (b.number if b else a.number + 2):
                cost = reading_cost(str(number), candidate.read)
                if cost <= 2.0 and (number not in found or cost < found[number].cost):
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


@given(books())
def test_what_is_not_tried_would_not_have_been_better(candidates: list[Candidate]) -> None:
    chain = folio._chain(candidates, 60, str)
    assert folio._by_place(chain, candidates) == by_place_of_all(chain, candidates)


def test_folios_are_read_on_behind_many_pages_without_one() -> None:
    read = [*range(1, 20), *range(38, 60)]
    others = [Candidate(1500 * 19 + 50 * k, 1500 * 19 + 50 * k + 3, "?????", -1.0) for k in range(1, 400)]
    folios = [Candidate(1500 * n, 1500 * n + 2, str(n), 0.3) for n in read]
    found = folio.decode_folios(sorted([*folios, *others], key=lambda c: c.start))
    assert [f.text for f in found] == [str(n) for n in read]
