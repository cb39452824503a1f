"""Reading a scan: bad files are rejected with one sentence, good ones are read character for character."""

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from extract.corpus.book import Book
from extract.errors import ScanError
from extract.text.formats import known_format
from extract.text.source import checksum, read_scan, read_with_unknown_encoding, recognise_layout

LAW = "21. If a player revoke, he shall forfeit three tricks.\n"
MEGABYTE = 2**20

BAD = {
    "empty": (b"", "is empty"),
    "blank": (b" \r\n\t\f\n ", "is empty"),
    "binary": (bytes(range(256)) * 8, "not UTF-8|control characters"),
    "NUL": (LAW.encode() + b"\x00" + LAW.encode(), "control characters"),
    "escape codes": (b"\x1b[1m" + LAW.encode(), "control characters"),
    "UTF-16": (LAW.encode("utf-16"), "not UTF-8"),
    "Latin-1": ("Deschapelles, Traité du whist".encode("latin-1"), "not UTF-8"),
    "truncated in a letter": ("Traité".encode()[:-1], "not UTF-8"),
    "a long line": (b"whist " * (5 * MEGABYTE // 6), "has a line of over"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test writes its scan."""
    return tmp_path / "scan.txt"


def refusal(path: Path, sha256: str | None = None) -> str:
    """The error message for a scan that is rejected."""
    with pytest.raises(ScanError) as caught:
        read_scan(path, sha256)
    message = str(caught.value)
    assert str(path) in message and "\n" not in message and message.endswith(".")
    assert not re.search(r"(?<!\.)[.!?] [A-Z]", message)
    return message


@pytest.mark.parametrize(("data", "reason"), BAD.values(), ids=BAD)
def test_rejects_bad_scans_with_one_sentence(path: Path, data: bytes, reason: str) -> None:
    path.write_bytes(data)
    assert re.search(reason, refusal(path))


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_recognises_an_encoding_whose_last_letter_has_an_accent(path: Path, encoding: str) -> None:
    path.write_bytes("Traité de l'écarté".encode(encoding))
    assert read_with_unknown_encoding(path) == ("Traité de l'écarté", encoding)


def test_rejects_missing_and_oversized_files(path: Path) -> None:
    assert "cannot be read" in refusal(path)
    path.touch()
    os.truncate(path, 100 * MEGABYTE)
    assert "104,857,600 bytes" in refusal(path)


def test_reads_a_good_scan_character_for_character(path: Path) -> None:
    text = "\ufeffTraité\r\n\tdu whist \u0301\n\n"
    path.write_bytes(text.encode())
    assert read_scan(path, hashlib.sha256(text.encode()).hexdigest()) == text


def test_rejects_a_changed_scan(path: Path) -> None:
    path.write_text(LAW, encoding="utf-8")
    promised = checksum(path)
    path.write_text(LAW.replace("three", "two"), encoding="utf-8")
    message = refusal(path, promised)
    assert promised[:12] in message and checksum(path)[:12] in message


def test_recognises_the_layouts_of_the_books(books: Mapping[str, Book]) -> None:
    assert {book.id: recognise_layout(read_scan(book.scan_path, book.sha256)) for book in books.values()} == {
        "arnaud-1829": "markdown",
        "deschapelles-1839": "lines",
        "drayson-1896": "lines",
        "pole-1895": "single-line",
    }


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (LAW.encode("utf-16"), "UTF-16"), (LAW.encode("utf-32"), "UTF-32"), (LAW.encode(), None),
        (b"\x7fELF" + bytes(60) + b"\x3e\x00\x01" * 60, None),
    ],
)  # fmt: skip
def test_recognises_text_in_other_encodings_but_no_program(data: bytes, what: str | None) -> None:
    found = known_format(data)
    assert (found[0] if found else None) == what
