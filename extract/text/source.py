"""Read scans, check their checksum and format, and recognise their layout."""

from __future__ import annotations

import hashlib
import re
import stat
from pathlib import Path
from typing import Literal

from extract.errors import ScanError, WhistError, printable
from extract.text.formats import known_format

Layout = Literal["lines", "markdown", "single-line"]

Encoding = Literal["utf-8", "latin-1", "cp1252"]

LONGEST_SCAN = 64 * 2**20
LONGEST_LINE = 4 * 2**20
LONGEST_RUN = 1000
_FEW = 10  # carriage returns that may be stray characters
_RUN = re.compile(rf"(?<!\S)\S{{{LONGEST_RUN + 1},}}|(?<!\s)\s{{{LONGEST_RUN + 1},}}")
_UTF_8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_C1 = re.compile(rb"[\x80-\x9f]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")


def read_scan(path: Path, sha256: str | None = None, encoding: Encoding = "utf-8") -> str:
    """Read a scan unchanged, with its line ends.

    Args:
        path: the scan file.
        sha256: the checksum in book.toml, in hex; None for a new scan.
        encoding: its encoding.
    Returns:
        The text, character for character.
    Raises:
        ScanError: the file is missing, empty, binary, truncated, in another encoding, or too large, has another
            checksum, or has a line, word or gap longer than any page of a book has.
    """
    data = read_bytes(path, LONGEST_SCAN, ScanError)
    if sha256 is not None and (found := hashlib.sha256(data).hexdigest()) != sha256:
        raise ScanError(
            f"{path} is not the scan that book.toml names (SHA-256 {found[:12]}..., not {sha256[:12]}...): "
            "it was changed or cut short; restore it, because offsets and errata fit only that scan."
        )
    return _decoded(path, data, encoding)


def normalise_line_ends(scan: str) -> str:
    """Normalise the line ends of a scan to LF; all analysis works on the result.

    The CR before an LF becomes a blank, so that offsets stay those of the scan.
    """
    return scan.replace("\r\n", " \n")


def read_with_unknown_encoding(path: Path) -> tuple[str, Encoding]:
    """Read a scan of unknown encoding: UTF-8, or one of its Western European predecessors.

    If most characters beyond ASCII are valid UTF-8, the file is damaged UTF-8, not Latin-1.

    Args:
        path: the scan file.
    Returns:
        The text, line ends and byte order mark untouched, and its encoding.
    Raises:
        ScanError: as `read_scan`.
    """
    data = read_bytes(path, LONGEST_SCAN, ScanError)
    if known := known_format(data):
        raise ScanError(f"{path} is {known[0]}, not a plain text file; {known[1]}, and add that file.")
    if data.count(b"\r") > 2 * data.count(b"\n") + _FEW:
        raise ScanError(f"{path} has CR line ends, as on old Macintoshes; convert them to LF, and add the file again.")
    encoding: Encoding = "cp1252" if _C1.search(data) else "latin-1"
    valid, broken = len(_UTF_8.findall(data)), sum(byte >= 0x80 for byte in _UTF_8.sub(b"", data))
    cut = valid > 0 and data[-1] >= 0xC2  # short within a character
    if valid > broken - cut or not broken:
        encoding = "utf-8"
    return _decoded(path, data, encoding), encoding


def read_bytes(path: Path, most: int, fault: type[WhistError]) -> bytes:
    """Read the bytes of a text file, after checking that it is a regular file and not too large.

    Raises:
        WhistError: of the class `fault`: the file is missing, not a regular file (reading one may block), blank, or
            longer than `most` bytes.
    """
    shown = printable(path)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            kind = "is a folder," if stat.S_ISDIR(status.st_mode) else "is"
            raise fault(f"{shown} {kind} not a regular file, so it cannot be read; name a text file.")
        if status.st_size > most:
            raise fault(
                f"{shown} has {status.st_size:,} bytes, but the limit is {most:,}; check that it is the right one."
            )
        data = path.read_bytes()
    except OSError as error:
        raise fault(f"{shown} cannot be read ({error.strerror}); create it, or make it readable.") from error
    if not data.strip():
        raise fault(f"{shown} is empty; restore it, or delete it if it is not needed.")
    return data


def _decoded(path: Path, data: bytes, encoding: Encoding) -> str:
    """Decode a scan; raise a ScanError if it cannot be the text of a book."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ScanError(
            f"{path} is not {encoding.upper()}, or was damaged or cut short (byte {error.start}); copy it again, or "
            "convert it to UTF-8."
        ) from error
    if _CONTROL.search(text):
        raise ScanError(f"{path} has control characters, so it is not a plain text file; export the OCR as UTF-8 text.")
    if max(map(len, text.split("\n"))) > LONGEST_LINE:
        raise ScanError(
            f"{path} has a line of over {LONGEST_LINE:,} characters, more than a printed page; check that it is a book."
        )
    if long := _RUN.search(text):
        raise ScanError(
            f"{path} has {len(long[0]):,} characters of {'white space' if long[0].isspace() else 'one word'} at offset "
            f"{long.start()}, more than any printed page; delete what does not belong to the book."
        )
    return text


def checksum(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def recognise_layout(text: str) -> Layout:
    """Recognise the layout of a scan: the lines of the page, Markdown paragraphs, or one single line."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) <= max(1, len(text) // 5000):
        return "single-line"
    marked = sum(line.startswith(("- ", "* ", "#", "\t")) or "**" in line for line in lines)
    long = sum(len(line) > 120 for line in lines)
    return "markdown" if marked + long > len(lines) // 10 else "lines"
