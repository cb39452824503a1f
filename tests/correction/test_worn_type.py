"""What worn type is read as: signs at the ends of words and paragraphs, letters doubled or lost, words in disguise."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from corrected import corrected

from extract.correction.spelling.channel import BLANK, Vocabulary, load_channel
from extract.correction.spelling.context import Language, count_usage
from extract.correction.spelling.corrector import Corrector
from extract.correction.spelling.realword import part_word
from extract.correction.spelling.words import read_words
from extract.language.lexicon import core, load_lexicon
from extract.text.stream import read_stream
from extract.text.textlayer import TextLayer, check_edits

LAWS = "\n\n".join(f"{n}. The dealer shall give the cards to the player who has the hand." for n in range(1, 15))
LONG = "If the dealer's card or the dealer's hand be seen, the player may have the game"


def reading(scan: str) -> str:
    """A scan as it is read, white space as it stands."""
    edits = corrected(scan).letters
    return TextLayer(scan, check_edits(scan, sorted(edits))).reading


def whole(scan: str) -> str:
    """A scan as it is read, with its white space."""
    return TextLayer(scan, check_edits(scan, corrected(scan).edits)).reading


def after(text: str) -> str:
    """What follows the laws of the sample is read as."""
    return reading(f"{LAWS}\n\n{text}").removeprefix(f"{LAWS}\n\n")


@pytest.mark.parametrize(
    ("scan", "printed"),
    [
        (f"15. {LONG}, the cards Of the hand", f"15. {LONG}, the cards of the hand"),
        (
            f"15. {LONG} IF he has it, and so the Law Of the hand",
            f"15. {LONG} IF he has it, and so the Law Of the hand",
        ),
        (f"15. {LONG} of the players' hands", f"15. {LONG} of the players' hands"),
        (f"15. {LONG} of ‘the dealer' so called", f"15. {LONG} of ‘the dealer' so called"),
    ],
)
def test_capitals_and_genitives(scan: str, printed: str) -> None:
    assert after(scan) == printed


@pytest.mark.parametrize(
    ("read", "printed"),
    [("ddealer", "dealer"), ("plaver", "player"), ("plyer", "player"), ("hhand", "hand"), ("tthe", "the")],
)
def test_a_letter_lost_or_doubled_in_a_word_that_the_book_uses_often(read: str, printed: str) -> None:
    assert after(f"15. The cards of the {read} who has the game") == f"15. The cards of the {printed} who has the game"


@pytest.mark.parametrize("read", ["prOperty", "eXecution", "SEc.", "reCognizance"])
def test_a_word_with_a_stray_capital_is_no_other_word(read: str) -> None:
    text = f"15. The cards of the {read} who has the game"
    assert after(text) == text


@pytest.mark.parametrize(("read", "printed"), [("i11", "i11"), ("I101", "I101"), ("i83", "183"), ("i860", "1860")])
def test_figures_that_letters_are_read_as_prove_no_number(read: str, printed: str) -> None:
    assert after(f"15. The hand was {read} the room") == f"15. The hand was {printed} the room"


def test_a_plural_that_is_in_no_list_stays() -> None:
    text = "He is marching in the hand. " * 20 + "The marchings, and the card."
    assert reading(text) == text


def test_a_rare_word_is_a_frequent_one_where_the_scan_shows_again_and_again_how_it_is_misread() -> None:
    shown = (
        "His firsr trick and his lasr, the besr card of the resr, a parr of the pasr, may be lefr, or losr, or kepr. "
    )
    printed = (
        "His first trick and his last, the best card of the rest, a part of the past, may be left, or lost, or kept. "
    )
    text = "He shows that hand, and that hand is the last. " * 6
    doubtful = "He shows thar hand, and thar hand is the last. " * 4
    assert reading(shown + printed * 2 + text + doubtful).count("and that hand") == 10
    assert reading(printed * 3 + text + doubtful).count("and thar hand") == 4


def test_words_of_a_heading_run_together_are_parted() -> None:
    assert after("OFTHE DEALER\n\n15. The card is his.") == "OF THE DEALER\n\n15. The card is his."


def test_a_letter_beside_another_in_a_reference() -> None:
    assert reading("He has those given in (a), (6), and (c).").endswith("in (a), (b), and (c).")


def test_vowels_exchanged_are_mended_only_where_the_scan_shows_them_in_many_words() -> None:
    words = ["secret", "letter", "member", "verdict", "seventh", "medicine", "present", "reason", "dealer", "tender"]

    def told(names: Iterable[str]) -> str:
        return "".join(f"He has a {name} of the hand and the card. " for name in names)

    misread = told(word.replace("e", "o", 1) for word in words)
    case = "It is a very sevore law and he has the hand."
    assert "a very severe law" in reading(told(words) * 2 + misread + case)
    assert "a very sevore law" in reading(told(words) * 2 + case)


@pytest.mark.parametrize(
    ("scan", "printed"),
    [
        ("he has the points.in his hand and is in it", "he has the points in his hand and is in it"),
        ("he has the cards, i.e.as he says, in his hand", "he has the cards, i.e.as he says, in his hand"),
        ("the cards are-not in his hand and are not his", "the cards are not in his hand and are not his"),
        ("where-as the cards are his, he has the hand", "where-as the cards are his, he has the hand"),
    ],
)
def test_specks_between_words_that_stand_together_elsewhere(scan: str, printed: str) -> None:
    assert after(f"15. {LONG}; {scan}.") == f"15. {LONG}; {printed}."


@pytest.mark.parametrize(("follows", "parted"), [(" deal is his", True), (", as the case is", False)])
def test_a_word_of_the_lists_is_parted_only_where_its_other_half_goes_on(follows: str, parted: bool) -> None:
    often = "He has a new deal, and a new card is his, in a new game. The case is tried. " * 3
    stream = read_stream(f"{often}It may be so, he has anew{follows}.", (), ())
    words = read_words(stream, {}, [" "] * len(stream.gaps))
    language = Language(load_lexicon(), count_usage(stream))
    forms = [core(word.text).lower() for word in words]
    corrector = Corrector(words, forms, language, load_channel().learn({BLANK: 50}), Vocabulary([]))
    at = next(i for i, word in enumerate(words) if word.text.startswith("anew"))
    found = part_word(corrector, at)
    assert (found.text if found else None) == ("a new" if parted else None)
