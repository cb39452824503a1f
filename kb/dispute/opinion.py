"""What a provision holds on a dispute: the question it answers, its answer, where to cite it, the deciding words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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


@dataclass(frozen=True)
class Holding:
    """A provision as it decides a dispute.

    Attributes:
        unit: the provision; `pinpoint` is the one paragraph of it that decides, or the provision itself, and this is
            shown.
        question, answer: the question, and the provision's answer for its code; None if it answers no question.
        deciding: the words of the text shown that decide.
        opening: the text before its first paragraph, if only one paragraph is shown.
        gloss: the provision in the editor's present-day English.
    """

    unit: UnitRow
    pinpoint: UnitRow
    question: Question | None
    answer: Answer | None
    deciding: tuple[str, ...] = ()
    opening: str = ""
    gloss: str | None = None

    @cached_property
    def blocks(self) -> tuple[QuotedBlock, ...]:
        """The text shown, with the deciding words set apart."""
        number = (self.pinpoint.number or "") if self.pinpoint.id != self.unit.id else ""
        return (QuotedBlock(number, with_marks(self.pinpoint, self.deciding)),)

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
    # The questions that each provision may answer, with the answers of its code.
    asked = {
        unit: [(q, q.answers.get(units[unit].code_id or "")) for facet in facets if (q := questions.get(facet))]
        for unit, facets in facets_by_unit.items()
        if unit in units
    }
    cited = queries.units(conn, {i for its in asked.values() for _, answer in its if answer for i in answer.cites})
    opening = openings(conn, [u for u in units.values() if any(c.parent_id == u.id for c in cited.values())])
    held = {}
    for unit_id, candidates in asked.items():
        unit, gloss = units[unit_id], glosses.get(unit_id)
        question, answer = next(iter(candidates), (None, None))
        cited_parts = _cited_parts(answer, unit, cited)
        if answer is None or not cited_parts:
            held[unit_id] = Holding(unit, unit, None, None, gloss=gloss)
            continue
        every = {u.id for _, each in candidates for u in _cited_parts(each, unit, cited)}
        shown = cited_parts[0] if len(every) == 1 else unit
        deciding = answer.deciding_in(*(u.id for u in cited_parts))
        before = opening.get(unit_id, "") if shown.id != unit_id else ""
        held[unit_id] = Holding(unit, shown, question, answer, deciding, before, gloss)
    return held


def answering(conn: sqlite3.Connection, question: Question, code: str) -> tuple[Holding, ...]:
    """The texts, of whatever kind, on which the answer of a code to a question rests; none if it does not answer."""
    answer = question.answers.get(code)
    if answer is None:
        return ()
    units = queries.units(conn, answer.cites)
    return tuple(
        Holding(u, u, question, answer, answer.deciding_in(u.id))
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
