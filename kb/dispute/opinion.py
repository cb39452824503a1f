"""What a provision holds on a dispute: the question it answers, its answer, where to cite it, the deciding words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from kb.comparison.answers import Answer, Question, questions_of
from kb.comparison.marking import TextPiece, openings, with_marks
from kb.read import queries
from kb.read.lookup import json_list
from kb.read.rows import UnitRow, fetch

GLOSSES = "select unit_id, words from gloss where unit_id in (select value from json_each(?))"
# Characters that an excerpt has before the deciding words, after them, and between two runs of them.
_BEFORE, _AFTER, _BETWEEN = 110, 110, 160
_SHORT = 330  # characters; a text of this length or less is quoted whole


@dataclass(frozen=True, slots=True)
class QuotedBlock:
    """A provision, or one of its paragraphs with its number, in pieces that set the deciding words apart."""

    number: str
    paragraphs: tuple[tuple[TextPiece, ...], ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """A provision as it decides a dispute.

    Attributes:
        unit: the provision; `pinpoint` is the one paragraph of it that decides, or the provision itself.
        question, answer: the question, and the provision's answer for its code; None if it answers no question.
        opening: the text before its first paragraph, if only one paragraph is shown.
        blocks: the text shown: the one paragraph that decides, or the whole provision if that is not certain.
        gloss: the provision in the editor's present-day English.
    """

    unit: UnitRow
    pinpoint: UnitRow
    question: Question | None
    answer: Answer | None
    opening: str
    blocks: tuple[QuotedBlock, ...]
    gloss: str | None

    @property
    def marked(self) -> bool:
        """Whether the deciding words are known."""
        return any(piece.deciding for piece in self._pieces())

    def excerpt(self) -> tuple[TextPiece, ...]:
        """The deciding words with some context; empty if they are not known."""
        return tuple(excerpt(list(self._pieces()))) if self.marked else ()

    def _pieces(self) -> Iterator[TextPiece]:
        for block in self.blocks:
            for paragraph in block.paragraphs:
                yield from paragraph
                yield TextPiece(" ")


def holdings(conn: sqlite3.Connection, found: Iterable[tuple[str, Sequence[str]]]) -> dict[str, Holding]:
    """Read what some provisions hold, by id.

    Args:
        found: ids of provisions, each with the questions that may be meant. The holding has the answer to the first;
            unless one paragraph answers all of them, it shows the whole provision.
    """
    facets_by_unit = dict(found)
    units = queries.units(conn, facets_by_unit)
    questions = questions_of(conn, {facet for facets in facets_by_unit.values() for facet in facets})
    glosses = dict(fetch(conn, lambda unit, words: (unit, words), GLOSSES, (json_list(facets_by_unit),)))
    cited = queries.units(conn, {i for q in questions.values() for a in q.answers.values() for i in a.cites})
    opening = openings(conn, [u for u in units.values() if any(c.parent_id == u.id for c in cited.values())])
    result = {}
    for unit_id, unit in units.items():
        candidates = [questions[facet] for facet in facets_by_unit[unit_id] if facet in questions]
        question = next(iter(candidates), None)
        answer = question.answers.get(unit.code_id or "") if question else None
        cited_parts = _cited_parts(answer, unit, cited)
        if answer is None or not cited_parts:
            result[unit_id] = Holding(
                unit, unit, None, None, "", (QuotedBlock("", with_marks(unit)),), glosses.get(unit_id)
            )
            continue
        every = {u.id for each in candidates for u in _cited_parts(each.answers.get(unit.code_id or ""), unit, cited)}
        shown = cited_parts[0] if len(every) == 1 else unit
        is_part = shown.id != unit_id
        block = QuotedBlock(
            (shown.number or "") if is_part else "", with_marks(shown, answer.deciding_in(*(u.id for u in cited_parts)))
        )
        result[unit_id] = Holding(
            unit, shown, question, answer, opening.get(unit_id, "") if is_part else "", (block,), glosses.get(unit_id)
        )
    return {unit_id: result[unit_id] for unit_id in facets_by_unit if unit_id in result}


def answering(conn: sqlite3.Connection, question: Question, code: str) -> tuple[Holding, ...]:
    """The texts, of whatever kind, on which the answer of a code to a question rests; none if it does not answer."""
    answer = question.answers.get(code)
    if answer is None:
        return ()
    units = queries.units(conn, answer.cites)
    return tuple(
        Holding(u, u, question, answer, "", (QuotedBlock("", with_marks(u, answer.deciding_in(u.id))),), None)
        for u in (units[i] for i in answer.cites if i in units)
    )


def excerpt(pieces: Sequence[TextPiece]) -> Iterator[TextPiece]:
    """Shorten a text, keeping its deciding words whole."""
    runs = [
        TextPiece("".join(p.text for p in group), deciding)
        for deciding, group in groupby(pieces, key=lambda piece: piece.deciding)
    ]
    if sum(len(run.text) for run in runs) <= _SHORT:
        yield from runs
        return
    for at, run in enumerate(runs):
        text = " ".join(run.text.split())
        lead, trail = " " * run.text[:1].isspace(), " " * run.text[-1:].isspace()
        if run.deciding:
            yield run
        elif at == 0:
            yield TextPiece(_end_of(text, _BEFORE) + trail)
        elif at == len(runs) - 1:
            yield TextPiece(lead + _start_of(text, _AFTER))
        elif len(text) <= _BETWEEN:
            yield TextPiece(lead + text + trail)
        else:
            yield TextPiece(
                f"{lead}{_start_of(text, _BETWEEN // 2)} {_end_of(text, _BETWEEN // 2).lstrip('… ')}{trail}"
            )


def _start_of(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return text[: max(text.rfind(" ", 0, most), 0)].rstrip(" ,;:.—-") + " …"


def _end_of(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    at = text.find(" ", len(text) - most)
    return "… " + text[at + 1 if at >= 0 else len(text) - most :]


def _cited_parts(answer: Answer | None, unit: UnitRow, cited: Mapping[str, UnitRow]) -> list[UnitRow]:
    """The provision, or its paragraphs, that an answer cites, in order."""
    rests = (cited[i] for i in (answer.cites if answer else ()) if i in cited and _within(cited[i], unit))
    return sorted(rests, key=lambda u: u.seq)


def _within(part: UnitRow, whole: UnitRow) -> bool:
    return part.id == whole.id or part.id.startswith(f"{whole.id}/")
