"""What is proposed is tried: what no code has is refused, and what the build does not find is proposed otherwise."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from etexts import numbered, page
from samples import prose

from extract.survey.survey import Survey, survey
from extract.survey.trial import buildable_plan, segmented

NOISE = random.Random(31)
MOVES = ("P to K 4", "Kt to K B 3", "B to Kt 5", "B takes Kt", "P takes B", "Castles", "Q to K 2: ch.", "R to K sq.")


def said(words: int = 0) -> str:
    return prose(NOISE, words or NOISE.randint(14, 40))


def laws(last: int, first: int = 1, label: str = "{n}.") -> list[str]:
    return numbered({n: said() for n in range(first, last + 1)}, label)


def built(found: Survey) -> list[str | None]:
    """The numbers of the laws that the build makes of a plan."""
    plan = buildable_plan(found, "hand-1875")
    return [unit.number for unit in segmented(found.work, plan, "hand-1875") if unit.kind == "law"]


def test_the_moves_of_a_game_are_no_code() -> None:
    moves = "\n".join(f"{n:>4}. {NOISE.choice(MOVES):30} {n}. {NOISE.choice(MOVES)}" for n in range(1, 24))
    scan = page("THE LAWS OF CHESS.", *laws(20), "THE GIUOCO PIANO.", moves, said(), "THE GAMBIT.", moves)
    assert [(code.heading, code.run.last) for code in survey(scan).codes] == [("THE LAWS OF CHESS.", 20)]


def test_a_list_of_contents_is_no_code_and_takes_no_number_of_one() -> None:
    heads = [f"{n}. {said(5).rstrip('.')}." for n in range(1, 15)]
    contents = "\n".join(f"{numeral}. Of {said(2).lower()}" for numeral in ("I", "II", "III", "IV", "V", "VI"))
    sections = laws(14, label="SEC. {n}.")
    scan = page("AN ACT RELATING TO JUSTICES.", contents, "I. OF JUSTICES.", *heads, *sections)
    found = survey(scan)
    assert [code.run.shape.word for code in found.codes] == ["sec"]
    assert [code.heading for code in found.codes] == ["AN ACT RELATING TO JUSTICES."]
    assert built(found) == [str(n) for n in range(1, 15)]


def test_laws_that_are_printed_as_far_as_they_differ() -> None:
    same = "_As in Bridge._"
    printed = [*laws(4), f"5 to 10. {same}", *laws(11, 11), f"12 to 46. {same}", *laws(62, 47)]
    found = survey(page(said(), "THE LAWS OF AUCTION BRIDGE.", *printed, f"63 to 69. {same}"))
    assert [(code.run.first, code.run.last) for code in found.codes] == [(1, 62)]
    assert set(map(str, range(47, 63))) <= set(built(found)) <= set(map(str, (*range(1, 12), *range(47, 63))))


@pytest.mark.parametrize("label", ["Rule {n}.", "({I})"])
def test_a_code_that_the_build_does_not_find_is_refused_and_said_to_be(label: str) -> None:
    found = survey(page(said(), "LAWS OF LOO.", *laws(20), "RULES OF THE CLUB.", *laws(16)))
    first, second = found.codes
    plan = buildable_plan(found, "hand-1875", [first, replace(second, label=label)])
    assert [code.title for code in plan.codes] == ["Laws of loo"]
    assert [(refused.run, bool(why)) for refused, why in plan.refused] == [(second.run, True)]


def test_the_id_of_a_code_has_no_misread_word() -> None:
    act = ["AN ACT", "Mning the Jurisdiction of Courts.", *laws(19, label="§ {n}.")]
    plan = buildable_plan(survey(page("LAWS OF LOO.", *laws(20), *act)), "hand-1875")
    assert [code.id for code in plan.codes] == ["hand-loo-1875", "hand-jurisdiction-courts-1875"]
