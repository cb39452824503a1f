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

MOST = 4
"""So many issues of one dispute are told apart; what is asked beyond them stays with the last."""
_INTERROGATIVES, _INVERTING = word_set("interrogatives"), word_set("inverting")
_SUBJECTS = word_set("subjects")
_BEFORE_IT = word_set("function") - _INTERROGATIVES - _INVERTING - word_set("articles") - {"a"}
_ADDING, _TURNING, _MATTERS = word_set("adding"), word_set("turning"), sorted(word_set("matters"))
_ELLIPTIC, _ADVERBS = word_set("elliptic"), frozenset(("when", "where", "why"))
_JOINING = frozenset(("and", "but", "or"))
_NUMBERED = re.compile(r"\W*(?:(?:two|three|second(?:ly)?|third(?:ly)?|[23])\s*[:.),]|[23]\s)", re.IGNORECASE)
_OF_ALL = re.compile(r"\b(?:each|both)\b", re.IGNORECASE)
# What says that more than one thing has been told: "in each case", "either of those", "three grievances".
_THEM = r"of (?:these|those|them)"
_ANNOUNCED = re.compile(
    r"\b(?:(?:in|of|on|upon|for|about) each|each (?:of|case|one)"
    rf"|(?P<two>(?<!or )both (?:{_THEM}|are|things)|either {_THEM})"
    rf"|(?P<number>two|three|four)(?: [a-z]+)? (?:{'|'.join(_MATTERS)}))\b",
    re.IGNORECASE,
)
_NUMBERS = {"two": 2, "three": 3, "four": 4}
# Where one incident may end and the next begin within a sentence.
_TURN = re.compile(r"[,;]\s+(?:and\s+)?(?=\w)")
_JOINT = re.compile(r"(?P<comma>[,;]?)\s+and\s+(?=\w)|;\s+(?=\w)", re.IGNORECASE)
_COMMA = re.compile(r"(?P<comma>,)\s+(?=\w)")
_FACTS_END = re.compile(r"[:;,]\s+|\s-+\s|\s*[—–]\s*")
_CONDITION = re.compile(
    rf"(?:and\s+)?if\b[^,;?]*?(?:,\s*|\s(?=(?:{'|'.join(sorted(_INTERROGATIVES))})\b))", re.IGNORECASE
)
_INDIRECT = re.compile(
    r"\b(?:tell (?:me|us)|to know|wonders?)\s+"
    rf"(?=(?:{'|'.join(sorted(_INTERROGATIVES))}|if|whether|at whose)\b)",
    re.IGNORECASE,
)
_WHO = re.compile(r"(?:and\s+)?who(?:se)?\s", re.IGNORECASE)
_WHAT = re.compile(r"(?:what|how)\s", re.IGNORECASE)
_TAG = 2  # words
_CLOSING = " )"
_SPEECH = re.compile('["“”]')
_WORD = re.compile(r"[^\W\d_]+")
# After a stop, where no quotation ends.
_BEGINS = re.compile(r"(?<=[.?!]\s)[a-z]")
_ITEM = re.compile(r"(?<=[.?!])\s+(?=\d\W)")


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
        before = matter.facts if matter.further and matter.facts else [*before, *matter.facts]
        if set(matter.questions) <= set(shared) and matter.facts and len(matters) > 1:
            found.append(Issue(_joined(*matter.facts), _joined(*before, *shared)))
            continue
        if not before and not found:
            before = matter.questions[:1]  # where all is in the questions, the first tells what the others are about
        found += (
            Issue(_joined(*matter.facts[-1:] * _is_tag(question), question), _joined(*before, question))
            for question in matter.questions
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
    told_of: list[str] = []
    asked: list[str] = []
    number = 0
    for sentence in _sentences(told):
        if not (announced := _ANNOUNCED.search(sentence)):
            told_of.append(sentence)
            continue
        number = 2 if announced["two"] else _NUMBERS.get((announced["number"] or "").lower(), number)
        said, colon, rest = sentence.partition(":")
        asked.append(said)
        told_of += [rest.strip()] if colon and rest.strip() else []
    if not asked:
        return []
    pieces: list[tuple[int, str]] = []  # how surely each begins another incident
    for sentence in told_of:
        clauses = [clause for clause in _TURN.split(sentence) if clause]
        pieces += ((2 * _leads_on(clause, _ADDING | _TURNING) + (clause is clauses[0]), clause) for clause in clauses)
    most = number - 1 if number else sum(strength > 1 for strength, _ in pieces[1:])
    cuts = sorted(sorted(range(1, len(pieces)), key=lambda at: -pieces[at][0])[:most])
    runs = [", ".join(words for _, words in pieces[a:b]) for a, b in pairwise((0, *cuts, len(pieces)))]
    return [Issue(run, _joined(*asked[:1], run, *asked[1:])) for run in runs]


def _leads_on(clause: str, words: frozenset[str] = _ADDING) -> bool:
    """Whether one of some words, those that add, is among the first of a clause."""
    return not words.isdisjoint(word.lower() for word in _WORD.findall(clause)[:3])


def _is_tag(question: str) -> bool:
    """Whether a question says nothing without the sentence before it: "OK?", "Too late?"."""
    return len(_WORD.findall(question)) <= _TAG and not _asks(question, loose=True)


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


def _presented(sentence: str) -> tuple[list[str], list[str]]:
    """The facts with which a sentence opens, and the questions that it asks then.

    Without a question mark, only what cannot be anything else is a question.
    """
    marked = sentence.rstrip(_CLOSING).endswith("?") or bool(_WHO.match(sentence))
    if not marked and _SPEECH.search(sentence):  # what somebody said at the table, and perhaps asked there
        return [sentence], []
    start = 0
    if not marked and (indirect := _INDIRECT.search(sentence)):  # "tell me what is due, and what for"
        first, *others = _cut(sentence[indirect.end() :].rstrip("."), _JOINT, loose=True)
        return [], [_question(sentence[: indirect.end()] + first), *map(_question, others)]
    if not _asks(sentence, loose=marked):
        # Without a mark, what follows a comma may be a relative clause ("who was looking on").
        ends = (m for m in _FACTS_END.finditer(sentence) if marked or "," not in m[0] or _WHAT.match(sentence, m.end()))
        end = next((m.end() for m in ends if _asks(sentence[m.end() :], loose=marked)), None)
        if end is None:
            return ([], [_question(sentence)]) if marked else ([sentence], [])
        start = end
    lead = sentence[:start].rstrip(" ,:;—–-")
    first, *others = _cut(sentence[start:], _JOINT, loose=marked)
    listed = _cut(first, _COMMA, loose=marked) if others else [first]  # "what is due, who may call, and ...?"
    return [f"{lead}."] if lead else [], [_question(part) for part in (*listed, *others)]


def _cut(questions: str, joint: re.Pattern[str], *, loose: bool) -> list[str]:
    """Questions in a row, cut where both what stands before a joint and what follows it ask something."""
    parts, at = [], 0
    for match in joint.finditer(questions):
        follows = questions[match.end() :]
        if _asks(questions[at : match.start()], loose=loose) and _asks(follows, loose=loose and bool(match["comma"])):
            parts.append(questions[at : match.start()])
            at = match.end()
    return [*parts, questions[at:]]


def _question(part: str) -> str:
    """A question as it stands by itself."""
    words = part.strip(" ,;.?")
    return f"{words[:1].upper()}{words[1:]}?"


def _asks(text: str, *, loose: bool) -> bool:
    """Whether a clause begins as a question does: with a word that asks before a verb that stands before its subject.

    Args:
        loose: such a verb will do alone ("may we?"), and so will such a word ("who pays?").
    """
    words = [m[0].lower() for m in _WORD.finditer(_CONDITION.sub("", text.lstrip())[:80])]
    while len(words) > 1 and words[0] in _BEFORE_IT and words[1] in _INTERROGATIVES:
        words = words[1:]
    words = words[1:] if words[:1] and words[0] in _JOINING else words
    if not words or words[0] in _INVERTING:
        return (loose and bool(words)) or any(word in _SUBJECTS for word in words[1:2])
    if words[1:2] and words[1] in _ELLIPTIC:  # what about the cut
        return words[0] in _INTERROGATIVES
    subordinate = len(words) > 1 and words[1] in _SUBJECTS
    # "When hearts were led again" is no question; "which card is led" is one.
    inverted = any(word in _INVERTING for word in words[1 : 2 if words[0] in _ADVERBS else 4])
    return words[0] in _INTERROGATIVES and not subordinate and (loose or inverted)
