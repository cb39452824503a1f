"""All of the editor's judgements: the files in the corpus, and the database rows made from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from extract.corpus.table import Fault, read_if_there
from extract.errors import BookError
from extract.model import Span, Unit
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
        return tuple(topic for topic in self.topics if topic.said.facet)

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


def require_topics(said: Judgements, topics: Mapping[str, Iterable[str]]) -> None:
    """Raise a BookError if the files of topics do not match topics.toml.

    Args:
        said: the editor's judgements.
        topics: the principal questions of each topic of topics.toml.
    """
    for topic in said.topics:
        if topic.id not in topics:
            raise BookError(
                f"{topic.file}: there is no topic {topic.id!r} in topics.toml; add it there, or correct the name."
            )
    existing = question_labels(said)
    for answered in said.answered:
        if missing := [name for name in topics[answered.id] if question(answered.id, name) not in existing]:
            raise BookError(
                f"topics.toml: topic {answered.id!r}, key 'principal': there is no question "
                f"{question(answered.id, missing[0])!r}; correct the id."
            )


def question_labels(said: Judgements) -> dict[str, str]:
    """Return the questions of all topics, by id (`revoke/penalty`)."""
    return {f"{topic.id}/{facet.id}": facet.label for topic in said.topics for facet in topic.said.facet}


def question(topic: str, name: str) -> str:
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
    """Return the rows of `facet`, `facet_topic`, `distinction`, `cell`, `deciding` and `term`.

    Rows of `deciding` have a `span` of the text of their unit; `in_scan` converts it to offsets into the scan.

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
    rows: dict[str, list[Row]] = {"facet": [], "cell": [], "deciding": []}
    rows["facet_topic"] = list(_under_topics(said.answered))
    for topic in said.answered:
        topic_answers = _with_print(list(answers(topic, tuple(codes), twin)), units, lacks)
        for seq, facet in enumerate(topic.said.facet):
            facet_id = f"{topic.id}/{facet.id}"
            line = in_a_line([_step(answer, names) for answer in topic_answers if answer.facet is facet])
            rows["facet"].append(
                {"id": facet_id, "topic_id": topic.id, "label": facet.label, "verdict": line, "seq": seq}
            )
        for answer in topic_answers:
            rows["cell"].append(_cell(answer))
            entry = f"{answer.facet.id}, {answer.twin or answer.code}"
            try:
                rows["deciding"] += _deciding(
                    answer, homes[answer.code], units, twin, forgiving=(topic.file, entry) in stale
                )
            except Fault as fault:
                raise BookError(f"{topic.file}: facet {entry}: {fault}.") from fault
    asked = {row["id"] for row in rows["facet"]}
    rows["distinction"] = [row for topic in said.answered for row in _distinctions(topic, asked, tuple(names.values()))]
    return rows


def _distinctions(topic: JudgedTopic, asked: Collection[str], names: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of `distinction`: one for each answer about a fact, and for each further question.

    `names` are the names of the codes in a result, oldest first.
    """
    told_by: dict[str, tuple[str, ...]] = {}
    for n, distinction in enumerate(topic.said.distinction):
        inherited = told_by.setdefault(distinction.fact, tuple(distinction.told_by))
        named = [*distinction.answers.items(), *((None, name) for name in distinction.also)]
        if led := set(distinction.not_for).difference(m if isinstance(m, str) else m.question for _, m in named):
            raise BookError(f"{topic.file}: distinction {n + 1}, key 'not_for': no answer leads to {min(led)!r}.")
        for seq, (words, meant) in enumerate(named):
            name, result = (meant, None) if isinstance(meant, str) else (meant.question, meant.result)
            if (facet := question(topic.id, name)) not in asked:
                raise BookError(f"{topic.file}: distinction {n + 1}: there is no question {facet!r}; correct the id.")
            try:
                by_code(result or "", names)
            except ValueError as error:
                raise BookError(f"{topic.file}: distinction {n + 1}: the result of {words!r}: {error}.") from error
            yield {
                "id": f"{topic.id}/{n + 1}",
                "seq": seq,
                "fact": distinction.fact,
                "told_by": json.dumps(distinction.told_by or inherited, ensure_ascii=False),
                "words": words,
                "facet_id": facet,
                "asked": words is None or (facet.startswith(f"{topic.id}/") and name not in distinction.not_for),
                "result": result,
            }


def _under_topics(topics: Sequence[JudgedTopic]) -> Iterator[Row]:
    """Yield the rows of `facet_topic`: the topic's own questions in order, then those of other topics shown there."""
    shown = {topic.id: [f"{topic.id}/{facet.id}" for facet in topic.said.facet] for topic in topics}
    for topic in topics:
        for facet in topic.said.facet:
            for other in facet.also:
                if other == topic.id or other not in shown:
                    raise BookError(
                        f"{topic.file}: facet {facet.id!r}, key 'also': {other!r} is not another topic with answers; "
                        "correct the id."
                    )
                shown[other].append(f"{topic.id}/{facet.id}")
    for topic_id, facets in shown.items():
        yield from ({"topic_id": topic_id, "facet_id": facet, "seq": i} for i, facet in enumerate(facets))


def _with_print(
    given: Sequence[EditorsAnswer], units: Mapping[str, Unit], lacks: Mapping[str, Collection[str]]
) -> list[EditorsAnswer]:
    """Mark silent codes whose books omit the kind of provisions on which another code's answer rests."""
    kinds = {(answer.facet.id, units[unit].kind) for answer in given for unit in answer.units}
    return [
        replace(answer, unprinted=any((answer.facet.id, kind) in kinds for kind in lacks.get(answer.code, ())))
        if answer.cell is None else answer
        for answer in given
    ]  # fmt: skip


def _step(answer: EditorsAnswer, names: Mapping[str, str]) -> Step:
    rule = answer.cell.rule if answer.cell else ""
    return Step(names[answer.code], rule, answer.facet.rules.get(rule, ""), answer.unprinted)


def _cell(answer: EditorsAnswer) -> Row:
    cell = answer.cell
    return {
        "topic_id": answer.topic,
        "facet_id": f"{answer.topic}/{answer.facet.id}",
        "code_id": answer.code,
        "rule": cell.rule if cell else None,
        "brief": answer.facet.rules[cell.rule] if cell else None,
        "summary": cell.summary if cell else "",
        "cites": json.dumps(list(dict.fromkeys(answer.units))),
        "twin": answer.twin,
        "unprinted": answer.unprinted,
    }


def _deciding(
    answer: EditorsAnswer,
    home: tuple[str, ...],
    units: Mapping[str, Unit],
    twin: Mapping[str, str],
    *,
    forgiving: bool,
) -> Iterator[Row]:
    """Yield the rows of `deciding` for a cell; if it is stale (`forgiving`), deciding words may be missing."""
    rests_on = answer.cell.rests_on if answer.cell else ()
    for seq, (unit_id, rest) in enumerate(zip(answer.units, rests_on, strict=True)):
        unit = units[unit_id]
        if (unit.code_id or unit.book_id) not in home:
            raise Fault(f"{unit_id} belongs to another code; correct the id, or delete the entry")
        quoted = units[twin[unit_id]].text if answer.twin else unit.text
        span = deciding_span(rest.words, quoted)
        if span is None and not forgiving:
            raise Fault(f"{unit_id} does not contain the words {rest.words!r}; copy them exactly from its text")
        if span and answer.twin:
            span = carried_over(span, quoted, unit.text)
        yield {
            "facet_id": f"{answer.topic}/{answer.facet.id}",
            "code_id": answer.code,
            "seq": seq,
            "unit_id": unit_id,
            "words": " ".join(unit.text[span.start : span.end].split()) if span else None,
            "span": span,
        }


def in_scan(deciding: Iterable[Row], to_scan: Callable[[str, Span], Span]) -> Iterator[Row]:
    """Yield rows of `deciding` with the offsets of their words into the scan.

    Args:
        deciding: the rows, as returned by `answer_rows`.
        to_scan: converts a span of a unit's text, given by id, to a span of the scan.
    """
    for row in deciding:
        span = row.pop("span")
        place = to_scan(row["unit_id"], span) if span else None
        yield row | {"raw_start": place.start if place else None, "raw_end": place.end if place else None}
