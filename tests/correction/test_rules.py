"""The rules of correction: each alone makes its example, and its effect is judged place by place."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from samples import corrected, make_book

from extract.correction.registry import RULES
from extract.correction.rules import Rule
from extract.model import Edit, EditKind
from extract.text.textlayer import TextLayer, check_edits
from kb.evaluation.ablation import Tally, Weight, ablate, tally, wrong_words
from kb.evaluation.weights import example, listing, table

NAMES = frozenset(rule.name for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_alone_makes_its_example(rule: Rule[Any]) -> None:
    declared = {"habits": rule.habits, "notes": rule.notes}
    alone = corrected(rule.before, **declared, without=NAMES - {rule.name})
    layer = TextLayer(rule.before, check_edits(rule.before, alone.edits))
    assert (layer.reading, {e.rule for e in alone.edits}) == (rule.after, {rule.name})
    others = corrected(rule.before, **declared, without=frozenset({rule.name}))
    assert rule.name not in {name for e in others.edits for name in e.rule.split()}


SCAN = "HEAD 1\nand tlie lead of tbe  hund is his hcnd-\nful"


def edit(before: str, after: str, rule: str = "", kind: EditKind = "ocr") -> Edit:
    at = SCAN.index(before)
    return Edit(at, at + len(before), before, after, kind, "rule", 1.0, "", rule)


HEAD = edit("HEAD 1\n", "", kind="furniture")
SHIPPED = TextLayer(
    SCAN,
    (HEAD, edit("tlie", "the"), edit("tbe  ", "the "), edit("hund", "hand"), edit("hcnd-\nful", "handful")),
)


@pytest.mark.parametrize(
    ("edits", "expected", "wrong"),
    [
        ([], {}, 4),
        ([edit("tlie", "the", "good")], {"good": Tally(1, 1, 0)}, 3),
        ([edit("lead", "load", "bad")], {"bad": Tally(1, 0, 1)}, 5),
        ([edit("hund", "hind", "idle")], {"idle": Tally(1, 0, 0)}, 4),
        ([edit("HEAD", "LEAD", "in furniture")], {}, 4),
        ([edit("tlie", "the", "one two")], {"one": Tally(1, 1, 0), "two": Tally(1, 1, 0)}, 3),
        ([edit("hcnd", "hand", "a"), edit("-\nful", "ful", "b")], {"a": Tally(1, 1, 0), "b": Tally(1, 1, 0)}, 3),
        ([edit("tlie", "the", "a"), edit("tbe", "the", "a"), edit("his", "hie", "a")], {"a": Tally(3, 1, 1)}, 3),
    ],
)
def test_edit_is_judged_by_the_reading_of_the_shipped_edition_at_its_place(
    edits: list[Edit], expected: dict[str, Tally], wrong: int
) -> None:
    assert (tally(SHIPPED, edits), wrong_words(SHIPPED, edits)) == (expected, wrong)
    assert wrong_words(SHIPPED, SHIPPED.edits) == 0


PLAN = '[[part]]\nid = "text"\nbegins = ""\ngrammar = "paragraphs"\n'
PAGE = "The rule of the game is that the player which leads, wliich is good, may on the for-\ntune of it.\n"


HABIT = '[[habit]]\nread = "^"\nprinted = ","\nwhere = "after a word"\nreason = "the comma after italics"\n'


def test_net_effect_is_the_number_of_words_wrong_without_the_rule(tmp_path: Path) -> None:
    book = make_book(tmp_path / "small-1850", PAGE.replace("leads,", "leads^"), "lines", PLAN + HABIT)
    with ThreadPoolExecutor(1) as pool:
        found = ablate([book], executor=pool, progress=lambda _: None)
    assert found.wrong == {"small-1850": 0}
    weights = {w.rule: w for w in found.weights}
    assert weights["word.confusion"] == Weight("word.confusion", "small-1850", 1, 1, 0, 1)
    assert (weights["sign.habit"].net, weights["join.hyphen"].net) == (1, 1)
    assert "| `word.confusion` | 1 / 1 / 0 / +1 | +1 |" in list(table(found))


def test_listing_shows_briefly_what_the_example_of_each_rule_changes() -> None:
    assert any(line.startswith("word.confusion: ") and "w«li|h»ich" in line for line in [*listing()])
    assert [rule.name for rule in RULES if "|" not in example(rule) or len(example(rule)) >= 120] == []
