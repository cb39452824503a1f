"""What worn type is read as: letters doubled or lost, words in disguise, and stops taken for one another."""

from __future__ import annotations

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


SHOWN = "His firsr trick and his lasr, the besr card of the resr, a parr of the pasr, may be lefr, or losr, or kepr. "
PRINTED = "His first trick and his last, the best card of the rest, a part of the past, may be left, or lost, or kept. "
HANDS = "He shows that hand, and that hand is the last. " * 6 + "He shows thar hand, and thar hand is the last. " * 4
NAMES = ["secret", "letter", "member", "verdict", "seventh", "medicine", "present", "reason", "dealer", "tender"]
VOWELS = "".join(f"He has a {name} of the hand and the card. " for name in NAMES)
MISREAD = "".join(f"He has a {name.replace('e', 'o', 1)} of the hand and the card. " for name in NAMES)
CASE = "It is a very sevore law and he has the hand."


@pytest.mark.parametrize(
    ("scan", "printed"),
    [
        ("OFTHE DEALER\n\n15. The card is his.", "OF THE DEALER\n\n15. The card is his."),
        *(
            (f"15. {LONG}{read}", f"15. {LONG}{printed}")
            for read, printed in [
                (", the cards Of the hand", ", the cards of the hand"),
                (" IF he has it, and so the Law Of the hand", " IF he has it, and so the Law Of the hand"),
                (" of the players' hands", " of the players' hands"),
                (" of ‘the dealer' so called", " of ‘the dealer' so called"),
                ("; he has the points.in his hand and is in it.", "; he has the points in his hand and is in it."),
                (
                    "; he has the cards, i.e.as he says, in his hand.",
                    "; he has the cards, i.e.as he says, in his hand.",
                ),
                (
                    "; the cards are-not in his hand and are not his.",
                    "; the cards are not in his hand and are not his.",
                ),
                ("; where-as the cards are his, he has the hand.", "; where-as the cards are his, he has the hand."),
            ]
        ),
        *(
            (f"15. The cards of the {read} who has the game", f"15. The cards of the {printed} who has the game")
            for read, printed in [
                ("ddealer", "dealer"),
                ("plaver", "player"),
                ("plyer", "player"),
                ("tthe", "the"),
                ("prOperty", "prOperty"),
                ("SEc.", "SEc."),
                ("reCognizance", "reCognizance"),
            ]
        ),
        *(
            (f"15. The hand was {read} the room", f"15. The hand was {printed} the room")
            for read, printed in [("i11", "i11"), ("I101", "I101"), ("i83", "183"), ("i860", "1860")]
        ),
    ],
)
def test_what_follows_the_laws_is_read_as_printed(scan: str, printed: str) -> None:
    """Capitals, genitives, letters lost and doubled, figures in disguise, words run together, specks between words."""
    assert reading(f"{LAWS}\n\n{scan}") == f"{LAWS}\n\n{printed}"


@pytest.mark.parametrize(
    ("scan", "words", "times"),
    [
        ("He is marching in the hand. " * 20 + "The marchings, and the card.", "The marchings, and the card.", 1),
        ("He has those given in (a), (6), and (c).", "in (a), (b), and (c).", 1),
        (SHOWN + PRINTED * 2 + HANDS, "and that hand", 10),
        (PRINTED * 3 + HANDS, "and thar hand", 4),
        (VOWELS * 2 + MISREAD + CASE, "a very severe law", 1),
        (VOWELS * 2 + CASE, "a very sevore law", 1),
    ],
)
def test_a_rare_word_is_another_where_the_scan_shows_again_and_again_how_it_is_misread(
    scan: str, words: str, times: int
) -> None:
    assert reading(scan).count(words) == times


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


GOOD = (
    "The player has won the hand, and he leads a card. The other player has the lead; if he plays a card of the suit, "
    "the trick is his. When the hand is over, the cards are counted. It is usual to deal again.\n\n"
)
BAD = (
    "The player has won the hand, The card is his. He leads a card of the suit. and the other player takes it. "
    "The hand is good. If the suit is led, the card is won. The player leads the suit, and the hand is won.\n\n"
)


ENDING = "If the card is led by the player, the trick is won by the other,\n\nWhen the card is played, it is over.\n\n"
LIST = "If the card is led by the player, the trick is won by the other,\n\n1. When the card is played.\n\n"
VERSE = "The player takes the hand, The lead is his, And when the suit is led, The trick is his, It is a good hand, "
SINGLE = "He said, ‘The hand is won,’ and led a card. It is called ‘the lead’ by the player. ’Tis the players’ card. "


def read(scan: str) -> str:
    return TextLayer(scan, corrected(scan).edits).read(0, len(scan)).strip()


@pytest.mark.parametrize(
    ("scan", "printed"),
    [
        ((GOOD + BAD) * 12, "has won the hand. The card is his"),
        ((GOOD + BAD) * 12, "leads a card of the suit, and the other player"),
        (GOOD * 40 + BAD + GOOD * 40, (GOOD * 40 + BAD + GOOD * 40).strip()),
        ((GOOD + BAD) * 12 + ENDING, "won by the other.\n\nWhen"),
        (GOOD * 12 + ENDING, "won by the other,\n\nWhen"),
        ((GOOD + BAD) * 12 + LIST, "won by the other,\n\n1. When"),
        (GOOD * 12 + VERSE * 3 + "\n\n" + GOOD * 12, VERSE.strip()),
        (SINGLE * 6, (SINGLE * 6).strip()),
        *(
            ((GOOD + BAD + f"It is so, {text}. " + "The ten per cent. was won. ") * 12, text)
            for text in ("ten per cent. of the hand is good", "the suit of the cases is good, i. e. the hand")
        ),
    ],
    ids=["mended", "mended too", "seldom", "end", "end of few", "list", "verse", "quotations", "per cent.", "i. e."],
)
def test_stops_are_mended_only_where_the_scan_tells_of_them(scan: str, printed: str) -> None:
    assert printed in read(scan)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The hand’ is the player's card.\n\n", {"‘": 0, "hand’": 0, "player's": 6}),
        ("It is so tho' the player has the hand, and thro' it.\n\n", {"‘": 0, "tho'": 6, "thro'": 6}),
    ],
)
def test_marks_that_nothing_closes_go_where_they_are_many(text: str, kept: dict[str, int]) -> None:
    read_so = read((GOOD + "‘The game is his.\n\n" + GOOD + text) * 6)
    assert {words: read_so.count(words) for words in kept} == kept
