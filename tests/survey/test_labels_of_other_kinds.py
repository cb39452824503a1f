"""Labels of other kinds: high numbers at the beginning, numbers left out, numbers in words, none below a heading."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

import pytest
from etexts import EditedText, added
from samples import prose

from extract.corpus.book import load_book
from extract.edition import make_edition
from extract.numbering.numerals import roman
from extract.survey.report import report_on
from extract.survey.survey import survey
from extract.text.source import recognise_layout

ORDINALS = (
    "FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH", "ELEVENTH",
    "TWELFTH", "THIRTEENTH",
)  # fmt: skip


def text(*pieces: str) -> str:
    return "\n\n".join(pieces) + "\n"


def require(folder: Path, scan: str, *codes: list[tuple[str, str]], gaps: bool = False) -> str:
    """Every law of every code is found under its number, and ends where it ends; gives the plan."""
    found, plan = added(folder, EditedText(scan, ()), gaps=gaps)
    assert [[number for number, _ in code] for code in found] == [[number for number, _ in code] for code in codes]
    for units, laws in zip(found, codes, strict=True):
        for (number, unit), (_, words) in zip(units, laws, strict=True):
            assert " ".join(unit.split()).endswith(words[-40:]), number
    return plan


def numbered(noise: random.Random, *numbers: int) -> list[tuple[str, str]]:
    return [(str(n), prose(noise, noise.randint(12, 40))) for n in numbers]


def test_an_excerpt_begins_at_a_high_number(tmp_path: Path) -> None:
    noise = random.Random(11)
    laws = numbered(noise, *range(4883, 4903))
    rules = numbered(noise, *range(1, 16))
    scan = text(
        prose(noise, 40), "REVISED STATUTES.", "PATENTS.", *(f"SEC. {n}. {words}" for n, words in laws),
        "RULES OF PRACTICE.", *(f"{n}. {words}" for n, words in rules),
    )  # fmt: skip
    plan = require(tmp_path / "hand-1878", scan, laws, rules)
    assert "first = 4883" in plan and "expect = 4902" in plan and plan.count("first =") == 1


def test_a_chronology_is_no_code() -> None:
    noise = random.Random(12)
    years = [f"{year}. {prose(noise, 20)}" for year in range(1801, 1840)]
    assert survey(text("ANNALS OF THE CLUB.", *years)).codes == ()


def test_each_chapter_begins_a_hundred_and_numbers_are_left_out(tmp_path: Path) -> None:
    noise = random.Random(13)
    laws = numbered(noise, *range(1, 20), *range(71, 74), *range(81, 107))
    block = numbered(noise, *range(301, 319))
    heads = {"7": "SIGNALS.", "71": "SUPERIORITY OF TRAINS.", "81": "MOVEMENT OF TRAINS."}
    matter = [[*([heads[n]] if n in heads else []), f"{n}. {words}"] for n, words in laws]
    scan = text(
        prose(noise, 40), "TRAIN RULES.", *(piece for pieces in matter for piece in pieces),
        "BLOCK SIGNAL RULES.", *(f"{n}. {words}" for n, words in block),
    )  # fmt: skip
    require(tmp_path / "hand-1899", scan, laws, block, gaps=True)


def test_the_first_label_is_in_words_and_the_others_in_figures(tmp_path: Path) -> None:
    noise = random.Random(14)
    laws = numbered(noise, *range(1, 15))
    heads = ["ARTICLE FIRST.", *(f"ARTICLE {n}." for n in range(2, 15))]
    pieces = [piece for head, (_, words) in zip(heads, laws, strict=True) for piece in (head, words)]
    plan = require(tmp_path / "hand-1850", text(prose(noise, 40), "TREATY OF PEACE.", *pieces), laws)
    assert 'label = "ARTICLE {w}."' in plan and "first = 2" in plan


def test_labels_in_words_have_any_word(tmp_path: Path) -> None:
    noise = random.Random(15)
    laws = numbered(noise, *range(1, 14))
    pieces = [f"LANDMARK {word}. {said}" for word, (_, said) in zip(ORDINALS, laws, strict=True)]
    require(tmp_path / "hand-1860", text(prose(noise, 40), "THE LANDMARKS.", *pieces), laws)


def test_articles_without_sections_stand_among_those_that_have_some(tmp_path: Path) -> None:
    noise = random.Random(16)
    laws: list[tuple[str, str]] = []
    pieces: list[str] = []
    for article, sections in enumerate([0, 4, 0, 7, 5, 3, 0, 0], 1):
        pieces.append(f"ARTICLE {roman(article).upper()}.")
        added_here = numbered(noise, *range(1, sections + 1)) or numbered(noise, article)
        pieces += [f"Sec. {n}. {words}" for n, words in added_here] if sections else [added_here[0][1]]
        laws += added_here
    folder = tmp_path / "hand-1851"
    plan = require(folder, text("CONSTITUTION OF THE STATE.", prose(noise, 20), *pieces), laws)
    assert plan.count('label = "ARTICLE {I}."') == 4 and plan.count("Section {") + plan.count('"Sec. {n}."') == 4
    book = load_book(folder)
    told = report_on(book, make_edition(book)).numberings
    assert [(n.found, n.expected, n.beyond) for n in told] == [(n, n, ()) for n in (1, 4, 1, 7, 5, 3, 1, 1)]


def test_a_sentence_leads_to_the_sections_of_the_last_division(tmp_path: Path) -> None:
    noise = random.Random(17)
    laws: list[tuple[str, str]] = []
    pieces: list[str] = []
    for article, sections in enumerate([6, 4, 7, 8], 1):
        here = numbered(noise, *range(1, sections + 1))
        pieces += [f"ARTICLE {roman(article).upper()}.", *(f"Sec. {n}. {words}" for n, words in here)]
        laws += here
    here = numbered(noise, *range(1, 13))
    pieces += ["SCHEDULE.", f"{prose(noise, 12).rstrip('.')}, it is ordained:"]
    pieces += [f"Sec. {n}. {words}" for n, words in here]
    require(tmp_path / "hand-1852", text("CONSTITUTION OF THE STATE.", *pieces), [*laws, *here])


@pytest.mark.parametrize("label", ["CANON #.", "By-Law #.", "Clause #.", "RULE No. #."])
def test_labels_on_lines_of_their_own_are_no_folios(label: str, tmp_path: Path) -> None:
    noise = random.Random(18)
    laws = [(str(n), prose(noise, noise.randint(60, 200))) for n in range(1, 20)]
    pieces = [piece for n, words in laws for piece in ("\n" + label.replace("#", n).center(60).rstrip() + "\n", words)]
    scan = text(*(p if p.startswith("\n") else textwrap.fill(p, 66) for p in (prose(noise, 40), "THE RULES.", *pieces)))
    assert recognise_layout(scan) == "lines"
    require(tmp_path / "hand-1840", scan, laws)


def test_paragraphs_of_canons_are_no_laws(tmp_path: Path) -> None:
    noise = random.Random(19)
    laws: list[tuple[str, str]] = []
    pieces: list[str] = []
    for canon in range(1, 15):
        said = [prose(noise, 25) for _ in range(canon % 4 + 1)]
        paragraphs = [f"§ {i}. {words}" for i, words in enumerate(said, 1)] if len(said) > 1 else said
        pieces += [f"CANON {canon}.", f"_Of {said[0].split()[1].title()} Matters._", *paragraphs]
        laws.append((str(canon), paragraphs[-1]))
    require(tmp_path / "hand-1880", text(prose(noise, 40), "CANONS.", *pieces), laws)


def test_numbers_without_a_stop(tmp_path: Path) -> None:
    noise = random.Random(20)
    laws = numbered(noise, *range(1, 17))
    pieces = [f"{n}  {words}" for n, words in laws]
    require(tmp_path / "hand-1890", text(prose(noise, 40), "LAWS OF BOWLS", *pieces), laws)


@pytest.mark.parametrize(
    "label",
    [
        "{n})",
        "{n}°.",
        "No. {I}.--",
        "### {n}. The Court\n\n",
        "_{n}._",
        "={I}.=",
        "_{I}_.",
        "({I}.)",
        "{I}\n\n",
        "{n}—",
        "§ {I}.",
    ],
)
def test_labels_with_other_signs(label: str, tmp_path: Path) -> None:
    noise = random.Random(21)
    laws = numbered(noise, *range(1, 17))
    pieces = [f"{label.format(n=n, I=roman(int(n)).upper())} {words}" for n, words in laws]
    require(tmp_path / "hand-1890", text(prose(noise, 40), "LAWS OF BOWLS", *pieces), laws)


def test_acts_of_a_session_are_divisions_of_one_code(tmp_path: Path) -> None:
    noise = random.Random(22)
    laws: list[tuple[str, str]] = []
    pieces: list[str] = []
    for chapter, sections in enumerate([3, 1, 6, 2, 5, 4], 1):
        here = numbered(noise, *range(1, sections + 1))
        pieces += [f"CHAPTER {chapter}.", "AN ACT CONCERNING FERRIES.", "It is enacted as follows:"]
        pieces += [f"SECTION {n}. {words}" for n, words in here]
        laws += here
    plan = require(tmp_path / "hand-1842", text("ACTS OF THE ASSEMBLY", *pieces), laws)
    assert 'title = "Acts of the assembly"' in plan and 'slug = "ch-2"' in plan


def test_a_date_in_italics_is_no_heading(tmp_path: Path) -> None:
    noise = random.Random(23)
    laws = [(n, f"{words}\n\n_As amended, March 4, 1874._") for n, words in numbered(noise, *range(1, 17))]
    scan = text(prose(noise, 40), "STANDING RULES.", *(f"Rule {n}. {words}" for n, words in laws))
    require(tmp_path / "hand-1890", scan, [(n, "_As amended, March 4, 1874._") for n, _ in laws])


def test_headings_without_a_stop_in_a_single_line(tmp_path: Path) -> None:
    noise = random.Random(24)
    laws = numbered(noise, *range(1, 31))
    pieces = [prose(noise, 300), "LAWS OF BOSTON", *(f"{n}. {words}" for n, words in laws), "HINTS TO LEARNERS"]
    plan = require(tmp_path / "hand-1870", " ".join([*pieces, prose(noise, 300)]) + "\n", laws)
    assert 'title = "Laws of boston"' in plan


def test_a_heading_with_of_stands_between_laws(tmp_path: Path) -> None:
    noise = random.Random(25)
    laws = numbered(noise, *range(1, 31))
    pieces = [p for n, words in laws for p in (["Of the several summons."] * (n == "7") + [f"§ {n}. {words}"])]
    plan = require(tmp_path / "hand-1851", text("CODE OF CIVIL PROCEDURE.", *pieces), laws)
    assert 'title = "Code of civil procedure"' in plan


def test_the_first_label_below_an_article_stands_behind_its_own(tmp_path: Path) -> None:
    noise = random.Random(26)
    articles: list[tuple[str, str]] = []
    pieces: list[str] = []
    for article in range(1, 11):
        said = [prose(noise, 25) for _ in range(6)]
        paragraphs = [f"ART. {roman(article).upper()}. § 1. {said[0]}"]
        paragraphs += [f"§ {i}. {words}" for i, words in enumerate(said[1:], 2)]
        pieces += paragraphs
        articles.append((str(article), paragraphs[-1]))
    laws = numbered(noise, *range(1, 14))
    scan = text(prose(noise, 40), "CONSTITUTION.", *pieces, "BY-LAWS.", *(f"§ {n}. {words}" for n, words in laws))
    require(tmp_path / "hand-1860", scan, articles, laws)


def test_numbers_in_brackets_directly_below_a_heading(tmp_path: Path) -> None:
    noise = random.Random(27)
    laws = numbered(noise, *range(1, 14))
    pieces = [f"({roman(int(n))}.) {words}" for n, words in laws]
    require(tmp_path / "hand-1862", text(prose(noise, 40), "PROSPECTUS OF THE TOURNEY.", *pieces), laws)
    assert survey(text("PROSPECTUS OF THE TOURNEY.", prose(noise, 40), *pieces)).codes == ()


def test_short_codes_below_each_other_are_no_lists() -> None:
    noise = random.Random(28)
    first, second = numbered(noise, *range(1, 27)), numbered(noise, *range(1, 15))
    pieces = [f"{n}. {words}" for n, words in first], [f"{n}. {words}" for n, words in second]
    found = survey(text(prose(noise, 40), "FIFTEEN-BALL POOL.", *pieces[0], "PIN POOL.", *pieces[1])).codes
    assert [(code.heading, code.run.last) for code in found] == [("FIFTEEN-BALL POOL.", 26), ("PIN POOL.", 14)]


def test_an_article_whose_sections_are_misread_is_not_undivided() -> None:
    noise = random.Random(29)
    pieces: list[str] = []
    for article in range(1, 8):
        pieces.append(f"ARTICLE {roman(article).upper()}.")
        pieces += [f"Sec. {n}. {prose(noise, 20)}" for n in range(9 if article > 4 else 1, 14 if article > 4 else 6)]
    divided = survey(text("CONSTITUTION OF THE STATE.", *pieces)).codes[0].divisions
    assert not any(division.undivided for division in divided)


def test_a_number_that_lost_its_stop_is_one_of_the_others(tmp_path: Path) -> None:
    noise = random.Random(30)
    laws = numbered(noise, *range(1, 31))
    pieces = [f"{n}{'' if n in ('9', '17', '24') else '.'} {words}" for n, words in laws]
    require(tmp_path / "hand-1890", text(prose(noise, 40), "LAWS OF BOWLS", *pieces), laws)
