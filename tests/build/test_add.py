"""`whist add`: a scan becomes the folder of a book, what the editor changed is kept, and bad input leaves nothing."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from samples import make_club

from extract.errors import WhistError
from extract.survey.codes import FoundCode
from extract.survey.plan import ProposedPlan, propose
from extract.survey.shelf import id_of
from extract.survey.survey import Survey
from kb.cli.add import add_command

LAWS = "THE LAWS OF WHIST\n\n" + "".join(
    f"{n}. If a player revoke, his adversaries may take {n} tricks from him.\n\n" for n in range(1, 21)
)


def add(corpus: Path, scan: Path, *more: str) -> Result:
    return CliRunner().invoke(add_command, [str(scan), "--corpus", str(corpus), "--yes", *more])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    return folder


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    path = tmp_path / "hand-1875.txt"
    path.write_text(LAWS, encoding="utf-8")
    return path


def test_a_scan_becomes_a_book(corpus: Path, scan: Path) -> None:
    result = add(corpus, scan)
    assert result.exit_code == 0, result.output
    assert (corpus / "hand-1875" / "scan.txt").read_bytes() == scan.read_bytes()
    assert "hand-1875: {n}.: 20 of 20" in result.output
    assert sorted(path.name for path in corpus.iterdir()) == ["hand-1875"]


@pytest.mark.parametrize(
    ("encoding", "named"), [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("latin-1", "latin-1"), ("cp1252", "cp1252")]
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_any_encoding_and_line_ends_are_read(
    corpus: Path, tmp_path: Path, encoding: str, named: str, ends: str
) -> None:
    sign = "“" if encoding == "cp1252" else "é"
    data = LAWS.replace("THE LAWS", f"TRAIT{sign}\n\nTHE LAWS").replace("\n", ends).encode(encoding)
    scan = tmp_path / "hand-1875.txt"
    scan.write_bytes(data)
    result = add(corpus, scan, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert (told["encoding"], told["report"]["numberings"][0]["found"]) == (named, 20)
    assert (corpus / "hand-1875" / "scan.txt").read_bytes() == data


def test_what_the_editor_changed_is_kept_and_the_rest_is_said(corpus: Path, scan: Path) -> None:
    add(corpus, scan)
    plan = corpus / "hand-1875" / "book.toml"
    changed = plan.read_text(encoding="utf-8").replace("expect = 20", "expect = 21 # one is lost")
    plan.write_text(changed, encoding="utf-8")
    result = add(corpus, scan)
    assert plan.read_text(encoding="utf-8") == changed
    assert "-expect = 21" in result.output
    assert "+expect = 20" in result.output
    assert "20 of 21; missing 21" in result.output


def test_a_witness_on_the_shelf_is_named(corpus: Path, scan: Path) -> None:
    long = "".join(f"{n}. {' '.join('abcdefghij'[n % 10] * (n + k + 1) for k in range(40))}.\n\n" for n in range(1, 21))
    (corpus.parent / "one-1860.txt").write_text("THE LAWS OF LOO\n\n" + long, encoding="utf-8")
    (corpus.parent / "two-1870.txt").write_text("THE LAWS OF LOO\n\n" + long + "21. Another one.\n", encoding="utf-8")
    add(corpus, corpus.parent / "one-1860.txt")
    assert "witness: one-1860" in add(corpus, corpus.parent / "two-1870.txt").output
    assert 'witnesses = ["one-1860"]' in (corpus / "two-1870" / "book.toml").read_text(encoding="utf-8")


BAD = {
    "empty": b"",
    "binary": bytes(range(256)) * 8,
    "cut in a letter": "Traité".encode()[:-1],
    "UTF-16": LAWS.encode("utf-16"),
    "CR alone": LAWS.replace("\n", "\r").encode(),
    "UTF-16 without a mark": LAWS.encode("utf-16-le"),
    "one word": b"w" * 5000,
    "one line": b"word " * 1_000_000,
    "a zero byte": LAWS.encode() + b"\x00",
    "PDF": b"%PDF-1.4\n1 0 obj\n",
    "Word": b"PK\x03\x04word/document.xml",
    "EPUB": b"PK\x03\x04mimetypeapplication/epub+zip",
    "ZIP": b"PK\x03\x04scan.txt",
    "HTML": b"\n<!DOCTYPE html><p>1. The dealer deals.</p>",
    "RTF": b"{\\rtf1 1. The dealer deals.}",
    "an image": b"\x89PNG\r\n",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_in_one_sentence_and_leaves_nothing(corpus: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(BAD[name])
    refused = add(corpus, path).exception
    assert isinstance(refused, WhistError)
    assert str(refused).endswith(".")
    assert list(corpus.iterdir()) == []


def test_the_id_of_another_book_is_refused(corpus: Path, scan: Path) -> None:
    club = make_club(corpus)
    before = club.scan_path.read_bytes()
    refused = add(corpus, scan, "--id", "club-1850").exception
    assert "is there already" in str(refused)
    assert club.scan_path.read_bytes() == before
    assert [path.name for path in corpus.iterdir()] == ["club-1850"]


@pytest.mark.parametrize("book_id", ["hand", "search", "1875", "3rd-hand-1875", "Hand-1875", "../hand-1875"])
def test_an_id_that_makes_no_address_is_refused(corpus: Path, scan: Path, book_id: str) -> None:
    refused = add(corpus, scan, "--id", book_id).exception
    assert isinstance(refused, WhistError) and "end it in the year" in str(refused)
    assert list(corpus.iterdir()) == []


def test_a_folder_that_has_the_scan_alone_gets_its_book_file(corpus: Path, scan: Path) -> None:
    add(corpus, scan)
    (corpus / "hand-1875" / "book.toml").unlink()
    assert add(corpus, corpus / "hand-1875" / "scan.txt").exit_code == 0
    assert sorted(path.name for path in (corpus / "hand-1875").iterdir()) == ["book.toml", "scan.txt"]
    assert [path.name for path in corpus.iterdir()] == ["hand-1875"]


def test_a_book_file_in_another_encoding_is_refused_in_one_sentence(corpus: Path, scan: Path) -> None:
    add(corpus, scan)
    plan = corpus / "hand-1875" / "book.toml"
    plan.write_bytes(plan.read_bytes() + "# café\n".encode("latin-1"))
    refused = add(corpus, scan).exception
    assert isinstance(refused, WhistError) and "UTF-8" in str(refused)


def test_what_is_told_of_a_book_that_is_kept_is_not_passed_over_in_silence(corpus: Path, scan: Path) -> None:
    add(corpus, scan)
    assert "change what this one's book.toml says" in add(corpus, scan, "--title", "Of games").output
    assert "change what this one's book.toml says" not in add(corpus, scan).output


def test_a_folder_is_no_scan(corpus: Path) -> None:
    refused = add(corpus, corpus).exception
    assert isinstance(refused, WhistError) and "is a folder" in str(refused)


@pytest.mark.parametrize(
    ("name", "said"), [("PDF", "pdftotext"), ("Word", "plain text"), ("UTF-16 without a mark", "UTF-8")]
)
def test_what_is_no_text_is_named_with_what_makes_text_of_it(
    corpus: Path, tmp_path: Path, name: str, said: str
) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(BAD[name])
    assert said in str(add(corpus, path).exception)


def test_a_database_of_the_book_alone_has_its_laws(corpus: Path, scan: Path, tmp_path: Path) -> None:
    make_club(corpus)
    result = add(corpus, scan, "--db", str(tmp_path / "new.db"))
    assert result.exit_code == 0, result.output
    with closing(sqlite3.connect(tmp_path / "new.db")) as conn:
        assert conn.execute("select count(*), count(distinct book_id) from unit where kind = 'law'").fetchone() == (
            20,
            1,
        )


def test_a_database_of_other_books_is_not_replaced(corpus: Path, scan: Path, tmp_path: Path) -> None:
    library = tmp_path / "library.db"
    other = tmp_path / "other-1860.txt"
    other.write_text(LAWS.replace("revoke", "misdeal"), encoding="utf-8")
    assert add(corpus, other, "--db", str(library)).exit_code == 0
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for path in (library, tmp_path / "notes.txt"):
        before = path.read_bytes()
        refused = add(corpus, scan, "--db", str(path)).exception
        assert isinstance(refused, WhistError) and "name another file" in str(refused)
        assert path.read_bytes() == before
        assert not (corpus / "hand-1875").exists()
    assert add(corpus, other, "--db", str(library)).exit_code == 0, "its own is made anew"


def test_the_command_that_is_shown_can_be_typed(tmp_path: Path) -> None:
    corpus, scan = tmp_path / "my books", tmp_path / "hand's laws 1875.txt"
    corpus.mkdir()
    scan.write_text(LAWS, encoding="utf-8")
    shown = add(corpus, scan).output.split("To look at it: ")[1].split(", then ")[0]
    assert shlex.split(shown)[:5] == ["whist", "add", str(scan), "--corpus", str(corpus)]
    shown = add(corpus, scan, "--db", str(tmp_path / "a b.db")).output.split("To look at it: ")[1].split("; open")[0]
    assert shlex.split(shown) == ["whist", "serve", "--db", str(tmp_path / "a b.db")]


def test_a_year_that_nobody_tells_is_said_to_be_a_guess(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "hand.txt"
    path.write_text(LAWS, encoding="utf-8")
    assert "1900 is a guess" in add(corpus, path).output
    path.write_text("LONDON\n\nMDCCCLXIV.\n\n" + LAWS, encoding="utf-8")
    assert "year 1864" in add(corpus, path).output
    path.write_text("July 2009\n\n" + LAWS, encoding="utf-8")
    assert "2009 is a guess" in add(corpus, path).output
    path.write_text("July 2009.\n\n" + LAWS, encoding="utf-8")
    assert "year 2009" in add(corpus, path, "--year", "2009", "--id", "new-2009").output


def test_nobody_is_asked_who_is_not_there(corpus: Path, scan: Path) -> None:
    result = CliRunner().invoke(add_command, [str(scan), "--corpus", str(corpus)])
    assert "say --yes" in str(result.exception)
    assert list(corpus.iterdir()) == []


def test_a_book_without_laws_is_prose(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "hand-1875.txt"
    path.write_text("Whist is a game of four players.\n\nThey sit at a table.\n", encoding="utf-8")
    assert "No numbering is read as a code" in add(corpus, path).output


def test_codes_that_the_build_cannot_make_become_prose(
    corpus: Path, scan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def untried(found: Survey, book_id: str, codes: Sequence[FoundCode]) -> ProposedPlan:
        plan = propose(found, book_id, codes)
        lost = 'begins = "Words that stand nowhere"\ngrammar = "series"'
        return replace(plan, tables=tuple(x.replace('grammar = "series"', lost) for x in plan.tables))

    monkeypatch.setattr("kb.cli.add.buildable_plan", untried)
    result = add(corpus, scan)
    assert result.exit_code == 0, result.output
    assert "refused: all codes, which cannot be built" in result.output
    assert 'grammar = "series"' not in (corpus / "hand-1875" / "book.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "family", "told"),
    [
        ("hand-1875.txt", "", "hand-1875"),
        ("1875-hand-laws.txt", "Smith", "hand-laws-1875"),
        ("laws_of_whist.txt", "", "laws-of-whist-1864"),
        ("laws.txt", "de la Rue", "de-la-1864"),
        ("1875.txt", "", "book-1875"),
        ("3rd-laws-1875.txt", "", "book-3rd-laws-1875"),
    ],
)
def test_the_id_of_a_book_ends_in_its_year(name: str, family: str, told: str) -> None:
    assert id_of(Path("scans") / name, family, 1864) == told


def test_the_codes_of_a_book_make_addresses(corpus: Path, tmp_path: Path) -> None:
    scan = tmp_path / "clubs-1875.txt"
    text = LAWS + "\n\n" + LAWS.replace("LAWS OF WHIST", "LAWS OF PIQUET").replace("revoke", "misdeal")
    scan.write_text(text, encoding="utf-8")
    assert add(corpus, scan).exit_code == 0
    ids = re.findall(r'^code = "(.*)"$', (corpus / "clubs-1875" / "book.toml").read_text("utf-8"), re.MULTILINE)
    assert len(set(ids)) == 2 and all(i.startswith("clubs-") and i.endswith("-1875") for i in ids)


def test_a_code_that_numbers_by_the_sign_is_referred_to_by_it(corpus: Path, tmp_path: Path) -> None:
    scan = tmp_path / "club-1875.txt"
    laws = re.sub(r"^(\d+)\.", r"§ \1.", LAWS, flags=re.MULTILINE)
    scan.write_text(laws.replace("take 3 tricks", "do as in § 2"), encoding="utf-8")
    database = tmp_path / "club.db"
    assert add(corpus, scan, "--db", str(database)).exit_code == 0
    with closing(sqlite3.connect(database)) as conn:
        assert conn.execute("select raw, from_unit, target_id from citation").fetchall() == [
            ("§ 2", "club-1875/sec-3", "club-1875/sec-2")
        ]
