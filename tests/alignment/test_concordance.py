"""The concordance: the editor's judgements over the links proposed, and whether what he judged still reads so."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict
from pathlib import Path

import pytest
import sqlite_utils

from extract.errors import BookError
from kb.alignment.links import LinkRow
from kb.alignment.relation import Relation
from kb.editorial.concordance import Concordance, Judgement, Status, judge, read_concordance
from kb.editorial.provisions import ReadText, letters, stale

ROW = LinkRow("old/law-1", "new/law-2", "narrower", "new-deal", 0.9, "proposed", "machine", "share: new deal")
IDS = ["old/law-1", "old/law-2", "new/law-1", "new/law-2"]


def said(a: str, b: str, relation: Relation | None, status: Status, reason: str) -> Judgement:
    return Judgement(a=a, b=b, relation=relation, status=status, reason=reason, letters=("0" * 16, "1" * 16))


def judged(*links: Judgement) -> list[LinkRow]:
    return judge([ROW], Concordance(link=links), IDS)


def test_the_editor_confirms_corrects_and_rejects() -> None:
    confirmed = said("old/law-1", "new/law-2", None, "confirmed", "read")
    assert judged(confirmed)[0].relation == "narrower"
    corrected = said("new/law-2", "old/law-1", "narrower", "corrected", "the new law says less")
    (row,) = judged(corrected)
    assert (row.a, row.relation, row.status, row.source) == ("old/law-1", "broader", "confirmed", "editor")
    (row,) = judged(said("old/law-1", "new/law-2", None, "rejected", "another matter"))
    assert (row.status, row.why) == ("rejected", "another matter")


def test_the_editor_adds_a_link() -> None:
    added = judged(said("old/law-2", "new/law-1", "equivalent", "confirmed", "read"))
    assert [(r.a, r.b, r.source) for r in added] == [
        ("old/law-1", "new/law-2", "machine"),
        ("old/law-2", "new/law-1", "editor"),
    ]


def test_the_editor_cannot_name_what_is_not_there() -> None:
    with pytest.raises(BookError, match=r"\[\[link\]\] 1: there is no unit 'old/law-9'"):
        judged(said("old/law-9", "new/law-2", None, "rejected", ""))


HASHES = f"letters = ['{'0' * 16}', '{'1' * 16}']\n"
JUDGED = "[[link]]\na = 'x/law-1'\nb = 'y/law-1'\nstatus = 'rejected'\nreason = ''\n"
BROKEN = [
    (JUDGED, "key 'letters': it is missing"),
    (f"{JUDGED}letters = ['{'0' * 16}']\n", "it has 1 hashes; write one for each of x/law-1, y/law-1"),
    (f"{JUDGED}letters = ['{'0' * 16}', 'law 1']\n", "'law 1' is no hash of letters"),
    (f"{JUDGED}{HASHES}[[text]]\nunit = 'x/law-1'\nread = 'One.'\n", "no entry was written on this text"),
    (JUDGED.replace("b = ", "reason = ", 1).replace("reason = ''", "") + HASHES, "key 'b': it is missing"),
    (JUDGED.replace("rejected", "sure") + HASHES, "'confirmed', 'corrected' or 'rejected'"),
    (JUDGED.replace("rejected", "corrected") + HASHES, "what is corrected needs one"),
    (f"{JUDGED}relation = 'like'\n{HASHES}", "'like' is unknown"),
    ("[[link]", "is not TOML"),
]


@pytest.mark.parametrize(("text", "told_of"), BROKEN)
def test_a_broken_concordance_is_refused(tmp_path: Path, text: str, told_of: str) -> None:
    path = tmp_path / "concordance.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match=told_of):
        read_concordance(path)


def test_a_concordance_is_read(tmp_path: Path) -> None:
    path = tmp_path / "concordance.toml"
    assert read_concordance(path) == Concordance()
    path.write_text(JUDGED + HASHES, encoding="utf-8")
    assert read_concordance(path).link == (said("x/law-1", "y/law-1", None, "rejected", ""),)


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


def rest_on(conn: sqlite3.Connection, old: str, *texts: ReadText) -> None:
    """Judge the two laws, the older of which read otherwise."""
    hashes = (letters(old), letters("1. He pays two tricks"))
    link = Judgement(a="old/law-1", b="new/law-1", status="confirmed", reason="read", letters=hashes)
    rows = Concordance(link=(link,), text=texts).bases
    sqlite_utils.Database(conn).table("basis").insert_all(map(asdict, rows))


def test_a_comma_that_was_mended_makes_nothing_stale(library: sqlite3.Connection) -> None:
    rest_on(library, "1 He pays, three tricks")
    assert list(stale(library)) == []


def test_a_word_that_was_mended_makes_the_entry_stale(library: sqlite3.Connection) -> None:
    old = "1. He pays three trieks."
    rest_on(library, old, ReadText(unit="old/law-1", read=old))
    (entry,) = stale(library)
    assert (entry.file, entry.entry, entry.unit_id) == ("concordance.toml", 1, "old/law-1")
    assert (entry.read, entry.now) == (old, "1. He pays three tricks.")


def test_a_text_that_was_not_kept_is_shown_as_nothing(library: sqlite3.Connection) -> None:
    rest_on(library, "1. He pays three trieks.")
    assert [entry.read for entry in stale(library)] == [""]
