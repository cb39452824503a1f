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
