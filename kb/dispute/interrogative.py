"""Find the questions in a sentence: they begin with an interrogative word and a verb that precedes its subject.

People who describe a quarrel leave out question marks, put two questions into one sentence, and ask indirectly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from extract.language.lexicon import word_set

_INTERROGATIVES, _INVERTING, _MODAL, _HAVING = map(word_set, ("interrogatives", "inverting", "modal", "having"))
_SUBJECTS, _DETERMINERS, _ELLIPTIC = map(word_set, ("subjects", "determiners", "elliptic"))
_ADVERBS, _CONNECTING = word_set("adverbial"), word_set("connecting")
# Words that may precede an interrogative: "until when", "by whom", "and which".
_PREPOSITIONS = word_set("prepositions")
_BEFORE_IT = (word_set("function") | _PREPOSITIONS) - _INTERROGATIVES - _INVERTING - word_set("articles") - {"a"}


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(words))})"


_ASKING, _AFTER = _any(_INTERROGATIVES), _any(_PREPOSITIONS)
_VERB_FIRST = rf"{_any(_INVERTING)}\s+{_any(_SUBJECTS)}"
_INVERTED = rf"(?:{_VERB_FIRST}|{_any(_INVERTING - _HAVING)}\s+{_any(_DETERMINERS)})"
_OPENING = 300  # characters at the start of a clause: its circumstances and the first words after them
# How the next question begins in a text without punctuation ("how many can we take can we").
_NEXT = rf"{_any(_MODAL | {'do', 'is', 'are'})}\s+{_any(_SUBJECTS)}"
# Where one question may end and the next begin.
_JOINT = re.compile(
    rf"(?P<comma>[,;]?)\s+(?:and|&),?\s+(?=\w)|;\s+(?=\w)|(?:(?<=\w)\s+(?!do it\b)(?={_NEXT}\s))", re.IGNORECASE
)
# A question after circumstances of its own: "since he has none, may he", "the card lying there can we".
_LATER = re.compile(rf"[^?;:]{{,{_OPENING}}}?(?<!\bso )(?<!\bnor )(?<!\bthan )\b{_NEXT}\b", re.IGNORECASE)
_COMMA = re.compile(rf"(?P<comma>,)\s+(?=(?:{_AFTER}\s+)?{_ASKING}\b|{_INVERTED}\b)", re.IGNORECASE)
_LISTED = re.compile(r"(?P<comma>,)\s+(?=(?:what|how)\b)", re.IGNORECASE)
# Where the facts at the start of a sentence may end; and a condition before a question.
_FACTS_END = re.compile(r"[:;,]\s+|\s-+\s|\s*[—–]\s*")
_CONDITIONAL = rf"(?:and\s+)?{_any(word_set('conditional'))}\b"
_CONDITION = re.compile(
    rf"{_CONDITIONAL}(?:\s+(?:so|not)\b,?\s*|[^,;?]*?(?:,\s*|\s(?=(?:{_ASKING}|{_VERB_FIRST})\b)))", re.IGNORECASE
)
# A clause that is not yet a question: a condition, or one whose last word must be followed by another.
_UNFINISHED = re.compile(rf"{_CONDITIONAL}|.*\b{_any(_CONNECTING | _INTERROGATIVES | {'to', 'nor'})}$", re.IGNORECASE)
_HAS_ASKED = re.compile(rf"\b{_INVERTED}\b", re.IGNORECASE)
# "Tell me what is due", "he wants to know whether ...", and a second question that depends on the same words.
_ASKED = rf"(?:{_AFTER}\s+){{,2}}(?:{_ASKING}|if|whether)\b"
_BESIDE = r"(?:,? (?:also|please|pray|first|too)\b,?|, [^,]{,20},)?"  # "tell me also", "tell me, sir, ..."
_TELL = rf"(?:{_any(word_set('telling'))}(?:\s+(?:me|us))?|(?:is|are) asked){_BESIDE}"
# Not "he would not tell me which it was".
_BEFORE_TELL = r"(?:^|[,;:—–]\s*|\b(?:please|kindly|and|you)\s+|\b(?=wonder|is|are)|(?<!wanted )\bto\s+(?=know|learn))"
_INDIRECT = re.compile(rf"{_BEFORE_TELL}{_TELL}\s+(?={_ASKED})", re.IGNORECASE)
_COURTESY = re.compile(r"(?:can|could|will|would)\s+", re.IGNORECASE)  # before "you tell me"
_INDIRECT_JOINT = re.compile(
    rf"(?:(?:[,;]?\s+(?:and|nor)|;)\s+(?:(?:also|then)\s+)?(?:{_TELL}\s+)?|,\s+(?=(?:whether|what|how)\b))"
    rf"(?={_ASKED},?\s+\w)",
    re.IGNORECASE,
)
# A sentence that begins with "who" needs no question mark; "what" or "how" after a comma is not a relative clause.
_WHO = re.compile(r"(?:and\s+)?who(?:se)?\s", re.IGNORECASE)
_WHAT = re.compile(r"(?:what|how)\s", re.IGNORECASE)
_PRICE = re.compile(r"at what (?:cost|penalty|price)\W*", re.IGNORECASE)  # "may he, and at what price?" is one question
# "When both have thrown down, is the hand over?" is one question as well.
_CIRCUMSTANCES = re.compile(
    rf"(?:{_CONDITIONAL}|(?:when|where)\b)\s+(?!{_any(_INVERTING)}\b)(?:(?!{_INVERTED}\b).){{,{_OPENING}}}",
    re.IGNORECASE,
)
_LISTS = re.compile(rf"(?:and\s+)?{_ASKING}\b", re.IGNORECASE)  # "who deals; how many points win; and what is due"
# Where the facts may end in a text without punctuation ("found a heart what is due", "they led can we").
_UNSTOPPED = re.compile(
    rf"(?<!\bso)(?<!\bnor)(?<!\bthan)\s+(?=(?:{_ASKING}\s+(?:\w+\s+)?{_INVERTED}|{_NEXT})\s)", re.IGNORECASE
)
_STOPS = (".", "!", "?")
_CLOSING = " )"
_SPEECH = re.compile('["“”]')
_WORD = re.compile(r"[^\W\d_]+")


def presented(sentence: str) -> tuple[list[str], list[str]]:
    """Split a sentence into the facts at its start and its questions, each as a sentence of its own.

    Without a question mark, only what cannot be anything else counts as a question.

    Args:
        sentence: a sentence as somebody typed it.
    Returns:
        The facts, at most one clause, and the questions; a sentence that asks nothing is all facts.
    """
    marked = sentence.rstrip(_CLOSING).endswith("?") or bool(_WHO.match(sentence))
    indirect, speech = _INDIRECT.search(sentence), _SPEECH.search(sentence)
    if not marked and speech and not (indirect and indirect.end() < speech.start()):
        return [sentence], []  # a quotation of what somebody said, or asked, at the table
    start = 0
    if indirect and (not marked or _COURTESY.fullmatch(sentence[: indirect.start()])):  # "tell me what is due, and why"
        first, *others = _INDIRECT_JOINT.split(sentence[indirect.end() :].rstrip("."))
        return [], [_question(sentence[: indirect.end()] + first), *map(_question, others)]
    if not asks(sentence, loose=marked, opening=True):
        # What follows a comma may be a relative clause ("who was looking on"), so it counts as a question only if the
        # sentence has a question mark and nothing else asks.
        ends = [m for m in _FACTS_END.finditer(sentence) if marked or "," not in m[0] or _WHAT.match(sentence, m.end())]
        sure = (m.end() for m in ends if asks(sentence[m.end() :], loose=marked and "," not in m[0], opening=True))
        end = next(sure, None) or next((m.end() for m in ends if asks(sentence[m.end() :], loose=marked)), None)
        if end is None and not sentence.endswith(_STOPS) and (unstopped := _UNSTOPPED.search(sentence)):
            end = unstopped.end()
        if end is None:
            return ([], [_question(sentence)]) if marked else ([sentence], [])
        start = end
    lead = sentence[:start].rstrip(" ,:;—–-")
    first, *others = _cut(sentence[start:], _JOINT, loose=marked)
    # "What is due, who may call, may we ...?" If there are only two parts, the first may be a condition, or the second
    # a relative clause.
    listed = _cut(first, _COMMA, loose=marked)
    if len(listed) == 2 and not others:
        listed = _cut(first, _LISTED, loose=marked) if _WHAT.match(first) else [first]
    return [f"{lead}."] if lead else [], [_question(part) for part in (*listed, *others)]


def asks(text: str, *, loose: bool, opening: bool = False) -> bool:
    """Whether a clause begins like a question: with a verb before its subject, perhaps after an interrogative.

    Args:
        text: the clause and the text after it.
        loose: accept such a verb without a subject after it, and an interrogative without such a verb ("who pays?").
        opening: the clause opens a sentence, where more verbs precede a noun only in a question ("is the deal lost").
    """
    words = [m[0].lower() for m in _WORD.finditer(_CONDITION.sub("", text.lstrip()[:_OPENING])[:80])]
    while words[:1] and words[0] in _BEFORE_IT and _INTERROGATIVES.intersection(words[1:3]):  # until when, up to what
        words = words[1:]
    words = words[1:] if words[:1] and words[0] in _CONNECTING else words
    if not words:
        return False
    if words[0] in _INVERTING:
        before_nouns = words[0] in _MODAL or (opening and words[0] not in _HAVING)
        return loose or any(w in _SUBJECTS or (before_nouns and w in _DETERMINERS) for w in words[1:2])
    if words[1:2] and words[1] in _ELLIPTIC:  # what about the cut
        return words[0] in _INTERROGATIVES
    subordinate = len(words) > 1 and words[1] in _SUBJECTS
    # "When hearts were led again" is not a question; "which card is led" is one.
    inverted = any(word in _INVERTING for word in words[1 : 2 if words[0] in _ADVERBS else 4])
    return words[0] in _INTERROGATIVES and not subordinate and (loose or inverted)


def _cut(questions: str, joint: re.Pattern[str], *, loose: bool) -> list[str]:
    """Split successive questions at each joint that has a question before it and a different one after it."""
    parts, at = [], 0
    for match in joint.finditer(questions):
        before, follows = questions[at : match.start()], questions[match.end() :]
        same = len(_WORD.findall(follows)) == 1 or _PRICE.fullmatch(follows)  # "and why?"
        clause = _FACTS_END.split(before)[-1]
        if match[0].isspace() and (_UNFINISHED.match(clause) or not _HAS_ASKED.search(clause)):
            continue
        # "Who pays" and "who may call" count as questions only beside each other.
        listed = ";" in match[0] and _LISTS.match(before) and _LISTS.match(follows)
        sure = loose and bool(match["comma"] or listed or (_WHO.match(before) and _WHO.match(follows)))
        later = match["comma"] and not re.match(_CONDITIONAL, clause, re.IGNORECASE) and _LATER.match(follows)
        asks_on = asks(follows, loose=sure, opening=True) or later
        if asks(before, loose=loose, opening=True) and asks_on and not same and not _CIRCUMSTANCES.fullmatch(before):
            parts.append(before)
            at = match.end()
    return [*parts, questions[at:]]


def _question(part: str) -> str:
    """Write a clause as a question, with a capital and a question mark."""
    words = part.strip(" ,;.?")
    return f"{words[:1].upper()}{words[1:]}?"
