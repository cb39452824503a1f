"""The noisy channel: candidates, their costs, and what a scan teaches it."""

from __future__ import annotations

import pytest

from extract.correction.spelling.adaptation import confusions_shown
from extract.correction.spelling.channel import Vocabulary, alike, load_channel
from extract.correction.spelling.context import Language, count_usage
from extract.language.lexicon import load_lexicon
from extract.language.token_shape import malformed, readings, recase, transposed
from extract.text.stream import read_stream

WORDS = Vocabulary(["which", "with", "nothing", "exposed", "differ", "different", "the", "rubber", "turn-up", "corn"])


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("wliich", "which"), ("w^hich", "which"), ("vdth", "with"), ("nothino-", "nothing"), ("exj)osed", "exposed"),
        ("difierent", "different"), ("tlie", "the"), ("mbber", "rubber"), ("tum-up", "turn-up"), ("AVith", "With"),
        ("zebra", None),
    ],
)  # fmt: skip
def test_strokes_taken_apart_are_put_together_and_the_cheapest_comes_first(form: str, word: str | None) -> None:
    found = load_channel().candidates(form, WORDS)
    assert next((c.text for c in found), None) == word
    costs = [0.0, *(c.cost for c in found)]
    assert costs == sorted(costs)
    assert word not in [c.text for c in load_channel().candidates(word or "which", WORDS)]


@pytest.mark.parametrize(
    ("form", "found"),
    [
        ("ex23osed", {"exposed": ("23", "p")}),
        ("exPOsed", {"exposed": ("PO", "po")}),
        ("mbber", {"rubber": ("m", "ru")}),
    ],
)
def test_a_garbled_stretch_stands_for_the_letters_of_a_word_that_fits(
    form: str, found: dict[str, tuple[str, str]]
) -> None:
    assert alike(form, WORDS) == found


def test_what_a_scan_shows_again_and_again_becomes_cheaper() -> None:
    channel = load_channel()
    learned = channel.learn({("li", "h"): 9, ("zq", "w"): 2, ("qz", "w"): 1})
    assert dict(learned.confusions["li"])["h"] < dict(channel.confusions["li"])["h"]
    assert ("w" in dict(learned.confusions["zq"])) and "qz" not in learned.confusions


def test_confusions_are_learned_from_the_words_the_book_uses_elsewhere() -> None:
    text = " ".join(["charming company", "playing laying saying staying"] * 3)
    language = Language(load_lexicon(), count_usage(read_stream(text, (), ())))
    own = Vocabulary(language.usage.words)
    shown = confusions_shown(["plaqqing", "laqqing", "saqqing", "staqqing"], language, own)
    assert shown == {("qq", "y"): 4}


@pytest.mark.parametrize(
    ("form", "is_malformed"),
    [
        *((form, False) for form in ("player", "McFetridge", "O'Brien", "don't", "l'eau", "A1", "1st", "133", "LAWS")),
        *((form, True) for form in ("exj)osed", "throuo'h", "^vith", "knowTi", "w^hich", "com»plete")),
    ],
)
def test_what_no_printer_sets_is_malformed(form: str, is_malformed: bool) -> None:
    assert malformed(form) is is_malformed


@pytest.mark.parametrize(
    ("text", "form", "word"),
    [("with", "AVith", "with"), ("lowest", "·Lowest", "Lowest"), ("wHist", "wHist", None)],
)
def test_capitals_of_a_candidate_make_sense_or_it_is_none(text: str, form: str, word: str | None) -> None:
    assert recase(text, form) == word


def test_signs_and_letters_exchanged_are_told_from_those_misread() -> None:
    assert transposed("tacitly", "tactily") and not transposed("which", "wliich")
    assert {("", "nothino", "',"), ("", "nothino'", ",")} <= set(readings("nothino',"))
