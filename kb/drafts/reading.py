"""What a sentence of a law orders, read by its grammar into the terms of the vocabulary.

A conditional sentence orders in its main clause: `if he revoke, the adversaries may take three tricks` lets them, and
supposes the revoke. So what stands in a clause of condition is left out. The modal verbs are those of English law
(Palmer, Mood and Modality, 2001, ch. 4). What the vocabulary has no term for is not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from extract.errors import BookError
from extract.model import Span
from kb.concepts.outcomes import Outcomes
from kb.editorial.vocabulary import FILE, AnswerVocabulary, Value

Spoken = Sequence[tuple[str, Span]]
"""Concepts with the places of a text that speak of them."""

_CLAUSE = re.compile(r"[^,;:()—]+")
_SUPPOSES = re.compile(
    r"\s*(?:and |or |but |that |except |even )*(?:if|when|whenever|should|unless|where|wherever|in case|in the event|"
    r"provided|though|although|as soon as|so long as|until|till|before|after|having|who|whose|which|i\.e|e\.g)\b",
    re.IGNORECASE,
)
_MODES = (
    ("must-not", r"\b(?:must|may|shall|should|can|ought) ?(?:not|neither|never)\b|"
                 r"\bno (?:\w+ )?(?:must|may|shall|should|can|ought)\b|"
                 r"\b(?:is|are|be) (?:prohibited|forbidden|not (?:at liberty|allowed|permitted|entitled))\b"),
    ("may", r"\b(?:may|can|(?:is|are|be) (?:at liberty|allowed|permitted|entitled)|"
            r"ha(?:s|ve) (?:a|the) (?:right|option|privilege))\b"),
    ("must", r"\b(?:must|shall|(?:is|are|be) (?:bound|obliged|compelled)|ought to|ha(?:s|ve) to)\b"),
)  # fmt: skip
_MODAL = tuple((mode, re.compile(pattern, re.IGNORECASE)) for mode, pattern in _MODES)
_DENIES = re.compile(r"\b(?:no|not|nor|neither|without|never|instead of)(?: \w+){0,3} ?$", re.IGNORECASE)
# A number that only bounds a fault: `more than one card`.
_BOUNDS = re.compile(r"\b(?:more|less|fewer|other|within|above)(?: than)? [\w-]+(?: or \w+)?", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*(?:and|or|nor)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:before|until|till|prior to|previous to|up to|not later than)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads sentences into values of the vocabulary, by the concepts and moments that its terms name."""

    vocabulary: AnswerVocabulary
    outcomes: Outcomes

    def read(self, text: str, spoken: Spoken) -> Value | None:
        """What a sentence orders.

        Args:
            text: the sentence.
            spoken: the concepts of its words, with their places in it.
        Returns:
            Its mode, effects, amounts and the moment until which it holds; None if it says nothing of these.
        """
        main = list(_main(text))
        ordered = " , ".join(text[clause.start : clause.end] for clause in main)
        value = Value(
            mode=self._mode(ordered),
            effect=tuple(dict.fromkeys(self._effects(text, main, spoken))),
            amount=tuple(sorted(self.outcomes.amounts(_BOUNDS.sub(" ", ordered)))),
            until=tuple(dict.fromkeys(self._until(text))),
        )
        wrong = set(self.vocabulary.unknown(value))

        def known(key: str, said: Iterable[str]) -> tuple[str, ...]:
            return tuple(x for x in said if (key, x) not in wrong)

        mode = None if ("mode", value.mode) in wrong else value.mode
        told = Value(
            mode=mode,
            effect=known("effect", value.effect),
            amount=known("amount", value.amount),
            until=known("until", value.until),
        )
        return told if told.said() else None

    def _mode(self, ordered: str) -> str | None:
        """The mode of the first modal verb; of two that begin at one place, the one that forbids."""
        found = [(match.start(), i, mode) for i, (mode, p) in enumerate(_MODAL) if (match := p.search(ordered))]
        return min(found)[2] if found else None

    def _effects(self, text: str, main: Iterable[Span], spoken: Spoken) -> Iterator[str]:
        terms = {term.concept: term.term for term in self.vocabulary.effect if term.concept}
        for clause in main:
            for concept, span in spoken:
                if concept in terms and clause.covers(span) and not _DENIES.search(text[clause.start : span.start]):
                    yield terms[concept]

    def _until(self, text: str) -> Iterator[str]:
        """The moments that follow a word like `until` in its clause; what a condition counts from is no limit."""
        terms = {term.moment: term.term for term in self.vocabulary.moment if term.moment}
        for clause in _clauses(text):
            words = text[clause.start : clause.end]
            limit = _UNTIL.search(words)
            if limit and not _SUPPOSES.match(words[: limit.start()]):
                yield from (
                    terms[name] for name in sorted(self.outcomes.moments(words[limit.start() :])) if name in terms
                )


def require_terms_known(vocabulary: AnswerVocabulary, concepts: Iterable[str], outcomes: Outcomes) -> None:
    """Raise a BookError where a term is known by a concept or a moment that is nowhere else."""
    known = set(concepts)
    for effect in vocabulary.effect:
        if effect.concept and effect.concept not in known:
            raise BookError(f"{FILE}: effect {effect.term!r}: there is no concept {effect.concept!r}; correct the id.")
    for moment in vocabulary.moment:
        if moment.moment and moment.moment not in outcomes.patterns:
            raise BookError(
                f"{FILE}: moment {moment.term!r}: library.toml has no moment {moment.moment!r}; correct the name."
            )


def _main(text: str) -> Iterator[Span]:
    """The clauses that suppose nothing; one that goes on with `and` or `or`, without a modal verb, is of its like."""
    supposed = False
    for clause in _clauses(text):
        words = text[clause.start : clause.end]
        goes_on = _GOES_ON.match(words) and not any(pattern.search(words) for _, pattern in _MODAL)
        supposed = bool(_SUPPOSES.match(words)) or (supposed and bool(goes_on))
        if not supposed:
            yield clause


def _clauses(text: str) -> Iterator[Span]:
    return (Span(*match.span()) for match in _CLAUSE.finditer(text))
