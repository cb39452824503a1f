"""The numbering audit: gaps, repeats and misread labels, in order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from extract.audit import audit
from extract.corpus.book import Author, Book
from extract.corpus.plan import Series, SeriesPart
from extract.model import Page, Reference, Unit

SERIES = Series(label="{n}.", kind="law", slug="law", code="club", name="Law", expect=5)
APPENDIX = Series(label="A {n}.", kind="law", slug="art", name="Article", prefix="a")


def found(units: Sequence[Unit], series: Sequence[Series] = (SERIES,), *more: Any) -> list[tuple[str, str, str, int]]:
    part = SeriesPart(id="laws", begins="LAWS", grammar="series", series=series)
    book = Book(
        id="b", title="B", short="B", author=(Author(family="B"),), year=1850, place="B", publisher="B", note="",
        sha256="0" * 64, folder=Path(), parts=(part,),
    )  # fmt: skip
    return [(f.series, f.finding, f.label, f.raw_start) for f in audit(book, units, *(more or [()]))]


def law(number: str, confidence: float = 1.0, name: str = "") -> Unit:
    at = 100 * int("".join(filter(str.isdigit, number)))
    unit_id = name or f"club/law-{number}"
    return Unit(unit_id, "b", "club", "law", f"Law {number}", number, None, None, 0, at, at + 50, None, "", confidence)


LAWS = [law(n) for n in "12345"]


@pytest.mark.parametrize(
    ("units", "series", "told"),
    [
        (LAWS, [SERIES], []),
        (LAWS[::2], [SERIES], [("gap", "2"), ("gap", "4")]),
        (LAWS[:3], [SERIES], [("gap", "4"), ("gap", "5")]),
        (LAWS[:3], [SERIES.model_copy(update={"expect": None})], []),
        ([*LAWS, law("2", name="club/law-2-2")], [SERIES], [("repeat", "2"), ("repeat", "2")]),
        ([law("1", 0.7), *LAWS[1:]], [SERIES], [("garbled", "1")]),
        ([law("a1", name="b/art-a1"), law("a3", name="b/art-a3"), *LAWS], [SERIES, APPENDIX], [("gap", "2")]),
    ],
    ids=["no fault", "gaps", "lost at the end", "no end known", "twice", "misread", "an appendix of its own"],
)
def test_faults_of_a_numbering_are_found(units: list[Unit], series: list[Series], told: list[tuple[str, str]]) -> None:
    findings = found(units, series)
    assert [finding[1:3] for finding in findings] == told
    assert all(at == 100 * int(label) for _, finding, label, at in findings if finding != "gap")


def test_pages_whose_folio_is_lost_are_told() -> None:
    pages = [Page(0, 0, 9, "1", "printed"), Page(1, 9, 20, "2", "interpolated"), Page(2, 20, 30, "3", "printed")]
    assert found(LAWS, [SERIES], pages) == [("pages", "gap", "2", 9)]


def test_references_that_lead_nowhere_and_slips_are_told() -> None:
    statuses = ("resolved", "slip", "dangling", "ambiguous", "foreign")
    references = [Reference("b/p1", 10 * i, 10 * i + 6, "Law\n99", None, s, 0.9) for i, s in enumerate(statuses)]
    assert found(LAWS, [SERIES], (), (), references) == [
        ("references", "slip", "Law 99", 10), ("references", "dangling", "Law 99", 20),
    ]  # fmt: skip
