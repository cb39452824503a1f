"""The course of a rule in a line of words: what each code lays down, from when on, and which codes are silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Step:
    """What a code made of a rule: `rule` is its letter and `words` say it; both are empty where the code is silent."""

    code: str
    rule: str
    words: str


def in_a_line(steps: Sequence[Step]) -> str:
    """The course of a rule in a line.

    Args:
        steps: what each code made of it, oldest first; `code` is how the code is named in the line, by its year.
    Returns:
        `the card, or a suit (1864) -> a suit only (from 1893); silent: 1829, 1839`, empty where no code answers.
    """
    answering = [step for step in steps if step.rule]
    silent = [step.code for step in steps if not step.rule]
    runs = [list(run) for _, run in groupby(answering, key=lambda step: step.rule)]
    if not runs:
        return ""
    if len(runs) == 1 and not silent and len(steps) > 1:
        return f"{runs[0][0].words}, throughout"
    told = " -> ".join(f"{run[0].words} ({_when(run, steps)})" for run in runs)
    return told + (f"; silent: {', '.join(silent)}" if silent else "")


def _when(run: Sequence[Step], steps: Sequence[Step]) -> str:
    """The codes of a run: `from 1864` if it is the end of all of them, else each by name."""
    if len(run) > 1 and list(run) == list(steps[-len(run) :]):
        return f"from {run[0].code}"
    if len(run) == 1 and len([step for step in steps if step.rule]) == 1 and len(steps) > 1:
        return f"{run[0].code} alone"
    return ", ".join(step.code for step in run)
