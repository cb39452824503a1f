"""What a provision holds on a dispute: the question it answers, the answer, where to cite it, the words that decide."""

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
# Letters of a quotation: before the deciding words, after them, and between two stretches of them.
_BEFORE, _AFTER, _BETWEEN = 110, 110, 160
_SHORT = 330  # a text that is no longer is quoted whole


@dataclass(frozen=True, slots=True)
class QuotedBlock:
    """A provision, or a paragraph of it with its number; the words on which an answer rests are set apart."""

    number: str
    paragraphs: tuple[tuple[TextPiece, ...], ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """A provision as it decides a dispute.

    Attributes:
        unit: the provision, and `pinpoint` the one paragraph of it that decides, or itself.
        question, answer: the question, and what the provision answers for its code; none if it answers none.
        opening: what it says before its first paragraph, where one paragraph alone is shown.
        blocks: its text; the one paragraph that decides, or all of it if that is not certain.
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
        """The deciding words with a little of what stands around them; nothing if they are not known."""
        return tuple(excerpt(list(self._pieces()))) if self.marked else ()

    def _pieces(self) -> Iterator[TextPiece]:
        for block in self.blocks:
            for paragraph in block.paragraphs:
                yield from paragraph
                yield TextPiece(" ")


def holdings(conn: sqlite3.Connection, found: Iterable[tuple[str, Sequence[str]]]) -> dict[str, Holding]:
    """Read what some provisions hold, by id.

    Args:
        found: ids of provisions, each with the questions that may be meant: its answer to the first is wanted. If not
            all of them are answered by one paragraph, the whole provision is shown.
    """
    asked = dict(found)
    units = queries.units(conn, asked)
    questions = questions_of(conn, {facet for facets in asked.values() for facet in facets})
    glosses = dict(fetch(conn, lambda unit, words: (unit, words), GLOSSES, (json_list(asked),)))
    cited = queries.units(conn, {i for q in questions.values() for a in q.answers.values() for i in a.cites})
    opening = openings(conn, [u for u in units.values() if any(c.parent_id == u.id for c in cited.values())])
    made = {}
    for unit_id, unit in units.items():
        may = [questions[facet] for facet in asked[unit_id] if facet in questions]
        question = next(iter(may), None)
        answer = question.answers.get(unit.code_id or "") if question else None
        rests = _rests(answer, unit, cited)
        if answer is None or not rests:
            made[unit_id] = Holding(
                unit, unit, None, None, "", (QuotedBlock("", with_marks(unit)),), glosses.get(unit_id)
            )
            continue
        every = {u.id for each in may for u in _rests(each.answers.get(unit.code_id or ""), unit, cited)}
        shown = rests[0] if len(every) == 1 else unit
        part = shown.id != unit_id
        block = QuotedBlock(
            (shown.number or "") if part else "", with_marks(shown, answer.deciding_in(*(u.id for u in rests)))
        )
        made[unit_id] = Holding(
            unit, shown, question, answer, opening.get(unit_id, "") if part else "", (block,), glosses.get(unit_id)
        )
    return {unit_id: made[unit_id] for unit_id in asked if unit_id in made}


def excerpt(pieces: Sequence[TextPiece]) -> Iterator[TextPiece]:
    """A text with deciding words, shortened where nothing decides."""
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


def _rests(answer: Answer | None, unit: UnitRow, cited: Mapping[str, UnitRow]) -> list[UnitRow]:
    """The provision, or the paragraphs of it, on which an answer rests, in their order."""
    rests = (cited[i] for i in (answer.cites if answer else ()) if i in cited and _within(cited[i], unit))
    return sorted(rests, key=lambda u: u.seq)


def _within(part: UnitRow, whole: UnitRow) -> bool:
    return part.id == whole.id or part.id.startswith(f"{whole.id}/")
