"""Labels of other kinds: high numbers at the beginning, numbers left out, numbers in words, none below a heading."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

import pytest
from etexts import EditedText, added
from samples import prose

from extract.numbering.numerals import roman
from extract.survey.survey import survey
from extract.text.source import recognise_layout

ORDINALS = (
    "FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH", "ELEVENTH",
    "TWELFTH", "THIRTEENTH",
)  # fmt: skip


def text(*pieces: str) -> str:
    return "\n\n".join(pieces) + "\n"


def require(folder: Path, scan: str, *codes: list[tuple[str, str]], gaps: bool = False) -> str:
    """Every law of every code is found under its number, and ends where it ends; gives the plan."""
    found, plan = added(folder, EditedText(scan, ()), gaps=gaps)
    assert [[number for number, _ in code] for code in found] == [[number for number, _ in code] for code in codes]
    for units, laws in zip(found, codes, strict=True):
        for (number, unit), (_, words) in zip(units, laws, strict=True):
            assert " ".join(unit.split()).endswith(words[-40:]), number
    return plan


def numbered(noise: random.Random, *numbers: int) -> list[tuple[str, str]]:
    return [(str(n), prose(noise, noise.randint(12, 40))) for n in numbers]


def test_an_excerpt_begins_at_a_high_number(tmp_path: Path) -> None:
    noise = random.Random(11)
    laws = numbered(noise, *range(4883, 4903))
    rules = numbered(noise, *range(1, 16))
    scan = text(
        prose(noise, 40), "REVISED STATUTES.", "PATENTS.", *(f"SEC. {n}. {words}" for n, words in laws),
        "RULES OF PRACTICE.", *(f"{n}. {words}" for n, words in rules),
    )  # fmt: skip
    plan = require(tmp_path / "hand-1878", scan, laws, rules)
    assert "first = 4883" in plan and "expect = 4902" in plan and plan.count("first =") == 1


def test_a_chronology_is_no_code() -> None:
    noise = random.Random(12)
    years = [f"{year}. {prose(noise, 20)}" for year in range(1801, 1840)]
    assert survey(text("ANNALS OF THE CLUB.", *years)).codes == ()


def test_each_chapter_begins_a_hundred_and_numbers_are_left_out(tmp_path: Path) -> None:
    noise = random.Random(13)
    laws = numbered(noise, *range(1, 20), *range(71, 74), *range(81, 107))
    block = numbered(noise, *range(301, 319))
    heads = {"7": "SIGNALS.", "71": "SUPERIORITY OF TRAINS.", "81": "MOVEMENT OF TRAINS."}
    matter = [[*([heads[n]] if n in heads else []), f"{n}. {words}"] for n, words in laws]
    scan = text(
        prose(noise, 40), "TRAIN RULES.", *(piece for pieces in matter for piece in pieces),
        "BLOCK SIGNAL RULES.", *(f"{n}. {words}" for n, words in block),
    )  # fmt: skip
    require(tmp_path / "hand-1899", scan, laws, block, gaps=True)


@pytest.mark.parametrize("label", ["CANON #.", "By-Law #.", "Clause #.", "RULE #."])
def test_labels_on_lines_of_their_own_are_no_folios(label: str, tmp_path: Path) -> None:
    noise = random.Random(18)
    laws = [(str(n), prose(noise, noise.randint(60, 200))) for n in range(1, 20)]
    pieces = [piece for n, words in laws for piece in ("\n" + label.replace("#", n).center(60).rstrip() + "\n", words)]
    scan = text(*(p if p.startswith("\n") else textwrap.fill(p, 66) for p in (prose(noise, 40), "THE RULES.", *pieces)))
    assert recognise_layout(scan) == "lines"
    require(tmp_path / "hand-1840", scan, laws)


@pytest.mark.parametrize(
    "label",
    [
        "{n})",
        "{n}°.",
        "### {n}. The Court\n\n",
        "_{n}._",
        "={I}.=",
        "_{I}_.",
        "({I}.)",
        "{n}—",
        "§ {I}.",
    ],
)
def test_labels_with_other_signs(label: str, tmp_path: Path) -> None:
    noise = random.Random(21)
    laws = numbered(noise, *range(1, 17))
    pieces = [f"{label.format(n=n, I=roman(int(n)).upper())} {words}" for n, words in laws]
    require(tmp_path / "hand-1890", text(prose(noise, 40), "LAWS OF BOWLS", *pieces), laws)


def test_a_date_in_italics_is_no_heading(tmp_path: Path) -> None:
    noise = random.Random(23)
    laws = [(n, f"{words}\n\n_As amended, March 4, 1874._") for n, words in numbered(noise, *range(1, 17))]
    scan = text(prose(noise, 40), "STANDING RULES.", *(f"Rule {n}. {words}" for n, words in laws))
    require(tmp_path / "hand-1890", scan, [(n, "_As amended, March 4, 1874._") for n, _ in laws])


def test_a_heading_with_of_stands_between_laws(tmp_path: Path) -> None:
    noise = random.Random(25)
    laws = numbered(noise, *range(1, 31))
    pieces = [p for n, words in laws for p in (["Of the several summons."] * (n == "7") + [f"§ {n}. {words}"])]
    plan = require(tmp_path / "hand-1851", text("CODE OF CIVIL PROCEDURE.", *pieces), laws)
    assert 'title = "Code of civil procedure"' in plan


def test_short_codes_below_each_other_are_no_lists() -> None:
    noise = random.Random(28)
    first, second = numbered(noise, *range(1, 27)), numbered(noise, *range(1, 15))
    pieces = [f"{n}. {words}" for n, words in first], [f"{n}. {words}" for n, words in second]
    found = survey(text(prose(noise, 40), "FIFTEEN-BALL POOL.", *pieces[0], "PIN POOL.", *pieces[1])).codes
    assert [(code.heading, code.run.last) for code in found] == [("FIFTEEN-BALL POOL.", 26), ("PIN POOL.", 14)]


def test_a_number_that_lost_its_stop_is_one_of_the_others(tmp_path: Path) -> None:
    noise = random.Random(30)
    laws = numbered(noise, *range(1, 31))
    pieces = [f"{n}{'' if n in ('9', '17', '24') else '.'} {words}" for n, words in laws]
    require(tmp_path / "hand-1890", text(prose(noise, 40), "LAWS OF BOWLS", *pieces), laws)
