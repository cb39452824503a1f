"""The issues of a dispute: who tells what happened may ask two things of it, and each has a law of its own.

"B trumped, then found a heart: what is the penalty, and until when can we claim it?" presents two questions on the same
facts, as a special case stated for a court does ("questions presented"; Black's Law Dictionary). Each is put with all
the facts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from extract.language.lexicon import word_set
from kb.analysis.words import sentences
from kb.dispute.interrogative import asks, presented

MOST = 4
"""So many issues of one dispute are told apart; what is asked beyond them stays with the last."""
_ADDING, _TURNING, _MATTERS = word_set("adding"), word_set("turning"), sorted(word_set("matters"))
_NUMBERED = re.compile(
    r"\W*(?:(?:two|three|second(?:ly)?|third(?:ly)?|[23])\s*[:.),]|[23]\s|\((?:[2-4b-d]|i{2,3}|iv)\))", re.IGNORECASE
)
_OF_ALL = re.compile(r"\b(?:each|both|all (?:two|three|four))\b", re.IGNORECASE)
# What says that more than one thing has been told: "in each case", "either of those", "three grievances".
_THEM = r"of (?:these|those)"
_ANNOUNCED = re.compile(
    r"\b(?:(?:in|of|on|upon|for|about) each|each (?:of|case|one|time)"
    rf"|(?P<two>(?<!or )both (?:{_THEM}|are|things)|either {_THEM}|(?:on|for|about) either"
    r"|the one and (?:\w+ )?the other|the first(?: \w+)?,? and (?:\w+ )?the second)"
    rf"|(?P<number>two|three|four)(?: [a-z]+)? (?:{'|'.join(_MATTERS)})"
    r"|(?:on|are|were) all (?P<all>two|three|four)(?! of))\b",
    re.IGNORECASE,
)
_NUMBERS = {"two": 2, "three": 3, "four": 4}
_CLAUSE_END = re.compile(r"[,;]\s+(?:and\s+)?(?=\w)")
_TAG = 2  # words
_WORD = re.compile(r"[^\W\d_]+")
# Where a sentence begins: after a stop, where no quotation ends, and with a number in a list.
_BEGINS = re.compile(r"(?<=[.?!]\s)[a-z]")
_ITEM = re.compile(r"(?<=[.?!])\s+(?=\d\W)|\s+(?=\((?:[1-4a-d]|i{1,3}|iv)\)\s)")


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is asked.

    Attributes:
        asked: the words of the question; "" if nothing else is asked.
        put: the question with the facts on which it turns.
        nearest: the question with those of the facts that were told after the question before it, or with one of them
            if they are as many as the questions; "" if these are all or none.
    """

    asked: str
    put: str
    nearest: str = ""


@dataclass(slots=True)
class _Matter:
    """Facts, and what is asked about them; `further` if the words say that it is a matter of its own."""

    further: bool = False
    facts: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)


def issues(told: str) -> tuple[Issue, ...]:
    """The questions that a dispute presents, in their order.

    Args:
        told: what happened and what is asked, in anybody's words.
    Returns:
        An issue for each question that stands by itself, and for each further matter ("Also ..."); a single one that is
        the whole, if there is no more than one. A question turns on the facts told before it, and the last also on
        those told after it; a further matter turns on its own.
    """
    matters = [_Matter()]
    for sentence in _sentences(told):
        facts, questions = presented(sentence)
        if (further := _is_further(sentence)) or (facts and matters[-1].questions):
            matters.append(_Matter(further))
        matters[-1].facts += facts
        matters[-1].questions += questions
    if not matters[-1].questions and not matters[-1].further and len(matters) > 1:
        trailing = matters.pop()
        matters[-1].facts += trailing.facts
    shared = [question for question in matters[-1].questions if _OF_ALL.search(question)][-1:]
    found: list[Issue] = []
    before: list[str] = []
    for matter in matters:
        before = matter.facts if matter.further and matter.facts else [*before, *matter.facts]
        alone = set(matter.questions) <= set(shared) and (found or shared)
        if alone and matter.facts and len(matters) > 1:
            found.append(Issue(_joined(*matter.facts), _joined(*before, *shared)))
            continue
        if not before and not found:
            before = matter.questions[:1]  # where all is in the questions, the first tells what the others are about
        latest = matter.facts if len(before) > len(matter.facts) else []
        # As many facts as questions are told in the order in which they are asked about.
        in_order = len(matter.facts) == len(matter.questions) > 1
        found += (
            Issue(
                _joined(*matter.facts[-1:] * _is_tag(question), question),
                _joined(*before, question),
                _joined(*near, question) if near else "",
            )
            for question, *near in (
                zip(matter.questions, matter.facts, strict=True)
                if in_order
                else ((question, *latest) for question in matter.questions)
            )
        )
    if len(found) < len(incidents := _incidents(told)):
        found = incidents
    if len(found) < 2:
        return (Issue("", told),)
    if len(found) > MOST:
        rest = found[MOST - 1 :]
        found[MOST - 1 :] = [Issue(" ".join(i.asked for i in rest), _joined(*(i.put for i in rest)))]
    return tuple(found)


def _incidents(told: str) -> list[Issue]:
    """An issue for each thing told, where the words say that there are several and one question is asked of all.

    They are parted where a word leads on to another matter, then at the ends of sentences, then at commas.
    """
    facts: list[str] = []
    requests: list[str] = []
    number = 0
    for sentence in _sentences(told):
        if not (announced := _ANNOUNCED.search(sentence)):
            facts.append(sentence)
            continue
        named = announced["number"] or announced["all"] or ""
        number = 2 if announced["two"] else _NUMBERS.get(named.lower(), number)
        said, _, listed = sentence.partition(":")
        requests.append(said)
        facts += filter(None, [listed.strip()])
    if not requests:
        return []
    clauses: list[tuple[int, str]] = []  # each with how surely it begins another incident
    for sentence in facts:
        parts = _CLAUSE_END.split(sentence)
        clauses += ((2 * _leads_on(part, _ADDING | _TURNING) + (n == 0), part) for n, part in enumerate(parts))
    most = number - 1 if number else sum(strength > 1 for strength, _ in clauses[1:])
    begins = sorted(sorted(range(1, len(clauses)), key=lambda at: -clauses[at][0])[:most])
    incidents = [", ".join(words for _, words in clauses[a:b]) for a, b in pairwise((0, *begins, len(clauses)))]
    return [Issue(incident, _joined(*requests[:1], incident, *requests[1:])) for incident in incidents]


def _leads_on(clause: str, words: frozenset[str] = _ADDING) -> bool:
    """Whether one of some words, those that add, is among the first of a clause."""
    return not words.isdisjoint(word.lower() for word in _WORD.findall(clause)[:3])


def _is_tag(question: str) -> bool:
    """Whether a question says nothing without the sentence before it: "OK?", "Too late?"."""
    return len(_WORD.findall(question)) <= _TAG and not asks(question, loose=True)


def _is_further(sentence: str) -> bool:
    """Whether a sentence begins another matter: it is numbered, or has a word that adds among its first."""
    return bool(_NUMBERED.match(sentence)) or _leads_on(sentence)


def _joined(*pieces: str) -> str:
    return " ".join(dict.fromkeys(filter(None, pieces)))


def _sentences(told: str) -> list[str]:
    """The sentences of a text that somebody typed, who may begin none with a capital."""
    capitals = _BEGINS.sub(lambda m: m[0].upper(), told)
    found, at = [], 0
    for sentence in sentences(capitals):
        at = capitals.index(sentence, at)
        found += _ITEM.split(told[at : at + len(sentence)].strip())
        at += len(sentence)
    return [sentence for sentence in found if sentence]
