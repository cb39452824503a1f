"""book.toml: what is particular to one book, and what is said when it does not say what it must."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from samples import PREFACE, make_book

from extract.corpus.book import load_book, load_books
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


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "book.toml").write_text(text, encoding="utf-8")
    return folder


def preface(sha256: str = "0" * 64, layout: str = "lines") -> str:
    return PREFACE.format(sha256=sha256, layout=layout)


def refusal(folder: Path) -> str:
    with pytest.raises(BookError) as caught:
        load_book(folder)
    message = str(caught.value)
    assert str(folder / "book.toml") in message
    return message


ETIQUETTE = '[[kind]]\nid = "etiquette"\nrole = "provision"\nsingular = "etiquette"\n'
LACKS = '[[code.lacks]]\nkind = "{}"\nreason = "the preface speaks of them"\n\n[[part]]'


def test_a_code_tells_what_its_book_does_not_print_of_it(tmp_path: Path) -> None:
    (tmp_path / "library.toml").write_text(ETIQUETTE, encoding="utf-8")
    told = PLAN.replace("[[part]]", LACKS.format("etiquette"), 1)
    (lack,) = load_book(write(tmp_path / "club-1850", preface() + told)).codes[0].lacks
    assert (lack.kind, lack.reason) == ("etiquette", "the preface speaks of them")
    printed = PLAN.replace("[[part]]", LACKS.format("law"), 1)
    assert "a part prints 'law' of it" in refusal(write(tmp_path / "club-1851", preface() + printed))
    twice = PLAN.replace("[[part]]", LACKS.format("etiquette").replace("[[part]]", LACKS.format("etiquette")), 1)
    assert "entry 1 has the same" in refusal(write(tmp_path / "club-1852", preface() + twice))


def test_a_book_is_read_with_its_codes_and_plan(tmp_path: Path) -> None:
    book = make_book(tmp_path / "club-1850", "LAWS\n1. Text.\n", "lines", PLAN)
    assert (book.id, book.year, book.layout) == ("club-1850", 1850, "lines")
    assert book.scan_path.read_text(encoding="utf-8") == "LAWS\n1. Text.\n"
    (code,) = book.codes
    assert (code.id, code.provision) == ("club-1850", "Provision")
    (part,) = book.parts
    (series,) = part.series
    assert (part.grammar, series.kind, series.code, series.subdivisions) == ("series", "law", "club-1850", ("{I}.",))


def test_a_numbered_section_of_a_code_is_a_provision(tmp_path: Path) -> None:
    book = make_book(tmp_path / "act", "LAWS\n1. Text.\n", "lines", PLAN.replace('kind = "law"', 'kind = "section"'))
    assert [series.kind for part in book.parts for series in part.series] == ["law"]


def test_authors_have_a_given_and_a_family_name(tmp_path: Path) -> None:
    authors = """[[book.author]]
given = "Jean de"
family = "La Fontaine"
[[book.author]]
family = "Cavendish"
"""
    preface = PREFACE.partition("[[book.author]]")[0]
    book = load_book(write(tmp_path / "b", preface.format(sha256="0" * 64, layout="lines") + authors + PLAN))
    assert [(a.given, a.family) for a in book.author] == [("Jean de", "La Fontaine"), ("", "Cavendish")]
    assert book.byline == "Jean de La Fontaine and Cavendish"


def test_a_book_without_an_author_is_refused(tmp_path: Path) -> None:
    text = preface().partition("[[book.author]]")[0] + PLAN
    assert "'author'" in refusal(write(tmp_path / "b", text))


@pytest.mark.parametrize("key", ["title", "year", "sha256"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    folder = write(tmp_path / "b", re.sub(rf"(?m)^{key} = .*\n", "", preface()) + PLAN)
    assert f"'{key}'" in refusal(folder)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('short = "Small Book"', 'shirt = "Small Book"', "shirt"),
        ("[book]", "[boot]", "book"),
        ('authority = "the club"', 'autority = "the club"', "autority"),
        ('grammar = "series"', 'grammar = "serial"', "serial"),
        ('kind = "law"', 'kind = "lawn"', "lawn"),
        ('begins = "LAWS"', 'begin = "LAWS"', "begin"),
    ],
)
def test_a_misspelt_key_or_word_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    text = preface() + PLAN
    assert old in text
    assert named in refusal(write(tmp_path / "b", text.replace(old, new, 1)))


def test_what_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    assert "line 2" in refusal(write(tmp_path / "b", "[book]\ntitle = oops\n"))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    assert "cannot be read" in refusal(tmp_path / "nowhere")


def test_another_encoding_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    folder.mkdir()
    (folder / "book.toml").write_bytes('[book]\ntitle = "Traité"\n'.encode("latin-1"))
    assert "not TOML" in refusal(folder)


def test_books_are_in_order_of_their_years(tmp_path: Path) -> None:
    for name, year in (("zeta", 1829), ("alpha", 1896), ("beta", 1829)):
        write(tmp_path / name, preface().replace("1850", str(year)) + PLAN.replace("club-1850", f"{name}-1850"))
    assert [b.id for b in load_books(tmp_path)] == ["beta", "zeta", "alpha"]


def test_a_corpus_without_books_is_told(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"holds no book yet; .* scan\.txt and book\.toml"):
        load_books(tmp_path)


def test_an_unknown_layout_is_named(tmp_path: Path) -> None:
    assert "column" in refusal(write(tmp_path / "b", preface(layout="columns") + PLAN))
