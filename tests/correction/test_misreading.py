"""How often a scan is misread is measured: where it hardly ever is, its letters stand and an editor is asked."""

from __future__ import annotations

import random

import pytest
from corrected import corrected
from noise import misread
from samples import prose

from extract.correction.letters import ALSO_A_WORD
from extract.correction.misreading import Legibility
from extract.correction.post_correction import PostCorrection
from extract.text.textlayer import TextLayer, check_edits

CLEAN = prose(random.Random(1), 12_000)
ODD = "In the game of tlie deal the hand is the hand, and that is the rule Of the abondance declarée."


def reading(scan: str, found: PostCorrection) -> str:
    return TextLayer(scan, check_edits(scan, found.edits)).reading


def test_a_clean_text_keeps_its_letters_and_the_editor_is_asked() -> None:
    scan = f"{CLEAN} {ODD}"
    found = corrected(scan, misread=None)
    assert reading(scan, found) == scan
    asked = {e.before: e.after for e in found.suggestions}
    assert asked["tlie"] == "the" and asked["Of"] == "of"
    assert "tlie" not in reading(scan, corrected(scan)), "where letters are corrected, it is"


def test_hyphens_at_line_ends_white_space_and_dashes_are_set_right_all_the_same() -> None:
    scan = f"{CLEAN}\n\nThe ad-\nversaries  shall see tlie hand--and not the player."
    assert reading(scan, corrected(scan, misread=None)).endswith(
        "\n\nThe adversaries shall see tlie hand—and not the player."
    )


@pytest.mark.parametrize("share", [0.0005, 0.005])
def test_a_scan_that_is_seldom_misread_is_corrected(share: float) -> None:
    scan = " ".join(misread(word, share, seed) for seed, word in enumerate(CLEAN.split()))
    wrong = sum(a != b for a, b in zip(CLEAN.split(), scan.split(), strict=True))
    left = reading(scan, corrected(scan, misread=None)).split()
    assert sum(a != b for a, b in zip(CLEAN.split(), left, strict=False)) < wrong / 2


def test_a_page_with_one_misread_word_is_corrected() -> None:
    scan = "The rule of the game is that the player which leads, wliich is good, may go on."
    assert "which is good" in reading(scan, corrected(scan, misread=None))


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


def test_a_word_read_as_another_word_is_marked() -> None:
    scan = "he may go, but not the king; but not the last, but not this; hut not tlie rest"
    notes = {e.before: e.note for e in corrected(scan).letters}
    assert notes["hut"].endswith(f"{ALSO_A_WORD}: 'hut'")
    assert ALSO_A_WORD not in notes["tlie"]
