"""The rules of correction: each stands in the registry with an example that it alone makes."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import pytest
from corrected import corrected

from extract.correction.post_correction import PostCorrection
from extract.correction.registry import RULES
from extract.correction.rules import Rule
from extract.text.textlayer import TextLayer, check_edits

NAMES = frozenset(rule.name for rule in RULES)


def cleaned(rule: Rule[Any], without: Set[str]) -> PostCorrection:
    """The example of a rule, corrected without some rules."""
    return corrected(rule.before, habits=rule.habits, notes=rule.notes, without=without)


def alone(rule: Rule[Any]) -> tuple[str, set[str]]:
    """What a rule alone makes of its example, and the names of the rules that made its edits."""
    found = corrected(rule.before, habits=rule.habits, notes=rule.notes, without=NAMES - {rule.name})
    layer = TextLayer(rule.before, check_edits(rule.before, found.edits))
    return layer.reading, {e.rule for e in found.edits}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_alone_makes_its_example(rule: Rule[Any]) -> None:
    assert rule.before != rule.after
    assert alone(rule) == (rule.after, {rule.name})


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_without_the_rule_its_example_stays_unmade(rule: Rule[Any]) -> None:
    found = corrected(rule.before, habits=rule.habits, notes=rule.notes, without=frozenset({rule.name}))
    assert rule.name not in {name for e in found.edits for name in e.rule.split()}


def test_no_two_rules_have_a_name() -> None:
    assert len(NAMES) == len(RULES)
    assert all(rule.about and len(rule.name.split()) == 1 for rule in RULES)


def test_every_edit_of_the_machine_names_its_rules() -> None:
    scan = "the  game ; he has shown tlie hand^^ and an-\nnounce \"it,'' or the lady s hand,, wliich is good-"
    edits = corrected(scan).edits
    assert edits
    assert all(e.rule and set(e.rule.split()) <= NAMES for e in edits)
