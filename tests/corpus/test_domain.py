"""What a library says of itself in library.toml, and the rules by which its answers are told."""

from __future__ import annotations

from pathlib import Path

import boat_club
import pytest
from samples import make_book, render
from terminal import whist

from extract.corpus.book import load_books
from extract.corpus.domain import Domain, Noun, plural, read_domain
from extract.edition import make_edition
from extract.errors import BookError, UnknownIdError
from kb.editorial.answers import read_topic_files
from kb.editorial.course_line import Step, in_a_line
from kb.editorial.vocabulary import AnswerVocabulary, VocabularyTerm


def told(folder: Path, text: str) -> Domain:
    (folder / "library.toml").write_text(text, encoding="utf-8")
    return read_domain(folder)


def test_the_words_of_a_library_make_its_phrases(tmp_path: Path) -> None:
    domain = read_domain(tmp_path)
    assert (domain.provision.several, domain.provision.place("50")) == ("provisions", "provision 50")
    assert (domain.code.of(2), domain.concepts) == ("codes", "Concepts")
    assert told(tmp_path, '[provision]\nsingular = "section"\ncited = "§ {n}"\n').provision.place("50") == "§ 50"
    domain = told(tmp_path, boat_club.LIBRARY)
    assert (domain.holdings, domain.named) == ("the by-laws of rowing", ("The Library of", "Rowing"))
    assert (domain.noun("Article").place("9"), domain.noun("By-law")) == ("article 9", domain.provision)
    assert domain.words() == {"by-law", "by-laws", "rule"}


@pytest.mark.parametrize(("one", "many"), [("entry", "entries"), ("by-law", "by-laws"), ("box", "boxes")])
def test_plurals_follow_the_rules_of_spelling(one: str, many: str) -> None:
    assert (plural(one), Noun(singular=one).of(1), Noun(singular=one).of(0)) == (many, one, many)


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


def test_an_id_that_makes_no_address_is_told_and_without_topics_nothing_is_judged(tmp_path: Path) -> None:
    boat_club.write(tmp_path, clubs=1)
    (tmp_path / "riverside-1871").rename(tmp_path / "riverside")
    database = str(tmp_path / "rowing.db")
    built = whist("build", "--corpus", tmp_path, "--db", database)
    assert built.exit_code == 0 and "riverside cannot be an address" in built.output
    assert "riverside cannot be an address" in whist("check", "--db", database).output
    refused = whist("judge", "--db", database).exception
    assert isinstance(refused, UnknownIdError) and "topics.toml" in str(refused)


def test_an_empty_library_is_made_and_says_what_it_lacks(tmp_path: Path) -> None:
    place = tmp_path / "rowing"
    made = whist("init", place)
    assert made.exit_code == 0 and {p.name for p in place.iterdir()} == {"library.toml", "README.md"}
    assert read_domain(place).model_copy(update={"kind": ()}) == Domain()
    with pytest.raises(BookError, match="holds no book yet; `whist add SCAN`"):
        load_books(place)
    assert "not empty" in str(whist("init", place).exception)


def test_every_key_of_the_empty_library_can_be_set(tmp_path: Path) -> None:
    whist("init", tmp_path / "rowing")
    lines = (tmp_path / "rowing" / "library.toml").read_text(encoding="utf-8").splitlines()
    opened = "\n".join(line.removeprefix("# ") for line in lines if "=" in line or "[" in line)
    (tmp_path / "terms.txt").write_text("# of rowing\noar oars # of wood\nthole\n", encoding="utf-8")
    domain = told(tmp_path, opened)
    assert (domain.library.subject, domain.pages.hidden) == ("rowing", ("dispute",))
    assert domain.terms == ("oar", "oars", "thole")


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


WORDS = AnswerVocabulary(
    who=(VocabularyTerm(term="dealer", note="who deals"), VocabularyTerm(term="player", note="who plays")),
    mode=(VocabularyTerm(term="may", note="is allowed to"),),
)
DEALER, PLAYER = (f'value = {{ mode = "may", who = ["{who}"] }}' for who in ("dealer", "player"))


def read(folder: Path, *cells: tuple[str, str]) -> None:
    """Read a question that codes answer by rules, each with a value."""
    rules = ", ".join(f'"{rule}" = "so"' for rule in dict.fromkeys(rule for rule, _ in cells))
    text = f'[[facet]]\nid = "who"\nlabel = "Who may?"\nrules = {{ {rules} }}\n'
    for n, (rule, value) in enumerate(cells):
        rests = f'[{{ unit = "code-{1850 + n}/law-1", words = "he may" }}]'
        text += f'[facet.cell.code-{1850 + n}]\nrule = "{rule}"\nsummary = "He may."\n{value}\nrests_on = {rests}\n'
    (folder / "who.toml").write_text(text, encoding="utf-8")
    read_topic_files(folder, WORDS)


@pytest.mark.parametrize(
    "cells",
    [
        [("A", DEALER), ("A", DEALER), ("B", PLAYER)],
        [("A", DEALER), ("B", PLAYER), ("A", DEALER)],
        [("A", ""), ("A'", ""), ("B", "")],
    ],
)
def test_one_letter_has_one_value_and_one_value_one_letter(tmp_path: Path, cells: list[tuple[str, str]]) -> None:
    read(tmp_path, *cells)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([("A", DEALER), ("A", PLAYER)], "another code has rule A with another value"),
        ([("A", DEALER), ("A", "")], "another code has rule A with another value"),
        ([("A", DEALER), ("B", DEALER)], "it has the value of another rule"),
        ([("A", DEALER), ("A'", DEALER)], "it has the value of another rule"),
        ([("B", "")], "write A"),
        ([("A", ""), ("C", "")], "write B"),
        ([("A", ""), ("B'", "")], "write B"),
    ],
)
def test_letters_and_values_that_contradict_each_other_are_refused(
    tmp_path: Path, cells: list[tuple[str, str]], said: str
) -> None:
    with pytest.raises(BookError, match=said):
        read(tmp_path, *cells)


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("AAAA", "a, throughout"),
        ("AAAB", "a (1, 2, 3) -> b (4)"),
        ("ABBB", "a (1) -> b (from 2)"),
        ("ABAA", "a (1) -> b (2) -> a (from 3)"),
        (".AAA", "a (from 2); silent: 1"),
        ("A.AA", "a (1, 3, 4); silent: 2"),
        ("..A.", "a (3 alone); silent: 1, 2, 4"),
        ("....", ""),
        ("A", "a (1)"),
    ],
)
def test_the_line_claims_no_rule_for_a_silent_code(rules: str, line: str) -> None:
    assert in_a_line([Step(str(n), r.strip("."), r.strip(".").lower()) for n, r in enumerate(rules, 1)]) == line
