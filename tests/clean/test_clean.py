"""Cleaning: what it changes, what it leaves alone, and that its edits fit any scan."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import cleaned, undo

from extract.clean.signs import SignRule, sign_rules
from extract.model import Edit, Edition, EditKind, Span

BOOK = """The dealer shall give the cards to be cut by his right-hand adversary, and the player who
has not seen the last trick may demand it before the next is led. If a player revoke, the adversaries may take
three tricks from him, or add three points to their score, or deduct three from that of the offending party.

When a card is exposed, it may be called by the adversaries, which penalty shall be exacted at once. Nothing in
this law obliges the partner of the offending player to consult with him upon the matter. The adversaries, when
they have won the rubber, and each player, which is the rule, shall show his hand, with the turn-up upon the
table; and whichever party shall have revoked is to lose, without appeal, the three tricks with which it won.

The tricks are exj)osed to tbe view of all.

"""


def reading(scan: str, **options: Any) -> str:
    """The cleaned text of a scan that follows the sample of a misread book."""
    whole = BOOK + scan
    _, layer = cleaned(whole, **options)
    assert undo(layer.reading, layer.changes) == whole
    return layer.read(len(BOOK), len(whole)).strip()


def by_editor(scan: str, before: str, after: str, kind: EditKind = "ocr") -> Edit:
    """The editor's reading of a word."""
    at = scan.rindex(before)
    return Edit(at, at + len(before), before, after, kind, "editor")


def taken_out(scan: str, text: str) -> Edit:
    """The edit that removes a piece of furniture."""
    at = scan.index(text)
    return Edit(at, at + len(text), text, "", "furniture", "rule")


@pytest.mark.parametrize(
    ("scan", "expected"),
    [
        ("if the player, wliich is the rule, may demand it", "if the player, which is the rule, may demand it"),
        ("the card w^hich is exposed by the player", "the card which is exposed by the player"),
        ("a card that is exj)osed may be called by them", "a card that is exposed may be called by them"),
        ("and the dealer s partner may demand it", "and the dealer's partner may demand it"),
        ("which he called a slam,'' and won the trick", 'which he called a slam," and won the trick'),
        ("the penalty, which {by the law) is exacted", "the penalty, which (by the law) is exacted"),
        ("he may consult him; his adver-\nsary may not", "he may consult him; his adversary may not"),
        ("he may consult him; his right-\nhand adversary", "he may consult him; his right-hand adversary"),
        ("the PART-\nNERS OF THE PLAYER", "the PARTNERS OF THE PLAYER"),
    ],
)
def test_corrects_certain_misreadings(scan: str, expected: str) -> None:
    assert reading(scan) == reading(scan.replace(" ", "  ")) == expected, "wide blanks make no difference"


@pytest.mark.parametrize(
    "text",
    [
        "They chuse to shew the card, and controul the partie with dumby.",
        "The word is analagous, and compromitted, as the author has it, who smote him.",
        "Messieurs, ce n'est pas la faute du valet, mais du roi de carreau.",
        "Mr. McFetridge of Ponkapoag and Miss Grotophorst led the knave of clubs.",
        "De minimis non curat lex; sic utere tuo ut alienum non laedas.",
        "The cards are dealt upwards; any body may call a mis-deal to-morrow.",
        "By Sec. 63 and Sec. 62 the 31st day, 110 to 101; the odds are 25457 to 1, or 2s. 6d. a point.",
        "Y plays to Z, and X. Article A 3, Section II., and (iii) of the code.",
        "he may take three tricks.[62] The player shall show the card[3] upon the table",
        "_the offending_ party and the _sans prendre_, as is the rule",
        "THE DEALER'S HAND, AND HOYLE'S RULE OF THE TABLE",
        "he took sucha card and callinga suit, a 4-foot rule and the *King",
        "the player's card, o'clock, and he'll show it; they've stamp'd the rubber",
        "the no delay- should take from the roquet-croqueting player",
    ],
)
def test_leaves_text_that_may_be_printed_so(text: str) -> None:
    assert reading(text) == text


@pytest.mark.parametrize("rule", sign_rules(), ids=lambda rule: rule.reason)
def test_each_rule_for_signs_makes_its_example(rule: SignRule) -> None:
    before, after = (text.replace("\\n", "\n") for text in (rule.before, rule.after))
    assert reading(before) == " ".join(after.split()) != before


def test_there_are_few_rules_for_signs() -> None:
    assert len(sign_rules()) <= 20


def test_habit_of_a_scan_is_a_rule_of_its_book() -> None:
    caret = SignRule(re.compile(r"(?<=[a-z]{2})\^(?=[ \n])"), ",", "the comma after italics")
    scan = "he must show his hand^ and lose"
    assert reading(scan, habits=[caret]) == "he must show his hand, and lose"
    assert reading(scan) == scan


def test_text_that_is_hardly_misread_keeps_its_letters() -> None:
    """Words cut at line ends are joined in any case; what would be corrected becomes a suggestion."""
    scan = BOOK.replace("exj)osed", "exposed").replace("tbe", "the") * 60 + "Once tlie adver-\nsary leads--so he does."
    found, layer = cleaned(scan)
    assert layer.reading.endswith("Once tlie adversary leads--so he does.")
    assert [(e.before, e.after) for e in found.suggestions] == [("tlie", "the")]


def test_uncertain_corrections_are_suggested_not_made() -> None:
    found, _ = cleaned(BOOK + "then Mr. Rnssell names the card")
    assert [(e.before, e.after) for e in found.suggestions] == [("Rnssell", "Russell")]
    assert "Rnssell" not in {e.before for e in found.edits}


@pytest.mark.parametrize(
    ("scan", "furniture"),
    [
        ("he shall have prece- \n\n\n19 \n\n\nOF THE DEAL. \n\n\ndence over the others", ["19", "OF THE DEAL."]),
        ("he shall have prece-[19]\n\ndence over the others", ["[19]"]),
    ],
)
def test_word_is_joined_around_furniture(scan: str, furniture: list[str]) -> None:
    _, layer = cleaned(scan, [taken_out(scan, text) for text in furniture])
    assert layer.reading.strip() == "he shall have precedence over the others"


@pytest.mark.parametrize(
    ("scan", "before", "after", "expected"),
    [
        ("the card wliich is exposed, and tlie player", "wliich", "what", "the card what is exposed, and the player"),
        ("the card wliich is exposed, and tlie player", "wliich ", "what ", "the card what is exposed, and the player"),
        ('in these words : " And so he led', ' "', '\n\n"', 'in these words:\n\n"And so he led'),
    ],
)
def test_editor_overrides_the_machine(scan: str, before: str, after: str, expected: str) -> None:
    whole = BOOK + scan
    assert cleaned(whole, readings=[by_editor(whole, before, after)])[1].reading.endswith(expected)


def test_confirmed_word_is_neither_changed_nor_suggested() -> None:
    scan = BOOK + "If any persou revoke, the penalty is three tricks."
    at = scan.index("persou")
    free, kept = cleaned(scan)[0], cleaned(scan, confirmed=[Span(at, at + 6)])[0]
    assert "persou" in [e.before for e in (*free.edits, *free.suggestions)]
    assert "persou" not in [e.before for e in (*kept.edits, *kept.suggestions)]


def test_shipped_texts_are_not_corrected_once_more(editions: Mapping[str, Edition]) -> None:
    """Clean texts keep each word, even if they are read as those of a misread scan."""
    units = editions["drayson-1896"].units
    text = "\n\n".join(" ".join(u.text.split()) for u in units if u.kind in ("case", "decision"))
    found, _ = cleaned(BOOK + text)
    assert [e for e in found.edits if e.raw_start >= len(BOOK)] == []


PIECES = st.sampled_from(
    [
        "the", "tlie", "card-", "w^hich", "nothino-", "trick^", "'", '"', "''", ",-", "—", "--", "- ", "Article", "1",
        "33,", "ii.", "deaL", "o", "s", ".", ",", "...", "\n", "\n\n\n", " ", "  ", "{vide", ")", "an-\nnounce", "V",
        "^", "}", "•", "Monours,—The", "exj)osed", "twenty-", "Case", "¬", "é", "\U0001d50f",
    ]
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, list[Edit], list[Edit]]:
    """A scan of words, punctuation and breaks, with furniture and the editor's readings anywhere in it."""
    joints = st.sampled_from(["", " ", " ", " ", "\n"])
    scan = "".join(draw(PIECES) + draw(joints) for _ in range(draw(st.integers(0, 25))))
    borders = sorted(draw(st.sets(st.integers(0, len(scan)), max_size=8)))
    spans = [(a, b, draw(st.booleans())) for a, b in zip(borders[::2], borders[1::2], strict=False)]
    furniture = [Edit(a, b, scan[a:b], "", "furniture", "rule") for a, b, ornament in spans if ornament]
    texts = ["", " ", "word", " word", "word ", "two words"]
    readings = [
        Edit(a, b, scan[a:b], draw(st.sampled_from([*texts, scan[a:b]])), "ocr", "editor")
        for a, b, ornament in spans
        if not ornament
    ]
    return scan, furniture, readings


@given(damaged())
def test_edits_fit_any_scan(sheet: tuple[str, list[Edit], list[Edit]]) -> None:
    scan, furniture, readings = sheet
    found, layer = cleaned(scan, furniture, readings=readings)
    assert undo(layer.reading, layer.changes) == scan
    assert all(e.before != e.after for e in found.edits)
