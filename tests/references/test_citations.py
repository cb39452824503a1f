"""References: the grammar by tables and by properties, and their resolution in small books made for it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.corpus.citations import CitedSeries, Rules
from extract.model import Edit, Reference, Slip, Unit
from extract.references.grammar import Numeral
from extract.references.resolution import find_references
from extract.text.textlayer import TextLayer

# A library of two books in one: 30 articles with an appendix, 40 laws of one code and 40 of another, 30 cases.

RULES = Rules.model_validate({
    "parts": ["Section", "paragraph"],
    "ditto": ["idem", "„"],
    "series": [
        {"words": ["Article"], "target": "old/art-{n}"},
        {"words": ["Article"], "target": "old/art-a{n}", "within": "old/art-a"},
        {"words": ["A"], "target": "old/art-a{n}"},
        {"words": ["Law", "Rule"], "target": "english/law-{n}", "names": ["English"], "default": True},
        {"words": ["Law", "Rule"], "target": "american/law-{n}", "names": ["American"]},
        {"words": ["Case"], "target": "book/case-{n}"},
        {"words": ["Case"], "names": ["Cavendish", "The Art of Whist"]},
        {"words": ["Section"], "target": "english/dummy-{n}", "names": ["Dummy"]},
        {"words": ["Chapter"], "target": "old/ch{n}"},
    ],
})  # fmt: skip
FILLER = {
    "english/law-18": "Two players cutting cards of equal value cut again.",
    "american/law-18": "The trump card left on the table after the second trick is liable to be called.",
    "english/law-19": "Three players cutting cards of equal value cut again.",
    "american/law-19": "A surplus or missing card in the hand lets the adversaries have a new deal.",
    "old/art-7": "It may be necessary to draw lots twice before six persons form a complete table.",
    "old/art-a3": "The partner may place the loss of the rubber to the account of the offender.",
    "old/art-3": "The first four players are drawn.",
    "book/case-5": "The partner of the dealer may not ask the adversary for honours, trumps, score or rubber.",
}


def library(text: str, *, speaker: str = "book/case-1/decision", kind: str = "decision") -> list[Reference]:
    """The references of a text, set as a unit in a library of known units."""
    ids = [f"old/art-{n}" for n in range(1, 131)] + [f"old/art-a{n}" for n in range(1, 6)]
    ids += [f"{code}/law-{n}" for code in ("english", "american") for n in range(1, 93)]
    ids += [f"book/case-{n}" for n in range(1, 81)] + [f"english/dummy-{n}" for n in range(1, 4)] + ["old/ch5"]
    units, at, pieces = [], 0, []
    extra = [("english/law-44/v", "english/law-44"), ("american/law-20/iii", "american/law-20"),
             ("american/law-20/iv", "american/law-20"), ("old/art-94/3", "old/art-94")]  # fmt: skip
    for unit_id, parent in [*((i, None) for i in ids if i != speaker), *extra, (speaker, None)]:
        words = text if unit_id == speaker else FILLER.get(unit_id, "Nothing.")
        sort: str = kind if unit_id == speaker else "subclause" if parent else "law"
        number = unit_id.rpartition("-")[2] if unit_id != speaker else None
        pieces.append(words)
        units.append(Unit(unit_id, "book", None, sort, unit_id, number, parent, None, len(units), at,
                          at + len(words), None, words))  # fmt: skip
        at += len(words) + 2
    scan = "\n\n".join(pieces)
    return [r for r in find_references(units, TextLayer(scan, ()), RULES) if r.from_unit == speaker]


RESOLVED = [
    ("See Articles 4, 5, and 8.", ["old/art-4", "old/art-5", "old/art-8"]),
    ("See Laws 56 to 58.", ["english/law-56", "english/law-57", "english/law-58"]),
    ("By Law 44, Section 5, it is a misdeal.", ["english/law-44/v"]),
    ("By Rule 17, of the American code, it is so.", ["american/law-17"]),
    ("By the American code (Law 37) such a remark counts.", ["american/law-37"]),
    ("Law 91, English code, and Law 37, American code.", ["english/law-91", "american/law-37"]),
    ("By the American code it is mended. Law 20, Section 3, says so. Section 4: and so on.",
     ["american/law-20/iii", "american/law-20/iv"]),
    ("American: a trump card left on the table after the second trick is liable to be called, not by English laws "
     "(Rule 18).",
     ["american/law-18"]),
    ("In the American code this is mended. Law 19 says that for a surplus card there is a new deal.",
     ["american/law-19"]),
    ("The third paragraph of Article 94 is clear.", ["old/art-94/3"]),
    ("Look at Section 2, \"Dummy,\" and see.", ["english/dummy-2"]),
    ("Law 1 1 is meant.", ["english/law-11"]),
    ("Article 8; idem 9.", ["old/art-8", "old/art-9"]),
    ("See Case yy.", ["book/case-77"]),
    ("See Law l2.", ["english/law-12"]),
    ("See Article Il.", ["old/art-11"]),
    ("Cavendish wrote on it. See Case 7.", ["book/case-7"]),
    ("See Articles XLV. and LX.", ["old/art-45", "old/art-60"]),
    ("See Article LXXXVIII.", ["old/art-88"]),
    ("See Article xiv.", ["old/art-14"]),
    ("See Article XIY.", ["old/art-14"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "targets"), RESOLVED)
def test_resolution(text: str, targets: list[str]) -> None:
    found = library(text)
    assert [r.target_id for r in found] == targets
    assert {r.status for r in found} == {"resolved"}


UNRESOLVED = [
    ("See Law 99.", ["dangling"]),
    ("See Chapter XIII.", ["dangling"]),
    ("In Case 11, Cavendish on Whist, it is so.", ["foreign"]),
    ("Cavendish has dealt with it in Case V., and well.", ["foreign"]),
    ("Cavendish has dealt with the rubber and its table in Case V., and well, for all to read.", ["foreign"]),
    ("See Case 2 in Cavendish, and Case 8 in these.", ["foreign", "resolved"]),
    ("The score counts first (Law 71, Section 5).", ["slip"]),
    ("See Law S6.", ["ambiguous"]),
    ("See Laws 60 to 51.", ["ambiguous"]),
    ("See Article xlv.", ["ambiguous"]),
    ("See Article XlV.", ["ambiguous"]),
    ("See Article XIVIXI.", ["ambiguous"]),
    ("See Article CLXXXVIII.", ["dangling"]),
    ("See Laws 60 to 60.", ["ambiguous"]),
    ("See Laws 90 to 99.", ["dangling"]),
    ("By Cavendish (Case 2) and in Case 8 it is so.", ["foreign", "resolved"]),
    ("By Law 44 it is so. Section 5 says more.", ["resolved", "ambiguous"]),
    ("Section 4 says so.", ["ambiguous"]),
]


@pytest.mark.parametrize(("text", "statuses"), UNRESOLVED)
def test_what_cannot_be_resolved_says_so(text: str, statuses: list[str]) -> None:
    found = library(text)
    assert [r.status for r in found] == statuses
    assert all(r.target_id is None for r in found if r.status in ("dangling", "foreign", "ambiguous"))


def test_a_slip_keeps_the_provision_as_printed() -> None:
    assert [r.target_id for r in library("It counts first (Law 71, Section 5).")] == ["english/law-71"]


def test_a_bracket_read_as_a_nought_is_seen_through_by_the_words() -> None:
    (found,) = library("If six persons form a table, lots are drawn.—(See Article 70")
    assert (found.target_id, found.status) == ("old/art-7", "resolved")
    (plain,) = library("If six persons form a table, lots are drawn.—(See Article 70.)")
    assert plain.target_id == "old/art-70"


def test_an_appendix_is_not_guessed() -> None:
    speaker = "old/art-a5"
    (doubtful,) = library("A 5. The loss of Article 3 falls on the partner.", speaker=speaker, kind="law")
    assert doubtful.status == "ambiguous"
    both = library("A 5. See Articles 1 and 24.", speaker=speaker, kind="law")
    assert [r.target_id for r in both] == ["old/art-1", "old/art-24"]  # the appendix has no 24


def test_a_label_is_no_reference() -> None:
    found = library("Article 30. The deal is lost.—(See Article 8.)", speaker="old/art-30", kind="law")
    assert [r.target_id for r in found] == ["old/art-8"]
    assert library("CHAPTER 5", speaker="old/head", kind="section") == []
    bracketed = library("CARDS DETACHED (Law 60)", speaker="old/head", kind="section")
    assert [r.target_id for r in bracketed] == ["english/law-60"]


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("the preceding Article", "old/art-29"), ("the following Article", "old/art-31"),
        ("the next article", "old/art-31"), ("the foregoing Article", "old/art-29"), ("the preceding Case", None),
        ("the preceding Article 12", "old/art-12"), ("the second paragraph of this Article", None),
    ],
)  # fmt: skip
def test_the_neighbouring_provision(words: str, target: str | None) -> None:
    found = library(f"Article 30. As in {words}.", speaker="old/art-30", kind="law")
    assert [r.target_id for r in found] == [target] * (target is not None)


def test_a_paragraph_of_the_provision_that_speaks() -> None:
    (found,) = library("Article 94. By the third paragraph of this Article.", speaker="old/art-94", kind="law")
    assert (found.target_id, found.raw) == ("old/art-94/3", "third paragraph of this Article")


def test_the_book_cites_again_what_it_cites_often() -> None:
    (doubtful,) = library("See Law S6.")
    *_, told = library("See Law 86. " * 40 + "See Law S6.")
    assert (doubtful.status, told.status, told.target_id) == ("ambiguous", "resolved", "english/law-86")


def test_certainty_is_told() -> None:
    sure = {r.status: r.confidence for r in library("See Article 4. See Laws 9 to 8.")}
    assert sure == {"resolved": 0.99, "ambiguous": 0.5}
    (beside,) = library("It is so by the American code of laws (Law 37).")
    (apart,) = library("It is so by the American code for all who play, in Law 37.")
    assert apart.confidence < beside.confidence < 0.99
    assert {r.target_id for r in (beside, apart)} == {"american/law-37"}


def book(*texts: tuple[str, str, str | None, str]) -> list[Reference]:
    """The references of units, given as (id, kind, parent, text), that stand one after the other."""
    units, at = [], 0
    for unit_id, kind, parent, text in texts:
        units.append(Unit(unit_id, "b", None, kind, "", None, parent, None, 0, at, at + len(text), None, text))
        at += len(text) + 1
    return list(find_references(units, TextLayer("\n".join(text for *_, text in texts), ()), RULES))


TARGETS: list[tuple[str, str, str | None, str]] = [
    (f"old/art-{n}", "law", None, f"Article {n}.") for n in (2, 7, 9, 81)
]  # fmt: skip


def test_ditto_goes_back_to_the_word_in_its_place_above() -> None:
    above: str = "subclause"
    found = book(
        *TARGETS, ("english/law-9", "law", None, "Law 9."), ("b/x", "law", None, "As follows"),
        ("b/x/1", above, "b/x", "1. Law 9, for Article 81"), ("b/x/2", above, "b/x", "2. „ 9, idem 7"),
        ("b/y", "law", None, "So idem 9"),
    )  # fmt: skip
    assert [r.target_id for r in found] == ["english/law-9", "old/art-81", "english/law-9", "old/art-7", None]


def test_the_note_on_a_provision() -> None:
    found = book(
        *TARGETS, ("old/art-7/note-1", "note", "old/art-7", "(a) So."), ("b/x", "law", None, "See Note on Article 7")
    )
    assert [(r.target_id, r.raw) for r in found] == [("old/art-7/note-1", "Note on Article 7")]
    (plain,) = book(*TARGETS, ("b/x", "law", None, "By the Note on Article 7"))
    assert plain.target_id == "old/art-7"


def test_a_part_of_the_book_may_be_without_references() -> None:
    contents: str = "front_matter"
    units = (*TARGETS, ("b/contents-1", contents, None, "Of Article 7"), ("b/preface", contents, None, "Of Article 9"))
    assert [r.from_unit for r in book(*units)] == ["b/contents-1", "b/preface"]
    silent = RULES.model_copy(update={"without": ("b/contents",)})
    layer = TextLayer("Of Article 7\nOf Article 9", ())
    pieces = [
        Unit("b/contents-1", "b", None, contents, "", None, None, None, 0, 0, 12, None, ""),
        Unit("b/preface", "b", None, contents, "", None, None, None, 1, 13, 25, None, ""),
    ]
    assert [r.from_unit for r in find_references(pieces, layer, silent)] == ["b/preface"]


def test_a_section_of_a_chapter_is_named_with_it() -> None:
    series = CitedSeries(words=("Section",), target="old/ch{chapter}-s{n}", chapter=5)
    assert (series.unit_id(9), series.unit_id(9, 6)) == ("old/ch5-s9", "old/ch6-s9")
    assert (series.member("old/ch5-s9"), series.member("old/ch6-s9"), series.member("old/ch5-s9/1")) == (9, None, None)


def test_offsets_are_those_of_the_scan() -> None:
    scan = "Law  1. \n\nSee  Ar-\nticle  l2,  and  be  wise."
    join, ocr = scan.index("-\n"), scan.index("l2")
    edits = (Edit(join, join + 2, "-\n", "", "join", "rule"), Edit(ocr, ocr + 1, "l", "1", "ocr", "rule"))
    units = [
        Unit("old/art-12", "b", None, "law", "Article 12", "12", None, None, 0, 0, 7, None, "Law 1."),
        Unit("old/note", "b", None, "remark", "Note", None, None, None, 1, 10, len(scan), None, ""),
    ]
    (found,) = find_references(units, TextLayer(scan, edits), RULES)
    assert (found.target_id, found.raw) == ("old/art-12", "Ar-\nticle  l2")
    assert scan[found.raw_start : found.raw_end] == found.raw


def test_the_editor_names_a_slip() -> None:
    scan = "Law 8.\n\nRule 8 applies."
    units = [
        Unit("english/law-8", "b", None, "law", "Law 8", "8", None, None, 0, 0, 6, None, "Law 8."),
        Unit("b/remark", "b", None, "remark", "", None, None, None, 1, 8, len(scan), None, ""),
    ]
    (found,) = find_references(units, TextLayer(scan, ()), RULES, slips=[Slip(8)])
    assert (found.target_id, found.status) == ("english/law-8", "slip")
    (found,) = find_references(units, TextLayer(scan, ()), RULES, slips=[Slip(8, "english/law-9")])
    assert (found.target_id, found.status) == ("english/law-9", "resolved")


def test_a_long_s_is_an_s() -> None:
    assert [r.target_id for r in library("See Caſe 7.")] == ["book/case-7"]


# Properties


@settings(max_examples=30)
@given(st.integers(1, 91), st.integers(1, 91))
def test_a_range_names_every_member_once(low: int, high: int) -> None:
    found = library(f"See Laws {low} to {high}.")
    if low < high:
        assert [r.target_id for r in found] == [f"english/law-{n}" for n in range(low, high + 1)]
    else:
        assert [r.status for r in found] == ["ambiguous"]


@settings(max_examples=30)
@given(st.lists(st.integers(1, 92), min_size=2, max_size=6))
def test_a_list_names_every_member(numbers: list[int]) -> None:
    *first, last = numbers
    found = library(f"(See Laws {', '.join(map(str, first))}, and {last}.)")
    assert [r.target_id for r in found] == [f"english/law-{n}" for n in numbers]


SOUP = st.lists(
    st.sampled_from(
        ["Law", "Laws", "Article", "Articles", "Section", "Case", "Cases", "A", "and", "to", "12", "7", "1 1", "S6",
         "yy", "IX", "(", ")", ",", ".", "—", "-", "]", "idem", "„", "American", "Cavendish", "of", "the", "code",
         "paragraph", "third", "Note on", "preceding", "99999", "\n\n", "“", "é", "0"]
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=40)
@given(SOUP, st.booleans())
def test_nothing_is_refused_and_spans_hold(words: list[str], spaced: bool) -> None:
    text = (" " if spaced else "").join(words)
    for found in library(text or "."):
        assert found.raw_start < found.raw_end
        assert found.raw in text
        assert found.status in ("resolved", "ambiguous", "dangling", "foreign", "slip")
        assert (found.target_id is not None) == (found.status in ("resolved", "slip"))
        assert 0 <= found.confidence <= 1


@pytest.mark.parametrize("text", ["See Law ².", "(See Laws 7² and ①.)", "Laws ²-₇", "(See Law ² 3.)"])
def test_a_raised_figure_is_no_number(text: str) -> None:
    assert all(numeral.number is None for numeral in (Numeral(0, 1, "²"), Numeral(0, 1, "₇")))
    assert library(text) is not None


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("By section twelve of this act, and section 3, it is so.", ["resolved", "resolved"]),
        ("Sections one, five and six of this code hold.", ["resolved"] * 3),
        ("Section two of an act to regulate fees, and section 3 of this act.", ["foreign", "resolved"]),
        ("Sections three and four of the act entitled An act on fees are repealed.", ["foreign", "foreign"]),
        ("Section 5 of the constitution forbids it; so does section 6.", ["foreign", "resolved"]),
        ("The sheriff, by section 9 of the code of criminal procedure, has it.", ["foreign"]),
        ("See section 4 of a statute of this State.", ["foreign"]),
        ("In any section one of the parties may claim it.", []),
    ],
)
def test_a_code_that_speaks_of_itself_and_of_other_acts(text: str, statuses: list[str]) -> None:
    text = f"20. It is enacted. {text}"
    units = [
        Unit(f"act-1853/sec-{n}", "book", None, "law", f"Section {n}", str(n), None, None, n, 0, 0, None, "Nothing.")
        for n in range(1, 20)
    ]
    speaker = Unit("act-1853/sec-20", "book", None, "law", "Section 20", "20", None, None, 20, 0, len(text), None, text)
    rules = Rules.model_validate(
        {"series": [{"words": ["Section"], "target": "act-1853/sec-{n}", "within": "act-1853/sec-"}]}
    )
    found = find_references([*units, speaker], TextLayer(text, ()), rules)
    assert [r.status for r in found if r.from_unit == speaker.id] == statuses
