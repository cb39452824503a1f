"""`whist add`: a scan becomes a book folder, the editor's changes are kept, and bad input leaves no files."""

import shlex
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from samples import make_club

from extract.errors import WhistError
from extract.survey.plan import ProposedPlan, propose
from kb.cli.add import add_command

LAWS = "THE LAWS OF WHIST\n\n" + "".join(
    f"{n}. If a player revoke, his adversaries may take {n} tricks from him.\n\n" for n in range(1, 21)
)


def add(corpus: Path, scan: Path, *more: str) -> Result:
    return CliRunner().invoke(add_command, [str(scan), "--corpus", str(corpus), "--yes", *more])


def added(corpus: Path, scan: Path, *more: str) -> str:
    """Add a scan that must be accepted, and return the output."""
    result = add(corpus, scan, *more)
    assert result.exit_code == 0, result.output
    return result.output


def refusal(corpus: Path, scan: Path, *more: str) -> str:
    """Add a scan that must be rejected, and return the error message."""
    refused = add(corpus, scan, *more).exception
    assert isinstance(refused, WhistError) and str(refused).endswith(".")
    return str(refused)


def rows(database: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(database)) as conn:
        return conn.execute(sql).fetchall()


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


def test_scan_becomes_book_with_a_database_of_its_own(corpus: Path, scan: Path) -> None:
    make_club(corpus)
    database = corpus.parent / "new.db"
    assert "hand-1875, label '{n}.': 20 of 20" in added(corpus, scan, "--db", str(database))
    assert (corpus / "hand-1875" / "scan.txt").read_bytes() == scan.read_bytes()
    assert sorted(path.name for path in corpus.iterdir()) == ["club-1850", "hand-1875"]
    assert rows(database, "select count(*), count(distinct book_id) from unit where kind = 'law'") == [(20, 1)]


@pytest.mark.parametrize(
    ("encoding", "ends"), [("utf-8", "\n"), ("utf-8-sig", "\r\n"), ("latin-1", "\r\n"), ("cp1252", "\n")]
)
def test_reads_any_encoding_and_line_ends(corpus: Path, scan: Path, encoding: str, ends: str) -> None:
    character = "“" if encoding == "cp1252" else "é"
    data = LAWS.replace("THE LAWS", f"TRAIT{character}\n\nTHE LAWS").replace("\n", ends).encode(encoding)
    scan.write_bytes(data)
    output = added(corpus, scan)
    assert f"characters, {encoding.removesuffix('-sig')}, " in output and "20 of 20 numbers" in output
    assert (corpus / "hand-1875" / "scan.txt").read_bytes() == data


def test_keeps_the_editors_changes_and_shows_differences(corpus: Path, scan: Path) -> None:
    added(corpus, scan)
    plan = corpus / "hand-1875" / "book.toml"
    changed = plan.read_text(encoding="utf-8").replace("expect = 20", "expect = 21 # one is lost")
    plan.write_text(changed, encoding="utf-8")
    output = added(corpus, scan)
    assert plan.read_text(encoding="utf-8") == changed
    assert all(shown in output for shown in ("-expect = 21", "+expect = 20", "20 of 21 numbers; missing 21"))
    hint = "edit book.toml instead"
    assert hint not in output and hint in added(corpus, scan, "--title", "Of games")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", ""),
        (bytes(range(256)) * 8, ""),
        (LAWS.encode("utf-16-le"), "UTF-8"),
        (b"word " * 1_000_000, ""),
        (LAWS.encode() + b"\x00", ""),
        (b"%PDF-1.4\n1 0 obj\n", "pdftotext"),
        (b"\n<!DOCTYPE html><p>1. The dealer deals.</p>", ""),
    ],
)
def test_rejects_bad_input_and_leaves_no_files(corpus: Path, scan: Path, data: bytes, message: str) -> None:
    scan.write_bytes(data)
    assert message in refusal(corpus, scan)
    assert list(corpus.iterdir()) == []


@pytest.mark.parametrize(
    ("book_id", "message"),
    [
        ("club-1850", "already exists"),
        ("hand", "end it in the year"),
        ("../hand-1875", "end it in the year"),
    ],
)
def test_rejects_ids_that_are_taken_or_invalid(corpus: Path, scan: Path, book_id: str, message: str) -> None:
    club = make_club(corpus)
    before = club.scan_path.read_bytes()
    assert message in refusal(corpus, scan, "--id", book_id)
    assert ([path.name for path in corpus.iterdir()], club.scan_path.read_bytes()) == (["club-1850"], before)


def test_does_not_replace_a_database_of_other_books(corpus: Path, scan: Path, tmp_path: Path) -> None:
    library, other = tmp_path / "library.db", tmp_path / "other-1860.txt"
    other.write_text(LAWS.replace("revoke", "misdeal"), encoding="utf-8")
    added(corpus, other, "--db", str(library))
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for path in (library, tmp_path / "notes.txt"):
        before = path.read_bytes()
        assert "name another file" in refusal(corpus, scan, "--db", str(path))
        assert path.read_bytes() == before
        assert not (corpus / "hand-1875").exists()
    added(corpus, other, "--db", str(library))


def test_suggested_commands_can_be_typed(tmp_path: Path) -> None:
    corpus, scan = tmp_path / "my books", tmp_path / "hand's laws 1875.txt"
    corpus.mkdir()
    scan.write_text(LAWS, encoding="utf-8")
    build, serve, check = added(corpus, scan).split("Next:\n")[1].splitlines()
    assert shlex.split(build) == ["whist", "build", "--corpus", str(corpus)]
    assert shlex.split(serve, comments=True) == ["whist", "serve"]
    assert shlex.split(check, comments=True) == ["whist", "check"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (LAWS, (), "1900 is a guess"),
        (f"LONDON\n\nMDCCCLXIV.\n\n{LAWS}", (), "year 1864"),
        (f"July 2009\n\n{LAWS}", (), "2009 is a guess"),
        (f"July 2009.\n\n{LAWS}", ("--year", "2009", "--id", "new-2009"), "year 2009"),
        (
            LAWS.replace("his adversaries", "his adversarics", 1),
            (),
            "Corrections: 1 of letters and digits, 0 of punctuation only",
        ),
        ("Whist is a game of four players.\n\nThey sit at a table.\n", (), "No code was accepted"),
        (f"Editor: Ann Hoff\n\n*** START OF THE E-TEXT ***\n\n{LAWS}", (), "by Ann Hoff;"),
    ],
    ids=["no year", "an imprint", "the year of a copy", "a given year", "a misread letter", "prose", "an editor"],
)
def test_reports_guesses_of_year_and_author_corrections_and_missing_codes(
    corpus: Path, tmp_path: Path, text: str, options: tuple[str, ...], message: str
) -> None:
    path = tmp_path / "hand.txt"
    path.write_text(text, encoding="utf-8")
    assert message in added(corpus, path, *options)


def test_asks_nothing_without_a_terminal(corpus: Path, scan: Path) -> None:
    assert "use --yes" in str(CliRunner().invoke(add_command, [str(scan), "--corpus", str(corpus)]).exception)
    assert list(corpus.iterdir()) == []


def test_codes_that_cannot_be_built_become_prose(corpus: Path, scan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def propose_unbuildable(*found: Any) -> ProposedPlan:
        plan = propose(*found)
        missing = 'begins = "Words that stand nowhere"\ngrammar = "series"'
        return replace(plan, tables=tuple(x.replace('grammar = "series"', missing) for x in plan.tables))

    monkeypatch.setattr("kb.cli.add.buildable_plan", propose_unbuildable)
    assert "Rejected: all codes, because they cannot be built" in added(corpus, scan)
    assert 'grammar = "series"' not in (corpus / "hand-1875" / "book.toml").read_text(encoding="utf-8")


# On a terminal it asks.

TWO_CODES = "".join(
    f"THE LAWS OF {game}\n\n" + "".join(f"{n}. If a player {fault}, he loses {n} points.\n\n" for n in range(1, 21))
    for game, fault in (("WHIST", "revoke"), ("LOO", "misdeal"))
)


def asked(corpus: Path, monkeypatch: pytest.MonkeyPatch, *answers: str) -> Result:
    """Add a scan of two codes, and give answers to the questions; an empty one accepts what is proposed."""
    scan = corpus.parent / "hand.txt"
    scan.write_text(TWO_CODES, encoding="utf-8")
    monkeypatch.setattr("kb.cli.add.sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)))
    typed = "".join(f"{answer}\n" for answer in answers)
    return CliRunner().invoke(add_command, [str(scan), "--corpus", str(corpus)], input=typed)


def test_asks_again_after_invalid_answers_and_can_leave_out_a_code(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (corpus / "other-1875").mkdir()
    output = asked(
        corpus, monkeypatch,
        "Of Games", "last", "99", "1875", "Hoyle, Edmond", "Not An Id!", "other-1875", "", "perhaps", "n", "y",
    ).output  # fmt: skip
    for told in ("not a valid integer", "not in the range", "valid id", "of another book", "invalid input", "20 of 20"):
        assert told in output
    plan = (corpus / "hoyle-1875" / "book.toml").read_text(encoding="utf-8")
    assert 'title = "Of Games"' in plan and 'family = "Hoyle"' in plan
    assert plan.count("[[code]]") == 1 and "The laws of loo" in plan


def test_asks_nothing_of_a_book_that_is_there_and_leaves_no_files_when_it_is_interrupted(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(corpus, monkeypatch, "", "1875").exit_code == 1 and list(corpus.iterdir()) == []
    assert asked(corpus, monkeypatch, "", "1875", "", "", "", "").exit_code == 0
    assert [path.name for path in corpus.iterdir()] == ["hand-1875"]
    assert "Author" not in asked(corpus, monkeypatch).output
