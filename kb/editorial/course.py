"""The course of a rule in one line: what each code lays down, from when on, and which codes are silent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

_CODES = re.compile(r"(?P<words>.+) \((?P<since>from )?(?P<names>[^()]+)\)")


@dataclass(frozen=True, slots=True)
class Step:
    """A code's version of a rule: `rule` is its letter, `words` state it; both are empty if the code is silent.

    `unprinted` is whether it is silent because its book omits such rules.
    """

    code: str
    rule: str
    words: str
    unprinted: bool = False


def fault_of(line: str, names: Sequence[str]) -> str:
    """Say what is wrong with the codes that a line names (`too late (1829) -> in time (from 1864)`); empty if nothing.

    Args:
        line: the line; or words alone, which hold for every code.
        names: the names of the codes.
    """
    parts = line.split(" -> ")
    for part in parts:
        match = _CODES.fullmatch(part)
        if match is None and len(parts) > 1:
            return f"{part!r} names no code; say of which it is true, as in `(1829)` or `(from 1864)`"
        if unknown := [name for name in match["names"].split(", ") if name not in names] if match else []:
            return f"there is no code {unknown[0]!r}; the codes are {', '.join(names)}"
    return ""


def in_a_line(steps: Sequence[Step]) -> str:
    """Return the course of a rule as one line.

    Args:
        steps: the version of each code, oldest first; `code` is the code's name in the line, its year.
    Returns:
        `the card, or a suit (1864) -> a suit only (from 1893); no rule: 1829; not printed: 1894`; empty if no code
        answers.
    """
    answering = [step for step in steps if step.rule]
    silent = [step.code for step in steps if not (step.rule or step.unprinted)]
    unprinted = [step.code for step in steps if step.unprinted]
    runs = [list(run) for _, run in groupby(answering, key=lambda step: step.rule)]
    if not runs:
        return ""
    if len(runs) == 1 and not (silent or unprinted) and len(steps) > 1:
        return f"{runs[0][0].words}, throughout"
    course = " -> ".join(f"{run[0].words} ({_when(run, steps)})" for run in runs)
    course += f"; no rule: {', '.join(silent)}" if silent else ""
    return course + (f"; not printed: {', '.join(unprinted)}" if unprinted else "")


def _when(run: Sequence[Step], steps: Sequence[Step]) -> str:
    """Name the codes of a run: `from 1864` if they go on to the last, `1864 alone` if no other answers, else all."""
    if len(run) > 1 and list(run) == list(steps[-len(run) :]):
        return f"from {run[0].code}"
    if len(run) == 1 and len([step for step in steps if step.rule]) == 1 and len(steps) > 1:
        return f"{run[0].code} alone"
    return ", ".join(step.code for step in run)
