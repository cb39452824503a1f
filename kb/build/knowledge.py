"""What is known beyond the single book: concepts, links, what the editor says of provisions, and drafts of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from pathlib import Path

from extract.model import Unit
from kb.alignment.descent import borrowings, families
from kb.alignment.links import propose
from kb.build.edited_books import EditedBooks
from kb.build.load import Row, table_row
from kb.concepts.outcomes import Outcomes, read_outcomes
from kb.concepts.tagging import Concept, Tagger, Topic, Topics, read_thesaurus, read_topics
from kb.editorial.concordance import Judged, judge, twins_of
from kb.editorial.digests import case_rows, require_applied
from kb.editorial.drafts import drafts
from kb.editorial.glosses import with_twins
from kb.editorial.judgements import (
    AnswerPlace,
    Judgements,
    answer_rows,
    in_scan,
    question,
    read_judgements,
    require_members,
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


def read_ground(corpus: Path, *, unaided: bool) -> BuildGround:
    """Read what is said of concepts, topics and provisions.

    Args:
        corpus: the corpus.
        unaided: leave the editor's judgements aside.
    Raises:
        BookError: one of the corpus files is not what it must be.
    """
    concepts = read_thesaurus(corpus / "thesaurus.toml")
    topics = read_topics(corpus / "topics.toml", concepts)
    outcomes = read_outcomes(corpus / LIBRARY)
    vocabulary = read_vocabulary(corpus / VOCABULARY)
    said = Judgements(vocabulary=vocabulary) if unaided else read_judgements(corpus)
    require_topics(said, {t.id: tuple(chain.from_iterable(t.principal.values())) for t in topics.topics})
    return BuildGround(concepts, topics, outcomes, said)


def gather(ground: BuildGround, library: EditedBooks) -> dict[str, Iterable[Row]]:
    """Propose links, lay what the editor says over them, and draft what he has not answered.

    Args:
        ground: what the files of the corpus say.
        library: the books and their editions.
    Returns:
        The rows of concepts, links, topics and answers, by table.
    Raises:
        BookError: one of the corpus files does not fit the editions.
    """
    said, concepts, books, units = ground.said, ground.concepts, library.books, library.units
    dated = sorted((c for b in books for c in b.codes), key=lambda c: (c.year, c.id))
    codes = [c.id for c in dated]
    whole = {unit.id: unit for unit in units if unit.continues is None}
    known = {unit.id for unit in units}
    require_known(said.bases, known)
    require_members(said, known)
    require_applied(said.digests, known)
    twin = twins_of(said.concordance, units)
    books_of = {code.id: book.id for book in books for code in book.codes}
    homes = {code: books_of[code] for code in codes}
    years = Counter(c.year for c in dated)
    names = {c.id: str(c.year) if years[c.year] == 1 else c.short for c in dated}
    answers = answer_rows(said, homes, names, twin, partial(_answer_place, whole))
    # Only what stands in a code is linked, so that a word of a preface changes no link.
    inside = [unit for unit in units if unit.code_id]
    ids = {unit.id for unit in inside}
    spoken = (tag for tags in library.tags for tag in tags if tag.unit_id in ids)
    proposed = propose(inside, spoken, concepts, codes, ground.outcomes)
    place = {code: i for i, code in enumerate(codes)}
    order = sorted(units, key=lambda u: (place.get(u.code_id or "", -1), u.seq))
    judged = judge(proposed, said.concordance, order, twin)
    if topics := _unanswered(ground.topics.topics, said):
        tags = chain.from_iterable(library.tags)
        for table, row in drafts(topics, units, tags, judged.links, concepts, {c.id: c.short for c in dated}):
            answers[table].append(row)
    texts = {unit_id: text for texts in library.texts for unit_id, text in texts.items()}
    answers["deciding"] = list(in_scan(answers["deciding"], lambda unit_id, span: texts[unit_id].to_scan(span)))
    return (
        _concept_rows(concepts, ground.topics, {topic.id for topic in said.answered})
        | _judged_rows(judged, said)
        | _descent_rows(units, codes, judged)
        | {"gloss": [{"unit_id": i, "words": words} for i, words in with_twins(said.glosses, judged.twin)]}
        | case_rows(said.digests, library.editions, judged.twin)
        | answers
        | {"facet_concept": _asked_rows(answers, library.tagger)}
    )


def _answer_place(units: Mapping[str, Unit], unit_id: str) -> AnswerPlace:
    unit = units[unit_id]
    return AnswerPlace(unit.code_id or unit.book_id, unit.text)


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
            {"topic_id": topic, "unit_id": unit_id, "seq": i}
            for topic, members in said.concordance.members.items()
            for i, unit_id in enumerate(dict.fromkeys(_with_twins(members, judged.twin)))
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
    answered = {topic.id for topic in said.answered}
    return [topic for topic in topics if topic.id not in answered]


def _asked_rows(rows: Mapping[str, Iterable[Row]], tagger: Tagger) -> list[Row]:
    """What each question, in the editor's words and in those of whoever asks it, speaks of."""
    said = [(row["id"], row["label"]) for row in rows["facet"]]
    said += [(row["facet_id"], row["words"]) for row in rows["telling"]]
    found = dict.fromkeys((facet, concept) for facet, words in said for concept, _ in tagger.find(words))
    return [{"facet_id": facet, "concept_id": concept} for facet, concept in found]
