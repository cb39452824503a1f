"""The correction rules as a list, and their weights as a Markdown table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from extract.corpus.book import load_books
from extract.correction.registry import RULES
from extract.correction.rules import Rule
from kb.evaluation.ablation import Ablation, ablate

_AROUND = 18


def weigh(corpus: Path, progress: Callable[[str], None]) -> Ablation:
    """Measure all rules in all books of a corpus, on all processors.

    Args:
        corpus: the folder of book folders.
        progress: called with a sentence at each step.
    Raises:
        WhistError: a book is invalid.
    """
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        return ablate(load_books(corpus), executor=pool, progress=progress)


def table(found: Ablation) -> Iterator[str]:
    """Yield the lines of a table of rules by books: edits, fixed, harmed, and words lost without the rule."""
    books = list(found.wrong)
    cells = {(w.rule, w.book_id): f"{w.fires} / {w.fixed} / {w.harmed} / {w.net:+}" for w in found.weights}
    total = {rule: sum(w.net for w in found.weights if w.rule == rule) for rule in dict.fromkeys(r.name for r in RULES)}
    yield f"| {found.rules} rules: edits / fixed / harmed / net words | {' | '.join(books)} | net |"
    yield "|---" * (len(books) + 2) + "|"
    for rule, net in total.items():
        yield f"| `{rule}` | {' | '.join(cells.get((rule, b), '') for b in books)} | {net:+} |"
    yield f"| words wrong with all | {' | '.join(str(n) for n in found.wrong.values())} | {sum(found.wrong.values())} |"


def listing() -> Iterator[str]:
    """Yield the rules in their order, each with its purpose and its example: «text as read|text as printed»."""
    for rule in RULES:
        yield f"{rule.name}: {rule.about}\n    {example(rule)}"


def example(rule: Rule[Any]) -> str:
    """Return a rule's example with some context of the change (`w«li|h»ich`); line ends are shown as ¶."""
    text = rule.example
    start, end = max(0, text.index("«") - _AROUND), text.rindex("»") + _AROUND
    return (("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")).replace("\n", "¶")
