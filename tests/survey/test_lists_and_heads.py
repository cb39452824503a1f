"""What stands between and below laws, and rarer manners of printing them."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from etexts import EditedText, added, numbered, page, require_whole, said

from extract.numbering.numerals import roman
from extract.survey.survey import survey

FORFEIT = "Who revokes shall pay the forfeit of three tricks to the other side there. Play."
CLOSE = {"gap": "\n", "width": 80}


@pytest.mark.parametrize(
    ("title", "label", "heads", "text", "printed"),
    [
        ("LAWS OF LOO.", "{n}.", {12: "The Trump Card."}, "{} So.", CLOSE),
        ("LAWS OF LOO.", "{n}.", {}, FORFEIT, {"gap": "\n", "width": 74}),
        *((f"{mark}LAWS OF LOO.{mark}", "{n}.", {10: f"{mark}The Trump Card.{mark}"}, "{}", {}) for mark in "+~="),
        ("LAWS OF LOO.", "{n}.", {9: "The Deal\n", 18: "Of the End of the Game\n"}, "{} So.", {"width": 600}),
        ("LAWS OF LOO.", "{n}.", {1: "THE DEAL. ", 10: "_The Revoke._ "}, "{}", {}),
        ("LAWS OF LOO.", "({i}.)", {}, "{}", {}),
    ],
    ids=["no blank lines", "last words in a line", "small capitals", "struck through", "bold", "close to the law below",
         "in the line of the law", "numerals with a stop and a bracket"],
)  # fmt: skip
def test_laws_are_whole_whatever_heads_stand_between_them(
    tmp_path: Path, title: str, label: str, heads: dict[int, str], text: str, printed: dict[str, Any]
) -> None:
    texts = [text.format(said(20)) for _ in range(24)]
    scan = page(said(40), title, *numbered(texts, label, heads), **printed)
    require_whole(tmp_path / "hand-1875", scan, texts)


def test_the_title_below_a_label_is_the_law_s_own_and_its_paragraphs_are_no_code(tmp_path: Path) -> None:
    texts = [f"1. {said()}\n\n2. {said()}" for _ in range(21)]
    scan = page("STANDING RULES.", *numbered(texts, "RULE {I}.\n\nOF THE QUORUM.\n\n"))
    require_whole(tmp_path / "hand-1875", scan, [text.replace("\n\n", " ") for text in texts])


def test_lists_of_decisions_below_laws_are_no_code() -> None:
    body: list[str] = []
    for n in range(1, 25):
        body += [f"RULE {roman(n).upper()}.", said()]
        body += ["DECISIONS.", *(f"{i}. {said()}" for i in (1, 2, 3))] if n % 3 == 0 else []
    (found,) = survey(page("RULES OF GOLF.", *body)).codes
    assert found.run.shape.word == "rule" and found.run.last == 24 and not found.sections


@pytest.mark.parametrize(("verb", "codes"), [("is formed by", 0), ("must be formed by", 1)])
def test_numbered_descriptions_are_a_code_only_if_they_say_what_must_be_done(verb: str, codes: int) -> None:
    body = [f"{n}. The opening of the {n}th kind {verb} the first moves of both sides in turn." for n in range(1, 20)]
    assert len(survey(page(said(40), "THE NAMES OF THE OPENINGS.", *body, said(40))).codes) == codes


def test_acts_one_after_the_other_end_before_who_signed_them(tmp_path: Path) -> None:
    acts = [[said() for _ in range(n)] for n in (20, 14, 23)]
    names = ["An Act for the better Rule of Games.", "An Act touching Wagers.", "An Act concerning Lotteries."]
    pieces: list[str] = []
    for name, texts in zip(names, acts, strict=True):
        pieces += [name, "Be it enacted by the Assembly:", *numbered(texts, "§ {n}."), "J. W. Davis, _Speaker._"]
    assert [code.heading for code in survey(page(*pieces)).codes] == names
    require_whole(tmp_path / "hand-1875", page(*pieces), *acts)


SMALL = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
TEENS = tuple(f"{word}teenth" for word in ("thir", "four", "fif", "six", "seven", "eigh", "nine"))
WORDS = (*SMALL, "tenth", "eleventh", "twelfth", *TEENS, "twentieth", *(f"twenty-{word}" for word in SMALL[:4]))


def spoken(words: int = 0) -> str:
    """Some words; the last is none after which no sentence ends."""
    return said(words).removesuffix(".") + " hand."


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
    texts = [spoken() for _ in range(22)]
    scan = page(spoken(), title, *numbered(texts, label), spoken(), spoken())
    plan = require_whole(tmp_path / "hand-1875", scan, texts)
    assert 'title = "Rules of the old club"' in plan.replace('\\"', "")


def test_labels_in_square_brackets_below_the_title_of_no_code_are_none() -> None:
    assert survey(page(spoken(), "A POEM.", *numbered([spoken() for _ in range(16)], "[{n}]"))).codes == ()


@pytest.mark.parametrize(("law", "items"), [(3, 3), (3, 9), (5, 5), (8, 3), (8, 9)])
def test_a_list_within_a_law_that_is_labelled_as_the_laws_are(tmp_path: Path, law: int, items: int) -> None:
    texts = [spoken() for _ in range(30)]
    listed = numbered([spoken(8) for _ in range(items)], "{n}.")
    body = numbered(texts, "{n}.")
    body[law:law] = [indented(item) for item in listed]
    texts[law - 1] = " ".join([texts[law - 1], *listed])
    found, _ = added(tmp_path / "hand-1875", EditedText(page(spoken(), "LAWS OF LOO.", *body), ()))
    assert [[number for number, _ in code] for code in found] == [[str(n) for n in range(1, 31)]]
    assert all(unit.endswith(words[-30:]) for (_, unit), words in zip(found[0], texts, strict=True))


def test_a_list_before_the_title_of_a_code_does_not_begin_it(tmp_path: Path) -> None:
    fees = "\n".join(f"{n}. For a summons    {n}s. 0d." for n in range(1, 5))
    first, second = [spoken() for _ in range(20)], [spoken() for _ in range(18)]
    second[2] = f"(1) {second[2]}"

    def act(texts: list[str]) -> list[str]:
        return [f"{n}.{'--' if t[0] == '(' else ' '}{t}" for n, t in enumerate(texts, 1)]

    scan = page("THE GAMING ACT, 1882.", *act(first), "SCHEDULE.", fees, "THE FISHERY ACT, 1883.", *act(second))
    plan = require_whole(tmp_path / "hand-1875", scan, first, second)
    assert 'title = "The gaming act, 1882"' in plan and 'title = "The fishery act, 1883"' in plan


def test_a_table_that_names_the_laws_is_no_code(tmp_path: Path) -> None:
    titles = [f"{spoken(3).rstrip('.').capitalize()} forbidden." for _ in range(20)]
    texts = [f"_{title}_ {spoken()}" for title in titles]
    scan = page("TABLE OF THE CANONS.", "\n".join(numbered(titles, "{n}.")), "THE CANONS.", *numbered(texts, "{n}."))
    require_whole(tmp_path / "hand-1875", scan, texts)


def test_numbers_that_were_lost_in_a_long_code_do_not_end_it(tmp_path: Path) -> None:
    texts = [spoken() for _ in range(60)]
    numbers = [*range(1, 31), *range(61, 91)]
    body = [f"{n}. {t}" for n, t in zip(numbers, texts, strict=True)]
    (found,) = survey(page(spoken(), "THE CODE.", *body)).codes
    assert (found.run.first, found.run.last, len(found.run.labels)) == (1, 90, 60)
