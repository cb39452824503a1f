"""Labels that only their series proves: in the middle of a line, misread beyond reading, inserted between two."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book

from extract.edition import make_edition
from extract.errors import BookError
from extract.model import Unit

LAW = "The dealer who looks at the cards shall deal again."


def laws(tmp_path: Path, scan: str, label: str, more: str = "") -> list[Unit]:
    plan = f'[[part]]\ngrammar = "series"\n[[part.series]]\nlabel = "{label}"\n{more}'
    book = make_book(tmp_path / "small-1850", scan, "lines", plan)
    return [u for u in make_edition(book).units if u.kind == "law"]


def printed(label: str, labels: list[str]) -> str:
    return "LAWS\n\n" + "".join(f"{label.replace('{n}', n)} {LAW}\n\n" for n in labels)


def test_an_inserted_law_has_its_letter(tmp_path: Path) -> None:
    found = laws(tmp_path, printed("{n}.", ["1", "2", "2a", "2b", "3", "4"]), "{n}.")
    assert [u.id for u in found] == [f"small-1850/law-{n}" for n in ("1", "2", "2a", "2b", "3", "4")]
    assert [u.number for u in found][2] == "2a"


def test_a_letter_that_does_not_follow_is_no_law(tmp_path: Path) -> None:
    found = laws(tmp_path, printed("Rule {n}.", ["1", "2", "2c", "3", "4"]), "Rule {n}.")
    assert [u.number for u in found] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("label", ["{n}.", "§ {n}.", "Sec. {n}."])
def test_a_label_in_the_middle_of_a_line_is_proved_by_its_neighbours(tmp_path: Path, label: str) -> None:
    scan = printed(label, [str(n) for n in range(1, 9)]).replace(
        f"\n\n{label.replace('{n}', '5')}", f" {label.replace('{n}', '5')}"
    )
    found = laws(tmp_path, scan, label)
    assert [u.number for u in found] == [str(n) for n in range(1, 9)]
    assert found[3].text.endswith("again.")
    assert len(found[3].text) < 80


def test_a_number_in_the_middle_of_a_line_that_is_in_its_place_anyhow_is_text(tmp_path: Path) -> None:
    scan = printed("{n}.", ["1", "2", "3", "4"]).replace(
        "shall deal again.\n\n3.", "shall deal again. 3. Trumps.\n\n3."
    )
    found = laws(tmp_path, scan, "{n}.")
    assert [u.number for u in found] == ["1", "2", "3", "4"]


def test_a_word_that_labels_is_enough_where_one_number_is_missing(tmp_path: Path) -> None:
    scan = printed("SEC. {n}.", [str(n) for n in range(1, 9)]).replace("SEC. 6.", "SEC. 306.")
    found = laws(tmp_path, scan, "SEC. {n}.")
    assert [u.number for u in found] == [str(n) for n in range(1, 9)]
    assert found[5].confidence < 0.9


def test_small_and_large_capitals_are_one_word(tmp_path: Path) -> None:
    scan = (
        printed("SEC. {n}.", [str(n) for n in range(1, 9)]).replace("SEC. 3.", "sEC. 3.").replace("SEC. 7.", "‘Sec. 7.")
    )
    assert [u.id.split("/")[1] for u in laws(tmp_path, scan, "SEC. {n}.")] == [f"sec-{n}" for n in range(1, 9)]


def test_a_list_within_a_law_does_not_number_laws(tmp_path: Path) -> None:
    numbers = ["1", "2", *map(str, range(1, 7)), "3", "4", "5", "6", "7", "8"]
    found = laws(tmp_path, printed("{n}.", numbers), "{n}.")
    assert [u.number for u in found] == [str(n) for n in range(1, 9)]
    assert len(found[1].text) > 6 * len(LAW), "the list is the law's"


def test_letters_label_paragraphs(tmp_path: Path) -> None:
    items = "(a) If a card is faced;\n\n(b) If a card is dropped.\n\n"
    scan = f"LAWS\n\n1. There is a misdeal:\n\n{items}2. It ends.\n\n3. It goes on.\n"
    book = make_book(
        tmp_path / "small-1850", scan, "lines",
        '[[part]]\ngrammar = "series"\n[[part.series]]\nlabel = "{n}."\nsubdivisions = ["({a})"]\n',
    )  # fmt: skip
    found = [(u.id.split("/", 1)[1], u.text) for u in make_edition(book).units if u.kind == "subclause"]
    assert found == [("law-1/a", "(a) If a card is faced;"), ("law-1/b", "(b) If a card is dropped.")]


def test_a_series_that_finds_nothing_says_what_it_saw(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"label like 'Rule \{n\}\.'; labels seen there are Art\. 1\., Art\. 2\."):
        laws(tmp_path, printed("Art. {n}.", ["1", "2", "3"]), "Rule {n}.")


def test_a_series_that_misreads_labels_of_another_kind_says_what_it_saw(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"label like '\{n\}\.'; labels seen there are I\., II\., III\."):
        laws(tmp_path, printed("{n}.", ["I", "II", "III", "IV", "V"]), "{n}.")


def test_a_heading_in_small_letters_is_not_swallowed(tmp_path: Path) -> None:
    scan = (
        printed("{n}.", ["1", "2", "3", "4"])
        .replace("3. ", "_Of the Deal._\n\n3. ")
        .replace("4. ", "The Revoke.\n\n4. ")
    )
    assert all(u.text.endswith("again.") for u in laws(tmp_path, scan, "{n}."))


def test_what_a_plan_skips_is_furniture(tmp_path: Path) -> None:
    scan = f"A header of the e-text.\n\nLAWS\n\n1. {LAW}\n\n2. {LAW}\n\nTHE END\n\nA licence, with 3. a number.\n"
    series = '[[part]]\nbegins = "LAWS"\ngrammar = "series"\n[[part.series]]\nlabel = "{n}."\n'
    plan = f'[[part]]\ngrammar = "skip"\n{series}[[part]]\nbegins = "THE END"\ngrammar = "skip"\n'
    edition = make_edition(make_book(tmp_path / "small-1850", scan, "lines", plan))
    assert not any("e-text" in u.text or "licence" in u.text for u in edition.units)
    gone = [e.before for e in edition.edits if e.rule == "furniture.left-out"]
    assert gone == ["A header of the e-text.", "THE END\n\nA licence, with 3. a number."]


@pytest.mark.parametrize(
    ("read", "number"),
    [
        ("88,", 33),
        ("33:The", 33),
        ("4B.", 34),
        ("ju.", 32),
        ("$4", 34),
        ("s7", 37),
        (".", 23),
        ("2§..", 25),
    ],
)
def test_figures_misread_beyond_reading_are_proved_by_their_neighbours(tmp_path: Path, read: str, number: int) -> None:
    labels = [str(n) for n in range(1, 40)]
    found = laws(tmp_path, printed("{n}.", labels).replace(f"\n{number}. ", f"\n{read} "), "{n}.")
    assert [u.number for u in found] == labels


@pytest.mark.parametrize(
    "items", ["IV. He may.\n\n", "1. He may.\n\n2. He must.\n\n", "17. He may.\n\n", "At, He may.\n\n"]
)
def test_an_item_is_not_the_law_that_is_missing(tmp_path: Path, items: str) -> None:
    labels = [str(n) for n in range(1, 40) if n != 33]
    found = laws(tmp_path, printed("{n}.", labels).replace("\n34. ", f"\n{items}34. "), "{n}.")
    assert [u.number for u in found] == labels


def test_misread_words_are_labels_where_as_many_are_missing(tmp_path: Path) -> None:
    labels = [str(n) for n in range(1, 124)]
    scan = printed("SEC. {n}.", labels).replace("SEC. 118.", "See. 8.").replace("SEC. 119.", "SEC, .")
    assert [u.number for u in laws(tmp_path, scan, "SEC. {n}.")] == labels


@pytest.mark.parametrize(("read", "is_label"), [("SEC. Go.", True), ("SEC, 66.", True), ("SEC. xv.", False)])
def test_a_misread_number_in_the_middle_of_a_line(tmp_path: Path, read: str, is_label: bool) -> None:
    labels = [str(n) for n in range(1, 70)]
    scan = printed("SEC. {n}.", labels).replace("\n\nSEC. 60.", f" {read}")
    found = laws(tmp_path, scan, "SEC. {n}.|SEC. {n}")
    assert [u.number for u in found] == [n for n in labels if is_label or n != "60"]


def test_misread_labels_in_two_spellings_are_taken_in_the_order_of_the_text(tmp_path: Path) -> None:
    scan = printed("Section {n}.", [str(n) for n in range(1, 9)])
    scan = scan.replace("\n\nSection 5.", " Sec. S.").replace("\n\nSection 6.", " Section G.")
    found = laws(tmp_path, scan, "Section {n}.|Sec. {n}.")
    assert [u.number for u in found] == [str(n) for n in range(1, 9)]


def test_a_label_run_together_with_its_word_is_parted_from_it(tmp_path: Path) -> None:
    labels = [str(n) for n in range(1, 60)]
    scan = printed("{n}.", labels).replace("\n57. The", "\ns7elf a")
    found = laws(tmp_path, scan, "{n}.")
    assert [u.number for u in found] == labels
    assert found[56].text.startswith("57. ")


@pytest.mark.parametrize("read", ["40.", "30:", "30", "3."])
def test_a_label_is_mended_where_its_number_alone_fits(tmp_path: Path, read: str) -> None:
    labels = [str(n) for n in range(1, 40)]
    found = laws(tmp_path, printed("{n}.", labels).replace("\n30. ", f"\n{read} "), "{n}.")
    assert [u.number for u in found] == labels
    assert found[29].text.startswith("30" if read == "30" else "30. ")


@pytest.mark.parametrize("title", ["Of the Deal,", "Of the Deal."])
def test_a_heading_whose_stop_is_misread_is_not_swallowed(tmp_path: Path, title: str) -> None:
    scan = printed("{n}.", ["1", "2", "3", "4"]).replace("again.\n\n3. ", f"again,\n\n{title}\n\n3. ")
    assert [u.text[-6:] for u in laws(tmp_path, scan, "{n}.")] == ["again.", "again,", "again.", "again."]


def test_a_label_that_is_read_as_the_next_one_is_left(tmp_path: Path) -> None:
    labels = [str(n) for n in range(1, 40) if n != 30]
    scan = printed("{n}.", labels).replace("\n32. ", "\n31. ")
    assert not any(u.text.startswith("30. ") for u in laws(tmp_path, scan, "{n}."))


def test_a_letter_that_is_like_the_one_figure_due_is_its_label(tmp_path: Path) -> None:
    scan = printed("{n}.", ["1", "2", "3", "A", "5", "6"])
    assert [u.number for u in laws(tmp_path, scan, "{n}.")] == ["1", "2", "3", "4", "5", "6"]
    assert [u.number for u in laws(tmp_path, scan.replace("A.", "K."), "{n}.")] == ["1", "2", "3", "5", "6"]


def test_a_number_that_is_due_is_a_label_though_the_next_is_lost(tmp_path: Path) -> None:
    scan = printed("{n}.", [str(n) for n in range(1, 29)]).replace("24. The", "24..The").replace("25. ", "")
    found = [u.number for u in laws(tmp_path, scan, "{n}.")]
    assert found == [str(n) for n in range(1, 29) if n != 25]
