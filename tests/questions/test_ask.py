"""What readers type leads to the right questions of the shipped library, whatever their spelling."""

import sqlite3
from pathlib import Path

import pytest

from kb.evaluation.finding import FILES
from kb.evaluation.gold import rows
from kb.questions.ask import as_data, ask, matcher_of
from kb.questions.paraphrases import read_paraphrases
from kb.questions.questions import questions, shown_under
from kb.questions.spelling import corrected

GOLD = Path(__file__).parents[1] / "gold"
# What a player, a secretary and a passer-by typed, with the questions of which one must come first.
TYPED = {
    "they called honours too late": ["calling-honours/late-call"],
    "they claimed honors too late": ["calling-honours/late-call", "honours/until-when"],
    "What is the penalty for a revoke?": ["revoke/penalty"],
    "penelty for a revoke": ["revoke/penalty"],
    "two people revoked": ["revoke/penalty", "revoke/win-game"],
    "the dealer showed a card": ["dealing/exposed-by-dealer"],
    "he laid down his hand thinking the game was won": ["abandoned-hands/one-thrown"],
    "partner put his cards on the table": ["abandoned-hands/one-thrown", "abandoned-hands/partners-hand"],
    "my partner exposed his hand": ["exposed-cards/penalty", "exposed-cards/hand-lowered"],
    "can I see the trump card again": ["trump-card/naming"],
    "is talking allowed": ["intimations/conversation"],
    "what's the penalty for exposing a card": ["exposed-cards/penalty"],
    "must Terry throw in his hand too?": ["abandoned-hands/one-thrown", "abandoned-hands/partners-hand"],
    "sombody led out of turn": ["lead-out-of-turn/penalty"],
    "my partner swept the cards together before we could check the revoke. What now?": ["revoke/mixed-cards"],
}


@pytest.mark.parametrize("text", TYPED)
def test_the_right_question_comes_first(shipped: sqlite3.Connection, text: str) -> None:
    assert ask(shipped, text).matches[0].question.id in TYPED[text]


def test_a_general_statement_leads_to_the_principal_question_among_three(shipped: sqlite3.Connection) -> None:
    assert "revoke/penalty" in [match.question.id for match in ask(shipped, "my partner revoked").parts[0][:3]]


def test_each_part_of_a_text_leads_to_its_own_question(shipped: sqlite3.Connection) -> None:
    asked = ask(shipped, "B trumped, then found a heart: what is the penalty, and until when can we claim it?")
    assert [part[0].question.id for part in asked.parts] == ["revoke/penalty", "revoke/claim-until"]
    assert [match.part for match in asked.matches] == [0] * len(asked.parts[0]) + [1] * len(asked.parts[1])


@pytest.mark.parametrize(
    ("text", "told"),
    [("will it rain tomorrow", "off-topic"), ("who invented whist", "unruled"), ("...", "nothing"), ("", "nothing")],
)
def test_what_is_no_question_of_the_library_is_told_so(shipped: sqlite3.Connection, text: str, told: str) -> None:
    assert (ask(shipped, text).told, ask(shipped, text).parts) == (told, ())


@pytest.mark.parametrize("text", ["penalty", "lead", "shuffle", "honors"])
def test_a_mere_word_of_the_game_is_not_refused(shipped: sqlite3.Connection, text: str) -> None:
    assert ask(shipped, text).matches


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("honers", "honors"), ("sombody", "somebody"), ("alowed", "allowed"), ("penelty", "penalty"),
        ("revoak", "revoke"), ("throu", "throu"), ("mins", "mins"),
        ("honors", "honors"), ("Grosvenor", "Grosvenor"), ("trumped", "trumped"),
    ],
)  # fmt: skip
def test_only_words_that_nobody_has_are_corrected(shipped: sqlite3.Connection, typed: str, read: str) -> None:
    text, corrections = corrected(shipped, f"Hilda {typed}")
    assert text == f"Hilda {read}" and corrections == ({typed: read} if typed != read else {})


def test_text_in_another_language_is_left_alone(shipped: sqlite3.Connection) -> None:
    text = "Welche Strafe droht demjenigen Spieler, dessen Gegner unversehens Trumpfkarten ausspielten?"
    assert corrected(shipped, text) == (text, {})


def test_data_of_a_question_has_the_answers_of_the_codes_asked_and_what_they_cite(shipped: sqlite3.Connection) -> None:
    asked = ask(shipped, "What is the penalty for a revoke?").within(["english-1864"])
    first = as_data(asked)[0]
    assert (first["id"], first["part"], first["label"]) == ("revoke/penalty", 0, "What is the penalty for a revoke?")
    assert [(code, answer["state"]) for code, answer in first["answers"].items()] == [("english-1864", "answered")]
    assert next(iter(asked.provisions.items())) == ("english-1864/law-72/i", first["score"])


def test_question_that_the_matcher_was_not_fitted_to_is_found_by_its_words(shipped: sqlite3.Connection) -> None:
    matcher = matcher_of(shipped)
    row = [question.id for question in matcher.questions].index("shuffling/manner")
    unknown = matcher.unknown.copy()
    unknown[row] = 1.0
    matcher.fitted.bias[row], known = -float("inf"), matcher.fitted.bias[row]
    try:
        alone = type(matcher)(matcher.questions, matcher.fitted, matcher.words, unknown)
        label = questions(shipped)["shuffling/manner"].label
        assert "shuffling/manner" in [match.question.id for match in alone.match(label)[:3]]
    finally:
        matcher.fitted.bias[row] = known


def test_every_question_is_shown_and_names_neighbours(shipped: sqlite3.Connection) -> None:
    known = questions(shipped)
    assert {i for ids in shown_under(shipped).values() for i in ids} == known.keys()
    assert [q.id for q in known.values() if not q.sisters or not set(q.sisters) <= known.keys()] == []
    assert all(q.label.endswith("?") and len(q.answers) == 5 for q in known.values())


def test_what_readers_typed_is_no_paraphrase(shipped: sqlite3.Connection, corpus: Path) -> None:
    paraphrases = {words for all_words in read_paraphrases(corpus, questions(shipped)).values() for words in all_words}
    assert paraphrases.isdisjoint(TYPED)
    gold = {row["query"] for file in FILES for _, row in rows(GOLD, f"{file}.jsonl")}
    assert paraphrases.isdisjoint(gold)
