"""What counts as a word."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from extract.corpus.domain import read_domain
from extract.language.lexicon import core, load_lexicon, word_set

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
