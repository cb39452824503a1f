"""Rules of answers: letters, values that part them, and the line that tells their course."""

from __future__ import annotations

from pathlib import Path

import pytest

from extract.errors import BookError
from kb.editorial.answers import read_topic_files
from kb.editorial.course_line import Step, in_a_line
from kb.editorial.vocabulary import AnswerVocabulary, VocabularyTerm

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
        ("AAA.", "a (1, 2, 3); silent: 4"),
        ("..A.", "a (3 alone); silent: 1, 2, 4"),
        (".A.B", "a (2) -> b (4); silent: 1, 3"),
        ("....", ""),
        ("A", "a (1)"),
    ],
)
def test_the_line_claims_no_rule_for_a_silent_code(rules: str, line: str) -> None:
    assert in_a_line([Step(str(n), r.strip("."), r.strip(".").lower()) for n, r in enumerate(rules, 1)]) == line
