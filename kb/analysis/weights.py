"""Fitted weights: they are stored in data/weights.toml, each table with the command that fits it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files


def weights(table: str) -> Mapping[str, float]:
    """Return the weights of a table.

    Raises:
        KeyError: there is no such table.
    """
    tables: dict[str, dict[str, float]] = tomllib.loads((files("kb") / "data" / "weights.toml").read_text("utf-8"))
    return tables[table]


def as_toml(table: str, fitted: Mapping[str, float]) -> Iterator[str]:
    """Yield the lines of a table, in the format of the file."""
    yield f"[{table}]"
    yield from (
        f'"{name}" = {weight:.2f}' if " " in name else f"{name} = {weight:.2f}" for name, weight in fitted.items()
    )
