"""The course of a rule in one line: what each code lays down, from when on, and which codes are silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Step:
    """A code's version of a rule: `rule` is its letter, `words` state it; both are empty if the code is silent."""

    code: str
    rule: str
    words: str


def in_a_line(steps: Sequence[Step]) -> str:
    """Return the course of a rule as one line.

    Args:
        steps: the version of each code, oldest first; `code` is the code's name in the line, its year.
    Returns:
        `the card, or a suit (1864) -> a suit only (from 1893); silent: 1829, 1839`; empty if no code answers.
    """
    answering = [step for step in steps if step.rule]
    silent = [step.code for step in steps if not step.rule]
    runs = [list(run) for _, run in groupby(answering, key=lambda step: step.rule)]
    if not runs:
        return ""
    if len(runs) == 1 and not silent and len(steps) > 1:
        return f"{runs[0][0].words}, throughout"
    course = " -> ".join(f"{run[0].words} ({_when(run, steps)})" for run in runs)
    return course + (f"; silent: {', '.join(silent)}" if silent else "")


def _when(run: Sequence[Step], steps: Sequence[Step]) -> str:
    """Name the codes of a run: `from 1864` if they go on to the last, `1864 alone` if no other answers, else all."""
    if len(run) > 1 and list(run) == list(steps[-len(run) :]):
        return f"from {run[0].code}"
    if len(run) == 1 and len([step for step in steps if step.rule]) == 1 and len(steps) > 1:
        return f"{run[0].code} alone"
    return ", ".join(step.code for step in run)
