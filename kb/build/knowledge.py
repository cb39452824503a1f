"""What is known beyond the single book: concepts tagged, provisions linked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from extract.corpus.book import Book
from extract.model import Edition
from extract.text.textlayer import TextLayer
from kb.alignment.links import propose
from kb.build.load import Knowledge, Row
from kb.concepts.outcomes import read_outcomes
from kb.concepts.passages import passages
from kb.concepts.tagging import Tag, Tagger, read_thesaurus, read_topics, tag_units
from kb.editorial.concordance import FILE, Concordance, judge, read_concordance


def gather(corpus: Path, books: Sequence[Book], editions: Sequence[Edition], *, unaided: bool) -> Knowledge:
    """Tag concepts and propose links.

    Args:
        corpus: the corpus, for thesaurus, topics and concordance.
        books: the books.
        editions: their editions, in the same order.
        unaided: leave the editor's concordance aside.
    Returns:
        The rows of concepts, links and topics.
    Raises:
        BookError: one of the corpus files is not what it must be.
    """
    concepts = read_thesaurus(corpus / "thesaurus.toml")
    topics = read_topics(corpus / "topics.toml", concepts)
    tagger = Tagger(concepts)
    tags = [
        tag
        for edition in editions
        for tag in tag_units(passages(edition.units, TextLayer(edition.scan, edition.edits)), tagger)
    ]
    units = [unit for edition in editions for unit in edition.units]
    codes = [c.id for c in sorted((c for b in books for c in b.codes), key=lambda c: (c.year, c.id))]
    concordance = Concordance()
    links = propose(units, tags, concepts, codes, read_outcomes(corpus / "library.toml"))
    if not unaided:
        place = {code: i for i, code in enumerate(codes)}
        ids = [u.id for u in sorted(units, key=lambda u: (place.get(u.code_id or "", -1), u.seq))]
        concordance = read_concordance(corpus / FILE)
        links = judge(links, concordance, ids)
    return Knowledge(
        tuple({"id": c.id, "label": c.label, "note": c.note, "broader": c.broader} for c in concepts),
        tuple({"concept_id": c.id, "label": x, "role": role} for c in concepts for x, role in c.labels),
        _tag_rows(tags),
        tuple(asdict(row) for row in links),
        tuple(
            {"id": t.id, "label": t.label, "concept_id": t.concepts[0], "note": t.note, "seq": i}
            for i, t in enumerate(topics)
        ),
        tuple({"topic_id": t.id, "concept_id": c} for t in topics for c in t.concepts),
        tuple(asdict(basis) for basis in concordance.bases),
    )


def _tag_rows(tags: Sequence[Tag]) -> tuple[Row, ...]:
    """One row for each place where a unit speaks of a concept."""
    places = {(t.unit_id, t.concept_id, t.raw_start): t for t in tags}
    return tuple(
        {"unit_id": t.unit_id, "concept_id": t.concept_id, "raw_start": t.raw_start, "raw_end": t.raw_end}
        for t in places.values()
    )
