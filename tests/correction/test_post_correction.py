"""Automatic correction: what it changes, what it leaves alone, and that its edits are valid."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import corrected, undo

from extract.correction.post_correction import PostCorrection
from extract.correction.registry import RULES
from extract.correction.rules import Habit
from extract.model import Edit, EditKind, Span
from extract.text.source import Layout
from extract.text.textlayer import TextLayer, check_edits

BOOK = """The dealer shall give the cards to be cut by his right-hand adversary, and the player who
has not seen the last trick may demand it before the next is led. If a player revoke, the adversaries may take
three tricks from him, or add three points to their score, or deduct three from that of the offending party.

When a card is exposed, it may be called by the adversaries, which penalty shall be exacted at once. Nothing in
this law obliges the partner of the offending player to consult with him upon the matter. The adversaries, when
they have won the rubber, and each player, which is the rule, shall show his hand, with the turn-up upon the
table; and whichever party shall have revoked is to lose, without appeal, the three tricks with which it won.

"""
AGAIN = "he may look at the last trick but one."


def taken_out(scan: str, text: str) -> Edit:
    """The edit that removes a piece of furniture from a scan."""
    at = scan.index(text)
    return Edit(at, at + len(text), text, "", "furniture", "rule")


def by_editor(scan: str, before: str, after: str, kind: EditKind = "ocr") -> Edit:
    """The editor's reading of a word."""
    at = scan.rindex(before)
    return Edit(at, at + len(before), before, after, kind, "editor")


def read(scan: str, found: PostCorrection, *others: Edit) -> TextLayer:
    """A scan with its corrections and other edits applied."""
    layer = TextLayer(scan, check_edits(scan, [*others, *found.edits]))
    assert undo(layer.reading, layer.edits) == scan
    return layer


def reading(scan: str, layout: Layout = "lines", **options: Any) -> str:
    """The corrected text of a scan that follows the sample of the book."""
    whole = BOOK + scan
    return read(whole, corrected(whole, (), layout=layout, **options)).read(len(BOOK), len(whole)).strip()


@pytest.mark.parametrize(
    ("scan", "expected"),
    [
        ("if the player, wliich is the rule, may demand it", "if the player, which is the rule, may demand it"),
        ("the card w^hich is exposed by the player", "the card which is exposed by the player"),
        ("a card that is exj)osed may be called by them", "a card that is exposed may be called by them"),
        ("in this law, nothino- obliges the partner to it", "in this law, nothing obliges the partner to it"),
        ("the off'ending party may not consult him", "the offending party may not consult him"),
        ("to be added to their score, ofthe three points", "to be added to their score, of the three points"),
        ("the adver saries may take three tricks", "the adversaries may take three tricks"),
        ("from his side walk8 to the table and", "from his side walk8 to the table and"),
        ("he has the . right to lead, and the card", "he has the right to lead, and the card"),
        ("and the dealer s partner may demand it", "and the dealer's partner may demand it"),
        ("which he called \"a slam,'' and won the trick", 'which he called "a slam," and won the trick'),
        ("the penalty, which {by the law) is exacted", "the penalty, which (by the law) is exacted"),
        ("the three tricks,-which he has won of them", "the three tricks,—which he has won of them"),
        *((f"he may consult him; his {cut} may not", "he may consult him; his adversary may not")
          for cut in ("adver-\nsary", "advcr-\nsary")),
        ("the adversaries of the'part offending may", "the adversaries of the part offending may"),
        ("and the trick is a'lost trick.' The player may", "and the trick is a 'lost trick.' The player may"),
        ("the cards,which he has seen upon the table", "the cards, which he has seen upon the table"),
        ("it is the rule ofthelast trick of the game", "it is the rule of the last trick of the game"),
    ],
)  # fmt: skip
def test_corrects_certain_misreadings(scan: str, expected: str) -> None:
    assert reading(scan) == reading(scan.replace(" ", "  ")) == expected, "wide blanks make no difference"


@pytest.mark.parametrize(
    "text",
    [
        "They chuse to shew the card, and controul the partie with dumby.",
        "The word is analagous, and tactily fufilled, as the author has it.",
        "An excercise of the memory, and homoepathic doses, intepret the law.",
        "Messieurs, ce n'est pas la faute du valet, mais du roi de carreau.",
        "Mr. McFetridge of Ponkapoag and Miss Grotophorst led the knave of clubs.",
        "De minimis non curat lex; sic utere tuo ut alienum non laedas.",
        "The cards are dealt upwards; any body may call a mis-deal to-morrow.",
        "Had he any hut or bay upon the moor, or nine at arc and docks?",
        "Y plays to Z, and X. Article A 3, Section II., and (iii) of the code.",
        "The dealer, by Law ² and Case ①, shall deal; by Law ₇ and Case ³ he may, and by Law ③ he must.",
        "He won 110 to 101; the odds are 25457 to 1, or 2s. 6d. a point.",
        "he may take three tricks.[62] The player shall show the card[3] upon the table",
        "he may take three tricks.6 The player shall show his hand,12 upon the table",
        "_the offending_ party, the _douze_ and the _sans prendre_, as is the rule",
        "*the* last trick, and *the* trick *before the last*, may be called",
        "the =last= trick may be seen, and {230}the next of the game {31}any player",
        "THE DEALER'S HAND, AND HOYLE'S RULE OF THE TABLE",
        "any player may re-double or under-lead, and out-bid the adversaries",
        "the player's card, o'clock, and he'll show it; they've won the rubber",
        "The Laws 1864, the Laws 1879, the Laws 1884, the Laws 1893, and the Laws 1863; by Law I. of the code.",
        "A Nubian, who wears a tobe, is at the table.",
    ],
)
def test_leaves_text_that_may_be_printed_so(text: str) -> None:
    assert reading(text).replace("\n\n", " ") == text


@pytest.mark.parametrize(
    ("scan", "word", "changed"),
    [
        ("the trirk of the case, " * 12 + "He may look at the last trirk but one of it; " + AGAIN, "trirk", False),
        ("He may look at the last trirk but one of it; " + AGAIN, "trirk", True),
        ("He may re-double the last trick but one of it.\n\nHe may double the last trick but one of it.", "re", False),
    ],
)
def test_similar_passage_corrects_no_known_or_frequent_word(scan: str, word: str, changed: bool) -> None:
    assert any(e.before.startswith(word) for e in corrected(BOOK + scan).letters) is changed


def test_leaves_noise_and_tables_alone() -> None:
    found = corrected("y^t**^^ -^^^ N X ^ 7 7 10 3 ... 3 •ii ^fii wl- '", layout="single-line")
    assert all(e.kind == "space" for e in found.edits)


def test_uncertain_corrections_are_suggested_not_made() -> None:
    found = corrected(BOOK + "then Durand names the analagous kard of the player")
    assert not [e for e in found.edits if e.kind == "ocr"]
    assert [e.after for e in found.suggestions] == ["analogous", "hand"]


def test_likeliest_suggestion_comes_first() -> None:
    found = corrected(BOOK + "then Durand names the analagous player of the analagous kard of the player")
    certain = [e.confidence for e in found.suggestions]
    assert certain == sorted(certain, reverse=True)


def test_confirmed_word_is_neither_changed_nor_suggested_again() -> None:
    doubtful = BOOK + "then Durand names the analagous kard of the player"
    certain = BOOK + "If any persou revoke, the penalty is three tricks."
    for scan, word in ((doubtful, "analagous"), (certain, "persou")):
        at = scan.index(word)
        free, kept = corrected(scan), corrected(scan, confirmed=[Span(at, at + len(word))])
        assert word in [e.before for e in (*free.letters, *free.suggestions)]
        assert word not in [e.before for e in (*kept.letters, *kept.suggestions)]
        assert len(kept.suggestions) == len(free.suggestions) - (scan is doubtful), "the other words stay doubtful"


DOUBTFUL = "No player may, uuder any circumstances, look at the last trirk but one of the hand."


@pytest.mark.parametrize(
    ("scan", "witnesses", "words"),
    [
        (DOUBTFUL, [], set()),
        (
            DOUBTFUL,
            ["No player may, under any circumstances, look at the last trick but one of the hand."],
            {"under", "trick"},
        ),
        (
            "The cards shall be placed with their faces upwards upon the table before the partner.",
            ["The packs shall be placed with their faces upward upon the table before the partner."],
            set(),
        ),
        (
            "The score is, by 2 to 3 trirk to 4 in the game.",
            ["The score was, by 2 to 3 trick to 4 for the hand."],
            set(),
        ),
    ],
)
def test_another_print_of_the_passage_decides_a_doubtful_word(scan: str, witnesses: list[str], words: set[str]) -> None:
    assert {e.after for e in corrected(scan, witnesses=witnesses).letters} == words


@pytest.mark.parametrize(
    ("scan", "furniture", "expected"),
    [
        ("he shall have prece- \n\n\n19 \n\n\nOF THE DEAL. \n\n\ndence over the others", ["19", "OF THE DEAL."],
         "he shall have precedence over the others"),
        ("he shall have prece-[19]\n\ndence over the others", ["[19]"], "he shall have precedence over the others"),
        ("All the adversaries are here, the adver\n\n\n19\n\n\nsaries are there, and the adversaries lead.\n", ["19"],
         "All the adversaries are here, the adver saries are there, and the adversaries lead."),
    ],
)  # fmt: skip
def test_hyphenated_word_is_joined_around_furniture(scan: str, furniture: list[str], expected: str) -> None:
    gone = [taken_out(scan, text) for text in furniture]
    assert read(scan, corrected(scan, gone), *gone).reading.strip() == expected


CARET = Habit("^", ",", "after a word", "the comma after italics")


@pytest.mark.parametrize(
    ("habit", "scan", "expected"),
    [
        (CARET, "he must show his hand^ and lose", "he must show his hand, and lose"),
        (CARET, "he must show his cards ^ nor lose", "he must show his cards, nor lose"),
        (CARET, "he must show his hand^", "he must show his hand."),
        (CARET, "he must show ever>^ hand of the^ game", "he must show ever>^ hand of the^ game"),
        (CARET, "in this law, nothino^ obliges the partner", "in this law, nothing obliges the partner"),
        (
            Habit("V", '?"', "in a quotation", "the question mark after italics"),
            'the player V in chapter V; he asked, "who leads the card V and played. See page V.',
            'the player V in chapter V; he asked, "who leads the card?" and played. See page V.',
        ),
        (
            Habit("i,", "i.", "by itself", "the full stop of i. e."),
            "the player, i, e. the one who leads, may name the suit i,and show his hand",
            "the player, i. e. the one who leads, may name the suit i, and show his hand",
        ),
    ],
)
def test_corrects_declared_habits_of_the_scan(habit: Habit, scan: str, expected: str) -> None:
    assert reading(scan, habits=[habit]) == expected


@pytest.mark.parametrize(
    ("scan", "before", "after", "expected"),
    [
        ("the card wliich is exposed, and tlie player", "wliich", "what", "the card what is exposed, and the player"),
        ("the card wliich is exposed, and tlie player", "wliich ", "what ", "the card what is exposed, and the player"),
        ("he has the . right to lead tlie card", "right", " light", "he has the light to lead the card"),
        ('in these words : " And so he led', ' "', '\n\n"', 'in these words:\n\n"And so he led'),
    ],
)
def test_editor_overrides_automatic_correction(scan: str, before: str, after: str, expected: str) -> None:
    whole = BOOK + scan
    fixed = by_editor(whole, before, after)
    assert read(whole, corrected(whole, fixed=[fixed]), fixed).reading.endswith(expected)


def test_word_across_a_page_break_is_not_joined_if_the_editor_edits_it() -> None:
    scan = BOOK + "the card which is ex-\n\n\n12 ON WHIST\n\n\nposed by the player, and the adver-\n\nsaries"
    furniture = [taken_out(scan, "12 ON WHIST")]
    fixed = by_editor(scan, "posed", "pected")
    joints = {e.raw_start for e in corrected(scan, furniture, fixed=[fixed]).edits if e.rule == "join.hyphen"}
    assert joints == {scan.index("-\n\nsaries")}


def test_uncorrected_misprint_is_joined_across_a_page_break() -> None:
    scan = BOOK + "it induces a circumlo- \n\n\n12 ON WHIST\n\n\ncation.  The player"
    furniture = taken_out(scan, "12 ON WHIST")
    typo = by_editor(scan, "cation.", "cation.", "typo")
    layer = read(scan, corrected(scan, [furniture], fixed=[typo]), furniture, typo)
    assert layer.reading.endswith("it induces a circumlocation. The player")


def test_roman_numeral_of_a_heading_stays_if_articles_are_cited_in_figures() -> None:
    cited = " ".join(f"By article {n}, the dealer deals." for n in range(2, 20))
    assert reading(f"{cited}\n\nARTICLE I.\n\nThe dealer deals by article I, as he may.").endswith(
        "ARTICLE I.\n\nThe dealer deals by article 1, as he may."
    )


@pytest.mark.parametrize("place", [0, 2, 6])
def test_word_with_an_insertion_by_the_editor_is_not_corrected(place: int) -> None:
    scan = BOOK + "the card wliich is exposed"
    at = scan.index("wliich") + place
    assert corrected(scan, fixed=[Edit(at, at, "", "-", "ocr", "editor")]).letters == ()


PIECES = st.sampled_from(
    [
        "the", "tlie", "card-", "w^hich", "nothino-", "trick^", "'", '"', "''", ",-", "—", "--", "- ", "Article", "1",
        "33,", "ii.", "deaL", "o", "s", ".", ",", "...", "\n", "\n\n\n", " ", "  ", "{vide", ")", "an-\nnounce", "V",
        "^", "}", "•", "Monours,—The", "exj)osed", "twenty-", "Case", "¬", "é", "\U0001d50f",
    ]
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, list[Edit], list[Edit]]:
    """A scan of words, punctuation and breaks, with furniture and editor's readings anywhere in it."""
    joints = st.sampled_from(["", " ", " ", " ", "\n"])
    scan = "".join(draw(PIECES) + draw(joints) for _ in range(draw(st.integers(0, 25))))
    borders = sorted(draw(st.sets(st.integers(0, len(scan)), max_size=8)))
    spans = [(a, b, draw(st.booleans())) for a, b in zip(borders[::2], borders[1::2], strict=False)]
    furniture = [Edit(a, b, scan[a:b], "", "furniture", "rule") for a, b, ornament in spans if ornament]
    readings = ["", " ", "word", " word", "word ", "two words"]
    fixed = [
        Edit(a, b, scan[a:b], draw(st.sampled_from([*readings, scan[a:b]])), "ocr", "editor")
        for a, b, ornament in spans
        if not ornament
    ]
    return scan, furniture, fixed


@given(damaged(), st.sampled_from(["lines", "markdown", "single-line"]))
def test_edits_are_valid_for_any_scan(sheet: tuple[str, list[Edit], list[Edit]], layout: Layout) -> None:
    scan, furniture, fixed = sheet
    found = corrected(scan, furniture, layout=layout, fixed=fixed)
    read(scan, found, *furniture, *fixed)
    assert list(found.edits) == sorted(found.edits)
    assert all(e.before != e.after for e in found.edits)
    assert {e.kind for e in found.edits} <= {"join", "space", "ocr"}
    assert {name for e in found.edits for name in e.rule.split() or [""]} <= {rule.name for rule in RULES}
