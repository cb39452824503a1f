"""All that the editor says of provisions: his files of the corpus, and the rows they give."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from extract.corpus.table import Fault
from extract.errors import BookError
from extract.model import Span
from kb.collation.quoted import carried_over, deciding_span
from kb.editorial.answers import FOLDER, EditorsAnswer, JudgedTopic, answers, read_topic_files
from kb.editorial.concordance import FILE, Concordance, VerdictFile, joined, read_concordance
from kb.editorial.course_line import Step, in_a_line
from kb.editorial.digests import FILE as DIGESTS
from kb.editorial.digests import Digest, read_digests
from kb.editorial.glosses import FILE as GLOSSES
from kb.editorial.glosses import Gloss, read_glosses
from kb.editorial.provisions import READ, Basis, ProvisionEntry, bases, plain, read_readings
from kb.editorial.vocabulary import FILE as VOCABULARY
from kb.editorial.vocabulary import AnswerVocabulary, read_vocabulary

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """A unit on which an answer may rest: its work (its code, or else its book), and its text."""

    work: str
    text: str


@dataclass(frozen=True, slots=True)
class Judgements:
    """The editor's files: verdicts on links, answers by topic, glosses, digests, and what all of them rest on."""

    concordance: Concordance = field(default_factory=Concordance)
    topics: tuple[JudgedTopic, ...] = ()
    vocabulary: AnswerVocabulary = field(default_factory=AnswerVocabulary)
    glosses: tuple[Gloss, ...] = ()
    digests: tuple[Digest, ...] = ()
    bases: tuple[Basis, ...] = ()

    @property
    def answered(self) -> tuple[JudgedTopic, ...]:
        """The topics that have questions."""
        return tuple(topic for topic in self.topics if topic.facets)


def read_judgements(corpus: Path) -> Judgements:
    """Read what the editor says of provisions.

    Raises:
        BookError: a file cannot be read or is not what it must be.
    """
    whole = read_concordance(corpus / FILE)
    vocabulary = read_vocabulary(corpus / VOCABULARY)
    topics = read_topic_files(corpus / FOLDER, vocabulary)
    readings = read_readings(corpus / READ)
    glosses = read_glosses(corpus / GLOSSES)
    digests = read_digests(corpus / DIGESTS)
    files: dict[str, VerdictFile] = {FILE: whole} | {topic.file: topic.said for topic in topics}
    said = joined(whole.twins, files, {topic.id: topic.said.members for topic in topics})
    named: list[tuple[str, Iterable[tuple[str, ProvisionEntry]]]] = [
        (FILE, whole.verdicts),
        *((topic.file, topic.entries) for topic in topics),
        (GLOSSES, ((f"gloss {i}", entry) for i, entry in enumerate(glosses, 1))),
        (DIGESTS, ((f"digest {i}", entry) for i, entry in enumerate(digests, 1))),
    ]
    rests = tuple(basis for file, entries in named for basis in bases(file, entries, readings))
    return Judgements(said, topics, vocabulary, glosses, digests, rests)


def require_members(said: Judgements, ids: Collection[str]) -> None:
    """Raise a BookError where a topic names a provision that does not exist."""
    for topic in said.topics:
        if unknown := [member for member in topic.said.members if member not in ids]:
            raise BookError(f"{topic.file}: key 'members': there is no unit {unknown[0]!r}; correct the id.")


def require_topics(said: Judgements, topics: Mapping[str, Iterable[str]]) -> None:
    """Raise a BookError where the files of topics and topics.toml do not fit each other.

    Args:
        said: the editor's files.
        topics: of each topic of topics.toml its principal questions.
    """
    for topic in said.topics:
        if topic.id not in topics:
            raise BookError(
                f"{topic.file}: there is no topic {topic.id!r} in topics.toml; add it there, or correct the name."
            )
    asked = {f"{topic.id}/{facet.id}" for topic in said.topics for facet in topic.facets}
    for answered in said.answered:
        if gone := [name for name in topics[answered.id] if question(answered.id, name) not in asked]:
            raise BookError(
                f"topics.toml: there is no question {question(answered.id, gone[0])!r}, which is a principal one of "
                f"{answered.id!r}; correct its id."
            )


def question(topic: str, name: str) -> str:
    """The id of a question that a topic names: one of its own by its name alone, another's with its home before it."""
    return name if "/" in name else f"{topic}/{name}"


def answer_rows(
    said: Judgements,
    codes: Mapping[str, str],
    names: Mapping[str, str],
    twin: Mapping[str, str],
    places: Callable[[str], AnswerPlace],
) -> dict[str, list[Row]]:
    """The rows of the tables `facet`, `facet_topic`, `telling`, `cell`, `deciding` and `term`.

    Those of `deciding` have a `span` of the text of their unit; `in_scan` tells where that stands in the scan.

    Args:
        said: the editor's files.
        codes: the book of each code, the oldest code first.
        names: what each code is called in the line that tells the course of a rule: its year.
        twin: the twins of provisions.
        places: tells the unit of an id.
    Raises:
        BookError: a code is named that does not exist, or words that do not stand in their provision.
    """
    homes = {code: (code, book) for code, book in codes.items()}
    now = {unit_id: plain(places(unit_id).text) for unit_id in {b.unit_id for b in said.bases}}
    stale = {(b.file, b.entry) for b in said.bases if b.read and plain(b.read) != now[b.unit_id]}
    rows: dict[str, list[Row]] = {"facet": [], "telling": [], "cell": [], "deciding": []}
    rows["facet_topic"] = list(_under_topics(said.answered))
    for topic in said.answered:
        given: dict[str, list[EditorsAnswer]] = {}
        for answer in answers(topic, tuple(codes), twin):
            given.setdefault(answer.facet, []).append(answer)
        rows["facet"] += (
            {
                "id": facet,
                "topic_id": topic.id,
                "label": f.label,
                "verdict": _line(given.get(facet, ()), names),
                "seq": i,
            }
            for i, f in enumerate(topic.facets)
            for facet in [f"{topic.id}/{f.id}"]
        )
        rows["telling"] += (
            {"facet_id": f"{topic.id}/{f.id}", "seq": i, "words": words}
            for f in topic.facets
            for i, words in enumerate(f.asked)
        )
        for answer in chain.from_iterable(given.values()):
            rows["cell"].append(_cell(answer))
            entry = f"{answer.facet.partition('/')[2]}, {answer.twin or answer.code}"
            try:
                rows["deciding"] += _deciding(
                    answer, homes[answer.code], places, twin, forgiving=(topic.file, entry) in stale
                )
            except Fault as fault:
                raise BookError(f"{topic.file}: facet {entry}: {fault}.") from fault
    rows["term"] = [
        {"kind": kind, "term": term.term, "note": term.note}
        for kind in AnswerVocabulary.model_fields
        for term in getattr(said.vocabulary, kind)
    ]
    return rows


def _under_topics(topics: Sequence[JudgedTopic]) -> Iterator[Row]:
    """The questions of each topic: its own in their order, then those of other topics that are shown there too."""
    shown = {topic.id: [f"{topic.id}/{facet.id}" for facet in topic.facets] for topic in topics}
    for topic in topics:
        for facet in topic.facets:
            for other in facet.also:
                if other == topic.id or other not in shown:
                    raise BookError(
                        f"{topic.file}: facet {facet.id!r}: {other!r} is no other topic with answers; correct `also`."
                    )
                shown[other].append(f"{topic.id}/{facet.id}")
    for topic_id, facets in shown.items():
        yield from ({"topic_id": topic_id, "facet_id": facet, "seq": i} for i, facet in enumerate(facets))


def _line(given: Iterable[EditorsAnswer], names: Mapping[str, str]) -> str:
    return in_a_line([Step(names[answer.code], answer.rule, answer.brief) for answer in given])


def _cell(answer: EditorsAnswer) -> Row:
    return {
        "topic_id": answer.topic,
        "facet_id": answer.facet,
        "code_id": answer.code,
        "rule": answer.rule or None,
        "brief": answer.brief or None,
        "summary": answer.summary,
        "value": json.dumps(answer.value.said(), ensure_ascii=False) if answer.value else None,
        "cites": json.dumps(list(dict.fromkeys(unit for unit, _ in answer.rests_on))),
        "source": "editor",
        "twin": answer.twin,
    }


def _deciding(
    answer: EditorsAnswer,
    home: tuple[str, ...],
    places: Callable[[str], AnswerPlace],
    twin: Mapping[str, str],
    *,
    forgiving: bool,
) -> Iterator[Row]:
    """What a cell rests on, with the deciding words in the scan; of a stale one, those that are still there."""
    for seq, (unit_id, words) in enumerate(answer.rests_on):
        place = places(unit_id)
        if place.work not in home:
            raise Fault(f"{unit_id} belongs to another code; take it out, or correct the id")
        quoted = places(twin[unit_id]).text if answer.twin else place.text
        span = deciding_span(words, quoted)
        if span is None and not forgiving:
            raise Fault(f"{unit_id} does not read {words!r}; copy its words as it reads")
        if span and answer.twin:
            span = carried_over(span, quoted, place.text)
        yield {
            "facet_id": answer.facet,
            "code_id": answer.code,
            "seq": seq,
            "unit_id": unit_id,
            "words": " ".join(place.text[span.start : span.end].split()) if span else None,
            "span": span,
        }


def in_scan(deciding: Iterable[Row], to_scan: Callable[[str, Span], Span]) -> Iterator[Row]:
    """Rows of `deciding` with the places of their words in the scan.

    Args:
        deciding: the rows, as `answer_rows` has them.
        to_scan: where a span of a unit's text stands in the scan.
    """
    for row in deciding:
        span = row.pop("span")
        place = to_scan(row["unit_id"], span) if span else None
        yield row | {"raw_start": place.start if place else None, "raw_end": place.end if place else None}
