"""Weights and thresholds that were fitted or measured, read from tables in extract/data, where each has its reason."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=4)
def _table(name: str) -> dict[str, float]:
    text = (files("extract") / "data" / f"{name}.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {row: float(value) for row, value, _ in rows}


def weights(table: str, *names: str) -> tuple[float, ...]:
    """Return the weights with the given names, in that order.

    Args:
        table: the name of the table: `labels` for data/labels.tsv.
        names: names as in its first column.
    Raises:
        KeyError: if the table has no such row.
    """
    return tuple(_table(table)[name] for name in names)
