"""The noisy channel: candidates, their costs, and what a scan teaches it."""

from __future__ import annotations

import pytest

from extract.correction.spelling.adaptation import confusions_shown
from extract.correction.spelling.channel import Channel, Vocabulary, alike, load_channel
from extract.correction.spelling.context import Language, count_usage
from extract.language.lexicon import load_lexicon
from extract.language.token_shape import malformed, readings, recase, transposed
from extract.text.stream import read_stream

WORDS = Vocabulary(["which", "with", "nothing", "exposed", "differ", "different", "the", "rubber", "turn-up", "corn"])


def best(form: str, channel: Channel | None = None) -> str:
    found = (channel or load_channel()).candidates(form, WORDS)
    return found[0].text if found else ""


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("wliich", "which"), ("w^hich", "which"), ("vdth", "with"), ("nothino-", "nothing"), ("exj)osed", "exposed"),
        ("difierent", "different"), ("tlie", "the"), ("mbber", "rubber"), ("tum-up", "turn-up"), ("AVith", "With"),
    ],
)  # fmt: skip
def test_strokes_taken_apart_are_put_together(form: str, word: str) -> None:
    assert best(form) == word


def test_a_word_that_no_confusion_reaches_is_no_candidate() -> None:
    assert best("zebra") == ""
    assert all(c.text != "which" for c in load_channel().candidates("which", WORDS))


def test_costs_add_up_and_the_cheapest_comes_first() -> None:
    costs = [c.cost for c in load_channel().candidates("diiferent", WORDS)]
    assert costs == sorted(costs)
    assert costs[0] > 0


def test_a_garbled_stretch_stands_for_the_letters_of_a_word_that_fits() -> None:
    assert alike("ex23osed", WORDS) == {"exposed": ("23", "p")}
    assert alike("exPOsed", WORDS) == {"exposed": ("PO", "po")}


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


def test_a_stretch_is_as_narrow_as_can_be() -> None:
    assert alike("mbber", WORDS) == {"rubber": ("m", "ru")}


@pytest.mark.parametrize("form", ["player", "McFetridge", "O'Brien", "don't", "l'eau", "A1", "1st", "133", "LAWS"])
def test_printed_words_are_well_formed(form: str) -> None:
    assert not malformed(form)


@pytest.mark.parametrize("form", ["exj)osed", "throuo'h", "^vith", "knowTi", "w^hich", "com»plete"])
def test_what_no_printer_sets_is_malformed(form: str) -> None:
    assert malformed(form)


def test_capitals_of_a_candidate_make_sense_or_it_is_none() -> None:
    assert recase("with", "AVith") == "with"
    assert recase("lowest", "·Lowest") == "Lowest"
    assert recase("wHist", "wHist") is None


def test_letters_transposed_are_the_compositors_slip() -> None:
    assert transposed("tacitly", "tactily")
    assert not transposed("which", "wliich")


def test_doubtful_signs_belong_to_the_form_or_to_the_punctuation() -> None:
    assert ("", "nothino", "',") in readings("nothino',") and ("", "nothino'", ",") in readings("nothino',")
