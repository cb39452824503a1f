"""The typed value of an answer: the closed vocabulary of its terms, and the grammar that joins them.

A value states who must or may, what follows, at whose choice and on whom, from when and until when, how many, and on
what condition, so that the answers of several codes can be compared and counted without reading them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from pydantic import model_validator

from extract.corpus.table import Line, Many, Table, require_unique
from kb.analysis.words import number_of

FILE = "vocabulary.toml"
# The kind of the terms of each key of a value.
_KIND = {
    "mode": "mode", "who": "who", "choice": "who", "on": "who", "effect": "effect", "amount": "unit",
    "since": "moment", "until": "moment", "condition": "condition",
}  # fmt: skip
# Patterns in a summary, and the keys of which its value must have one if the pattern matches.
_PROMISES = (
    (re.compile(r"\b(?:until|till|before|by the end)\b", re.IGNORECASE), ("until", "condition"), "states a time limit"),
    (re.compile(r"\b(?:if|unless|only|except|provided)\b", re.IGNORECASE), ("condition", "since", "until"),
     "states a condition"),
)  # fmt: skip
_SAY_IT = "add it to the value, or omit the value"
_WORD = re.compile(r"[\w.]*\w")


class VocabularyTerm(Table):
    """A term and what it means."""

    term: Line
    note: Line


class Effect(VocabularyTerm):
    """A term for what follows; a `counted` one has a number before it (`3 tricks-taken`)."""

    counted: bool = False


class AnswerVocabulary(Table):
    """A vocabulary.toml: the terms of each kind."""

    mode: Many[VocabularyTerm] = ()
    who: Many[VocabularyTerm] = ()
    effect: Many[Effect] = ()
    moment: Many[VocabularyTerm] = ()
    condition: Many[VocabularyTerm] = ()
    unit: Many[VocabularyTerm] = ()

    @model_validator(mode="after")
    def _has_each_term_once(self) -> AnswerVocabulary:
        for kind, terms in self:
            require_unique(terms, lambda term: str(term.term), kind, key="term")
        return self

    def faults(self, value: Value, summary: str) -> Iterator[tuple[str, str]]:
        """Yield the faults of the value of an answer: unknown terms, and breaches of the grammar.

        Args:
            value: the value.
            summary: the answer in words; the value must not omit anything it says.
        Returns:
            The keys at fault, each with a sentence that says what to do.
        """
        for key, kind in _KIND.items():
            known = {term.term for term in getattr(self, kind)}
            for said in value.terms(key):
                if not _plausible(key, said, known):
                    yield key, f"{said!r} is not in {FILE}; use a term from that file, or add this one"
        if bool(value.mode) != bool(value.who):
            yield "mode", "`mode` and `who` belong together; write both or neither"
        for key in ("choice", "on"):
            if value.terms(key) and not value.effect:
                yield key, f"`{key}` needs an `effect`; add one, or delete `{key}`"
        counted = {term.term for term in self.effect if term.counted}
        for said in value.effect:
            if (said.partition(" ")[2] or said) in counted and " " not in said:
                yield "effect", f"{said!r} needs a number; write how many before it"
        for pattern, keys, promise in _PROMISES:
            if (found := pattern.search(summary)) and not any(value.terms(key) for key in keys):
                yield keys[0], f"the summary {promise} ({found[0]!r}), but the value does not; {_SAY_IT}"
        for said in self._numbers_left_out(value, summary):
            yield "amount", f"the summary says {said!r}, but the value does not; {_SAY_IT}"

    def _numbers_left_out(self, value: Value, summary: str) -> Iterator[str]:
        """Yield the numbers above one in a summary that are in no term of its value, nor in the note of one."""
        notes = {(kind, term.term): term.note for kind in set(_KIND.values()) for term in getattr(self, kind)}
        texts = [term for key in _KIND for term in value.terms(key)]
        texts += [notes.get((kind, term), "") for key, kind in _KIND.items() for term in value.terms(key)]
        stated = {number_of(word) for text in texts for word in _WORD.findall(text.replace("-", " "))}
        yield from (
            word for word in _WORD.findall(summary) if (number_of(word) or 0) > 1 and number_of(word) not in stated
        )


class Value(Table):
    """A typed value, the parts of a sentence; docs/editing.md has an example of each.

    Attributes:
        mode, who: who must, may, must not or need not do what the question asks.
        effect: what follows; a counted one begins with its number (`3 tricks-taken`).
        choice: who may claim or waive the effects, or pick one of several; without it all of them follow automatically.
        on: on whom the effects fall, if not on the offender.
        amount: how many (`5 points`).
        since, until: the events between which it holds; if there are several, the first counts.
        condition: on what condition; if there are several, all must hold.
    """

    mode: str | None = None
    who: Many[str] = ()
    effect: Many[str] = ()
    choice: Many[str] = ()
    on: Many[str] = ()
    amount: Many[str] = ()
    since: Many[str] = ()
    until: Many[str] = ()
    condition: Many[str] = ()

    def terms(self, key: str) -> tuple[str, ...]:
        """The terms of a key."""
        said = getattr(self, key)
        return (said,) if isinstance(said, str) else said or ()

    def said(self) -> dict[str, Any]:
        """The keys that the value states, without empty ones."""
        return {key: value for key, value in self.model_dump(mode="json").items() if value}


def _plausible(key: str, said: str, known: Collection[str]) -> bool:
    """Whether an entry is valid for a key: a known term, after a number for an amount; for an effect it is optional."""
    if key not in ("effect", "amount"):
        return said in known
    number, _, term = said.partition(" ")
    if not number.replace(".", "", 1).isdecimal():
        return key == "effect" and said in known
    return term in known or (key == "amount" and term.removesuffix("s") in known)
