"""What is known beyond the single book: concepts, links, what the editor says of provisions, and drafts of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby, product
from pathlib import Path
from sys import intern

from extract.corpus.book import Book
from extract.model import Span, Unit
from kb.alignment.descent import borrowings, families
from kb.alignment.links import MANY, LinkRow, propose
from kb.build import fingerprint, serialisation
from kb.build.cache import Cache
from kb.build.fingerprint import digest
from kb.build.jobs import (
    LinksAsked,
    PiecesAsked,
    PlacesAsked,
    begun,
    find_links,
    find_pieces,
    find_places,
    packed_links,
)
from kb.build.load import Knowledge, Row, table_row
from kb.build.spool import SpooledEditions, SpooledPieces
from kb.build.workers import Crew
from kb.concepts.outcomes import Outcomes, read_outcomes
from kb.concepts.tagging import Concept, Tag, Tagger, Topic, Topics, read_topics
from kb.drafts.drafts import Drafts
from kb.drafts.families import draft_ground
from kb.drafts.reading import Reader, require_terms_known
from kb.editorial.concordance import Judged, judge, require_members, twins_of
from kb.editorial.digests import case_rows, require_applied
from kb.editorial.glosses import with_twins
from kb.editorial.judgements import (
    AnswerPlace,
    Judgements,
    answer_rows,
    in_scan,
    question,
    read_judgements,
    require_topics,
)
from kb.editorial.provisions import require_known
from kb.editorial.vocabulary import FILE as VOCABULARY
from kb.editorial.vocabulary import read_vocabulary

LIBRARY = "library.toml"


@dataclass(frozen=True, slots=True)
class BuildGround:
    """What is known before any edition is made: the files of the corpus on concepts, topics and provisions."""

    concepts: tuple[Concept, ...]
    topics: Topics
    outcomes: Outcomes
    said: Judgements
    library: str | None
    """The digest of library.toml, which has the words of `outcomes`; None if it cannot be told."""
    asked: Mapping[str, Sequence[str]]
    """What the editor's questions, and those who put them, speak of: concepts by the words of the question."""


def read_ground(
    corpus: Path, concepts: tuple[Concept, ...], *, unaided: bool, cache: Cache | None = None
) -> BuildGround:
    """Read what is said of topics and provisions.

    Args:
        corpus: the corpus.
        concepts: its thesaurus.
        unaided: leave the editor's judgements aside.
        cache: where is kept what the editor's questions speak of.
    Raises:
        BookError: one of the corpus files is not what it must be.
    """
    topics = read_topics(corpus / "topics.toml", concepts)
    outcomes = read_outcomes(corpus / LIBRARY)
    vocabulary = read_vocabulary(corpus / VOCABULARY)
    require_terms_known(vocabulary, (concept.id for concept in concepts), outcomes)
    said = Judgements(vocabulary=vocabulary) if unaided else read_judgements(corpus)
    require_topics(said, {t.id: tuple(chain.from_iterable(t.principal.values())) for t in topics.topics})
    asked = _asked(said, concepts, cache)
    return BuildGround(concepts, topics, outcomes, said, fingerprint.of_files([corpus / LIBRARY]), asked)


def _asked(said: Judgements, concepts: Sequence[Concept], cache: Cache | None) -> Mapping[str, Sequence[str]]:
    facets = [facet for topic in said.topics for facet in topic.facets]
    words = [*(facet.label for facet in facets), *(words for facet in facets for words in facet.asked)]

    def find() -> bytes:
        return serialisation.packed(_spoken(words, concepts))

    key = fingerprint.digest(fingerprint.of_code(), *words, *map(repr, concepts)) if cache else None
    found: dict[str, list[str]] = serialisation.unpacked(cache.recall("questions", key, find) if cache else find())
    return found


def _spoken(words: Iterable[str], concepts: Sequence[Concept]) -> dict[str, list[str]]:
    tagger = Tagger(concepts)
    return {said: list(dict.fromkeys(concept for concept, _ in tagger.find(said))) for said in dict.fromkeys(words)}


def gather(
    ground: BuildGround, books: Sequence[Book], editions: SpooledEditions, crew: Crew, cache: Cache | None = None
) -> Callable[[], Knowledge]:
    """Propose links, lay what the editor says over them, and draft what he has not answered.

    What needs no other's result is begun at once.

    Args:
        ground: what the files of the corpus say.
        books: the books.
        editions: their editions, in the same order; of each its units are held, and no more.
        crew: who looks for links, and for places in the scans.
        cache: where links are kept, and places in the scans.
    Returns:
        A function that waits, and gives the rows of concepts, links, topics and answers.
    Raises:
        BookError: one of the corpus files does not fit the editions.
    """
    said, concepts = ground.said, ground.concepts
    units = [unit for edition in editions.outlines() for unit in edition.units]
    dated = sorted((c for b in books for c in b.codes), key=lambda c: (c.year, c.id))
    codes = [c.id for c in dated]
    topics = _unanswered(ground.topics.topics, said)
    proposed = _links(ground, units, editions, codes, crew, cache)
    pieces = _pieces(concepts, editions, crew, cache) if topics else None
    whole = {unit.id: unit for unit in units if unit.continues is None}
    known = {unit.id for unit in units}
    require_known(said.bases, known)
    require_members(said.concordance, known)
    require_applied(said.digests, known)
    twin = twins_of(said.concordance, units)
    books_of = {code.id: book.id for book in books for code in book.codes}
    homes = {code: books_of[code] for code in codes}
    years = Counter(c.year for c in dated)
    names = {c.id: str(c.year) if years[c.year] == 1 else c.short for c in dated}
    answers = answer_rows(said, homes, names, twin, partial(_answer_place, whole))
    places = _places(answers["deciding"], whole, editions, crew, cache)

    def rest() -> Knowledge:
        read = pieces and SpooledPieces(editions.spool)
        found = list(read.taken(pieces())) if read and pieces else []
        place = {code: i for i, code in enumerate(codes)}
        order = sorted(units, key=lambda u: (place.get(u.code_id or "", -1), u.seq))
        judged = judge(proposed(), said.concordance, order, twin)
        rows = answers | {"deciding": list(in_scan(answers["deciding"], places()))}
        drafted: Iterable[tuple[str, Iterable[Row]]] = ()
        if read:
            drafts = Drafts(
                draft_ground(whole, found, judged.links, codes, concepts),
                read.sentences,
                Reader(said.vocabulary, ground.outcomes),
                {code.id: code.short for book in books for code in book.codes},
            )
            drafted = _with_concepts(drafts.rows(topics), concepts)
        return Knowledge(
            _concept_rows(concepts, ground.topics, {topic.id for topic in said.topics})
            | _judged_rows(judged, said)
            | _descent_rows(units, codes, judged)
            | {"gloss": [{"unit_id": i, "words": words} for i, words in with_twins(said.glosses, judged.twin)]}
            | case_rows(said.digests, editions.outlines(), judged.twin)
            | rows
            | {"facet_concept": _asked_rows(rows, ground.asked)},
            drafted,
        )

    return rest


def _answer_place(units: Mapping[str, Unit], unit_id: str) -> AnswerPlace:
    unit = units[unit_id]
    return AnswerPlace(unit.code_id or unit.book_id, unit.text)


def _links(
    ground: BuildGround,
    units: Iterable[Unit],
    editions: SpooledEditions,
    codes: Sequence[str],
    crew: Crew,
    cache: Cache | None,
) -> Callable[[], list[LinkRow]]:
    """The links of the codes: of what stands in a code alone, so that a word of a preface changes none of them."""
    inside = {unit.id: unit for unit in units if unit.code_id}

    def tags(book: str) -> Iterator[Tag]:
        return (tag for tag in editions.tags(book) if tag.unit_id in inside)

    def spoken() -> Iterator[Tag]:
        return (tag for book in editions.books for tag in tags(book))

    key = None
    if ground.library is not None:
        units_of = (digest(*map(repr, some)) for _, some in groupby(inside.values(), lambda unit: unit.book_id))
        tags_of = (digest(*map(repr, tags(book))) for book in editions.books)
        key = digest(ground.library, repr(codes), *map(repr, ground.concepts), *units_of, *tags_of)
    if len(codes) > MANY:

        def find() -> bytes:
            return packed_links(
                propose(list(inside.values()), spoken(), ground.concepts, codes, ground.outcomes, each=crew.each)
            )

        kept = digest(fingerprint.of_code(), key) if key else None
        return lambda: _link_rows(cache.recall("links", kept, find) if cache else find())
    asked = LinksAsked(tuple(inside.values()), tuple(spoken()), ground.concepts, tuple(codes), ground.outcomes)
    made = begun("links", find_links, [(asked, key)], crew, cache)
    return lambda: _link_rows(next(made()))


def _link_rows(packed: bytes) -> list[LinkRow]:
    """Links as they were packed; ids and names, which many have in common, are held once."""
    return [
        LinkRow(intern(a), intern(b), intern(relation), topic and intern(topic), score, intern(status), intern(by), why)
        for a, b, relation, topic, score, status, by, why in serialisation.unpacked(packed)
    ]


def _places(
    deciding: Iterable[Row], units: Mapping[str, Unit], editions: SpooledEditions, crew: Crew, cache: Cache | None
) -> Callable[[], dict[tuple[str, Span], Span]]:
    """Where the deciding words of the editor's answers stand in the scans."""
    wanted: dict[str, dict[tuple[str, Span], None]] = {}
    for row in deciding:
        if row["span"]:
            wanted.setdefault(units[row["unit_id"]].book_id, {})[row["unit_id"], row["span"]] = None
    asked = (
        PlacesAsked(editions.edition(book), tuple((unit, span.start, span.end) for unit, span in stretches))
        for book, stretches in wanted.items()
    )
    made = begun("places", find_places, ((one, digest(one.edition, repr(one.spans))) for one in asked), crew, cache)

    def places() -> dict[tuple[str, Span], Span]:
        raw = (Span(start, end) for data in made() for start, end in serialisation.unpacked(data))
        return dict(zip((one for stretches in wanted.values() for one in stretches), raw, strict=True))

    return places


def _pieces(
    concepts: tuple[Concept, ...], editions: SpooledEditions, crew: Crew, cache: Cache | None
) -> Callable[[], Iterator[bytes]]:
    """The pieces of which drafts are made, book by book."""
    said = digest(*map(repr, concepts))
    asked = (PiecesAsked(editions.edition(book), editions.told(book, "tags"), concepts) for book in editions.books)
    return begun("pieces", find_pieces, ((one, digest(one.edition, said)) for one in asked), crew, cache)


def _concept_rows(concepts: Iterable[Concept], ground: Topics, answered: Container[str]) -> dict[str, list[Row]]:
    topics = ground.topics
    return {
        "concept_label": [
            {"concept_id": c.id, "label": label, "role": role} for c in concepts for label, role in c.labels
        ],
        "concept_pattern": [{"concept_id": c.id, "pattern": p} for c in concepts for p in dict.fromkeys(c.patterns)],
        "concept": [{"id": c.id, "label": c.label, "note": c.note, "broader": c.broader} for c in concepts],
        "topic": [
            {"id": t.id, "label": t.label, "concept_id": t.concepts[0], "note": t.note, "apart": t.apart, "seq": i}
            for i, t in enumerate(topics)
        ],
        "topic_concept": [{"topic_id": t.id, "concept_id": c} for t in topics for c in t.concepts],
        "asking": [{"kind": kind, "words": words} for kind, told in ground.asking.items() for words in told],
        "principal": [
            {"topic_id": t.id, "kind": kind, "facet_id": question(t.id, facet)}
            for t in topics
            if t.id in answered
            for kind, facets in t.principal.items()
            for facet in dict.fromkeys(facets)
        ],
    }


def _judged_rows(judged: Judged, said: Judgements) -> dict[str, Iterable[Row]]:
    return {
        "link": (table_row("link", link) for link in judged.links),
        "apart": [
            {"a": a, "b": b, "why": entry.reason}
            for entry in said.concordance.apart
            for a, b in dict.fromkeys(product(_with_twins([entry.a], judged.twin), _with_twins([entry.b], judged.twin)))
            if a.partition("/")[0] != b.partition("/")[0]
        ],
        "closed": [{"unit_id": unit_id, "code_id": code} for unit_id, code in judged.closed],
        "topic_unit": [
            {"topic_id": matter.topic, "unit_id": unit_id, "seq": i}
            for matter in said.concordance.matter
            for i, unit_id in enumerate(dict.fromkeys(_with_twins(matter.members, judged.twin)))
        ],
        "unused": [{"unit_id": entry.provision, "reason": entry.reason} for entry in said.concordance.unused],
        "basis": (table_row("basis", basis) for basis in said.bases),
    }


def _descent_rows(units: Iterable[Unit], codes: Iterable[str], judged: Judged) -> dict[str, list[Row]]:
    texts: dict[str, dict[str, str]] = {code: {} for code in codes}
    for unit in units:
        if unit.role == "provision" and unit.code_id in texts:
            texts[unit.code_id][unit.id] = unit.text
    provisions = {code: tuple(found) for code, found in texts.items()}
    every = {unit_id: text for found in texts.values() for unit_id, text in found.items()}
    return {
        "borrowing": [table_row("borrowing", row) for row in borrowings(provisions, judged.links)],
        "family": [table_row("family", row) for row in families(provisions, judged.links, every)],
    }


def _with_twins(members: Iterable[str], twin: Mapping[str, str]) -> Iterator[str]:
    for unit_id in members:
        yield unit_id
        if unit_id in twin:
            yield twin[unit_id]


def _unanswered(topics: Iterable[Topic], said: Judgements) -> list[Topic]:
    """The topics on which the editor has written nothing: a draft beside his own words would only mislead."""
    answered = {topic.id for topic in said.topics}
    return [topic for topic in topics if topic.id not in answered]


def _asked_rows(rows: Mapping[str, Iterable[Row]], asked: Mapping[str, Sequence[str]]) -> list[Row]:
    """What each of the editor's questions, and whoever puts it, speaks of."""
    said = [(row["id"], row["label"]) for row in rows["facet"]]
    said += [(row["facet_id"], row["words"]) for row in rows["telling"]]
    found = dict.fromkeys((facet, concept) for facet, words in said for concept in asked[words])
    return [{"facet_id": facet, "concept_id": concept} for facet, concept in found]


def _with_concepts(
    drafted: Iterable[tuple[str, list[Row]]], concepts: Iterable[Concept]
) -> Iterator[tuple[str, Iterable[Row]]]:
    """Rows of drafts, with what each of their questions speaks of."""
    tagger = Tagger(concepts)
    for table, rows in drafted:
        yield table, rows
        if table == "facet":
            for row in rows:
                spoken = dict.fromkeys(concept for concept, _ in tagger.find(row["label"]))
                yield "facet_concept", [{"facet_id": row["id"], "concept_id": concept} for concept in spoken]
