"""What a reader asks: a text is split into parts, and each part leads to the questions of the library that it means.

The fitted matcher knows the paraphrases of most questions. A question that it was not fitted to, and a text that it
hardly knows, are matched by their words, with the words of the question, its answers and their laws.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal

import numpy as np

from extract.language.folding import words_of
from kb.analysis.index import MOST, Scores, TermIndex, of_texts
from kb.analysis.words import content_words, terms
from kb.questions.matcher import Fitted, load_fitted
from kb.questions.parts import Part, parts
from kb.questions.questions import Question, questions
from kb.questions.spelling import corrected
from kb.read.build_cache import cached_per_build
from kb.read.rows import Statement, as_tuple

_FITTED = Statement(bytes, "select fitted from matcher")
_TEXTS = Statement(as_tuple, "select id, text from unit where id in (select distinct unit_id from deciding)")
_GLOSSES = Statement(as_tuple, "select unit_id, words from gloss")
CANDIDATES = 5
"""The most questions that one part of a text leads to."""
# The weight of a part's own words against all that is said up to it, if it has so many words: "until when can we claim
# it?" stands by itself, "who decides?" does not.
_ALONE, _SELF_CONTAINED = 0.4, 5
_FEW = 2  # a text with fewer content words may be a mere term of the game
# From these margins on (`kb.questions.matcher.Reading`) a text counts as about another subject, or as a question that
# no provision decides. Of texts that the matcher was not fitted to, 85 % of those on other subjects reach the first,
# and 1 in 700 of those on the game; at 0.1 it was 93 %, and 1 in 130. To refuse a player is worse.
_OFF_TOPIC, _UNRULED = 0.4, 0.5
_FAINT = 0.3  # the matcher hardly knows a text whose best score is lower
_LEAST = 0.12  # a question with a lower score is not meant

Told = Literal["", "off-topic", "unruled", "nothing"]


@dataclass(frozen=True, slots=True)
class Match:
    """A question that a part of a text may mean; `score` is about 1 for a clear match, `part` counts from 0."""

    question: Question
    score: float
    part: int = 0


@dataclass(frozen=True)
class Matcher:
    """Finds the questions that a text means; made once per build, then only read.

    Attributes:
        questions: the questions, in the order of their rows.
        fitted: the fitted classifier.
        words: the words of each question, its answers and their laws.
        unknown: 1 for each question that the classifier was not fitted to, else 0.
    """

    questions: tuple[Question, ...]
    fitted: Fitted
    words: TermIndex
    unknown: Scores

    def match(self, text: str) -> tuple[Match, ...]:
        """Return the questions that each part of a text may mean, at most five a part, the likeliest first."""
        return tuple(match for number, part in enumerate(parts(text)) for match in self._of_part(part, number))

    def told(self, text: str) -> Told:
        """Return whether a text is about another subject, or asks what no provision decides; "" if neither."""
        reading = self.fitted.read(text)
        if not terms(text):
            return "nothing"
        by_words = self._by_words(text).max(initial=0.0) if len(content_words(text)) < _FEW else 0.0
        if reading.off_topic >= _OFF_TOPIC and by_words < _LEAST:
            return "off-topic"
        return "unruled" if reading.unruled >= _UNRULED else ""

    def _of_part(self, part: Part, number: int) -> Iterable[Match]:
        scores = self._scores(part.whole)
        if part.before and len(words_of(part.asked)) >= _SELF_CONTAINED:
            scores = (1 - _ALONE) * scores + _ALONE * self._scores(part.asked)
        for row in np.argsort(-scores, kind="stable")[:CANDIDATES].tolist():
            if scores[row] >= _LEAST:
                yield Match(self.questions[row], round(float(scores[row]), 4), number)

    def _scores(self, text: str) -> Scores:
        learnt = self.fitted.read(text).questions
        faint = learnt.max(initial=0.0) < _FAINT
        return learnt + self._by_words(text) * (1.0 if faint else self.unknown)

    def _by_words(self, text: str) -> Scores:
        """The share of the words of a text, weighted by rarity, that each question has."""
        wanted = dict.fromkeys(terms(text), 1.0)
        highest = sum(self.words.rarity(term) or 5.0 for term in wanted) * MOST or 1.0
        return self.words.products(wanted) / highest


@cached_per_build
def matcher_of(conn: sqlite3.Connection) -> Matcher:
    """Return the matcher of a knowledge base, read once per build; safe to call from any thread."""
    known = questions(conn)
    texts, glosses = dict(_TEXTS(conn)), dict(_GLOSSES(conn))
    fitted = load_fitted(_FITTED.first(conn) or b"", {i: row for row, i in enumerate(known)})
    return Matcher(
        tuple(known.values()),
        fitted,
        of_texts(_words(question, texts, glosses) for question in known.values()),
        np.isneginf(fitted.bias[: len(known)]).astype(float),
    )


def _words(question: Question, texts: Mapping[str, str], glosses: Mapping[str, str]) -> str:
    answers = question.answers.values()
    laws = dict.fromkeys(cited.id for answer in answers for cited in answer.cited)
    return " ".join((
        *[question.label] * 3, question.topic_label, question.verdict, *(answer.summary for answer in answers),
        *(texts.get(law, "") for law in laws), *(glosses.get(law, "") for law in laws),
    ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What a text asks.

    Attributes:
        text: the text as matched, with misspelt words corrected.
        corrections: the corrections, by the word as typed.
        parts: for each part of the text the questions that it may mean, the likeliest first.
        told: why there are none: the text is about another subject, asks what no provision decides, or has no words.
    """

    text: str
    corrections: Mapping[str, str]
    parts: tuple[tuple[Match, ...], ...]
    told: Told

    @property
    def matches(self) -> tuple[Match, ...]:
        """All matches, part by part."""
        return tuple(match for part in self.parts for match in part)

    @property
    def provisions(self) -> dict[str, float]:
        """The provisions on which the answers to the questions rest, in order, each with its question's score."""
        found: dict[str, float] = {}
        for match in self.matches:
            for answer in match.question.answers.values():
                for cited in answer.cited:
                    found.setdefault(cited.id, match.score)
        return found

    def within(self, codes: Collection[str]) -> Asked:
        """Leave out the answers of all codes but some, given by id; without any, all answers stay."""
        parts = (tuple(replace(match, question=match.question.within(codes)) for match in part) for part in self.parts)
        return replace(self, parts=tuple(parts)) if codes else self


def ask(conn: sqlite3.Connection, text: str) -> Asked:
    """Find the questions of the library that a text asks.

    Args:
        conn: the knowledge base.
        text: what happened and what is asked, in free text.
    """
    matcher = matcher_of(conn)
    spelt, corrections = corrected(conn, text)
    told = matcher.told(spelt)
    matches = () if told else matcher.match(spelt)
    parts = tuple(tuple(part) for _, part in groupby(matches, key=lambda match: match.part))
    return Asked(spelt, corrections, parts, told or ("" if parts else "nothing"))


def as_data(asked: Asked) -> list[dict[str, Any]]:
    """Return the questions of a text as JSON: with their scores, parts and answers."""
    return [
        {
            "id": match.question.id,
            "label": match.question.label,
            "score": match.score,
            "part": match.part,
            "answers": {
                code: {"state": answer.state, "summary": answer.summary, "cites": [cited.id for cited in answer.cited]}
                for code, answer in match.question.answers.items()
            },
        }
        for match in asked.matches
    ]
