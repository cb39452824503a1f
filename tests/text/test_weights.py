"""The tables of weights: each has its reason, and each is used."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

import extract
from extract.weights import weights

DATA = files("extract") / "data"
ROWS = [
    (table, *line.split("\t"))
    for table in ("correction", "labels")
    for line in (DATA / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    if line[0] != "#"
]
CODE = "".join(path.read_text(encoding="utf-8") for path in Path(extract.__path__[0]).rglob("*.py"))


def test_each_weight_has_a_reason_and_a_use() -> None:
    for table, name, value, reason in ROWS:
        assert weights(table, name) == (float(value),)
        assert len(reason.split()) > 2, name
        assert f'"{name}"' in CODE, name


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        weights("correction", "word.unheard_of")
