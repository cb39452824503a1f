"""Labels of numbered units: where one may occur, which numbers a series gives, and labels only the series confirms."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from samples import edition_of

from extract.errors import BookError, EditError
from extract.model import Page, Unit
from extract.segment.labels import unit_labels
from extract.segment.outline import working_text
from extract.text.source import Layout


def marks(scan: str, label: str, layout: Layout = "lines", **how: Any) -> list[tuple[int, str]]:
    """The numbers of a series, with their labels."""
    work = working_text(scan, (), (Page(0, 0, len(scan), "1", "printed"),), layout)
    found = unit_labels(work, 0, len(work.text), label, **how)
    return [(m.number, work.text[m.start : m.end].strip()) for m in found]


def laws(*labels: str) -> str:
    return "".join(f"{label} The player who has the lead \nmay not look at the last trick. \n\n" for label in labels)


def counted(label: str, first: int, last: int) -> list[str]:
    return [label.format(n) for n in range(first, last + 1)]


MISREAD = [
        *(([*read, "6.", "7.", "8."], "{n}.", [*range(1, 9)]) for read in (
            ["1.", "2.", "3.", "4.", "5."], ["i.", "2.", "3.", "4.", "5."], ["1.", "2.", "3.", "4.", "S."],
            ["1.", "2,", "3-", "4", "5 ."], ["l.", "2.", "3.", "4.", "5."])),
        ([*counted("{}.", 1, 9), "lo.", "n.", "i2.", "1 3.", "14.", "i5.", "16.", "1 7 ."], "{n}.", [*range(1, 18)]),
        (["I.", "II.", "HI.", "IV.", "Y.", "VI."], "{I}.", [1, 2, 3, 4, 5, 6]),
        (["2."], "{n}.", [2]),
        (["1.—", "2.—", "3.—"], "{n}.--", [1, 2, 3]),
        (["1.", "2.", "4."], "{n}.", [1, 2, 4]),
        (["1.", "2.", "3.", "5."], "{n}.", [1, 2, 3, 5]),
        (["By-law 1.", "BY-LAW 2.", "By-law 3."], "By-law {n}.", [1, 2, 3]),
        (["1.", "2.", "8.", "4.", "5.", "1.", "2."], "{n}.", [1, 2, 3, 4, 5]),
        *((["SEC. 1.", "SEC. 2.", read, "SEC. 4.", "SEC. 5."], "SEC. {n}.", [1, 2, 3, 4, 5]) for read in (
            "SEC, 3,", "SEG. 3.", "SEC; }.", "~ SEC. 3.")),
]  # fmt: skip
GAME = "THE GAME. I. A game is seven points. 2. Honors are not counted. SCORING. 3. Each trick counts one. 4. The end."
UPTO_116 = "".join(f"Article {n}. \nText. \n\n" for n in range(1, 117))
ALONE = {"alone": True}


@pytest.mark.parametrize(
    ("scan", "label", "how", "found"),
    [
        *((laws(*labels), label, {}, found) for labels, label, found in MISREAD),
        ("1. See law 2. It holds. \n\n2. A second law. \n", "{n}.", {}, [1, 2]),
        ("Article 1. \nFirst. \n\nArticlo 2. \nSecond. \n\nArticle 3. \nThird. \n", "Article {n}.", ALONE, [1, 2, 3]),
        *((f"{UPTO_116}{read}\nText. \n\nArticle 118. \nText. \n", "Article {n}.", ALONE, [*range(1, 119)])
          for read in ("Article  11 7. ", "Article 117. ")),
        (GAME, "{n}.", {"layout": "single-line"}, [1, 2, 3, 4]),
        ("It consists of two parts: \nfirst, of the points; \nand secondly, of the tricks.\n", "ordinal", {}, [1, 2]),
        *((f"I. Two or more cards played at once. \nII. Any card dropped with its face upwards, or \n{word} any way "
           "exposed on or above the table. \n", "{I}.", {}, [1, 2]) for word in ("in", "m")),
        (laws(*counted("{}.", 1, 48)) + "so. The player may not look. \n\n", "{n}.", {}, [*range(1, 49)]),
        (laws(*counted("{}.", 1, 9), "lo.", "11.", "i2."), "{n}.", {"last": 11}, [*range(1, 12)]),
    ],
)  # fmt: skip
def test_finds_labels_where_their_series_expects_them(
    scan: str, label: str, how: dict[str, Any], found: list[int]
) -> None:
    assert [number for number, _ in marks(scan, label, **how)] == found


SECTIONS = counted("SEC. {}.", 1, 6)
ENTRIES = "OF TRICKS.\n\nSE0. 3. The player who leads. \n\n4. Of tricks. \n\n5. Of honours. \n\n"
REFERRING = "Article 1. \nAs is said in \nArticle 2. the deal is lost. \n\nArticle 2. \nSecond. \n"
NESTED = "1. The first law. \n2. The second law: \nI. Its first case. \nII. Its second case. \n3. The third law. \n"


@pytest.mark.parametrize(
    ("scan", "label", "how", "found"),
    [
        (laws("1.", "2 .", "3."), "{n}.", {}, [(1, "1."), (2, "2 ."), (3, "3.")]),
        (laws("1,", "2,", "8,", "1.", "4.", "5."), "{n}.", {"last": 9},
         [(1, "1,"), (2, "2,"), (3, "8,"), (4, "4."), (5, "5.")]),
        (NESTED, "{n}.", {"no_roman": True}, [(1, "1."), (2, "2."), (3, "3.")]),
        (laws(*SECTIONS[:2]) + ENTRIES + laws(*SECTIONS[2:]), "SEC. {n}.", {}, [*enumerate(SECTIONS, 1)]),
        (REFERRING.replace("Article 2. \n", "Article  2. \n"), "Article {n}.", ALONE,
         [(1, "Article 1."), (2, "Article  2.")]),
    ],
    ids=["up to the text", "not a list item", "not a subdivision", "not a contents entry", "not a reference"],
)  # fmt: skip
def test_numbers_of_other_things_are_not_labels(
    scan: str, label: str, how: dict[str, Any], found: list[tuple[int, str]]
) -> None:
    assert marks(scan, label, **how) == found


LAW = "The dealer who looks at the cards shall deal again."


def law_units(tmp_path: Path, scan: str, label: str) -> list[Unit]:
    plan = f'[[part]]\ngrammar = "series"\n[[part.series]]\nlabel = "{label}"\n'
    return [u for u in edition_of(tmp_path / "small-1850", scan, plan).units if u.kind == "law"]


def printed(label: str, labels: list[str], *changes: tuple[str, str]) -> str:
    """Laws as printed, with some words replaced by misreadings."""
    scan = "LAWS\n\n" + "".join(f"{label.replace('{n}', n)} {LAW}\n\n" for n in labels)
    for old, new in changes:
        assert old in scan
        scan = scan.replace(old, new)
    return scan


def upto(last: int, *without: int) -> list[str]:
    return [str(n) for n in range(1, last + 1) if n not in without]


@pytest.mark.parametrize(
    ("label", "scan", "numbers"),
    [
        ("Rule {n}.", printed("Rule {n}.", ["1", "2", "2c", "3", "4"]), upto(4)),
        ("§ {n}.", printed("§ {n}.", upto(8), ("\n\n§ 5.", " § 5.")), upto(8, 5)),
        ("SEC. {n}.", printed("SEC. {n}.", upto(8), ("SEC. 6.", "SEC. 306.")), upto(8, 6)),
        ("{n}.", printed("{n}.", upto(4), ("again.\n\n3.", "again. 3. Trumps.\n\n3.")), upto(4)),
        ("SEC. {n}.", printed("SEC. {n}.", upto(8), ("SEC. 3.", "sEC. 3."), ("SEC. 7.", "‘Sec. 7.")), upto(8)),
        *(("{n}.", printed("{n}.", upto(39, 33), ("\n34. ", f"\n{items}34. ")), upto(39, 33))
          for items in ("IV. He may.\n\n", "1. He may.\n\n2. He must.\n\n")),
        ("{n}.", printed("{n}.", ["1", "2", "3", "K", "5", "6"]), upto(6, 4)),
    ],
)  # fmt: skip
def test_distinguishes_labels_from_other_text(tmp_path: Path, label: str, scan: str, numbers: list[str]) -> None:
    assert [u.number for u in law_units(tmp_path, scan, label)] == numbers


def test_list_within_a_law_does_not_number_laws(tmp_path: Path) -> None:
    found = law_units(tmp_path, printed("{n}.", ["1", "2", *upto(6), "3", "4", "5", "6", "7", "8"]), "{n}.")
    assert [u.number for u in found] == upto(8)
    assert len(found[1].text) > 6 * len(LAW), "the list is the law's"


@pytest.mark.parametrize(
    ("label", "scan", "seen"),
    [
        ("Rule {n}.", printed("Art. {n}.", ["1", "2", "3"]), "Art. 1., Art. 2."),
        ("{n}.", printed("{n}.", ["I", "II", "III", "IV", "V"]), "I., II., III."),
    ],
)
def test_error_for_a_series_without_labels_lists_those_seen(tmp_path: Path, label: str, scan: str, seen: str) -> None:
    with pytest.raises(BookError, match=re.escape(f"label like '{label}' (it has labels such as {seen}")):
        law_units(tmp_path, scan, label)


SKIPPING = """
[[part]]
grammar = "skip"
[[part]]
begins = "LAWS"
grammar = "series"
[[part.series]]
label = "{n}."
[[part]]
begins = "THE END"
grammar = "skip"
"""


def test_skipped_parts_are_furniture(tmp_path: Path) -> None:
    doubtful = "The j)layer names Mr. Rnssell."
    licence = "THE END\n\nA licence, with 3. a number, of Mr. Jobnson."
    scan = f"A header of the e-text.\n\nLAWS\n\n1. {LAW}\n\n2. {LAW} {doubtful}\n\n{licence}\n"
    edition = edition_of(tmp_path / "small-1850", scan, SKIPPING)
    assert [u.number for u in edition.units if u.kind == "law"] == ["1", "2"]
    assert [e.before for e in edition.edits if e.rule == "furniture.left-out"] == ["A header of the e-text.", licence]
    doubts = [edit.raw_start for edit in edition.suggestions]
    assert doubts and max(doubts) < scan.index("THE END"), "nobody reads what is skipped"


@pytest.mark.parametrize(
    ("scanned", "read", "kind"),
    [
        ("text.\nLAWS", "text!\nLAWS", "ocr"),
        ("over.\nTHE END", "over,\nTHE END", "ocr"),
        (". THE", ".\n\nTHE", "space"),
        ("ov er.\nTHE END", "over.\nTHE END", "join"),
    ],
)
def test_rejects_a_reading_across_the_border_of_a_skipped_part(
    tmp_path: Path, scanned: str, read: str, kind: str
) -> None:
    """It would delete the text of the law beside it, or have no effect."""
    end = scanned.removesuffix(" END") if "THE" in scanned else "over.\nTHE"
    scan = f"A header of the e-text.\nLAWS\n\n1. {LAW}\n\n2. {LAW} It is {end} END\n\nA licence.\n"
    entry = {"at": scan.index(scanned), "scan": scanned, "read": read, "kind": kind, "reason": "misread"}
    errata = "[[reading]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry.items())
    with pytest.raises(EditError, match=r"errata\.toml: \[\[reading\]\] at \d+ crosses the border"):
        edition_of(tmp_path / "small-1850", scan, SKIPPING, errata=errata)


@pytest.mark.parametrize(
    ("read", "number", "begins"),
    [
        ("s7 ", 37, ""), ("80. ", 30, "30. "), ("30 ", 30, "30"), ("2q. ", 24, "24. "),
    ],
)  # fmt: skip
def test_misread_numbers_are_proved_by_their_neighbours(tmp_path: Path, read: str, number: int, begins: str) -> None:
    found = law_units(tmp_path, printed("{n}.", upto(39), (f"\n{number}. ", f"\n{read}")), "{n}.")
    assert [u.number for u in found] == upto(39)
    assert found[number - 1].text.startswith(begins)


@pytest.mark.parametrize(("title", "stop"), [("Of the Deal,", "."), ("_Of the Deal._", ","), ("The Revoke.", ".")])
def test_heading_with_a_misread_full_stop_is_not_part_of_the_law_above(tmp_path: Path, title: str, stop: str) -> None:
    scan = printed("{n}.", upto(4)).replace("again.\n\n3. ", f"again{stop}\n\n{title}\n\n3. ")
    assert [u.text[-6:] for u in law_units(tmp_path, scan, "{n}.")] == ["again.", f"again{stop}", "again.", "again."]
