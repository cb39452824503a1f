"""Labels of other kinds: high numbers at the beginning, numbers left out, other signs, none below a heading."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from etexts import numbered, page, require_whole
from samples import prose

from extract.survey.survey import survey
from extract.text.source import recognise_layout

NOISE = random.Random(21)


def said(*numbers: int) -> dict[int, str]:
    """Laws by their numbers."""
    return {n: prose(NOISE, NOISE.randint(12, 40)) for n in numbers}


def test_an_excerpt_begins_at_a_high_number(tmp_path: Path) -> None:
    laws, rules = said(*range(4883, 4903)), said(*range(1, 16))
    scan = page(
        prose(NOISE, 40), "REVISED STATUTES.", "PATENTS.", *numbered(laws, "SEC. {n}."),
        "RULES OF PRACTICE.", *numbered(rules, "{n}."), width=600,
    )  # fmt: skip
    plan = require_whole(tmp_path / "hand-1878", scan, laws, rules)
    assert "first = 4883" in plan and "expect = 4902" in plan and plan.count("first =") == 1


def test_a_chronology_is_no_code_and_short_codes_below_each_other_are_no_lists() -> None:
    assert survey(page("ANNALS OF THE CLUB.", *numbered(said(*range(1801, 1840)), "{n}."))).codes == ()
    first, second = numbered(said(*range(1, 27)), "{n}."), numbered(said(*range(1, 15)), "{n}.")
    found = survey(page(prose(NOISE, 40), "FIFTEEN-BALL POOL.", *first, "PIN POOL.", *second)).codes
    assert [(code.heading, code.run.last) for code in found] == [("FIFTEEN-BALL POOL.", 26), ("PIN POOL.", 14)]


def test_each_chapter_begins_a_hundred_and_numbers_are_left_out(tmp_path: Path) -> None:
    laws, block = said(*range(1, 20), *range(71, 74), *range(81, 107)), said(*range(301, 319))
    heads = {7: "SIGNALS.", 71: "SUPERIORITY OF TRAINS.", 81: "MOVEMENT OF TRAINS."}
    scan = page(
        prose(NOISE, 40), "TRAIN RULES.", *numbered(laws, "{n}.", heads),
        "BLOCK SIGNAL RULES.", *numbered(block, "{n}."), width=600,
    )  # fmt: skip
    require_whole(tmp_path / "hand-1899", scan, laws, block, gaps=True)


@pytest.mark.parametrize("label", ["CANON #.", "By-Law #.", "Clause #.", "RULE #."])
def test_labels_on_lines_of_their_own_are_no_folios(label: str, tmp_path: Path) -> None:
    laws = {n: prose(NOISE, NOISE.randint(60, 200)) for n in range(1, 20)}
    pieces = [p for n, t in laws.items() for p in (f"\n{label.replace('#', str(n)).center(60).rstrip()}\n", t)]
    scan = page(prose(NOISE, 40), "THE RULES.", *pieces, width=66)
    assert recognise_layout(scan) == "lines"
    require_whole(tmp_path / "hand-1840", scan, laws)


BOWLS = "LAWS OF BOWLS"


@pytest.mark.parametrize(
    ("title", "label", "heads", "said_in_plan"),
    [
        *((BOWLS, label, {}, "[[code]]") for label in (
            "{n})", "{n}°.", "### {n}. The Court\n\n", "_{n}._", "={I}.=", "_{I}_.", "({I}.)", "{n}—", "§ {I}.")),
        ("CODE OF CIVIL PROCEDURE.", "§ {n}.", {7: "Of the several summons."}, 'title = "Code of civil procedure"'),
    ],
)  # fmt: skip
def test_labels_with_other_signs(
    title: str, label: str, heads: dict[int, str], said_in_plan: str, tmp_path: Path
) -> None:
    laws = said(*range(1, 31))
    scan = page(prose(NOISE, 40), title, *numbered(laws, label, heads), width=600)
    assert said_in_plan in require_whole(tmp_path / "hand-1890", scan, laws)


def test_a_number_that_lost_its_stop_is_one_of_the_others_and_a_date_in_italics_is_no_heading(tmp_path: Path) -> None:
    laws = said(*range(1, 31))
    scan = page(prose(NOISE, 40), BOWLS, *numbered(laws, "{n}."), width=600)
    for n in (9, 17, 24):
        scan = scan.replace(f"\n{n}. ", f"\n{n} ")
    require_whole(tmp_path / "hand-1890", scan, laws)
    dated = {n: f"{words}\n\n_As amended, March 4, 1874._" for n, words in laws.items()}
    scan = page(prose(NOISE, 40), "STANDING RULES.", *numbered(dated, "Rule {n}."), width=600)
    require_whole(tmp_path / "hand-1874", scan, {n: words.replace("\n\n", " ") for n, words in dated.items()})
