"""The rules of correction: each stands in the registry with an example that it alone makes."""

from __future__ import annotations

from typing import Any

import pytest
from corrected import corrected

from extract.correction.registry import RULES
from extract.correction.rules import Rule
from extract.text.textlayer import TextLayer, check_edits

NAMES = frozenset(rule.name for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_alone_makes_its_example(rule: Rule[Any]) -> None:
    told = {"habits": rule.habits, "notes": rule.notes}
    alone = corrected(rule.before, **told, without=NAMES - {rule.name})
    layer = TextLayer(rule.before, check_edits(rule.before, alone.edits))
    assert (layer.reading, {e.rule for e in alone.edits}) == (rule.after, {rule.name})
    others = corrected(rule.before, **told, without=frozenset({rule.name}))
    assert rule.name not in {name for e in others.edits for name in e.rule.split()}


def test_every_edit_of_the_machine_names_its_rules() -> None:
    scan = "the  game ; he has shown tlie hand^^ and an-\nnounce \"it,'' or the lady s hand,, wliich is good-"
    edits = corrected(scan).edits
    assert edits and all(e.rule and set(e.rule.split()) <= NAMES for e in edits)
