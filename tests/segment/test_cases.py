"""Cases and their decisions: two units side by side, the decision the child of its case."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book, render, shown

from extract.edition import make_edition
from extract.model import Unit
from extract.text.source import Layout

CASES = [
    ("Case 1. — A leads a small heart and Y revokes. What is the penalty?", "Decision. — The penalty is three tricks."),
    (
        "Case 2. — B deals and faces a card. May Y claim a new deal?",
        "Answer. — He may, before the trump card is turned.",
    ),
    ("Case 3. — Z plays out of turn. The decision of Case 2 is of no use here.", "Decision. — Z's card is exposed."),
    ("Case 4. — A claims honors after the next deal.", "Suggestion. — Let them be forfeited."),
]
PLAN = """
[[part]]
id = "cases"
begins = "DISPUTES"
grammar = "cases"
split = ["Decision", "Answer", "Suggestion"]
[[part.series]]
label = "Case {n}."
kind = "case"
slug = "case"
name = "Case"
"""


def units(folder: Path, matter: list[str], layout: Layout = "lines") -> tuple[Unit, ...]:
    return make_edition(make_book(folder / "small", render(["DISPUTES", *matter], layout), layout, PLAN)).units


def plain(text: str) -> str:
    return text.replace(" — ", "—")


@pytest.mark.parametrize("layout", ["lines", "markdown", "single-line"])
def test_a_case_ends_where_its_decision_begins(tmp_path: Path, layout: Layout) -> None:
    found = units(tmp_path, [x for pair in CASES for x in pair], layout)
    assert shown(found, "case") == [(f"small/case-{i}", plain(story)) for i, (story, _) in enumerate(CASES, 1)]
    assert shown(found, "decision") == [
        (f"small/case-{i}/decision", plain(decision)) for i, (_, decision) in enumerate(CASES, 1)
    ]
    cases, decisions = ([u for u in found if u.kind == kind] for kind in ("case", "decision"))
    for case, decision in zip(cases, decisions, strict=True):
        assert (decision.parent_id, decision.label) == (case.id, f"{case.label}, decision")
        assert case.raw_end <= decision.raw_start


def test_a_case_without_decision_stands_alone(tmp_path: Path) -> None:
    found = units(tmp_path, [*CASES[0], "Case 2. — Nobody can tell what is right here.", *CASES[2], *CASES[3]])
    assert [u.id for u in found if u.kind == "decision"] == [f"small/case-{i}/decision" for i in (1, 3, 4)]


def test_garbled_case_numbers_are_decoded_and_mended(tmp_path: Path) -> None:
    stories = [(f"Case {n}. — A deals and B looks at his cards.", "Decision. — He may.") for n in range(1, 15)]
    read = "\n".join(x for pair in stories for x in pair)
    for printed, misread in (("1.", "i."), ("9.", "g."), ("11.", "ii."), ("13.", "i  3.")):
        read = read.replace(f"Case {printed}", f"Case {misread}")
    found = units(tmp_path, read.split("\n"))
    assert shown(found, "case") == [(f"small/case-{i}", plain(story)) for i, (story, _) in enumerate(stories, 1)]
