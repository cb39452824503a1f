"""How two provisions on the same matter stand to each other, from evidence that can be shown to a reader.

The relations are those of the concordance: the text is the same; they say the same; they differ; one says all
that the other says, and more; one allows what the other forbids.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from rapidfuzz import fuzz

from extract.language.sentences import clauses
from kb.alignment.contrasts import contrast
from kb.alignment.likeness import KEPT, ComparedProvision, content, plain_text, share
from kb.alignment.winnowing import letters
from kb.concepts.outcomes import Outcomes

Relation = Literal["same-text", "equivalent", "differs", "broader", "narrower", "opposed"]
RELATIONS = frozenset(get_args(Relation))
FLIPPED: dict[str, Relation] = {"broader": "narrower", "narrower": "broader"}

# Set by reading pairs, but for _CONTAINED; in brackets, how many relations of 531 links another value changes.
_SAME_TEXT = 80.0  # per cent of letters that need no change (75: 8, 85: 1)
# Share of the shorter one that the longer repeats; the editor agrees on .67 of 531 pairs (0.55: .61, 0.8: .65).
_CONTAINED = 0.7
_LONGER, _TOO_LONG = 1.35, 8.0  # an essay repeats every law without saying the same (1.2: 27, 1.5: 26; 6: 6)
_ALIKE = 0.65  # of the concepts (0.6: 2, 0.7: 3)
_SAME_WORDS = 0.4  # of either's words in the other (0.3: 8, 0.5: 13)

_OF_A_LONG_CLAUSE = 0.2  # of its words, those in common: a few can be found in any

_WORD = re.compile(r"[a-z]+")
# The modal verbs of English law (Palmer, Mood and Modality, 2001, ch. 4); what cannot be prevented is allowed.
_PERMITS = re.compile(
    r"\b(?:may|entitled|a right|the right to|allowed|privilege)\b(?!\s+(?:not|neither))", re.IGNORECASE
)
_FORBIDS = re.compile(
    r"\b(?:must not|may not|can ?not(?! be (?:prevented|hindered|refused|denied))|shall not|should not|"
    r"forbidden|prohibited|never|no (?:one|person|party) (?:may|should|can|is)|nor (?:may|should|can))\b",
    re.IGNORECASE,
)
_EXCEPTS = re.compile(r"\b(?:except|unless|only|save|provided|if not)\b", re.IGNORECASE)
_UNLESS = re.compile(r"\bunless\b[^,.;:?!]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Assessment:
    """A relation of a to b, and the words that tell why."""

    relation: str
    why: str


def relate(a: ComparedProvision, b: ComparedProvision, labels: Mapping[str, str], outcomes: Outcomes) -> Assessment:
    """Say how `a` stands to `b`.

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
    if clash := _clash(a, b):
        return "opposed", [f"“{clash[0]}” against “{clash[1]}”"]
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
    told = [str(unlike)] if unlike else []
    if ours == theirs and (likeness >= _ALIKE or one_text) and repeated >= _SAME_WORDS:
        return "equivalent", [f"text {alike:.0f} % alike", *told]
    if ours != theirs and (only := ours ^ theirs):
        return "differs", [f"only one has: {_named(only, labels)}"]
    return "differs", [f"text {alike:.0f} % alike", *told]


def _inside(small: ComparedProvision, large: ComparedProvision) -> float:
    """How much of one provision stands in the other: of its words, and of its concepts if it speaks of any."""
    words = share(small.stems, large.stems)
    return (words + share(small.concepts, large.concepts)) / 2 if small.concepts or large.concepts else words


def _clash(a: ComparedProvision, b: ComparedProvision) -> tuple[str, str] | None:
    """A clause that allows, and the one most like it in the other provision, if that forbids or excepts.

    Two shared concepts are asked for: one alone may be a word in common and no matter.
    """
    if len(a.spoken.keys() & b.spoken.keys()) < 2:
        return None
    for grants, bars, turned in ((a, b, False), (b, a, True)):
        barred = (*_clauses(bars.unit.text), *_UNLESS.findall(plain_text(bars.unit.text)))
        for one in filter(_allows, _clauses(grants.unit.text)):
            alike, other = max(((_alike(one, x), x) for x in barred), default=(0.0, ""))
            if alike >= 0.5 and (_forbids(other) or _UNLESS.match(other)):
                pair = _short(one), _short(other)
                return pair[::-1] if turned else pair
    return None


def _alike(one: str, other: str) -> float:
    """The share of the shorter clause's words that stand in the other; 0 below three, or where the other is long."""
    words = _telling(one), _telling(other)
    common, (short, long) = len(words[0] & words[1]), sorted(map(len, words))
    return common / short if common >= 3 and common >= _OF_A_LONG_CLAUSE * long else 0.0


@lru_cache(maxsize=KEPT)
def _allows(clause: str) -> bool:
    return bool(_PERMITS.search(clause)) and not _FORBIDS.search(clause) and not _UNLESS.search(clause)


@lru_cache(maxsize=KEPT)
def _forbids(clause: str) -> bool:
    """Whether a clause forbids and allows nothing: a long one may do both, and what of it is meant nobody can tell."""
    return bool(_FORBIDS.search(clause)) and not _PERMITS.search(clause)


@lru_cache(maxsize=KEPT)
def _telling(clause: str) -> frozenset[str]:
    return frozenset(content(clause))


@lru_cache(maxsize=KEPT)
def _clauses(text: str) -> tuple[str, ...]:
    return tuple(clause for clause in clauses(plain_text(text)) if len(clause.split()) > 3)


def _short(clause: str) -> str:
    words = clause.split()
    return " ".join(words[:14]) + (" ..." if len(words) > 14 else "")


def _shared(a: ComparedProvision, b: ComparedProvision, labels: Mapping[str, str]) -> str:
    both = sorted(a.spoken.keys() & b.spoken.keys(), key=lambda c: (-a.concepts[c] * b.concepts[c], c))
    return ", ".join(labels.get(c, c).lower() for c in both[:4])


def _same_heading(a: ComparedProvision, b: ComparedProvision) -> bool:
    return bool(a.heading) and len(a.heading & b.heading) * 2 >= len(a.heading | b.heading)


def _remedies(a: ComparedProvision, outcomes: Outcomes) -> frozenset[str]:
    return outcomes.remedies & (a.spoken.keys() | a.lead)


def _named(concepts: frozenset[str], labels: Mapping[str, str]) -> str:
    return ", ".join(sorted(labels.get(c, c).lower() for c in concepts))


def _listed(sums: frozenset[str]) -> str:
    return ", ".join(sorted(sums))
