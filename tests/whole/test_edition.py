"""From scan to edition: small books, the four books with and without the editor's files, and bad scans."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from bad_scans import outcome, pieces, whole
from samples import BOOKS, LAWS_PLAN, edition_of, make_book, render, undo

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.errors import LedgerError, ScanError
from extract.model import Edition
from extract.text.source import LONGEST_RUN, read_scan
from extract.text.textlayer import TextLayer

MATTER = ["WHIST LAWS", "1. The first 1aw of the game.", "2. The second law of it.", "3. The third law."]


def test_unaided_edition_ignores_the_editors_file(tmp_path: Path) -> None:
    small = make_book(tmp_path / "small", render(MATTER, "lines"), "lines", LAWS_PLAN, "no TOML at all [")
    assert all(e.source != "editor" for e in make_edition(small, unaided=True).edits)


def test_editors_reading_keeps_a_page_number_in_the_text(tmp_path: Path) -> None:
    plan = '[[part]]\nid = "text"\nbegins = ""\ngrammar = "paragraphs"\n'
    page = "The player who has revoked shall pay \nthree tricks to his adversaries. \n" * 5 + "\n\n{folio} \n\n\n"
    scan = "".join(page.format(folio=n) for n in range(1, 6))
    at = scan.index("\n3 ") + 1
    errata = f'[[reading]]\nat = {at}\nscan = "3"\nread = "Three"\nreason = "a word"\n'
    kept = edition_of(tmp_path / "kept", scan, plan, errata=errata)
    assert (at, "Three") in [(e.raw_start, e.after) for e in kept.edits]
    assert [e.before for e in kept.edits if e.kind == "furniture"] == ["1", "2", "4", "5"]


@pytest.mark.parametrize("book_id", BOOKS)
def test_units_have_normalised_white_space(editions: Mapping[str, Edition], book_id: str) -> None:
    stray = re.compile(r" {2}|(?<!\n)\n(?!\n)|\n{3}|\s\n\n|\n\n\s|[^\S \n\t]")
    # In a table whose lines the scan has lost, line ends and tabs separate rows and cells.
    prose = [u for u in editions[book_id].units if u.kind != "table"]
    assert {u.id: u.text for u in prose if stray.search(u.text)} == {}


def test_specks_between_units_are_furniture(tmp_path: Path) -> None:
    edition = edition_of(tmp_path / "small", render(MATTER, "lines").replace("\n\n1.", "\n\n■ ~\n\n1."), LAWS_PLAN)
    assert "".join("".join(e.before for e in edition.edits if e.kind == "furniture").split()) == "■~"
    assert [u.number for u in edition.units if u.kind == "law"] == ["1", "2", "3"]


def test_editors_deletion_between_units_must_be_furniture(tmp_path: Path) -> None:
    scan = render(MATTER, "lines").replace("\n\n1.", "\n\nqxq\n\n1.")
    reading = f'[[reading]]\nat = {scan.index("qxq")}\nscan = "qxq"\nread = ""\nreason = "a stamp"\n'
    with pytest.raises(LedgerError, match="a reading of kind 'furniture'"):
        edition_of(tmp_path / "small", scan, LAWS_PLAN, errata=reading)
    edition = edition_of(tmp_path / "other", scan, LAWS_PLAN, errata=reading + 'kind = "furniture"\n')
    assert [e.before for e in edition.edits if e.kind == "furniture"] == ["qxq"]


def test_misread_label_includes_white_space_within_it(tmp_path: Path) -> None:
    laws = [f"{n}. Any player may demand to see the last trick turned." for n in range(1, 13)]
    edition = edition_of(tmp_path / "small", "\n\n".join(["WHIST LAWS", *laws]).replace("11.", "1  l."), LAWS_PLAN)
    assert [(e.before, e.after) for e in edition.edits if e.rule == "label.sequence"] == [("1  l", "11")]
    assert next(u for u in edition.units if u.number == "11").text.startswith("11. Any")


@pytest.mark.parametrize("book_id", BOOKS)
@pytest.mark.parametrize("kind", ["editions", "unaided"])
def test_scan_is_restored_from_its_reading_text(
    request: pytest.FixtureRequest, books: Mapping[str, Book], kind: str, book_id: str
) -> None:
    edition: Edition = request.getfixturevalue(kind)[book_id]
    layer = TextLayer(edition.scan, edition.edits)
    assert undo(layer.reading, layer.changes).encode() == books[book_id].scan_path.read_bytes()


@pytest.mark.parametrize("book_id", BOOKS)
def test_edits_have_confidence_and_note_and_rule(editions: Mapping[str, Edition], book_id: str) -> None:
    for edit in editions[book_id].edits:
        assert 0 < edit.confidence <= 1
        assert edit.note.strip(), edit
        assert (edit.rule == "") == (edit.source == "editor"), edit
        assert edit.before != edit.after or edit.kind in ("typo", "illegible"), edit


# Bad scans: each gives a valid edition or a one-sentence error. There is one for each sort of fault found so
# far, and one for each grammar.


@pytest.mark.parametrize(
    ("name", "mutation"),
    [
        ("arnaud-1829 series", "digits superscript"),
        ("arnaud-1829 table", "tabs for blanks"),
        ("arnaud-1829 definitions", "strange numerals"),
        ("deschapelles-1839 commentary", "CR"),
        ("drayson-1896 index", "an ocean of blanks"),
        ("deschapelles-1839 series", "roman thousands"),
        ("drayson-1896 cases", "thousands of cases"),
        ("drayson-1896 series", "digits of the world"),
        ("drayson-1896 paragraphs", "separators strewn"),
        ("drayson-1896 cases", "a number of 5,000 digits"),
        ("pole-1895 chapters", "upper case"),
        ("pole-1895 series", "one sign"),
    ],
)
def test_bad_scan_gives_an_edition_or_an_error(
    tmp_path: Path, books: Mapping[str, Book], name: str, mutation: str
) -> None:
    book, text = pieces(books)[name]
    assert outcome(book, text[:8000], mutation, 0, tmp_path / book.id)


@pytest.mark.parametrize("book_id", ["arnaud-1829", "pole-1895"])
def test_rejects_book_cut_short(tmp_path: Path, books: Mapping[str, Book], book_id: str) -> None:
    book, text = whole(books[book_id])
    assert outcome(book, text[:4000], "as it was", 0, tmp_path / book_id) != "an edition"


@pytest.mark.parametrize(
    ("before", "character", "longest", "kind"),
    [
        ("a\n", "1", LONGEST_RUN - 1, "one word"),
        ("a", "\n", LONGEST_RUN, "white space"),
    ],
)
def test_rejects_very_long_runs(tmp_path: Path, before: str, character: str, longest: int, kind: str) -> None:
    path = tmp_path / "scan.txt"
    path.write_text(f"{before}{character * longest}b", encoding="utf-8")
    assert read_scan(path)
    path.write_text(f"{before}{character * (longest + 1)}b", encoding="utf-8")
    with pytest.raises(ScanError, match=rf"has 1,001 characters of {kind} at offset \d"):
        read_scan(path)
