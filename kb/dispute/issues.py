"""The issues of a dispute: who tells what happened may ask two things of it, and each has a law of its own.

"B trumped, then found a heart: what is the penalty, and until when can we claim it?" presents two questions on the same
facts, as a special case stated for a court does ("questions presented"; Black's Law Dictionary). Each is put with all
the facts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from extract.language.lexicon import word_set
from kb.analysis.words import sentences

MOST = 4
"""So many issues of one dispute are told apart; what is asked beyond them stays with the last."""
_INTERROGATIVES, _INVERTING = word_set("interrogatives"), word_set("inverting")
_SUBJECTS = word_set("subjects")
_BEFORE_IT = word_set("function") - _INTERROGATIVES - _INVERTING
_JOINT = re.compile(r"(?P<comma>[,;]?)\s+and\s+(?=\w)|;\s+(?=\w)", re.IGNORECASE)
_FACTS_END = re.compile(r"[:;,]\s+|\s-+\s|\s*[—–]\s*")
_CONDITION = re.compile(r"if\b[^,;?]*,\s*", re.IGNORECASE)
_CLOSING = " \"”'’)"
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


def issues(told: str) -> tuple[Issue, ...]:
    """The questions that a dispute presents, in their order.

    Args:
        told: what happened and what is asked, in anybody's words.
    Returns:
        An issue for each question that stands by itself; a single one that is the whole, if no more than one is asked.
        A question turns on the facts told before it, and the last also on those told after it.
    """
    blocks: list[tuple[list[str], list[str]]] = [([], [])]
    for facts, questions in map(_presented, _sentences(told)):
        if facts and blocks[-1][1]:
            blocks.append(([], []))
        blocks[-1][0].extend(facts)
        blocks[-1][1].extend(questions)
    if not blocks[-1][1] and len(blocks) > 1:  # what is told after the last question is told for it
        trailing = blocks.pop()[0]
        blocks[-1][0].extend(trailing)
    asked = [(n, question) for n, (_, questions) in enumerate(blocks) for question in questions]
    if len(asked) < 2:
        return (Issue("", told),)
    if len(asked) > MOST:
        asked[MOST - 1 :] = [(asked[MOST - 1][0], " ".join(question for _, question in asked[MOST - 1 :]))]
    facts = [" ".join(facts) for facts, _ in blocks]
    if not facts[0]:
        facts[0] = asked[0][1]  # where all is in the questions, the first tells what the others are about
    return tuple(Issue(question, _joined(*facts[: n + 1], question)) for n, question in asked)


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
