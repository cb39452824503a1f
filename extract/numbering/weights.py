"""The weights of the decoding of labels, which stand in data/labels.tsv, each with its reason."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def _table() -> dict[str, float]:
    lines = (files("extract") / "data" / "labels.tsv").read_text(encoding="utf-8").splitlines()
    return {name: float(value) for name, value, _ in (line.split("\t") for line in lines if not line.startswith("#"))}


def weights(*names: str) -> tuple[float, ...]:
    """Weights by their names, in the order asked for.

    Args:
        names: as in the first column of data/labels.tsv.
    Raises:
        KeyError: if the table has no such row.
    """
    return tuple(_table()[name] for name in names)
