"""The numbering audit: gaps, repeats and misread labels, in order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from extract.audit import audit
from extract.corpus.book import Author, Book
from extract.corpus.plan import Series, SeriesPart
from extract.model import Page, Reference, Unit

SERIES = Series(label="{n}.", kind="law", slug="law", code="club", name="Law", expect=5)
APPENDIX = Series(label="A {n}.", kind="law", slug="art", name="Article", prefix="a")


def book(*series: Series) -> Book:
    part = SeriesPart(id="laws", begins="LAWS", grammar="series", series=series)
    return Book(
        id="b", title="B", short="B", author=(Author(family="B"),), year=1850, place="B", publisher="B", note="",
        sha256="0" * 64, folder=Path(), parts=(part,),
    )  # fmt: skip


def law(number: str, confidence: float = 1.0, name: str = "") -> Unit:
    at = 100 * int("".join(filter(str.isdigit, number)))
    unit_id = name or f"club/law-{number}"
    return Unit(unit_id, "b", "club", "law", f"Law {number}", number, None, None, 0, at, at + 50, None, "", confidence)


def found(units: Sequence[Unit], *series: Series) -> list[tuple[str, str]]:
    return [(f.finding, f.label) for f in audit(book(*(series or (SERIES,))), units, ())]


def test_a_series_without_fault_gives_no_finding() -> None:
    assert found([law(n) for n in "12345"]) == []


def test_a_number_that_no_unit_bears_is_a_gap() -> None:
    assert found([law(n) for n in "135"]) == [("gap", "2"), ("gap", "4")]


def test_a_number_lost_at_the_end_is_known_from_the_print() -> None:
    assert found([law(n) for n in "123"]) == [("gap", "4"), ("gap", "5")]
    assert found([law(n) for n in "123"], SERIES.model_copy(update={"expect": None})) == []


def test_a_number_that_occurs_twice_is_a_repeat() -> None:
    again = law("2", name="club/law-2-2")
    findings = audit(book(SERIES), [law("1"), law("2"), again, *(law(n) for n in "345")], ())
    assert [(f.finding, f.label, f.raw_start) for f in findings] == [("repeat", "2", 200)] * 2


def test_a_misread_label_is_told_with_its_place() -> None:
    (finding,) = audit(book(SERIES), [law("1", 0.7), *(law(n) for n in "2345")], ())
    assert (finding.finding, finding.label, finding.raw_start, finding.series) == ("garbled", "1", 100, "club Law")


def test_appendices_are_series_of_their_own() -> None:
    units = [law("a1", name="b/art-a1"), law("a3", name="b/art-a3"), *(law(n) for n in "12345")]
    assert found(units, SERIES, APPENDIX) == [("gap", "2")]


def test_pages_whose_folio_is_lost_are_told() -> None:
    pages = [Page(0, 0, 9, "1", "printed"), Page(1, 9, 20, "2", "interpolated"), Page(2, 20, 30, "3", "printed")]
    (finding,) = audit(book(SERIES), [law(n) for n in "12345"], pages)
    assert (finding.series, finding.finding, finding.label, finding.raw_start) == ("pages", "gap", "2", 9)


def test_references_that_lead_nowhere_and_slips_are_told() -> None:
    statuses = ("resolved", "slip", "dangling", "ambiguous", "foreign")
    references = [Reference("b/p1", 10 * i, 10 * i + 6, "Law\n99", None, s, 0.9) for i, s in enumerate(statuses)]
    findings = audit(book(SERIES), [law(n) for n in "12345"], (), (), references)
    assert [(f.series, f.finding, f.label, f.raw_start) for f in findings] == [
        ("references", "slip", "Law 99", 10), ("references", "dangling", "Law 99", 20),
    ]  # fmt: skip
    assert len({f.note for f in findings}) == 2
