"""What a rule is worth: judged place by place against the shipped edition, and by the words lost without it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner
from samples import make_book

from datasette_plugins.command import cli
from extract.corpus.book import load_book
from extract.correction.registry import RULES
from extract.model import Edit, EditKind
from extract.text.textlayer import TextLayer
from kb.evaluation.ablation import Tally, Weight, ablate, tally, wrong_words
from kb.evaluation.weights import example, listing, table

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
    ("made", "expected"),
    [
        ([edit("tlie", "the", "good")], {"good": Tally(1, 1, 0)}),
        ([edit("lead", "load", "bad")], {"bad": Tally(1, 0, 1)}),
        ([edit("hund", "hind", "idle")], {"idle": Tally(1, 0, 0)}),
        ([edit("HEAD", "LEAD", "in furniture")], {}),
        ([edit("tlie", "the", "one two")], {"one": Tally(1, 1, 0), "two": Tally(1, 1, 0)}),
        ([edit("hcnd", "hand", "a"), edit("-\nful", "ful", "b")], {"a": Tally(1, 1, 0), "b": Tally(1, 1, 0)}),
        ([edit("tlie", "the", "a"), edit("tbe", "the", "a"), edit("his", "hie", "a")], {"a": Tally(3, 1, 1)}),
    ],
)
def test_an_edit_is_judged_by_what_the_shipped_edition_reads_at_its_place(
    made: list[Edit], expected: dict[str, Tally]
) -> None:
    assert tally(SHIPPED, made) == expected


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        ([], 4),
        ([edit("tlie", "the")], 3),
        ([edit("tlie", "the"), edit("lead", "load")], 4),
        ([HEAD, edit("tlie", "the"), edit("tbe", "the"), edit("hund", "hand"), edit("hcnd-\nful", "handful")], 0),
    ],
)
def test_wrong_words_are_those_that_the_shipped_edition_reads_otherwise(made: list[Edit], wrong: int) -> None:
    assert wrong_words(SHIPPED, made) == wrong


PLAN = '[[part]]\nid = "text"\nbegins = ""\ngrammar = "paragraphs"\n'
PAGE = "The rule of the game is that the player which leads, wliich is good, may on the for-\ntune of it.\n"


def test_the_net_effect_is_the_words_that_are_wrong_without_the_rule(tmp_path: Path) -> None:
    book = make_book(tmp_path / "small-1850", PAGE, "lines", PLAN)
    told: list[str] = []
    with ThreadPoolExecutor(1) as pool:
        found = ablate([book], executor=pool, progress=told.append)
    assert found.wrong == {"small-1850": 0}
    weights = {w.rule: w for w in found.weights}
    assert weights["word.confusion"] == Weight("word.confusion", "small-1850", 1, 1, 0, 1)
    assert weights["join.hyphen"].net == 1
    assert "sign.dash" not in weights
    assert len(told) == len(found.weights)
    assert "| `word.confusion` | 1 / 1 / 0 / +1 | +1 |" in list(table(found))


def test_a_habit_is_read_from_the_books_own_file(tmp_path: Path) -> None:
    page = PAGE.replace("leads,", "leads^")
    book = make_book(tmp_path / "small-1850", page, "lines", PLAN)
    habit = '[[habit]]\nread = "^"\nprinted = ","\nwhere = "after a word"\nreason = "the comma after italics"\n'
    (book.folder / "book.toml").write_text((book.folder / "book.toml").read_text() + habit, encoding="utf-8")
    with ThreadPoolExecutor(1) as pool:
        found = ablate([load_book(book.folder)], executor=pool, progress=lambda _: None)
    assert Weight("sign.habit", "small-1850", 1, 1, 0, 1) in found.weights


def test_every_rule_is_listed_with_what_its_example_changes() -> None:
    lines = list(listing())
    assert any(line.startswith("word.confusion: ") and "w«li|h»ich" in line for line in lines)
    result = CliRunner().invoke(cli, ["evaluate", "--help"])
    assert "--ablate" in result.output


def test_an_example_shows_what_changes_and_little_more() -> None:
    for rule in RULES:
        assert "|" in example(rule)
        assert len(example(rule)) < 120
