"""Remarks: what they explain is what they refer to."""

from __future__ import annotations

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


def explains(*references: Reference) -> dict[str, tuple[str, ...]]:
    return {u.id: u.explains for u in explained(UNITS, references) if u.explains}


def test_a_remark_explains_the_provisions_that_it_names_each_once_and_in_its_order() -> None:
    named = [reference("b/remark-1", target) for target in ("b/law-2/i", "b/law-1", "b/law-2/i")]
    assert explains(*named) == {"b/remark-1": ("b/law-2/i", "b/law-1"), "b/comment": ("b/law-1",)}


def test_a_case_or_a_slip_or_what_leads_nowhere_is_not_explained() -> None:
    doubtful = (reference("b/remark-1", "b/law-1", "slip"), reference("b/remark-1", None, "dangling"))
    assert explains(reference("b/remark-1", "b/case-1"), *doubtful) == {"b/comment": ("b/law-1",)}


def test_only_a_remark_explains_what_it_names() -> None:
    assert explains(reference("b/comment", "b/law-2/i"), reference("b/law-1", "b/law-2/i")) == {
        "b/comment": ("b/law-1",)
    }
