"""Follow-up questions: facts that decide which of two questions is meant, asked if a description leaves them open."""

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
_MEANT = 0.2  # the least probability of a question that may be meant
_NEAREST = 2  # how many of the questions that the likeliest provision answers are considered


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """An answer to a follow-up question.

    Attributes:
        name: its name in URLs: the id of the question that it selects, with a number (`:2`) for the second answer that
            selects the same question.
        words: the answer.
        facet: the id of the question that it selects.
        result: the outcome with this answer, if several answers select one question.
    """

    name: str
    words: str
    facet: str
    result: str


@dataclass(frozen=True, slots=True)
class Distinction:
    """A fact that decides which of several questions is meant, or what the answer to one is.

    Attributes:
        fact: the fact, as a question.
        told_by: the words and phrases that state the fact, in the form of `_spaced`.
        answers: the answers.
        depending: the ids of the questions that depend on the fact: those of its topic that an answer selects, and the
            further ones that it names. Questions of other topics that an answer selects do not count: there the fact is
            seldom in doubt.
    """

    fact: str
    told_by: tuple[str, ...]
    answers: tuple[FactAnswer, ...]
    depending: frozenset[str]

    def is_told(self, telling: str) -> bool:
        """Whether a description has words that state the fact."""
        words = _spaced(telling)
        return any(phrase in words for phrase in self.told_by)


@cached_per_build
def distinctions(conn: sqlite3.Connection) -> tuple[Distinction, ...]:
    """All distinctions, in the order of their topics."""
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
    """Find the fact that a description leaves open and on which the question that is probably meant depends.

    Args:
        among: the distinctions to choose from.
        telling: what happened, in free text.
        found: what the codes say on it.
    Returns:
        The distinction; of several, the one for the likeliest question; None if there is none.
    """
    if found.unruled:
        return None
    answered = found.findings[0].facets[:_NEAREST] if found.findings else ()
    likely = (*answered[:1], *(facet for facet, share in found.facets if share >= _MEANT), *answered[1:])
    return next((d for facet in likely for d in among if facet in d.depending and not d.is_told(telling)), None)


def _spaced(text: str) -> str:
    """The words of a text, each with a space before and after it, so that phrases match at word boundaries."""
    return f" {' '.join(words_of(text))} "
