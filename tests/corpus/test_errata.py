"""The editor's file: each entry is checked against the scan, and a wrong one is told with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from samples import make_book

from extract.corpus.errata import Errata, read_errata
from extract.edition import make_edition
from extract.errors import BookError

SCAN = "21. If a p1ayer revoke, he shall forfeit thrce tricks. (a)\n\n(a) Or points.\n"
GOOD = """
[[reading]]
at = 10
scan = "1"
read = "l"
reason = "misread"

[[reading]]
at = 41
scan = "thrce"
read = "three"
reason = "misread"
kind = "ocr"
"""
PASSAGE = '[[passage]]\nstart = 60\nend = 75\nkind = "footnote"\nfirst = "(a) Or"\nreason = "set overleaf"\n'
NOTE = '\n[[note]]\nat = 41\nscan = "thrce"\ntext = "The case quotes two."\nreason = "law and case read in the scan"\n'
DOUBT = '\n[[doubt]]\nat = {}\nscan = "{}"\nguess = "It"\nreason = "blurred"\n'
PLAN = '[[part]]\nid = "laws"\nbegins = ""\ngrammar = "paragraphs"\n'


def read(folder: Path, text: str, scan: str = SCAN) -> Errata:
    path = folder / "errata.toml"
    path.write_text(text, encoding="utf-8")
    return read_errata(path, scan)


def test_readings_become_edits_of_the_editor(tmp_path: Path) -> None:
    assert read_errata(tmp_path / "errata.toml", SCAN) == Errata(), "a file that is not there says nothing"
    edits = read(tmp_path, GOOD).edits
    assert [(e.raw_start, e.before, e.after, e.kind, e.source, e.note) for e in edits] == [
        (10, "1", "l", "ocr", "editor", "misread"),
        (41, "thrce", "three", "ocr", "editor", "misread"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("at = 41", "at = 150"), "at 150 the scan reads .* not 'thrce'.*it reads so at 41"),
        (GOOD.replace("at = 41", "at = 900"), "at 900 .*not read so nearby"),
        (GOOD.replace("thrce", "thrice"), "does not read so nearby"),
        (re.sub(r"(?m)^read = .*\n", "", GOOD, count=1), "key 'read': it is missing"),
        (PASSAGE.replace("start = 60", "start = 61"), "the scan reads"),
        (NOTE.replace("at = 41", "at = 40"), "the scan reads"),
        (GOOD + "slip = true\n", "key 'slip': there is no such key"),
    ],
)
def test_what_does_not_fit_the_scan_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BookError, match=rf"errata\.toml.*{said}"):
        read(tmp_path, text)


@pytest.mark.parametrize(("kind", "meant"), [("typo", "meant"), ("illegible", "guess")])
def test_a_slip_of_the_book_changes_nothing(tmp_path: Path, kind: str, meant: str) -> None:
    (edit, _) = read(tmp_path, GOOD.replace('read = "l"\n', f'kind = "{kind}"\n{meant} = "l"\n', 1)).edits
    assert (edit.before, edit.after, edit.kind) == ("1", "1", kind)
    assert "'l'" in edit.note


def test_a_doubt_changes_nothing_and_a_reading_settles_it(tmp_path: Path) -> None:
    errata = read(tmp_path, GOOD + DOUBT.format(41, "thrce") + DOUBT.format(4, "If"))
    assert len(errata.edits) == 2
    (doubt,) = errata.doubts
    assert (doubt.raw_start, doubt.before, doubt.after) == (4, "If", "It")
    assert doubt.confidence < 1


def test_a_passage_and_a_slip_are_told_by_their_place(tmp_path: Path) -> None:
    typo = GOOD.replace('read = "three"\n', "").replace('kind = "ocr"', 'kind = "typo"\nslip = true')
    found = read(tmp_path, typo + PASSAGE)
    assert [(p.start, p.end, p.kind, p.of) for p in found.passages] == [(60, 75, "footnote", None)]
    assert [(s.raw_start, s.cites) for s in found.slips] == [(41, None)]


def test_the_editor_wins_over_every_rule(tmp_path: Path) -> None:
    edition = make_edition(make_book(tmp_path / "small", SCAN, "lines", PLAN, GOOD))
    assert [(e.raw_start, e.after) for e in edition.edits if e.source == "editor"] == [(10, "l"), (41, "three")]
    text = " ".join(u.text for u in edition.units)
    assert "If a player revoke, he shall forfeit three tricks." in text


def test_a_note_tells_the_reader_and_changes_nothing(tmp_path: Path) -> None:
    edition = make_edition(make_book(tmp_path / "small", SCAN, "lines", PLAN, NOTE))
    ((note, unit),) = [(n, edition.holder(n.span)) for n in edition.notes]
    assert (note.text, note.reason) == ("The case quotes two.", "law and case read in the scan")
    assert unit is not None and "thrce" in edition.scan[unit.raw_start : unit.raw_end]
    assert not any(e.source == "editor" for e in edition.edits)
