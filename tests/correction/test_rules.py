"""The rules of correction: each alone makes its example, and they are listed with it."""

from typing import Any

import pytest
from samples import corrected

from extract.correction.registry import RULES, example, listing
from extract.correction.rules import Rule
from extract.text.textlayer import TextLayer, check_edits

NAMES = frozenset(rule.name for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_alone_makes_its_example(rule: Rule[Any]) -> None:
    declared = {"habits": rule.habits, "notes": rule.notes}
    alone = corrected(rule.before, **declared, without=NAMES - {rule.name})
    layer = TextLayer(rule.before, check_edits(rule.before, alone.edits))
    assert (layer.reading, {e.rule for e in alone.edits}) == (rule.after, {rule.name})
    others = corrected(rule.before, **declared, without=frozenset({rule.name}))
    assert rule.name not in {name for e in others.edits for name in e.rule.split()}


def test_listing_shows_briefly_what_the_example_of_each_rule_changes() -> None:
    assert any(line.startswith("word.confusion: ") and "w«li|h»ich" in line for line in [*listing()])
    assert [rule.name for rule in RULES if "|" not in example(rule) or len(example(rule)) >= 120] == []
