"""Remarks: what they explain is what they refer to."""

from __future__ import annotations

import pytest

from extract.model import Reference, Unit
from extract.references.resolution import explained


def unit(unit_id: str, kind: str, explains: tuple[str, ...] = ()) -> Unit:
    return Unit(unit_id, "b", None, kind, "", None, None, None, 0, 0, 9, None, "", 1.0, explains)


def reference(source: str, target: str | None, status: str = "resolved") -> Reference:
    return Reference(source, 0, 5, "Law 1", target, status, 0.9)


UNITS = [
    unit("b/law-1", "law"), unit("b/law-2/i", "subclause"), unit("b/case-1", "case"), unit("b/remark-1", "remark"),
    unit("b/remark-2", "remark"), unit("b/comment", "commentary", ("b/law-1",)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("references", "found"),
    [
        ([("b/remark-1", target) for target in ("b/law-2/i", "b/law-1", "b/law-2/i")], ("b/law-2/i", "b/law-1")),
        ([("b/remark-1", "b/case-1"), ("b/remark-1", "b/law-1", "slip"), ("b/remark-1", None, "dangling")], None),
        ([("b/comment", "b/law-2/i"), ("b/law-1", "b/law-2/i")], None),
    ],
    ids=["each once and in its order", "no case, no slip, nothing that leads nowhere", "none but a remark"],
)
def test_a_remark_explains_the_provisions_that_it_names(
    references: list[tuple[str, ...]], found: tuple[str, ...] | None
) -> None:
    units = explained(UNITS, [reference(*told) for told in references])
    remark = {"b/remark-1": found} if found else {}
    assert {u.id: u.explains for u in units if u.explains} == remark | {"b/comment": ("b/law-1",)}
