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


def test_terms_of_a_game_are_known_to_its_own_library_alone() -> None:
    assert not load_lexicon().known("dumbmy")
    assert load_lexicon(("dumbmy",)).known("dumbmy")


@pytest.mark.parametrize("form", ["tlie", "wliich", "nothino", "ns", "hy", "ly", "iu", "vdth", "tbe", "deschapelles"])
def test_misreadings_are_not(form: str) -> None:
    assert not LEXICON.known(form)


def test_a_common_word_is_smaller_than_a_rare_one_and_pairs_have_an_order() -> None:
    common, rare = LEXICON.size("the"), LEXICON.size("misdeal")
    assert common is not None and rare is not None and common < rare
    assert LEXICON.pair("of", "the") > LEXICON.pair("the", "of")


def test_core_takes_off_the_signs_around_a_form() -> None:
    assert core("\"well,'") == "well"
    assert core("—") == ""


def test_every_list_names_its_source() -> None:
    folder = files("extract") / "data"
    about = (folder / "README.md").read_text(encoding="utf-8")
    for entry in folder.iterdir():
        if entry.name.endswith((".txt", ".tsv", ".gz")):
            assert f"`{entry.name}`" in about, f"{entry.name} is not described in extract/data/README.md"


def test_grammar_sets_are_read_by_name() -> None:
    assert {"and", "or"} <= word_set("suspended")
    with pytest.raises(KeyError):
        word_set("nonsense")
