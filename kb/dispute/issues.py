"""The issues of a dispute: who tells what happened may ask two things of it, and each has a law of its own.

"B trumped, then found a heart: what is the penalty, and until when can we claim it?" presents two questions on the same
facts, as a special case stated for a court does ("questions presented"; Black's Law Dictionary). Each is put with all
the facts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from extract.language.lexicon import word_set
from kb.analysis.words import sentences

MOST = 4
"""So many issues of one dispute are told apart; what is asked beyond them stays with the last."""
_INTERROGATIVES, _INVERTING = word_set("interrogatives"), word_set("inverting")
_SUBJECTS = word_set("subjects")
_BEFORE_IT = word_set("function") - _INTERROGATIVES - _INVERTING
_ADDING = word_set("adding")
_NUMBERED = re.compile(r"\W*(?:two|three|second(?:ly)?|third(?:ly)?|[23])\s*[:.),]", re.IGNORECASE)
_OF_ALL = re.compile(r"\b(?:each|both)\b", re.IGNORECASE)
_JOINT = re.compile(r"(?P<comma>[,;]?)\s+and\s+(?=\w)|;\s+(?=\w)", re.IGNORECASE)
_FACTS_END = re.compile(r"[:;,]\s+|\s-+\s|\s*[—–]\s*")
_CONDITION = re.compile(r"if\b[^,;?]*,\s*", re.IGNORECASE)
_TAG = 2  # words
_CLOSING = " )"
_SPEECH = re.compile('["“”]')
_WORD = re.compile(r"[^\W\d_]+")
# After a stop, where no quotation ends.
_BEGINS = re.compile(r"(?<=[.?!]\s)[a-z]")


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is asked.

    Attributes:
        asked: the words of the question; "" if nothing else is asked.
        put: the question with the facts on which it turns.
    """

    asked: str
    put: str


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
        facts, questions = _presented(sentence)
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
        before = matter.facts if matter.further else [*before, *matter.facts]
        if set(matter.questions) <= set(shared) and matter.facts and len(matters) > 1:
            found.append(Issue(_joined(*matter.facts), _joined(*before, *shared)))
            continue
        if not before and not found:
            before = matter.questions[:1]  # where all is in the questions, the first tells what the others are about
        found += (
            Issue(_joined(*matter.facts[-1:] * _is_tag(question), question), _joined(*before, question))
            for question in matter.questions
        )
    if len(found) < 2:
        return (Issue("", told),)
    if len(found) > MOST:
        rest = found[MOST - 1 :]
        found[MOST - 1 :] = [Issue(" ".join(i.asked for i in rest), _joined(*(i.put for i in rest)))]
    return tuple(found)


def _is_tag(question: str) -> bool:
    """Whether a question says nothing without the sentence before it: "OK?", "Too late?"."""
    return len(_WORD.findall(question)) <= _TAG and not _asks(question, loose=True)


def _is_further(sentence: str) -> bool:
    """Whether a sentence begins another matter: it is numbered, or has a word that adds among its first."""
    return bool(_NUMBERED.match(sentence)) or not _ADDING.isdisjoint(w.lower() for w in _WORD.findall(sentence)[:3])


def _joined(*pieces: str) -> str:
    return " ".join(dict.fromkeys(filter(None, pieces)))


def _sentences(told: str) -> list[str]:
    """The sentences of a text that somebody typed, who may begin none with a capital."""
    capitals = _BEGINS.sub(lambda m: m[0].upper(), told)
    found, at = [], 0
    for sentence in sentences(capitals):
        at = capitals.index(sentence, at)
        found.append(told[at : at + len(sentence)].strip())
        at += len(sentence)
    return [sentence for sentence in found if sentence]


def _presented(sentence: str) -> tuple[list[str], list[str]]:
    """The facts with which a sentence opens, and the questions that it asks then.

    Without a question mark, only what cannot be anything else is a question.
    """
    marked = sentence.rstrip(_CLOSING).endswith("?")
    if not marked and _SPEECH.search(sentence):  # what somebody said at the table, and perhaps asked there
        return [sentence], []
    start = 0
    if not _asks(sentence, loose=marked):
        ends = (m for m in _FACTS_END.finditer(sentence) if marked or "," not in m[0])
        first = next((m for m in ends if _asks(sentence[m.end() :], loose=marked)), None)
        if first is None:
            return ([], [_question(sentence)]) if marked else ([sentence], [])
        start = first.end()
    lead, rest = sentence[:start].rstrip(" ,:;—–-"), sentence[start:]
    parts, at = [], 0
    for joint in _JOINT.finditer(rest):
        loose = marked and bool(joint["comma"])
        if _asks(rest[at : joint.start()], loose=marked) and _asks(rest[joint.end() :], loose=loose):
            parts.append(rest[at : joint.start()])
            at = joint.end()
    return [f"{lead}."] if lead else [], [_question(part) for part in (*parts, rest[at:])]


def _question(part: str) -> str:
    """A question as it stands by itself."""
    words = part.strip(" ,;?")
    return f"{words[:1].upper()}{words[1:]}?"


def _asks(text: str, *, loose: bool) -> bool:
    """Whether a clause begins as a question does: with a word that asks before a verb that stands before its subject.

    Args:
        loose: such a verb will do alone ("may we?"), and so will such a word ("who pays?").
    """
    words = [m[0].lower() for m in _WORD.finditer(_CONDITION.sub("", text.lstrip())[:80])]
    while len(words) > 1 and words[0] in _BEFORE_IT and words[1] in _INTERROGATIVES:
        words = words[1:]
    if not words or words[0] in _INVERTING:
        return (loose and bool(words)) or any(word in _SUBJECTS for word in words[1:2])
    subordinate = len(words) > 1 and words[1] in _SUBJECTS
    inverted = any(word in _INVERTING for word in words[1:4])
    return words[0] in _INTERROGATIVES and not subordinate and (loose or inverted)
