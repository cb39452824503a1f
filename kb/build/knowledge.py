"""What is known beyond the single book: concepts, links, what the editor says of provisions, and drafts of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from extract.corpus.book import Book
from extract.model import PROVISIONS, Edition, Unit
from extract.text.textlayer import TextLayer
from kb.alignment.descent import borrowings, families
from kb.alignment.links import propose
from kb.build.load import Knowledge, Row
from kb.concepts.outcomes import read_outcomes
from kb.concepts.passages import passages
from kb.concepts.tagging import Concept, Tag, TaggedText, Tagger, Topic, read_thesaurus, read_topics, tag_units
from kb.drafts.drafts import Drafts
from kb.drafts.families import DraftGround
from kb.drafts.reading import Reader, require_terms_known
from kb.editorial.concordance import Judged, judge, require_members
from kb.editorial.digests import case_rows, require_applied
from kb.editorial.glosses import with_twins
from kb.editorial.judgements import AnswerPlace, Judgements, answer_rows, read_judgements, require_topics
from kb.editorial.provisions import require_known
from kb.editorial.vocabulary import FILE as VOCABULARY
from kb.editorial.vocabulary import read_vocabulary


def gather(corpus: Path, books: Sequence[Book], editions: Sequence[Edition], *, unaided: bool) -> Knowledge:
    """Tag concepts, propose links, lay what the editor says over them, and draft what he has not answered.

    Args:
        corpus: the corpus, for thesaurus, topics and the editor's judgements.
        books: the books.
        editions: their editions, in the same order.
        unaided: leave the editor's judgements aside.
    Returns:
        The rows of concepts, links, topics and answers.
    Raises:
        BookError: one of the corpus files is not what it must be.
    """
    concepts = read_thesaurus(corpus / "thesaurus.toml")
    topics = read_topics(corpus / "topics.toml", concepts)
    tagger = Tagger(concepts)
    texts = [t for e in editions for t in passages(e.units, TextLayer(e.scan, e.edits))]
    tags = tag_units(texts, tagger)
    units = [unit for edition in editions for unit in edition.units]
    codes = [c.id for c in sorted((c for b in books for c in b.codes), key=lambda c: (c.year, c.id))]
    outcomes = read_outcomes(corpus / "library.toml")
    proposed = propose(units, tags, concepts, codes, outcomes)
    vocabulary = read_vocabulary(corpus / VOCABULARY)
    require_terms_known(vocabulary, (concept.id for concept in concepts), outcomes)
    said = Judgements(vocabulary=vocabulary) if unaided else read_judgements(corpus)
    require_topics(said, (topic.id for topic in topics))
    known = {unit.id for unit in units}
    require_known(said.bases, known)
    require_members(said.concordance, known)
    require_applied(said.digests, known)
    place = {code: i for i, code in enumerate(codes)}
    judged = judge(proposed, said.concordance, sorted(units, key=lambda u: (place.get(u.code_id or "", -1), u.seq)))
    drafts = Drafts(
        DraftGround(units, {text.unit_id: text for text in texts}, tags, judged.links, codes, concepts),
        tagger,
        Reader(vocabulary, outcomes),
        {code.id: code.short for book in books for code in book.codes},
    )
    answers = _answer_rows(said, books, units, judged, texts, drafts.rows(_unanswered(topics, said)))
    return Knowledge(
        tuple({"concept_id": c.id, "label": x, "role": role} for c in concepts for x, role in c.labels),
        _tag_rows(tags),
        _concept_rows(concepts, topics)
        | _judged_rows(judged, said)
        | _descent_rows(units, codes, judged)
        | {"gloss": [{"unit_id": i, "words": words} for i, words in with_twins(said.glosses, judged.twin)]}
        | case_rows(said.digests, editions, judged.twin)
        | _with_concepts(answers, tagger),
    )


def _concept_rows(concepts: Iterable[Concept], topics: Sequence[Topic]) -> dict[str, list[Row]]:
    return {
        "concept_pattern": [{"concept_id": c.id, "pattern": p} for c in concepts for p in dict.fromkeys(c.patterns)],
        "concept": [{"id": c.id, "label": c.label, "note": c.note, "broader": c.broader} for c in concepts],
        "topic": [
            {"id": t.id, "label": t.label, "concept_id": t.concepts[0], "note": t.note, "seq": i}
            for i, t in enumerate(topics)
        ],
        "topic_concept": [{"topic_id": t.id, "concept_id": c} for t in topics for c in t.concepts],
    }


def _judged_rows(judged: Judged, said: Judgements) -> dict[str, list[Row]]:
    return {
        "link": [asdict(row) for row in judged.links],
        "closed": [{"unit_id": unit_id, "code_id": code} for unit_id, code in judged.closed],
        "topic_unit": [
            {"topic_id": matter.topic, "unit_id": unit_id, "seq": i}
            for matter in said.concordance.matter
            for i, unit_id in enumerate(dict.fromkeys(_with_twins(matter.members, judged.twin)))
        ],
        "unused": [{"unit_id": entry.provision, "reason": entry.reason} for entry in said.concordance.unused],
        "basis": [asdict(basis) for basis in said.bases],
    }


def _descent_rows(units: Iterable[Unit], codes: Iterable[str], judged: Judged) -> dict[str, list[Row]]:
    texts: dict[str, dict[str, str]] = {code: {} for code in codes}
    for unit in units:
        if unit.kind in PROVISIONS and unit.code_id in texts:
            texts[unit.code_id][unit.id] = unit.text
    provisions = {code: tuple(found) for code, found in texts.items()}
    every = {unit_id: text for found in texts.values() for unit_id, text in found.items()}
    return {
        "borrowing": [asdict(row) for row in borrowings(provisions, judged.links)],
        "family": [asdict(row) for row in families(provisions, judged.links, every)],
    }


def _with_twins(members: Iterable[str], twin: Mapping[str, str]) -> Iterator[str]:
    for unit_id in members:
        yield unit_id
        if unit_id in twin:
            yield twin[unit_id]


def _unanswered(topics: Iterable[Topic], said: Judgements) -> Iterator[Topic]:
    """The topics on which the editor has written nothing: a draft beside his own words would only mislead."""
    answered = {topic.id for topic in said.topics}
    return (topic for topic in topics if topic.id not in answered)


def _answer_rows(
    said: Judgements,
    books: Iterable[Book],
    units: Iterable[Unit],
    judged: Judged,
    texts: Iterable[TaggedText],
    drafted: Mapping[str, list[Row]],
) -> dict[str, list[Row]]:
    homes = {code.id: book.id for book in books for code in book.codes}
    works = {unit.id: unit.code_id or unit.book_id for unit in units}
    places = {text.unit_id: AnswerPlace(works[text.unit_id], text.text, text.to_scan) for text in texts}
    rows = answer_rows(said, homes, judged.twin, places)
    return {table: [*given, *drafted.get(table, ())] for table, given in rows.items()}


def _with_concepts(rows: dict[str, list[Row]], tagger: Tagger) -> dict[str, list[Row]]:
    """The rows of answers with what each question, and whoever puts it, speaks of."""
    said = [(row["id"], row["label"]) for row in rows["facet"]]
    said += [(row["facet_id"], row["words"]) for row in rows["telling"]]
    spoken = dict.fromkeys((facet, concept) for facet, words in said for concept, _ in tagger.find(words))
    return rows | {"facet_concept": [{"facet_id": facet, "concept_id": concept} for facet, concept in spoken]}


def _tag_rows(tags: Sequence[Tag]) -> tuple[Row, ...]:
    """One row for each place where a unit speaks of a concept."""
    places = {(t.unit_id, t.concept_id, t.raw_start): t for t in tags}
    return tuple(
        {"unit_id": t.unit_id, "concept_id": t.concept_id, "raw_start": t.raw_start, "raw_end": t.raw_end}
        for t in places.values()
    )
