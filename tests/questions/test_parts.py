"""A text that asks several questions is split into parts, each with all that is said before it."""

import pytest

from kb.questions.parts import MOST, Part, parts


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What is the penalty for a revoke?", ["What is the penalty for a revoke?"]),
        ("He revoked. We saw it.", ["He revoked. We saw it."]),
        ("B trumped, then found a heart: what is the penalty, and until when can we claim it?",
         ["what is the penalty", "until when can we claim it?"]),
        ("Can he still correct it? And at what cost?", ["Can he still correct it?", "And at what cost?"]),
        ("Who shuffles, and who cuts?", ["Who shuffles", "who cuts?"]),
        ("He dropped an ace.\n- must it lie there?\n- may they call it?", ["must it lie there?", "may they call it?"]),
        ("1. A led out of turn. May they call it?\n2. Who chooses?", ["May they call it?", "Who chooses?"]),
        ("They talked and laughed. Is that allowed?", ["They talked and laughed. Is that allowed?"]),
        ("", [""]),
    ],
)  # fmt: skip
def test_each_question_is_a_part(text: str, asked: list[str]) -> None:
    assert [part.asked for part in parts(text)] == asked


def test_a_text_has_so_many_parts_at_most() -> None:
    assert len(parts("May he? " * 50)) == MOST


def test_part_comes_with_what_is_said_before_it() -> None:
    first, second = parts("My partner led out of turn. What can they demand? And who decides?")
    assert first == Part("What can they demand?", "My partner led out of turn.")
    assert second.whole == "My partner led out of turn. What can they demand? And who decides?"
