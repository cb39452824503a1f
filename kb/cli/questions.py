"""Read questions as JSON lines from standard input."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from extract.errors import QueryError


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question from one line: its `qid` unchanged, its `query`, and the whole object."""

    qid: Any
    query: str
    line: int
    given: Mapping[str, Any]

    def names(self, key: str) -> tuple[str, ...]:
        """Return an optional list of names.

        Raises:
            QueryError: the value is not a list of names.
        """
        value = self.given.get(key) or []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise QueryError(f'Line {self.line} of standard input: "{key}" is not a list of names; write ["..."].')
        return tuple(value)


def read_questions(lines: Iterable[str]) -> Iterator[AskedQuestion]:
    """Yield the questions on some lines; empty lines are skipped.

    Raises:
        QueryError: a line is not a JSON object with a `qid` and a `query`.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _read(line, number)


def _read(line: str, number: int) -> AskedQuestion:
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"Line {number} of standard input is not JSON; write one object per line.") from error
    if not isinstance(parsed, dict) or not isinstance(parsed.get("query"), str) or "qid" not in parsed:
        raise QueryError(f'Line {number} of standard input lacks "qid" or "query"; write both.')
    return AskedQuestion(parsed["qid"], parsed["query"], number, parsed)
