"""From working text to units: parts are found, ids are unique and follow the print, and no text is lost."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from samples import CLUB, LAYOUTS, edition_of, render, shown, undo

from extract.errors import BookError, LedgerError, ScanError
from extract.model import Edition, Unit
from extract.segment.segment import headline, in_words
from extract.text.source import Layout
from extract.text.textlayer import TextLayer

LAWS = """
[[part]]
id = "laws"
begins = "{begins}"
grammar = "series"
[[part.series]]
label = "{{n}}."
kind = "law"
slug = "law"
name = "Law"
items = true
subdivisions = ["{{I}}.", "ordinal"]
"""
CASES = """
[[part]]
id = "cases"
begins = "{begins}"
grammar = "cases"
split = ["Decision"]
[[part.series]]
label = "Case {{n}}."
kind = "case"
slug = "case"
name = "Case"
"""
CHAPTERS = """
[[part]]
id = "constitution"
begins = "{begins}"
grammar = "chapters"
[[part.series]]
label = "Article {{I}}."
kind = "section"
slug = "constitution"
name = "Article"
[[part.series]]
label = "Section {{n}}."
kind = "constitution_section"
slug = "constitution"
name = "Section"
"""
COMMENTARY = """
[[part]]
id = "commentary"
begins = "{begins}"
grammar = "commentary"
explains = "small/art-"
[[part.series]]
label = "Articles {{list}}."
kind = "commentary"
slug = "commentary"
name = "Article"
expect = 9
"""


PLANS = {
    "series": LAWS, "cases": CASES, "chapters": CHAPTERS, "commentary": COMMENTARY,
    **{
        grammar: f'[[part]]\nid = "{grammar}"\nbegins = "{{begins}}"\ngrammar = "{grammar}"\n'
        for grammar in ("definitions", "paragraphs", "index", "table", "whole")
    },
}  # fmt: skip


TWO_PARTS = PLANS["paragraphs"].format(begins="") + LAWS.format(begins="WHIST LAWS")
MATTER = ["A preface to the laws.", "WHIST LAWS", "1. The first law.", "2. The second law."]


@pytest.mark.parametrize(
    ("layout", "heading"), [("lines", "WHIST  LAWS"), *((layout, "WHI3T LAWS") for layout in LAYOUTS)]
)
def test_part_begins_at_its_opening_words_even_if_misread(tmp_path: Path, layout: Layout, heading: str) -> None:
    found = edition_of(tmp_path / "small", render([MATTER[0], heading, *MATTER[2:]], layout), TWO_PARTS, layout).units
    assert shown(found, "law") == [("small/law-1", "1. The first law."), ("small/law-2", "2. The second law.")]
    assert "A preface to the laws." in shown(found, "essay_section")[0][1]


def test_words_in_the_middle_of_a_line_begin_no_part(tmp_path: Path) -> None:
    matter = ["A preface to the WHIST LAWS of 1850.", *MATTER[1:]]
    assert edition_of(tmp_path / "small", render(matter, "lines"), TWO_PARTS).units[0].text == matter[0]


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (TWO_PARTS + PLANS["index"].format(begins="INDEX TO CASES"),
         r"\[\[part\]\] 3 'index', key 'begins': .*'INDEX TO CASES'"),
        (LAWS.format(begins="WHIST LAWS") + PLANS["paragraphs"].format(begins="A preface"), "A preface"),
    ],
    ids=["missing", "out of order"],
)  # fmt: skip
def test_rejects_missing_and_misplaced_parts(tmp_path: Path, plan: str, message: str) -> None:
    with pytest.raises(BookError, match=message):
        edition_of(tmp_path / "small", render(MATTER, "lines"), plan)


NOTE = "(a) Hoyle has it otherwise."
PARTED = ["1. The first law (a) holds for", NOTE, "every player.", "2. The second."]


@pytest.mark.parametrize(
    ("layout", "matter", "first", "covers"),
    [
        *((layout, ["1. The first law (a) holds.", "2. The second law has no note.", NOTE],
           "1. The first law (a) holds.", False) for layout in LAYOUTS[:2]),
        ("lines", PARTED, "1. The first law (a) holds for every player.", True),
    ],
)  # fmt: skip
def test_footnote_belongs_to_the_unit_with_its_mark_but_not_to_its_text(
    tmp_path: Path, layout: Layout, matter: list[str], first: str, covers: bool
) -> None:
    scan = render(["WHIST LAWS", *matter], layout)
    found = edition_of(tmp_path / "small", scan, LAWS.format(begins="WHIST LAWS"), layout).units
    law, second, note = (next(u for u in found if u.id == f"small/law-{n}") for n in ("1", "2", "1/note-1"))
    assert (note.kind, note.parent_id, note.text) == ("footnote", law.id, NOTE)
    assert law.text == first
    assert law.span.covers(note.span) is covers
    assert not second.span.meets(note.span)


def test_text_of_a_unit_has_an_empty_line_between_its_paragraphs_only(tmp_path: Path) -> None:
    law = "1. The deal is lost if a card\n\nis faced.\n\nThe next player\ndeals to\n\nY.\n"
    found = edition_of(tmp_path / "small", f"WHIST LAWS\n\n{law}", LAWS.format(begins="WHIST LAWS")).units
    assert found[-1].text == "1. The deal is lost if a card is faced.\n\nThe next player deals to Y."


# Any text gives an edition that balances, or one clear error.

LABELS = st.sampled_from(
    ["", "", "1. ", "2. ", "3. ", "i. ", "n. ", "11. ", "I. ", "II. ", "Article I. ", "Article 2.\n", "Article 4.\n",
     "Articles 1, 2, and 3.\n", "Section 1. ", "Section 2. ", "Case 1. — ", "Case 2. — ", "Case z. — ", "Decision. — ",
     "first, ", "secondly, ", "N.B. ", "(a) ", "* ", "- ", "Deal—", "Slam, ", "12 ", "xiv "]
)  # fmt: skip
WORDS = st.sampled_from(
    ["A player may call the suit. ", "the deal is lost; or ", "These are exposed cards: ", "LAWS OF WHIST",
     "OF THE DEAL.", "LAWS OF WHIST. 12", "14", "re-", "Clubs, 12, 14", "love\t5 to 3", "(See Law 2.)", "**call** (a)",
     "^", "§ ■", "é\u200bﬁ𝔏"]
) | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=6)  # fmt: skip
ENDS = st.sampled_from([" ", "\n", " \n", "\n\n", "\n\n", " \n\n\n", " \n\n\n\n"])
TEXTS = st.lists(st.tuples(LABELS, WORDS, ENDS).map("".join), min_size=3, max_size=25).map("".join)


def check(scan: str, found: Edition) -> None:
    """Every printed character is in a unit or in furniture; units nest; undoing the edits gives the scan."""
    layer = TextLayer(scan, found.edits)
    assert undo(layer.reading, layer.changes) == scan
    covered = {i for e in found.edits if e.kind == "furniture" for i in range(e.raw_start, e.raw_end)}
    covered |= {i for u in found.units for i in range(u.raw_start, u.raw_end)}
    assert [c for i, c in enumerate(scan) if i not in covered and not c.isspace()] == []
    ids = {u.id for u in found.units}
    assert [u.seq for u in found.units] == list(range(len(ids)))
    for a in found.units:
        assert 0 <= a.raw_start < a.raw_end <= len(scan)
        assert a.parent_id is None or a.parent_id in ids - {a.id}
        assert [b.id for b in found.units if a.raw_start < b.raw_start < a.raw_end < b.raw_end] == [], a.id


def assert_nothing_lost(folder: Path, scan: str, plan: str, layout: Layout) -> None:
    """The scan gives an edition that balances, or one clear error."""
    shutil.rmtree(folder / "small", ignore_errors=True)
    try:
        found = edition_of(folder / "small", scan, plan, layout)
    except (ScanError, BookError, LedgerError) as error:
        assert str(error).endswith(".")
    else:
        check(scan, found)


RAISED = (
    "1. A law.\n\nCase 1. A case.\n\n²\n\nCHAPTER ²\n\n³. The law of Article ² and Case ①.\n\n"
    "Article ². A player.\n\n③ ²"
)


@pytest.mark.parametrize("grammar", PLANS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(scan=TEXTS, layout=st.sampled_from(LAYOUTS))
@example(scan=RAISED, layout="lines")
@example(scan=RAISED, layout="single-line")
def test_any_text_is_segmented_without_loss(tmp_path: Path, grammar: str, layout: Layout, scan: str) -> None:
    assert_nothing_lost(tmp_path, scan, PLANS[grammar].format(begins=""), layout)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    scan=TEXTS,
    layout=st.sampled_from(LAYOUTS),
    grammars=st.lists(st.sampled_from(sorted(set(PLANS) - {"chapters"})), min_size=2, max_size=4),
)
def test_no_text_is_lost_between_parts(tmp_path: Path, scan: str, layout: Layout, grammars: list[str]) -> None:
    begins = ["", *(f"PART {chr(65 + i)}" for i in range(1, len(grammars)))]
    plan = "".join(
        PLANS[g].format(begins=words).replace('id = "', f'id = "{i}-', 1)
        for i, (g, words) in enumerate(zip(grammars, begins, strict=True))
    )
    words = scan.split(" ")
    for i in range(1, len(grammars)):
        words.insert(len(words) * i // len(grammars) + i, f"\n\n{begins[i]}\n\n")
    assert_nothing_lost(tmp_path, " ".join(words), plan, layout)


ESSAY = '[[part]]\nid = "essay"\nbegins = ""\ngrammar = "paragraphs"\n'
ESSAYS = ["OF THE DEAL.", "Each player deals.", "He shuffles last.", "OF THE REVOKE.", "It costs three tricks."]


def units(folder: Path, matter: list[str], plan: str, errata: str | None = None) -> list[Unit]:
    return list(edition_of(folder / "small", render(matter, "lines"), plan, errata=errata).units)


@pytest.mark.parametrize("deal", [ESSAYS[1:3], [ESSAYS[1], "The deal goes round.", ESSAYS[2]]])
def test_prose_paragraph_id_is_its_heading_and_position(tmp_path: Path, deal: list[str]) -> None:
    """An additional paragraph under one heading renumbers none under the next."""
    found = [(u.id, u.label) for u in units(tmp_path, [ESSAYS[0], *deal, *ESSAYS[3:]], ESSAY) if "section" in u.kind]
    assert [row for row in found if "paragraph" in row[1]] == [
        *((f"small/section-of-the-deal/p{n}", f"Of the deal, paragraph {n}") for n in range(1, len(deal) + 1)),
        ("small/section-of-the-revoke/p1", "Of the revoke, paragraph 1"),
    ]


def test_repeated_and_numbered_headings_have_unique_ids(tmp_path: Path) -> None:
    matter = ["RULES.", "Each player deals.", "RULES.", "He shuffles last.", "RULES 2.", "It costs three tricks."]
    assert [u.id for u in units(tmp_path, matter, ESSAY) if u.kind == "section"] == [
        "small/section-rules", "small/section-rules-2", "small/section-rules-2-2"
    ]  # fmt: skip


def test_part_below_a_chapter_is_no_section_of_it(tmp_path: Path) -> None:
    matter = ["CHAPTER I.", "Each player deals.", "SECTION II.", "He shuffles last.", "PART II.", "It is lost.",
              "SECTION I.", "He may cut."]  # fmt: skip
    assert [u.id for u in units(tmp_path, matter, ESSAY) if u.kind == "section"] == [
        "small/ch1", "small/ch1-s2", "small/part2", "small/s1"
    ]  # fmt: skip


def test_continued_part_keeps_the_heading_and_numbering_before_it(tmp_path: Path) -> None:
    plan = ESSAY + ESSAY.replace('"essay"', '"more"').replace('begins = ""', 'begins = "He shuffles"')
    found = [u for u in units(tmp_path, ESSAYS, plan + "goes_on = true\n") if u.text in ESSAYS[1:3]]
    assert [(u.id, u.parent_id) for u in found] == [
        (f"small/section-of-the-deal/p{n}", "small/section-of-the-deal") for n in (1, 2)
    ]


@pytest.mark.parametrize(
    ("result", "label"),
    [
        (headline("SECTION II. OF THE DEAL."), "Section II. Of the deal"),
        (headline("Of Play"), "Of Play"),
        (in_words("chapter-xxiv"), "Chapter XXIV"),
        (in_words("front-matter"), "Front matter"),
        (in_words("the-ill"), "The ill"),
        (in_words("vi"), "Vi"),
    ],
)
def test_headings_and_ids_become_labels_in_lower_case(result: str, label: str) -> None:
    """The number of a part keeps its capitals."""
    assert result == label


def test_code_includes_text_around_its_laws_and_parts_named_by_the_plan(tmp_path: Path) -> None:
    plan = CLUB + '[[part]]\nid = "dummy"\nbegins = "DUMMY"\ngrammar = "paragraphs"\ncode = "club-1850"\n'
    matter = ["WHIST LAWS", "These are the laws of the club:", "1. The first law.", "2. The second law.", "DUMMY",
              "Is played by three players."]  # fmt: skip
    assert [(u.code_id, u.text) for u in units(tmp_path, matter, plan)] == [("club-1850", text) for text in matter]


NOTED = ["OF THE DEAL.", "Each player (a) deals.", "(a) The laws of", "The deal goes round.", "Paris say otherwise."]
REST = """[[passage]]
start = {}
end = {}
first = "Paris"
kind = "continuation"
of = "small/section-of-the-deal/p1"
label = "{}"
reason = "overleaf"
"""


def continued(folder: Path, label: str) -> list[Unit]:
    start = render(NOTED, "lines").index("Paris")
    return units(folder, NOTED, ESSAY, REST.format(start, start + len(NOTED[-1]), label))


def test_continuation_overleaf_is_joined_to_its_unit(tmp_path: Path) -> None:
    """This holds for a footnote, and for a paragraph continued by words beside a brace."""
    note, rest = (u for u in continued(tmp_path, "(a)") if u.kind == "footnote")
    assert note.text == "(a) The laws of Paris say otherwise."
    assert (rest.id, rest.continues, rest.parent_id) == (f"{note.id}/continued", note.id, note.id)
    found = continued(tmp_path, "")
    assert [u.kind for u in found if u.continues] == ["essay_section"]
    assert found[1].text.endswith("deals.\n\nParis say otherwise.")


def test_rejects_a_continuation_without_its_footnote(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="has no footnote"):
        continued(tmp_path, "(b)")


@pytest.mark.parametrize(("key", "kind"), [("", "footnote"), ('footnotes = "note"', "note")])
def test_part_sets_the_kind_of_its_footnotes(tmp_path: Path, key: str, kind: str) -> None:
    matter = ["WHIST LAWS", "1. The first law (a) of the game.", "(a) A note on it.", "2. The second law."]
    found = units(tmp_path, matter, CLUB.replace('grammar = "series"', f'grammar = "series"\n{key}'))
    assert (kind, "club-1850/law-1") in [(u.kind, u.parent_id) for u in found]
