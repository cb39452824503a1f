"""The four books as they are: every numbering complete, and the units as they were marked by eye."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest

from extract.ledger import settle
from extract.model import Edition, Unit

Gold = Callable[[str], list[dict[str, Any]]]
BOOKS = ("arnaud-1829", "deschapelles-1839", "drayson-1896", "pole-1895")

# What the books print, and in which book: the stem of the ids, the kind, the highest number.
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
# Kinds whose ids carry the printed number; in the others the gold's id is one way to name them among several.
NUMBERED = {"law", "subclause", "case", "decision", "test", "etiquette", "dummy", "commentary", "constitution_section"}
SAME = 0.97


Editions = Mapping[str, Edition]


@pytest.fixture(params=["editions", "unaided"])
def made(request: pytest.FixtureRequest) -> Editions:
    """The editions with the editor's readings, and those without."""
    found: Editions = request.getfixturevalue(request.param)
    return found


@pytest.mark.parametrize(("book_id", "stem", "kind", "last"), SERIES, ids=lambda x: str(x).rstrip("-"))
def test_every_numbering_is_complete_and_in_order(
    made: Editions, book_id: str, stem: str, kind: str, last: int
) -> None:
    units = [u for u in made[book_id].units if u.kind == kind and u.id.startswith(stem)]
    units = [u for u in units if u.id.removeprefix(stem).isdigit()]
    assert [u.id.removeprefix(stem) for u in units] == [str(n) for n in range(1, last + 1)]
    assert [(u.number or "")[-len(str(n)) :] for n, u in enumerate(units, 1)] == [str(n) for n in range(1, last + 1)]
    assert all(a.raw_end <= b.raw_start for a, b in pairwise(units))


def test_the_books_have_no_other_laws_and_each_case_has_its_decision(made: Editions) -> None:
    for book_id in BOOKS:
        expected = sum(last for book, _, kind, last in SERIES if book == book_id and kind == "law")
        assert sum(u.kind == "law" for u in made[book_id].units) == expected
    assert sum(u.kind == "definition" for u in made["arnaud-1829"].units) == 32
    units = {u.id: u for u in made["drayson-1896"].units}
    decisions = [u for u in units.values() if u.kind == "decision"]
    assert [d.id for d in decisions] == [f"drayson-1896/case-{n}/decision" for n in range(1, 155)]
    assert all(units[d.parent_id or ""].raw_end <= d.raw_start for d in decisions)


def test_every_article_has_its_commentary(made: Editions) -> None:
    units = made["deschapelles-1839"].units
    explained = {t for u in units if u.kind == "commentary" for t in u.explains}
    assert explained <= {u.id for u in units if u.kind == "law"}
    # The appendices on dummy and short whist are explained as wholes.
    assert {f"deschapelles-1839/art-{n}" for n in range(1, 140)} <= explained


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_books_balance_without_a_gap_in_units_that_are_ordered_and_named(made: Editions, book_id: str) -> None:
    edition = made[book_id]
    assert [f for f in edition.findings if f.finding in ("gap", "repeat") and f.series != "pages"] == []
    ledger = settle(edition.scan, edition.units, edition.edits)
    assert ledger.balanced
    assert ledger.in_units + ledger.in_furniture == ledger.characters
    assert ledger.in_furniture < 0.03 * ledger.characters
    ids = {u.id for u in edition.units}
    assert [u.seq for u in edition.units] == list(range(len(ids)))
    places = [(u.raw_start, -u.raw_end) for u in edition.units]
    assert places == sorted(places)
    assert [u.id for u in edition.units if not u.text or u.text.strip() != u.text] == []
    assert {u.parent_id for u in edition.units} <= ids | {None}


@pytest.mark.parametrize("book_id", ["drayson-1896", "pole-1895"])
def test_no_numbered_unit_begins_in_the_midst_of_a_sentence(made: Editions, book_id: str) -> None:
    """A word that looks like a numeral (`in`, `hi`) stands after a word; a label after a stop, if only a comma."""
    scan = made[book_id].scan
    before = {u.id: scan[: u.raw_start].rstrip() for u in made[book_id].units if u.kind == "subclause"}
    astray = [i for i, text in before.items() if text.endswith((" or", " and", " the", " of"))]
    assert [i for i in astray if not before[i].endswith(("; or", "; and"))] == []


# Against the units marked by eye.


def found_in(edition: Edition, rows: list[dict[str, Any]]) -> tuple[list[tuple[dict[str, Any], Unit]], list[str]]:
    """The rows that have a unit of the same kind on the same letters, and the ids of those that have none."""
    gone = {i for e in edition.edits if e.kind == "furniture" for i in range(e.raw_start, e.raw_end)}

    def letters(start: int, end: int) -> set[int]:
        return {i for i in range(start, end) if i not in gone and not edition.scan[i].isspace()}

    def fits(row: dict[str, Any], unit: Unit) -> bool:
        if unit.kind != row["kind"] or unit.raw_start >= row["end"] or unit.raw_end <= row["start"]:
            return False
        want, have = letters(row["start"], row["end"]), letters(unit.raw_start, unit.raw_end)
        same = len(want & have) >= SAME * len(want | have)
        return same and (row["kind"] not in NUMBERED or unit.id == row["id"])

    pairs = [(row, next((unit for unit in edition.units if fits(row, unit)), None)) for row in rows]
    return [(row, unit) for row, unit in pairs if unit], [row["id"] for row, unit in pairs if not unit]


def sure(gold: Gold, book_id: str) -> list[dict[str, Any]]:
    return [row for row in gold(f"units.{book_id}") if row["sure"]]


def on_other_pages(found: list[tuple[dict[str, Any], Unit]]) -> list[tuple[str, str | None, object]]:
    """The units that lie on another page than the one marked by eye."""
    return [(u.id, u.page, r["page"]) for r, u in found if r["page"] is not None and u.page != str(r["page"])]


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_units_marked_by_eye_are_found(editions: Editions, gold: Gold, book_id: str) -> None:
    """They lie on the printed page, end with the words printed, and have the parent marked by eye."""
    found, missed = found_in(editions[book_id], sure(gold, book_id))
    assert missed == []
    assert on_other_pages(found) == []
    for row, unit in found:
        if row["kind"] in ("law", "case", "decision", "definition", "test"):
            text, last = ("".join(filter(str.isalnum, x)).casefold() for x in (unit.text, row["last_words"]))
            assert text.endswith(last), unit.id
        if row["kind"] in ("subclause", "decision"):
            assert unit.parent_id == row["parent"]


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_units_marked_by_eye_are_found_unaided(unaided: Editions, gold: Gold, book_id: str) -> None:
    rows = sure(gold, book_id)
    found, missed = found_in(unaided[book_id], rows)
    assert [i for i in missed if any(row["id"] == i and row["kind"] in NUMBERED for row in rows)] == []
    assert len(missed) <= 0.05 * len(rows), missed
    assert on_other_pages(found) == []


@pytest.mark.parametrize(
    ("book_id", "words", "at", "shown"),
    [
        ("drayson-1896", "Rule 69", 81592, ("slip", "english-1864/law-69")),
        ("drayson-1896", "Law 37", 93197, ("slip", "american-1894/law-37")),
        ("deschapelles-1839", "Article 105,", 245941, ("resolved", "deschapelles-1839/art-107")),
        ("deschapelles-1839", "Article 133, we", 167762, ("resolved", "deschapelles-1839/art-135")),
    ],
)
def test_the_authors_slips_are_shown_as_slips(
    editions: Editions, book_id: str, words: str, at: int, shown: tuple[str, str]
) -> None:
    """A wrong citation keeps its printed target, marked; one that the book's Errata mend leads where it should."""
    found = [r for r in editions[book_id].references if r.raw_start == at and " ".join(r.raw.split()) == words]
    assert [(r.status, r.target_id) for r in found] == [shown]
