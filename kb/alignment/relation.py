"""How two provisions on the same matter relate to each other, with evidence that can be shown to a reader.

The relations are those of the concordance: same text; equivalent; different; one says all that the other says, and
more. Only the editor can state that one allows what the other forbids (`opposed`): the modal verbs of the most similar
clauses found two of the editor's 44, and three that are wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from rapidfuzz import fuzz

from kb.alignment.contrasts import contrast
from kb.alignment.likeness import KEPT, ComparedProvision, plain_text, share
from kb.alignment.text_reuse import letters
from kb.concepts.outcomes import Outcomes

Relation = Literal["same-text", "equivalent", "differs", "broader", "narrower", "opposed"]
RELATIONS = frozenset(get_args(Relation))
FLIPPED: dict[str, Relation] = {"broader": "narrower", "narrower": "broader"}

# Set by reading pairs, except _CONTAINED. In brackets: how many relations of 531 links another value changes.
_SAME_TEXT = 80.0  # per cent similarity of characters (75: 8, 85: 1)
# Share of the shorter text that the longer repeats; the editor agrees on .67 of 531 pairs (0.55: .61, 0.8: .65).
_CONTAINED = 0.7
# Ratio of the lengths; an essay repeats every law without saying the same (1.2: 27, 1.5: 26; 6: 6).
_LONGER, _TOO_LONG = 1.35, 8.0
_ALIKE = 0.65  # similarity of the concepts (0.6: 2, 0.7: 3)
_SAME_WORDS = 0.4  # share of the words of either text that the other has (0.3: 8, 0.5: 13)

_WORD = re.compile(r"[a-z]+")
_EXCEPTS = re.compile(r"\b(?:except|unless|only|save|provided|if not)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Assessment:
    """A relation of a to b, and its reason in words."""

    relation: str
    why: str


def relate(a: ComparedProvision, b: ComparedProvision, labels: Mapping[str, str], outcomes: Outcomes) -> Assessment:
    """Find how `a` relates to `b`.

    Args:
        a, b: two provisions on the same matter.
        labels: the preferred label of each concept.
        outcomes: the library's words for what provisions order.
    Returns:
        The relation, `broader` meaning that a says more, and its evidence in words.
    """
    alike = max(
        fuzz.ratio(_words(a.unit.text), _words(b.unit.text)),
        fuzz.ratio(letters(a.unit.text), letters(b.unit.text)),
    )
    sums = outcomes.amounts(plain_text(a.unit.text)), outcomes.amounts(plain_text(b.unit.text))
    evidence = [f"share: {shared}"] if (shared := _shared(a, b, labels)) else []
    if same := sums[0] & sums[1]:
        evidence.append("both say " + " and ".join(sorted(same)))
    if _same_heading(a, b):
        evidence.append("same heading")
    relation, reason = _judge(a, b, alike, sums, labels, outcomes)
    return Assessment(relation, "; ".join([*evidence, *reason]))


@lru_cache(maxsize=KEPT)
def _words(text: str) -> str:
    return " ".join(_WORD.findall(plain_text(text).lower()))


def _judge(
    a: ComparedProvision,
    b: ComparedProvision,
    alike: float,
    sums: tuple[frozenset[str], frozenset[str]],
    labels: Mapping[str, str],
    outcomes: Outcomes,
) -> tuple[str, list[str]]:
    apart = outcomes.apart(*sums, a.concepts.keys() & b.concepts.keys())
    one_text = alike >= _SAME_TEXT and not apart
    unlike = contrast(a.unit.text, b.unit.text) if one_text else None
    if one_text and not unlike:
        return "same-text", [f"text {alike:.0f} % alike"]
    if apart:
        return "differs", [f"{_listed(sums[0])} against {_listed(sums[1])}"]
    if unlike and unlike.proves:
        return "differs", [str(unlike)]
    until = outcomes.moments(a.unit.text), outcomes.moments(b.unit.text)
    if all(until) and not until[0] & until[1]:
        return "differs", [f"{_listed(until[0])} against {_listed(until[1])}"]
    ours, theirs = _remedies(a, outcomes), _remedies(b, outcomes)
    if ours and theirs and ours != theirs:
        return "differs", [f"{_named(ours, labels)} against {_named(theirs, labels)}"]
    for small, large, relation in ((a, b, "narrower"), (b, a, "broader")):
        inside = _inside(small, large)
        longer = _LONGER * small.size <= large.size <= _TOO_LONG * small.size
        if longer and inside >= _CONTAINED and _remedies(small, outcomes) <= _remedies(large, outcomes):
            return relation, [
                f"{inside:.0%} of the matter of {small.unit.id} is also in {large.unit.id}, which says more"
            ]
    likeness = sum(w * b.concepts.get(c, 0.0) for c, w in a.concepts.items())
    repeated = min(share(a.stems, b.stems), share(b.stems, a.stems))
    if bool(_EXCEPTS.search(a.unit.text)) != bool(_EXCEPTS.search(b.unit.text)):
        return "differs", ["only one of them makes an exception or a condition"]
    difference = [str(unlike)] if unlike else []
    if ours == theirs and (likeness >= _ALIKE or one_text) and repeated >= _SAME_WORDS:
        return "equivalent", [f"text {alike:.0f} % alike", *difference]
    if only := ours ^ theirs:
        return "differs", [f"only one has: {_named(only, labels)}"]
    return "differs", [f"text {alike:.0f} % alike", *difference]


def _inside(small: ComparedProvision, large: ComparedProvision) -> float:
    """Return the share of one provision's words, and of its concepts if either has any, that the other has."""
    words = share(small.stems, large.stems)
    return (words + share(small.concepts, large.concepts)) / 2 if small.concepts or large.concepts else words


def _shared(a: ComparedProvision, b: ComparedProvision, labels: Mapping[str, str]) -> str:
    both = sorted(a.spoken.keys() & b.spoken.keys(), key=lambda c: (-a.concepts[c] * b.concepts[c], c))
    return ", ".join(labels.get(c, c).lower() for c in both[:4])


def _same_heading(a: ComparedProvision, b: ComparedProvision) -> bool:
    return bool(a.heading) and len(a.heading & b.heading) * 2 >= len(a.heading | b.heading)


def _remedies(a: ComparedProvision, outcomes: Outcomes) -> frozenset[str]:
    return frozenset(outcomes.remedies) & (a.spoken.keys() | a.lead)


def _named(concepts: frozenset[str], labels: Mapping[str, str]) -> str:
    return ", ".join(sorted(labels.get(c, c).lower() for c in concepts))


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))
