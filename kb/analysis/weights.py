"""Fitted weights: they are stored in data/weights.toml, each table with how it was fitted."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files


def weights(table: str) -> Mapping[str, float]:
    """Return the weights of a table.

    Raises:
        KeyError: there is no such table.
    """
    tables: dict[str, dict[str, float]] = tomllib.loads((files("kb") / "data" / "weights.toml").read_text("utf-8"))
    return tables[table]
