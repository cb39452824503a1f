"""Split a dispute into its issues: one description may ask several questions, which different provisions decide.

"B trumped, then found a heart: what is the penalty, and until when can we claim it?" presents two questions on the same
facts, like a special case stated for a court ("questions presented"; Black's Law Dictionary). Each is put with all the
facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from extract.language.lexicon import word_set
from kb.analysis.words import sentences
from kb.dispute.interrogative import asks, presented

MOST = 4
"""The most issues that a dispute is split into; further questions are joined to the last."""
_ADDING, _TURNING, _MATTERS = word_set("adding"), word_set("turning"), sorted(word_set("matters"))
_NUMBERED = re.compile(
    r"\W*(?:(?:two|three|second(?:ly)?|third(?:ly)?|[23])\s*[:.),]|[23]\s|\((?:[2-4b-d]|i{2,3}|iv)\)"
    r"|(?:(?:my|the)\s)?(?:second|third|next|other)\s(?:question|query|thing|matter)\b)",
    re.IGNORECASE,
)
_OF_ALL = re.compile(r"\b(?:each|both|all (?:two|three|four))\b", re.IGNORECASE)
# Phrases that ask one question about several incidents: "in each case", "either of those", "three grievances".
_ALONE = (
    r"(?= of (?:these|those|them)\b| (?:case|instance|time|one|day|occasion|thing|matters?|request|please)\b"
    r"| (?:are|were|is|be|have been|count|cost)\b"
    r"| separately\b"
    r"|\W*(?:[?.,;:!]|$))"
)
_ANNOUNCED = re.compile(
    rf"\b(?:(?P<two>either|both){_ALONE}|each{_ALONE}"
    r"|the (?:one|first)(?: \w+)?,? and (?:\w+ ){,2}the (?P<other>other|second)"
    r"|(?:up)?(?:on|are|were|in|is|settle|judge|decide|answer) all (?P<all>two|three|four)(?! of)\b"
    r"|all (?P<every>two|three|four)[.!]*$|(?:rulings|verdicts)\b"
    r"|(?:of|are|on|judge|settle|take|can) (?:these|those)\b(?! (?:two|(?!is\b|was\b)\w+s)\b))"
    rf"|(?P<number>\b(?:two|three|four)(?: [a-z]+)? (?:{'|'.join(_MATTERS)})\b|^\W*(?:two|three|four) points\b)",
    re.IGNORECASE,
)
_BEGS = re.compile(
    rf"^(?:{'|'.join(sorted(word_set('telling')))})\b|\b(?:please|kindly|pray|rulings?)\b", re.IGNORECASE
)
_NUMBERS = {"two": 2, "three": 3, "four": 4}
_NUMBER = re.compile("|".join(_NUMBERS), re.IGNORECASE)
_CLAUSE_END = re.compile(
    r"(?P<stop>;)\s+(?:and\s+)?(?=\w)|(?<!\bby),?\s+(?:and\s+)?(?=then\s+\w)|,\s+(?P<and>and\s+)?(?=\w)",
    re.IGNORECASE,
)
# How certain it is that another incident begins after a stop, after "and", and at a word that leads on ("then").
_AT_STOP, _AT_AND, _AT_TURN = 2.0, 0.5, 2.0
# "First ...", "Third: ...", "Deal one: ..."
_ORDINALS = word_set("ordinals")
_ITEM_OF = re.compile(rf"\W*(?:{'|'.join(sorted(_ORDINALS))}|\w+ (?:one|two|three|four|[1-4])(?=:))\b", re.IGNORECASE)
_TAG = 2  # the most words of a tag question
_SCENE = 5  # the most words of an opening that is not an incident: "What a night!"
_WORD = re.compile(r"[^\W\d_]+")
# Where a sentence begins: after a stop that does not end a quotation, and at the number of a list item.
_BEGINS = re.compile(r"(?<=[.?!]\s)[a-z]")
_ITEM = re.compile(r"(?<=[.?!])\s+(?=\d\W)|\s+(?=\((?:[1-4a-d]|i{1,3}|iv)\)\s)")
# A line ends a sentence, unless the text is wrapped: then the line is long, and the next may begin in lower case.
_WRAP = re.compile(r"(?<=[^\n]{50})[^\S\n]*\n(?=[a-z])")
# The mark of a list item: "(a)", or at the start of a line, and in a text that begins with one, also "a)", "2." or "-".
_MARK = re.compile(r"\s*\((?:[1-4a-d]|i{1,3}|iv)\)\s+", re.IGNORECASE)
_LINE_MARK = re.compile(r"^[^\S\n]*(?:[-*•–—]|([1-4a-d])[.)])\s+", re.IGNORECASE | re.MULTILINE)
_LATER_MARK = re.compile(r"\s+([2-4b-d])[.)]\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is asked.

    Attributes:
        question: the words of the question; "" if the dispute has only this issue.
        with_facts: the question with the facts on which it turns.
        nearest: the question with only the facts after the previous question, or with one of these if they are as many
            as the questions they precede; "" if they are all the facts or there are none.
    """

    question: str
    with_facts: str
    nearest: str = ""


@dataclass(slots=True)
class _Matter:
    """Facts and the questions about them; `further` if the text introduces them as a separate matter ("Also ...")."""

    further: bool = False
    facts: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)


def issues(told: str) -> tuple[Issue, ...]:
    """The questions that a dispute presents, in their order.

    Args:
        told: what happened and what is asked, in free text.
    Returns:
        An issue for each self-contained question, and for each further matter ("Also ...") and what precedes it; the
        whole text as a single issue if there is no more than one. A question has the facts stated before it, and the
        last also those after it; a further matter has only its own facts.
    """
    matters = [_Matter()]
    for sentence in _sentences(told):
        facts, questions = presented(_MARK.sub("", sentence, count=1))
        if (further := _is_further(sentence)) or (facts and matters[-1].questions):
            matters.append(_Matter(further))
        matters[-1].facts += facts
        matters[-1].questions += questions
    if not matters[-1].questions and not matters[-1].further and len(matters) > 1:
        trailing = matters.pop()
        # Facts after all questions belong to the last, unless they lead on: "What now? And in the next hand ..."
        for fact in trailing.facts:
            if _leads_on(fact, _ADDING | _TURNING) or fact.lower().startswith("and "):
                matters.append(_Matter(further=True))
            matters[-1].facts.append(fact)
    shared = [question for question in matters[-1].questions if _OF_ALL.search(question)][-1:]
    found: list[Issue] = []
    before: list[str] = []
    for matter, following in zip(matters, [*matters[1:], None], strict=True):
        before = matter.facts if matter.further and matter.facts else [*before, *matter.facts]
        alone = set(matter.questions) <= set(shared) and (found or shared or (following and following.further))
        if alone and matter.facts and len(matters) > 1:
            found.append(Issue(_joined(*matter.facts), _joined(*before, *shared)))
            continue
        if not before and not found:
            before = matter.questions[:1]  # without facts, the first question says what the others are about
        latest = matter.facts if len(before) > len(matter.facts) else []
        # If there are as many facts as questions, each question is about the fact in the same place.
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
    questions = [question for matter in matters for question in matter.questions]
    of_all = set(questions) <= set(shared)
    if len(questions) < 2 or of_all:
        found = max(found, _in_sequence(_sentences(told)), key=len)
    if len(found) < 2 or of_all:
        found = max(found, _incidents(told), key=len)
    if len(found) < 2:
        return (Issue("", told),)
    if len(found) > MOST:
        rest = found[MOST - 1 :]
        found[MOST - 1 :] = [Issue(" ".join(i.question for i in rest), _joined(*(i.with_facts for i in rest)))]
    return tuple(found)


def _in_sequence(sentences: Sequence[str]) -> list[Issue]:
    """An issue for each incident, if sentences begin with "First", "Then", and one question is asked about all."""
    *facts, request = sentences or [""]
    leading = _ADDING | _TURNING | _ORDINALS
    begins = [at for at, fact in enumerate(facts) if _ITEM_OF.match(fact) or _leads_on(fact, leading)]
    if len(begins) < 2 or not _ITEM_OF.match(facts[begins[0]]) or not presented(request)[1]:
        return []
    incidents = [_joined(*facts[a:b]) for a, b in pairwise((*begins, len(facts)))]
    return [Issue(incident, _joined(*facts[: begins[0]], incident, request)) for incident in incidents]


def _incidents(told: str) -> list[Issue]:
    """An issue for each incident, if the text says that there are several and asks one question about all.

    Incidents are split where a word leads on to another matter, then at stops, then at commas.
    """
    facts: list[str] = []
    requests: list[str] = []
    number = 0
    for sentence in _sentences(told):
        announced = _ANNOUNCED.search(sentence)
        if not announced or not (announced["number"] or presented(sentence)[1] or _BEGS.search(sentence)):
            facts.append(sentence)
            continue
        named = _NUMBER.search(announced["number"] or announced["all"] or announced["every"] or "")
        number = max(number, _NUMBERS[named[0].lower()] if named else 2 * bool(announced["two"] or announced["other"]))
        request, _, listed = sentence.partition(":")
        requests.append(request)
        facts += filter(None, [listed.strip()])
    if not requests or not facts:
        return []
    clauses = [clause for sentence in facts for clause in _clauses(sentence)]
    strong = sum(certainty >= _AT_STOP for certainty, _ in clauses)
    if len(_WORD.findall(clauses[0][1])) <= _SCENE and strong > (number or 2):
        clauses[:2] = [(_AT_STOP, f"{clauses[0][1]} {clauses[1][1]}")]
        strong -= 1
    led = sum(certainty >= _AT_STOP + _AT_TURN for certainty, _ in clauses)
    most = (number or (led + 1 if led > 1 else strong)) - 1
    begins = sorted(sorted(range(1, len(clauses)), key=lambda at: -clauses[at][0])[:most])
    incidents = [", ".join(words for _, words in clauses[a:b]) for a, b in pairwise((0, *begins, len(clauses)))]
    return [Issue(incident, _joined(*requests[:1], incident, *requests[1:])) for incident in incidents]


def _clauses(sentence: str) -> Iterator[tuple[float, str]]:
    """The clauses of a sentence, each with the certainty that it begins another incident."""
    joints: list[re.Match[str]] = []
    for joint in _CLAUSE_END.finditer(sentence):
        clause = sentence[joints[-1].end() if joints else 0 : joint.start()]
        if len(_WORD.findall(clause)) > 1:  # not "Then, later, he peeped"
            joints.append(joint)
    begins, ends = [0, *(joint.end() for joint in joints)], [*(joint.start() for joint in joints), len(sentence)]
    certainties = [_AT_STOP, *(_AT_STOP if joint["stop"] else _AT_AND * bool(joint["and"]) for joint in joints)]
    for certainty, begin, end in zip(certainties, begins, ends, strict=True):
        clause = sentence[begin:end]
        yield certainty + _AT_TURN * _leads_on(clause, _ADDING | _TURNING), clause


def _leads_on(clause: str, words: frozenset[str] = _ADDING) -> bool:
    """Whether one of the first three words of a clause is in a set: by default words such as "also"."""
    return not words.isdisjoint(word.lower() for word in _WORD.findall(clause)[:3])


def _is_tag(question: str) -> bool:
    """Whether a question means nothing without the sentence before it: "OK?", "Too late?"."""
    return len(_WORD.findall(question)) <= _TAG and not asks(question, loose=True)


def _is_further(sentence: str) -> bool:
    """Whether a sentence begins another matter: it is numbered, or has a word such as "also" among its first three."""
    return bool(_NUMBERED.match(sentence)) or _leads_on(sentence)


def _joined(*pieces: str) -> str:
    """Join sentences, each once; one that ended with its line gets a full stop."""
    text, *others = dict.fromkeys(filter(None, pieces)) or [""]
    for piece in others:
        text += f"{'.' * (text[-1:].isalnum() and piece[:1].isupper())} {piece}"
    return text


def _sentences(told: str) -> list[str]:
    """The sentences of a typed text; they may begin in lower case, and end with a line or before the item of a list."""
    text = _LINE_MARK.sub(lambda m: f"({m[1]}) " if m[1] else "", _WRAP.sub(" ", told))
    if _LINE_MARK.match(told):
        text = _LATER_MARK.sub(r"\n(\1) ", text)
    found: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        capitals, at = _BEGINS.sub(lambda m: m[0].upper(), line), 0
        for sentence in sentences(capitals):
            at = capitals.index(sentence, at)
            found += _ITEM.split(line[at : at + len(sentence)].strip())
            at += len(sentence)
    return [sentence for sentence in found if sentence]
