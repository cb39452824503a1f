"""The course of a rule: what each code made of the answer that stood before it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from kb.comparison.answers import Answer, Answers, Question, Standing, standing, twins
from kb.read.rows import CodeRow


@dataclass(frozen=True, slots=True)
class Stage:
    """A rule's time: from the year of a code to that of the next one chosen, twins as one.

    `state` is how the answer stands to that of the last code before that answers (`against`); `first` if there is
    none. `version` counts the rules that followed one another, from 0, and `turn` how often the present one was
    altered; both are -1 where the code does not answer.
    """

    codes: tuple[CodeRow, ...]
    until: int | None
    state: Standing | Literal["first", "silent", "not judged"]
    against: CodeRow | None
    version: int = -1
    turn: int = -1


def course(table: Answers, question: Question) -> tuple[Stage, ...]:
    """The course of a rule through the codes chosen, oldest first."""
    stages: list[Stage] = []
    last: tuple[CodeRow, Answer] | None = None
    version = turn = -1
    for code in sorted(table.codes, key=lambda c: (c.year, c.id)):
        answer = question.answers.get(code.id)
        if stages and twins(question.answers.get(stages[-1].codes[-1].id), answer):
            stages[-1] = replace(stages[-1], codes=(*stages[-1].codes, code))
            continue
        if answer is None or answer.silent:
            stages.append(Stage((code,), None, "silent" if answer else "not judged", None))
            continue
        against = last[0] if last else None
        stands = standing(last[1], answer, table.verdicts) if last else "first"
        if stands in ("first", "changed", "apart"):
            version, turn = version + 1, 0
        elif stands == "altered":
            turn += 1
        stages.append(Stage((code,), None, stands, against, version, turn))
        last = code, answer
    ends = [replace(a, until=b.codes[0].year) for a, b in pairwise(stages)]
    return (*ends, *stages[-1:])
