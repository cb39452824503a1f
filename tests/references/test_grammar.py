"""The grammar of references: what a text cites, before it is resolved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.references.grammar import Item, Numeral, mentions, relatives

WORDS = ("Article", "Law", "Rule", "Case", "Section", "Chapter", "Appendix", "A", "B")

GRAMMAR = [
    ("(See Articles 43, 44, and 48.)", [("Article", "43 44 48")]),
    ("by Law 44, Section 5, English code", [("Law", "44/5")]),
    ("Laws 56-66", [("Law", "56-66")]),
    ("Laws 33 to 51. Cases 37 to 54, 86, and 146.", [("Law", "33-51"), ("Case", "37-54 86 146")]),
    ("Cases 61 to 65,153; and 154.", [("Case", "61-65 153 154")]),
    ("Law 72, Section 1 and 2 tricks", [("Law", "72/1")]),
    ("the third paragraph of Article 94,", [("Article", "94/3")]),
    ("(See B 8.)", [("B", "8")]),
    ("(A3 and 4), or (A 4) besides", [("A", "3 4"), ("A", "4")]),
    ("the law (60) says", [("Law", "60")]),
    ("LAWS 6, 7, 1 1.", [("Law", "6 7 1 1")]),
    ("Articles 64, 70. 71. and 104, are", [("Article", "64 70 71 104")]),
    ("Chapters XIII. and XIV.)", [("Chapter", "XIII XIV")]),
    ("see Appendix (A), to", [("Appendix", "A")]),
    ("(Articles 110 and similar,)", [("Article", "110")]),
    ("Case yy.", [("Case", "yy")]),
    ("(Article 12/, as above)", [("Article", "12/")]),
    ("Law 84 and 3 points", [("Law", "84")]),
    ("Law 60, and 70 others", [("Law", "60")]),
    ("Law 60 and 70, in short", [("Law", "60 70")]),
    ("See Chapter V., Chapter VI.", [("Chapter", "V"), ("Chapter", "VI")]),
    ("Law 12, or Articles 3–7", [("Law", "12"), ("Article", "3-7")]),
    ("by Rules XXXVIII, XLV, and Law 5.", [("Rule", "XXXVIII XLV"), ("Law", "5")]),
    ("Appendix I. and Appendix B", [("Appendix", "I"), ("Appendix", "B")]),
    ("as section one hundred and sixty-three provides", [("Section", "163")]),
    ("as section two thousand and six provides", [("Section", "2006")]),
    ("sections eighty-eight and eighty-nine of an act", [("Section", "88 89")]),
    ("as allowed by section thirty, no costs", [("Section", "30")]),
]
NO_REFERENCE = [
    "In this case Y. plays",
    "the law in 3 cases",
    "Law I think so",
    "It is a Law. 3 tricks are lost",
    "A 15th trick",
    "the case is hi, or lo",
    "Articles of the rules",
    "Is that the Law ?! he said",
    "By the Rule I hold so",
    "in which case one, or two, may play",
    "in case two players agree",
]


def short(item: Item) -> str:
    """A member of a mention as it is printed: a number, a range, or a part of either."""
    return f"{item.first.read}{f'-{item.last.read}' if item.last else ''}{f'/{item.part.read}' if item.part else ''}"


@pytest.mark.parametrize(("text", "expected"), [*GRAMMAR, *((text, []) for text in NO_REFERENCE)])
def test_finds_mentions(text: str, expected: list[tuple[str, str]]) -> None:
    found = mentions(text, WORDS, ("Section", "paragraph"), ("Appendix",))
    assert [(mention.word, " ".join(map(short, mention.items))) for mention in found] == expected


def test_mention_of_a_section_includes_its_chapter() -> None:
    (mention,) = mentions("In Section IX. Chapter v., we have", WORDS)
    assert (mention.items[0].first.number, mention.whole.number) == (9, 5)


@pytest.mark.parametrize(
    ("read", "number"),
    [("94", 94), ("1 33", 133), ("IX", 9), ("XIY", None), ("YIII", None), ("v", 5), ("I", 1),
     ("XLV", 45), ("LX", 60), ("CCCLXXXVIII", 388), ("xlv", 45), ("lx", 60), ("xII", 12), ("ll", None), ("l", None),
     ("S6", None), ("1170", 1170), ("yy", None), ("12/", None), ("²", None), ("₇", None)],
)  # fmt: skip
def test_only_unambiguous_numerals_have_a_number(read: str, number: int | None) -> None:
    assert Numeral(0, len(read), read).number == number


def test_letters_are_numbers_only_for_lettered_series() -> None:
    (mention,) = mentions("(See Appendix C.)", WORDS, lettered=("Appendix",))
    assert mention.items[0].first.number == 3
    assert not list(mentions("(See Appendix B.)", WORDS))
    found = relatives("as in the preceding Article, and the second paragraph of this law.", WORDS)
    assert [(r.word, r.step, r.part) for r in found] == [("Article", -1, None), ("Law", 0, 2)]


@given(st.text(max_size=60))
def test_grammar_accepts_any_text(text: str) -> None:
    at = 0
    for mention in mentions(text, WORDS, ("Section",)):
        assert at <= mention.start < mention.end <= len(text)
        assert mention.items
        at = mention.end


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It falls. [See § 30, and the note thereto.]", [30]), ("as told in §12 and\n§ 14.", [12, 14]),
        ("by §§ 3, 4, and 7 of this code", [3, 4, 7]), ("§ 5. The sheriff", []), ("It ends.\n\n§ 6. The sheriff", []),
        ("§ X and § the", []),
        ("Contents § 1. Of suits § 2. Of writs, by § 9. The", [9]),
    ],
)  # fmt: skip
def test_section_sign_is_a_reference_unless_it_labels_a_text(text: str, numbers: list[int]) -> None:
    assert [item.first.number for mention in mentions(text, ("Section", "§")) for item in mention.items] == numbers
