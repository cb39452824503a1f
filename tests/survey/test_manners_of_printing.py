"""Manners of printing that are rarer: numbers in words, labels in quotation marks, lists and tables like a code."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

import pytest
from etexts import EditedText, added, numbered, page, require_whole
from samples import prose

from extract.survey.survey import survey

NOISE = random.Random(11)
SMALL = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
TEENS = tuple(f"{word}teenth" for word in ("thir", "four", "fif", "six", "seven", "eigh", "nine"))
WORDS = (*SMALL, "tenth", "eleventh", "twelfth", *TEENS, "twentieth", *(f"twenty-{word}" for word in SMALL[:4]))


def said(words: int = 0) -> str:
    """Some words; the last is none after which no sentence ends."""
    return prose(NOISE, words or NOISE.randint(10, 40)).removesuffix(".") + " hand."


def indented(text: str) -> str:
    return textwrap.fill(text, 70, initial_indent="     ", subsequent_indent="     ") + "\n"


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ('"RULES OF THE OLD CLUB.', '"{I}.'),
        ('"RULES OF THE OLD CLUB.', '"{n}.'),
        ("RULES OF THE OLD CLUB.", "[{n}]"),
        ("RULES OF THE OLD CLUB.", "{i}."),
    ],
)
def test_a_code_in_quotation_marks_in_square_brackets_or_in_small_letters(
    tmp_path: Path, title: str, label: str
) -> None:
    texts = [said() for _ in range(22)]
    scan = page(said(), title, *numbered(texts, label), said(), said())
    plan = require_whole(tmp_path / "hand-1875", scan, texts)
    assert 'title = "Rules of the old club"' in plan.replace('\\"', "")


def test_labels_in_square_brackets_below_the_title_of_no_code_are_none() -> None:
    assert survey(page(said(), "A POEM.", *numbered([said() for _ in range(16)], "[{n}]"))).codes == ()


@pytest.mark.parametrize(("law", "items"), [(3, 3), (3, 9), (5, 5), (8, 3), (8, 9)])
def test_a_list_within_a_law_that_is_labelled_as_the_laws_are(tmp_path: Path, law: int, items: int) -> None:
    texts = [said() for _ in range(30)]
    listed = numbered([said(8) for _ in range(items)], "{n}.")
    body = numbered(texts, "{n}.")
    body[law:law] = [indented(item) for item in listed]
    texts[law - 1] = " ".join([texts[law - 1], *listed])
    found, _ = added(tmp_path / "hand-1875", EditedText(page(said(), "LAWS OF LOO.", *body), ()))
    assert [[number for number, _ in code] for code in found] == [[str(n) for n in range(1, 31)]]
    assert all(unit.endswith(words[-30:]) for (_, unit), words in zip(found[0], texts, strict=True))


def test_a_list_before_the_title_of_a_code_does_not_begin_it(tmp_path: Path) -> None:
    fees = "\n".join(f"{n}. For a summons    {n}s. 0d." for n in range(1, 5))
    first, second = [said() for _ in range(20)], [said() for _ in range(18)]
    second[2] = f"(1) {second[2]}"

    def act(texts: list[str]) -> list[str]:
        return [f"{n}.{'--' if t[0] == '(' else ' '}{t}" for n, t in enumerate(texts, 1)]

    scan = page("THE GAMING ACT, 1882.", *act(first), "SCHEDULE.", fees, "THE FISHERY ACT, 1883.", *act(second))
    plan = require_whole(tmp_path / "hand-1875", scan, first, second)
    assert 'title = "The gaming act, 1882"' in plan and 'title = "The fishery act, 1883"' in plan


def test_a_table_that_names_the_laws_is_no_code(tmp_path: Path) -> None:
    titles = [f"{said(3).rstrip('.').capitalize()} forbidden." for _ in range(20)]
    texts = [f"_{title}_ {said()}" for title in titles]
    scan = page("TABLE OF THE CANONS.", "\n".join(numbered(titles, "{n}.")), "THE CANONS.", *numbered(texts, "{n}."))
    require_whole(tmp_path / "hand-1875", scan, texts)


def test_numbers_that_were_lost_in_a_long_code_do_not_end_it(tmp_path: Path) -> None:
    texts = [said() for _ in range(60)]
    numbers = [*range(1, 31), *range(61, 91)]
    body = [f"{n}. {t}" for n, t in zip(numbers, texts, strict=True)]
    (found,) = survey(page(said(), "THE CODE.", *body)).codes
    assert (found.run.first, found.run.last, len(found.run.labels)) == (1, 90, 60)
