"""Survey of a scan without a plan: numberings and codes are found even if labels are misread; each law is a unit."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from etexts import HEADS, added, etext, numbered, page, require_whole, said
from samples import CLUB, broken, edition_of, prose, sheets

from extract.segment.outline import working_text
from extract.survey.labels import sightings
from extract.survey.numberings import find_numberings
from extract.survey.survey import survey


def labelled(*numbers: int, label: str = "{n}.") -> str:
    return "".join(f"{label.format(n=n)} The dealer deals.\n\n" for n in numbers)


FIRST = labelled(*(n for n in range(1, 43) if n != 10))
SECOND = labelled(*(n for n in range(1, 59) if n not in (8, 9, 14, 15, 20, 25, 26, 31)))
THIRD = (
    f"{labelled(*range(1, 50))}1. Of a list.\n\n{labelled(50, 51, 52, 53)}l. The dealer.\n\n{labelled(*range(2, 67))}"
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (labelled(*range(1, 6), 1, 2, 3, 4, *range(6, 13)), [("{n}.", 1, 4), ("{n}.", 1, 12)]),
        (labelled(*range(1, 31), *range(1, 61)), [("{n}.", 1, 30), ("{n}.", 1, 60)]),
        (labelled(*(n for n in range(1, 15) if n not in (4, 9)), label="Art. {n}."), [("Art. {n}.", 1, 14)]),
        (labelled(*range(1, 9), label="Page {n}."), []),
        (FIRST + SECOND, [("{n}.", 1, 42), ("{n}.", 1, 58)]),
        (THIRD, [("{n}.", 1, 53), ("{n}.", 2, 66)]),
    ],
    ids=["a list within a law", "two codes", "missing labels", "pages", "two codes with numbers lost",
         "the first item of a list"],
)  # fmt: skip
def test_separates_runs_of_numbers(text: str, found: list[tuple[str, int, int]]) -> None:
    runs = find_numberings(sightings(working_text(text, (), (), "lines")))
    assert sorted((r.labels[0].template, r.labels[0].number, r.last) for r in runs if len(r.labels) > 2) == found


def test_inserted_law_belongs_to_the_code_that_ends_with_its_number() -> None:
    work = working_text(f"{FIRST}{SECOND}58a. The dealer.\n", (), (), "lines")
    assert [(run.last, x.letter) for run in find_numberings(sightings(work)) for x in run.inserted] == [(58, "a")]


def headed(*heads: str) -> dict[int, str]:
    """Headings above every sixth law."""
    return {1 + 6 * i: head for i, head in enumerate(heads)}


TITLED = headed("The Rubber.", "Scoring.", "Cutting Out.", "Shuffling.", "The Deal.")
SLANTED = {number: f"_{head}_" for number, head in TITLED.items()}
WRAPPED, PARAGRAPHS, HANGING = {"width": 70}, {"width": 1000}, {"indent": "    "}


@pytest.mark.parametrize(
    ("first", "second", "style"),
    [
        (("THE LAWS OF WHIST", "{n}.", headed(*HEADS)), ("RULES OF LOO", "({n})", {}), PARAGRAPHS),
        (("RULES OF THE CLUB", "§ {n}.", TITLED), ("BY-LAWS", "SEC. {n}.", {}), HANGING),
        (("ARTICLES", "Art. {I}.", {}), ("LAWS OF CHESS", "Rule {n}.", SLANTED), WRAPPED),
        (("THE CODE", "LAW {n}\n\n", headed(*HEADS)), ("REGULATIONS", "_{n}._", {}), PARAGRAPHS),
        (("LAWS OF LOO", "{n}.--", {}), ("RULES", "{I}.", {}), HANGING),
    ],
)
def test_finds_all_laws_of_both_codes_complete(
    tmp_path: Path, first: tuple[str, str, dict[int, str]], second: tuple[str, str, dict[int, str]], style: Any
) -> None:
    codes = {n: said() for n in range(1, 39)}, {n: said() for n in range(1, 26)}
    printed = [
        [title, *numbered(laws, label, heads)]
        for (title, label, heads), laws in zip((first, second), codes, strict=True)
    ]
    require_whole(tmp_path / "hand-1875", page(*etext(*printed), **style), *codes)


def test_finds_laws_with_items_and_inserted_laws(tmp_path: Path) -> None:
    laws = [said() if n % 7 else f"{said()} (a) {said(9)} (b) {said(9)}" for n in range(1, 31)]
    body = numbered([law.replace(" (", "\n\n(") for law in laws], "{n}.")
    laws.insert(16, said())
    body.insert(16, f"16a. {laws[16]}")
    found, _ = added(tmp_path / "hand-1875", page(*etext(["LAWS OF LOO", *body])))
    assert [number for number, _ in found[0]] == [*map(str, range(1, 17)), "16a", *map(str, range(17, 31))]
    assert all(text.endswith(law[-40:]) for (_, text), law in zip(found[0], laws, strict=True))


def test_plan_is_short_and_skips_header_and_licence(tmp_path: Path) -> None:
    laws = [said() for _ in range(40)]
    code = ["THE LAWS OF WHIST", *numbered(laws, "{n}.", headed(*HEADS))]
    plan = require_whole(tmp_path / "hand-1875", page(*etext(code)), laws)
    assert plan.count("[[code]]") == plan.count("[[part.series]]") == 1, "a numbered list of a chapter is no code"
    assert plan.count('grammar = "skip"') == 2
    assert 'begins = "THE LAWS OF WHIST"' in plan, "the list of contents has the title otherwise"
    assert len(plan.splitlines()) < 50


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
    """The units, edits and pages of a small book with the given line end, with offsets converted to those with LF."""
    scan, cut = (text.replace("\n", end) for text in (PLAIN, "the play-\ner"))
    made = edition_of(folder / "small", scan, PLAN, errata=READING.format(at=scan.index(cut), scan=json.dumps(cut)))

    def lf(at: int) -> int:
        return at - scan.count("\r", 0, at)

    edits = [(lf(e.raw_start), lf(e.raw_end), e.after, e.rule) for e in made.edits if e.before != e.after]
    return (
        [(u.id, lf(u.raw_start), lf(u.raw_end), u.page, u.text) for u in made.units],
        # Two line ends as one blank need an edit with LF, where they would part paragraphs, but not with CRLF.
        [e for e in edits if PLAIN[e[0] : e[1]] != e[2] and (e[2], e[3]) != (" ", "space.blank")],
        [(lf(p.raw_start), p.folio, p.status) for p in made.pages],
    )


def test_edition_is_the_same_with_either_line_end(tmp_path: Path) -> None:
    units, edits, pages = edition(tmp_path / "lf", "\n")
    assert (units, edits, pages) == edition(tmp_path / "crlf", "\r\n")
    assert "the player who does not" in str(units) and edits and len(pages) > 1


def word_misread(n: int) -> str:
    word = {1: "SEG.", 3: "See,", 5: "SEC,"}.get(n % 7, "SEC.")
    return f"{word} {n}{',' if n % 3 else '.'}"


@pytest.mark.parametrize("label", [lambda n: f"{n}," if n % 2 else f"{n}.", word_misread], ids=["stops", "words"])
def test_finds_two_codes_with_misread_labels_complete(tmp_path: Path, label: Callable[[int], str]) -> None:
    first, second = [said() for _ in range(40)], [said() for _ in range(26)]
    laws, rules = ([f"{label(n)} {text}" for n, text in enumerate(texts, 1)] for texts in (first, second))
    scan = page(said(), "THE LAWS OF WHIST.", *laws, "RULES OF THE CLUB.", *rules, "OF THE LEAD.", said(), width=66)
    require_whole(tmp_path / "hand-1875", scan, first, second)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1. It is. \n\n2. He deals. \n\n3. He leads on the fourth\n4, the fifth he\n5, The sixth. \n", [1, 2, 3]),
        ("4, The dealer deals.\n\n5, He leads.\n\n6, He cuts.\n", []),
        ("(a) It is.\n\n(b) He deals.\n", [1, 2]),
        ("Article I. It is.\n\nArticle II. He deals.\n", [1, 2]),
    ],
    ids=["commas within a paragraph", "commas without other labels", "letters", "a roman numeral after a word"],
)
def test_letters_and_numerals_are_labels_and_numbers_with_a_comma_are_not(text: str, numbers: list[int]) -> None:
    assert [s.number for s in sightings(working_text(text, (), (), "lines"))] == numbers


def test_heading_names_the_numbering_below_it() -> None:
    listed = ["ETIQUETTE OF WHIST", *(f"{n}. {said()}" for n in (1, 2)), "Dummy", f"1. {said()}"]
    laws = [f"{n}. {said()}" for n in range(1, 31)]
    assert [c.heading for c in survey(page(said(), *listed, "THE GAME", *laws)).codes] == ["THE GAME"]


def test_list_in_the_first_law_does_not_take_the_heading_of_the_code() -> None:
    laws = [f"{n}. {said()}" for n in range(1, 9)]
    laws[1:1] = [f"1. {said()}", f"11. {said()}"]
    (found,) = survey(page(said(), "LAWS OF WHIST", *laws, "OF THE LEAD.", said())).codes
    assert (found.heading, found.run.last) == ("LAWS OF WHIST", 8)
