"""The weights and thresholds of the correction of words, which stand in data/correction.tsv, each with its reason."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def _table() -> dict[str, float]:
    text = (files("extract") / "data" / "correction.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("# ")]
    return {name: float(value) for name, value, _ in rows}


def weights(*names: str) -> tuple[float, ...]:
    """Weights by their names, in the order asked for.

    Args:
        names: as in the first column of data/correction.tsv.
    Raises:
        KeyError: if the table has no such row.
    """
    return tuple(_table()[name] for name in names)
