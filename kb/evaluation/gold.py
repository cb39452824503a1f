"""Gold data made by hand: JSON lines in one folder for all books; the file name contains the book."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from extract.errors import BookError

Gold = Mapping[str, Any]


def rows(folder: Path, pattern: str) -> Iterator[tuple[str, Gold]]:
    """Yield the rows of gold files, each after the book in the file name; rows marked as unsure are left out.

    Args:
        folder: the folder of gold files.
        pattern: a glob that selects files (`units.*.jsonl`).
    Raises:
        BookError: a line is not a JSON object.
    """
    for path in sorted(folder.glob(pattern)):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                row = _parsed(line, f"{path}, line {number},")
                if row.get("sure", True) is not False:
                    yield path.name.split(".")[1], row


def documents(folder: Path, pattern: str) -> Iterator[Gold]:
    """Yield the contents of gold files that hold one JSON object each.

    Raises:
        BookError: a file is not a JSON object.
    """
    for path in sorted(folder.glob(pattern)):
        yield _parsed(path.read_text(encoding="utf-8"), str(path))


def _parsed(text: str, where: str) -> Gold:
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        raise BookError(f"{where} is not JSON ({error.msg}); correct it.") from error
    if not isinstance(row, dict):
        raise BookError(f"{where} is not a JSON object; correct it.")
    return row


def provision(unit_id: str) -> str:
    """Return the id of a unit's provision: `english-1864/law-72` for itself and for `english-1864/law-72/ii`."""
    return "/".join(unit_id.split("/")[:2])
