"""All of the editor's judgements: the files in the corpus, and the database rows made from them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from extract.corpus.table import Fault, read_if_there
from extract.errors import BookError
from extract.model import Unit
from kb.collation.quoted import carried_over, deciding_span
from kb.editorial.answers import FOLDER, EditorsAnswer, JudgedTopic, answers, read_topic_files
from kb.editorial.concordance import FILE, ConcordanceFile
from kb.editorial.course_line import Step, by_code, in_a_line
from kb.editorial.digests import FILE as DIGESTS
from kb.editorial.digests import Digest, DigestFile
from kb.editorial.glosses import FILE as GLOSSES
from kb.editorial.glosses import GlossFile
from kb.editorial.provisions import READ, Basis, EditorFile, ProvisionEntry, Readings, bases, plain, require_judged_once
from kb.editorial.twins import TwinCodes

Row = dict[str, Any]
_ENTRY = TypeVar("_ENTRY", bound=ProvisionEntry)


@dataclass(frozen=True, slots=True)
class Judgements:
    """All of the editor's judgements on provisions.

    Attributes:
        files: the editor's files, by name.
        twins: the pairs of twin codes.
        topics: the topics, in the order of their ids.
        bases: the provisions that the entries of all files rest on.
    """

    files: Mapping[str, EditorFile] = field(default_factory=dict)
    twins: tuple[TwinCodes, ...] = ()
    topics: tuple[JudgedTopic, ...] = ()
    bases: tuple[Basis, ...] = ()

    @property
    def answered(self) -> tuple[JudgedTopic, ...]:
        """The topics that have questions."""
        return tuple(topic for topic in self.topics if topic.said.question)

    def every(self, kind: type[_ENTRY]) -> tuple[_ENTRY, ...]:
        """The entries of one kind in all files."""
        return tuple(entry for said in self.files.values() for _, entry in said.listed if isinstance(entry, kind))

    def named(self) -> Iterator[tuple[str, str]]:
        """Yield each place in the files that names a unit, with the unit's id."""
        for basis in self.bases:
            yield f"{basis.file}: {basis.entry}", basis.unit_id
        for topic in self.topics:
            yield from ((f"{topic.file}: key 'members'", member) for member in topic.said.members)
        for i, digest in enumerate(self.every(Digest), 1):
            yield from ((f"{DIGESTS}: digest {i}, key 'applies'", applied) for applied in digest.applies)


def read_judgements(corpus: Path) -> Judgements:
    """Read all of the editor's judgements on provisions.

    Raises:
        BookError: a file cannot be read or is invalid, or two entries judge the same.
    """
    concordance = read_if_there(corpus / FILE, ConcordanceFile)
    topics = read_topic_files(corpus / FOLDER)
    files: dict[str, EditorFile] = {
        FILE: concordance,
        **topics,
        GLOSSES: read_if_there(corpus / GLOSSES, GlossFile),
        DIGESTS: read_if_there(corpus / DIGESTS, DigestFile),
    }
    require_judged_once(files)
    readings = read_if_there(corpus / READ, Readings).read
    judged = tuple(JudgedTopic(Path(file).stem, file, said) for file, said in topics.items())
    return Judgements(files, concordance.twins, judged, bases(files, readings))


def require_topics(said: Judgements, topics: Container[str]) -> None:
    """Raise a BookError if a file of a topic does not belong to one of topics.toml.

    Args:
        said: the editor's judgements.
        topics: the ids of the topics of topics.toml.
    """
    for topic in said.topics:
        if topic.id not in topics:
            raise BookError(
                f"{topic.file}: there is no topic {topic.id!r} in topics.toml; add it there, or correct the name."
            )


def question_labels(said: Judgements) -> dict[str, str]:
    """Return the questions of all topics, by id (`revoke/penalty`)."""
    return {f"{topic.id}/{question.id}": question.label for topic in said.topics for question in topic.said.question}


def full_id(topic: str, name: str) -> str:
    """Return the id of a question named in a topic's file; a name without a home topic is the topic's own question."""
    return name if "/" in name else f"{topic}/{name}"


def answer_rows(
    said: Judgements,
    codes: Mapping[str, str],
    names: Mapping[str, str],
    twin: Mapping[str, str],
    units: Mapping[str, Unit],
    lacks: Mapping[str, Collection[str]],
) -> dict[str, list[Row]]:
    """Return the rows of `question`, `question_topic`, `distinction`, `sister`, `answer` and `deciding`.

    Args:
        said: the editor's judgements.
        codes: the book of each code, the oldest code first.
        names: the name of each code in the course line of a rule: its year.
        twin: the twins of provisions.
        units: the units by id, without those that continue another.
        lacks: for each code, the kinds of provisions that its book does not print.
    Raises:
        BookError: a code is named that does not exist, or the deciding words are not in their provision.
    """
    homes = {code: (code, book) for code, book in codes.items()}
    current = {unit_id: plain(units[unit_id].text) for unit_id in {b.unit_id for b in said.bases}}
    stale = {(b.file, b.entry) for b in said.bases if b.read and plain(b.read) != current[b.unit_id]}
    rows: dict[str, list[Row]] = {"question": [], "answer": [], "deciding": []}
    rows["question_topic"] = list(_under_topics(said.answered))
    for topic in said.answered:
        topic_answers = _with_print(list(answers(topic, tuple(codes), twin)), units, lacks)
        for seq, question in enumerate(topic.said.question):
            question_id = f"{topic.id}/{question.id}"
            line = in_a_line([_step(answer, names) for answer in topic_answers if answer.question is question])
            rows["question"].append(
                {"id": question_id, "topic_id": topic.id, "label": question.label, "verdict": line, "seq": seq}
            )
        for answer in topic_answers:
            entry = f"{answer.question.id}, {answer.twin or answer.code}"
            try:
                rows["answer"].append(_answer(answer, homes[answer.code], units, twin))
                rows["deciding"] += _deciding(
                    answer, homes[answer.code], units, twin, forgiving=(topic.file, entry) in stale
                )
            except Fault as fault:
                raise BookError(f"{topic.file}: question {entry}: {fault}.") from fault
    ids = {row["id"] for row in rows["question"]}
    rows["distinction"] = list(_distinctions(said.answered, ids, tuple(names.values())))
    rows["sister"] = [row for topic in said.answered for row in _sisters(topic, ids)]
    return rows


def _distinctions(topics: Iterable[JudgedTopic], questions: Collection[str], names: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of `distinction`: for each question that a fact is shown on, the answers about the fact.

    `names` are the names of the codes in a result, oldest first.
    """
    seq: Counter[str] = Counter()
    for topic, n, distinction in ((t, n, d) for t in topics for n, d in enumerate(t.said.distinction, 1)):
        for name, (words, meant) in product(distinction.shown, distinction.answers.items()):
            ends = full_id(topic.id, name), full_id(topic.id, meant.question)
            if unknown := [question for question in ends if question not in questions]:
                raise BookError(f"{topic.file}: distinction {n}: there is no question {unknown[0]!r}; correct the id.")
            try:
                by_code(meant.result or "", names)
            except ValueError as error:
                raise BookError(f"{topic.file}: distinction {n}: the result of {words!r}: {error}.") from error
            yield {
                "question_id": ends[0],
                "seq": seq[ends[0]],
                "fact": distinction.fact,
                "answer": words,
                "other_id": ends[1],
                "result": meant.result,
            }
            seq[ends[0]] += 1


def _sisters(topic: JudgedTopic, questions: Collection[str]) -> Iterator[Row]:
    """Yield the rows of `sister`."""
    for question in topic.said.question:
        for seq, name in enumerate(question.sisters):
            if (other := full_id(topic.id, name)) not in questions:
                raise BookError(
                    f"{topic.file}: question {question.id!r}, key 'sisters': there is no question {other!r}; "
                    "correct the id."
                )
            yield {"question_id": f"{topic.id}/{question.id}", "other_id": other, "seq": seq}


def _under_topics(topics: Sequence[JudgedTopic]) -> Iterator[Row]:
    """Yield the rows of `question_topic`: a topic's own questions in order, then those of others shown there."""
    shown = {topic.id: [f"{topic.id}/{question.id}" for question in topic.said.question] for topic in topics}
    for topic in topics:
        for question in topic.said.question:
            for other in question.also:
                if other == topic.id or other not in shown:
                    raise BookError(
                        f"{topic.file}: question {question.id!r}, key 'also': {other!r} is not another topic with "
                        "answers; correct the id."
                    )
                shown[other].append(f"{topic.id}/{question.id}")
    for topic_id, questions in shown.items():
        yield from ({"topic_id": topic_id, "question_id": question, "seq": i} for i, question in enumerate(questions))


def _with_print(
    given: Sequence[EditorsAnswer], units: Mapping[str, Unit], lacks: Mapping[str, Collection[str]]
) -> list[EditorsAnswer]:
    """Mark silent codes whose books omit the kind of provisions on which another code's answer rests."""
    kinds = {(answer.question.id, units[unit].kind) for answer in given for unit in answer.units}
    return [
        replace(answer, unprinted=any((answer.question.id, kind) in kinds for kind in lacks.get(answer.code, ())))
        if answer.entry is None else answer
        for answer in given
    ]  # fmt: skip


def _step(given: EditorsAnswer, names: Mapping[str, str]) -> Step:
    rule = given.entry.rule if given.entry else ""
    return Step(names[given.code], rule, given.question.rules.get(rule, ""), given.unprinted)


def _answer(given: EditorsAnswer, home: tuple[str, ...], units: Mapping[str, Unit], twin: Mapping[str, str]) -> Row:
    """Return the row of `answer`; what comes nearest in a silent code is carried over to its reprint."""
    entry, near = given.entry, given.question.near.get(given.twin or given.code)
    nearest = near and (twin.get(near.unit) if given.twin else near.unit)
    if nearest:
        _require_home(nearest, home, units)
    return {
        "question_id": f"{given.topic}/{given.question.id}",
        "code_id": given.code,
        "state": "answered" if entry else "not printed" if given.unprinted else "silent",
        "rule": entry.rule if entry else None,
        "brief": given.question.rules[entry.rule] if entry else None,
        "summary": entry.summary if entry else "",
        "cites": json.dumps(list(dict.fromkeys(given.units))),
        "near": nearest,
        "near_why": near.why if near and nearest else None,
        "reprint_of": given.twin,
    }


def _require_home(unit_id: str, home: tuple[str, ...], units: Mapping[str, Unit]) -> None:
    """Require that a unit exists, and belongs to a code or, outside its codes, to the book that prints it (`home`)."""
    unit = units.get(unit_id)
    if unit is None:
        raise Fault(f"there is no unit {unit_id!r}; correct the id")
    if (unit.code_id or unit.book_id) not in home:
        raise Fault(f"{unit_id} belongs to another code; correct the id, or delete the entry")


def _deciding(
    answer: EditorsAnswer,
    home: tuple[str, ...],
    units: Mapping[str, Unit],
    twin: Mapping[str, str],
    *,
    forgiving: bool,
) -> Iterator[Row]:
    """Yield the rows of `deciding` for an answer; if it is stale (`forgiving`), deciding words may be missing."""
    rests_on = answer.entry.rests_on if answer.entry else ()
    for seq, (unit_id, rest) in enumerate(zip(answer.units, rests_on, strict=True)):
        _require_home(unit_id, home, units)
        unit = units[unit_id]
        quoted = units[twin[unit_id]].text if answer.twin else unit.text
        span = deciding_span(rest.words, quoted)
        if span is None and not forgiving:
            raise Fault(f"{unit_id} does not contain the words {rest.words!r}; copy them exactly from its text")
        if span and answer.twin:
            span = carried_over(span, quoted, unit.text)
        yield {
            "question_id": f"{answer.topic}/{answer.question.id}",
            "code_id": answer.code,
            "seq": seq,
            "unit_id": unit_id,
            "words": " ".join(unit.text[span.start : span.end].split()) if span else None,
        }
