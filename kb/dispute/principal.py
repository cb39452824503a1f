"""A question in general words ("What is the penalty for a revoke?") is a principal question of its topic.

What makes it general is measured by what is left of it: once the name of the topic, the words that ask, and those of
the principal question are taken out, it tells no more than a word that stands in many provisions. What tells of a topic
without its name (`trumped, then found a heart`) names it too, where nothing else does. A question that names two topics
asks what they have in common, and is general of neither.
"""

from __future__ import annotations

from collections.abc import Iterable

from extract.model import Span
from kb.analysis.words import terms
from kb.dispute.index import Index

PARTICULAR = 1.75
"""What is left tells particular facts from this weight on."""
UNKNOWN = 5.0
"""The weight of a word that no provision has."""


def principal(index: Index, told: str, asked: str = "") -> tuple[str, ...]:
    """The principal questions that are asked, or those that are asked in their own words; none where facts are told.

    Args:
        index: the knowledge base.
        told: what happened and what is asked, in anybody's words.
        asked: what of it is asked, if more than one thing is.
    """
    named = tuple((index.topics[concept], span) for concept, span in index.tagger.find(told) if concept in index.topics)
    names, kinds = index.naming.find(told) or named, index.asking.find(told)
    kind = _kind(index, asked or told)
    least = PARTICULAR
    best: tuple[str, ...] = ()
    for topic in dict.fromkeys(topic for topic, _ in names):
        facets = index.principals.get(topic, {}).get(kind or "", ())
        spans = [span for name, span in names if name == topic] + [span for _, span in kinds]
        if any(not any(span.meets(own) for own in spans) for _, span in names):
            continue
        said = terms(" ".join(index.labels[facet] for facet in facets))
        words = set(terms(without(told, spans))).difference(said)
        left = sum(index.words.rarity(word) or UNKNOWN for word in words if len(word) > 1)  # a letter is a player
        if facets and left < least:
            least, best = left, facets
    # Where nothing is left the words are those of the name, of which many questions may be made.
    own = index.worded.get(frozenset(terms(asked or told)), ()) if least else ()
    # Beside facts, the name of a topic alone ("Is it a misdeal?") asks what these come to.
    kinds_meant = (kind,) if asked or kind else (None, *index.kinds)
    return tuple(facet for facet in own if _kind(index, index.labels[facet]) in kinds_meant) or best


def _kind(index: Index, question: str) -> str | None:
    """The kind of thing that a question asks for."""
    asked = {kind for kind, _ in index.asking.find(question)}
    return next((kind for kind in index.kinds if kind in asked), None)


def without(text: str, spans: Iterable[Span]) -> str:
    """A text with blanks in place of some spans."""
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text
