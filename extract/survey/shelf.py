"""Compare a new book with the corpus: its id, and how its book.toml differs from a new proposal."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from extract.corpus.table import is_work_id
from extract.errors import BookError
from extract.segment.segment import slug
from extract.survey.etext import YEAR
from extract.text.source import checksum

_GENERIC = {"scan", "text", "ocr", "book", "pages", "djvu"}
_LONGEST = 40  # characters of an id before its year
NO_WORK_ID = (
    "is not a valid id; use small letters and digits, with hyphens between words, and end it in the year (hoyle-1898)"
)
_PLAN = re.compile(r"(?m)^(?=\[\[(?:code|part)\]\])")  # where the plan begins, below the bibliography
_COMMENT = re.compile(r'(?:^|\s+)#[^"]*$')


def year_in_name(path: Path) -> int | None:
    """Return the year in the name of a file or of its folder: `hoyle-1898.txt`."""
    found = YEAR.search(path.name) or YEAR.search(path.parent.name)
    return int(found[0]) if found else None


def id_of(path: Path, family: str, year: int) -> str:
    """Propose an id for a book: the name of its file if that has a year or no author is known, else author and year.

    The id ends in the year, as the URLs of pages require.

    Args:
        path: the scan.
        family: the author's family name, if known.
        year: the year of the book.
    """
    own = slug(path.name.split(".")[0], 6)
    stem = slug(path.resolve().parent.name, 6) if own in _GENERIC else own
    if named := YEAR.search(stem):
        year, stem = int(named[0]), stem.replace(named[0], "")
    elif family:
        stem = slug(family, 2)
    stem = re.sub("-+", "-", stem)[:_LONGEST].strip("-")
    return f"{stem if stem[:1].isalpha() else f'book-{stem}'.strip('-')}-{year}"


def folder_of(corpus: Path, scan: Path) -> Path | None:
    """Return the folder of the corpus that already has exactly this scan."""
    digest = checksum(scan)
    for folder in _folders(corpus):
        held = folder / "scan.txt"
        if held.is_file() and held.stat().st_size == scan.stat().st_size and checksum(held) == digest:
            return folder
    return None


def require_address(book_id: str) -> None:
    """Raise a BookError if an id cannot be used in URLs."""
    if not is_work_id(book_id):
        raise BookError(f"{book_id!r} {NO_WORK_ID}; give another with --id.")


def plan_diff(kept: str, proposed: str) -> tuple[str, ...]:
    """Return how a new proposal differs from the existing book.toml: lines removed (-) and added (+).

    Only the plan is compared, without comments; the bibliography above it is the editor's.
    """
    old, new = (
        [line for line in (_COMMENT.sub("", line).strip() for line in _PLAN.split(text, 1)[-1].splitlines()) if line]
        for text in (kept, proposed)
    )
    lines = difflib.unified_diff(old, new, lineterm="", n=0)
    return tuple(line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---"))


def _folders(corpus: Path) -> list[Path]:
    try:
        return sorted(p for p in corpus.iterdir() if p.is_dir() and not p.name.startswith("."))
    except OSError as error:
        raise BookError(f"{corpus} cannot be read ({error.strerror}); name another with --corpus.") from error
