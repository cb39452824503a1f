"""A garbled numbering is decoded as a whole: recall under noise, decoys and losses."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.numbering.numerals import roman
from extract.numbering.sequence import Candidate, Label, decode

# How OCR was seen to read figures in scans of the period, counted by hand; not the decoder's own table.
FIGURES = {
    "0": "oOQ6", "1": "iIl!]tj", "2": "zZ?a", "3": "S8s5B", "4": "qAha", "5": "Ss36$", "6": "Gbc0o", "7": "?TyY1",
    "8": "SB3s&", "9": "gqpQ",
}  # fmt: skip
RUN_TOGETHER = {"11": "nuH", "10": ["lo", "to"], "110": ["no"], "77": ["yj"]}
LETTERS = {"i": "l1!j", "v": "yu", "x": "kX", "l": "1I"}
MISREAD = FIGURES | LETTERS
RUNS = 10


def garble(numeral: str, noise: random.Random, p: float) -> str:
    """A numeral as OCR may read it: each figure is misread with probability `p`, pairs may run together."""
    if numeral in RUN_TOGETHER and noise.random() < p:
        return noise.choice(list(RUN_TOGETHER[numeral]))
    read = "".join(noise.choice(MISREAD[c]) if noise.random() < p else c for c in numeral)
    if len(read) > 1 and noise.random() < p / 3:
        cut = noise.randrange(1, len(read))
        read = f"{read[:cut]} {read[cut:]}"
    return read


def series(
    p: float, seed: int, last: int = 91, printed: Callable[[int], str] = str, decoys: int = 0, lost: float = 0.0
) -> tuple[list[Candidate], dict[int, int]]:
    """Candidates of a numbering, and the true number of those that bear a label, by offset."""
    noise = random.Random(seed)
    candidates: list[Candidate] = []
    truth: dict[int, int] = {}
    for number in range(1, last + 1):
        if noise.random() >= lost:
            truth[1000 * number] = number
            read = garble(printed(number), noise, p)
            candidates.append(Candidate(1000 * number, 1000 * number + len(read), read, 0.5))
    for _ in range(decoys):
        at = noise.randrange(1000, 1000 * last) // 1000 * 1000 + noise.randrange(1, 1000)
        read = printed(noise.randint(1, last))
        candidates.append(Candidate(at, at + len(read), read))
    return sorted(candidates, key=lambda c: c.start), truth


def score(found: tuple[Label, ...], truth: dict[int, int]) -> tuple[int, int]:
    """How many labels are right, and how many of those found are wrong."""
    right = sum(truth.get(x.candidate.start) == x.number for x in found)
    return right, len(found) - right


def over_many_runs(p: float, printed: Callable[[int], str] = str, last: int = 91, **kind: float) -> tuple[float, float]:
    """Recall and precision over all runs."""
    right = wrong = total = 0
    for seed in range(RUNS):
        candidates, truth = series(p, seed, last, printed, **kind)  # type: ignore[arg-type]
        hit, miss = score(decode(candidates, 3 * len(candidates), printed), truth)
        right, wrong, total = right + hit, wrong + miss, total + len(truth)
    return right / total, right / (right + wrong)


@pytest.mark.parametrize(("p", "recall"), [(0.0, 1.0), (0.1, 0.995), (0.3, 0.99), (0.5, 0.975)])
def test_a_garbled_series_is_decoded(p: float, recall: float) -> None:
    found, precision = over_many_runs(p)
    assert found >= recall
    assert precision >= 0.99


@pytest.mark.parametrize(("p", "recall"), [(0.1, 0.99), (0.3, 0.98)])
def test_other_numbers_in_between_do_not_lead_it_astray(p: float, recall: float) -> None:
    found, precision = over_many_runs(p, decoys=15)
    assert found >= recall
    assert precision >= 0.98


def test_lost_labels_are_left_out_and_not_made_up() -> None:
    found, precision = over_many_runs(0.3, lost=0.05)
    assert found >= 0.99
    assert precision >= 0.98


@pytest.mark.parametrize(("p", "recall"), [(0.1, 0.99), (0.3, 0.98)])
def test_a_garbled_roman_series_is_decoded(p: float, recall: float) -> None:
    found, precision = over_many_runs(p, roman, last=40)
    assert found >= recall
    assert precision >= 0.99


@given(st.lists(st.text(st.sampled_from("0123456789iIlnoS "), min_size=1, max_size=4), max_size=25))
def test_numbers_and_places_always_increase(reads: list[str]) -> None:
    candidates = [Candidate(10 * i, 10 * i + len(read), read) for i, read in enumerate(reads)]
    found = decode(candidates, 60)
    numbers = [x.number for x in found]
    places = [x.candidate.start for x in found]
    assert numbers == sorted(set(numbers))
    assert places == sorted(set(places))
    assert all(0 < x.confidence <= 1 for x in found)


def test_no_candidates_give_no_labels() -> None:
    assert decode([], 91) == ()


def test_a_label_that_cannot_be_read_at_all_is_noise() -> None:
    reads = ["1", "2", "Hand", "3"]
    found = decode([Candidate(i, i + 1, r) for i, r in enumerate(reads)], 91)
    assert [(x.candidate.start, x.number) for x in found] == [(0, 1), (1, 2), (3, 3)]


def test_a_stray_number_far_ahead_is_noise() -> None:
    reads = ["1", "2", "3", "71", "4", "5", "20"]
    found = decode([Candidate(i, i + 1, r) for i, r in enumerate(reads)], 2000)
    assert [x.number for x in found] == [1, 2, 3, 4, 5]


def test_surroundings_decide_between_two_places() -> None:
    reads = [("1", 0.0), ("2", -0.5), ("2", 0.5), ("3", 0.0)]
    found = decode([Candidate(i, i + 1, r, prior) for i, (r, prior) in enumerate(reads)], 91)
    assert [x.candidate.start for x in found] == [0, 2, 3]


def test_a_faithful_reading_is_surer_than_a_garbled_one() -> None:
    one, two, three = decode([Candidate(i, i + 1, r) for i, r in enumerate("1z3")], 91)
    assert two.number == 2
    assert two.confidence < one.confidence == three.confidence == 1


def run(*reads: str | tuple[str, float]) -> list[int]:
    """The numbers decoded from labels in a row, each with what its surroundings add, if anything."""
    read = [r if isinstance(r, tuple) else (r, 0.0) for r in reads]
    candidates = [Candidate(10 * i, 10 * i + 5, text, prior) for i, (text, prior) in enumerate(read)]
    return [label.number for label in decode(candidates, 22)]


def test_one_number_may_be_skipped_but_not_a_dozen() -> None:
    nine = [str(n) for n in range(1, 10)]
    assert run(*nine, "11") == [*range(1, 10), 11]
    assert run(*nine, ("22", 0.5)) == [*range(1, 10)]


def test_the_numbers_before_the_first_label_are_skipped_too() -> None:
    assert run("2") == [2]
    assert run("22") == []


def test_a_figure_is_seldom_another_figure() -> None:
    assert run("1", "2", "3", "4", ("8", -0.5)) == [1, 2, 3, 4]
    assert run("1", "2", "3", "4", ("B", -0.5)) == [1, 2, 3, 4, 5]


def test_a_label_is_worth_its_cost_and_what_speaks_against_it() -> None:
    eleven = [str(n) for n in range(1, 12)]
    assert run(*eleven, ("zz", -0.6)) == [*range(1, 13)]
    assert run(*eleven, ("zz", -0.9)) == [*range(1, 12)]


def test_what_is_read_too_badly_is_never_a_label() -> None:
    eleven = [str(n) for n in range(1, 12)]
    assert run(*eleven, ("zz", 1.5)) == [*range(1, 13)]
    assert run(*eleven, ("xx", 1.5)) == [*range(1, 12)]


def test_of_two_equal_labels_the_first_is_believed() -> None:
    labels = decode([Candidate(at, at + 1, str(n), 0.0) for at, n in ((0, 1), (10, 2), (20, 2), (30, 3))], 5)
    assert [label.candidate.start for label in labels] == [0, 10, 30]


def test_the_greatest_number_counts() -> None:
    assert [label.number for label in decode([Candidate(0, 1, "1"), Candidate(9, 10, "2")], 2)] == [1, 2]


def _candidates(*read: str) -> list[Candidate]:
    return [Candidate(10 * i, 10 * i + 3, figures, 0.5) for i, figures in enumerate(read)]


def test_a_numbering_begins_with_a_high_number() -> None:
    found = decode(_candidates("17", "4883", "4884", "488S", "4886"), 4886, first=4883)
    assert [(x.number, x.candidate.start) for x in found] == [(4883, 10), (4884, 20), (4885, 30), (4886, 40)]


def test_numbers_left_out_cost_no_more_than_many() -> None:
    numbers = [*range(1, 20), *range(201, 221)]
    assert [x.number for x in decode(_candidates(*map(str, numbers)), 400)] == numbers


def test_a_few_figures_between_two_gaps_are_what_they_are_read_as() -> None:
    numbers = [*range(1, 32), 71, 72, 73, *range(81, 107)]
    assert [x.number for x in decode(_candidates(*map(str, numbers)), 200)] == numbers
