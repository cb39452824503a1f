"""What counts as a word, its stem: the same in many threads as in one, and what weighs for it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from itertools import groupby
from pathlib import Path

import pytest

from extract.corpus.domain import read_domain
from extract.language import stemming
from extract.language.lexicon import core, load_lexicon, word_set
from extract.weights import weights

LEXICON = load_lexicon(read_domain(Path(__file__).parents[2] / "corpus").terms)


@pytest.mark.parametrize(
    "form",
    [
        "trump", "Revoke", "MISDEAL", "players'", "dealer's", "tenace", "tierce", "finessing", "shew", "chuse",
        "controul", "dumby", "dumbmy", "partie", "to-morrow", "by-standers", "connexion",
        "écarté", "ecarte", "Mr", "Minn", "vice", "versa", "XIV", "A", "I", "a", "&c", "right-hand", "re-establish",
    ],
)  # fmt: skip
def test_words_of_the_period_and_the_game_are_known(form: str) -> None:
    assert LEXICON.known(form)


@pytest.mark.parametrize("form", ["tlie", "wliich", "nothino", "ns", "hy", "ly", "iu", "vdth", "tbe", "deschapelles"])
def test_misreadings_and_terms_of_another_library_are_not(form: str) -> None:
    assert not LEXICON.known(form)
    assert not load_lexicon().known("dumbmy") and load_lexicon(("dumbmy",)).known("dumbmy")


def test_a_common_word_is_smaller_than_a_rare_one_and_pairs_have_an_order() -> None:
    common, rare = LEXICON.size("the"), LEXICON.size("misdeal")
    assert common is not None and rare is not None and common < rare
    assert LEXICON.pair("of", "the") > LEXICON.pair("the", "of")


def test_grammar_sets_are_read_by_name_and_signs_taken_off_a_form() -> None:
    assert {"and", "or"} <= word_set("suspended")
    with pytest.raises(KeyError):
        word_set("nonsense")
    assert (core("\"well,'"), core("—")) == ("well", "")


def test_every_list_names_its_source() -> None:
    folder = files("extract") / "data"
    about = (folder / "README.md").read_text(encoding="utf-8")
    lists = [entry.name for entry in folder.iterdir() if entry.name.endswith((".txt", ".tsv", ".gz"))]
    assert [name for name in lists if f"`{name}`" not in about] == [], "not described in extract/data/README.md"


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
    right = {word: stemming.stem(word) for word in words}
    stemming._stem.cache_clear()
    with ThreadPoolExecutor(6) as pool:
        for start in range(0, 600, 100):
            turned = words[start:] + words[:start]
            pool.submit(lambda words: [stemming.stem(word) for word in words], turned)
        made = dict(zip(words, pool.map(stemming.stem, words), strict=True))
    assert made == right


def test_an_endless_word_is_its_own_stem_and_neither_case_nor_the_printed_apostrophe_matters() -> None:
    assert stemming.stem("Ing" * 10_000) == "ing" * 10_000
    assert stemming.stem("Adversary’s") == stemming.stem("adversary's") == stemming.stem("adversaries")


def test_american_spelling_has_the_stem_of_english_and_short_words_keep_theirs() -> None:
    for english, american in (("honour", "honors"), ("colours", "color"), ("favoured", "favored")):
        assert stemming.stem(english) == stemming.stem(american)
    assert stemming.stem("four") != stemming.stem("for")


def test_a_weight_is_told_by_its_name_and_an_unknown_name_is_refused() -> None:
    assert weights("correction", "word.sure") == (6.0,)
    with pytest.raises(KeyError):
        weights("correction", "word.unheard_of")


def test_the_lines_of_a_list_of_words_stand_together() -> None:
    """A list may take several lines; one further down would be another list that has its name by mistake."""
    lines = (files("extract") / "data" / "grammar.txt").read_text("utf-8").splitlines()
    names = [name for name, _ in groupby(line.partition(":")[0] for line in lines if not line.startswith("#"))]
    assert [name for name, n in Counter(names).items() if n > 1] == []
