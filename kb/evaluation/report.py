"""All figures of one build, and how they are printed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from extract.errors import BookError
from extract.model import Edit
from extract.text.textlayer import TextLayer
from kb.evaluation.alignment import LinkScore, score_links
from kb.evaluation.answers import RowScore, score_answers
from kb.evaluation.letters import TextScore, score_letters
from kb.evaluation.segments import UnitScore, score_references, score_units
from kb.read import queries
from kb.read.rows import fetch

if TYPE_CHECKING:
    from kb.evaluation.retrieval import AskedScore, RankScore

PROVISIONS = "select id from unit where role = 'provision' and code_id is not null and continues is null"
EDITS = "select raw_start, raw_end, before, after, kind, source from edit where book_id = ? order by raw_start, raw_end"


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of one build; `pages` is (right, of), `references` has (precision, recall) by book."""

    text: Mapping[str, TextScore]
    units: Mapping[str, UnitScore]
    pages: tuple[int, int]
    references: Mapping[str, tuple[float, float]]
    links: LinkScore
    answers: Mapping[str, RowScore]
    asked: Mapping[str, AskedScore]
    searched: Mapping[str, RankScore]

    def lines(self) -> Iterator[str]:
        """Yield the figures in words, one per line."""
        for book, score in self.text.items():
            yield f"{book}: " + ", ".join(f"{k} {v}" for k, v in score.figures.items())
        for name, units in self.units.items():
            missed = f"; missed {', '.join(units.missed[:5])}" if units.missed else ""
            yield f"{name}: {units.found} of {units.gold}{missed}"
        yield f"printed page right: {_of(self.pages)}"
        for book, (precision, recall) in self.references.items():
            yield f"{book} references: precision {precision:.3f}, recall {recall:.3f}"
        yield f"pairs of provisions linked: {_of(self.links.found)}; to the paragraph: {_of(self.links.exact)}"
        yield f"links among these provisions that are right: {_of(self.links.right)}"
        yield f"relation agrees: {_of(self.links.agreed)}"
        yield f"links into a code without a counterpart: {_of(self.links.unwanted)}"
        for topic, row in self.answers.items():
            yield (
                f"answers on {topic}: rows found {_of(row.found)}; of these, answers that cite a right provision "
                f"{_of(row.cited)}, rightly silent {_of(row.silent)}"
            )
        for source, asked in self.asked.items():
            yield (
                f"asked, {source}: {_ranks(asked)}; silence told {_of(asked.silent)}, wrongly {_of(asked.wrongly)}; "
                f"{asked.told} refused"
            )
        for source, found in self.searched.items():
            yield f"searched, {source}: {_ranks(found)}"


def _ranks(score: RankScore) -> str:
    return f"law first {score.first}, among three {score.among_three}, MRR {score.mrr} ({score.lists} lists)"


def _of(pair: tuple[int, int]) -> str:
    return f"{pair[0]} of {pair[1]}"


def evaluate(conn: sqlite3.Connection, gold: Path) -> Report:
    """Measure a knowledge base.

    Args:
        conn: the knowledge base.
        gold: the folder of gold files (`ocr.BOOK.jsonl`, `units.BOOK.jsonl`, `citations.BOOK.jsonl`, ...).
    Raises:
        BookError: the folder has no gold files, or one of them is not JSON.
    """
    # These import spaCy, which few commands need.
    from kb.evaluation.retrieval import questions, score_asked, score_searched

    if not any(gold.glob("*.jsonl")):
        raise BookError(f"{gold} has no gold files (*.jsonl); name their folder with --gold DIR.")
    layers = {b.id: _layer(conn, b.id) for b in queries.books(conn)}
    units, pages = score_units(conn, layers, gold)
    asked = list(questions(gold, fetch(conn, str, PROVISIONS)))
    return Report(
        score_letters(layers, gold),
        units,
        pages,
        score_references(conn, layers, gold),
        score_links(conn, gold),
        score_answers(conn, gold),
        score_asked(conn, asked),
        score_searched(conn, asked),
    )


def _layer(conn: sqlite3.Connection, book_id: str) -> TextLayer:
    facts = queries.scan_facts(conn, book_id)
    scan = queries.scan(conn, book_id, 0, facts[1] if facts else 0)
    return TextLayer(scan, tuple(fetch(conn, Edit, EDITS, (book_id,))))
