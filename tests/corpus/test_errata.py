"""The editor's file: each entry is checked against the scan, and a wrong one is told with its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from samples import make_book

from extract.corpus.book import Book
from extract.corpus.errata import Errata, read_errata
from extract.edition import make_edition
from extract.errors import BookError, WhistError
from extract.text.source import read_scan

SCAN = "21. If a p1ayer revoke, he shall forfeit thrce tricks. (a)\n\n(a) Or points.\n"
GOOD = """
[[reading]]
at = 10
scan = "1"
read = "l"
reason = "misread"

[[reading]]
at = 41
scan = "thrce"
read = "three"
reason = "misread"
kind = "ocr"
"""


def read(folder: Path, text: str, scan: str = SCAN) -> Errata:
    path = folder / "errata.toml"
    path.write_text(text, encoding="utf-8")
    return read_errata(path, scan)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(BookError) as caught:
        read(folder, text)
    message = str(caught.value)
    assert str(folder / "errata.toml") in message
    assert "\n" not in message
    return message


def test_readings_become_edits_of_the_editor(tmp_path: Path) -> None:
    edits = read(tmp_path, GOOD).edits
    assert [(e.raw_start, e.before, e.after, e.kind, e.source, e.note) for e in edits] == [
        (10, "1", "l", "ocr", "editor", "misread"),
        (41, "thrce", "three", "ocr", "editor", "misread"),
    ]


def test_a_file_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    assert read_errata(tmp_path / "errata.toml", SCAN) == Errata()


@pytest.mark.parametrize(
    ("at", "hint"), [(40, "it reads so at 41"), (150, "it reads so at 41"), (900, "not read so nearby")]
)
def test_a_wrong_offset_names_the_place_nearby(tmp_path: Path, at: int, hint: str) -> None:
    message = refusal(tmp_path, GOOD.replace("at = 41", f"at = {at}"))
    assert f"at {at} the scan reads" in message
    assert "not 'thrce'" in message
    assert hint in message


def test_a_reading_the_scan_does_not_have_is_refused(tmp_path: Path) -> None:
    assert "does not read so nearby" in refusal(tmp_path, GOOD.replace("thrce", "thrice"))


@pytest.mark.parametrize("key", ["at", "scan", "read", "reason"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    text = re.sub(rf"(?m)^{key} = .*\n", "", GOOD, count=1)
    assert f"key '{key}': it is missing" in refusal(tmp_path, text)


def test_an_unknown_kind_is_named(tmp_path: Path) -> None:
    assert "'guess'" in refusal(tmp_path, GOOD.replace('kind = "ocr"', 'kind = "guess"'))


@pytest.mark.parametrize(
    "at",
    ['"ten"', "[10]"],
)
def test_an_offset_that_is_no_number_is_refused(tmp_path: Path, at: str) -> None:
    assert "is no whole number" in refusal(tmp_path, GOOD.replace("at = 10", f"at = {at}"))


def test_what_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    assert "line 3" in refusal(tmp_path, "[[reading]]\nat = 10\nscan = oops\n")


@pytest.mark.parametrize("kind", ["typo", "illegible"])
def test_a_slip_of_the_book_changes_nothing(tmp_path: Path, kind: str) -> None:
    meant = {"typo": "meant", "illegible": "guess"}[kind]
    (edit, _) = read(tmp_path, GOOD.replace('read = "l"\n', f'kind = "{kind}"\n{meant} = "l"\n', 1)).edits
    assert edit.before == edit.after == "1"
    assert edit.kind == kind
    assert "'l'" in edit.note


def test_a_doubt_changes_nothing(tmp_path: Path) -> None:
    errata = read(tmp_path, GOOD + '\n[[doubt]]\nat = 4\nscan = "If"\nguess = "It"\nreason = "blurred"\n')
    assert len(errata.edits) == 2
    (doubt,) = errata.doubts
    assert (doubt.raw_start, doubt.before, doubt.after) == (4, "If", "It")
    assert doubt.confidence < 1


def test_a_passage_is_checked_by_its_first_words(tmp_path: Path) -> None:
    passage = '[[passage]]\nstart = 60\nend = 75\nkind = "footnote"\nfirst = "(a) Or"\nreason = "set overleaf"\n'
    (found,) = read(tmp_path, passage).passages
    assert (found.start, found.end, found.kind, found.of) == (60, 75, "footnote", None)
    assert "the scan reads" in refusal(tmp_path, passage.replace("start = 60", "start = 61"))
    assert "'end'" in refusal(tmp_path, passage.replace("end = 75\n", ""))


PLAN = '[[part]]\nid = "laws"\nbegins = ""\ngrammar = "paragraphs"\n'


def test_the_editor_wins_over_every_rule(tmp_path: Path) -> None:
    book = make_book(tmp_path / "small", SCAN, "lines", PLAN, GOOD)
    readings = [e for e in make_edition(book).edits if e.source == "editor"]
    assert [(e.raw_start, e.after) for e in readings] == [(10, "l"), (41, "three")]
    text = " ".join(u.text for u in make_edition(book).units)
    assert "If a player revoke, he shall forfeit three tricks." in text


def test_a_passage_of_no_unit_is_refused(tmp_path: Path) -> None:
    passage = '[[passage]]\nstart = 60\nend = 75\nkind = "footnote"\nof = "small/law-{}"\nreason = "told"\n'
    book = make_book(tmp_path / "small", SCAN, "lines", PLAN, passage.format(99))
    with pytest.raises(BookError, match="small/law-99"):
        make_edition(book)


@pytest.mark.parametrize(
    "second",
    ['at = 10\nscan = "1ay"\nread = "lay"', 'at = 10\nscan = "1"\nread = "I"', 'at = 9\nscan = "p1"\nread = "pl"'],
    ids=["within", "the same place", "crossing"],
)
def test_overlapping_readings_are_refused(tmp_path: Path, second: str) -> None:
    errata = f'{GOOD}\n[[reading]]\n{second}\nreason = "again"\n'
    book = make_book(tmp_path / "small", SCAN, "lines", PLAN, errata)
    with pytest.raises(WhistError, match="overlap"):
        make_edition(book)


def test_every_reading_of_the_books_fits_its_scan(books: Mapping[str, Book]) -> None:
    for book in books.values():
        scan = read_scan(book.scan_path)
        errata = read_errata(book.folder / "errata.toml", scan)
        assert errata.edits
        for edit in (*errata.edits, *errata.doubts):
            assert scan[edit.raw_start : edit.raw_end] == edit.before
            assert edit.note.strip()


def test_an_unknown_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"key 'readings': there is no such key; did you mean 'reading'"):
        read(tmp_path, GOOD.replace("[[reading]]", "[[readings]]", 1))


def test_a_doubt_without_a_guess_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="key 'guess': it is missing"):
        read(tmp_path, '[[doubt]]\nat = 41\nscan = "thrce"\nreason = "what?"\n')


def test_a_reading_settles_the_doubt(tmp_path: Path) -> None:
    doubt = '\n[[doubt]]\nat = {}\nscan = "{}"\nguess = "x"\nreason = "what?"\n'
    found = read(tmp_path, GOOD + doubt.format(41, "thrce") + doubt.format(47, "tricks"))
    assert [d.before for d in found.doubts] == ["tricks"]


def test_only_a_misprint_can_be_a_slip(tmp_path: Path) -> None:
    typo = GOOD.replace('read = "three"\n', "").replace('kind = "ocr"', 'kind = "typo"\nslip = true')
    assert [(s.raw_start, s.cites) for s in read(tmp_path, typo).slips] == [(41, None)]
    with pytest.raises(BookError, match="key 'slip': there is no such key"):
        read(tmp_path, GOOD + "slip = true\n")


NOTE = '\n[[note]]\nat = 41\nscan = "thrce"\ntext = "The case quotes two."\nreason = "law and case read in the scan"\n'


def test_a_note_tells_the_reader_and_changes_nothing(tmp_path: Path) -> None:
    book = make_book(tmp_path / "small", SCAN, "lines", PLAN, NOTE)
    edition = make_edition(book)
    ((note, unit),) = [(n, edition.holder(n.span)) for n in edition.notes]
    assert (note.text, note.reason) == ("The case quotes two.", "law and case read in the scan")
    assert unit is not None and "thrce" in edition.scan[unit.raw_start : unit.raw_end]
    assert not any(e.source == "editor" for e in edition.edits)


def test_a_note_on_words_that_are_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="the scan reads"):
        read(tmp_path, NOTE.replace("at = 41", "at = 40"))
