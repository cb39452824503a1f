"""The ruling on a dispute by one provision: the facts, the law, what it orders, earlier decisions, the other codes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from kb.comparison import value
from kb.comparison.answers import State
from kb.comparison.ruling import AnswerRow, PrecedentRow
from kb.comparison.ruling import ruling as said_of
from kb.dispute.adjudication import WEIGHTS, nearest_facet
from kb.dispute.evidence import gather
from kb.dispute.field import terms
from kb.dispute.index import Index
from kb.dispute.opinion import Holding, holdings
from kb.read import cite, queries
from kb.read.rows import CodeRow, UnitRow, fetch

ANSWERED = "select c.facet_id from cell c join json_each(c.cites) j where c.code_id = ? and j.value = ?"


@dataclass(frozen=True, slots=True)
class Other:
    """What another code answers to the same question, with the provisions and how they are cited."""

    code: CodeRow
    state: State
    summary: str
    cites: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling that can be read out.

    Attributes:
        facts: what happened, as it was told; empty if nothing was.
        holding: the provision, and what it decides on such facts.
        orders: the typed value of the answer in words, head by head.
        answers: where no facts were told, all that the provision answers for its code.
        precedents: the cases that turned on the provision, those likest to the facts first.
        others: what the other codes answer, oldest first.
        verdict: in a line what changed between the codes.
    """

    facts: str
    holding: Holding
    orders: tuple[tuple[str, str], ...]
    answers: tuple[AnswerRow, ...]
    precedents: tuple[PrecedentRow, ...]
    others: tuple[Other, ...]

    @property
    def verdict(self) -> str:
        """In a line what changed between the codes; empty if nobody has said."""
        return self.holding.question.verdict if self.holding.question else ""


def rule(conn: sqlite3.Connection, index: Index, facts: str, unit: UnitRow) -> Ruling | None:
    """Rule on a dispute by a provision.

    Args:
        index: the index of the same knowledge base.
        facts: what happened; may be empty.
        unit: the provision, or a paragraph of it.
    Returns:
        The ruling; None if the unit is no provision of a code.
    """
    whole = next((u for u in _upward(conn, unit) if u.id in index.provisions), None)
    if whole is None:
        return None
    facet = None
    if facts:
        # Of a paragraph the questions that it answers itself come first.
        own = fetch(conn, str, ANSWERED, (whole.code_id, unit.id)) if unit.id != whole.id else ()
        facet = nearest_facet(gather(index, facts, WEIGHTS), own or index.answered.get(whole.id, ()))
    holding = holdings(conn, [(whole.id, facet)])[whole.id]
    said = said_of(conn, whole)
    near = index.cases.scores(terms(facts))
    return Ruling(
        facts,
        holding,
        value.in_words(holding.answer.value if holding.answer else None, value.notes(conn)),
        () if holding.answer else said.answers,
        tuple(sorted(said.precedents, key=lambda row: -near.get(row.case, 0.0))),
        tuple(_others(conn, holding)),
    )


def _upward(conn: sqlite3.Connection, unit: UnitRow) -> Iterator[UnitRow]:
    """A unit and what it stands in."""
    above: UnitRow | None = unit
    while above:
        yield above
        above = queries.find_unit(conn, above.parent_id) if above.parent_id else None


def _others(conn: sqlite3.Connection, holding: Holding) -> Iterator[Other]:
    question = holding.question
    if question is None:
        return
    cited = queries.units(conn, {i for answer in question.answers.values() for i in answer.cites})
    pinpoints = cite.pinpoints(conn, cited.values())
    for code in queries.codes(conn):
        if code.id != holding.unit.code_id:
            answer = question.answers.get(code.id)
            cites = tuple((i, pinpoints[i]) for i in (answer.cites if answer else ()) if i in pinpoints)
            yield Other(code, question.state(code.id), answer.summary if answer else "", cites)
