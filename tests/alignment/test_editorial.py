"""The editor's verdicts, and whether they are stale."""

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlite_utils
from hypothesis import given
from hypothesis import strategies as st

from extract.corpus.table import read_if_there
from extract.errors import BookError
from extract.model import Unit
from kb.alignment.links import LinkRow
from kb.alignment.relation import Relation
from kb.editorial.concordance import (
    FILE,
    Apart,
    Closed,
    Verdict,
    VerdictFile,
    closed_cells,
    judge,
)
from kb.editorial.provisions import (
    Readings,
    bases,
    letters,
    require_judged_once,
    stale,
    written,
)
from kb.editorial.twins import TwinCodes, twins


def law(unit_id: str, text: str = "A revoke costs three tricks, whoever claims it.", parent: str | None = None) -> Unit:
    """A provision of a code that is also its own book, or a paragraph of a provision."""
    code, number = unit_id.split("/", 1)
    kind = "subclause" if parent else "law"
    return Unit(unit_id, code, code, kind, number, number, parent, None, 0, 0, 0, None, text)


UNITS = [law("old/law-1"), law("old/law-2"), law("new/law-1"), law("new/law-2")]
TWINS = (TwinCodes(a="new", b="newer", least=0.9, reason="one text"),)
TWIN_UNITS = [*UNITS, law("newer/law-1"), law("newer/law-2", "Another law, on another matter.")]
PART = law("old/law-1/i", parent="old/law-1")


def verdict(a: str, b: str, relation: Relation, reason: str = "read") -> Verdict:
    return Verdict(a=a, b=b, relation=relation, reason=reason)


def proposed(a: str = "old/law-1") -> LinkRow:
    return LinkRow(a, "new/law-2", "narrower", "new-deal", 0.9, "proposed", "machine", "share: new deal")


def closed(provision: str, *codes: str) -> Closed:
    return Closed(provision=provision, codes=codes)


DIFFERS = verdict("old/law-1", "new/law-1", "differs")
LEFT = ("old/law-1", "new/law-2", "narrower", "proposed", "share: new deal")
REJECTED = ("old/law-1", "new/law-2", "narrower", "rejected", "share: new deal")
FOUND = ("old/law-1", "new/law-1", "differs", "confirmed", "read")


@pytest.mark.parametrize(
    ("links", "closing", "rows", "units", "judged"),
    [
        ([verdict("old/law-1", "new/law-2", "narrower")], [], [proposed()], UNITS,
         [("old/law-1", "new/law-2", "narrower", "confirmed", "read")]),
        ([verdict("new/law-2", "old/law-1", "narrower", "says less")], [], [proposed()], UNITS,
         [("old/law-1", "new/law-2", "broader", "confirmed", "says less")]),
        ([DIFFERS], [], [proposed()], UNITS, [FOUND, LEFT]),
        ([DIFFERS], [closed("old/law-1", "new")], [proposed()], UNITS, [FOUND, REJECTED]),
        ([DIFFERS], [closed("new/law-2", "old")], [proposed()], UNITS, [FOUND, REJECTED]),
        ([], [closed("old/law-2", "new")], [proposed()], UNITS, [LEFT]),
        ([], [closed("old/law-1", "new")], [proposed(PART.id)], [*UNITS, PART], [(PART.id, *REJECTED[1:])]),
        ([DIFFERS], [], [], TWIN_UNITS, [
            FOUND, ("old/law-1", "newer/law-1", "differs", "confirmed", "read"),
            ("new/law-1", "newer/law-1", "same-text", "confirmed", "almost the same words"),
        ]),
        ([verdict("old/law-1", "new/law-1", "differs", "new adds more")], [], [], TWIN_UNITS, [
            ("old/law-1", "new/law-1", "differs", "confirmed", "new adds more"),
            ("old/law-1", "newer/law-1", "differs", "confirmed", "newer adds more"),
            ("new/law-1", "newer/law-1", "same-text", "confirmed", "almost the same words"),
        ]),
        ([DIFFERS, verdict("old/law-1", "newer/law-1", "equivalent")], [], [], TWIN_UNITS, [
            FOUND, ("old/law-1", "newer/law-1", "equivalent", "confirmed", "read"),
            ("new/law-1", "newer/law-1", "same-text", "confirmed", "almost the same words"),
        ]),
    ],
    ids=["confirmed", "corrected", "added", "closed from a", "closed from b", "closed elsewhere", "a paragraph closed",
         "applies to the twin", "its reason names the twin", "the twin has its own"],
)  # fmt: skip
def test_verdicts_override_proposals(
    links: list[Verdict], closing: list[Closed], rows: list[LinkRow], units: list[Unit], judged: list[tuple[str, ...]]
) -> None:
    twin = twins(TWINS if units is TWIN_UNITS else (), units)
    found = judge(rows, links, closed_cells(closing, twin, units), twin, units)
    assert [(r.a, r.b, r.relation, r.status, r.why) for r in found] == judged
    assert all((r.source == "machine") == (r.status == "proposed") for r in found)


# Twins


def test_closing_a_code_closes_its_twin_only_if_the_twin_has_nothing_of_its_own() -> None:
    closing = (closed("old/law-1", "new"), closed("new/law-1", "old"))
    found, doubled = (closed_cells(closing, twins(TWINS, units), units) for units in (TWIN_UNITS, TWIN_UNITS[:-1]))
    assert ("old/law-1", "newer") not in found and ("newer/law-1", "old") in found
    assert {("old/law-1", "newer"), ("new/law-1", "newer")} <= set(doubled)


@pytest.mark.parametrize(
    "second",
    [
        VerdictFile(link=(verdict("new/law-1", "old/law-1", "equivalent"),)),
        VerdictFile(apart=(Apart(a="old/law-1", b="new/law-1", reason=""),)),
    ],
)
def test_rejects_two_verdicts_on_the_same_provisions(second: VerdictFile) -> None:
    files = {"topics/a.toml": VerdictFile(link=(DIFFERS,)), "topics/b.toml": second}
    with pytest.raises(
        BookError, match=r"^topics/b.toml: \w+ 1, key 'b': topics/a.toml, link 1 also judges .*; delete one"
    ):
        require_judged_once(files)


# Staleness


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("If any one revoke, he pays 3 tricks.", "IF ANY  ONE REVOKE,\nHE PAYS 3 TRICKS", True),
        ("oﬃcer’s ſuit à la", "officers suit a la", True),
        ("he pays 3 tricks", "he pays 2 tricks", False),
    ],
)
def test_comparison_counts_only_letters_and_digits(one: str, other: str, same: bool) -> None:
    assert (letters(one) == letters(other)) == same


OLD, NEW = "1. He pays three tricks.", "1. He pays two tricks."


@pytest.mark.parametrize(
    ("now", "unit_ids"),
    [("1 He pays, three tricks", []), ("1. He pays three trieks.", ["old/law-1"])],
    ids=["a comma was corrected", "a word was corrected"],
)
def test_entry_is_stale_if_a_word_has_changed(now: str, unit_ids: list[str]) -> None:
    db = sqlite_utils.Database(memory=True)
    db.table("unit").insert_all([{"id": "old/law-1", "text": now}, {"id": "new/law-1", "text": NEW}])
    read = {"old/law-1": OLD, "new/law-1": NEW}
    db.table("basis").insert_all(map(asdict, bases({FILE: VerdictFile(link=(DIFFERS,))}, read)))
    assert [entry.unit_id for entry in stale(db.conn)] == unit_ids


@given(st.dictionaries(st.sampled_from(["old/law-1", "new/law-2/ii"]), st.from_regex(r"[ -~\n]*[a-z]", fullmatch=True)))
def test_readings_survive_a_round_trip_through_their_file(readings: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "read.toml"
        assert read_if_there(path, Readings).read == {}
        path.write_text(written(readings), encoding="utf-8")
        assert read_if_there(path, Readings).read == {unit: " ".join(text.split()) for unit, text in readings.items()}
