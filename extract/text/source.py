"""Read a scan and make sure that it is what the book says it is."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Literal

from extract.errors import ScanError

Layout = Literal["lines", "markdown", "single-line"]

LONGEST_SCAN = 64 * 2**20
LONGEST_LINE = 4 * 2**20
LONGEST_RUN = 1000
_RUN = re.compile(r"\S+|\s+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")


def read_scan(path: Path, sha256: str | None = None) -> str:
    """Read a scan as it stands: UTF-8, line ends untouched.

    Args:
        path: the scan file.
        sha256: the checksum that book.toml promises, in hex; None for a scan that is new.
    Returns:
        The text, character for character.
    Raises:
        ScanError: the file is missing, empty, binary, truncated, not UTF-8, too large, not the one promised, or has
            a line, word or gap that no page of a book has.
    """
    try:
        size = path.stat().st_size
        if size > LONGEST_SCAN:
            raise ScanError(f"{path} is {size:,} bytes long, more than any book; give one book a file.")
        data = path.read_bytes()
    except OSError as error:
        raise ScanError(f"{path} cannot be read ({error.strerror}); check the path.") from error
    if not data.strip():
        raise ScanError(f"{path} is empty; put the text of the scan there.")
    if sha256 is not None and (found := hashlib.sha256(data).hexdigest()) != sha256:
        raise ScanError(
            f"{path} is not the scan that book.toml names (SHA-256 {found[:12]}..., not {sha256[:12]}...): "
            "it was changed or cut short; restore it, for offsets and errata hold for that scan only."
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ScanError(f"{path} is not UTF-8 (byte {error.start}); convert it to UTF-8 first.") from error
    if _CONTROL.search(text):
        raise ScanError(f"{path} holds control characters, so it is no plain text; export the OCR as text.")
    if max(map(len, text.split("\n"))) > LONGEST_LINE:
        raise ScanError(f"{path} has a line of over {LONGEST_LINE:,} characters; that is no page of a book.")
    if long := next((m for m in _RUN.finditer(text) if len(m[0]) > LONGEST_RUN), None):
        raise ScanError(
            f"{path} has {len(long[0]):,} characters of {'white space' if long[0].isspace() else 'one word'} at offset "
            f"{long.start()}; no page of a book has, so take out what is no print."
        )
    return text


def checksum(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def recognise_layout(text: str) -> Layout:
    """Tell how the scan is laid out: broken into the page's lines, markdown paragraphs, or one single line."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) <= max(1, len(text) // 5000):
        return "single-line"
    marked = sum(line.startswith(("- ", "* ", "#", "\t")) or "**" in line for line in lines)
    long = sum(len(line) > 120 for line in lines)
    return "markdown" if marked + long > len(lines) // 10 else "lines"
