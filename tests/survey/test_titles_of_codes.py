"""What a code is called: its title over several lines, below a division, or above its first part."""

from __future__ import annotations

import random
import textwrap

import pytest
from samples import prose

from extract.survey.survey import survey, title_of
from extract.text.headings import division, is_heading, names_a_body
from extract.text.lines import split_lines

NOISE = random.Random(12)


def said() -> str:
    return prose(NOISE, NOISE.randint(10, 40))


def page(*pieces: str) -> str:
    return "\n\n".join(p if "\n" in p else textwrap.fill(p, 70, break_on_hyphens=False) for p in pieces) + "\n"


def numbered(count: int, label: str = "#.") -> list[str]:
    return [f"{label.replace('#', str(n))} {said()}" for n in range(1, count + 1)]


def headings(*pieces: str) -> list[str]:
    return [code.heading for code in survey(page(*pieces)).codes]


def test_a_title_in_several_lines() -> None:
    assert headings(said(), "THE\n\nLAWS\n\nOF\n\nQUADRILLE.", *numbered(20)) == ["THE LAWS OF QUADRILLE."]
    assert headings(said(), "LAWS OF LOO,", "_As they are now._", *numbered(20)) == ["LAWS OF LOO"]
    assert headings(said(), "THE LAWS OF LOO", "THE DEAL", *numbered(20)) == ["THE LAWS OF LOO"]


def test_a_division_is_no_title() -> None:
    assert headings("THE LOO ACT, 1882.", said(), "PART I.", "_Of the Deal._", *numbered(20)) == ["THE LOO ACT, 1882."]
    assert headings(said(), "CHAPTER III.", "OF FENCES.", *numbered(20)) == ["OF FENCES."]
    assert headings(said(), "CHAPTER III", "THE LAWS OF LOO", *numbered(20)) == ["THE LAWS OF LOO"]


def test_the_heading_directly_above_names_a_code_without_heads_of_its_own() -> None:
    unnumbered = ["ETIQUETTE OF LOO", said(), said(), said()]
    assert headings(said(), *unnumbered, "DUMMY LOO", *numbered(13, "Rule #.")) == ["DUMMY LOO"]
    laws = numbered(20)
    laws.insert(9, "THE REVOKE.")
    assert headings("LAWS OF LOO.", said(), said(), "THE DEAL.", *laws) == ["LAWS OF LOO."]


def test_without_a_title_the_nearest_heading_tells_more_than_none() -> None:
    assert headings("OF FENCES.", said(), said(), *numbered(20)) == ["OF FENCES."]


def test_the_parts_of_an_act_that_go_on_counting_are_no_numberings_of_their_own() -> None:
    laws = numbered(24)
    laws[12:12] = ["PART II.", "_Of the Play._"]
    lists = ["SCHEDULE.", *numbered(3), "SCHEDULE.", *numbered(3)]
    (found, *_) = survey(page("THE LOO ACT, 1882.", "PART I.", "_Of the Deal._", *laws, *lists)).codes
    assert not found.sections and found.run.last == 24


def test_a_list_of_contents_below_the_heading_of_a_chapter_is_none_of_its_sections() -> None:
    matter: list[str] = []
    for n, name in (("XII", "OF FENCES."), ("XIII", "OF POUNDS."), ("XIV", "OF BRANDS.")):
        titles = [f"{prose(NOISE, 4).rstrip('.')}." for _ in range(14)]
        listed = "\n".join(f"{'SECTION 1.' if i == 1 else f'{i}.'} {t}" for i, t in enumerate(titles, 1))
        texts = [f"{'SECTION' if i == 1 else 'SEC.'} {i}. [{t}] {said()}" for i, t in enumerate(titles, 1)]
        matter += [f"CHAPTER {n}.", name, listed, *texts]
    codes = survey(page("GENERAL STATUTES.", *matter)).codes
    assert sum(len(code.run.labels) for code in codes) == 42
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


def test_a_division_has_a_numeral() -> None:
    assert division("SECTION XI.") == ("SECTION", "XI", 11)
    assert division("Articles of War") is None


def test_an_act_is_a_body_and_the_act_of_a_play_is_none() -> None:
    assert names_a_body("AN ACT to prevent gaming") and names_a_body("The Gaming Act, 1845.")
    assert not names_a_body("ACT I.") and not names_a_body("An actor")


def test_a_byte_order_mark_is_no_part_of_the_title() -> None:
    assert title_of(survey("\ufeff" + page("THE LAWS OF LOO", *numbered(14)))) == "The laws of loo"
