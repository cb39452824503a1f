"""The noisy channel: candidates and what a scan teaches it; and the hyphens at the ends of lines."""

from __future__ import annotations

import pytest

from extract.correction.joins import find_joins
from extract.correction.spelling.adaptation import confusions_shown
from extract.correction.spelling.channel import Vocabulary, alike, load_channel
from extract.correction.spelling.context import Language, count_usage
from extract.correction.spelling.passes import guesser
from extract.correction.spelling.words import read_words
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


ARTICLES = "Article 3. Article 17. Article 44. Article 120. Article 138. Article 139."


def joined(scan: str, book: str = "") -> str:
    """The words of a scan after its joins; `book` is more of the same book."""
    stream = read_stream(f"{scan}\n\n{book}", (), ())
    usage = count_usage(stream)
    joins = find_joins(stream, load_lexicon(), usage, guesser(Language(load_lexicon(), usage)))
    words = read_words(stream, joins, [" "] * len(stream.gaps))
    return " ".join(w.text for w in words if w.start < len(scan))


@pytest.mark.parametrize(
    ("scan", "book", "expected"),
    [
        ("to an-\nnounce it", "", "to announce it"),
        ("his re-\nmark was", "", "his remark was"),
        ("a remark- able hand", "", "a remarkable hand"),
        ("rubber-\nofsixes unheard", "", "rubberofsixes unheard"),
        ("or twenty-\nfive cards", "", "or twenty-five cards"),
        ("by-\nstanders may", "The by-standers, or a by-stander; by-standers", "by-standers may"),
        ("by-\nstanders may", "bystanders and bystanders", "bystanders may"),
        ("our self-\naccusers then", "", "our self-accusers then"),
        ("the missing-\ncard is", "the missing card; a missing card", "the missing card is"),
        ("the lady s hand", "", "the lady's hand"),
        ("the card held\ns or his hand", "", "the card held s or his hand"),
        ("the law-\nis good", "", "the law is good"),
        ("two- or three-handed", "", "two- or three-handed"),
        ("no un-\nfrequently met", "", "no unfrequently met"),
        ("the van~\nquished side", "", "the vanquished side"),
        ("the van=\nquished side", "", "the vanquished side"),
        ("the van\u00ad\nquished side", "", "the vanquished side"),
        ("the dealer s partner", "", "the dealer's partner"),
        ("and then s gone", "", "and then s gone"),
        ("wing-\nquill makers", "", "wing- quill makers"),
        ("in Article 1 33, which", ARTICLES, "in Article 133, which"),
        ("with Article 1 and 33 cards", ARTICLES, "with Article 1 and 33 cards"),
        ("Article 39 40 cards", ARTICLES, "Article 39 40 cards"),
        ("he led 1 33 times", ARTICLES, "he led 1 33 times"),
    ],
)
def test_hyphens_are_read_by_the_books_own_use_and_the_word_lists(scan: str, book: str, expected: str) -> None:
    assert joined(scan, book) == expected
