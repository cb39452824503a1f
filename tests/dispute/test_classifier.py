"""The classifier, trained on a few wordings: which question a text asks, if any."""

import pytest

from kb.dispute.classifier import OFF_TOPIC, UNRULED, load, train

SAID = {
    "lead": ("Who leads first?", "Which player leads to the first trick?", "Who has the first lead?"),
    "deal": ("Who deals first?", "Which player has the first deal?", "Who is the first dealer?"),
    OFF_TOPIC: ("Who won the boat race?", "Which boat won the race?", "Who rowed in the race?"),
    UNRULED: ("How do I win more tricks?", "How can I win a trick more often?", "How are more tricks won?"),
}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Who has the lead?", "lead"), ("Who has the deal?", "deal"), ("Who rowed a boat?", OFF_TOPIC),
        ("How are tricks won more often?", UNRULED),
    ],
)  # fmt: skip
def test_recognises_questions_other_subjects_and_what_no_provision_decides(text: str, asked: str) -> None:
    paraphrases = [(question, words) for question, wordings in SAID.items() for words in wordings]
    reading = load(train(paraphrases), {"lead": 0, "deal": 1}).read(text)
    best = ("lead", "deal")[reading.questions.argmax()]
    assert (OFF_TOPIC if reading.off_topic > 0 else UNRULED if reading.unruled > 0 else best) == asked
