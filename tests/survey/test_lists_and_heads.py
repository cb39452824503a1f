"""What stands between and below laws: heads without blank lines, lists of decisions, titles and signatures of acts."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

import pytest
from etexts import EditedText, added
from samples import prose

from extract.numbering.numerals import roman
from extract.survey.survey import survey

NOISE = random.Random(13)


def said(words: int = 0) -> str:
    return prose(NOISE, words or NOISE.randint(14, 40))


def page(*pieces: str, gap: str = "\n\n", width: int = 70) -> str:
    return gap.join(p if "\n" in p else textwrap.fill(p, width, break_on_hyphens=False) for p in pieces) + "\n"


def require_whole(folder: Path, scan: str, *codes: list[str]) -> None:
    """All laws of all codes are found and end where they end."""
    found, _ = added(folder, EditedText(scan, ()))
    assert [len(code) for code in found] == [len(code) for code in codes]
    for units, texts in zip(found, codes, strict=True):
        for (number, unit), words in zip(units, texts, strict=True):
            assert unit.endswith(words[-40:]) and len(unit) < len(words) + 40, number


def test_heads_between_laws_where_no_blank_lines_stand(tmp_path: Path) -> None:
    texts = [f"{said(20)} So." for _ in range(24)]
    body = [f"{n}. {t}" for n, t in enumerate(texts, 1)]
    body[11:11] = ["The Trump Card."]
    scan = page(said(40), "LAWS OF LOO.", *body, gap="\n", width=80)
    require_whole(tmp_path / "hand-1875", scan, texts)


def test_the_last_words_of_a_law_in_a_line_of_their_own_are_no_head(tmp_path: Path) -> None:
    texts = [f"{'Who revokes shall pay the forfeit of three tricks to the other side there.'} Play." for _ in range(16)]
    body = [f"{n}. {t}" for n, t in enumerate(texts, 1)]
    require_whole(tmp_path / "hand-1875", page("LAWS OF LOO.", *body, gap="\n", width=74), texts)


@pytest.mark.parametrize("mark", ["+", "~", "="])
def test_heads_marked_as_small_capitals_or_bold(tmp_path: Path, mark: str) -> None:
    texts = [said() for _ in range(20)]
    body = [f"{n}. {t}" for n, t in enumerate(texts, 1)]
    body[9:9] = [f"{mark}The Trump Card.{mark}"]
    require_whole(tmp_path / "hand-1875", page(f"{mark}LAWS OF LOO.{mark}", *body), texts)


def test_the_title_below_a_label_is_the_law_s_own_and_its_paragraphs_are_no_code(tmp_path: Path) -> None:
    texts, body = [], []
    for n in range(1, 22):
        parts = [f"1. {said()}", f"2. {said()}"]
        texts.append(" ".join(parts))
        body += [f"RULE {roman(n).upper()}.", "OF THE QUORUM.", *parts]
    require_whole(tmp_path / "hand-1875", page("STANDING RULES.", *body), texts)


def test_heads_apart_from_the_law_above_and_close_to_the_one_below(tmp_path: Path) -> None:
    texts = [f"{said(20)} So." for _ in range(24)]
    body = [f"{n}. {t}" for n, t in enumerate(texts, 1)]
    body[8], body[17] = f"The Deal\n{body[8]}", f"Of the End of the Game\n{body[17]}"
    require_whole(tmp_path / "hand-1875", page(said(40), "LAWS OF LOO.", *body, width=600), texts)


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
    names = ("An Act for the better Rule of Games.", "An Act touching Wagers.", "An Act concerning Lotteries.")
    pieces: list[str] = []
    for name, texts in zip(names, acts, strict=True):
        pieces += [name, "Be it enacted by the Assembly:", *(f"§ {n}. {t}" for n, t in enumerate(texts, 1))]
        pieces += ["J. W. Davis, _Speaker._"]
    scan = page(*pieces)
    assert [code.heading for code in survey(scan).codes] == list(names)
    require_whole(tmp_path / "hand-1875", scan, *acts)


def test_numerals_with_a_stop_and_a_bracket(tmp_path: Path) -> None:
    texts = [said() for _ in range(16)]
    body = [f"({roman(n)}.) {t}" for n, t in enumerate(texts, 1)]
    require_whole(tmp_path / "hand-1875", page(said(), "LAWS OF LOO.", *body), texts)


def test_heads_in_the_line_of_the_first_law_below_them(tmp_path: Path) -> None:
    texts = [said() for _ in range(24)]
    body = [f"{n}. {t}" for n, t in enumerate(texts, 1)]
    body[0], body[9] = f"THE DEAL. {body[0]}", f"_The Revoke._ {body[9]}"
    require_whole(tmp_path / "hand-1875", page(said(), "LAWS OF LOO.", *body), texts)
