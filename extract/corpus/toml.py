"""Read TOML files safely: one that is not TOML is reported in one sentence, and reading never blocks."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from extract.errors import BookError, printable
from extract.text.source import read_bytes

LARGEST = 2 * 2**20  # bytes, twenty times the longest errata.toml
_LONGEST_REASON = 200
# tomllib takes n² steps for a key of n parts: one of many thousands, or many of a hundred, would take hours.
_ENDLESS_KEY = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){16}""")
_CURLY = re.compile(r"[=,\[][ \t]*[“”‘’]")  # around a value, as word processors write them


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file (UTF-8, with a byte order mark or without).

    Raises:
        BookError: it is missing, not a regular file, blank, too large, nested too deep, or not TOML; the message
            names the line if there is one.
    """
    shown, data = printable(path), read_bytes(path, LARGEST, BookError)
    try:
        text = data.decode("utf-8-sig")
        if _ENDLESS_KEY.search(text):
            raise ValueError("more than 16 names are joined by full stops")
        return tomllib.loads(text)
    except RecursionError as error:
        raise BookError(
            f"{shown} cannot be read as TOML: its tables are nested too deeply; use flatter tables."
        ) from error
    except UnicodeDecodeError as error:
        raise BookError(f"{shown} is not TOML: byte {error.start} is not UTF-8; save the file as UTF-8.") from error
    except ValueError as error:
        advice = "use straight quotation marks" if _CURLY.search(text) else "correct it"
        raise BookError(f"{shown} is not TOML: {printable(error)[:_LONGEST_REASON]}; {advice}.") from error
