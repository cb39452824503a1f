"""References: their resolution in small invented books, by tables and by properties, and what remarks explain."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.corpus.citations import CitedSeries, Rules
from extract.model import Edit, Reference, Slip, Unit
from extract.references.resolution import find_references, with_explained_provisions
from extract.text.textlayer import TextLayer

# A library in one book: articles with an appendix, the laws of two codes, and cases.

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


def book(*texts: tuple[str, str, str | None, str], rules: Rules = RULES, slips: Iterable[Slip] = ()) -> list[Reference]:
    """The references of consecutive units, each given as (id, kind, parent, text)."""
    units, at = [], 0
    for seq, (unit_id, kind, parent, text) in enumerate(texts):
        number = unit_id.rpartition("-")[2]
        units.append(
            Unit(unit_id, "book", None, kind, unit_id, number, parent, None, seq, at, at + len(text), None, text)
        )
        at += len(text) + 2
    layer = TextLayer("\n\n".join(text for *_, text in texts), ())
    return list(find_references(units, layer, rules, slips=[*slips]))


def library(text: str, *, speaker: str = "book/case-1/decision", kind: str = "decision") -> list[Reference]:
    """The references of a text that is a unit in a library of known units."""
    ids = [f"old/art-{n}" for n in range(1, 95)] + [f"old/art-a{n}" for n in range(1, 6)] + ["old/ch5"]
    ids += [f"english/law-{n}" for n in range(1, 93)] + [f"american/law-{n}" for n in range(1, 41)]
    ids += [f"book/case-{n}" for n in range(1, 81)] + [f"english/dummy-{n}" for n in range(1, 4)]
    parts = {"english/law-44/v": "english/law-44", "american/law-20/iii": "american/law-20",
             "american/law-20/iv": "american/law-20", "old/art-94/3": "old/art-94"}  # fmt: skip
    pieces = [(i, "law", None, "Nothing.") for i in ids if i != speaker]
    pieces += [(i, "subclause", parent, "Nothing.") for i, parent in parts.items()]
    return [r for r in book(*pieces, (speaker, kind, None, text)) if r.from_unit == speaker]


REFERENCES = [
    ("See Articles 4, 5, and 8.", ["old/art-4", "old/art-5", "old/art-8"]),
    ("By Law 44, Section 5, it is a misdeal.", ["english/law-44/v"]),
    ("By Rule 17, of the American code, it is so.", ["american/law-17"]),
    ("By the American code (Law 37) such a remark counts.", ["american/law-37"]),
    ("Law 91, English code, and Law 37, American code.", ["english/law-91", "american/law-37"]),
    (
        "By the American code it is mended. Law 20, Section 3, says so. Section 4: and so on.",
        ["american/law-20/iii", "american/law-20/iv"],
    ),
    (
        "In the American code this is mended. Law 19 says that for a surplus card there is a new deal.",
        ["american/law-19"],
    ),
    ("The third paragraph of Article 94 is clear.", ["old/art-94/3"]),
    ('Look at Section 2, "Dummy," and see.', ["english/dummy-2"]),
    ("Law 1 1 is meant.", ["english/law-11"]),
    ("Article 8; idem 9.", ["old/art-8", "old/art-9"]),
    ("See Case yy.", ["ambiguous"]),
    ("See Law l2.", ["ambiguous"]),
    ("Cavendish wrote on it. See Case 7.", ["book/case-7"]),
    ("See Articles XLV. and LX.", ["old/art-45", "old/art-60"]),
    ("See Article xiv.", ["old/art-14"]),
    ("See Article XIY.", ["ambiguous"]),
    ("See Caſe 7.", ["book/case-7"]),
    ("If six persons form a table, lots are drawn.—(See Article 70.)", ["old/art-70"]),
    # Not resolved.
    ("See Law 99.", ["dangling"]),
    ("See Law 7 of the Portland Club.", ["foreign"]),
    ("See Law 7, 8, or 9.", ["english/law-7", "english/law-8", "english/law-9"]),
    ("See Chapter XIII.", ["dangling"]),
    ("In Case 11, Cavendish on Whist, it is so.", ["foreign"]),
    ("Cavendish has dealt with it in Case V., and well.", ["foreign"]),
    ("Cavendish has dealt with the rubber and its table in Case V., and well, for all to read.", ["foreign"]),
    ("See Case 2 in Cavendish, and Case 8 in these.", ["foreign", "book/case-8"]),
    ("The score counts first (Law 71, Section 5).", ["slip english/law-71"]),
    ("See Law S6.", ["ambiguous"]),
    ("See Article xlv.", ["old/art-45"]),
    ("See Article CLXXXVIII.", ["dangling"]),
    ("See Laws 60 to 60.", ["ambiguous"]),
    ("See Laws 90 to 99.", ["dangling"]),
    ("By Cavendish (Case 2) and in Case 8 it is so.", ["foreign", "book/case-8"]),
    ("By Law 44 it is so. Section 5 says more.", ["english/law-44", "ambiguous"]),
    ("Section 4 says so.", ["ambiguous"]),
]


def shown(references: Iterable[Reference]) -> list[str]:
    """The target of each reference, with its status unless that is 'resolved'."""
    return [" ".join(filter(None, (r.status.replace("resolved", ""), r.target_id))) for r in references]


@pytest.mark.parametrize(
    ("speaker", "kind", "text", "found"),
    [
        *(("book/case-1/decision", "decision", text, found) for text, found in REFERENCES),
        ("old/art-a5", "law", "A 5. The loss of Article 3 falls on the partner.", ["ambiguous"]),
        ("old/art-a5", "law", "A 5. See Articles 1 and 24.", ["old/art-1", "old/art-24"]),  # the appendix has no 24
        ("old/art-30", "law", "Article 30. The deal is lost.—(See Article 8.)", ["old/art-8"]),
        ("old/head", "section", "CHAPTER 5", []),
        ("old/head", "section", "CARDS DETACHED (Law 60)", ["english/law-60"]),
        ("old/art-94", "law", "Article 94. By the third paragraph of this Article.", ["old/art-94/3"]),
        *(
            ("old/art-30", "law", f"Article 30. As in {words}.", targets)
            for words, targets in [
                ("the preceding Article", ["old/art-29"]),
                ("the following Article", ["old/art-31"]),
                ("the preceding Case", []),
                ("the preceding Article 12", ["old/art-12"]),
                ("the second paragraph of this Article", []),
            ]
        ),
    ],
)
def test_resolves_references_relative_to_their_unit(speaker: str, kind: str, text: str, found: list[str]) -> None:
    """A label is not a reference, and an appendix is not guessed."""
    assert shown(library(text, speaker=speaker, kind=kind)) == found


def test_references_have_a_confidence() -> None:
    sure = {r.status: r.confidence for r in library("See Article 4. See Laws 9 to 8.")}
    assert sure == {"resolved": 0.99, "ambiguous": 0.5}
    (beside,) = library("It is so by the American code of laws (Law 37).")
    (apart,) = library("It is so by the American code for all who play, in Law 37.")
    assert apart.confidence < beside.confidence < 0.99


TARGETS: list[tuple[str, str, str | None, str]] = [
    (f"old/art-{n}", "law", None, f"Article {n}.") for n in (2, 7, 9, 81)
]  # fmt: skip


def test_ditto_repeats_the_word_above_it() -> None:
    found = book(
        *TARGETS, ("english/law-9", "law", None, "Law 9."), ("b/x", "law", None, "As follows"),
        ("b/x/1", "subclause", "b/x", "1. Law 9, for Article 81"), ("b/x/2", "subclause", "b/x", "2. „ 9, idem 7"),
        ("b/y", "law", None, "So idem 9"),
    )  # fmt: skip
    assert [r.target_id for r in found] == ["english/law-9", "old/art-81", "english/law-9", "old/art-7", None]


@pytest.mark.parametrize(
    ("note", "words", "found"),
    [
        ([("old/art-7/note-1", "note", "old/art-7", "(a) So.")], "See Note on Article 7",
         [("old/art-7/note-1", "Note on Article 7")]),
        ([], "By the Note on Article 7", [("old/art-7", "Article 7")]),
    ],
)  # fmt: skip
def test_resolves_the_note_on_a_provision(
    note: list[tuple[str, str, str | None, str]], words: str, found: list[tuple[str, str]]
) -> None:
    references = book(*TARGETS, *note, ("b/x", "law", None, words))
    assert [(r.target_id, r.raw[-len(raw) :]) for r, (_, raw) in zip(references, found, strict=True)] == found


@pytest.mark.parametrize(("without", "found"), [((), ["b/contents-1", "b/preface"]), (("b/contents",), ["b/preface"])])
def test_parts_of_a_book_can_be_excluded(without: tuple[str, ...], found: list[str]) -> None:
    kind = "front_matter"
    units = (*TARGETS, ("b/contents-1", kind, None, "Of Article 7"), ("b/preface", kind, None, "Of Article 9"))
    assert [r.from_unit for r in book(*units, rules=RULES.model_copy(update={"without": without}))] == found


def test_id_of_a_section_includes_its_chapter() -> None:
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


@pytest.mark.parametrize(
    ("cites", "found"), [(None, "slip english/law-8"), ("english/law-9", "english/law-9"), ("", "ambiguous")]
)
def test_editor_can_mark_a_slip(cites: str | None, found: str) -> None:
    units = ("english/law-8", "law", None, "Law 8."), ("b/remark", "remark", None, "Rule 8 applies.")
    assert shown(book(*units, slips=[Slip(8, cites)])) == [found]


# Properties


@settings(max_examples=10)
@given(st.integers(1, 91), st.integers(1, 91))
def test_range_names_every_member_once(low: int, high: int) -> None:
    members = [f"english/law-{n}" for n in range(low, high + 1)]
    assert shown(library(f"See Laws {low} to {high}.")) == (members if low < high else ["ambiguous"])


SOUP = st.lists(
    st.sampled_from(
        ["Law", "Laws", "Article", "Articles", "Section", "Case", "Cases", "A", "and", "to", "12", "7", "1 1", "S6",
         "yy", "IX", "(", ")", ",", ".", "—", "-", "]", "idem", "„", "American", "Cavendish", "of", "the", "code",
         "paragraph", "third", "Note on", "preceding", "99999", "\n\n", "“", "é", "0", "²", "₇", "①"]
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=20)
@given(SOUP, st.booleans())
def test_any_text_gives_valid_references(words: list[str], spaced: bool) -> None:
    text = (" " if spaced else "").join(words)
    for found in library(text or "."):
        assert found.raw_start < found.raw_end and found.raw in text
        assert found.status in ("resolved", "ambiguous", "dangling", "foreign", "slip")
        assert (found.target_id is not None) == (found.status in ("resolved", "slip"))
        assert 0 <= found.confidence <= 1


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
def test_distinguishes_references_to_the_same_act_and_to_others(text: str, statuses: list[str]) -> None:
    sections = [(f"act-1853/sec-{n}", "law", None, "Nothing.") for n in range(1, 20)]
    speaker = ("act-1853/sec-20", "law", None, f"20. It is enacted. {text}")
    rules = Rules.model_validate(
        {"series": [{"words": ["Section"], "target": "act-1853/sec-{n}", "within": "act-1853/sec-"}]}
    )
    assert [r.status for r in book(*sections, speaker, rules=rules) if r.from_unit == speaker[0]] == statuses


def unit(unit_id: str, kind: str, explains: tuple[str, ...] = ()) -> Unit:
    return Unit(unit_id, "b", None, kind, "", None, None, None, 0, 0, 9, None, "", 1.0, explains)


UNITS = [
    unit("b/law-1", "law"), unit("b/law-2/i", "subclause"), unit("b/case-1", "case"), unit("b/remark-1", "remark"),
    unit("b/remark-2", "remark"), unit("b/comment", "commentary", ("b/law-1",)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("references", "found"),
    [
        ([("b/remark-1", target, "resolved") for target in ("b/law-2/i", "b/law-1", "b/law-2/i")],
         ("b/law-2/i", "b/law-1")),
        ([("b/remark-1", "b/case-1", "resolved"), ("b/remark-1", "b/law-1", "slip"), ("b/remark-1", None, "dangling")],
         None),
        ([("b/comment", "b/law-2/i", "resolved"), ("b/law-1", "b/law-2/i", "resolved")], None),
    ],
    ids=["each once, in the order cited", "not cases, slips or dangling references", "only remarks"],
)  # fmt: skip
def test_remark_explains_the_provisions_it_cites(
    references: list[tuple[str, str | None, str]], found: tuple[str, ...] | None
) -> None:
    cited = [Reference(source, 0, 5, "Law 1", target, status, 0.9) for source, target, status in references]
    units = with_explained_provisions(UNITS, cited)
    remark = {"b/remark-1": found} if found else {}
    assert {u.id: u.explains for u in units if u.explains} == remark | {"b/comment": ("b/law-1",)}
