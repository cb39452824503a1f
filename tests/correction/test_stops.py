"""Stops, commas and quotation marks that a scan takes for one another: only where it tells so of itself."""

from __future__ import annotations

import pytest
from corrected import corrected

from extract.text.textlayer import TextLayer

GOOD = (
    "The player has won the hand, and he leads a card. The other player has the lead; if he plays a card of the suit, "
    "the trick is his. When the hand is over, the cards are counted. It is usual to deal again.\n\n"
)
BAD = (
    "The player has won the hand, The card is his. He leads a card of the suit. and the other player takes it. "
    "The hand is good. If the suit is led, the card is won. The player leads the suit, and the hand is won.\n\n"
)


def read(scan: str) -> str:
    return TextLayer(scan, corrected(scan).edits).read(0, len(scan)).strip()


def test_a_scan_that_tells_of_its_stops_has_them_mended() -> None:
    read_so = read((GOOD + BAD) * 12)
    assert "has won the hand. The card is his" in read_so
    assert "leads a card of the suit, and the other player" in read_so


def test_stops_that_are_seldom_odd_stay() -> None:
    text = GOOD * 40 + BAD + GOOD * 40
    assert read(text) == text.strip()


def test_a_comma_at_the_end_of_a_paragraph_is_its_full_stop_there_and_there_only() -> None:
    ending = (
        "If the card is led by the player, the trick is won by the other,\n\nWhen the card is played, it is over.\n\n"
    )
    assert "won by the other.\n\nWhen" in read((GOOD + BAD) * 12 + ending)
    assert "won by the other,\n\nWhen" in read(GOOD * 12 + ending)


def test_a_list_that_a_comma_opens_keeps_it() -> None:
    ending = "If the card is led by the player, the trick is won by the other,\n\n1. When the card is played.\n\n"
    assert "won by the other,\n\n1. When" in read((GOOD + BAD) * 12 + ending)


@pytest.mark.parametrize("text", ["ten per cent. of the hand is good", "the suit of the cases is good, i. e. the hand"])
def test_abbreviations_keep_their_stop(text: str) -> None:
    assert text in read((GOOD + BAD + f"It is so, {text}. " + "The ten per cent. was won. ") * 12)


def test_verse_tells_nothing_of_stops() -> None:
    verse = (
        "The player takes the hand, The lead is his, And when the suit is led, The trick is his, It is a good hand, "
    )
    assert verse.strip() in read(GOOD * 12 + verse * 3 + "\n\n" + GOOD * 12)


def test_marks_that_nothing_closes_go_where_they_are_many() -> None:
    read_so = read((GOOD + "‘The game is his.\n\n" + GOOD + "The hand’ is the player's card.\n\n") * 6)
    assert "‘" not in read_so and "hand’" not in read_so
    assert read_so.count("player's") == 6


def test_words_that_have_lost_their_end_keep_the_mark() -> None:
    text = (GOOD + "‘The game is his.\n\n" + GOOD + "It is so tho' the player has the hand, and thro' it.\n\n") * 6
    read_so = read(text)
    assert (read_so.count("‘"), read_so.count("tho'"), read_so.count("thro'")) == (0, 6, 6)


def test_quotations_in_single_marks_stay() -> None:
    text = "He said, ‘The hand is won,’ and led a card. It is called ‘the lead’ by the player. ’Tis the players’ card. "
    assert read(text * 6) == (text * 6).strip()
