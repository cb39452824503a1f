"""What stands between and below laws: heads without blank lines, lists of decisions, titles and signatures of acts."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from etexts import numbered, page, require_whole
from samples import prose

from extract.numbering.numerals import roman
from extract.survey.survey import survey

NOISE = random.Random(13)


def said(words: int = 0) -> str:
    return prose(NOISE, words or NOISE.randint(14, 40))


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
