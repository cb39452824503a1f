"""What is known beyond the single book: concepts, links, what the editor says of provisions, and drafts of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

from extract.corpus.book import Book
from extract.model import PROVISIONS, Edition, Unit
from extract.text.textlayer import TextLayer
from kb.alignment.descent import borrowings, families
from kb.alignment.links import LinkRow, propose
from kb.build import fingerprint, serialisation
from kb.build.cache import Cache
from kb.build.load import Knowledge, Row
from kb.concepts.outcomes import Outcomes, read_outcomes
from kb.concepts.passages import passages
from kb.concepts.tagging import Concept, Tag, TaggedText, Tagger, Topic, read_topics
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

LIBRARY = "library.toml"


@dataclass(frozen=True, slots=True)
class BuildGround:
    """What is known before any edition is made: the files of the corpus on concepts, topics and provisions."""

    concepts: tuple[Concept, ...]
    topics: tuple[Topic, ...]
    outcomes: Outcomes
    said: Judgements
    library: str | None
    """The digest of library.toml, which has the words of `outcomes`; None if it cannot be told."""


def read_ground(corpus: Path, concepts: tuple[Concept, ...], *, unaided: bool) -> BuildGround:
    """Read what is said of topics and provisions.

    Args:
        corpus: the corpus.
        concepts: its thesaurus.
        unaided: leave the editor's judgements aside.
    Raises:
        BookError: one of the corpus files is not what it must be.
    """
    topics = read_topics(corpus / "topics.toml", concepts)
    outcomes = read_outcomes(corpus / LIBRARY)
    vocabulary = read_vocabulary(corpus / VOCABULARY)
    require_terms_known(vocabulary, (concept.id for concept in concepts), outcomes)
    said = Judgements(vocabulary=vocabulary) if unaided else read_judgements(corpus)
    require_topics(said, (topic.id for topic in topics))
    return BuildGround(concepts, topics, outcomes, said, fingerprint.of_files([corpus / LIBRARY]))


def gather(
    ground: BuildGround,
    books: Sequence[Book],
    editions: Sequence[Edition],
    tags: Sequence[Tag],
    cache: Cache | None = None,
) -> Knowledge:
    """Propose links, lay what the editor says over them, and draft what he has not answered.

    Args:
        ground: what the files of the corpus say.
        books: the books.
        editions: their editions, in the same order.
        tags: what their units speak of, sorted.
        cache: where links are kept, and what the editor's questions speak of.
    Returns:
        The rows of concepts, links, topics and answers.
    Raises:
        BookError: one of the corpus files does not fit the editions.
    """
    concepts, topics, said = ground.concepts, ground.topics, ground.said
    texts = [t for e in editions for t in passages(e.units, TextLayer(e.scan, e.edits))]
    units = [unit for edition in editions for unit in edition.units]
    codes = [c.id for c in sorted((c for b in books for c in b.codes), key=lambda c: (c.year, c.id))]
    proposed = _links(ground, units, tags, codes, cache)
    known = {unit.id for unit in units}
    require_known(said.bases, known)
    require_members(said.concordance, known)
    require_applied(said.digests, known)
    place = {code: i for i, code in enumerate(codes)}
    judged = judge(proposed, said.concordance, sorted(units, key=lambda u: (place.get(u.code_id or "", -1), u.seq)))
    drafts = Drafts(
        DraftGround(units, {text.unit_id: text for text in texts}, tags, judged.links, codes, concepts),
        Tagger(concepts),
        Reader(said.vocabulary, ground.outcomes),
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
        | _with_concepts(answers, concepts, cache),
    )


def _links(
    ground: BuildGround, units: Iterable[Unit], tags: Iterable[Tag], codes: Sequence[str], cache: Cache | None
) -> list[LinkRow]:
    """The links of the codes: of what stands in a code alone, so that a word of a preface changes none of them."""
    inside = {unit.id: unit for unit in units if unit.code_id}
    spoken = [tag for tag in tags if tag.unit_id in inside]

    def propose_all() -> bytes:
        found = propose(list(inside.values()), spoken, ground.concepts, codes, ground.outcomes)
        return serialisation.packed([astuple(row) for row in found])

    if cache is None or ground.library is None:
        return [LinkRow(*row) for row in serialisation.unpacked(propose_all())]
    said = (ground.library, *map(repr, (codes, ground.concepts)), *map(repr, inside.values()), *map(repr, spoken))
    key = fingerprint.digest(fingerprint.of_code(), *said)
    return [LinkRow(*row) for row in serialisation.unpacked(cache.recall("links", key, propose_all))]


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


def _with_concepts(
    rows: dict[str, list[Row]], concepts: Sequence[Concept], cache: Cache | None
) -> dict[str, list[Row]]:
    """The rows of answers with what each question, and whoever puts it, speaks of."""
    said = [(row["id"], row["label"]) for row in rows["facet"]]
    said += [(row["facet_id"], row["words"]) for row in rows["telling"]]

    def find() -> bytes:
        tagger = Tagger(concepts)
        return serialisation.packed([[facet, concept] for facet, words in said for concept, _ in tagger.find(words)])

    key = fingerprint.digest(fingerprint.of_code(), repr(said), *map(repr, concepts)) if cache else None
    found = cache.recall("questions", key, find) if cache else find()
    spoken = dict.fromkeys((facet, concept) for facet, concept in serialisation.unpacked(found))
    return rows | {"facet_concept": [{"facet_id": facet, "concept_id": concept} for facet, concept in spoken]}


def _tag_rows(tags: Sequence[Tag]) -> tuple[Row, ...]:
    """One row for each place where a unit speaks of a concept."""
    places = {(t.unit_id, t.concept_id, t.raw_start): t for t in tags}
    return tuple(
        {"unit_id": t.unit_id, "concept_id": t.concept_id, "raw_start": t.raw_start, "raw_end": t.raw_end}
        for t in places.values()
    )
