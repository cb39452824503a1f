"""book.toml and errata.toml: what they declare about a book, and the errors if they do not fit it."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from samples import edition_of, make_book

from extract.corpus.book import Book
from extract.errors import BookError
from extract.model import Edition

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


def lacking(folder: Path, lacks: str) -> Book:
    """A book whose code lacks something, in a library with one additional kind."""
    (folder / "library.toml").write_text(ETIQUETTE, encoding="utf-8")
    return make_book(folder / "club-1850", "LAWS\n1. Text.\n", "lines", PLAN.replace("[[part]]", f"{lacks}[[part]]", 1))


def test_code_declares_what_its_book_does_not_print(tmp_path: Path) -> None:
    (lack,) = lacking(tmp_path, LACKS.format("etiquette")).codes[0].lacks
    assert (lack.kind, lack.reason) == ("etiquette", "the preface speaks of them")


@pytest.mark.parametrize(
    ("lacks", "message"),
    [
        (LACKS.format("law"), "the book prints such units"),
        (LACKS.format("etiquette") * 2, "entry 1 has the same"),
        (LACKS.format("case"), "'case' is not a kind of provision"),
    ],
)
def test_rejects_lacks_that_do_not_fit_the_code(tmp_path: Path, lacks: str, message: str) -> None:
    with pytest.raises(BookError, match=f"book.toml.*{message}"):
        lacking(tmp_path, lacks)


@pytest.mark.parametrize("kind", ["law", "section"])
def test_reads_a_book_with_its_authors_codes_and_plan(tmp_path: Path, kind: str) -> None:
    """A numbered section of a code is a provision."""
    plan = AUTHORS + PLAN.replace('"law"', f'"{kind}"', 1)
    book = make_book(tmp_path / "club-1850", "LAWS\n1. Text.\n", "lines", plan)
    assert (book.id, book.year, book.layout) == ("club-1850", 1850, "lines")
    assert book.byline == "N. N., Jean de La Fontaine and Cavendish"
    assert [(code.id, code.provision) for code in book.codes] == [("club-1850", "Provision")]
    ((series,),) = [part.series for part in book.parts if part.grammar == "series"]
    assert (series.kind, series.code, series.subdivisions) == ("law", "club-1850", ("{I}.",))


def test_books_are_ordered_by_year(books: Mapping[str, Book]) -> None:
    assert list(books) == ["arnaud-1829", "deschapelles-1839", "pole-1895", "drayson-1896"]


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
NOTE = '\n[[note]]\nat = 41\nscan = "thrce"\ntext = "The case quotes two."\nreason = "law and case read in the scan"\n'
DOUBT = '\n[[doubt]]\nat = {}\nscan = "{}"\nguess = "It"\nreason = "blurred"\n'
CONFIRMED = '\n[[confirmed]]\nat = 41\nscan = "thrce"\nreason = "so printed"\n'
WHOLE = '[[part]]\nid = "laws"\nbegins = ""\ngrammar = "paragraphs"\n'


def edition(folder: Path, errata: str) -> Edition:
    return edition_of(folder / "small", SCAN, WHOLE, errata=errata)


@pytest.mark.parametrize(("kind", "meant"), [("typo", "meant"), ("illegible", "guess")])
def test_noted_misprint_changes_no_text(tmp_path: Path, kind: str, meant: str) -> None:
    errata = GOOD.replace('read = "l"\n', f'kind = "{kind}"\n{meant} = "l"\n', 1)
    (edit, _) = [e for e in edition(tmp_path, errata).edits if e.source == "editor"]
    assert (edit.before, edit.after, edit.kind) == ("1", "1", kind)
    assert "'l'" in edit.note


def test_doubt_changes_no_text_and_a_reading_settles_it(tmp_path: Path) -> None:
    made = edition(tmp_path, GOOD + DOUBT.format(41, "thrce") + DOUBT.format(4, "If"))
    (doubt,) = [e for e in made.suggestions if e.source == "editor"]
    assert (doubt.raw_start, doubt.before, doubt.after) == (4, "If", "It")


def test_confirmed_word_stays_and_is_no_longer_doubtful(tmp_path: Path) -> None:
    made = edition(tmp_path, DOUBT.format(41, "thrce") + DOUBT.format(41, "thrce tricks") + CONFIRMED)
    assert "thrce" not in [e.before for e in made.edits]
    assert [e.before for e in made.suggestions] == ["thrce tricks"], "more than the confirmed word is doubtful"


def test_editor_overrides_every_rule(tmp_path: Path) -> None:
    made = edition(tmp_path, GOOD)
    assert [(e.raw_start, e.before, e.after, e.kind, e.note) for e in made.edits if e.source == "editor"] == [
        (10, "1", "l", "ocr", "misread"),
        (41, "thrce", "three", "ocr", "misread"),
    ]
    assert "If a player revoke, he shall forfeit three tricks." in " ".join(u.text for u in made.units)


def test_note_belongs_to_a_unit_and_changes_no_text(tmp_path: Path) -> None:
    made = edition(tmp_path, NOTE)
    ((note, unit),) = [(n, made.holder(n.span)) for n in made.notes]
    assert (note.text, note.reason) == ("The case quotes two.", "law and case read in the scan")
    assert unit is not None and "thrce" in made.scan[unit.raw_start : unit.raw_end]
    assert not any(e.source == "editor" for e in made.edits)
