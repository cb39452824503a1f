"""Numbered provisions: laws and articles with their paragraphs, notes and headings, in every layout."""

from pathlib import Path

import pytest
from samples import CLUB, LAWS_PLAN, LAYOUTS, edition_of, render, shown

from extract.model import Unit
from extract.text.source import Layout

LAWS = {
    "THE RUBBER": [
        "1. The rubber is the best of three games. If the first two games be won by the same players, the third game "
        "is not played.",
    ],
    "SCORING": [
        "2. A game consists of five points. Each trick above six counts one point.",
        "3. Honors are thus reckoned: If a player and his partner hold the four honors, they score four points.",
        "4. The penalty for a revoke takes precedence of all other scores.",
    ],
    "THE REVOKE": [
        "5. A revoke is when a player, holding one or more cards of the suit led, plays a card of a different suit.",
        "6. The penalty for a revoke is three tricks. See Law 72.",
        "7. At the end of the play of a hand, the claimants of a revoke may search all the tricks.",
        "8. If both sides revoke, neither can score the game in that hand.",
        "9. In all cases where a penalty has been incurred, the offender is bound to give time.",
        "10. If a bystander make any remark, he is liable to be called upon.",
        "11. If any one omit to play to a trick, his adversaries may claim a new deal.",
        "12. Any player may demand to see the last trick turned, and no more.",
    ],
}
PLAN = CLUB + 'subdivisions = ["{I}."]\n'
ARTICLES = """
[[part]]
id = "rules"
begins = "RULES OF WHIST"
grammar = "series"
[[part.series]]
label = "Article {n}."
kind = "law"
slug = "art"
name = "Article"
alone = true
subdivisions = ["{n}.", "ordinal"]
[[part.series]]
label = "A {n}."
kind = "law"
slug = "art"
prefix = "a"
name = "Article"
alone = true
"""


def matter(garble: dict[str, str] | None = None) -> list[str]:
    """Headings and laws as printed, some labels misread."""
    laws = [x for heading, laws in LAWS.items() for x in (heading, *laws)]
    for printed, read in (garble or {}).items():
        laws = [x.replace(printed, read, 1) if x.startswith(printed) else x for x in laws]
    return ["WHIST LAWS", *laws]


def law(units: tuple[Unit, ...], number: int) -> Unit:
    return next(u for u in units if u.id == f"club-1850/law-{number}")


MISREAD = {"1. ": "i. ", "5. ": "S. ", "10. ": "lo. ", "11. ": "n. ", "12. ": "1 2. "}


@pytest.mark.parametrize(("layout", "garble"), [*((layout, MISREAD) for layout in LAYOUTS), ("lines", {})])
def test_finds_each_law_with_its_text_and_heading(tmp_path: Path, layout: Layout, garble: dict[str, str]) -> None:
    plan = PLAN.replace("WHIST LAWS", "THE RUBBER")
    found = edition_of(tmp_path / "small", render(matter(garble)[1:], layout), plan, layout)
    headings = {u.id: u.text for u in found.units if u.kind == "section"}
    assert [*headings.values()] == [*LAWS]
    printed = [(heading, text) for heading, laws in LAWS.items() for text in laws]
    assert [
        (u.label, u.number, u.code_id, headings[u.parent_id or ""], u.heading, " ".join(u.text.split()))
        for u in found.units
        if u.kind == "law"
    ] == [(f"Law {n}", f"{n}", "club-1850", head, head, text) for n, (head, text) in enumerate(printed, 1)]
    assert any(finding.finding == "garbled" for finding in found.findings) is bool(garble)


RULE = """3. The adversaries may either:

I. Take three tricks from him; or
II. Add three points to the score of
the other players who sit there.
He may do neither.

The penalty can be claimed as often as
there are revokes in the same hand of cards,
by either of them.
"""
ITEMS = "2. The honours count thus:\n\nFour honours, four points.\n\nThree, two points.\n"
BET = "Article 3. \n\nThe bet consists of two parts: \nfirst, of the points of the game; \nsecondly, of the tricks.\n"


def articles(labels: list[str]) -> str:
    return "RULES OF WHIST. \n\n" + "".join(
        f"{label} \n\nIf the table be not complete, the players \ndraw lots for places.—(See Article 3.) \n\n"
        for label in labels
    )


@pytest.mark.parametrize(
    ("layout", "scan", "plan", "law_id", "ends", "paragraphs"),
    [
        ("lines", f"WHIST LAWS\n\n1. The first law.\n\n2. The second law.\n\n{RULE}\n4. The fourth law.\n", PLAN,
         "club-1850/law-3", "by either of them.",
         [("i", "I. Take three tricks from him; or"),
          ("ii", "II. Add three points to the score of the other players who sit there. He may do neither.")]),
        ("markdown", f"WHIST LAWS\n\n1. The first law.\n\n{ITEMS}", CLUB + "items = true\n",
         "club-1850/law-2", "two points.", [("1", "Four honours, four points."), ("2", "Three, two points.")]),
        ("single-line", "WHIST LAWS 1. The first law. 2. These count: I. Two cards. II. A third. 3. End.", PLAN,
         "club-1850/law-2", "A third.", [("i", "I. Two cards."), ("ii", "II. A third.")]),
        ("lines", "WHIST LAWS\n\n1. There is a misdeal:\n\n(a) One is faced;\n\n(b) One is dropped.\n\n2. It ends.\n",
         CLUB + 'subdivisions = ["({a})"]\n', "club-1850/law-1", "dropped.",
         [("a", "(a) One is faced;"), ("b", "(b) One is dropped.")]),
        ("lines", articles(["Article 1.", "Article 2."]) + BET, ARTICLES, "small/art-3", "of the tricks.",
         [("1", "first, of the points of the game;"), ("2", "secondly, of the tricks.")]),
    ],
    ids=["text after the items", "unnumbered items", "a single line", "letters", "ordinals"],
)  # fmt: skip
def test_plan_divides_laws_into_paragraphs(
    tmp_path: Path, layout: Layout, scan: str, plan: str, law_id: str, ends: str, paragraphs: list[tuple[str, str]]
) -> None:
    units = edition_of(tmp_path / "small", scan, plan, layout).units
    assert [u.text.endswith(ends) for u in units if u.id == law_id] == [True]
    assert shown(units, "subclause") == [(f"{law_id}/{number}", text) for number, text in paragraphs]


@pytest.mark.parametrize("layout", ["lines", "markdown"])
def test_note_is_not_part_of_the_text_of_its_law(tmp_path: Path, layout: Layout) -> None:
    laws = ["WHIST LAWS", "1. The first law.", "N.B. This law is often forgotten.", "2. The second law."]
    first, note, _ = [
        u for u in edition_of(tmp_path / "small", render(laws, layout), PLAN, layout).units if u.kind != "section"
    ]
    assert (note.kind, note.parent_id, note.text) == ("note", first.id, "N.B. This law is often forgotten.")
    assert not first.span.meets(note.span)


def test_law_without_a_label_leaves_a_gap(tmp_path: Path) -> None:
    units = edition_of(tmp_path / "small", render(matter({"4. ": ""}), "lines"), PLAN).units
    assert [u.number for u in units if u.kind == "law"] == ["1", "2", "3", *map(str, range(5, 13))]
    # Its text is not lost: it is at the end of the law before.
    assert "takes precedence" in law(units, 3).text


APPENDED = "1 2 3 4 a1 a2 a3"
FIVE = ["Article 1.", "Article 2.", "Article 3.", "Article 4.", "Article 5."]


@pytest.mark.parametrize(
    ("scan", "numbers"),
    [
        (articles(["Article 1.", "Article 2.", "Article 3.", "Article 4.", "A 1.", "A 2.", "A 3."]), APPENDED),
        (articles(["Article l.", "Article 2,", "Article 3-", "Article 4.", "A J.", "A 2.", "A 3."]), APPENDED),
        (articles(["Article ].", "Articlo 2.", "Article  3 .", "Article 4.", "A 1.", "A2.", "A  3."]), APPENDED),
        (articles(FIVE).replace("(See Article 3.) \n\nArticle 5.", "(See \nArticle 3.) \n\nArticle 5."), "1 2 3 4 5"),
    ],
    ids=["clean", "misread", "misread words", "a reference on a line of its own"],
)  # fmt: skip
def test_finds_labels_on_lines_of_their_own(tmp_path: Path, scan: str, numbers: str) -> None:
    found = [u for u in edition_of(tmp_path / "small", scan, ARTICLES).units if u.kind == "law"]
    assert [(u.id, u.label) for u in found] == [(f"small/art-{n}", f"Article {n.upper()}") for n in numbers.split()]
    assert all(u.text.endswith("Article 3.)") for u in found)


def test_label_in_capitals_is_not_part_of_the_heading_above(tmp_path: Path) -> None:
    plan = ARTICLES.replace('label = "Article {n}."', 'label = "C {n}."')
    texts = [f"C {read}.\n\n\n{n}. The dealer shall give the cards to be cut." for n, read in enumerate("J234", 1)]
    scan = "RULES OF WHIST.\n\nAPPENDIX III.\n\nSHORT WHIST.\n\n" + "\n\n\n".join(texts) + "\n"
    units = edition_of(tmp_path / "small", scan, plan).units
    assert "APPENDIX III. SHORT WHIST." in [u.label for u in units if u.kind == "section"]
    assert [u.number for u in units if u.kind == "law"] == ["1", "2", "3", "4"]


BREAKING = LAWS_PLAN + 'subdivisions = ["{I}."]\n'
LINES = [
    "WHIST LAWS", "", "1. The game is five points.", "", "2. There must be a new deal,", "",
    "I. If the pack be faced;", "II. If a card be lost, or", "", "III. If a card be torn;", "the deal stands good.",
    "", "3. The deal goes to the left.",
]  # fmt: skip


RUN_ON = " ".join(filter(None, LINES))
SPECK = RUN_ON.replace("faced;", "faced. , ,")
READING = f'[[reading]]\nat = {SPECK.index(" , , ") + 1}\nscan = ", ,"\nread = ""\nreason = "misread"\n'
TORN = ["I. If the pack be faced;", "II. If a card be lost, or", "III. If a card be torn; the deal stands good."]


@pytest.mark.parametrize(
    ("layout", "scan", "errata", "paragraphs"),
    [
        ("lines", "\n".join(f"{line} " for line in LINES), None, TORN),
        ("single-line", RUN_ON, None, TORN),
        ("single-line", SPECK, READING, ["I. If the pack be faced.", *TORN[1:]]),
        ("lines", "WHIST LAWS \n\n2. If the cards be found in the tricks, \n\nIt causes a revoke. \n\n3. The end. \n",
         None, ["It causes a revoke."]),
    ],
    ids=["lines", "a single line", "a removed speck", "a capital on a new line after a comma"],
)  # fmt: skip
def test_paragraphs_of_a_law_are_separated_by_blank_lines(
    tmp_path: Path, layout: Layout, scan: str, errata: str | None, paragraphs: list[str]
) -> None:
    (law,) = (u for u in edition_of(tmp_path / "small", scan, BREAKING, layout, errata).units if u.id == "small/law-2")
    assert law.text.split("\n\n")[1:][: len(paragraphs)] == paragraphs
