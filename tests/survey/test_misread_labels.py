"""Scans that misread the labels themselves: a comma for the stop, a letter of the word, figures nobody can read."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from etexts import EditedText, added
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


def page(*pieces: str) -> str:
    return "\n\n".join(textwrap.fill(p, 66, break_on_hyphens=False) for p in pieces) + "\n"


def stop_misread(n: int) -> str:
    return f"{n}," if n % 2 else f"{n}."


def word_misread(n: int) -> str:
    word = {1: "SEG.", 3: "See,", 5: "SEC,"}.get(n % 7, "SEC.")
    return f"{word} {n}{',' if n % 3 else '.'}"


def unread(n: int) -> str:
    return f"SEC. {n}." if n not in range(9, 18) else f"SEC. {'xwvkp'[n % 5]}{'kwxpv'[n % 5]}."


def letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))[-30:].lower()


def ranges(text: str) -> list[tuple[int, int]]:
    found = find_numberings(sightings(working_text(text, (), (), "lines")))
    return sorted((r.labels[0].number, r.last) for r in found if len(r.labels) > 2)


def numbered(*numbers: int) -> str:
    return "".join(f"{n}. The dealer deals.\n\n" for n in numbers)


@pytest.mark.parametrize("label", [stop_misread, word_misread, unread])
def test_two_codes_with_misread_labels_are_whole(tmp_path: Path, label: Callable[[int], str]) -> None:
    first, laws = code("THE LAWS OF WHIST.", label, 40)
    second, rules = code("RULES OF THE CLUB.", label, 26)
    scan = page(said(), *first, *second, "OF THE LEAD.", said())
    assert [(c.run.first, c.run.last) for c in survey(scan).codes] == [(1, 40), (1, 26)]
    if label is unread:
        return
    found, _ = added(tmp_path / "hand-1875", EditedText(scan, ()))
    for units, texts in zip(found, (laws, rules), strict=True):
        assert [number for number, _ in units] == [str(n) for n in range(1, len(texts) + 1)]
        assert all(letters(unit).endswith(letters(words)) for (_, unit), words in zip(units, texts, strict=True))


def test_a_figure_and_a_comma_within_a_paragraph_are_no_label() -> None:
    text = "1. It is. \n\n2. He deals. \n\n3. He leads on the fourth\n4, the fifth he\n5, The sixth. \n"
    assert [s.number for s in sightings(working_text(text, (), (), "lines"))] == [1, 2, 3]


def test_a_comma_is_no_label_where_nothing_is_labelled() -> None:
    work = working_text(page("4, The dealer deals.", "5, He leads.", "6, He cuts."), (), (), "lines")
    assert sightings(work) == []


def test_the_first_item_of_a_list_does_not_begin_the_next_code() -> None:
    text = f"{numbered(*range(1, 50))}1. Of a list.\n\n{numbered(50, 51, 52, 53)}l. The dealer.\n\n"
    text += numbered(*range(2, 67))
    assert ranges(text) == [(1, 53), (2, 66)]


def test_a_run_does_not_begin_in_one_code_and_end_in_the_next() -> None:
    first = numbered(*(n for n in range(1, 43) if n not in (10,)))
    second = numbered(*(n for n in range(1, 59) if n not in (8, 9, 14, 15, 20, 25, 26, 31)))
    assert ranges(first + second) == [(1, 42), (1, 58)]
    found = find_numberings(sightings(working_text(f"{first}{second}58a. The dealer.\n", (), (), "lines")))
    assert [x.letter for r in found for x in r.inserted] == ["a"]


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
