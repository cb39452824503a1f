"""Gold data made by eye: JSON lines, one folder for all books, the book told by the file's name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from extract.errors import BookError

Gold = Mapping[str, Any]


def rows(folder: Path, pattern: str) -> Iterator[tuple[str, Gold]]:
    """The rows of gold files with the book that the file's name tells; rows marked as unsure are left out.

    Args:
        folder: the folder of gold files.
        pattern: which of them, as a glob (`units.*.jsonl`).
    Raises:
        BookError: a line is no JSON object.
    """
    for path in sorted(folder.glob(pattern)):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                row = _parsed(line, f"{path}, line {number},")
                if row.get("sure", True) is not False:
                    yield path.name.split(".")[1], row


def documents(folder: Path, pattern: str) -> Iterator[Gold]:
    """Gold files that hold one JSON object each.

    Raises:
        BookError: a file is no JSON object.
    """
    for path in sorted(folder.glob(pattern)):
        yield _parsed(path.read_text(encoding="utf-8"), str(path))


def _parsed(text: str, where: str) -> Gold:
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        raise BookError(f"{where} is not JSON ({error.msg}); correct it.") from error
    if not isinstance(row, dict):
        raise BookError(f"{where} holds no JSON object; correct it.")
    return row


def provision(unit_id: str) -> str:
    """The id of the provision that a unit is or lies in: `english-1864/law-72` of `english-1864/law-72/ii`."""
    return "/".join(unit_id.split("/")[:2])
