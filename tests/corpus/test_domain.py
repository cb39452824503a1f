"""What library.toml declares about a library, and the rules for its answers."""

from pathlib import Path

import pytest
from samples import edition_of, render

from extract.corpus.domain import Domain, Noun, plural, read_domain
from extract.errors import BookError
from kb.editorial.course import Step, fault_of, in_a_line
from kb.editorial.judgements import read_judgements

CORPUS = Path(__file__).parents[2] / "corpus"


def domain_of(folder: Path, text: str) -> Domain:
    (folder / "library.toml").write_text(text, encoding="utf-8")
    return read_domain(folder)


def test_phrases_use_the_words_of_the_library(tmp_path: Path) -> None:
    domain = read_domain(tmp_path)
    assert (domain.provision.several, domain.provision.place("50")) == ("provisions", "provision 50")
    assert domain.code.of(2) == "codes"
    assert domain_of(tmp_path, '[provision]\nsingular = "section"\ncited = "§ {n}"\n').provision.place("50") == "§ 50"
    domain = read_domain(CORPUS)
    assert (domain.noun("Article").place("9"), domain.noun("Law")) == ("article 9", domain.provision)
    assert domain.words() == {"law", "laws"}


@pytest.mark.parametrize(("one", "many"), [("entry", "entries"), ("by-law", "by-laws"), ("box", "boxes")])
def test_plurals_follow_the_rules_of_spelling(one: str, many: str) -> None:
    assert (plural(one), Noun(singular=one).of(1), Noun(singular=one).of(0)) == (many, one, many)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[library]\ntitel = "Rowing"\n', "library, titel: Extra inputs are not permitted"),
        ('[provision]\nsingular = "section"\ncited = "section"\n', "where the number goes"),
        ('[[kind]]\nid = "law"\nsingular = "section"\n', r"\[provision\]"),
        ('[[kind]]\nid = "paper"\nsingular = "paper"\n', "kind 1, role: it is missing"),
        ('[[kind]]\nid = "paper"\nsingular = "paper"\nrole = "page"\n', "kind 1, role: Input should be .*, not 'page'"),
        ('[[kind]]\nid = "case"\nsingular = "case"\nrole = "prose"\n', "'case' is built in"),
        ('[[kind]]\nid = "Oar"\nsingular = "oar"\nrole = "prose"\n', "kind 1, id: 'Oar' is not a valid kind"),
        ('[lexicon]\nfiles = ["../terms.txt"]\n', "not a file name"),
        ('[lexicon]\nfiles = ["terms.txt"]\n', "cannot be read as a list of words"),
        ('[library]\nrights_url = "javascript:alert(1)"\n', "not a web address"),
        ('[citations]\nwords = ["Sec."]\n', "cannot name a series"),
    ],
)
def test_reports_faults_of_library_toml(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(BookError, match=fault):
        domain_of(tmp_path, text)


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


def test_kind_of_one_library_has_its_declared_role(tmp_path: Path) -> None:
    domain_of(tmp_path, '[[kind]]\nid = "standing_order"\nrole = "provision"\nsingular = "standing order"\n')
    matter = ["STANDING ORDERS", "1. No dog is let in.", "2. The boats are numbered.", "3. The gate is shut at ten."]
    edition = edition_of(tmp_path / "small", render(matter, "lines"), ORDERS)
    orders = [unit for unit in edition.units if unit.kind == "standing_order"]
    assert [(unit.id, unit.role) for unit in orders] == [(f"club-1850/order-{n}", "provision") for n in (1, 2, 3)]


def read(folder: Path, answered: str) -> None:
    """Read a question that codes answer by rules, given by their letters."""
    rules = ", ".join(f'"{rule}" = "so"' for rule in dict.fromkeys(answered.split()))
    text = f'[[question]]\nid = "who"\nlabel = "Who may?"\nrules = {{ {rules} }}\n'
    for n, rule in enumerate(answered.split()):
        rests = f'[{{ unit = "code-{1850 + n}/law-1", words = "he may" }}]'
        text += f'[question.answer.code-{1850 + n}]\nrule = "{rule}"\nsummary = "He may."\nrests_on = {rests}\n'
    (folder / "topics").mkdir()
    (folder / "topics" / "who.toml").write_text(text, encoding="utf-8")
    read_judgements(folder)


@pytest.mark.parametrize("answered", ["A A B", "A B A", "A A' B"])
def test_rules_have_letters_in_the_order_of_the_codes(tmp_path: Path, answered: str) -> None:
    read(tmp_path, answered)


@pytest.mark.parametrize(("answered", "message"), [("B", "write A"), ("A C", "write B"), ("A B'", "write B")])
def test_rejects_letters_out_of_order(tmp_path: Path, answered: str, message: str) -> None:
    with pytest.raises(BookError, match=message):
        read(tmp_path, answered)


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("AAAA", "a, throughout"),
        ("AAAB", "a (1, 2, 3) -> b (4)"),
        ("ABBB", "a (1) -> b (from 2)"),
        ("ABAA", "a (1) -> b (2) -> a (from 3)"),
        (".AAA", "a (from 2); no rule: 1"),
        ("A.AA", "a (1, 3, 4); no rule: 2"),
        ("A.A?", "a (1, 3); no rule: 2; not printed: 4"),
        ("..A.", "a (3 alone); no rule: 1, 2, 4"),
        ("....", ""),
        ("A", "a (1)"),
    ],
)
def test_course_line_gives_no_rule_for_a_silent_code(rules: str, line: str) -> None:
    assert (
        in_a_line([Step(str(n), r.strip(".?"), r.strip(".?").lower(), r == "?") for n, r in enumerate(rules, 1)])
        == line
    )


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("too late", ""),
        ("in time (in long whist) (1, 3) -> too late (2)", ""),
        ("in time (1) -> too late (from 2)", ""),
        ("too late (from 4)", "there is no code '4'; the codes are 1, 2, 3"),
        ("in time (1) -> too late", "'too late' names no code; say of which it is true"),
    ],
)
def test_result_names_codes_that_exist(line: str, fault: str) -> None:
    assert fault_of(line, ["1", "2", "3"]).startswith(fault) and bool(fault_of(line, ["1", "2", "3"])) == bool(fault)
