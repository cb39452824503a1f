"""The answers: what each code rules on each question of a topic, and the words that decide.

A question is asked once: it has a home topic, and can be shown under other topics too. An answer rests on provisions
and their deciding words. A code is silent if the editor read it through for the question and it does not answer. An
answer also holds for a reprint of the code, if all provisions it rests on are reprinted there; so does a silence.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from extract.model import work_of
from kb.collation.quoted import carried_over, deciding_span
from kb.editorial.course import Step, in_a_line
from kb.editorial.files import Answer, Question, Topic
from kb.editorial.judgements import Judgements, Library, Row, full_id


@dataclass(frozen=True, slots=True)
class Given:
    """What a code answers to a question.

    Attributes:
        code: the id of the code.
        entry: its answer; None if it is silent.
        units: the provisions of the code on which the answer rests, one for each of `entry.rests_on`.
        source: the code for which the editor wrote it: the code itself, or the one that it reprints.
        unprinted: whether it is silent only in the book that prints it, which omits such rules.
    """

    code: str
    entry: Answer | None
    units: tuple[str, ...]
    source: str
    unprinted: bool = False

    @property
    def state(self) -> str:
        return "answered" if self.entry else "not printed" if self.unprinted else "silent"


def given(question: Question, library: Library, reprint: Mapping[str, str]) -> Iterator[Given]:
    """Yield what the codes answer to a question, oldest code first; nothing for a code that nobody judged.

    Args:
        question: the question.
        library: the codes and their units.
        reprint: the reprints of provisions.
    """
    found = []
    for code in library.codes:
        if code.id in question.silent:
            found.append(Given(code.id, None, (), code.id))
        elif answer := question.answer.get(code.id):
            found.append(Given(code.id, answer, answer.provisions, code.id))
        else:
            found += _of_reprint(question, code.id, reprint)
    kinds = {library.units[unit].kind for each in found for unit in each.units if unit in library.units}
    lacking = {code.id for code in library.codes if not code.lacks.isdisjoint(kinds)}
    for each in found:
        yield replace(each, unprinted=True) if each.entry is None and each.code in lacking else each


def _of_reprint(question: Question, code: str, reprint: Mapping[str, str]) -> list[Given]:
    """Return the answer or silence that a code takes over from the code it reprints, if any."""
    for other, answer in question.answer.items():
        units = tuple(reprint.get(unit, "") for unit in answer.provisions)
        if all(unit.startswith(f"{code}/") for unit in units):
            return [Given(code, answer, units, other)]
    others = {work_of(b) for a, b in reprint.items() if work_of(a) == code}
    return [Given(code, None, (), other) for other in question.silent if other in others][:1]


def answer_rows(said: Judgements, library: Library, reprint: Mapping[str, str]) -> dict[str, list[Row]]:
    """Return the rows of `question`, `question_topic`, `sister`, `distinction`, `answer` and `deciding`.

    Args:
        said, library: the editor's judgements, without faults, and what they are about.
        reprint: the reprints of provisions.
    """
    rows: dict[str, list[Row]] = {"question": [], "sister": [], "answer": [], "deciding": []}
    names = {code.id: code.name for code in library.codes}
    topics = {topic: file for topic, file in said.topics.items() if file.question}
    shown = {topic: [f"{topic}/{question.id}" for question in file.question] for topic, file in topics.items()}
    for topic, file in topics.items():
        for seq, question in enumerate(file.question):
            question_id = f"{topic}/{question.id}"
            answers = [*given(question, library, reprint)]
            course = in_a_line([
                Step(names[a.code], rule := a.entry.rule if a.entry else "", question.rules.get(rule, ""), a.unprinted)
                for a in answers
            ])  # fmt: skip
            rows["question"].append(
                {"id": question_id, "topic_id": topic, "label": question.label, "verdict": course, "seq": seq}
            )
            rows["sister"] += (
                {"question_id": question_id, "other_id": full_id(topic, sister), "seq": i}
                for i, sister in enumerate(question.sisters)
            )
            for answer in answers:
                key = {"question_id": question_id, "code_id": answer.code}
                rows["answer"].append(key | _answer(question, answer, reprint))
                rows["deciding"] += (key | words for words in _deciding(answer, library, reprint))
            for other in question.also:
                shown[other].append(question_id)
    return rows | {
        "distinction": list(_distinctions(topics)),
        "question_topic": [
            {"topic_id": topic, "question_id": question, "seq": i}
            for topic, questions in shown.items()
            for i, question in enumerate(questions)
        ],
    }


def _answer(question: Question, answer: Given, reprint: Mapping[str, str]) -> Row:
    """Return what the row of an answer says; what comes nearest in a silent code is carried over to its reprint."""
    entry, near, taken = answer.entry, question.near.get(answer.source), answer.source != answer.code
    nearest = near and (reprint.get(near.unit) if taken else near.unit)
    return {
        "state": answer.state,
        "rule": entry.rule if entry else None,
        "brief": question.rules[entry.rule] if entry else None,
        "summary": entry.summary if entry else "",
        "cites": json.dumps(list(dict.fromkeys(answer.units))),
        "near": nearest,
        "near_why": near.why if near and nearest else None,
        "reprint_of": answer.source if taken else None,
    }


def _deciding(answer: Given, library: Library, reprint: Mapping[str, str]) -> Iterator[Row]:
    """Yield what the rows of an answer's deciding words say; words that a changed text no longer has are null."""
    for seq, (unit_id, rest) in enumerate(
        zip(answer.units, answer.entry.rests_on if answer.entry else (), strict=True)
    ):
        text, quoted = library.units[unit_id].text, library.units[rest.unit].text
        span = deciding_span(rest.words, quoted)
        if span and unit_id != rest.unit:
            span = carried_over(span, quoted, text)
        words = " ".join(text[span.start : span.end].split()) if span else None
        yield {"seq": seq, "unit_id": unit_id, "words": words}


def _distinctions(topics: Mapping[str, Topic]) -> Iterator[Row]:
    """Yield the rows of `distinction`: for each question that a fact is shown on, the answers about the fact."""
    seq: Counter[str] = Counter()
    for topic, file in topics.items():
        for distinction in file.distinction:
            for name, (words, meant) in product(distinction.shown, distinction.answers.items()):
                question_id = full_id(topic, name)
                yield {
                    "question_id": question_id,
                    "seq": seq[question_id],
                    "fact": distinction.fact,
                    "answer": words,
                    "other_id": full_id(topic, meant.question),
                    "result": meant.result,
                }
                seq[question_id] += 1
