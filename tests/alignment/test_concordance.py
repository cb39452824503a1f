"""The concordance: the editor's verdicts over the links proposed, and whether what he judged still reads so."""

from __future__ import annotations

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
    ConcordanceFile,
    Verdict,
    VerdictFile,
    closed_cells,
    judge,
)
from kb.editorial.judgements import Judgements
from kb.editorial.provisions import (
    Readings,
    bases,
    letters,
    readings_to_keep,
    require_judged_once,
    require_units,
    stale,
    written,
)
from kb.editorial.twins import TwinCodes, twins


def law(unit_id: str, text: str = "A revoke costs three tricks, whoever claims it.", parent: str | None = None) -> Unit:
    """A provision of a code that is a book of its own, or a paragraph of one."""
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
            ("new/law-1", "newer/law-1", "same-text", "confirmed", "the same words, but for trifles"),
        ]),
        ([DIFFERS, verdict("old/law-1", "newer/law-1", "equivalent")], [], [], TWIN_UNITS, [
            FOUND, ("old/law-1", "newer/law-1", "equivalent", "confirmed", "read"),
            ("new/law-1", "newer/law-1", "same-text", "confirmed", "the same words, but for trifles"),
        ]),
    ],
    ids=["confirmed", "corrected", "added", "closed from a", "closed from b", "closed elsewhere", "a paragraph closed",
         "holds for the twin", "a verdict of its own"],
)  # fmt: skip
def test_what_the_editor_says_goes_before_what_is_proposed(
    links: list[Verdict], closing: list[Closed], rows: list[LinkRow], units: list[Unit], judged: list[tuple[str, ...]]
) -> None:
    twin = twins(TWINS if units is TWIN_UNITS else (), units)
    found = judge(rows, links, closed_cells(closing, twin, units), twin, units)
    assert [(r.a, r.b, r.relation, r.status, r.why) for r in found] == judged
    assert all((r.source == "machine") == (r.status == "proposed") for r in found)


# Twins


def test_a_provision_closed_in_a_code_is_closed_in_its_double_only_where_the_double_has_nothing_of_its_own() -> None:
    closing = (closed("old/law-1", "new"), closed("new/law-1", "old"))
    found, doubled = (closed_cells(closing, twins(TWINS, units), units) for units in (TWIN_UNITS, TWIN_UNITS[:-1]))
    assert ("old/law-1", "newer") not in found and ("newer/law-1", "old") in found
    assert {("old/law-1", "newer"), ("new/law-1", "newer")} <= set(doubled)


def test_the_editor_cannot_name_what_is_not_there() -> None:
    files = {"concordance.toml": VerdictFile(link=(verdict("old/law-9", "new/law-2", "differs"),))}
    with pytest.raises(BookError, match=r"concordance.toml: link 1: there is no unit 'old/law-9'"):
        require_units(Judgements(files, bases=bases(files, {})).named(), {u.id for u in UNITS})


JUDGED = "[[link]]\na = 'x/law-1'\nb = 'y/law-1'\nrelation = 'differs'\nreason = ''\n"


def test_a_concordance_is_read(tmp_path: Path) -> None:
    path = tmp_path / "concordance.toml"
    assert read_if_there(path, ConcordanceFile) == ConcordanceFile()
    path.write_text(JUDGED, encoding="utf-8")
    assert read_if_there(path, ConcordanceFile).link == (verdict("x/law-1", "y/law-1", "differs", ""),)
    path.write_text(JUDGED.replace("differs", "like"), encoding="utf-8")
    with pytest.raises(BookError, match="'like' is unknown"):
        read_if_there(path, ConcordanceFile)


@pytest.mark.parametrize(
    "second",
    [
        VerdictFile(link=(verdict("new/law-1", "old/law-1", "equivalent"),)),
        VerdictFile(apart=(Apart(a="old/law-1", b="new/law-1", reason=""),)),
    ],
)
def test_two_provisions_are_judged_once_in_all_files(second: VerdictFile) -> None:
    files = {"topics/a.toml": VerdictFile(link=(DIFFERS,)), "topics/b.toml": second}
    with pytest.raises(
        BookError, match=r"^topics/b.toml: \w+ 1, key 'b': topics/a.toml, link 1 judges .* too; take one"
    ):
        require_judged_once(files)


# Staleness


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("If any one revoke, he pays 3 tricks.", "IF ANY  ONE REVOKE,\nHE PAYS 3 TRICKS", True),
        ("oﬃcer’s ſuit à la", "officers suit a la", True),
        ("If he pays", "Iﬀ he pays", False),
        ("he pays 3 tricks", "he pays 2 tricks", False),
        ("he pays 3 tricks", "", False),
    ],
)
def test_what_is_no_letter_does_not_count(one: str, other: str, same: bool) -> None:
    assert (letters(one) == letters(other)) == same


OLD, NEW = "1. He pays three tricks.", "1. He pays two tricks."


@pytest.mark.parametrize(
    ("read", "told", "kept"),
    [
        ({"old/law-1": "1 He pays, three tricks", "new/law-1": NEW}, [], OLD),
        ({"old/law-1": "1. He pays three trieks.", "new/law-1": NEW}, ["1. He pays three trieks."],
         "1. He pays three trieks."),
        ({"new/law-1": NEW}, [""], OLD),
    ],
    ids=["a comma was mended", "a word was mended", "it was not kept what was read"],
)  # fmt: skip
def test_an_entry_is_stale_until_it_is_judged_again(read: dict[str, str], told: list[str], kept: str) -> None:
    db = sqlite_utils.Database(memory=True)
    db.table("unit").insert_all([{"id": "old/law-1", "text": OLD}, {"id": "new/law-1", "text": NEW}])
    db.table("basis").insert_all(map(asdict, bases({FILE: VerdictFile(link=(DIFFERS,))}, read)))
    assert [(s.file, s.entry, s.unit_id, s.read, s.now) for s in stale(db.conn)] == [
        ("concordance.toml", "link 1", "old/law-1", text, OLD) for text in told
    ]
    if told:
        assert readings_to_keep(db.conn) == {"old/law-1": kept, "new/law-1": NEW}
    assert readings_to_keep(db.conn, ["old/law-1"])["old/law-1"] == OLD


@given(st.dictionaries(st.sampled_from(["old/law-1", "new/law-2/ii"]), st.from_regex(r"[ -~\n]*[a-z]", fullmatch=True)))
def test_readings_are_read_as_they_were_written(readings: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "read.toml"
        assert read_if_there(path, Readings).read == {}
        path.write_text(written(readings), encoding="utf-8")
        assert read_if_there(path, Readings).read == {unit: " ".join(text.split()) for unit, text in readings.items()}
