"""The course of a rule: what each code made of the answer that stood before it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from kb.comparison.answers import Answer, Answers, Question, twins
from kb.read.rows import CodeRow

# How an answer stands to that of an earlier code: the first of all, taken over from it, the same rule, the same made
# broader or narrower, or another.
Standing = Literal["first", "twin", "same", "altered", "changed"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A rule's time: from the year of a code to that of the next one chosen, twins as one.

    `state` is how the answer stands to that of the last code before that answers (`against`). `rule` is the letter of
    the rule, and `brief` says it in a few words; both are empty where the code does not answer.
    """

    codes: tuple[CodeRow, ...]
    until: int | None
    state: Standing | Literal["silent", "not judged"]
    against: CodeRow | None
    rule: str = ""
    brief: str = ""


def course(table: Answers, question: Question) -> tuple[Stage, ...]:
    """The course of a rule through the codes chosen, oldest first; a draft names no rule and has no course."""
    stages: list[Stage] = []
    last: tuple[CodeRow, Answer] | None = None
    for code in sorted(table.codes, key=lambda c: (c.year, c.id)):
        answer = question.answers.get(code.id)
        if answer and answer.source == "machine":
            return ()
        if stages and twins(question.answers.get(stages[-1].codes[-1].id), answer):
            stages[-1] = replace(stages[-1], codes=(*stages[-1].codes, code))
        elif answer is None or answer.silent:
            stages.append(Stage((code,), None, "silent" if answer else "not judged", None))
        else:
            against, before = last or (None, None)
            state = _standing(before, answer)
            stages.append(Stage((code,), None, state, against, answer.rule, answer.brief))
            last = code, answer
    ends = [replace(a, until=b.codes[0].year) for a, b in pairwise(stages)]
    return (*ends, *stages[-1:])


def _standing(before: Answer | None, answer: Answer) -> Standing:
    if before is None:
        return "first"
    if twins(before, answer):
        return "twin"
    if before.rule == answer.rule:
        return "same"
    return "altered" if before.rule[:1] == answer.rule[:1] else "changed"
