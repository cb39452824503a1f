"""Facts that part two questions with different answers: asked back where a telling leaves them open."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from extract.language.folding import words_of
from kb.dispute.adjudication import Adjudication
from kb.read.build_cache import cached_per_build
from kb.read.rows import fetch

ROWS = "select id, fact, told_by, words, facet_id, ifnull(result, '') from distinction order by rowid"
_MEANT = 0.2  # the share of the likelihood from which on a question may be the one that is meant
_NEAREST = 2  # questions that the likeliest provision answers


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """An answer to a fact that was asked back.

    Attributes:
        name: its name in addresses: the id of the question that is meant then, with a number (`:2`) for the second
            answer that means it.
        words: the answer.
        facet: the id of the question.
        result: what it comes to, where several answers mean one question.
    """

    name: str
    words: str
    facet: str
    result: str


@dataclass(frozen=True, slots=True)
class Distinction:
    """A fact that parts questions, or the answers to one.

    Attributes:
        fact: the fact, as a question.
        told_by: the words and phrases that tell the fact, as `_spaced`.
        answers: the answers.
        depending: the ids of the questions that depend on the fact: those of its topic, and the further ones that it
            names. What another topic answers is not asked back for: there it is seldom in doubt.
    """

    fact: str
    told_by: tuple[str, ...]
    answers: tuple[FactAnswer, ...]
    depending: frozenset[str]

    def is_told(self, telling: str) -> bool:
        """Whether a telling has the words that tell the fact."""
        said = _spaced(telling)
        return any(phrase in said for phrase in self.told_by)


@cached_per_build
def distinctions(conn: sqlite3.Connection) -> tuple[Distinction, ...]:
    """The facts that part questions, in the order of their topics."""
    found: dict[str, tuple[str, str, list[FactAnswer], set[str]]] = {}
    for number, fact, told_by, words, facet, result in fetch(conn, lambda *row: row, ROWS):
        _, _, answers, depending = found.setdefault(number, (fact, told_by, [], set()))
        if words is None or facet.startswith(f"{number.rpartition('/')[0]}/"):
            depending.add(facet)
        if words is not None:
            before = sum(answer.facet == facet for answer in answers)
            answers.append(FactAnswer(f"{facet}:{before + 1}" if before else facet, words, facet, result))
    return tuple(
        Distinction(fact, tuple(map(_spaced, json.loads(told_by))), tuple(answers), frozenset(depending))
        for fact, told_by, answers, depending in found.values()
    )


def left_open(among: Iterable[Distinction], telling: str, found: Adjudication) -> Distinction | None:
    """The fact that a telling leaves open and on which the question depends that it seems to ask.

    Args:
        among: the facts.
        telling: what happened, in anybody's words.
        found: what the codes say to it.
    Returns:
        Of several the one on which the likeliest question depends.
    """
    if found.unruled:
        return None
    answered = found.findings[0].facets[:_NEAREST] if found.findings else ()
    likely = (*answered[:1], *(facet for facet, share in found.facets if share >= _MEANT), *answered[1:])
    return next((d for facet in likely for d in among if facet in d.depending and not d.is_told(telling)), None)


def _spaced(text: str) -> str:
    """A text's words, each between blanks."""
    return f" {' '.join(words_of(text))} "
