"""Labels that only their series proves: in the middle of a line, misread beyond reading, inserted between two."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from samples import make_book

from extract.edition import make_edition
from extract.errors import BookError
from extract.model import Unit

LAW = "The dealer who looks at the cards shall deal again."


def laws(tmp_path: Path, scan: str, label: str) -> list[Unit]:
    plan = f'[[part]]\ngrammar = "series"\n[[part.series]]\nlabel = "{label}"\n'
    book = make_book(tmp_path / "small-1850", scan, "lines", plan)
    return [u for u in make_edition(book).units if u.kind == "law"]


def printed(label: str, labels: list[str], *changes: tuple[str, str]) -> str:
    """Laws as they are printed; of these some words are read otherwise."""
    scan = "LAWS\n\n" + "".join(f"{label.replace('{n}', n)} {LAW}\n\n" for n in labels)
    for old, new in changes:
        assert old in scan
        scan = scan.replace(old, new)
    return scan


def upto(last: int, *without: int) -> list[str]:
    return [str(n) for n in range(1, last + 1) if n not in without]


def test_an_inserted_law_has_its_letter(tmp_path: Path) -> None:
    found = laws(tmp_path, printed("{n}.", ["1", "2", "2a", "2b", "3", "4"]), "{n}.")
    assert [u.id for u in found] == [f"small-1850/law-{n}" for n in ("1", "2", "2a", "2b", "3", "4")]
    assert [u.number for u in found][2] == "2a"


@pytest.mark.parametrize("label", ["{n}.", "§ {n}.", "Sec. {n}."])
def test_a_label_in_the_middle_of_a_line_is_proved_by_its_neighbours(tmp_path: Path, label: str) -> None:
    fifth = label.replace("{n}", "5")
    found = laws(tmp_path, printed(label, upto(8), (f"\n\n{fifth}", f" {fifth}")), label)
    assert [u.number for u in found] == upto(8)
    assert found[3].text.endswith("again.") and len(found[3].text) < 80


@pytest.mark.parametrize(
    ("label", "scan", "numbers"),
    [
        ("Rule {n}.", printed("Rule {n}.", ["1", "2", "2c", "3", "4"]), upto(4)),
        ("{n}.", printed("{n}.", upto(4), ("again.\n\n3.", "again. 3. Trumps.\n\n3.")), upto(4)),
        ("SEC. {n}.", printed("SEC. {n}.", upto(8), ("SEC. 3.", "sEC. 3."), ("SEC. 7.", "‘Sec. 7.")), upto(8)),
        ("SEC. {n}.", printed("SEC. {n}.", upto(123), ("SEC. 118.", "See. 8."), ("SEC. 119.", "SEC, .")), upto(123)),
        *(("SEC. {n}.|SEC. {n}", printed("SEC. {n}.", upto(69), ("\n\nSEC. 60.", f" {read}")), numbers)
          for read, numbers in (("SEC. Go.", upto(69)), ("SEC, 66.", upto(69)), ("SEC. xv.", upto(69, 60)))),
        ("Section {n}.|Sec. {n}.",
         printed("Section {n}.", upto(8), ("\n\nSection 5.", " Sec. S."), ("\n\nSection 6.", " Section G.")), upto(8)),
        *(("{n}.", printed("{n}.", upto(39, 33), ("\n34. ", f"\n{items}34. ")), upto(39, 33))
          for items in ("IV. He may.\n\n", "1. He may.\n\n2. He must.\n\n", "17. He may.\n\n", "At, He may.\n\n")),
        ("{n}.", printed("{n}.", ["1", "2", "3", "A", "5", "6"]), upto(6)),
        ("{n}.", printed("{n}.", ["1", "2", "3", "K", "5", "6"]), upto(6, 4)),
        ("{n}.", printed("{n}.", upto(28), ("24. The", "24..The"), ("25. ", "")), upto(28, 25)),
    ],
)  # fmt: skip
def test_what_is_a_label_and_what_is_none(tmp_path: Path, label: str, scan: str, numbers: list[str]) -> None:
    assert [u.number for u in laws(tmp_path, scan, label)] == numbers


def test_a_word_that_labels_is_enough_where_one_number_is_missing(tmp_path: Path) -> None:
    found = laws(tmp_path, printed("SEC. {n}.", upto(8), ("SEC. 6.", "SEC. 306.")), "SEC. {n}.")
    assert [u.id.split("/")[1] for u in found] == [f"sec-{n}" for n in upto(8)]
    assert found[5].confidence < 0.9


def test_a_label_that_is_read_as_the_next_one_is_left(tmp_path: Path) -> None:
    scan = printed("{n}.", upto(39, 30), ("\n32. ", "\n31. "))
    assert not any(u.text.startswith("30. ") for u in laws(tmp_path, scan, "{n}."))


def test_a_list_within_a_law_does_not_number_laws(tmp_path: Path) -> None:
    found = laws(tmp_path, printed("{n}.", ["1", "2", *upto(6), "3", "4", "5", "6", "7", "8"]), "{n}.")
    assert [u.number for u in found] == upto(8)
    assert len(found[1].text) > 6 * len(LAW), "the list is the law's"


def test_letters_label_paragraphs(tmp_path: Path) -> None:
    items = "(a) If a card is faced;\n\n(b) If a card is dropped.\n\n"
    scan = f"LAWS\n\n1. There is a misdeal:\n\n{items}2. It ends.\n\n3. It goes on.\n"
    plan = '[[part]]\ngrammar = "series"\n[[part.series]]\nlabel = "{n}."\nsubdivisions = ["({a})"]\n'
    units = make_edition(make_book(tmp_path / "small-1850", scan, "lines", plan)).units
    assert [(u.id.split("/", 1)[1], u.text) for u in units if u.kind == "subclause"] == [
        ("law-1/a", "(a) If a card is faced;"),
        ("law-1/b", "(b) If a card is dropped."),
    ]


@pytest.mark.parametrize(
    ("label", "scan", "seen"),
    [
        ("Rule {n}.", printed("Art. {n}.", ["1", "2", "3"]), "Art. 1., Art. 2."),
        ("{n}.", printed("{n}.", ["I", "II", "III", "IV", "V"]), "I., II., III."),
    ],
)
def test_a_series_that_finds_nothing_says_what_it_saw(tmp_path: Path, label: str, scan: str, seen: str) -> None:
    with pytest.raises(BookError, match=re.escape(f"label like '{label}'; labels seen there are {seen}")):
        laws(tmp_path, scan, label)


def test_what_a_plan_skips_is_furniture(tmp_path: Path) -> None:
    scan = f"A header of the e-text.\n\nLAWS\n\n1. {LAW}\n\n2. {LAW}\n\nTHE END\n\nA licence, with 3. a number.\n"
    series = '[[part]]\nbegins = "LAWS"\ngrammar = "series"\n[[part.series]]\nlabel = "{n}."\n'
    plan = f'[[part]]\ngrammar = "skip"\n{series}[[part]]\nbegins = "THE END"\ngrammar = "skip"\n'
    edition = make_edition(make_book(tmp_path / "small-1850", scan, "lines", plan))
    assert not any("e-text" in u.text or "licence" in u.text for u in edition.units)
    gone = [e.before for e in edition.edits if e.rule == "furniture.left-out"]
    assert gone == ["A header of the e-text.", "THE END\n\nA licence, with 3. a number."]


@pytest.mark.parametrize(
    ("read", "number", "begins"),
    [
        *((f"{read} ", number, "") for read, number in (
            ("88,", 33), ("33:The", 33), ("4B.", 34), ("ju.", 32), ("$4", 34), ("s7", 37), (".", 23), ("2§..", 25))),
        *((f"{read} ", 30, begins) for read, begins in (
            ("40.", "30. "), ("30:", "30. "), ("30", "30"), ("3.", "30. "))),
        ("s7elf a", 57, "57. "),
    ],
)  # fmt: skip
def test_figures_misread_beyond_reading_are_proved_by_their_neighbours_and_mended(
    tmp_path: Path, read: str, number: int, begins: str
) -> None:
    printed_so = f"\n{number}. The" if read == "s7elf a" else f"\n{number}. "
    found = laws(tmp_path, printed("{n}.", upto(59 if number > 39 else 39), (printed_so, f"\n{read}")), "{n}.")
    assert [u.number for u in found] == upto(len(found))
    assert found[number - 1].text.startswith(begins) and len(found) in (39, 59)


@pytest.mark.parametrize("stop", [".", ","])
@pytest.mark.parametrize("title", ["Of the Deal,", "Of the Deal.", "_Of the Deal._", "The Revoke."])
def test_a_heading_whose_stop_is_misread_is_not_swallowed(tmp_path: Path, title: str, stop: str) -> None:
    scan = printed("{n}.", upto(4)).replace("again.\n\n3. ", f"again{stop}\n\n{title}\n\n3. ")
    assert [u.text[-6:] for u in laws(tmp_path, scan, "{n}.")] == ["again.", f"again{stop}", "again.", "again."]
