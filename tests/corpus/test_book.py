"""book.toml: what is particular to one book, and what is said when it does not say what it must."""

from __future__ import annotations

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
