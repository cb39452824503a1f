"""What counts as a word, and what its stem is."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from extract.corpus.domain import read_domain
from extract.language import stemming
from extract.language.lexicon import load_lexicon

LEXICON = load_lexicon(read_domain(Path(__file__).parents[2] / "corpus").terms)


PERIOD = (
    "trump", "Revoke", "MISDEAL", "players'", "dealer's", "tenace", "tierce", "finessing", "shew", "chuse",
    "controul", "dumby", "dumbmy", "partie", "to-morrow", "by-standers", "connexion",
    "écarté", "ecarte", "Mr", "Minn", "vice", "versa", "XIV", "A", "I", "a", "&c", "right-hand", "re-establish",
)  # fmt: skip
MISREAD = ("tlie", "wliich", "nothino", "ns", "hy", "ly", "iu", "vdth", "tbe", "deschapelles")


def test_words_of_the_period_and_the_game_are_known_and_misreadings_are_not() -> None:
    assert [form for form in PERIOD if not LEXICON.known(form)] == []
    assert [form for form in MISREAD if LEXICON.known(form)] == []
    assert not load_lexicon().known("dumbmy"), "a term of this library alone"


def test_a_common_word_is_smaller_than_a_rare_one_and_pairs_have_an_order() -> None:
    common, rare = LEXICON.size("the"), LEXICON.size("misdeal")
    assert common is not None and rare is not None and common < rare
    assert LEXICON.pair("of", "the") > LEXICON.pair("the", "of")


def test_every_list_names_its_source() -> None:
    folder = files("extract") / "data"
    about = (folder / "README.md").read_text(encoding="utf-8")
    lists = {entry.name for entry in folder.iterdir() if entry.name.endswith((".txt", ".tsv", ".gz"))}
    assert {name for name in lists if f"`{name}`" not in about} == set(), "not described in extract/data/README.md"


def test_an_endless_word_is_its_own_stem_and_neither_case_nor_the_printed_apostrophe_matters() -> None:
    assert stemming.stem("Ing" * 10_000) == "ing" * 10_000
    assert stemming.stem("Adversary’s") == stemming.stem("adversary's") == stemming.stem("adversaries")


def test_american_spelling_has_the_stem_of_english_and_short_words_keep_theirs() -> None:
    assert stemming.stem("honour") == stemming.stem("honors")
    assert stemming.stem("four") != stemming.stem("for")
