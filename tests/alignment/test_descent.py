"""Families and borrowings: which code took what from which, and families that do not drift from rule to rule."""

import pytest

from kb.alignment.descent import BorrowingRow, LinkRow, borrowings, families

CODES = {"a": ["a/1", "a/2"], "b": ["b/1", "b/2", "b/3"], "c": ["c/1", "c/2"], "d": ["d/1"]}


def link(a: str, b: str, relation: str = "same-text", score: float = 0.9) -> LinkRow:
    return LinkRow(a, b, relation, score)


def test_borrowings_count_each_provision_once_and_its_nearest_source() -> None:
    links = [
        link("a/1", "b/1", score=0.95), link("a/1", "c/1", score=0.85), link("b/1", "c/1", score=0.93),
        link("a/2", "b/2", "equivalent"), link("a/2", "b/1", "narrower"), link("a/2", "c/2", "broader"),
        link("a/1/i", "b/2", "same-text"), link("a/2", "b/3", "differs"),
    ]  # fmt: skip
    assert borrowings(CODES, links) == [
        BorrowingRow("b", "a", provisions=3, same=1, equivalent=1, part=0, nearest=1),
        BorrowingRow("c", "a", provisions=2, same=1, equivalent=0, part=1, nearest=0),
        BorrowingRow("c", "b", provisions=2, same=1, equivalent=0, part=0, nearest=1),
    ]


KEPT = {
    "a/1": "The ferryman keeps the rope dry.",
    "b/1": "The ferryman keeps the lamp lit.",
    "c/1": "The ferryman keeps the rope lit.",
    "d/1": "No drover may sell oxen on a Sunday without leave.",
}


@pytest.mark.parametrize(
    ("links", "texts"),
    [
        ([link("a/1", "b/1"), link("b/1", "c/1"), link("a/1", "c/1", "equivalent"), link("a/2", "c/2", "differs")], {}),
        ([link("a/1", "b/1"), link("b/1", "c/1"), link("c/1", "d/1")], KEPT),
        ([link("a/1", "b/1"), link("b/1", "c/1", "equivalent")], {"a/1": "x", "c/1": "quite other words"}),
    ],
    ids=[
        "provisions that differ are excluded",
        "small changes add up until the earliest text is lost",
        "linked to one of two members",
    ],
)
def test_family_is_headed_by_its_earliest_provision(links: list[LinkRow], texts: dict[str, str]) -> None:
    every = dict.fromkeys((i for ids in CODES.values() for i in ids), "") | texts
    assert {row.unit_id: row.head_id for row in families(CODES, links, every)} == dict.fromkeys(
        ("a/1", "b/1", "c/1"), "a/1"
    )
