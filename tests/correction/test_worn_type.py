"""Misreadings of worn type: confused letters and punctuation, disguised words, and the channel that models them."""

import pytest
from samples import corrected

from extract.correction.joins import find_joins
from extract.correction.spelling.channel import Vocabulary, alike, load_channel
from extract.correction.spelling.context import Language, count_usage
from extract.correction.spelling.passes import guesser
from extract.correction.spelling.words import read_words
from extract.language.lexicon import load_lexicon
from extract.language.token_shape import malformed, readings, recase, transposed
from extract.text.stream import read_stream
from extract.text.textlayer import TextLayer, check_edits

LAWS = "\n\n".join(f"{n}. The dealer shall give the cards to the player who has the hand." for n in range(1, 15))
LONG = "If the dealer's card or the dealer's hand be seen, the player may have the game"


def reading(scan: str) -> str:
    """A scan as corrected."""
    return TextLayer(scan, check_edits(scan, corrected(scan).edits)).reading.strip()


SHOWN = "His firsr trick and his lasr, the besr card of the resr, a parr of the pasr, may be lefr, or losr, or kepr. "
PRINTED = "His first trick and his last, the best card of the rest, a part of the past, may be left, or lost, or kept. "
HANDS = "He shows that hand, and that hand is the last. " * 6 + "He shows thar hand, and thar hand is the last. " * 4
# Misread words that may be either of two words of the book, one of which it uses far more often.
BETWEEN = "He has the last of the past, or he lost. " * 9 + "A lash, a pass, a loss. " * 2 + "A lasr, a pasr, a losr. "
NAMES = ["secret", "letter", "member", "verdict", "seventh", "medicine", "present", "reason", "dealer", "tender"]
VOWELS = "".join(f"He has a {name} of the hand and the card. " for name in NAMES)
MISREAD = "".join(f"He has a {name.replace('e', 'o', 1)} of the hand and the card. " for name in NAMES)
CASE = "It is a very sevore law and he has the hand."
NEW = "He has a new deal, and a new card is his, in a new game. The case is tried. " * 3
GLUED = (
    "It is the end ofthe game. He is inthe game. He led tothe king. He looks atthe card. It is forthe dealer. He wins "
    "withthe ace. He stands bythe table. He has leave fromthe dealer. The card is onthe table. This isthe rule. Allthe "
    "cards are his. He may takethe trick. It may be so, he has anew"
)


@pytest.mark.parametrize(
    ("scan", "printed"),
    [
        ("OFTHE DEALER.\n\n15. The card is his.", "OF THE DEALER.\n\n15. The card is his."),
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
def test_corrects_text_after_the_laws_as_printed(scan: str, printed: str) -> None:
    """Capitals, genitives, letters lost and doubled, figures in disguise, words run together, specks between words."""
    assert reading(f"{LAWS}\n\n{scan}") == f"{LAWS}\n\n{printed}"


@pytest.mark.parametrize(
    ("scan", "words", "times"),
    [
        ("He is marching in the hand. " * 20 + "The marchings, and the card.", "The marchings, and the card.", 1),
        ("He has those given in (a), (6), and (c).", "in (a), (b), and (c).", 1),
        (SHOWN + PRINTED * 2 + HANDS, "and that hand", 10),
        (PRINTED * 3 + HANDS, "and thar hand", 4),
        (BETWEEN + HANDS, "and that hand", 10),
        (VOWELS * 2 + MISREAD + CASE, "a very severe law", 1),
        (VOWELS * 2 + CASE, "a very sevore law", 1),
        (f"{NEW}{GLUED} deal is his.", "he has a new deal", 1),
        (f"{NEW}{GLUED}, as the case is.", "he has anew, as", 1),
        (f"{NEW}It may be so, he has anew deal is his.", "he has anew deal", 1),
    ],
)
def test_corrects_a_rare_word_if_the_scan_often_shows_the_same_misreading(scan: str, words: str, times: int) -> None:
    assert reading(scan).count(words) == times


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


@pytest.mark.parametrize(
    ("scan", "printed"),
    [
        ((GOOD + BAD) * 12, "has won the hand. The card is his"),
        ((GOOD + BAD) * 12, "leads a card of the suit, and the other player"),
        *(((GOOD + BAD) * 12 + f"He led the {card}. and so the {card} was lost.\n\n", f"{card}{printed} and so")
          for card, printed in (("knave", ","), ("ace", "."))),
        (GOOD * 40 + BAD + GOOD * 40, (GOOD * 40 + BAD + GOOD * 40).strip()),
        ((GOOD + BAD) * 12 + ENDING, "won by the other.\n\nWhen"),
        (GOOD * 12 + ENDING, "won by the other,\n\nWhen"),
        ((GOOD + BAD) * 12 + LIST, "won by the other,\n\n1. When"),
        (GOOD * 12 + VERSE * 3 + "\n\n" + GOOD * 12, VERSE.strip()),
        (SINGLE * 6, (SINGLE * 6).strip()),
        *(((GOOD + BAD + f"It is so, {text}. " + "The ten per cent. was won. ") * 12, text)
          for text in ("ten per cent. of the hand is good", "the suit of the cases is good, i. e. the hand")),
    ],
    ids=["full stop", "comma", "comma after a rare word", "stop after what may be an abbreviation", "seldom", "end",
         "seldom, end", "list", "verse", "quotations", "per cent.", "i. e."],
)  # fmt: skip
def test_corrects_stops_only_if_the_scan_often_confuses_them(scan: str, printed: str) -> None:
    assert printed in reading(scan)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The hand’ is the player's card.\n\n", {"‘": 0, "hand’": 0, "player's": 6}),
        ("It is so tho' the player has the hand, and thro' it.\n\n", {"‘": 0, "tho'": 6, "thro'": 6}),
    ],
)
def test_removes_unclosed_quotation_marks_if_they_are_many(text: str, kept: dict[str, int]) -> None:
    corrected_text = reading((GOOD + "‘The game is his.\n\n" + GOOD + text) * 6)
    assert {words: corrected_text.count(words) for words in kept} == kept


WORDS = Vocabulary(["which", "with", "nothing", "exposed", "differ", "different", "the", "rubber", "turn-up", "corn"])


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("wliich", "which"), ("w^hich", "which"), ("vdth", "with"), ("nothino-", "nothing"), ("exj)osed", "exposed"),
        ("difierent", "different"), ("tlie", "the"), ("mbber", "rubber"), ("tum-up", "turn-up"), ("AVith", "With"),
        ("zebra", None),
    ],
)  # fmt: skip
def test_channel_puts_the_cheapest_candidate_first(form: str, word: str | None) -> None:
    assert next((c.text for c in load_channel().candidates(form, WORDS)), None) == word


def test_learns_a_new_confusion_seen_in_two_words() -> None:
    learned = load_channel().learn({("zq", "w"): 2, ("qz", "w"): 1})
    assert "zq" in learned.confusions and "qz" not in learned.confusions


@pytest.mark.parametrize(
    ("form", "found"),
    [
        ("ex23osed", {"exposed": ("23", "p")}),
        ("exPOsed", {"exposed": ("PO", "po")}),
        ("mbber", {"rubber": ("m", "ru")}),
    ],
)
def test_aligns_a_garbled_span_with_a_word_that_fits(form: str, found: dict[str, tuple[str, str]]) -> None:
    assert alike(form, WORDS) == found


@pytest.mark.parametrize(
    ("form", "is_malformed"),
    [
        *((form, False) for form in ("player", "McFetridge", "O'Brien", "l'eau", "A1", "1st", "LAWS")),
        *((form, True) for form in ("exj)osed", "throuo'h", "^vith", "knowTi")),
    ],
)
def test_recognises_malformed_words(form: str, is_malformed: bool) -> None:
    assert malformed(form) is is_malformed


@pytest.mark.parametrize(
    ("text", "form", "word"),
    [("with", "AVith", "with"), ("lowest", "·Lowest", "Lowest"), ("wHist", "wHist", None)],
)
def test_candidate_is_capitalised_like_the_form_or_dropped(text: str, form: str, word: str | None) -> None:
    assert recase(text, form) == word


def test_distinguishes_transposed_letters_from_misread_ones() -> None:
    assert transposed("tacitly", "tactily") and not transposed("which", "wliich")
    assert {("", "nothino", "',"), ("", "nothino'", ",")} <= set(readings("nothino',"))


ARTICLES = "Article 3. Article 17. Article 44. Article 120. Article 138. Article 139."


def joined(scan: str, book: str = "") -> str:
    """The words of a scan after its joins; `book` is more of the same book."""
    stream = read_stream(f"{scan}\n\n{book}", (), ())
    usage = count_usage(stream)
    joins = find_joins(stream, load_lexicon(), usage, guesser(Language(load_lexicon(), usage)))
    return " ".join(w.text for w in read_words(stream, joins, [" "] * len(stream.gaps)) if w.start < len(scan))


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
def test_joins_follow_the_usage_of_the_book_and_the_word_lists(scan: str, book: str, expected: str) -> None:
    assert joined(scan, book) == expected
