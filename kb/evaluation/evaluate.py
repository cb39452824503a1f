"""All figures of one build, by name."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from extract.errors import BookError
from extract.model import Edit
from extract.text.textlayer import TextLayer
from kb.evaluation.answers import answers
from kb.evaluation.figure import Figure
from kb.evaluation.finding import asked, gold_questions, searched
from kb.evaluation.letters import letters
from kb.evaluation.links import links
from kb.evaluation.units import references, units
from kb.read import queries
from kb.read.rows import Statement

_EDITS = Statement(Edit, """
select raw_start, raw_end, before, after, kind, source from edit where book_id = ?1 order by raw_start, raw_end
""")  # fmt: skip


def evaluate(conn: sqlite3.Connection, gold: Path) -> Mapping[str, Figure]:
    """Measure a knowledge base.

    Args:
        conn: the knowledge base; of one without questions, none is asked.
        gold: the folder of gold files (`tests/gold/README.md`).
    Returns:
        The figures by name, in the order in which they are printed.
    Raises:
        BookError: the folder has no gold files, or one is invalid.
    """
    if not any(gold.glob("*.jsonl")):
        raise BookError(f"{gold} has no gold files (*.jsonl); name their folder with --gold DIR.")
    layers = {book.id: _layer(conn, book.id) for book in queries.books(conn)}
    questions = gold_questions(conn, gold)
    return dict(chain(
        letters(layers, gold), units(conn, layers, gold), references(conn, gold), links(conn, gold),
        answers(conn, gold), asked(conn, questions), searched(conn, questions),
    ))  # fmt: skip


def _layer(conn: sqlite3.Connection, book_id: str) -> TextLayer:
    return TextLayer(queries.whole_scan(conn, book_id), tuple(_EDITS(conn, book_id)))
