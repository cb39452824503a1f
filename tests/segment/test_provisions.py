"""Numbered provisions: laws and articles with their paragraphs, notes and headings, in every layout."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import CLUB, make_book, render, shown

from extract.edition import make_edition
from extract.model import Edition, Unit
from extract.text.source import Layout

LAYOUTS: tuple[Layout, ...] = ("lines", "markdown", "single-line")
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


def edition(folder: Path, scan: str, layout: Layout, plan: str = PLAN) -> Edition:
    return make_edition(make_book(folder / "small", scan, layout, plan))


def matter(garble: dict[str, str] | None = None) -> list[str]:
    """Headings and laws as printed, some labels misread."""
    laws = [x for heading, laws in LAWS.items() for x in (heading, *laws)]
    for printed, read in (garble or {}).items():
        laws = [x.replace(printed, read, 1) if x.startswith(printed) else x for x in laws]
    return ["WHIST LAWS", *laws]


def law(units: tuple[Unit, ...], number: int) -> Unit:
    return next(u for u in units if u.id == f"club-1850/law-{number}")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "garble",
    [{}, {"1. ": "i. ", "5. ": "S. ", "10. ": "lo. ", "11. ": "n. ", "12. ": "1 2. "}],
    ids=["clean", "garbled"],
)
def test_each_law_is_found_with_its_words(tmp_path: Path, layout: Layout, garble: dict[str, str]) -> None:
    units = edition(tmp_path, render(matter(garble), layout), layout).units
    printed = [x for laws in LAWS.values() for x in laws]
    assert shown(units, "law") == [(f"club-1850/law-{i}", text) for i, text in enumerate(printed, 1)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_laws_know_their_heading_and_section(tmp_path: Path, layout: Layout) -> None:
    units = edition(tmp_path, render(matter()[1:], layout), layout, PLAN.replace("WHIST LAWS", "THE RUBBER")).units
    headings = {u.id: u.text for u in units if u.kind == "section"}
    assert list(headings.values()) == list(LAWS)
    number = 0
    for heading, laws in LAWS.items():
        for _ in laws:
            number += 1
            found = law(units, number)
            assert (found.heading, headings[found.parent_id or ""]) == (heading, heading)
            assert (found.label, found.number, found.code_id) == (f"Law {number}", str(number), "club-1850")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_numbered_paragraphs_lie_within_their_law(tmp_path: Path, layout: Layout) -> None:
    laws = matter()
    at = laws.index("SCORING")
    paragraphs = [
        "I. Two or more cards played at once.",
        "II. A card dropped with its face upwards.",
        "III. A card named.",
    ]
    whole = "\n".join(paragraphs) if layout != "single-line" else " ".join(paragraphs)
    scan = render([*laws[:at], "\n\n".join(["2. These are exposed cards:", whole]), *laws[at + 2 :]], "markdown")
    scan = scan if layout != "single-line" else " ".join(scan.split())
    units = edition(tmp_path, scan, layout).units
    found = [u for u in units if u.kind == "subclause"]
    assert [(u.id, u.number) for u in found] == [
        ("club-1850/law-2/i", "i"), ("club-1850/law-2/ii", "ii"), ("club-1850/law-2/iii", "iii")
    ]  # fmt: skip
    assert [" ".join(u.text.split()) for u in found] == paragraphs
    for paragraph in found:
        assert paragraph.parent_id == "club-1850/law-2"
        assert law(units, 2).span.covers(paragraph.span)


def test_the_law_may_go_on_after_its_last_paragraph(tmp_path: Path) -> None:
    rule = (
        "3. The adversaries may either: \n\n"
        "I. Take three tricks from him; or \nII. Add three points to their score. \n\n"
        "The penalty can be claimed as often as \nthere are revokes in the same hand of cards, \nby either of them. \n"
    )
    scan = (
        render(["WHIST LAWS", "1. The first law.", "2. The second law."], "lines")
        + "\n"
        + rule
        + "\n4. The fourth law.\n"
    )
    units = edition(tmp_path, scan, "lines").units
    assert law(units, 3).text.endswith("by either of them.")
    last = next(u for u in units if u.id == "club-1850/law-3/ii")
    assert last.text == "II. Add three points to their score."


@pytest.mark.parametrize("layout", ["lines", "markdown"])
def test_a_note_stands_beside_its_law(tmp_path: Path, layout: Layout) -> None:
    laws = matter()
    laws.insert(6, "N.B. This law is often forgotten.")
    units = edition(tmp_path, render(laws, layout), layout).units
    (note,) = [u for u in units if u.kind == "note"]
    assert note.id.startswith("club-1850/law-3/note")
    assert note.parent_id == "club-1850/law-3"
    assert note.text == "N.B. This law is often forgotten."
    assert not law(units, 3).span.meets(note.span)


def test_a_law_without_number_is_a_gap_and_not_the_next_one(tmp_path: Path) -> None:
    units = edition(tmp_path, render(matter({"4. ": ""}), "lines"), "lines").units
    assert [u.number for u in units if u.kind == "law"] == ["1", "2", "3", *map(str, range(5, 13))]
    # What it says is not lost: it stands at the end of the law before it.
    assert "takes precedence" in law(units, 3).text


def articles(labels: list[str]) -> str:
    return "RULES OF WHIST. \n\n" + "".join(
        f"{label} \n\nIf the table be not complete, the players \ndraw lots for places.—(See Article 3.) \n\n"
        for label in labels
    )


@pytest.mark.parametrize(
    "labels",
    [
        ["Article 1.", "Article 2.", "Article 3.", "Article 4.", "A 1.", "A 2.", "A 3."],
        ["Article l.", "Article 2,", "Article 3-", "Article 4.", "A J.", "A 2.", "A 3."],
        ["Article ].", "Articlo 2.", "Article  3 .", "Article 4.", "A 1.", "A2.", "A  3."],
    ],
)
def test_articles_have_labels_of_their_own_lines(tmp_path: Path, labels: list[str]) -> None:
    units = edition(tmp_path, articles(labels), "lines", ARTICLES).units
    ids = ["art-1", "art-2", "art-3", "art-4", "art-a1", "art-a2", "art-a3"]
    assert [u.id for u in units if u.kind == "law"] == [f"small/{x}" for x in ids]
    assert [u.label for u in units if u.kind == "law"][-1] == "Article A3"
    assert all(u.text.endswith("(See Article 3.)") for u in units if u.kind == "law")


def test_a_reference_on_a_line_of_its_own_is_no_label(tmp_path: Path) -> None:
    labels = [f"Article {n}." for n in range(1, 7)]
    scan = articles(labels).replace("(See Article 3.) \n\nArticle 5.", "(See \nArticle 3.) \n\nArticle 5.")
    units = edition(tmp_path, scan, "lines", ARTICLES).units
    assert [u.number for u in units if u.kind == "law"] == list("123456")


def test_ordinals_number_paragraphs(tmp_path: Path) -> None:
    scan = articles(["Article 1.", "Article 2."]) + (
        "Article 3. \n\nThe bet consists of two parts: \nfirst, of the points of the game; \nsecondly, of the tricks.\n"
    )
    units = edition(tmp_path, scan, "lines", ARTICLES).units
    assert shown(units, "subclause") == [
        ("small/art-3/1", "first, of the points of the game;"), ("small/art-3/2", "secondly, of the tricks.")
    ]  # fmt: skip


def test_unnumbered_items_are_counted_where_the_plan_says_so(tmp_path: Path) -> None:
    laws = [
        "WHIST LAWS",
        "1. The first law.",
        "2. The honours count thus:",
        "Four honours, four points.",
        "Three, two points.",
    ]
    plan = PLAN.replace('subdivisions = ["{I}."]', "items = true")
    units = edition(tmp_path, render(laws, "markdown"), "markdown", plan).units
    assert shown(units, "subclause") == [
        ("club-1850/law-2/1", "Four honours, four points."), ("club-1850/law-2/2", "Three, two points.")
    ]  # fmt: skip


def test_the_audit_tells_which_labels_were_misread(tmp_path: Path) -> None:
    found = edition(tmp_path, render(matter({"11. ": "u. "}), "lines"), "lines")
    assert law(found.units, 11).confidence < 0.9
    assert [(f.finding, f.label) for f in found.findings] == [("garbled", "11")]


def test_the_first_numbered_paragraph_follows_the_colon_where_its_label_is_lost(tmp_path: Path) -> None:
    rule = "2. It is a misdeal :— 1 j If he deals wrong. II. If he looks. III. If he counts."
    scan = f"WHIST LAWS 1. The first law. {rule} 3. End."
    units = edition(tmp_path, scan, "single-line").units
    found = shown(units, "subclause")
    assert [i for i, _ in found] == ["club-1850/law-2/i", "club-1850/law-2/ii", "club-1850/law-2/iii"]
    assert found[0][1].endswith("If he deals wrong.")
    assert law(units, 2).text.split("\n\n")[2:] == ["II. If he looks.", "III. If he counts."]


def test_a_label_that_reads_as_capitals_is_no_part_of_the_heading_above_it(tmp_path: Path) -> None:
    plan = ARTICLES.replace('label = "Article {n}."', 'label = "C {n}."')
    texts = [f"C {sign}.\n\n\n{n}. The dealer shall give the cards to be cut." for n, sign in enumerate("J234", 1)]
    scan = "RULES OF WHIST.\n\nAPPENDIX III.\n\nSHORT WHIST.\n\n" + "\n\n\n".join(texts) + "\n"
    units = make_edition(make_book(tmp_path / "small", scan, "lines", plan)).units
    assert "APPENDIX III. SHORT WHIST." in [u.label for u in units if u.kind == "section"]
    assert [u.number for u in units if u.kind == "law"] == ["1", "2", "3", "4"]
