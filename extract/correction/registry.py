"""All rules of correction, in the order in which they are applied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from extract.correction.joins import JOINS
from extract.correction.numbers import NUMBERS
from extract.correction.post_correction import SPACES
from extract.correction.rules import Rule
from extract.correction.signs import SIGNS
from extract.correction.spelling.passes import WORDS

RULES: tuple[Rule[Any], ...] = (*SIGNS, *NUMBERS, *JOINS, *WORDS, *SPACES)

_AROUND = 18  # characters of an example that are shown on either side of the change


def listing() -> Iterator[str]:
    """Yield the rules in their order, each with its purpose and its example: «text as read|text as printed»."""
    for rule in RULES:
        yield f"{rule.name}: {rule.about}\n    {example(rule)}"


def example(rule: Rule[Any]) -> str:
    """Return a rule's example with some context of the change (`w«li|h»ich`); line ends are shown as ¶."""
    text = rule.example
    start, end = max(0, text.index("«") - _AROUND), text.rindex("»") + _AROUND
    return (("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")).replace("\n", "¶")
