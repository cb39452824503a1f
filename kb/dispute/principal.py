"""Recognise a question in general words ("What is the penalty for a revoke?") as a principal question of its topic.

A question is general if little is left of it without the name of the topic, the interrogative words and the words of
the principal question: no more weight than that of one word which many provisions have. Words that describe a topic
without its name (`trumped, then found a heart`) count as its name if no topic is named. A question that names two
topics asks what they have in common, and is a general question about neither. A mere statement ("A revoked.") asks a
question of the kind that the library names (`stated`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from extract.language.folding import words_of
from extract.language.lexicon import word_set
from extract.model import Span
from kb.analysis.words import terms
from kb.dispute.index import Index
from kb.dispute.interrogative import presented

PARTICULAR = 1.75
"""From this weight on, the words that are left state particular facts."""
_ARTICLES, _PLAYER = word_set("articles") | {"a"}, re.compile(r"\b[A-Z]\b")
UNKNOWN = 5.0
"""The weight of a word that no provision has."""


def principal(index: Index, told: str, asked: str = "") -> tuple[str, ...]:
    """The questions whose exact words a text has, or else the principal questions it asks; none if it states facts.

    Args:
        index: the index of the knowledge base.
        told: what happened and what is asked, in free text.
        asked: the part of it that is the question, if it asks more than one.
    """
    named = tuple((index.topics[concept], span) for concept, span in index.tagger.find(told) if concept in index.topics)
    names, kinds = index.naming.find(told) or named, index.asking.find(told)
    kind = _kind(index, asked or told)
    stated = "" if kind or presented(asked or told)[1] else index.stated
    least = PARTICULAR
    best: tuple[str, ...] = ()
    for topic in dict.fromkeys(topic for topic, _ in names):
        facets = index.principals.get(topic, {}).get(kind or "", ())
        spans = [span for name, span in names if name == topic] + [span for _, span in kinds]
        if any(not any(span.meets(own) for own in spans) for _, span in names):
            continue
        label_terms = terms(" ".join(index.labels[facet] for facet in facets))
        words = set(terms(blank_spans(told, spans))).difference(label_terms)
        left = sum(index.words.rarity(word) or UNKNOWN for word in words if len(word) > 1)  # one letter names a player
        if stated and not left and _says_who(blank_spans(told, spans)):
            return index.principals.get(topic, {}).get(stated, ())
        if facets and left < least:
            least, best = left, facets
    # If nothing is left, the text is little more than the topic's name, which many questions have.
    own = index.worded.get(frozenset(terms(asked or told)), ()) if least else ()
    # If the question is separate from the facts, one that only names a topic ("Is it a misdeal?") asks about these, not
    # for a definition.
    kinds_meant = (kind,) if asked or kind else (None, *index.kinds)
    return tuple(facet for facet in own if _kind(index, index.labels[facet]) in kinds_meant) or best


def _says_who(rest: str) -> bool:
    """Whether the rest of a text, without the name of a topic, makes it a statement: "A revoked", not "a revoke"."""
    return bool(_PLAYER.search(rest) or {*words_of(rest)}.difference(_ARTICLES))


def _kind(index: Index, question: str) -> str | None:
    """The kind of thing that a question asks for; of several, the first in `index.kinds`."""
    asked = {kind for kind, _ in index.asking.find(question)}
    return next((kind for kind in index.kinds if kind in asked), None)


def blank_spans(text: str, spans: Iterable[Span]) -> str:
    """A text with spaces in place of some of its spans."""
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text
