"""The grammars of parts: cases, chapters, commentaries, lists of contents, prose, definitions and tables."""

from pathlib import Path

import pytest
from samples import LAWS_PLAN, LAYOUTS, edition_of, render, shown

from extract.model import Unit
from extract.text.source import Layout

LINES = LAYOUTS[:2]


def units(folder: Path, scan: str, plan: str, layout: Layout = "lines", errata: str | None = None) -> tuple[Unit, ...]:
    return edition_of(folder / "small", scan, plan, layout, errata).units


def part(name: str, begins: str, grammar: str, more: str = "") -> str:
    return f'[[part]]\nid = "{name}"\nbegins = "{begins}"\ngrammar = "{grammar}"\n{more}\n'


# Cases with their decisions.

CASES = [
    ("Case 1.—A leads a small heart and Y revokes. What is the penalty?", "Decision.—The penalty is three tricks."),
    ("Case 2.—B deals and faces a card. May Y claim a new deal?", "Answer.—He may, before the trump card is turned."),
    ("Case 3.—Z plays out of turn. The decision of Case 2 is of no use here.", "Decision.—Z's card is exposed."),
    ("Case 4.—A claims honors after the next deal.", "Suggestion.—Let them be forfeited."),
]
DISPUTES = """
[[part]]
id = "cases"
begins = "DISPUTES"
grammar = "cases"
split = ["Decision", "Answer", "Suggestion"]
[[part.series]]
label = "Case {n}."
kind = "case"
slug = "case"
name = "Case"
"""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_case_ends_where_its_decision_begins(tmp_path: Path, layout: Layout) -> None:
    scan = render(["DISPUTES", *(text for pair in CASES for text in pair)], layout)
    found = [u for u in units(tmp_path, scan, DISPUTES, layout) if u.kind != "section"]
    assert [(u.id, u.parent_id, u.label, " ".join(u.text.split())) for u in found if u.kind == "decision"] == [
        (f"small/case-{i}/decision", f"small/case-{i}", f"Case {i}, decision", decision)
        for i, (_, decision) in enumerate(CASES, 1)
    ]
    assert shown(found, "case") == [(f"small/case-{i}", story) for i, (story, _) in enumerate(CASES, 1)]


def test_case_may_have_no_decision(tmp_path: Path) -> None:
    matter = ["DISPUTES", *CASES[0], "Case 2.—Nobody can tell what is right here.", *CASES[2], *CASES[3]]
    found = units(tmp_path, render(matter, "lines"), DISPUTES)
    assert [u.id for u in found if u.kind == "decision"] == [f"small/case-{i}/decision" for i in (1, 3, 4)]


def test_garbled_case_numbers_are_decoded_and_corrected(tmp_path: Path) -> None:
    misread = {1: "i.", 9: "g.", 11: "ii.", 13: "i  3."}
    labels = [misread.get(n, f"{n}.") for n in range(1, 15)]
    cases = [f"Case {label} — A deals and B looks at his cards.\n\nDecision. — He may." for label in labels]
    found = units(tmp_path, "\n\n".join(["DISPUTES", *cases]), DISPUTES)
    assert shown(found, "case") == [
        (f"small/case-{n}", f"Case {n}.—A deals and B looks at his cards.") for n in range(1, 15)
    ]


# Constitutions with sections in each article.

CONSTITUTION = """
[[part]]
id = "constitution"
begins = "CONSTITUTION"
grammar = "chapters"
[[part.series]]
label = "Article {I}."
kind = "section"
slug = "constitution"
name = "Article"
[[part.series]]
label = "Section {n}.|Sec. {n}."
kind = "constitution_section"
slug = "constitution"
name = "Section"
"""
ARTICLES = {
    "Article I. NAME.": ["Section 1. This organization shall be known as the League."],
    "Article II. MEMBERSHIP.": [
        "Section 1. Any club may become a member of it.",
        "Sec. 2. Each club shall pay its dues.",
        "Sec. 3. A club that fails to pay them is dropped.",
        "Sec. 4. It may be taken in again.",
    ],
    "Article III. OFFICERS.": [
        "Section 1. The officers shall be a President and a Secretary.",
        "Sec. 2. They are elected every year.",
        "Sec. 3. They serve until others are elected.",
    ],
}


LONE = {**ARTICLES, "Article II. MEMBERSHIP.": ARTICLES["Article II. MEMBERSHIP."][:2]}


@pytest.mark.parametrize(
    ("articles", "one", "layout"),
    [*((ARTICLES, "1", layout) for layout in LAYOUTS), (ARTICLES, "i", "lines"), (LONE, "1", "lines")],
)
def test_sections_are_numbered_within_their_article_and_headed_by_it(
    tmp_path: Path, articles: dict[str, list[str]], one: str, layout: Layout
) -> None:
    printed = "\n\n".join(x for heading, sections in articles.items() for x in (heading, *sections))
    matter = ["CONSTITUTION", *printed.replace("Section 1.", f"Section {one}.").split("\n\n")]
    found = units(tmp_path, render(matter, layout), CONSTITUTION, layout)
    headings = {u.id: u.text for u in found if u.id in [f"small/constitution-{a}" for a in (1, 2, 3)]}
    assert [*headings.values()] == [*articles]
    sections = [u for u in found if u.kind == "constitution_section"]
    assert [(u.id, headings.get(u.parent_id or ""), u.heading, " ".join(u.text.split())) for u in sections] == [
        (f"small/constitution-{a}-{s}", heading, heading, text)
        for a, (heading, texts) in enumerate(articles.items(), 1)
        for s, text in enumerate(texts, 1)
    ]


# Commentaries on articles.

SAID = "It is but just that the first who come should play. The cut is left to chance. (See Article 9.)"
EXPLAINING = """
[[part]]
id = "commentary"
begins = "THE PRINCIPLES"
grammar = "commentary"
explains = "small/art-"
[[part.series]]
label = "Articles {list}."
kind = "commentary"
slug = "commentary"
name = "Article"
expect = 12
[[part.series]]
label = "B {list}."
kind = "commentary"
slug = "commentary"
prefix = "b"
name = "Article"
expect = 8
"""


def commentaries(folder: Path, heads: list[str], layout: Layout = "lines") -> list[Unit]:
    matter = ["THE PRINCIPLES", *(x for head in heads for x in (head, SAID))]
    return [u for u in units(folder, render(matter, layout), EXPLAINING, layout) if u.kind == "commentary"]


@pytest.mark.parametrize("layout", LINES)
def test_commentary_lists_what_it_explains_and_ends_at_the_next_heading(tmp_path: Path, layout: Layout) -> None:
    heads = ["Articles 1, 2, and 3.", "Article 4.", "Articles 5 and 6.", "Article 7.", "B 1.", "B 2 and 3."]
    found = commentaries(tmp_path, heads, layout)
    assert {u.id: u.explains for u in found} == {
        "small/commentary-1": ("small/art-1", "small/art-2", "small/art-3"),
        "small/commentary-4": ("small/art-4",),
        "small/commentary-5": ("small/art-5", "small/art-6"),
        "small/commentary-7": ("small/art-7",),
        "small/commentary-b1": ("small/art-b1",),
        "small/commentary-b2": ("small/art-b2", "small/art-b3"),
    }
    assert [" ".join(u.text.split()) for u in found] == [f"{head} {SAID}" for head in heads]
    assert [u.label.removeprefix("Commentary on ") for u in found] == [
        "Articles 1, 2 and 3", "Article 4", "Articles 5 and 6", "Article 7", "Article B1", "Articles B2 and B3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("heads", "explained"),
    [
        (["Articles ] , 2, and 3.", "Article 4.", "Articles 5, 6, and ?.", "Article 8.", "Articles 9 and i0."],
         [[1, 2, 3], [4], [5, 6, 7], [8], [9, 10]]),
        (["Articles 5 and lo."], [[5, 10]]),
        (["Articles I and 2.", "Articles 3 and 4.", "Articles S and 6.", "Article 7."], [[1, 2], [3, 4], [5, 6], [7]]),
        (["Articles 1, 3, and 6.", "Articles 7, and lo, and 12."], [[1, 3, 6], [7, 10, 12]]),
        (["Article 1.", "Article 2.", "Articles 9 and following."], [[1], [2], [9, 10, 11, 12]]),
    ],
    ids=["garbled", "a figure like a word", "a capital for a figure", "articles left out", "and following"],
)  # fmt: skip
def test_lists_of_articles_are_decoded_as_a_sequence(
    tmp_path: Path, heads: list[str], explained: list[list[int]]
) -> None:
    assert [[int(x.rsplit("-", 1)[1]) for x in u.explains] for u in commentaries(tmp_path, heads)] == explained


def test_commentary_has_the_heading_of_its_section(tmp_path: Path) -> None:
    matter = ["THE PRINCIPLES", "Article 1.", SAID, "OF THE DEAL.", "Article 2.", SAID]
    found = units(tmp_path, render(matter, "lines"), EXPLAINING)
    assert [(u.number, u.heading) for u in found if u.kind == "commentary"] == [
        ("1", "THE PRINCIPLES"), ("2", "OF THE DEAL.")
    ]  # fmt: skip


# Indexes by topics.

INDEX = part("index", "INDEX", "index", 'kind = "index_entry"\nslug = "index"')


@pytest.mark.parametrize(
    ("scan", "found"),
    [
        ("BETS \n\nOn  the  laws,  Law  80  and \nCases  2. \n\nCutting \nLaws  13  to  15. \n\n"
         "Lowest  Card  when  it  can  be \ncalled \nLaws  76. \n",
         [("small/index-bets", "BETS", "BETS\n\nOn the laws, Law 80 and Cases 2."),
          ("small/index-cutting", "Cutting", "Cutting\n\nLaws 13 to 15."),
          ("small/index-lowest-card-when-it-can-be", "Lowest Card when it can be called",
           "Lowest Card when it can be called\n\nLaws 76.")]),
        ("Cards \nDetached,  Laws  56  to  70 ;  Cases  6,  7. \nPlayed  in  error,  Laws  67  to  70;  "
         "Cases  22, \n23.  \n\nScoring \nLaws  2  to  12.     Cases  124  to  127. \n",
         [("small/index-cards", "Cards",
           "Cards\n\nDetached, Laws 56 to 70; Cases 6, 7. Played in error, Laws 67 to 70; Cases 22, 23."),
          ("small/index-cards/detached", "Detached", "Detached, Laws 56 to 70; Cases 6, 7."),
          ("small/index-cards/played-in-error", "Played in error", "Played in error, Laws 67 to 70; Cases 22, 23."),
          ("small/index-scoring", "Scoring", "Scoring\n\nLaws 2 to 12. Cases 124 to 127.")]),
    ],
    ids=["references in a paragraph", "subentries are units"],
)  # fmt: skip
def test_references_and_subentries_below_a_topic(tmp_path: Path, scan: str, found: list[tuple[str, str, str]]) -> None:
    entries = units(tmp_path, f"INDEX \n\n{scan}", INDEX)[1:]
    assert [(u.id, u.label, u.text) for u in entries] == found
    assert [u.parent_id for u in entries] == [
        unit_id.rpartition("/")[0] if unit_id.count("/") > 1 else "small/section-index" for unit_id, *_ in found
    ]


# Prose under headings, definitions, and text between numbered units.

MAXIM = '[[kind]]\nid = "maxim"\nrole = "maxim"\nsingular = "maxim"\n'
PREFACE = ["PREFACE.", "This little book was made for the club. It has few pages.", "The author thanks his friends."]
MAXIMS = ["MAXIMS.", "Lead from your strong suit. Return the lead of your partner.", "Second hand plays low."]
PROSE = part("preface", "PREFACE.", "paragraphs", 'kind = "front_matter"') + part(
    "maxims", "MAXIMS.", "paragraphs", 'kind = "maxim"\nslug = "maxim"'
)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_paragraph_is_a_unit_under_its_heading(tmp_path: Path, layout: Layout) -> None:
    """A single-line scan has headings, and one paragraph per page."""
    (tmp_path / "library.toml").write_text(MAXIM, encoding="utf-8")
    plan = part("title", "", "whole", 'kind = "front_matter"') + PROSE
    found = units(tmp_path, render(["WHIST LAWS", "New York, 1896.", *PREFACE, *MAXIMS], layout), plan, layout)
    preface, maxims = ([" ".join(x[1:])] if layout == "single-line" else x[1:] for x in (PREFACE, MAXIMS))
    assert [(i, text, u.heading) for (i, text), u in zip(shown(found), found, strict=True) if u.heading] == [
        *((f"small/section-preface/p{n}", text, "PREFACE.") for n, text in enumerate(preface, 1)),
        *((f"small/maxim-{n}", text, "MAXIMS.") for n, text in enumerate(maxims, 1)),
    ]
    assert [u.parent_id for u in found if u.kind == "maxim"] == ["small/section-maxims"] * len(maxims)
    assert [(u.id, " ".join(u.text.split())) for u in found if not u.heading] == [
        ("small/title", "WHIST LAWS New York, 1896."),
        ("small/section-preface", "PREFACE."),
        ("small/section-maxims", "MAXIMS."),
    ]


DEFINITIONS = {
    "deal": "Deal—The distribution of the cards to the players.",
    "slam": "Slam,—Winning every trick.",
    "long-trump": "Long trump.—The last trump in play.",
    "terce-major": "Terce-major, The ace, king and queen of a suit.",
    "revoke": "Revoke—To fail in following suit, when the player can follow it.",
}


@pytest.mark.parametrize("layout", LINES)
def test_definition_id_is_its_headword(tmp_path: Path, layout: Layout) -> None:
    scan = render(["DEFINITIONS.", *DEFINITIONS.values()], layout)
    found = units(tmp_path, scan, part("definitions", "DEFINITIONS.", "definitions"), layout)
    assert shown(found, "definition") == [(f"small/def-{name}", text) for name, text in DEFINITIONS.items()]
    assert {u.parent_id for u in found if u.kind == "definition"} == {"small/section-definitions"}


MATCHES = part("matches", "APPENDIX D.", "paragraphs", 'kind = "essay_section"\n'
               'headings = ["NO. 1. A Match of Mr. Hoyle against the whole club."]')  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_plan_can_name_headings_without_capitals(tmp_path: Path, layout: Layout) -> None:
    matter = ["APPENDIX D. MATCHES OF WHIST.", "It is said so.", "N0. 1. A Match of Mr. Hoyle against the whole club.",
              "The game was long. P. J. TORMEY, 22 Park, won."]  # fmt: skip
    found = units(tmp_path, render(matter, layout), MATCHES, layout)
    assert [(u.kind, " ".join(u.text.split())) for u in found] == [
        *zip(("section", "essay_section") * 2, matter, strict=True)
    ]


@pytest.mark.parametrize("layout", LINES)
def test_text_between_numbered_units_is_not_lost(tmp_path: Path, layout: Layout) -> None:
    matter = ["WHIST LAWS", "These laws were made by the club.", "1. The first law.", "2. The second law.",
              "OF THE DEAL", "A remark of the committee.", "3. The third law.", "4. The fourth."]  # fmt: skip
    found = units(tmp_path, render(matter, layout), LAWS_PLAN, layout)
    assert [(u.text, u.heading) for u in found if u.kind == "essay_section"] == [
        ("These laws were made by the club.", "WHIST LAWS"),
        ("A remark of the committee.", "OF THE DEAL"),
    ]


# Tables: their rows and cells.

ROWS = ["1 love\t11 to 10", "2 love\t5 to 3", "3 love\t3 to 1"]
ODDS = part("odds", "TABLE OF ODDS.", "table", 'heads = ["Score"]')


@pytest.mark.parametrize("layout", LINES)
def test_table_contains_rows_with_cells(tmp_path: Path, layout: Layout) -> None:
    scan = "TABLE OF ODDS.\n\nScore.\tOdds.\n\n" + "\n\n".join(ROWS) + "\n"
    caption, table, *rows = units(tmp_path, scan, ODDS, layout)
    assert (caption.kind, caption.text) == ("section", "TABLE OF ODDS.")
    assert (table.id, table.parent_id, table.cells) == ("small/odds-table-1", caption.id, ("Score.", "Odds."))
    assert scan[table.raw_start : table.raw_end] == scan[scan.index("Score.") :].rstrip()
    assert [(u.id, u.kind, u.parent_id, u.cells) for u in rows] == [
        (f"{table.id}/{i}", "table_row", table.id, tuple(row.split("\t"))) for i, row in enumerate(ROWS, 1)
    ]


def test_caption_begins_a_table_and_repeated_column_heads_do_not(tmp_path: Path) -> None:
    head = "Score.\tOdds."
    scan = "\n\n".join(["TABLE OF ODDS.", head, *ROWS[:2], head, ROWS[2], "ODDS OF THE RUBBER.", *ROWS[:1]]) + "\n"
    found = units(tmp_path, scan, ODDS, "markdown")
    assert [u.text if u.kind == "section" else u.id for u in found] == [
        "TABLE OF ODDS.", "small/odds-table-1", *(f"small/odds-table-1/{n}" for n in (1, 2, 3)),
        "ODDS OF THE RUBBER.", "small/odds-table-2", "small/odds-table-2/1",
    ]  # fmt: skip


LOST = "TABLE OF ODDS. Score Odds 1 love 11 to 10 2 love ;S-"
BREAKS = {14: "\\n", 20: "\\t", 25: "\\n", 32: "\\t", 41: "\\n", 48: "\\t"}
READINGS = "".join(
    f'[[reading]]\nat = {at}\nscan = " "\nread = "{new}"\nkind = "space"\nreason = "lost"\n'
    for at, new in BREAKS.items()
)
GARBLED = '[[reading]]\nat = 49\nscan = ";S-"\nkind = "illegible"\nreason = "garbled"\n'


def test_editor_restores_rows_and_cells_lost_in_the_scan(tmp_path: Path) -> None:
    found = units(tmp_path, LOST, ODDS, "single-line", READINGS + GARBLED)
    assert [(u.kind, u.cells) for u in found if u.cells] == [
        ("table", ("Score", "Odds")), ("table_row", ("1 love", "11 to 10")), ("table_row", ("2 love", "[illegible]")),
    ]  # fmt: skip
