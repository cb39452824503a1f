"""Read a TOML file that may be anything; what is none is told in one sentence, and nothing is waited for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from extract.errors import BookError, printable
from extract.text.source import read_bytes

LARGEST = 2 * 2**20  # bytes, twenty times the longest errata.toml
_LONGEST_REASON = 200
# tomllib looks at a key of n parts n² times: one of many thousands, or many of a hundred, would hold it for hours.
_ENDLESS_KEY = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){16}""")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file (UTF-8, with a byte order mark or without).

    Raises:
        BookError: it is missing, no regular file, blank, too large, nested too deep, or no TOML; the message names
            the line where there is one.
    """
    shown, data = printable(path), read_bytes(path, LARGEST, BookError)
    try:
        text = data.decode("utf-8-sig")
        if _ENDLESS_KEY.search(text):
            raise ValueError("more than 16 names are joined by full stops")
        return tomllib.loads(text)
    except RecursionError as error:
        raise BookError(f"{shown} is not TOML that can be read: it is nested too deep; write flat tables.") from error
    except UnicodeDecodeError as error:
        raise BookError(f"{shown} is not TOML: byte {error.start} is no UTF-8; save the file as UTF-8.") from error
    except ValueError as error:
        raise BookError(f"{shown} is not TOML: {printable(error)[:_LONGEST_REASON]}; correct it.") from error
