"""`whist add`: a scan becomes a book folder that builds, and bad input leaves no files."""

import gzip
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from samples import make_club

from extract.errors import WhistError
from kb.cli.add import add_command

LAWS = "THE LAWS OF WHIST\n\n" + "".join(
    f"{n}. If a player revoke, his adversaries may take {n} tricks from him.\n\n" for n in range(1, 21)
)


def add(corpus: Path, scan: Path, *more: str, answer: str | None = None) -> Result:
    yes = ["--yes"] if answer is None else []
    return CliRunner().invoke(add_command, [str(scan), "--corpus", str(corpus), *yes, *more], input=answer)


def added(corpus: Path, scan: Path, *more: str) -> str:
    """Add a scan that must be accepted, and return the output."""
    result = add(corpus, scan, *more)
    assert result.exit_code == 0, result.output
    return result.output


def refusal(corpus: Path, scan: Path, *more: str) -> str:
    """Add a scan that must be rejected, and return the error message."""
    refused = add(corpus, scan, *more).exception
    assert isinstance(refused, WhistError) and str(refused).count("\n") == 0
    return str(refused)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "my books"
    folder.mkdir()
    return folder


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    path = tmp_path / "hand-1875.txt"
    path.write_text(LAWS, encoding="utf-8")
    return path


def test_scan_becomes_book_with_a_database_of_its_own(corpus: Path, scan: Path) -> None:
    make_club(corpus)
    database = corpus.parent / "new.db"
    assert "hand-1875, label '{n}.': numbers 1 to 20\n" in added(corpus, scan, "--db", str(database))
    assert (corpus / "hand-1875" / "scan.txt").read_bytes() == scan.read_bytes()
    assert sorted(path.name for path in corpus.iterdir()) == ["club-1850", "hand-1875"]
    with closing(sqlite3.connect(database)) as conn:
        rows = conn.execute("select count(*), count(distinct book_id) from unit where kind = 'law'").fetchall()
    assert rows == [(20, 1)]


def test_next_steps_can_be_typed(corpus: Path, scan: Path) -> None:
    *_, build, serve = added(corpus, scan).splitlines()[-1].partition("&&")[0::2]
    assert shlex.split(build) == ["whist", "build", "--corpus", str(corpus)]
    assert shlex.split(serve) == ["whist", "serve"]


@pytest.mark.parametrize(
    ("encoding", "ends"), [("utf-8", "\n"), ("utf-8-sig", "\r\n"), ("latin-1", "\r\n"), ("cp1252", "\n")]
)
def test_reads_any_encoding_and_line_ends(corpus: Path, scan: Path, encoding: str, ends: str) -> None:
    character = "“" if encoding == "cp1252" else "é"
    scan.write_bytes(LAWS.replace("THE LAWS", f"TRAIT{character}\n\nTHE LAWS").replace("\n", ends).encode(encoding))
    output = added(corpus, scan)
    assert f"characters, {encoding.removesuffix('-sig')}, " in output and "numbers 1 to 20\n" in output


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (bytes(range(256)) * 8, ""),
        (LAWS.encode("utf-16"), "UTF-16"),
        (LAWS.encode("utf-16-le"), "UTF-8"),
        (gzip.compress(LAWS.encode()), "compressed"),
        (b"PK\x03\x04word/document.xml", "word-processor"),
        (b"%PDF-1.4\n1 0 obj\n", "pdftotext"),
        (LAWS.encode() + b"\x00", "control"),
        (b"\n<!DOCTYPE html><p>1. The dealer deals.</p>", "HTML"),
    ],
)
def test_rejects_bad_input_and_leaves_no_files(corpus: Path, scan: Path, data: bytes, message: str) -> None:
    scan.write_bytes(data)
    assert message in refusal(corpus, scan)
    assert list(corpus.iterdir()) == []


def test_does_not_touch_a_book_or_database_that_is_there(corpus: Path, scan: Path, tmp_path: Path) -> None:
    club = make_club(corpus)
    before = club.scan_path.read_bytes()
    assert "already exists" in refusal(corpus, scan, "--id", "club-1850")
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert "name another file" in refusal(corpus, scan, "--db", str(tmp_path / "notes.txt"))
    assert ([path.name for path in corpus.iterdir()], club.scan_path.read_bytes()) == (["club-1850"], before)


@pytest.mark.parametrize(("answer", "books"), [("y\n", ["hand-1875"]), ("n\n", []), ("", [])])
def test_asks_before_it_keeps_a_book(corpus: Path, scan: Path, answer: str, books: list[str]) -> None:
    assert "Keep " in add(corpus, scan, answer=answer).output
    assert [path.name for path in corpus.iterdir()] == books
