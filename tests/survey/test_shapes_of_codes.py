"""Shapes in which real books print their laws: in running text, afresh under every heading, below a numeral alone."""

from __future__ import annotations

import random
import textwrap
from itertools import chain
from pathlib import Path

import pytest
from etexts import HEADS, EditedText, added
from samples import prose

from extract.numbering.numerals import roman
from extract.survey.etext import year_of_print

NOISE = random.Random(5)


def said() -> str:
    return prose(NOISE, NOISE.randint(10, 40))


def text(*pieces: str, gap: str = "\n\n", width: int = 70) -> str:
    return gap.join(p if "\n" in p else textwrap.fill(p, width, break_on_hyphens=False) for p in pieces) + "\n"


def laws(label: str, texts: list[str]) -> list[str]:
    return [f"{label.replace('#', str(n))} {words}" for n, words in enumerate(texts, 1)]


def require_whole(folder: Path, scan: str, *codes: list[str]) -> str:
    """All laws of all codes are found and end where they end; gives the plan."""
    found, plan = added(folder, EditedText(scan, ()))
    assert [len(code) for code in found] == [len(code) for code in codes]
    for units, texts in zip(found, codes, strict=True):
        for (number, unit), words in zip(units, texts, strict=True):
            assert unit.endswith(words[-40:]) and len(unit) < len(words) + 30, number
    return plan


def test_articles_with_sections_of_their_own(tmp_path: Path) -> None:
    groups = [[said() for _ in range(n)] for n in (1, 5, 3, 6)]
    body: list[str] = []
    for numeral, group in zip(["I", "II", "III", "IV"], groups, strict=True):
        first, *rest = laws("SEC. #.", group)
        body += [f"ARTICLE {numeral}.", "OFFICERS.", first.replace("SEC.", "SECTION"), *rest]
    house = [said() for _ in range(15)]
    scan = text("CONSTITUTION.", *body, "HOUSE RULES.", *laws("#.", house))
    assert 'grammar = "chapters"' in require_whole(tmp_path / "hand-1875", scan, [*chain(*groups)], house)


@pytest.mark.parametrize("label", ["CHAPTER {n}.", "Chap. {I}."])
def test_the_laws_of_a_session_are_chapters_of_one_code(tmp_path: Path, label: str) -> None:
    acts = [[said() for _ in range(n)] for n in (1, 5, 1, 3, 6, 1)]
    body: list[str] = []
    for n, act in enumerate(acts, 1):
        first, *rest = laws("SEC. #.", act)
        heads = [label.format(n=n, I=roman(n).upper()), "AN ACT to amend the Laws of Loo."]
        body += [*heads, "Be it enacted as follows:", first.replace("SEC.", "SECTION"), *rest]
    plan = require_whole(tmp_path / "hand-1861", text("LAWS OF THE STATE.", *body), [*chain(*acts)])
    assert 'grammar = "chapters"' in plan and plan.count("[[code]]") == 1


def test_the_chapters_of_a_treatise_with_cases_are_no_code(tmp_path: Path) -> None:
    chapters = [[said() for _ in range(6)] for _ in range(5)]
    heads = [[f"CHAPTER {roman(n).upper()}.", "OF THE LEAD.", said()] for n in range(1, 6)]
    scan = text(*(p for head, cases in zip(heads, chapters, strict=True) for p in (*head, *laws("Case #.", cases))))
    _, plan = added(tmp_path / "hand-1861", EditedText(scan, ()))
    assert "[[code]]" not in plan and 'kind = "case"' in plan


def test_a_section_in_full_and_the_others_shortened(tmp_path: Path) -> None:
    texts = [said() for _ in range(14)]
    scan = text("BY-LAWS.", *laws("SEC. #.", texts)).replace("SEC. 1.", "SECTION 1.")
    require_whole(tmp_path / "hand-1875", scan, texts)


@pytest.mark.parametrize("label", ["{I}.", "{I}"])
def test_roman_numerals_alone_with_titles_below_are_laws(tmp_path: Path, label: str) -> None:
    texts = [said() for _ in range(20)]
    labels = [label.format(I=roman(n).upper()) for n in range(1, 21)]
    body = [piece for label, words in zip(labels, texts, strict=True) for piece in (label, "_The Deal._", words)]
    require_whole(tmp_path / "hand-1875", text(said(), "RULES OF PIQUET.", *body), texts)


@pytest.mark.parametrize("label", ["=Law #.=", "=#.=", "_Law #._", "RULE No. #."])
def test_labels_in_bold_and_with_two_words(tmp_path: Path, label: str) -> None:
    texts = [said() for _ in range(16)]
    require_whole(tmp_path / "hand-1875", text("=Laws of Whist.=", *laws(label, texts)), texts)


def test_prose_after_the_last_law_is_none_of_it(tmp_path: Path) -> None:
    texts = [said() for _ in range(24)]
    body = laws("#.", texts)
    body.insert(12, HEADS[3])
    scan = text(said(), "THE LAWS OF WHIST.", *body, said() + " and ends.", said() + " and ends.")
    plan = require_whole(tmp_path / "hand-1875", scan, texts)
    assert plan.count('grammar = "paragraphs"') == 2


def test_a_code_in_a_single_line_has_its_heading(tmp_path: Path) -> None:
    texts = [said() for _ in range(30)]
    scan = " ".join([said(), "LAWS OF LOO.", *laws("#.", texts), "OF THE LEAD.", said()]) + "\n"
    plan = require_whole(tmp_path / "hand-1875", scan, texts)
    assert 'title = "Laws of loo"' in plan


def test_a_list_in_a_chapter_is_no_code_for_the_title_of_the_book(tmp_path: Path) -> None:
    texts = [said() for _ in range(16)]
    lists = laws("#.", [prose(NOISE, 5) for _ in range(6)])
    scan = text(
        "PRINCIPLES AND RULES OF PLAY", said(), "CHAPTER I.", said(), *lists, said(), "LAWS OF LOO.", *laws("#.", texts)
    )
    require_whole(tmp_path / "hand-1875", scan, texts)


@pytest.mark.parametrize(
    ("page", "year"),
    [
        ("LONDON\n\nMDCCCLXIV", 1864), ("M.DCC.XCVI.", 1796), ("NEW YORK, 1891.", 1891), ("MCMXIII", 1913),
        ("The laws of 1864 are good.\n\nLondon: 1850.", 1850), ("First published 1906\nReprinted 1911", 1911),
        ("Copyright, 1897, by\nJohn Hand", 1897), ("As they were in 1742 and later.", 1742),
        ("MIX AND MILL", None), ("No year stands here.", None),
        ("Produced by volunteers, July 2009", None), ("Scanned in 2015.", None), ("Release date: 1 May 2011", None),
        ("LONDON, 1864.\n\nProduced by volunteers,\nJuly 2009", 1864), ("New York: 1955.", 1955),
        ("As they were in 1742.\n\nDigitized by hand, 2008", 1742),
    ],
)  # fmt: skip
def test_the_year_is_that_of_the_imprint(page: str, year: int | None) -> None:
    assert year_of_print(page) == year
