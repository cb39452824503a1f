"""What correction does to clean text, and to the same text with letters misread at random."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate, pairwise

import pytest
from corrected import corrected
from noise import misread

from extract.model import Edition
from extract.text.textlayer import TextLayer, check_edits

SHARE, LETTERS = 0.015, 40_000
# Measured: 80 % and none.
FIXED, HARMED = 0.76, 2


@pytest.fixture(scope="module")
def clean(editions: Mapping[str, Edition]) -> str:
    """Cases and decisions of the shipped edition, a line each."""
    units = editions["drayson-1896"].units
    return "\n\n".join(" ".join(u.text.split()) for u in units if u.kind in ("case", "decision"))[:LETTERS]


def readings(words: list[str]) -> list[str]:
    """What each word is read as."""
    text = " ".join(words)
    layer = TextLayer(text, check_edits(text, corrected(text).edits))
    ends = [layer.to_reading(end) for end in accumulate(len(word) + 1 for word in words)]
    return [layer.reading[a:b].rstrip() for a, b in pairwise([0, *ends])]


def test_a_clean_text_keeps_its_words(clean: str) -> None:
    words = clean.split()
    changed = [(a, b) for a, b in zip(words, readings(words), strict=True) if a != b and any(map(str.isalnum, a))]
    assert changed == [("dowwards", "downwards")], "which may be a misprint of the book"


def test_misread_words_are_mended_and_right_ones_kept(clean: str) -> None:
    words = clean.split()
    scan = [misread(word, SHARE, seed) for seed, word in enumerate(words)]
    read = readings(scan)
    wrong = [(a, b, c) for a, b, c in zip(words, scan, read, strict=True) if a != b]
    harmed = [(a, c) for a, b, c in zip(words, scan, read, strict=True) if a == b != c and any(map(str.isalnum, a))]
    assert sum(a == c for a, _, c in wrong) >= FIXED * len(wrong)
    assert len(harmed) <= HARMED, harmed
