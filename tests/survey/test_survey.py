"""A scan that nobody described: its numberings and codes are found, though labels are misread; each law is a unit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from etexts import HEADS, SLANTED, TITLED, EditedText, PrintedCode, added, etext, page, said
from samples import CLUB, broken, make_book, prose, sheets

from extract.edition import make_edition
from extract.segment.outline import working_text
from extract.survey.labels import sightings
from extract.survey.numberings import find_numberings
from extract.survey.survey import Survey, survey

WHIST = PrintedCode("THE LAWS OF WHIST", "{n}.", 40, HEADS)


def runs(text: str) -> list[tuple[str, int, int, int]]:
    """The runs of a text: the first label's template, first and last number, count."""
    work = working_text(text, (), (), "lines")
    return [(r.labels[0].template, r.first, r.last, len(r.labels)) for r in find_numberings(sightings(work))]


def lines(*labels: str) -> str:
    return "".join(f"{label} The dealer deals.\n\n" for label in labels)


@pytest.mark.parametrize("label", ["{n}.", "§ {n}.", "SEC. {n}.", "Rule {n}.", "({n})", "_{n}._", "{n}.--", "LAW {n}."])
def test_a_run_is_found_however_it_is_labelled(label: str) -> None:
    ((_, first, last, count),) = runs(lines(*(label.replace("{n}", str(n)) for n in range(1, 21))))
    assert (first, last, count) == (1, 20, 20)


@pytest.mark.parametrize(
    ("label", "numbers", "found"),
    [
        ("{n}.", [*range(1, 6), 1, 2, 3, 4, *range(6, 13)], [("{n}.", 1, 4, 4), ("{n}.", 1, 12, 12)]),
        ("{n}.", [*range(1, 9), *range(1, 31)], [("{n}.", 1, 8, 8), ("{n}.", 1, 30, 30)]),
        ("{n}.", [*range(1, 31), *range(1, 61)], [("{n}.", 1, 30, 30), ("{n}.", 1, 60, 60)]),
        ("Art. {n}.", [n for n in range(1, 15) if n not in (4, 9)], [("Art. {n}.", 1, 14, 12)]),
        ("Page {n}.", [*range(1, 9)], []),
    ],
    ids=["a list within a law", "a list of contents", "two codes", "a label that was not seen", "pages"],
)
def test_runs_of_numbers_are_told_apart(label: str, numbers: list[int], found: list[tuple[str, int, int, int]]) -> None:
    assert sorted(runs(lines(*(label.format(n=n) for n in numbers)))) == found


PRINTED = {
    "plain": (WHIST, PrintedCode("LAWS OF BRIDGE", "{n}.", 25, item="(#)")),
    "sections": (PrintedCode("RULES OF THE CLUB", "§ {n}.", 30, TITLED), PrintedCode("BY-LAWS", "SEC. {n}.", 20)),
    "articles": (PrintedCode("ARTICLES", "Art. {I}.", 38), PrintedCode("LAWS OF CHESS", "Rule {n}.", 33, SLANTED)),
    "inserted": (PrintedCode("THE LAWS OF WHIST", "{n}.", 40, inserted=True), PrintedCode("RULES OF LOO", "({n})", 24)),
    "alone": (PrintedCode("THE CODE", "LAW {n}", 26, HEADS, alone=True), PrintedCode("REGULATIONS", "_{n}._", 22)),
    "dashes": (PrintedCode("LAWS OF LOO", "{n}.--", 30, inserted=True), PrintedCode("RULES", "{I}.", 28, item="(#)")),
}  # fmt: skip


@pytest.mark.parametrize("style", ["wrapped", "paragraphs", "hanging"])
@pytest.mark.parametrize("name", PRINTED)
def test_all_laws_of_both_codes_are_found_and_whole(tmp_path: Path, name: str, style: str) -> None:
    made = etext(PRINTED[name], style, "numbered" if style == "wrapped" else "plain")
    found, _ = added(tmp_path / "hand-1875", made)
    for laws, printed in zip(found, made.laws, strict=True):
        assert [number for number, _ in laws] == [number for number, _ in printed]
        for (_, text), (number, words) in zip(laws, printed, strict=True):
            assert text.endswith(words[-40:]) and len(text) < len(words) + 20, number


def test_a_numbered_list_of_a_chapter_is_no_code(tmp_path: Path) -> None:
    _, plan = added(tmp_path / "hand-1875", etext((WHIST,), contents="numbered"))
    assert plan.count("[[code]]") == plan.count("[[part.series]]") == 1


def test_the_plan_is_short_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    _, plan = added(tmp_path / "hand-1875", etext((WHIST,)))
    assert plan.count('grammar = "skip"') == 2
    assert 'begins = "THE LAWS OF WHIST"' in plan, "the list of contents has the title otherwise"
    assert len(plan.splitlines()) < 50


CODES = {
    "plain": PrintedCode("THE LAWS OF WHIST", "{n}.", 30, HEADS),
    "sections": PrintedCode("RULES OF THE CLUB", "§ {n}.", 30, TITLED),
    "rules": PrintedCode("LAWS OF CHESS", "Rule {n}.", 30, SLANTED),
    "alone": PrintedCode("THE CODE", "LAW {n}", 30, HEADS, alone=True),
    "bracketed": PrintedCode("RULES OF LOO", "({n})", 30),
    "bare": PrintedCode("THE LAWS OF WHIST", "{n}", 30),
}


def told(found: Survey) -> object:
    """What a survey tells, without offsets into the scan."""
    labels = [[(label.number, label.template) for label in run.labels] for run in found.numberings]
    return (
        found.layout,
        found.work.text,
        labels,
        [code.run.first for code in found.codes],
        found.taken_out,
        found.folios,
    )


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("style", ["wrapped", "paragraphs"])
def test_a_survey_finds_the_same_with_either_line_end(name: str, style: str) -> None:
    text = etext((CODES[name],), style=style).text
    assert told(survey(text.replace("\n", "\r\n"))) == told(survey(text))


READING = """[[reading]]
at = {at}
scan = {scan}
read = "the player"
kind = "ocr"
reason = "as printed"
"""


LAWS = "\n\n".join(f"{n}. The player who revokes, and the play-\ner who does not, pay." for n in range(1, 13))
NOTES = "\n\n".join(f"[{n}] " + "\n".join(broken(prose(Random(n), 120))) for n in range(1, 9))
PLAIN = f"{sheets(6, seed=3).scan}\n\n{NOTES}\n\nWHIST LAWS\n\n{LAWS}\n"
PLAN = CLUB.replace("[[part]]", '[[part]]\nid = "text"\nbegins = ""\ngrammar = "paragraphs"\n[[part]]', 1)


def edition(folder: Path, end: str) -> tuple[list[object], list[object], list[object]]:
    """The units, edits and pages of a small book with some line end; offsets are those it would have with LF."""
    scan, cut = (text.replace("\n", end) for text in (PLAIN, "the play-\ner"))
    errata = READING.format(at=scan.index(cut), scan=json.dumps(cut))
    made = make_edition(make_book(folder / "small", scan, "lines", PLAN, errata))
    assert made.scan == scan
    assert all(scan[e.raw_start : e.raw_end] == e.before for e in made.edits)

    def lf(at: int) -> int:
        return at - scan.count("\r", 0, at)

    edits = [(lf(e.raw_start), lf(e.raw_end), e.after, e.rule) for e in made.edits if e.before != e.after]
    return (
        [(u.id, lf(u.raw_start), lf(u.raw_end), u.page, u.text) for u in made.units],
        [e for e in edits if PLAIN[e[0] : e[1]] != e[2]],
        [(lf(p.raw_start), p.folio, p.status) for p in made.pages],
    )


def test_an_edition_is_the_same_with_either_line_end(tmp_path: Path) -> None:
    units, edits, pages = edition(tmp_path / "lf", "\n")
    assert (units, edits, pages) == edition(tmp_path / "crlf", "\r\n")
    assert "the player who does not" in str(units) and edits and len(pages) > 1


def spoken() -> str:
    """Words without a capital but the first."""
    return said().capitalize()


def code(title: str, label: Callable[[int], str], last: int) -> tuple[list[str], list[str]]:
    """A code as printed, and its laws."""
    laws = [spoken() for _ in range(last)]
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
    scan = page(spoken(), *first, *second, "OF THE LEAD.", spoken(), width=66)
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
    listed = ["ETIQUETTE OF WHIST", *(f"{n}. {spoken()}" for n in (1, 2)), "Dummy", f"1. {spoken()}"]
    laws = [f"{n}. {spoken()}" for n in range(1, 31)]
    found = survey(page(spoken(), *listed, "THE GAME", *laws)).codes
    assert [c.heading for c in found] == ["THE GAME"]


def test_a_list_in_the_first_law_does_not_take_the_heading_from_the_code() -> None:
    laws = [f"{n}. {spoken()}" for n in range(1, 9)]
    laws[1:1] = [f"1. {spoken()}", f"11. {spoken()}"]
    (found,) = survey(page(spoken(), "LAWS OF WHIST", *laws, "OF THE LEAD.", spoken())).codes
    assert (found.heading, found.run.last) == ("LAWS OF WHIST", 8)
