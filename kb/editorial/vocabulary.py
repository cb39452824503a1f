"""The closed vocabulary of what codes order: the words of which the typed value of an answer is made.

A value says who is bound or entitled, what follows, at whose choice, from when and until when, and what amounts are
named, so that answers of several codes can be compared and counted without reading them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from extract.corpus.table import Id, Line, Many, Table, read_if_there, require_unique

FILE = "vocabulary.toml"
# Of each key of a value the kind of its terms.
_KIND = {"mode": "mode", "who": "who", "choice": "who", "since": "moment", "until": "moment"}
_KIND |= {"effect": "effect", "amount": "unit"}


class VocabularyTerm(Table):
    """A term and what it means."""

    term: Line
    note: Line


class Effect(VocabularyTerm):
    """A term for what follows; `concept` is the concept of the thesaurus by which the machine knows it."""

    concept: Id | None = None


class Moment(VocabularyTerm):
    """A term for a moment; `moment` is the name in library.toml by which the machine knows it."""

    moment: Line | None = None


class AnswerVocabulary(Table):
    """A vocabulary.toml: the terms of each kind."""

    mode: Many[VocabularyTerm] = ()
    who: Many[VocabularyTerm] = ()
    effect: Many[Effect] = ()
    moment: Many[Moment] = ()
    unit: Many[VocabularyTerm] = ()

    def faults(self, value: Value) -> Iterator[tuple[str, str]]:
        """The keys of a value that say what the vocabulary does not know, each with what they say."""
        for key, kind in _KIND.items():
            known = {term.term for term in getattr(self, kind)}
            yield from ((key, said) for said in _said(value, key) if not _plausible(key, said, known))


class Value(Table):
    """A typed value. An effect may begin with a number (`3 tricks-taken`); an amount does (`5 points`).

    `choice` is who chooses between the effects; without it they all follow. Of several moments the first counts.
    """

    mode: str | None = None
    who: Many[str] = ()
    effect: Many[str] = ()
    choice: Many[str] = ()
    since: Many[str] = ()
    until: Many[str] = ()
    amount: Many[str] = ()

    def said(self) -> dict[str, Any]:
        """What the value says, without what it leaves open."""
        return {key: value for key, value in self.model_dump(mode="json").items() if value}


def read_vocabulary(path: Path) -> AnswerVocabulary:
    """Read vocabulary.toml; without it no typed value is known.

    Raises:
        BookError: the file cannot be read or is not what it must be.
    """

    def require_terms_once(vocabulary: AnswerVocabulary) -> None:
        for kind in AnswerVocabulary.model_fields:
            require_unique(getattr(vocabulary, kind), lambda term: str(term.term), kind, key="term")

    return read_if_there(path, AnswerVocabulary, require_terms_once)


def _said(value: Value, key: str) -> tuple[str, ...]:
    said = getattr(value, key)
    return (said,) if isinstance(said, str) else said or ()


def _plausible(key: str, said: str, known: Collection[str]) -> bool:
    """Whether a key says a known term; an amount has a number before it, an effect may have one."""
    if key not in ("effect", "amount"):
        return said in known
    number, _, term = said.partition(" ")
    if not number.replace(".", "", 1).isdecimal():
        return key == "effect" and said in known
    return term in known or (key == "amount" and term.removesuffix("s") in known)
