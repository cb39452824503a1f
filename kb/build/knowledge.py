"""What is known beyond the single book: concepts tagged, references resolved, provisions linked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from extract.corpus.book import Book
from extract.errors import BookError
from extract.model import Edition, Finding
from extract.references.resolution import find_references
from extract.text.textlayer import TextLayer
from kb.alignment.links import propose
from kb.build.load import Knowledge, Row
from kb.concepts.outcomes import read_outcomes
from kb.concepts.passages import passages
from kb.concepts.tagging import Tag, Tagger, read_thesaurus, read_topics, tag_units
from kb.editorial.concordance import FILE, Concordance, judge, read_concordance

_PROVISIONS = frozenset({"law", "subclause", "etiquette", "dummy"})


def gather(
    corpus: Path, books: Sequence[Book], editions: Sequence[Edition], *, unaided: bool
) -> tuple[list[Edition], Knowledge]:
    """Tag concepts, resolve references, and propose links.

    Args:
        corpus: the corpus, for thesaurus, topics and concordance.
        books: the books.
        editions: their editions, in the same order.
        unaided: leave the editor's concordance aside.
    Returns:
        The editions with their references, and the rows of concepts, links and topics.
    Raises:
        BookError: one of the corpus files is not what it must be.
    """
    concepts = read_thesaurus(corpus / "thesaurus.toml")
    topics = read_topics(corpus / "topics.toml", concepts)
    tagger = Tagger(concepts)
    tags: list[Tag] = []
    cited: list[Edition] = []
    for book, edition in zip(books, editions, strict=True):
        _require_cited(book, edition)
        layer = TextLayer(edition.scan, edition.edits)
        references = find_references(edition.units, layer, book.citations, slips=edition.slips)
        edition = _explained(replace(edition, references=references))
        cited.append(replace(edition, findings=(*edition.findings, *_slips(edition))))
        tags += tag_units(passages(edition.units, layer), tagger)
    units = [unit for edition in editions for unit in edition.units]
    codes = [c.id for c in sorted((c for b in books for c in b.codes), key=lambda c: (c.year, c.id))]
    concordance = Concordance()
    links = propose(units, tags, concepts, codes, read_outcomes(corpus / "library.toml"))
    if not unaided:
        place = {code: i for i, code in enumerate(codes)}
        ids = [u.id for u in sorted(units, key=lambda u: (place.get(u.code_id or "", -1), u.seq))]
        concordance = read_concordance(corpus / FILE)
        links = judge(links, concordance, ids)
    return cited, Knowledge(
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


def _require_cited(book: Book, edition: Edition) -> None:
    """Raise a BookError if the editor says that the author means a provision which the book does not have."""
    ids = {unit.id for unit in edition.units}
    if unknown := [slip for slip in edition.slips if slip.cites is not None and slip.cites not in ids]:
        raise BookError(
            f"{book.folder / 'errata.toml'}: [[reading]] at {unknown[0].raw_start}, key 'cites': the book has no unit "
            f"{unknown[0].cites!r}; correct the id."
        )


def _tag_rows(tags: Sequence[Tag]) -> tuple[Row, ...]:
    """One row for each place where a unit speaks of a concept."""
    places = {(t.unit_id, t.concept_id, t.raw_start): t for t in tags}
    return tuple(
        {"unit_id": t.unit_id, "concept_id": t.concept_id, "raw_start": t.raw_start, "raw_end": t.raw_end}
        for t in places.values()
    )


def _slips(edition: Edition) -> tuple[Finding, ...]:
    """References to what is not there, and the author's own wrong ones."""
    told = {
        "slip": "the author's own slip: the place he means is another",
        "dangling": "refers to what is not in this library",
    }
    return tuple(
        Finding(edition.book_id, "references", r.status, " ".join(r.raw.split()), r.raw_start, told[r.status])
        for r in edition.references
        if r.status in told
    )


def _explained(edition: Edition) -> Edition:
    """A remark explains the provisions it refers to."""
    laws = {u.id for u in edition.units if u.kind in _PROVISIONS}
    spoken: dict[str, list[str]] = {}
    for reference in edition.references:
        if reference.target_id in laws and reference.status == "resolved":
            spoken.setdefault(reference.from_unit, []).append(reference.target_id)
    units = tuple(
        replace(u, explains=tuple(dict.fromkeys(spoken[u.id]))) if u.kind == "remark" and u.id in spoken else u
        for u in edition.units
    )
    return replace(edition, units=units)
