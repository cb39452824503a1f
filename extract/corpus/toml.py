"""Read TOML files safely: one that is not TOML is reported in one sentence, and reading never blocks."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from extract.errors import BookError, printable
from extract.text.source import read_bytes

LARGEST = 2 * 2**20  # bytes, twenty times the longest errata.toml
_LONGEST_REASON = 200
# tomllib takes n² steps for a key of n parts: one of many thousands, or many of a hundred, would take hours.
_ENDLESS_KEY = re.compile(r"""(?m)^[ \t]*+\[{0,2}[ \t]*+(?:[\w"'-]++[ \t]*+\.[ \t]*+){16}""")
_KEY = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]")
_VALUE = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")
_ENTRY = re.compile(r"""\{.*\}|"[^"]*"|'[^']*'""")
_CURLY = re.compile(r"[=,\[][ \t]*[“”‘’]")  # around a value, as word processors write them


Place = tuple[str | int, ...]
"""The path to a value in a TOML file: `("part", 2, "series", 0, "slug")`."""


def read_toml(path: Path) -> tuple[dict[str, Any], str]:
    """Read a TOML file (UTF-8, with a byte order mark or without).

    Returns:
        Its data, and its text.
    Raises:
        BookError: it is missing, not a regular file, blank, too large, nested too deep, or not TOML; the message
            names the line if there is one.
    """
    shown, data = printable(path), read_bytes(path, LARGEST, BookError)
    try:
        text = data.decode("utf-8-sig")
        if _ENDLESS_KEY.search(text):
            raise ValueError("more than 16 names are joined by full stops")
        return tomllib.loads(text), text
    except RecursionError as error:
        raise BookError(
            f"{shown} cannot be read as TOML: its tables are nested too deeply; use flatter tables."
        ) from error
    except UnicodeDecodeError as error:
        raise BookError(f"{shown} is not TOML: byte {error.start} is not UTF-8; save the file as UTF-8.") from error
    except ValueError as error:
        advice = "use straight quotation marks" if _CURLY.search(text) else "correct it"
        raise BookError(f"{shown} is not TOML: {printable(error)[:_LONGEST_REASON]}; {advice}.") from error


def lines_of(text: str) -> dict[Place, int]:
    """Return the line of each table, each key that begins a line, and each entry of a list with lines of its own.

    The text must be valid TOML; of a list within a list only the outer one counts.

    >>> lines_of("[[part]]\n[[part]]\nid = 'laws'")
    {('part', 0): 1, ('part', 1): 2, ('part', 1, 'id'): 3}
    """
    found: dict[Place, int] = {}
    entries: Counter[Place] = Counter()
    table: Place = ()
    within = False  # a string of several lines
    listed: Place = ()  # a list of several lines
    for number, line in enumerate(text.splitlines(), 1):
        if not within and (header := _HEADER.match(line)):
            table = ()
            for name in (keys := _keys(header[2]))[:-1]:
                table = (*table, name, entries[*table, name] - 1) if entries[*table, name] else (*table, name)
            table = (*table, keys[-1])
            if header[1] == "[[":
                entries[table] += 1
                table = (*table, entries[table] - 1)
            found.setdefault(table, number)
        elif not within and listed:
            for _ in _ENTRY.findall(line):
                found[*listed, entries[listed]] = number
                entries[listed] += 1
            listed = () if line.lstrip().startswith("]") else listed
        elif not within and (value := _VALUE.match(line)):
            found.setdefault(key := (*table, *_keys(value[1])), number)
            listed = key if line.rstrip().endswith("[") else ()
        within ^= (line.count('"""') + line.count("'''")) % 2 == 1
    return found


def _keys(dotted: str) -> list[str]:
    return [key.strip("\"'") for key in re.findall(_KEY, dotted)]
