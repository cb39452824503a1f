"""The rules of correction as a list, and their weights as a table in Markdown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Postfix, Prefix

from extract.ablation import Ablation, ablate
from extract.book import load_books
from extract.mend.registry import RULES
from extract.mend.rules import Rule

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
    """The rules in their order, each with what it is for and its example."""
    for rule in RULES:
        before, after = example(rule)
        yield f"{rule.name}: {rule.about}\n    {before} -> {after}"


def example(rule: Rule[Any]) -> tuple[str, str]:
    """What changes in a rule's example, before and after, with some letters around; line ends shown as a bar."""
    before, after = rule.before, rule.after
    same = Prefix.similarity(before, after)
    tail = Postfix.similarity(before[same:], after[same:])
    start = max(0, same - _AROUND)
    shown = []
    for text in (before, after):
        end = min(len(text), len(text) - tail + _AROUND)
        whole = ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")
        shown.append(whole.replace("\n", "|"))
    return shown[0], shown[1]
