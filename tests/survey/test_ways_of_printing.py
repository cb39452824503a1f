"""Ways in which real books print their laws: other kinds of labels, and text between and below laws."""

import textwrap
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from etexts import HEADS, NOISE, added, numbered, page, require_whole, said

from extract.numbering.numerals import roman
from extract.survey.etext import year_of_print
from extract.survey.survey import survey
from extract.text.source import recognise_layout


def laws_of(*numbers: int) -> dict[int, str]:
    """Laws, by number."""
    return {n: said() for n in numbers}


def test_excerpt_may_begin_at_a_high_number(tmp_path: Path) -> None:
    laws, rules = laws_of(*range(4883, 4903)), laws_of(*range(1, 16))
    scan = page(
        said(40), "REVISED STATUTES.", "PATENTS.", *numbered(laws, "SEC. {n}."),
        "RULES OF PRACTICE.", *numbered(rules, "{n}."), width=600,
    )  # fmt: skip
    plan = require_whole(tmp_path / "hand-1878", scan, laws, rules)
    assert "first = 4883" in plan and "expect = 4902" in plan and plan.count("first =") == 1


def test_chronology_is_not_a_code_and_consecutive_short_codes_are() -> None:
    assert survey(page("ANNALS OF THE CLUB.", *numbered(laws_of(*range(1801, 1840)), "{n}."))).codes == ()
    first, second = numbered(laws_of(*range(1, 27)), "{n}."), numbered(laws_of(*range(1, 15)), "{n}.")
    found = survey(page(said(40), "FIFTEEN-BALL POOL.", *first, "PIN POOL.", *second)).codes
    assert [(code.heading, code.run.last) for code in found] == [("FIFTEEN-BALL POOL.", 26), ("PIN POOL.", 14)]


def test_chapters_may_begin_at_new_hundreds_and_leave_numbers_out(tmp_path: Path) -> None:
    laws, block = laws_of(*range(1, 20), *range(71, 74), *range(81, 107)), laws_of(*range(301, 319))
    heads = {7: "SIGNALS.", 71: "SUPERIORITY OF TRAINS.", 81: "MOVEMENT OF TRAINS."}
    scan = page(
        said(40), "TRAIN RULES.", *numbered(laws, "{n}.", heads),
        "BLOCK SIGNAL RULES.", *numbered(block, "{n}."), width=600,
    )  # fmt: skip
    require_whole(tmp_path / "hand-1899", scan, laws, block, gaps=True)


@pytest.mark.parametrize("label", ["CANON #.", "By-Law #."])
def test_labels_on_their_own_lines_are_not_folios(label: str, tmp_path: Path) -> None:
    laws = {n: said(NOISE.randint(60, 200)) for n in range(1, 20)}
    pieces = [p for n, t in laws.items() for p in (f"\n{label.replace('#', str(n)).center(60).rstrip()}\n", t)]
    scan = page(said(40), "THE RULES.", *pieces, width=66)
    assert recognise_layout(scan) == "lines"
    require_whole(tmp_path / "hand-1840", scan, laws)


BOWLS, LOO, CLUB = "LAWS OF BOWLS", "=Laws of Loo.=", "RULES OF THE OLD CLUB."


@pytest.mark.parametrize(
    ("title", "label"),
    [
        *((BOWLS, label) for label in ("{n})", "### {n}. The Court\n\n", "={I}.=", "({i}.)", "{n}—", "§ {I}.")),
        *((LOO, label) for label in ("=Law {n}.=", "RULE No. {n}.", "{I}\n\n_The Deal._\n\n")),
        *((CLUB, label) for label in ("[{n}]", "{i}.")),
        (f'"{CLUB}', '"{n}.'),
    ],
)
def test_finds_labels_with_other_punctuation_and_words(title: str, label: str, tmp_path: Path) -> None:
    laws = laws_of(*range(1, 23))
    assert "[[code]]" in require_whole(tmp_path / "hand-1890", page(said(40), title, *numbered(laws, label)), laws)


def test_label_may_lose_its_full_stop_and_a_date_in_italics_is_not_a_heading(tmp_path: Path) -> None:
    laws = laws_of(*range(1, 31))
    scan = page(said(40), BOWLS, *numbered(laws, "{n}."), width=600)
    for n in (9, 17, 24):
        scan = scan.replace(f"\n{n}. ", f"\n{n} ")
    require_whole(tmp_path / "hand-1890", scan, laws)
    dated = {n: f"{words}\n\n_As amended, March 4, 1874._" for n, words in laws.items()}
    scan = page(said(40), "STANDING RULES.", *numbered(dated, "Rule {n}."), width=600)
    require_whole(tmp_path / "hand-1874", scan, {n: words.replace("\n\n", " ") for n, words in dated.items()})


@pytest.mark.parametrize(
    ("title", "head", "below"),
    [
        ("CONSTITUTION.", "ARTICLE {}.", ["OFFICERS."]),
        ("LAWS OF THE STATE.", "Chap. {}.", ["AN ACT to amend the Laws of Loo.", "Be it enacted as follows:"]),
    ],
    ids=["articles", "the laws of a session"],
)
def test_sections_renumbered_below_each_heading_form_one_code(
    tmp_path: Path, title: str, head: str, below: list[str]
) -> None:
    groups = [[said() for _ in range(n)] for n in (1, 5, 3, 6)]
    house = [said() for _ in range(15)]
    body: list[str] = []
    for n, group in enumerate(groups, 1):
        first, *rest = numbered(group, "SEC. {n}.")
        body += [head.format(roman(n).upper()), *below, first.replace("SEC.", "SECTION"), *rest]
    scan = page(title, *body, "HOUSE RULES.", *numbered(house, "{n}."))
    assert 'grammar = "chapters"' in require_whole(tmp_path / "hand-1875", scan, [*chain(*groups)], house)


def test_chapters_with_cases_are_not_a_code(tmp_path: Path) -> None:
    pieces: list[str] = []
    for n in range(1, 6):
        pieces += [f"CHAPTER {roman(n).upper()}.", "OF THE LEAD.", said()]
        pieces += numbered([said() for _ in range(6)], "Case {n}.")
    _, plan = added(tmp_path / "hand-1861", page(*pieces))
    assert "[[code]]" not in plan and 'kind = "case"' in plan


def test_prose_after_the_last_law_is_not_part_of_it(tmp_path: Path) -> None:
    texts = [said() for _ in range(24)]
    scan = page(
        said(), "THE LAWS OF WHIST.", *numbered(texts, "{n}.", {13: HEADS[3]}), f"{said()} So.", f"{said()} So."
    )
    assert require_whole(tmp_path / "hand-1875", scan, texts).count('grammar = "paragraphs"') == 2


def test_code_in_a_single_line_has_its_heading(tmp_path: Path) -> None:
    texts = [said() for _ in range(30)]
    scan = " ".join([said(), "LAWS OF LOO.", *numbered(texts, "{n}."), "OF THE LEAD.", said()]) + "\n"
    assert 'title = "Laws of loo"' in require_whole(tmp_path / "hand-1875", scan, texts)


def test_list_in_a_chapter_is_not_a_code_despite_the_book_title(tmp_path: Path) -> None:
    texts = [said() for _ in range(16)]
    listed = numbered([said(5) for _ in range(6)], "{n}.")
    chapter = ["PRINCIPLES AND RULES OF PLAY", said(), "CHAPTER I.", said(), *listed, said()]
    require_whole(tmp_path / "hand-1875", page(*chapter, "LAWS OF LOO.", *numbered(texts, "{n}.")), texts)


# Text between and below laws.

FORFEIT = "Who revokes shall pay the forfeit of three tricks to the other side there. Play."
CLOSE = {"gap": "\n", "width": 80}


@pytest.mark.parametrize(
    ("title", "label", "heads", "text", "printed"),
    [
        ("LAWS OF LOO.", "{n}.", {12: "The Trump Card."}, "{} So.", CLOSE),
        ("LAWS OF LOO.", "{n}.", {}, FORFEIT, {"gap": "\n", "width": 74}),
        *((f"{mark}LAWS OF LOO.{mark}", "{n}.", {10: f"{mark}The Trump Card.{mark}"}, "{}", {}) for mark in "+~"),
        ("LAWS OF LOO.", "{n}.", {9: "The Deal\n", 18: "Of the End of the Game\n"}, "{} So.", {"width": 600}),
        ("LAWS OF LOO.", "{n}.", {1: "THE DEAL. ", 10: "_The Revoke._ "}, "{}", {}),
    ],
    ids=["no blank lines", "last words in a line", "small capitals", "struck through", "close to the law below",
         "in the line of the law"],
)  # fmt: skip
def test_laws_are_complete_with_any_headings_between_them(
    tmp_path: Path, title: str, label: str, heads: dict[int, str], text: str, printed: dict[str, Any]
) -> None:
    texts = [text.format(said(20)) for _ in range(24)]
    require_whole(tmp_path / "hand-1875", page(said(40), title, *numbered(texts, label, heads), **printed), texts)


def test_title_below_a_label_belongs_to_the_law_and_its_paragraphs_are_not_a_code(tmp_path: Path) -> None:
    texts = [f"1. {said()}\n\n2. {said()}" for _ in range(21)]
    scan = page("STANDING RULES.", *numbered(texts, "RULE {I}.\n\nOF THE QUORUM.\n\n"))
    require_whole(tmp_path / "hand-1875", scan, [text.replace("\n\n", " ") for text in texts])


def test_decisions_below_laws_are_not_a_code() -> None:
    body: list[str] = []
    for n in range(1, 25):
        body += [f"RULE {roman(n).upper()}.", said()]
        body += ["DECISIONS.", *(f"{i}. {said()}" for i in (1, 2, 3))] if n % 3 == 0 else []
    (found,) = survey(page("RULES OF GOLF.", *body)).codes
    assert found.run.shape.word == "rule" and found.run.last == 24 and not found.sections


@pytest.mark.parametrize(("verb", "codes"), [("is formed by", 0), ("must be formed by", 1)])
def test_numbered_descriptions_are_a_code_only_if_they_prescribe(verb: str, codes: int) -> None:
    body = [f"{n}. The opening of the {n}th kind {verb} the first moves of both sides in turn." for n in range(1, 20)]
    assert len(survey(page(said(40), "THE NAMES OF THE OPENINGS.", *body, said(40))).codes) == codes


def test_consecutive_acts_end_before_their_signatures(tmp_path: Path) -> None:
    acts = [[said() for _ in range(n)] for n in (20, 14, 23)]
    names = ["An Act for the better Rule of Games.", "An Act touching Wagers.", "An Act concerning Lotteries."]
    pieces: list[str] = []
    for name, texts in zip(names, acts, strict=True):
        pieces += [name, "Be it enacted by the Assembly:", *numbered(texts, "§ {n}."), "J. W. Davis, _Speaker._"]
    assert [code.heading for code in survey(page(*pieces)).codes] == names
    require_whole(tmp_path / "hand-1875", page(*pieces), *acts)


def sentences(words: int = 0) -> str:
    """Random words, the last of which can end a sentence."""
    return said(words).removesuffix(".") + " hand."


def test_bracketed_numbers_below_other_titles_are_not_labels() -> None:
    assert survey(page(sentences(), "A POEM.", *numbered([sentences() for _ in range(16)], "[{n}]"))).codes == ()


@pytest.mark.parametrize(("law", "items"), [(3, 9), (8, 3)])
def test_list_labelled_like_the_laws_stays_within_its_law(tmp_path: Path, law: int, items: int) -> None:
    texts = [sentences() for _ in range(30)]
    listed = numbered([sentences(8) for _ in range(items)], "{n}.")
    body = numbered(texts, "{n}.")
    body[law:law] = [textwrap.indent(textwrap.fill(item, 65), "     ") + "\n" for item in listed]
    texts[law - 1] = " ".join([texts[law - 1], *listed])
    found, _ = added(tmp_path / "hand-1875", page(sentences(), "LAWS OF LOO.", *body))
    assert [[number for number, _ in code] for code in found] == [[str(n) for n in range(1, 31)]]
    assert all(unit.endswith(words[-30:]) for (_, unit), words in zip(found[0], texts, strict=True))


def test_list_before_the_title_of_a_code_is_not_part_of_it(tmp_path: Path) -> None:
    fees = "\n".join(f"{n}. For a summons    {n}s. 0d." for n in range(1, 5))
    first, second = [sentences() for _ in range(20)], [sentences() for _ in range(18)]
    gaming, fishery = numbered(first, "{n}."), numbered(second, "{n}.")
    fishery[2] = f"3.--(1) {second[2]}"
    scan = page("THE GAMING ACT, 1882.", *gaming, "SCHEDULE.", fees, "THE FISHERY ACT, 1883.", *fishery)
    plan = require_whole(tmp_path / "hand-1875", scan, first, second)
    assert 'title = "The gaming act, 1882"' in plan and 'title = "The fishery act, 1883"' in plan


def test_table_of_law_titles_is_not_a_code(tmp_path: Path) -> None:
    titles = [f"{sentences(3).rstrip('.').capitalize()} forbidden." for _ in range(20)]
    texts = [f"_{title}_ {sentences()}" for title in titles]
    scan = page("TABLE OF THE CANONS.", "\n".join(numbered(titles, "{n}.")), "THE CANONS.", *numbered(texts, "{n}."))
    require_whole(tmp_path / "hand-1875", scan, texts)


def test_missing_numbers_do_not_end_a_long_code(tmp_path: Path) -> None:
    texts = [sentences() for _ in range(60)]
    body = numbered(texts[:30], "{n}.") + numbered(dict(enumerate(texts[30:], 61)), "{n}.")
    (found,) = survey(page(sentences(), "THE CODE.", *body)).codes
    assert (found.run.first, found.run.last, len(found.run.labels)) == (1, 90, 60)


@pytest.mark.parametrize(
    ("page", "year"),
    [
        ("LONDON\n\nMDCCCLXIV", 1864), ("M.DCC.XCVI.", 1796), ("NEW YORK, 1891.", 1891),
        ("The laws of 1864 are good.\n\nLondon: 1850.", 1850), ("First published 1906\nReprinted 1911", 1911),
        ("Copyright, 1897, by\nJohn Hand", 1897), ("As they were in 1742 and later.", 1742),
        ("MIX AND MILL", None), ("No year stands here.", None),
        ("Scanned in 2015.", None), ("Release date: 1 May 2011", None),
        ("LONDON, 1864.\n\nProduced by volunteers,\nJuly 2009", 1864), ("New York: 1955.", 1955),
        ("As they were in 1742.\n\nDigitized by hand, 2008", 1742),
    ],
)  # fmt: skip
def test_year_is_that_of_the_imprint(page: str, year: int | None) -> None:
    assert year_of_print(page) == year
