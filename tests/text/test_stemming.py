"""The stemmer: the same stems in many threads as in one, and no word too long for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import Stemmer

from extract.language import stemming


@pytest.fixture
def switching() -> Iterator[None]:
    """Threads take turns as often as they can, and no stem is known yet."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    stemming._stem.cache_clear()
    yield
    sys.setswitchinterval(before)
    stemming._stem.cache_clear()


@pytest.mark.usefixtures("switching")
def test_threads_do_not_spoil_each_others_stems(corpus: Path) -> None:
    text = (corpus / "arnaud-1829" / "scan.txt").read_text(encoding="utf-8").lower()
    words = sorted({word for word in text.split() if word.isalpha()})
    alone = Stemmer.Stemmer("english")
    right = {word: alone.stemWord(word) for word in words}

    def run(start: int) -> list[tuple[str, str]]:
        return [(word, stemming.stem(word)) for word in words[start:] + words[:start]]

    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(run, range(0, 600, 100)))
    assert [pair for pairs in made for pair in pairs if right[pair[0]] != pair[1]] == []


def test_an_endless_word_is_its_own_stem_and_neither_case_nor_the_printed_apostrophe_matters() -> None:
    assert stemming.stem("Ing" * 10_000) == "ing" * 10_000
    assert stemming.stem("Adversary’s") == stemming.stem("adversary's") == stemming.stem("adversaries")
