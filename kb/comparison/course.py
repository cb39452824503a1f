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
    none. `rule` is the letter of the rule, and `brief` says it in a few words; both are empty where the code does not
    answer. A draft names no rule: it is lettered by the links of its provisions.
    """

    codes: tuple[CodeRow, ...]
    until: int | None
    state: Standing | Literal["first", "silent", "not judged"]
    against: CodeRow | None
    rule: str = ""
    brief: str = ""


def course(table: Answers, question: Question) -> tuple[Stage, ...]:
    """The course of a rule through the codes chosen, oldest first."""
    stages: list[Stage] = []
    last: tuple[CodeRow, Answer] | None = None
    linked = ""
    for code in sorted(table.codes, key=lambda c: (c.year, c.id)):
        answer = question.answers.get(code.id)
        if stages and twins(question.answers.get(stages[-1].codes[-1].id), answer):
            stages[-1] = replace(stages[-1], codes=(*stages[-1].codes, code))
            continue
        if answer is None or answer.silent:
            stages.append(Stage((code,), None, "silent" if answer else "not judged", None))
            continue
        stands = standing(last[1], answer, table.verdicts) if last else "first"
        linked = _lettered(linked, stands)
        stages.append(Stage((code,), None, stands, last and last[0], answer.rule or linked, answer.brief))
        last = code, answer
    ends = [replace(a, until=b.codes[0].year) for a, b in pairwise(stages)]
    return (*ends, *stages[-1:])


def _lettered(before: str, stands: Standing | Literal["first"]) -> str:
    """The letter of a rule after that of the rule before it, by how the one stands to the other."""
    if stands == "altered":
        return f"{before}'"
    if stands in ("changed", "apart"):
        return chr(ord(before[0]) + 1)
    return before or "A"
