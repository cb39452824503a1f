"""Recognise files that are not plain text, and say how to make text of them."""

from __future__ import annotations

_TEXT = "save it as plain text (UTF-8)"
_OCR = "run OCR on it, export the text"
_UNPACK = "unpack it"
_CONVERT = "convert it to UTF-8"
_KNOWN: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF-", "a PDF file", "extract its text, for example with `pdftotext -layout`"),
    (b"{\\rtf", "RTF", _TEXT),
    (b"AT&TFORM", "a DjVu file", "extract its text, for example with `djvutxt`"),
    (b"\xd0\xcf\x11\xe0", "a word-processor document", _TEXT),
    (b"\x89PNG", "an image", _OCR),
    (b"\xff\xd8\xff", "an image", _OCR),
    (b"GIF8", "an image", _OCR),
    (b"II*\x00", "an image", _OCR),
    (b"MM\x00*", "an image", _OCR),
    (b"\x1f\x8b", "compressed", _UNPACK),
    (b"BZh", "compressed", _UNPACK),
    (b"\xfd7zXZ", "compressed", _UNPACK),
    (b"SQLite format 3", "a database", "name the scan of a book"),
    (b"\xff\xfe\x00\x00", "UTF-32", _CONVERT),
    (b"\x00\x00\xfe\xff", "UTF-32", _CONVERT),
    (b"\xff\xfe", "UTF-16", _CONVERT),
    (b"\xfe\xff", "UTF-16", _CONVERT),
    (b"PK\x03\x04", "a word-processor document, an e-book or a ZIP archive", _TEXT),
    *((beginning, "HTML or XML", _TEXT) for beginning in (b"<!doctype", b"<html", b"<?xml", b"<tei", b"<alto")),
)
_INSPECTED = 4096  # bytes


def known_format(data: bytes) -> tuple[str, str] | None:
    """Return the format of a file that is not plain text, and what to do with it; None if it may be text.

    Args:
        data: the bytes of the file.
    """
    head = data[:_INSPECTED].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for beginning, what, remedy in _KNOWN:
        if data.startswith(beginning) or head.startswith(beginning):
            return what, remedy
    return None
