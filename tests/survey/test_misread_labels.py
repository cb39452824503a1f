"""Scans that misread the labels themselves: a comma for the stop, a letter of the word, figures nobody can read."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from etexts import EditedText, added, page
from samples import prose

from extract.segment.outline import working_text
from extract.survey.labels import sightings
from extract.survey.numberings import find_numberings
from extract.survey.survey import survey

NOISE = random.Random(9)


def said() -> str:
    return prose(NOISE, NOISE.randint(12, 40)).capitalize()


def code(title: str, label: Callable[[int], str], last: int) -> tuple[list[str], list[str]]:
    """A code as printed, and its laws."""
    laws = [said() for _ in range(last)]
    return [title, *(f"{label(n)} {words}" for n, words in enumerate(laws, 1))], laws


def dealt(*numbers: int) -> str:
    return "".join(f"{n}. The dealer deals.\n\n" for n in numbers)


def stop_misread(n: int) -> str:
    return f"{n}," if n % 2 else f"{n}."


def word_misread(n: int) -> str:
    word = {1: "SEG.", 3: "See,", 5: "SEC,"}.get(n % 7, "SEC.")
    return f"{word} {n}{',' if n % 3 else '.'}"


def unread(n: int) -> str:
    return f"SEC. {n}." if n not in range(9, 18) else f"SEC. {'xwvkp'[n % 5]}{'kwxpv'[n % 5]}."


def letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))[-30:].lower()


@pytest.mark.parametrize(("label", "can_be_read"), [(stop_misread, True), (word_misread, True), (unread, False)])
def test_two_codes_with_misread_labels_are_whole(
    tmp_path: Path, label: Callable[[int], str], can_be_read: bool
) -> None:
    first, laws = code("THE LAWS OF WHIST.", label, 40)
    second, rules = code("RULES OF THE CLUB.", label, 26)
    scan = page(said(), *first, *second, "OF THE LEAD.", said(), width=66)
    assert [(c.run.first, c.run.last) for c in survey(scan).codes] == [(1, 40), (1, 26)]
    if can_be_read:
        found, _ = added(tmp_path / "hand-1875", EditedText(scan, ()))
        assert [[(number, letters(unit)) for number, unit in units] for units in found] == [
            [(str(n), letters(words)) for n, words in enumerate(texts, 1)] for texts in (laws, rules)
        ]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1. It is. \n\n2. He deals. \n\n3. He leads on the fourth\n4, the fifth he\n5, The sixth. \n", [1, 2, 3]),
        ("4, The dealer deals.\n\n5, He leads.\n\n6, He cuts.\n", []),
    ],
    ids=["within a paragraph", "where nothing is labelled"],
)
def test_a_figure_and_a_comma_are_no_label(text: str, numbers: list[int]) -> None:
    assert [s.number for s in sightings(working_text(text, (), (), "lines"))] == numbers


FIRST = dealt(*(n for n in range(1, 43) if n != 10))
SECOND = dealt(*(n for n in range(1, 59) if n not in (8, 9, 14, 15, 20, 25, 26, 31)))


THIRD = f"{dealt(*range(1, 50))}1. Of a list.\n\n{dealt(50, 51, 52, 53)}l. The dealer.\n\n{dealt(*range(2, 67))}"


@pytest.mark.parametrize(
    ("text", "found", "inserted"),
    [
        (THIRD, [(1, 53), (2, 66)], []),
        (FIRST + SECOND, [(1, 42), (1, 58)], []),
        (f"{FIRST}{SECOND}58a. The dealer.\n", [(1, 42), (1, 58)], ["a"]),
    ],
    ids=["the first item of a list", "numbers are lost", "a law is inserted"],
)
def test_a_run_does_not_begin_in_one_code_and_end_in_the_next(
    text: str, found: list[tuple[int, int]], inserted: list[str]
) -> None:
    runs = find_numberings(sightings(working_text(text, (), (), "lines")))
    assert sorted((r.labels[0].number, r.last) for r in runs if len(r.labels) > 2) == found
    assert [x.letter for r in runs for x in r.inserted] == inserted


def test_a_heading_names_the_numbering_that_follows_it() -> None:
    listed = ["ETIQUETTE OF WHIST", *(f"{n}. {said()}" for n in (1, 2)), "Dummy", f"1. {said()}"]
    laws = [f"{n}. {said()}" for n in range(1, 31)]
    found = survey(page(said(), *listed, "THE GAME", *laws)).codes
    assert [c.heading for c in found] == ["THE GAME"]


def test_a_list_in_the_first_law_does_not_take_the_heading_from_the_code() -> None:
    laws = [f"{n}. {said()}" for n in range(1, 9)]
    laws[1:1] = [f"1. {said()}", f"11. {said()}"]
    (found,) = survey(page(said(), "LAWS OF WHIST", *laws, "OF THE LEAD.", said())).codes
    assert (found.heading, found.run.last) == ("LAWS OF WHIST", 8)
