"""The weights of the correction: each has its reason, and each is used."""

from __future__ import annotations

from importlib.resources import files

import pytest

from extract.correction.weights import weights

ROWS = [
    line.split("\t")
    for line in (files("extract") / "data" / "correction.tsv").read_text(encoding="utf-8").splitlines()
    if line[0] != "#"
]
CODE = "".join(
    p.read_text(encoding="utf-8") for p in (files("extract") / "correction" / "spelling").iterdir() if p.is_file()
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_weight_has_a_reason_and_a_use(row: list[str]) -> None:
    name, value, reason = row
    assert weights(name) == (float(value),)
    assert len(reason.split()) > 3
    assert f'"{name}"' in CODE


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        weights("word.unheard_of")
