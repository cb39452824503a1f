"""The concordance: the editor's verdicts over the links proposed, and whether what he judged still reads so."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
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
    Cell,
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

ROW = LinkRow("old/law-1", "new/law-2", "narrower", "new-deal", 0.9, "proposed", "machine", "share: new deal")
TEXT = "A revoke costs three tricks, whoever claims it."


def law(unit_id: str, text: str = TEXT, kind: str = "law", parent: str | None = None) -> Unit:
    """A provision of a code that is a book of its own."""
    code, number = unit_id.split("/", 1)
    return Unit(unit_id, code, code, kind, number, number, parent, None, 0, 0, 0, None, text)  # type: ignore[arg-type]


UNITS = [law("old/law-1"), law("old/law-2"), law("new/law-1"), law("new/law-2")]
TWINS = (TwinCodes(a="new", b="newer", least=0.9, reason="one text"),)
TWIN_UNITS = [*UNITS, law("newer/law-1"), law("newer/law-2", "Another law, on another matter.")]


def said(a: str, b: str, relation: Relation, reason: str = "read") -> Verdict:
    return Verdict(a=a, b=b, relation=relation, reason=reason)


def closed(provision: str, *codes: str) -> Closed:
    return Closed(provision=provision, codes=codes)


def judged(
    *links: Verdict,
    closing: Sequence[Closed] = (),
    proposed: Sequence[LinkRow] = (ROW,),
    units: Sequence[Unit] = UNITS,
    twin_codes: Sequence[TwinCodes] = (),
) -> tuple[tuple[LinkRow, ...], tuple[Cell, ...]]:
    """The links and the closed cells of a library."""
    twin = twins(twin_codes, units)
    cells = closed_cells(closing, twin, units)
    return judge(proposed, links, cells, twin, units), cells


def test_the_editor_confirms_and_corrects() -> None:
    ((row,), _) = judged(said("old/law-1", "new/law-2", "narrower"))
    assert (row.relation, row.status, row.source, row.why) == ("narrower", "confirmed", "editor", "read")
    ((row,), _) = judged(said("new/law-2", "old/law-1", "narrower", "the new law says less"))
    assert (row.a, row.relation, row.why) == ("old/law-1", "broader", "the new law says less")


def test_the_editor_adds_a_link() -> None:
    added, _ = judged(said("old/law-2", "new/law-1", "equivalent"))
    assert [(r.a, r.b, r.status) for r in added] == [
        ("old/law-1", "new/law-2", "proposed"),
        ("old/law-2", "new/law-1", "confirmed"),
    ]


@pytest.mark.parametrize("cell", [closed("old/law-1", "new"), closed("new/law-2", "old")], ids=["from a", "from b"])
def test_a_closed_cell_rejects_what_is_proposed_and_keeps_what_is_linked(cell: Closed) -> None:
    other = said("old/law-1", "new/law-1", "differs")
    links, cells = judged(other, closing=[cell])
    assert [(r.b, r.status) for r in links] == [("new/law-1", "confirmed"), ("new/law-2", "rejected")]
    assert cells == ((cell.provision, *cell.codes),)


def test_a_cell_closed_elsewhere_rejects_nothing() -> None:
    ((row,), _) = judged(closing=[closed("old/law-2", "new")])
    assert row.status == "proposed"


def test_a_closed_provision_closes_its_paragraphs() -> None:
    part = law("old/law-1/i", kind="subclause", parent="old/law-1")
    row = LinkRow("old/law-1/i", "new/law-2", "differs", None, 0.9, "proposed", "machine", "")
    ((row,), _) = judged(closing=[closed("old/law-1", "new")], proposed=[row], units=[*UNITS, part])
    assert row.status == "rejected"


# Twins


def test_a_verdict_on_a_provision_holds_for_its_twin() -> None:
    links, _ = judged(said("old/law-1", "new/law-1", "differs"), proposed=[], units=TWIN_UNITS, twin_codes=TWINS)
    assert [(r.a, r.b, r.relation, r.status) for r in links] == [
        ("old/law-1", "new/law-1", "differs", "confirmed"),
        ("old/law-1", "newer/law-1", "differs", "confirmed"),
        ("new/law-1", "newer/law-1", "same-text", "confirmed"),
    ]


def test_a_verdict_of_its_own_goes_before_that_of_the_twin() -> None:
    verdicts = (said("old/law-1", "new/law-1", "differs"), said("old/law-1", "newer/law-1", "equivalent"))
    links, _ = judged(*verdicts, proposed=[], units=TWIN_UNITS, twin_codes=TWINS)
    assert {r.b: r.relation for r in links if r.a == "old/law-1"}["newer/law-1"] == "equivalent"


def test_a_provision_closed_in_a_code_is_closed_in_its_double_only_where_the_double_has_nothing_of_its_own() -> None:
    closing = (closed("old/law-1", "new"), closed("new/law-1", "old"))
    _, found = judged(closing=closing, units=TWIN_UNITS, twin_codes=TWINS)
    assert ("old/law-1", "newer") not in found
    assert ("newer/law-1", "old") in found
    _, doubled = judged(closing=closing, units=TWIN_UNITS[:-1], twin_codes=TWINS)
    assert ("old/law-1", "newer") in doubled
    assert ("new/law-1", "newer") in doubled


def test_the_editor_cannot_name_what_is_not_there() -> None:
    files = {"concordance.toml": VerdictFile(link=(said("old/law-9", "new/law-2", "differs"),))}
    with pytest.raises(BookError, match=r"concordance.toml: link 1: there is no unit 'old/law-9'"):
        require_units(Judgements(files, bases=bases(files, {})).named(), {u.id for u in UNITS})


JUDGED = "[[link]]\na = 'x/law-1'\nb = 'y/law-1'\nrelation = 'differs'\nreason = ''\n"
BROKEN = [
    (JUDGED + "letters = []\n", "there is no such key"),
    (JUDGED.replace("b = ", "reason = ", 1).replace("reason = ''", ""), "key 'b': it is missing"),
    (JUDGED.replace("differs", "like"), "'like' is unknown"),
    ("[[link]", "is not TOML"),
]


@pytest.mark.parametrize(("text", "told_of"), BROKEN)
def test_a_broken_concordance_is_refused(tmp_path: Path, text: str, told_of: str) -> None:
    path = tmp_path / "concordance.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match=told_of):
        read_if_there(path, ConcordanceFile)


def test_a_concordance_is_read(tmp_path: Path) -> None:
    path = tmp_path / "concordance.toml"
    assert read_if_there(path, ConcordanceFile) == ConcordanceFile()
    path.write_text(JUDGED, encoding="utf-8")
    assert read_if_there(path, ConcordanceFile).link == (said("x/law-1", "y/law-1", "differs", ""),)


@pytest.mark.parametrize(
    "again", [said("new/law-1", "old/law-1", "equivalent"), Apart(a="old/law-1", b="new/law-1", reason="")]
)
def test_two_provisions_are_judged_once_in_all_files(again: Verdict | Apart) -> None:
    first = VerdictFile(link=(said("old/law-1", "new/law-1", "differs"),))
    second = VerdictFile(link=(again,)) if isinstance(again, Verdict) else VerdictFile(apart=(again,))
    with pytest.raises(
        BookError, match=r"^topics/b.toml: \w+ 1, key 'b': topics/a.toml, link 1 judges .* too; take one"
    ):
        require_judged_once({"topics/a.toml": first, "topics/b.toml": second})


# Staleness


@pytest.mark.parametrize(
    "other",
    [
        "If any one revoke he pays 3 tricks",
        "IF ANY  ONE REVOKE,\nHE PAYS 3 TRICKS.",
        "Iﬀ any one revoke; he pays 3 tricks",
    ],
)
def test_what_is_no_letter_does_not_count(other: str) -> None:
    same = letters("If any one revoke, he pays 3 tricks.")
    assert (letters(other) == same) == ("ﬀ" not in other)


def test_accents_ligatures_and_the_long_s_do_not_count() -> None:
    assert letters("oﬃcer’s ſuit à la") == letters("officers suit a la")


@pytest.mark.parametrize("other", ["he pays 2 tricks", "he pay 3 tricks", ""])
def test_another_word_or_figure_counts(other: str) -> None:
    assert letters(other) != letters("he pays 3 tricks")


@pytest.fixture
def library() -> sqlite3.Connection:
    """Two codes of one law each."""
    db = sqlite_utils.Database(memory=True)
    db.table("unit").insert_all([
        {"id": "old/law-1", "text": "1. He pays three tricks."}, {"id": "new/law-1", "text": "1. He pays two tricks."},
    ])  # fmt: skip
    return db.conn


def rest_on(conn: sqlite3.Connection, **readings: str) -> None:
    """Judge the two laws; `old` and `new` are what they read then."""
    link = Verdict(a="old/law-1", b="new/law-1", relation="differs", reason="read")
    rows = bases({FILE: VerdictFile(link=(link,))}, {f"{k}/law-1": text for k, text in readings.items()})
    sqlite_utils.Database(conn).table("basis").insert_all(map(asdict, rows))


NEW = "1. He pays two tricks"


def test_a_comma_that_was_mended_makes_nothing_stale(library: sqlite3.Connection) -> None:
    rest_on(library, old="1 He pays, three tricks", new=NEW)
    assert list(stale(library)) == []


def test_a_word_that_was_mended_makes_the_entry_stale(library: sqlite3.Connection) -> None:
    rest_on(library, old="1. He pays three trieks.", new=NEW)
    (entry,) = stale(library)
    assert (entry.file, entry.entry, entry.unit_id) == ("concordance.toml", "link 1", "old/law-1")
    assert (entry.read, entry.now) == ("1. He pays three trieks.", "1. He pays three tricks.")


def test_an_entry_whose_text_was_not_kept_is_stale_until_it_is(library: sqlite3.Connection) -> None:
    rest_on(library, new=NEW)
    assert [entry.read for entry in stale(library)] == [""]
    assert readings_to_keep(library) == {"old/law-1": "1. He pays three tricks.", "new/law-1": NEW}


def test_a_text_that_changed_is_kept_until_all_on_it_is_judged_again(library: sqlite3.Connection) -> None:
    rest_on(library, old="1. He pays three trieks.", new=NEW)
    assert readings_to_keep(library)["old/law-1"] == "1. He pays three trieks."
    assert readings_to_keep(library, ["old/law-1"])["old/law-1"] == "1. He pays three tricks."


@given(st.dictionaries(st.sampled_from(["old/law-1", "new/law-2/ii"]), st.from_regex(r"[ -~\n]*[a-z]", fullmatch=True)))
def test_readings_are_read_as_they_were_written(readings: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "read.toml"
        assert read_if_there(path, Readings).read == {}
        path.write_text(written(readings), encoding="utf-8")
        assert read_if_there(path, Readings).read == {unit: " ".join(text.split()) for unit, text in readings.items()}
