"""What a library says of itself in library.toml."""

from __future__ import annotations

from pathlib import Path

import boat_club
import pytest
from click.testing import CliRunner
from samples import make_book, render

from datasette_plugins.command import cli
from extract.corpus.book import load_books
from extract.corpus.domain import Domain, Noun, plural, read_domain
from extract.edition import make_edition
from extract.errors import BookError, UnknownIdError


def told(folder: Path, text: str) -> Domain:
    (folder / "library.toml").write_text(text, encoding="utf-8")
    return read_domain(folder)


def test_without_the_file_a_library_speaks_of_provisions(tmp_path: Path) -> None:
    domain = read_domain(tmp_path)
    assert (domain.provision.several, domain.code.of(2), domain.concepts) == ("provisions", "codes", "Concepts")
    assert domain.provision.place("50") == "provision 50"


def test_the_words_of_a_library_make_its_phrases(tmp_path: Path) -> None:
    domain = told(tmp_path, boat_club.LIBRARY)
    assert domain.holdings == "the by-laws of rowing"
    assert domain.named == ("The Library of", "Rowing")
    assert domain.noun("Article").place("9") == "article 9"
    assert domain.noun("By-law") is domain.provision
    assert domain.words() == {"by-law", "by-laws", "rule"}


def test_a_provision_is_cited_as_the_library_says(tmp_path: Path) -> None:
    domain = told(tmp_path, '[provision]\nsingular = "section"\ncited = "§ {n}"\n')
    assert domain.provision.place("50") == "§ 50"


@pytest.mark.parametrize(
    ("one", "many"),
    [("law", "laws"), ("entry", "entries"), ("by-law", "by-laws"), ("clause", "clauses")],
)
def test_plurals_follow_the_rules_of_spelling(one: str, many: str) -> None:
    assert plural(one) == many
    assert Noun(singular=one).of(1) == one and Noun(singular=one).of(0) == many


def test_words_of_the_subject_stand_in_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("# of rowing\nrowlock rowlocks # of brass\nthole\n", encoding="utf-8")
    assert told(tmp_path, '[lexicon]\nfiles = ["terms.txt"]\n').terms == ("rowlock", "rowlocks", "thole")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[library]\ntitel = "Rowing"\n', "did you mean 'title'"),
        ('[library]\ntagline = "from {begin} on"\n', "key 'tagline'.*braces"),
        ('[provision]\nsingular = "section"\ncited = "section"\n', "where the number stands"),
        ('[[kind]]\nid = "law"\nsingular = "section"\n', r"\[provision\]"),
        ('[[kind]]\nid = "paper"\nsingular = "paper"\n', r"\[\[kind\]\] 1 'paper', key 'role': it is missing"),
        ('[[kind]]\nid = "paper"\nsingular = "paper"\nrole = "page"\n', "key 'role': 'page' is unknown; write 'prov"),
        ('[[kind]]\nid = "case"\nsingular = "case"\nrole = "prose"\n', "every library has the kind 'case'"),
        ('[[kind]]\nid = "Oar"\nsingular = "oar"\nrole = "prose"\n', "key 'id': 'Oar' is no kind"),
        ('[lexicon]\nfiles = ["../terms.txt"]\n', "no name of a file"),
        ('[lexicon]\nfiles = ["terms.txt"]\n', "cannot be read as a list of words"),
        ('[look]\non_codes = ["oar"]\n', "no ornament 'oar'"),
        ('[[look.ornament]]\nid = "oar"\npath = "M0 0\\"/><script>"\n', "no path of SVG"),
        ('[library]\nrights_url = "javascript:alert(1)"\n', "no address"),
        ('[pages]\nhidden = ["kitchen"]\n', "'kitchen' is unknown"),
        ('[citations]\nwords = ["Sec."]\n', "no word that names a series"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(BookError, match=fault):
        told(tmp_path, text)


def test_codes_are_called_by_the_library_unless_by_themselves(tmp_path: Path) -> None:
    boat_club.write(tmp_path)
    (book,) = (b for b in load_books(tmp_path) if b.id == "riverside-1871")
    assert book.codes[0].provision == "By-law"
    (series,) = book.citations.series
    assert (series.words, series.target) == (("Rule",), "riverside-club-1871/by-law-{n}")


def test_an_id_that_makes_no_address_is_told(tmp_path: Path) -> None:
    boat_club.write(tmp_path, clubs=1)
    (tmp_path / "riverside-1871").rename(tmp_path / "riverside")
    database = str(tmp_path / "rowing.db")
    built = CliRunner().invoke(cli, ["build", "--corpus", str(tmp_path), "--db", database])
    assert built.exit_code == 0 and "riverside makes no address" in built.output
    assert "riverside makes no address" in CliRunner().invoke(cli, ["check", "--db", database]).output


def test_without_topics_nothing_can_be_judged(tmp_path: Path) -> None:
    boat_club.write(tmp_path, clubs=1)
    database = str(tmp_path / "rowing.db")
    CliRunner().invoke(cli, ["build", "--corpus", str(tmp_path), "--db", database])
    refused = CliRunner().invoke(cli, ["judge", "--db", database]).exception
    assert isinstance(refused, UnknownIdError) and "topics.toml" in str(refused)


def test_an_empty_library_is_made_and_says_what_it_lacks(tmp_path: Path) -> None:
    place = tmp_path / "rowing"
    made = CliRunner().invoke(cli, ["init", str(place)])
    assert made.exit_code == 0 and {p.name for p in place.iterdir()} == {"library.toml", "README.md"}
    made = read_domain(place)
    assert made.model_copy(update={"kind": ()}) == Domain()
    assert [(kind.id, kind.role) for kind in made.kind] == [("maxim", "maxim"), ("schedule", "prose")]
    with pytest.raises(BookError, match="holds no book yet; `whist add SCAN`"):
        load_books(place)
    again = CliRunner().invoke(cli, ["init", str(place)])
    assert again.exit_code and "not empty" in str(again.exception)


def test_every_key_of_the_empty_library_can_be_set(tmp_path: Path) -> None:
    CliRunner().invoke(cli, ["init", str(tmp_path / "rowing")])
    lines = (tmp_path / "rowing" / "library.toml").read_text(encoding="utf-8").splitlines()
    keys = [line for line in lines if "=" in line or "[" in line]
    opened = [line.removeprefix("# ") for line in keys]
    (tmp_path / "terms.txt").write_text("oar", encoding="utf-8")
    domain = told(tmp_path, "\n".join(opened))
    assert domain.library.subject == "rowing" and domain.pages.hidden == ("dispute",) and domain.terms == ("oar",)


ORDERS = """[[code]]
id = "club-1850"
title = "Rules of the Club"

[[part]]
id = "orders"
begins = "STANDING ORDERS"
grammar = "series"
[[part.series]]
label = "{n}."
kind = "standing_order"
slug = "order"
code = "club-1850"
"""


def test_a_kind_that_only_one_library_has_is_made_into_what_its_role_says(tmp_path: Path) -> None:
    told(tmp_path, '[[kind]]\nid = "standing_order"\nrole = "provision"\nsingular = "standing order"\n')
    matter = ["STANDING ORDERS", "1. No dog is let in.", "2. The boats are numbered.", "3. The gate is shut at ten."]
    edition = make_edition(make_book(tmp_path / "small", render(matter, "lines"), "lines", ORDERS))
    orders = [unit for unit in edition.units if unit.kind == "standing_order"]
    assert [(unit.id, unit.role) for unit in orders] == [(f"club-1850/order-{n}", "provision") for n in (1, 2, 3)]


def test_a_kind_that_the_library_does_not_have_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"\[\[part.series\]\] 1 'order', key 'kind': 'standing_order' is unknown"):
        make_book(tmp_path / "small", "STANDING ORDERS\n\n1. No dog.\n", "lines", ORDERS)


def test_what_a_code_lacks_is_a_kind_of_provision(tmp_path: Path) -> None:
    lacks = '\n[[code.lacks]]\nkind = "case"\nreason = "the preface speaks of them"\n'
    plan = ORDERS.replace('title = "Rules of the Club"\n', f'title = "Rules of the Club"\n{lacks}')
    with pytest.raises(BookError, match="'case' is no kind of provision"):
        make_book(tmp_path / "small", "STANDING ORDERS\n\n1. No dog.\n", "lines", plan.replace("standing_order", "law"))
