"""How often a scan is misread is measured: where it hardly ever is, its letters stand and an editor is asked."""

from __future__ import annotations

import random

import pytest
from corrected import corrected
from noise import misread
from samples import prose

from extract.correction.letters import ALSO_A_WORD
from extract.correction.misreading import Legibility
from extract.text.textlayer import TextLayer, check_edits

CLEAN = prose(random.Random(1), 12_000)
HUT = "he may go, but not the king; but not the last, but not this; hut not tlie rest"
ODD = "In the game of tlie deal the hand is the hand, and that is the rule Of the abondance declarée."


def reading(scan: str, misread: bool | None = None) -> str:
    return TextLayer(scan, check_edits(scan, corrected(scan, misread=misread).edits)).reading


def test_a_clean_text_keeps_its_letters_and_the_editor_is_asked() -> None:
    scan = f"{CLEAN} {ODD}"
    assert reading(scan) == scan
    asked = {e.before: e.after for e in corrected(scan, misread=None).suggestions}
    assert (asked["tlie"], asked["Of"]) == ("the", "of")
    assert "tlie" not in reading(scan, misread=True), "where letters are corrected, it is"
    notes = {e.before: e.note for e in corrected(HUT).letters}
    assert notes["hut"].endswith(f"{ALSO_A_WORD}: 'hut'") and ALSO_A_WORD not in notes["tlie"]


@pytest.mark.parametrize(
    ("scan", "read"),
    [
        (f"{CLEAN}\n\nThe ad-\nversaries  shall see tlie hand--and not him.", "The adversaries shall see tlie hand—"),
        ("The rule of the game is that the player which leads, wliich is good, may go on.", "leads, which is good"),
    ],
    ids=["white space and hyphens of a clean text", "a page with one misread word"],
)
def test_what_is_set_right_whatever_is_measured(scan: str, read: str) -> None:
    assert read in reading(scan)


@pytest.mark.parametrize("share", [0.0005, 0.005])
def test_a_scan_that_is_seldom_misread_is_corrected(share: float) -> None:
    words = CLEAN.split()
    scan = [misread(word, share, seed) for seed, word in enumerate(words)]
    left = reading(" ".join(scan)).split()
    wrong, still = (sum(a != b for a, b in zip(words, read, strict=False)) for read in (scan, left))
    assert still < wrong / 2


@pytest.mark.parametrize(
    ("words", "unknown", "explained", "is_misread"),
    [
        (130_000, 390, 2, False),
        (38_000, 20, 1, False),
        (40_000, 84, 9, True),
        (10_000, 84, 17, True),
        (400, 76, 1, False),
        (20, 1, 1, True),
        (0, 0, 0, False),
    ],
)
def test_the_longer_and_the_odder_a_text_the_more_it_takes(
    words: int, unknown: int, explained: int, is_misread: bool
) -> None:
    assert Legibility(words, unknown, explained).misread is is_misread
