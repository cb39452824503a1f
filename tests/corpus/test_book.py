"""book.toml and errata.toml: what they say of a book, and what is said when they do not fit it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from samples import PREFACE, make_book

from extract.corpus.book import load_book, load_books
from extract.corpus.errata import Errata, read_errata
from extract.edition import make_edition
from extract.errors import BookError

PLAN = """
[[code]]
id = "club-1850"
title = "Laws of the Club"
short = "Club laws"
year = 1850
authority = "the club"

[[part]]
id = "laws"
begins = "LAWS"
grammar = "series"
[[part.series]]
label = "{n}."
kind = "law"
slug = "law"
code = "club-1850"
subdivisions = ["{I}."]
"""
ETIQUETTE = '[[kind]]\nid = "etiquette"\nrole = "provision"\nsingular = "etiquette"\n'
LACKS = '[[code.lacks]]\nkind = "{}"\nreason = "the preface speaks of them"\n\n'
AUTHORS = '[[book.author]]\ngiven = "Jean de"\nfamily = "La Fontaine"\n[[book.author]]\nfamily = "Cavendish"\n'


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "book.toml").write_text(text, encoding="utf-8")
    return folder


def preface() -> str:
    return PREFACE.format(sha256="0" * 64, layout="lines")


def lacking(folder: Path, lacks: str) -> Path:
    """A book whose code lacks something, in a library that has one kind more."""
    (folder / "library.toml").write_text(ETIQUETTE, encoding="utf-8")
    return write(folder / "club-1850", preface() + PLAN.replace("[[part]]", f"{lacks}[[part]]", 1))


def test_a_code_tells_what_its_book_does_not_print_of_it(tmp_path: Path) -> None:
    (lack,) = load_book(lacking(tmp_path, LACKS.format("etiquette"))).codes[0].lacks
    assert (lack.kind, lack.reason) == ("etiquette", "the preface speaks of them")


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        (LACKS.format("law"), "a part prints 'law' of it"),
        (LACKS.format("etiquette") * 2, "entry 1 has the same"),
        (LACKS.format("case"), "'case' is no kind of provision"),
    ],
)
def test_what_a_code_cannot_lack_is_refused(tmp_path: Path, lacks: str, said: str) -> None:
    with pytest.raises(BookError, match=f"book.toml.*{said}"):
        load_book(lacking(tmp_path, lacks))


@pytest.mark.parametrize("kind", ["law", "section"])
def test_a_book_is_read_with_its_codes_and_plan(tmp_path: Path, kind: str) -> None:
    """A numbered section of a code is a provision."""
    book = make_book(tmp_path / "club-1850", "LAWS\n1. Text.\n", "lines", PLAN.replace('"law"', f'"{kind}"', 1))
    assert (book.id, book.year, book.layout) == ("club-1850", 1850, "lines")
    assert book.scan_path.read_text(encoding="utf-8") == "LAWS\n1. Text.\n"
    assert [(code.id, code.provision) for code in book.codes] == [("club-1850", "Provision")]
    ((series,),) = [part.series for part in book.parts if part.grammar == "series"]
    assert (series.kind, series.code, series.subdivisions) == ("law", "club-1850", ("{I}.",))


def test_authors_have_a_given_and_a_family_name(tmp_path: Path) -> None:
    book = load_book(write(tmp_path / "b", preface().partition("[[book.author]]")[0] + AUTHORS + PLAN))
    assert [(a.given, a.family) for a in book.author] == [("Jean de", "La Fontaine"), ("", "Cavendish")]
    assert book.byline == "Jean de La Fontaine and Cavendish"


def test_books_are_in_order_of_their_years(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"holds no book yet; .* scan\.txt and book\.toml"):
        load_books(tmp_path)
    for name, year in (("zeta", 1829), ("alpha", 1896), ("beta", 1829)):
        write(tmp_path / name, preface().replace("1850", str(year)) + PLAN.replace("club-1850", f"{name}-1850"))
    assert [b.id for b in load_books(tmp_path)] == ["beta", "zeta", "alpha"]


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
WHOLE = '[[part]]\nid = "laws"\nbegins = ""\ngrammar = "paragraphs"\n'


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
    edition = make_edition(make_book(tmp_path / "small", SCAN, "lines", WHOLE, GOOD))
    assert [(e.raw_start, e.after) for e in edition.edits if e.source == "editor"] == [(10, "l"), (41, "three")]
    text = " ".join(u.text for u in edition.units)
    assert "If a player revoke, he shall forfeit three tricks." in text


def test_a_note_tells_the_reader_and_changes_nothing(tmp_path: Path) -> None:
    edition = make_edition(make_book(tmp_path / "small", SCAN, "lines", WHOLE, NOTE))
    ((note, unit),) = [(n, edition.holder(n.span)) for n in edition.notes]
    assert (note.text, note.reason) == ("The case quotes two.", "law and case read in the scan")
    assert unit is not None and "thrce" in edition.scan[unit.raw_start : unit.raw_end]
    assert not any(e.source == "editor" for e in edition.edits)
