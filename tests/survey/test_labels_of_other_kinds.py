"""Labels of other kinds, and shapes in which real books print their laws."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest
from etexts import HEADS, NOISE, EditedText, added, numbered, page, require_whole, said

from extract.numbering.numerals import roman
from extract.survey.etext import year_of_print
from extract.survey.survey import survey
from extract.text.source import recognise_layout


def laws_of(*numbers: int) -> dict[int, str]:
    """Laws by their numbers."""
    return {n: said() for n in numbers}


def test_an_excerpt_begins_at_a_high_number(tmp_path: Path) -> None:
    laws, rules = laws_of(*range(4883, 4903)), laws_of(*range(1, 16))
    scan = page(
        said(40), "REVISED STATUTES.", "PATENTS.", *numbered(laws, "SEC. {n}."),
        "RULES OF PRACTICE.", *numbered(rules, "{n}."), width=600,
    )  # fmt: skip
    plan = require_whole(tmp_path / "hand-1878", scan, laws, rules)
    assert "first = 4883" in plan and "expect = 4902" in plan and plan.count("first =") == 1


def test_a_chronology_is_no_code_and_short_codes_below_each_other_are_no_lists() -> None:
    assert survey(page("ANNALS OF THE CLUB.", *numbered(laws_of(*range(1801, 1840)), "{n}."))).codes == ()
    first, second = numbered(laws_of(*range(1, 27)), "{n}."), numbered(laws_of(*range(1, 15)), "{n}.")
    found = survey(page(said(40), "FIFTEEN-BALL POOL.", *first, "PIN POOL.", *second)).codes
    assert [(code.heading, code.run.last) for code in found] == [("FIFTEEN-BALL POOL.", 26), ("PIN POOL.", 14)]


def test_each_chapter_begins_a_hundred_and_numbers_are_left_out(tmp_path: Path) -> None:
    laws, block = laws_of(*range(1, 20), *range(71, 74), *range(81, 107)), laws_of(*range(301, 319))
    heads = {7: "SIGNALS.", 71: "SUPERIORITY OF TRAINS.", 81: "MOVEMENT OF TRAINS."}
    scan = page(
        said(40), "TRAIN RULES.", *numbered(laws, "{n}.", heads),
        "BLOCK SIGNAL RULES.", *numbered(block, "{n}."), width=600,
    )  # fmt: skip
    require_whole(tmp_path / "hand-1899", scan, laws, block, gaps=True)


@pytest.mark.parametrize("label", ["CANON #.", "By-Law #.", "Clause #.", "RULE #."])
def test_labels_on_lines_of_their_own_are_no_folios(label: str, tmp_path: Path) -> None:
    laws = {n: said(NOISE.randint(60, 200)) for n in range(1, 20)}
    pieces = [p for n, t in laws.items() for p in (f"\n{label.replace('#', str(n)).center(60).rstrip()}\n", t)]
    scan = page(said(40), "THE RULES.", *pieces, width=66)
    assert recognise_layout(scan) == "lines"
    require_whole(tmp_path / "hand-1840", scan, laws)


BOWLS = "LAWS OF BOWLS"


@pytest.mark.parametrize(
    ("title", "label", "heads", "said_in_plan"),
    [
        *((BOWLS, label, {}, "[[code]]") for label in (
            "{n})", "{n}°.", "### {n}. The Court\n\n", "_{n}._", "={I}.=", "_{I}_.", "({I}.)", "{n}—", "§ {I}.")),
        ("CODE OF CIVIL PROCEDURE.", "§ {n}.", {7: "Of the several summons."}, 'title = "Code of civil procedure"'),
    ],
)  # fmt: skip
def test_labels_with_other_signs(
    title: str, label: str, heads: dict[int, str], said_in_plan: str, tmp_path: Path
) -> None:
    laws = laws_of(*range(1, 31))
    scan = page(said(40), title, *numbered(laws, label, heads), width=600)
    assert said_in_plan in require_whole(tmp_path / "hand-1890", scan, laws)


def test_a_number_that_lost_its_stop_is_one_of_the_others_and_a_date_in_italics_is_no_heading(tmp_path: Path) -> None:
    laws = laws_of(*range(1, 31))
    scan = page(said(40), BOWLS, *numbered(laws, "{n}."), width=600)
    for n in (9, 17, 24):
        scan = scan.replace(f"\n{n}. ", f"\n{n} ")
    require_whole(tmp_path / "hand-1890", scan, laws)
    dated = {n: f"{words}\n\n_As amended, March 4, 1874._" for n, words in laws.items()}
    scan = page(said(40), "STANDING RULES.", *numbered(dated, "Rule {n}."), width=600)
    require_whole(tmp_path / "hand-1874", scan, {n: words.replace("\n\n", " ") for n, words in dated.items()})


def test_articles_with_sections_of_their_own(tmp_path: Path) -> None:
    groups = [[said() for _ in range(n)] for n in (1, 5, 3, 6)]
    body: list[str] = []
    for numeral, group in zip(["I", "II", "III", "IV"], groups, strict=True):
        first, *rest = numbered(group, "SEC. {n}.")
        body += [f"ARTICLE {numeral}.", "OFFICERS.", first.replace("SEC.", "SECTION"), *rest]
    house = [said() for _ in range(15)]
    scan = page("CONSTITUTION.", *body, "HOUSE RULES.", *numbered(house, "{n}."))
    assert 'grammar = "chapters"' in require_whole(tmp_path / "hand-1875", scan, [*chain(*groups)], house)


@pytest.mark.parametrize("label", ["CHAPTER {n}.", "Chap. {I}."])
def test_the_laws_of_a_session_are_chapters_of_one_code(tmp_path: Path, label: str) -> None:
    acts = [[said() for _ in range(n)] for n in (1, 5, 1, 3, 6, 1)]
    body: list[str] = []
    for n, act in enumerate(acts, 1):
        first, *rest = numbered(act, "SEC. {n}.")
        heads = [label.format(n=n, I=roman(n).upper()), "AN ACT to amend the Laws of Loo."]
        body += [*heads, "Be it enacted as follows:", first.replace("SEC.", "SECTION"), *rest]
    plan = require_whole(tmp_path / "hand-1861", page("LAWS OF THE STATE.", *body), [*chain(*acts)])
    assert 'grammar = "chapters"' in plan and plan.count("[[code]]") == 1


def test_the_chapters_of_a_treatise_with_cases_are_no_code(tmp_path: Path) -> None:
    pieces: list[str] = []
    for n in range(1, 6):
        pieces += [f"CHAPTER {roman(n).upper()}.", "OF THE LEAD.", said()]
        pieces += numbered([said() for _ in range(6)], "Case {n}.")
    _, plan = added(tmp_path / "hand-1861", EditedText(page(*pieces), ()))
    assert "[[code]]" not in plan and 'kind = "case"' in plan


@pytest.mark.parametrize(
    ("title", "label", "first"),
    [
        *(("=Laws of Whist.=", label, "") for label in ("=Law {n}.=", "={n}.=", "_Law {n}._", "RULE No. {n}.")),
        ("BY-LAWS.", "SEC. {n}.", "SECTION 1."),
        *(("RULES OF PIQUET.", label, "") for label in ("{I}.\n\n_The Deal._\n\n", "{I}\n\n_The Deal._\n\n")),
    ],
)
def test_labels_in_bold_with_two_words_in_full_and_alone(tmp_path: Path, title: str, label: str, first: str) -> None:
    texts = [said() for _ in range(20)]
    scan = page(said(), title, *numbered(texts, label))
    require_whole(tmp_path / "hand-1875", scan.replace("SEC. 1.", first or "SEC. 1."), texts)


def test_prose_after_the_last_law_is_none_of_it(tmp_path: Path) -> None:
    texts = [said() for _ in range(24)]
    body = numbered(texts, "{n}.", {13: HEADS[3]})
    scan = page(said(), "THE LAWS OF WHIST.", *body, said() + " and ends.", said() + " and ends.")
    assert require_whole(tmp_path / "hand-1875", scan, texts).count('grammar = "paragraphs"') == 2


def test_a_code_in_a_single_line_has_its_heading(tmp_path: Path) -> None:
    texts = [said() for _ in range(30)]
    scan = " ".join([said(), "LAWS OF LOO.", *numbered(texts, "{n}."), "OF THE LEAD.", said()]) + "\n"
    assert 'title = "Laws of loo"' in require_whole(tmp_path / "hand-1875", scan, texts)


def test_a_list_in_a_chapter_is_no_code_for_the_title_of_the_book(tmp_path: Path) -> None:
    texts = [said() for _ in range(16)]
    listed = numbered([said(5) for _ in range(6)], "{n}.")
    chapter = ["PRINCIPLES AND RULES OF PLAY", said(), "CHAPTER I.", said(), *listed, said()]
    scan = page(*chapter, "LAWS OF LOO.", *numbered(texts, "{n}."))
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
