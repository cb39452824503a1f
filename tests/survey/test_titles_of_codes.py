"""The titles of codes, and the trial build of a proposed plan."""

from dataclasses import replace

import pytest
from etexts import NOISE, numbered, page, said

from extract.survey.survey import Survey, survey, title_of
from extract.survey.titles import find_title
from extract.survey.trial import buildable_plan, segmented
from extract.text.headings import names_a_body
from extract.text.lines import split_lines


def laws(last: int, label: str = "{n}.", heads: dict[int, str] | None = None, first: int = 1) -> list[str]:
    return numbered({n: said() for n in range(first, last + 1)}, label, heads)


PROSE = "The player who has revoked shall forfeit three tricks to his adversaries, and no more than these."
REVOKE = {10: "THE REVOKE."}


@pytest.mark.parametrize(
    ("above", "label", "heads", "title"),
    [
        ([PROSE, "THE\n\nLAWS\n\nOF\n\nQUADRILLE."], "{n}.", {}, "THE LAWS OF QUADRILLE."),
        ([PROSE, "LAWS OF LOO,", "_As they are now._"], "{n}.", {}, "LAWS OF LOO"),
        ([PROSE, "THE LAWS OF LOO", "THE DEAL"], "{n}.", {}, "THE LAWS OF LOO"),
        (["THE LOO ACT, 1882.", PROSE, "PART I.", "_Of the Deal._"], "{n}.", {}, "THE LOO ACT, 1882."),
        ([PROSE, "CHAPTER III.", "OF FENCES."], "{n}.", {}, "OF FENCES."),
        ([PROSE, "CHAPTER III", "THE LAWS OF LOO"], "{n}.", {}, "THE LAWS OF LOO"),
        ([PROSE, "ETIQUETTE OF LOO", PROSE, PROSE, PROSE, "DUMMY LOO"], "Rule {n}.", {}, "DUMMY LOO"),
        (["LAWS OF LOO.", PROSE, PROSE, "THE DEAL."], "{n}.", REVOKE, "LAWS OF LOO."),
        (["OF FENCES.", PROSE, PROSE], "{n}.", {}, "OF FENCES."),
        ([PROSE, "CODE OF PLAY."], "§ {n}.", {7: "Of the several leads."}, "CODE OF PLAY."),
    ],
    ids=["in several lines", "above a remark", "above its first part", "above a division", "below a chapter",
         "a title below a chapter", "directly above", "above its own headings", "the nearest heading",
         "above other headings"],
)  # fmt: skip
def test_finds_the_title_of_a_code(above: list[str], label: str, heads: dict[int, str], title: str) -> None:
    assert [code.heading for code in survey(page(*above, *laws(20, label, heads))).codes] == [title]


def test_parts_of_an_act_with_continuous_numbers_form_one_code() -> None:
    act = ["THE LOO ACT, 1882.", "PART I.", "_Of the Deal._", *laws(24, heads={13: "PART II.\n\n_Of the Play._\n\n"})]
    (found, *_) = survey(page(*act, "SCHEDULE.", *laws(3), "SCHEDULE.", *laws(3))).codes
    assert not found.sections and found.run.last == 24


def test_contents_below_a_chapter_heading_are_not_its_sections() -> None:
    matter: list[str] = []
    for n, name in (("XII", "OF FENCES."), ("XIII", "OF POUNDS."), ("XIV", "OF BRANDS.")):
        titles = [f"{said(4).rstrip('.')}." for _ in range(14)]
        listed = "\n".join(numbered(titles, "{n}.")).replace("1.", "SECTION 1.", 1)
        first, *rest = numbered([f"[{t}] {said()}" for t in titles], "SEC. {n}.")
        matter += [f"CHAPTER {n}.", name, listed, first.replace("SEC.", "SECTION"), *rest]
    assert [len(code.run.labels) for code in survey(page("GENERAL STATUTES.", *matter)).codes] == [14, 14, 14]


@pytest.mark.parametrize(
    ("heading", "body"), [("AN ACT to prevent gaming", True), ("The Gaming Act, 1845.", True), ("ACT I.", False)]
)
def test_statute_names_a_body_of_rules_but_not_the_act_of_a_play(heading: str, body: bool) -> None:
    assert names_a_body(heading) is body


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["AN ACT", "CONCERNING GAMING."], "AN ACT CONCERNING GAMING."),
        (["AN ACT", "Concerning Gaming."], "AN ACT Concerning Gaming."),
        (["AN ACT", "CHAPTER I."], "AN ACT"),
        (["AN ACT"], "AN ACT"),
    ],
)
def test_title_of_an_act_continues_up_to_a_number(lines: list[str], title: str) -> None:
    found = split_lines("\n\n".join([*lines, "§ 1. The dealer must not look.", "§ 2. Nor may the others."]))
    assert find_title(found, len(lines), 0).text == title


def test_byte_order_mark_is_not_part_of_the_title() -> None:
    assert title_of(survey("\ufeff" + page("THE LAWS OF LOO", *laws(14)))) == "The laws of loo"


MOVES = ("P to K 4", "Kt to K B 3", "B to Kt 5", "B takes Kt", "P takes B", "Castles", "Q to K 2: ch.", "R to K sq.")


def built_numbers(found: Survey) -> list[str | None]:
    """The numbers of the laws that a build finds with the proposed plan."""
    plan = buildable_plan(found, "hand-1875")
    return [unit.number for unit in segmented(found.work, plan, "hand-1875") if unit.kind == "law"]


def test_moves_of_a_game_are_not_a_code() -> None:
    moves = "\n".join(f"{n:>4}. {NOISE.choice(MOVES):30} {n}. {NOISE.choice(MOVES)}" for n in range(1, 24))
    scan = page("THE LAWS OF CHESS.", *laws(20), "THE GIUOCO PIANO.", moves, said(), "THE GAMBIT.", moves)
    assert [(code.heading, code.run.last) for code in survey(scan).codes] == [("THE LAWS OF CHESS.", 20)]


def test_contents_are_not_a_code_and_take_no_law_numbers() -> None:
    heads = [f"{n}. {said(5).rstrip('.')}." for n in range(1, 15)]
    contents = "\n".join(f"{numeral}. Of {said(2).lower()}" for numeral in ("I", "II", "III", "IV", "V", "VI"))
    sections = laws(14, label="SEC. {n}.")
    found = survey(page("AN ACT RELATING TO JUSTICES.", contents, "I. OF JUSTICES.", *heads, *sections))
    assert [(code.heading, code.run.shape.word) for code in found.codes] == [("AN ACT RELATING TO JUSTICES.", "sec")]
    assert built_numbers(found) == [str(n) for n in range(1, 15)]


def test_finds_a_code_that_prints_only_the_laws_that_differ() -> None:
    printed = [*laws(4), "5 to 10. As in Bridge.", *laws(11, first=11), "12 to 46. As in Bridge.", *laws(62, first=47)]
    found = survey(page(said(), "THE LAWS OF AUCTION BRIDGE.", *printed, "63 to 69. As in Bridge."))
    assert [(code.run.first, code.run.last) for code in found.codes] == [(1, 62)]
    assert set(map(str, range(47, 63))) <= set(built_numbers(found)) <= set(map(str, (*range(1, 12), *range(47, 63))))


@pytest.mark.parametrize("label", ["Rule {n}.", "({I})"])
def test_plan_omits_and_reports_codes_that_the_build_does_not_find(label: str) -> None:
    found = survey(page(said(), "LAWS OF LOO.", *laws(20), "RULES OF THE CLUB.", *laws(16)))
    first, second = found.codes
    plan = buildable_plan(found, "hand-1875", [first, replace(second, label=label)])
    assert [code.title for code in plan.codes] == ["Laws of loo"]
    assert [(refused.run, bool(reason)) for refused, reason in plan.refused] == [(second.run, True)]


def test_code_id_omits_misread_words() -> None:
    act = ["AN ACT", "Mning the Jurisdiction of Courts.", *laws(19, label="§ {n}.")]
    plan = buildable_plan(survey(page("LAWS OF LOO.", *laws(20), *act)), "hand-1875")
    assert [code.id for code in plan.codes] == ["hand-loo-1875", "hand-jurisdiction-courts-1875"]
