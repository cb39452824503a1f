"""The issues of a dispute: what is asked of the facts, told apart where more than one thing is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.dispute.issues import MOST, issues


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (
            "He trumped, then found a heart: what is the penalty, and until when can we claim it?",
            ["What is the penalty?", "Until when can we claim it?"],
        ),
        ("We are sick of this pack. May we have a new one, and who pays?", ["May we have a new one?", "Who pays?"]),
        ("She led out of turn - who may call and how long have they?", ["Who may call?", "How long have they?"]),
        ("what is the penalty and until when can we claim it", ["What is the penalty?", "Until when can we claim it?"]),
        ("A card fell. May it be called? Who decides?", ["May it be called?", "Who decides?"]),
    ],
)  # fmt: skip
def test_each_question_on_the_facts_is_an_issue(told: str, asked: list[str]) -> None:
    assert [issue.asked for issue in issues(told)] == asked


@pytest.mark.parametrize(
    "told",
    [
        "The dealer looked at the trump card. Must he deal again?",
        "Can I take my card back and follow suit?",
        "How do we decide who plays first and who waits?",
        'My partner asked me "no spades?" and I said no. May the others object?',
        "When he had dealt and turned the trump, who was next?",
        "Is it a misdeal, or may the deal stand?",
        "He dealt, had one too many and gave it to his neighbour.",
        "",
    ],
)
def test_one_question_is_put_as_it_was_told(told: str) -> None:
    (issue,) = issues(told)
    assert (issue.asked, issue.put) == ("", told)


@pytest.mark.parametrize(
    ("told", "put"),
    [
        (
            "We were at the last trick. He trumped and had a heart: what does he lose, and who chooses?",
            ["We were at the last trick. He trumped and had a heart. What does he lose?",
             "We were at the last trick. He trumped and had a heart. Who chooses?"],
        ),
        (
            "What is due for a lead out of turn, and may we choose?",
            ["What is due for a lead out of turn?", "What is due for a lead out of turn? May we choose?"],
        ),
    ],
)  # fmt: skip
def test_every_issue_is_put_with_the_facts_or_with_the_first_question(told: str, put: list[str]) -> None:
    assert [issue.put for issue in issues(told)] == put


def test_no_more_issues_are_told_apart_than_a_page_can_show() -> None:
    found = issues("He led. " + " ".join("What may we do?" for _ in range(MOST + 3)))
    assert len(found) == MOST and found[-1].asked.count("What") == 4


@given(st.text(max_size=300))
def test_whatever_is_told_there_is_an_issue_and_no_word_is_lost(told: str) -> None:
    found = issues(told)
    letters = {c for c in told.casefold() if c.isalpha() and c not in "ﬀ"}
    assert 1 <= len(found) <= MOST
    assert letters <= set(" ".join(issue.put for issue in found).casefold())
