"""What counts as a word, and what its stem is."""

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
MISREAD = ("tlie", "wliich", "nothino", "ns", "hy", "ly", "iu", "vdth", "tbe", "deschapelles", "tlie-hand", "5", "%")


def test_knows_words_of_the_period_and_the_game_but_no_misreadings() -> None:
    assert [form for form in PERIOD if not LEXICON.known(form)] == []
    assert [form for form in MISREAD if LEXICON.known(form)] == []
    assert not load_lexicon().known("dumbmy"), "a term of this library alone"


def test_common_words_have_a_smaller_size() -> None:
    common, rare = LEXICON.size("the"), LEXICON.size("misdeal")
    assert common is not None and rare is not None and common < rare


def test_every_word_list_is_described_in_the_readme() -> None:
    folder = files("extract") / "data"
    about = (folder / "README.md").read_text(encoding="utf-8")
    lists = {entry.name for entry in folder.iterdir() if entry.name.endswith((".txt", ".tsv", ".gz"))}
    assert {name for name in lists if f"`{name}`" not in about} == set(), "not described in extract/data/README.md"


def test_stem_keeps_endless_words_and_ignores_case_and_kind_of_apostrophe() -> None:
    assert stemming.stem("Ing" * 10_000) == "ing" * 10_000
    assert stemming.stem("Adversary’s") == stemming.stem("adversary's") == stemming.stem("adversaries")


def test_american_spellings_share_the_british_stem_and_short_words_differ() -> None:
    assert stemming.stem("honour") == stemming.stem("honors")
    assert stemming.stem("four") != stemming.stem("for")
