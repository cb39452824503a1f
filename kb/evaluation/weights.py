"""The rules of correction as a list, and their weights as a table in Markdown."""

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
    """Weigh all rules in all books of a corpus, on all processors.

    Args:
        corpus: the folder of book folders.
        progress: told, in words, how far it is.
    Raises:
        WhistError: a book is not what it must be.
    """
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        return ablate(load_books(corpus), executor=pool, progress=progress)


def table(found: Ablation) -> Iterator[str]:
    """The lines of a table: rules down, books across, each with edits, fixed, harmed, and words lost without it."""
    books = list(found.wrong)
    cells = {(w.rule, w.book_id): f"{w.fires} / {w.fixed} / {w.harmed} / {w.net:+}" for w in found.weights}
    total = {rule: sum(w.net for w in found.weights if w.rule == rule) for rule in dict.fromkeys(r.name for r in RULES)}
    yield f"| {found.rules} rules: edits / fixed / harmed / net words | {' | '.join(books)} | net |"
    yield "|---" * (len(books) + 2) + "|"
    for rule, net in total.items():
        yield f"| `{rule}` | {' | '.join(cells.get((rule, b), '') for b in books)} | {net:+} |"
    yield f"| words wrong with all | {' | '.join(str(n) for n in found.wrong.values())} | {sum(found.wrong.values())} |"


def listing() -> Iterator[str]:
    """The rules in their order, each with what it is for and its example: «what is read|what is printed»."""
    for rule in RULES:
        yield f"{rule.name}: {rule.about}\n    {example(rule)}"


def example(rule: Rule[Any]) -> str:
    """A rule's example with some letters around what changes (`w«li|h»ich`); line ends are shown as ¶."""
    text = rule.example
    start, end = max(0, text.index("«") - _AROUND), text.rindex("»") + _AROUND
    return (("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")).replace("\n", "¶")
