"""Weights of links: fitted to verdicts, and evaluated on verdicts they were not fitted to."""

import tomllib

import pytest

from kb.alignment.features import FEATURES, LinkCandidate
from kb.evaluation.fitting import Fit, HeldOutScore, Verdicts, cross_validate, lines, logistic, total

TELLING, IDLE = FEATURES[3], FEATURES[0]


def candidates_of(a: str, b: str, count: int = 12) -> list[LinkCandidate]:
    """All pairs of laws of two codes; the telling feature is high if the numbers are the same."""
    same = dict.fromkeys(FEATURES, 0.5)
    return [
        LinkCandidate(
            f"{a}/law-{i}", f"{b}/law-{j}", same | {TELLING: float(i == j), IDLE: (i * 7 + j * 3) % 10 / 10}, 0.0
        )
        for i in range(count)
        for j in range(count)
    ]


KNOWN = [*candidates_of("a", "b"), *candidates_of("a", "c"), *candidates_of("b", "c")]
ORDER = [f"{code}/law-{i}" for code in "abc" for i in range(12)]
LINKED = frozenset(c.pair for c in KNOWN if c.features[TELLING] > 0.5)
MATTERS = {
    name: frozenset(u for u in ORDER if int(u.rpartition("-")[2]) % 2 == odd) for name, odd in (("even", 0), ("odd", 1))
}


@pytest.fixture(scope="module")
def fitted() -> Fit:
    return cross_validate(KNOWN, Verdicts(LINKED, MATTERS, {}), ORDER)


def test_each_matter_and_each_pair_of_codes_is_held_out_once(fitted: Fit) -> None:
    assert [held.name for held in fitted.matters] == ["even", "odd"]
    assert [held.name for held in fitted.codes] == ["a - b", "a - c", "b - c"]
    assert all(held.wanted == held.found == held.proposed for held in (*fitted.matters, *fitted.codes))
    assert total(fitted.codes) == HeldOutScore("all", 36, 36, 36)


def test_weights_are_not_fitted_to_held_out_verdicts() -> None:
    """A matter with inverted verdicts is scored as the other matters teach: its own verdicts are not used."""
    odd = MATTERS["odd"]
    inverted = frozenset(c.pair for c in KNOWN if (c.pair in LINKED) != (c.a in odd and c.b in odd))
    held = {h.name: h for h in cross_validate(KNOWN, Verdicts(inverted, MATTERS, {}), ORDER).matters}
    assert (held["odd"].found, held["odd"].proposed) == (0, 18)


def test_codes_with_the_same_text_are_held_out_together() -> None:
    verdicts = Verdicts(LINKED, MATTERS, {"c": "b"})
    assert [held.name for held in cross_validate(KNOWN, verdicts, ORDER).codes] == ["a - b", "b - b"]


def test_ridge_keeps_weights_small() -> None:
    weights = [logistic([[0.0], [1.0]], [0, 1], ridge).coef_.item() for ridge in (0.1, 1.0, 10.0)]
    assert weights == sorted(weights, reverse=True) and 0 < weights[2] < weights[0] / 10


def test_weights_are_printed_in_the_format_of_their_file(fitted: Fit) -> None:
    printed = list(lines(fitted))
    assert tomllib.loads("\n".join(printed[: 1 + len(fitted.weights)]))["links"] == fitted.weights
    assert "| all | 36 | 1.00 | 1.00 |" in printed
