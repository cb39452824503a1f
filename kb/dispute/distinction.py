"""Follow-up questions: facts that decide which of two questions is meant, asked if a description leaves them open."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from extract.language.folding import words_of
from kb.comparison.answers import Question
from kb.dispute.adjudication import Adjudication
from kb.editorial.course_line import by_code, names_of
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import fetch

ROWS = "select id, fact, told_by, words, facet_id, asked, ifnull(result, '') from distinction order by rowid"
_MEANT = 0.05  # the least probability of a question that may be meant
_ITSELF = ":0"  # the end of the name of an answer that selects a question itself, not by a fact


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """An answer to a follow-up question.

    Attributes:
        name: its name in URLs: the id of the question that it selects, with a number (`:2`) if other answers to other
            facts select the same question before it, first those of the question's own topic. If not a fact, but the
            question itself is chosen from several that may be meant, the number is 0.
        fact: the follow-up question.
        words: the answer.
        facet: the id of the question that it selects.
        result: what follows from it, in a line; "" if the answers to the selected question say so.
        results: the same by the id of the code, "" for what follows in every code that answers the selected question.
    """

    name: str
    fact: str
    words: str
    facet: str
    result: str
    results: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Distinction:
    """A fact that decides which of several questions is meant, or what the answer to one is.

    Attributes:
        fact: the fact, as a question.
        told_by: the words and phrases that state the fact, in the form of `_spaced`.
        answers: the answers.
        depending: the ids of the questions for which it is asked: those of its topic that an answer selects, and
            further ones, unless the editor says otherwise. In those of other topics the fact is seldom in doubt.
    """

    fact: str
    told_by: tuple[str, ...]
    answers: tuple[FactAnswer, ...]
    depending: frozenset[str]

    def is_told(self, telling: str) -> bool:
        """Whether a description has words that state the fact."""
        words = _spaced(telling)
        return any(phrase in words for phrase in self.told_by)

    def answered(self, given: FactAnswer | None) -> FactAnswer | None:
        """The answer that says the same on the same fact as a given one; None if there is none."""
        same = (answer for answer in self.answers if given and (answer.fact, answer.words) == (given.fact, given.words))
        return next(same, None)


@cached_per_build
def distinctions(conn: sqlite3.Connection) -> tuple[Distinction, ...]:
    """All distinctions, in the order of their topics."""
    ids = {name: code for code, name in names_of(queries.codes(conn)).items()}
    found: dict[str, tuple[str, str, list[FactAnswer], set[str]]] = {}
    rows = fetch(conn, lambda *row: row, ROWS)
    selecting: defaultdict[str, dict[tuple[str, str], int]] = defaultdict(dict)
    for _, fact, _, words, facet, *_ in sorted(rows, key=lambda row: not _is_own(row[0], row[4])):
        if words is not None:
            selecting[facet].setdefault((fact, words), len(selecting[facet]) + 1)
    for number, fact, told_by, words, facet, asked, result in rows:
        _, _, answers, depending = found.setdefault(number, (fact, told_by, [], set()))
        if asked:
            depending.add(facet)
        if words is not None:
            nth = selecting[facet][fact, words]
            name = f"{facet}:{nth}" if nth > 1 else facet
            results = {ids.get(code, code): said for code, said in by_code(result, list(ids)).items()}
            answers.append(FactAnswer(name, fact, words, facet, result, results))
    return tuple(
        Distinction(fact, tuple(map(_spaced, json.loads(told_by))), tuple(answers), frozenset(depending))
        for fact, told_by, answers, depending in found.values()
    )


def _is_own(distinction: str, facet: str) -> bool:
    """Whether a question is of the topic of a distinction, both given by id."""
    return facet.startswith(f"{distinction.rpartition('/')[0]}/")


def facts_given(conn: sqlite3.Connection, names: Collection[str]) -> tuple[FactAnswer, ...]:
    """The answers with the given names, in the order of the names; one of several to the same fact.

    Distinctions with the same fact share its answers.
    """
    named = {answer.name: answer for each in distinctions(conn) for answer in each.answers}
    given: dict[str, FactAnswer] = {}
    for name in names:
        if name in named:
            given.setdefault(named[name].fact, named[name])
    return tuple(given.values())


def as_answer(question: Question, fact: str) -> FactAnswer:
    """A question that may be meant, as an answer to the follow-up question which of several is meant."""
    return FactAnswer(f"{question.id}{_ITSELF}", fact, question.label, question.id, "", {})


def question_chosen(names: Iterable[str], among: Container[str]) -> str:
    """The first of some names of answers that chooses a question itself, one of those in `among`; "" if none does."""
    return next((n for n in names if n.endswith(_ITSELF) and n.removesuffix(_ITSELF) in among), "")


def left_open(among: Iterable[Distinction], telling: str, found: Adjudication) -> Distinction | None:
    """Find the fact that a description leaves open and on which the question that is probably meant depends.

    Args:
        among: the distinctions to choose from.
        telling: what happened, in free text.
        found: what the codes say on it.
    Returns:
        The distinction; of several, the one for the likeliest question; None if there is none. If provisions decide,
        only their questions count: a fact on which another question depends would contradict them.
    """
    if found.unruled:
        return None
    likely = [facet for facet, share in found.facets if share >= _MEANT]
    if found.deciding:
        best = {finding.code: finding.facets for finding in reversed(found.findings)}
        shown = set(chain.from_iterable(best.values()))
        likely = [*found.findings[0].facets[:1], *(facet for facet in likely if facet in shown)]
    return next((d for facet in likely for d in among if facet in d.depending and not d.is_told(telling)), None)


def _spaced(text: str) -> str:
    """The words of a text, each with a space before and after it, so that phrases match at word boundaries."""
    return f" {' '.join(words_of(text))} "
