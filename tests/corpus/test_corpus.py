"""The four books: every numbering is complete, and the units agree with the gold."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest
from samples import BOOKS

from extract.ledger import compute_ledger
from extract.model import Edition

Gold = Callable[[str], list[dict[str, Any]]]

# The numberings that the books print: book, stem of the ids, kind, highest number.
SERIES = [
    ("arnaud-1829", "arnaud-1829/law-", "law", 26),
    ("deschapelles-1839", "deschapelles-1839/art-", "law", 139),
    ("deschapelles-1839", "deschapelles-1839/art-a", "law", 9),
    ("deschapelles-1839", "deschapelles-1839/art-b", "law", 8),
    ("deschapelles-1839", "deschapelles-1839/art-c", "law", 5),
    ("drayson-1896", "english-1864/law-", "law", 91),
    ("drayson-1896", "english-1864/etiquette-", "etiquette", 8),
    ("drayson-1896", "english-1864/dummy-", "dummy", 3),
    ("drayson-1896", "american-1894/law-", "law", 39),
    ("drayson-1896", "drayson-1896/case-", "case", 154),
    ("drayson-1896", "drayson-1896/test-", "test", 25),
    ("pole-1895", "american-1893/law-", "law", 40),
    ("pole-1895", "american-1893/etiquette-", "etiquette", 9),
]

# What no machine can read there: a law whose number the scan has as `l" o`.
UNREAD = {"american-1893/law-18"}

Editions = Mapping[str, Edition]


@pytest.fixture(params=["editions", "unaided"])
def any_editions(request: pytest.FixtureRequest) -> Editions:
    """The editions with the editor's readings, and those without."""
    found: Editions = request.getfixturevalue(request.param)
    return found


@pytest.mark.parametrize(("book_id", "stem", "kind", "last"), SERIES, ids=lambda x: str(x).rstrip("-"))
def test_every_numbering_is_complete_and_in_order(
    editions: Editions, any_editions: Editions, book_id: str, stem: str, kind: str, last: int
) -> None:
    units = [
        u for u in any_editions[book_id].units
        if u.kind == kind and u.id.startswith(stem) and u.id.removeprefix(stem).isdigit()
    ]  # fmt: skip
    unread = () if any_editions is editions else UNREAD
    numbers = [str(n) for n in range(1, last + 1) if f"{stem}{n}" not in unread]
    assert [u.id.removeprefix(stem) for u in units] == numbers
    assert [(u.number or "").lstrip("abc") for u in units] == numbers
    assert all(a.raw_end <= b.raw_start for a, b in pairwise(units))


def test_books_have_no_other_laws_and_each_case_has_its_decision(editions: Editions, any_editions: Editions) -> None:
    for book_id in BOOKS:
        expected = sum(last for book, _, kind, last in SERIES if book == book_id and kind == "law")
        assert sum(u.kind == "law" for u in editions[book_id].units) == expected
        assert sum(u.kind == "law" for u in any_editions[book_id].units) <= expected
    assert sum(u.kind == "definition" for u in any_editions["arnaud-1829"].units) == 32
    decisions = [u.id for u in any_editions["drayson-1896"].units if u.kind == "decision"]
    assert decisions == [f"drayson-1896/case-{n}/decision" for n in range(1, 155)]


def test_every_article_has_its_commentary(any_editions: Editions) -> None:
    units = any_editions["deschapelles-1839"].units
    explained = {t for u in units if u.kind == "commentary" for t in u.explains}
    assert explained <= {u.id for u in units if u.kind == "law"}
    # The appendices on dummy and short whist are explained as wholes.
    assert {f"deschapelles-1839/art-{n}" for n in range(1, 140)} <= explained


@pytest.mark.parametrize("book_id", BOOKS)
def test_books_balance_without_gaps_and_their_units_are_ordered(
    editions: Editions, any_editions: Editions, book_id: str
) -> None:
    edition = any_editions[book_id]
    gaps = [f.label for f in edition.findings if f.finding in ("gap", "repeat") and f.series != "pages"]
    assert gaps == ([] if any_editions is editions or book_id != "pole-1895" else ["18"])
    ledger = compute_ledger(edition.scan, edition.units, edition.edits)
    assert ledger.balanced
    assert ledger.in_furniture < 0.03 * ledger.characters
    ids = {u.id for u in edition.units}
    assert [u.seq for u in edition.units] == list(range(len(ids)))
    places = [(u.raw_start, -u.raw_end) for u in edition.units]
    assert places == sorted(places)
    assert [u.id for u in edition.units if not u.text or u.text.strip() != u.text] == []
    assert {u.parent_id for u in edition.units} <= ids | {None}


@pytest.mark.parametrize("book_id", ["drayson-1896", "pole-1895"])
def test_no_numbered_unit_begins_in_the_middle_of_a_sentence(any_editions: Editions, book_id: str) -> None:
    """A word that looks like a numeral (`in`, `hi`) follows a word; a label follows a stop, even if only a comma."""
    scan = any_editions[book_id].scan
    before = {u.id: scan[: u.raw_start].rstrip() for u in any_editions[book_id].units if u.kind == "subclause"}
    astray = {i: text[-20:] for i, text in before.items() if text.endswith((" or", " and", " the", " of"))}
    assert {i: text for i, text in astray.items() if not text.endswith(("; or", "; and"))} == {}


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


@pytest.mark.parametrize("book_id", BOOKS)
def test_gold_units_have_their_last_words_and_their_parent(editions: Editions, gold: Gold, book_id: str) -> None:
    """Whether they are found, on the right letters and page, is measured in `tests/whole/test_quality.py`."""
    units = {u.id: u for u in editions[book_id].units}
    for row in (row for row in gold(f"units.{book_id}") if row["sure"]):
        if row["kind"] in ("law", "case", "decision", "definition", "test"):
            assert letters(units[row["id"]].text).endswith(letters(row["last_words"])), row["id"]
        if row["kind"] in ("subclause", "decision"):
            assert units[row["id"]].parent_id == row["parent"]


@pytest.mark.parametrize(
    ("book_id", "words", "at", "shown"),
    [
        ("drayson-1896", "Rule 69", 81592, ("slip", "english-1864/law-69")),
        ("drayson-1896", "Law 37", 93197, ("slip", "american-1894/law-37")),
        ("deschapelles-1839", "Article 105,", 245941, ("resolved", "deschapelles-1839/art-107")),
        ("deschapelles-1839", "Article 133, we", 167762, ("resolved", "deschapelles-1839/art-135")),
    ],
)
def test_authors_slips_are_marked_or_corrected(
    editions: Editions, book_id: str, words: str, at: int, shown: tuple[str, str]
) -> None:
    """A wrong citation keeps its printed target, marked; one that the book's Errata correct leads to the right one."""
    found = [r for r in editions[book_id].references if r.raw_start == at and " ".join(r.raw.split()) == words]
    assert [(r.status, r.target_id) for r in found] == [shown]
