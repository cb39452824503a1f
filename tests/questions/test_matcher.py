"""The matcher, fitted to a few paraphrases: which question a text asks, if any."""

import pytest

from kb.questions.fit import fit
from kb.questions.matcher import fitted_to, load_fitted
from kb.questions.paraphrases import OFF_TOPIC, UNRULED, digests

LABELS = {"first/lead": "Who leads first?", "first/deal": "Who deals first?"}
PARAPHRASES = {
    "first/lead": ("Which player leads to the first trick?", "Who has the first lead?"),
    "first/deal": ("Which player has the first deal?", "Who is the first dealer?"),
    OFF_TOPIC: ("Who won the boat race?", "Which boat won the race?", "Who rowed in the race?"),
    UNRULED: ("How do I win more tricks?", "How can I win a trick more often?", "How are more tricks won?"),
}


@pytest.fixture(scope="module")
def fitted() -> bytes:
    return fit(LABELS, PARAPHRASES)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Who has the lead?", "first/lead"), ("Who has the deal?", "first/deal"), ("Who rowed a boat?", OFF_TOPIC),
        ("How are tricks won more often?", UNRULED),
    ],
)  # fmt: skip
def test_recognises_questions_other_subjects_and_what_no_provision_decides(
    fitted: bytes, text: str, asked: str
) -> None:
    reading = load_fitted(fitted, {"first/lead": 0, "first/deal": 1}).read(text)
    best = [*LABELS][reading.questions.argmax()]
    assert (OFF_TOPIC if reading.off_topic > 0 else UNRULED if reading.unruled > 0 else best) == asked


def test_question_that_it_was_not_fitted_to_gets_no_score_and_one_that_is_gone_is_left_out(fitted: bytes) -> None:
    matcher = load_fitted(fitted, {"first/new": 0, "first/deal": 1})
    assert matcher.read("Who has the lead?").questions.tolist() == [0.0, matcher.read("Who has the lead?").questions[1]]
    assert matcher.read("Who has the first deal?").questions[1] > 1


def test_is_the_same_for_the_same_paraphrases(fitted: bytes) -> None:
    assert fit(LABELS, PARAPHRASES) == fitted


def test_knows_what_it_was_fitted_to(fitted: bytes) -> None:
    assert fitted_to(fitted) == digests(LABELS, PARAPHRASES)
    changed = digests(LABELS | {"first/lead": "Who leads?"}, PARAPHRASES | {OFF_TOPIC: ("Who won?",)})
    assert {question for question, _ in changed.items() ^ fitted_to(fitted).items()} == {"first/lead", OFF_TOPIC}
