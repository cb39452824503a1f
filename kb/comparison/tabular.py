"""Lists as CSV (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV under a header line; semicolons separate several values in one field."""
    out = io.StringIO()
    csv.writer(out).writerows([head, *([_field(value) for value in row] for row in rows)])
    return out.getvalue()


def lines_as_csv(kind: type[Any], lines: Iterable[Any]) -> str:
    """Return lines as CSV.

    Args:
        kind: the dataclass of the lines; its fields are the columns.
        lines: any number of its objects.
    """
    names = [field.name for field in fields(kind)]
    return as_csv(names, ([getattr(line, name) for name in names] for line in lines))


def _field(value: object) -> object:
    return "; ".join(value) if isinstance(value, tuple) else value
