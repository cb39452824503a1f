"""A garbled numbering is decoded as a whole: recall under noise, decoys and losses."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.numbering.numerals import roman
from extract.numbering.sequence import Candidate, decode

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
    """Candidates of a numbering, and the true number of each label that is not lost, by offset."""
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


@pytest.mark.parametrize(
    ("p", "recall", "precision", "kind"),
    [
        (0.0, 1.0, 0.99, {}),
        (0.5, 0.975, 0.99, {}),
        (0.3, 0.98, 0.98, {"decoys": 15}),
        (0.3, 0.99, 0.98, {"lost": 0.05}),
        (0.3, 0.98, 0.99, {"printed": roman, "last": 40}),
    ],
)
def test_decodes_a_garbled_series(p: float, recall: float, precision: float, kind: dict[str, Any]) -> None:
    """Decoys between the labels do not mislead it; lost labels are left out, not made up."""
    right = found = total = 0
    for seed in range(RUNS):
        candidates, truth = series(p, seed, **kind)
        labels = decode(candidates, 3 * len(candidates), kind.get("printed", str))
        right += sum(truth.get(label.candidate.start) == label.number for label in labels)
        found += len(labels)
        total += len(truth)
    assert right >= recall * total and right >= precision * found


@given(st.lists(st.text(st.sampled_from("0123456789iIlnoS "), min_size=1, max_size=4), max_size=25))
def test_decoded_numbers_and_offsets_always_increase(reads: list[str]) -> None:
    found = decode([Candidate(10 * i, 10 * i + len(read), read) for i, read in enumerate(reads)], 60)
    for places in ([x.number for x in found], [x.candidate.start for x in found]):
        assert places == sorted(set(places))
    assert all(0 < x.confidence <= 1 for x in found)


def test_exact_reading_has_a_higher_confidence_than_a_garbled_one() -> None:
    one, two, three = decode([Candidate(i, i + 1, r) for i, r in enumerate("1z3")], 91)
    assert two.number == 2
    assert two.confidence < one.confidence == three.confidence == 1


Read = str | tuple[str, float]


def run(reads: Sequence[Read], highest: int, first: int = 1) -> list[tuple[int, int]]:
    """The accepted labels in a row: their places and numbers; a label may come with the prior from its context."""
    read = [r if isinstance(r, tuple) else (r, 0.0) for r in reads]
    candidates = [Candidate(10 * i, 10 * i + 5, text, prior) for i, (text, prior) in enumerate(read)]
    return [(x.candidate.start // 10, x.number) for x in decode(candidates, highest, first=first)]


@pytest.mark.parametrize(
    ("reads", "highest", "first", "found"),
    [
        (["1", "2", "Hand", "3"], 91, 1, [(0, 1), (1, 2), (3, 3)]),
        (["1", "2", "3", "71", "4", "5", "20"], 2000, 1, [(0, 1), (1, 2), (2, 3), (4, 4), (5, 5)]),
        (["1", ("2", -0.5), ("2", 0.5), "3"], 91, 1, [(0, 1), (2, 2), (3, 3)]),
        (["1", "2", "2", "3"], 5, 1, [(0, 1), (1, 2), (3, 3)]),
        (["1", "2"], 2, 1, [(0, 1), (1, 2)]),
        (["17", "4883", "4884", "488S", "4886"], 4886, 4883, [(1, 4883), (2, 4884), (3, 4885), (4, 4886)]),
    ],
    ids=["not a number", "far ahead", "context", "two alike", "the highest number", "a high number first"],
)
def test_accepts_labels_whose_number_is_due(
    reads: list[Read], highest: int, first: int, found: list[tuple[int, int]]
) -> None:
    assert run(reads, highest, first) == found


NINE, ELEVEN = ([str(n) for n in range(1, last)] for last in (10, 12))


@pytest.mark.parametrize(
    ("reads", "highest", "numbers"),
    [
        ([], 22, []),
        ([*NINE, "11"], 22, [*range(1, 10), 11]),
        ([*NINE, ("22", 0.5)], 22, [*range(1, 10)]),
        (["2"], 22, [2]),
        (["22"], 22, []),
        (["1", "2", "3", "4", ("8", -0.5)], 22, [1, 2, 3, 4]),
        (["1", "2", "3", "4", ("B", -0.5)], 22, [1, 2, 3, 4, 5]),
        ([*ELEVEN, ("zz", -0.6)], 22, [*range(1, 13)]),
        ([*ELEVEN, ("zz", -0.9)], 22, [*range(1, 12)]),
        ([*ELEVEN, ("zz", 1.5)], 22, [*range(1, 13)]),
        ([*ELEVEN, ("xx", 1.5)], 22, [*range(1, 12)]),
        *(
            ([(str(n), 0.5) for n in numbers], 400, numbers)
            for numbers in ([*range(1, 20), *range(201, 221)], [*range(1, 32), 71, 72, 73, *range(81, 107)])
        ),
    ],
)
def test_accepts_a_label_if_its_worth_exceeds_its_cost(reads: list[Read], highest: int, numbers: list[int]) -> None:
    """One number may be skipped but not a dozen, a few between two gaps are right, and a bad reading is no label."""
    assert [number for _, number in run(reads, highest)] == numbers
