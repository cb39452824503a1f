"""What a code is called: its title over several lines, below a division, or above its first part."""

from __future__ import annotations

import random

import pytest
from etexts import numbered, page
from samples import prose

from extract.survey.survey import survey, title_of
from extract.text.headings import is_heading, names_a_body
from extract.text.lines import split_lines

NOISE = random.Random(12)


def said() -> str:
    return prose(NOISE, NOISE.randint(10, 40))


def laws(count: int, label: str = "{n}.", heads: dict[int, str] | None = None) -> list[str]:
    return numbered([said() for _ in range(count)], label, heads)


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
    ],
    ids=["in several lines", "above a remark", "above its first part", "above a division", "below a chapter",
         "a title below a chapter", "directly above", "above heads of its own", "the nearest heading"],
)  # fmt: skip
def test_the_title_of_a_code(above: list[str], label: str, heads: dict[int, str], title: str) -> None:
    found = survey(page(*above, *laws(20, label, heads)))
    assert [code.heading for code in found.codes] == [title]


def test_the_parts_of_an_act_that_go_on_counting_are_no_numberings_of_their_own() -> None:
    act = ["THE LOO ACT, 1882.", "PART I.", "_Of the Deal._", *laws(24, heads={13: "PART II.\n\n_Of the Play._\n\n"})]
    (found, *_) = survey(page(*act, "SCHEDULE.", *laws(3), "SCHEDULE.", *laws(3))).codes
    assert not found.sections and found.run.last == 24


def test_a_list_of_contents_below_the_heading_of_a_chapter_is_none_of_its_sections() -> None:
    matter: list[str] = []
    for n, name in (("XII", "OF FENCES."), ("XIII", "OF POUNDS."), ("XIV", "OF BRANDS.")):
        titles = [f"{prose(NOISE, 4).rstrip('.')}." for _ in range(14)]
        listed = "\n".join(numbered(titles, "{n}.")).replace("1.", "SECTION 1.", 1)
        first, *rest = numbered([f"[{t}] {said()}" for t in titles], "SEC. {n}.")
        matter += [f"CHAPTER {n}.", name, listed, first.replace("SEC.", "SECTION"), *rest]
    codes = survey(page("GENERAL STATUTES.", *matter)).codes
    assert [len(code.run.labels) for code in codes] == [14, 14, 14]


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("published as an\nAppendix to it.\n\n", False), ("as said in\nSection 12 of this Act\nand elsewhere.", False),
        ("It ends.\n\nSection XII.\n\nIt begins.", True), ("It ends.\n\nTHE LAWS OF LOO,\n\nas revised.", True),
        ("It ends.\n\nTHE LOO ACT, 1882.\n\nIt begins.", True), ("It ends.\n\nLAWS OF LOO   182\n\nIt", False),
    ],
)  # fmt: skip
def test_a_heading_by_its_shape(text: str, heads: bool) -> None:
    assert is_heading(split_lines(text)[1]) is heads


def test_an_act_is_a_body_and_the_act_of_a_play_is_none() -> None:
    assert names_a_body("AN ACT to prevent gaming") and names_a_body("The Gaming Act, 1845.")
    assert not names_a_body("ACT I.") and not names_a_body("An actor")


def test_a_byte_order_mark_is_no_part_of_the_title() -> None:
    assert title_of(survey("\ufeff" + page("THE LAWS OF LOO", *laws(14)))) == "The laws of loo"
