"""The ledger, which places every character of a scan in a unit or in furniture, and the audit of numberings."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.audit import audit
from extract.corpus.book import Author, Book
from extract.corpus.plan import Chapters, ChaptersPart, Series, SeriesPart
from extract.errors import LedgerError
from extract.ledger import compute_ledger, require_balance
from extract.model import Edit, Page, Reference, Unit


def unit(name: str, start: int, end: int) -> Unit:
    return Unit(name, "b", None, "law", name, None, None, None, 0, start, end, None, "")


def deletion(scan: str, start: int, end: int, kind: str = "furniture") -> Edit:
    return Edit(start, end, scan[start:end], "", kind, "rule")  # type: ignore[arg-type]


SCAN = "12 The first law. The second."


@pytest.mark.parametrize(
    ("units", "kind", "message"),
    [
        ([unit("a", 3, 17)], "furniture", r"b: 2 passages .* first at 18: 'The'"),
        ([unit("a", 3, 17), unit("b", 18, 29)], "ocr", "first at 0: '12'"),
        ([unit("law", 0, 20), unit("next", 18, 29)], "furniture", "law and next overlap"),
        ([unit("law", 0, 18), unit("law", 18, 29)], "furniture", "several units have the id law"),
    ],
)
def test_reports_what_does_not_balance(units: list[Unit], kind: str, message: str) -> None:
    ledger = compute_ledger(SCAN, units, [deletion(SCAN, 0, 2, kind)])
    assert not ledger.balanced
    with pytest.raises(LedgerError, match=message):
        require_balance("b", SCAN, ledger)


def test_word_joined_across_a_note_is_not_lost() -> None:
    scan = "accep- * A note. ted, The next."
    units = [unit("a", 0, 6), unit("note", 7, 16), unit("b", 22, 31)]
    assert compute_ledger(scan, units, [deletion(scan, 17, 21, "join")]).balanced


@given(
    st.text(st.sampled_from("ab \n"), max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted), max_size=6),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted), max_size=3),
)
def test_ledger_agrees_with_a_plain_count(scan: str, units: list[list[int]], edits: list[list[int]]) -> None:
    unit_spans = [(min(a, len(scan)), min(b, len(scan))) for a, b in units]
    edit_spans = [(min(a, len(scan)), min(b, len(scan))) for a, b in edits]
    ledger = compute_ledger(
        scan, [unit(str(i), a, b) for i, (a, b) in enumerate(unit_spans)], [deletion(scan, a, b) for a, b in edit_spans]
    )
    covered = {i for a, b in (*unit_spans, *edit_spans) for i in range(a, b)}
    lost = [i for i, c in enumerate(scan) if not c.isspace() and i not in covered]
    assert [i for a, b in ledger.lost for i in range(a, b)] == lost
    assert ledger.in_units + ledger.in_furniture == sum(not c.isspace() for c in scan) - len(lost)
    assert bool(ledger.crossing) == any(a < c < b < d for a, b in unit_spans for c, d in unit_spans)


# The numbering audit: gaps, repeats and misread labels, in order.

SERIES = Series(label="{n}.", kind="law", slug="law", code="club", name="Law", expect=5)
APPENDIX = Series(label="A {n}.", kind="law", slug="art", name="Article", prefix="a")


def audited(units: Sequence[Unit], series: Sequence[Series] = (SERIES,), *more: Any) -> list[tuple[str, str, str, int]]:
    part = SeriesPart(id="laws", begins="LAWS", grammar="series", series=series)
    return [(f.series, f.finding, f.label, f.raw_start) for f in audit(book_of(part), units, *(more or [()]))]


def book_of(part: SeriesPart | ChaptersPart) -> Book:
    return Book(
        id="b", title="B", short="B", author=(Author(family="B"),), year=1850, place="B", publisher="B", note="",
        sha256="0" * 64, folder=Path(), parts=(part,),
    )  # fmt: skip


def law(number: str, confidence: float = 1.0, name: str = "") -> Unit:
    at = 100 * int("".join(filter(str.isdigit, number)))
    unit_id = name or f"club/law-{number}"
    return Unit(unit_id, "b", "club", "law", f"Law {number}", number, None, None, 0, at, at + 50, None, "", confidence)


LAWS = [law(n) for n in "12345"]


@pytest.mark.parametrize(
    ("units", "series", "expected"),
    [
        (LAWS, [SERIES], []),
        (LAWS[::2], [SERIES], [("gap", "2"), ("gap", "4")]),
        (LAWS[:3], [SERIES], [("gap", "4"), ("gap", "5")]),
        (LAWS[::2], [SERIES.model_copy(update={"omits": (2,)})], [("gap", "4")]),
        (LAWS[:3], [SERIES.model_copy(update={"expect": None})], []),
        ([*LAWS, law("2", name="club/law-2-2")], [SERIES], [("repeat", "2"), ("repeat", "2")]),
        ([law("1", 0.7), *LAWS[1:]], [SERIES], [("garbled", "1")]),
        ([law("a1", name="b/art-a1"), law("a3", name="b/art-a3"), *LAWS], [SERIES, APPENDIX], [("gap", "2")]),
    ],
    ids=[
        "no fault",
        "gaps",
        "lost at the end",
        "omitted in print",
        "no end known",
        "twice",
        "misread",
        "an appendix of its own",
    ],
)
def test_finds_faults_of_a_numbering(units: list[Unit], series: list[Series], expected: list[tuple[str, str]]) -> None:
    findings = audited(units, series)
    assert [finding[1:3] for finding in findings] == expected
    assert all(at == 100 * int(label) for _, finding, label, at in findings if finding != "gap")


def test_reports_pages_without_a_printed_folio() -> None:
    pages = [Page(0, 0, 9, "1", "printed"), Page(1, 9, 20, "2", "interpolated"), Page(2, 20, 30, "3", "printed")]
    assert audited(LAWS, [SERIES], pages) == [("pages", "gap", "2", 9)]


def test_finds_gaps_among_articles_and_within_them() -> None:
    outer = Chapters(label="Article {I}.", kind="section", slug="rules", name="Article")
    inner = Chapters(label="Sec. {n}.", kind="constitution_section", slug="rules", name="Section")
    part = ChaptersPart(id="rules", begins="RULES", grammar="chapters", series=(outer, inner))
    headings = [replace(law(n, name=f"b/rules-{n}"), kind="section", role=None) for n in "134"]
    sections = [
        replace(law(n, name=f"b/rules-1-{n}"), kind="constitution_section", parent_id="b/rules-1") for n in "124"
    ]
    found = audit(book_of(part), [*headings, *sections], ())
    assert [(f.series, f.label) for f in found] == [("Article", "2"), ("Article 1, Section", "3")]


def test_reports_dangling_references_and_slips() -> None:
    statuses = ("resolved", "slip", "dangling", "ambiguous", "foreign")
    references = [Reference("b/p1", 10 * i, 10 * i + 6, "Law\n99", None, s, 0.9) for i, s in enumerate(statuses)]
    assert audited(LAWS, [SERIES], (), (), references) == [
        ("references", "slip", "Law 99", 10), ("references", "dangling", "Law 99", 20),
    ]  # fmt: skip
