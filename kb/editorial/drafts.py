"""Drafts of answers for topics without answers by the editor: provisions arranged in rows by their links.

A draft quotes: its summary is the beginning of a sentence of the provision. It has no verdict, and it does not call a
code silent that has nothing in a row, since nobody has read that code through.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from extract.language.sentences import boundaries
from extract.model import Span, Unit
from kb.alignment.links import LinkRow
from kb.analysis.words import terms
from kb.comparison.table import align
from kb.concepts.tagging import Concept, Tag, Topic
from kb.editorial.answers import LONGEST
from kb.read.rows import label_end

Drafted = Iterator[tuple[str, dict[str, Any]]]


def drafts(
    topics: Iterable[Topic],
    units: Iterable[Unit],
    tags: Iterable[Tag],
    links: Iterable[LinkRow],
    concepts: Sequence[Concept],
    codes: Mapping[str, str],
) -> Drafted:
    """Draft the rows of the tables `facet`, `facet_topic`, `cell` and `deciding`.

    Numbered paragraphs are put in rows separately, since a law of five paragraphs answers five questions.

    Args:
        topics: the topics to draft.
        units: the units of all books, in reading order.
        tags: the concepts that the units mention.
        links: the links among the units.
        concepts: the thesaurus.
        codes: the short title of each code by id, the oldest first.
    Returns:
        Pairs of a table and a row; rows of `deciding` have a `span` of the text of their unit.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for tag in tags:
        counts[tag.unit_id][tag.concept_id] += 1
    in_codes = [u for u in units if u.code_id in codes and u.continues is None]
    paragraphs: dict[str, list[str]] = defaultdict(list)
    for unit in in_codes:
        if unit.kind == "subclause":
            paragraphs[unit.parent_id or ""].append(unit.id)
    pieces = {u.id: u for u in in_codes if u.kind == "subclause" or (u.role == "provision" and u.id not in paragraphs)}
    linked: dict[str, list[str]] = defaultdict(list)
    for link in sorted(links, key=lambda link: -link.score):
        ends = [[i for i in paragraphs.get(end, [end]) if i in pieces] for end in (link.a, link.b)]
        if link.status != "rejected" and all(ends):
            a, b = max(product(*ends), key=lambda pair: len(counts[pair[0]].keys() & counts[pair[1]].keys()))
            linked[a].append(b)
            linked[b].append(a)
    rarity = Counter(concept for i in pieces for concept in counts[i])
    labels = {concept.id: concept.label for concept in concepts}
    for topic in topics:
        about = _about(topic, pieces, counts, linked, concepts)
        columns = [[i for i, u in pieces.items() if u.code_id == code and i in about] for code in codes]
        for seq, row in enumerate(align(columns, linked)):
            facet, first = f"{topic.id}/row-{seq + 1}", next(pieces[i] for cell in row for i in cell)
            shared = set.intersection(*({c for i in cell for c in counts[i]} for cell in row if cell))
            label = f"{codes[first.code_id or '']}, {first.label}"
            if shared:
                label = f"{labels[min(sorted(shared), key=rarity.__getitem__)]} ({label})"
            yield "facet", {"id": facet, "topic_id": topic.id, "label": label, "verdict": "", "seq": seq}
            yield "facet_topic", {"topic_id": topic.id, "facet_id": facet, "seq": seq}
            for cell in filter(None, row):
                yield from _cell(topic.id, facet, [pieces[i] for i in cell])


def _about(
    topic: Topic,
    pieces: Mapping[str, Unit],
    counts: Mapping[str, Counter[str]],
    linked: Mapping[str, Sequence[str]],
    concepts: Sequence[Concept],
) -> set[str]:
    """Find the pieces about a topic, by heading, concepts and links.

    They have the topic's label in their heading, or mention one of its further concepts, or its own concept: twice if
    it has further ones, since one mention may be in passing. Pieces linked to them must mention any of its concepts.
    Narrower concepts count as the concept.
    """
    own, others = set(topic.concepts[:1]), set(topic.concepts[1:])
    for family in (own, others):
        while more := {c.id for c in concepts if c.broader in family} - family:
            family |= more
    about = {
        i
        for i, unit in pieces.items()
        if set(terms(topic.label)) <= set(terms(unit.heading or ""))
        or counts[i].keys() & others
        or sum(counts[i][concept] for concept in own) > bool(others)
    }
    return about | {i for x in about for i in linked[x] if counts[i].keys() & (own | others)}


def _cell(topic: str, facet: str, pieces: Sequence[Unit]) -> Drafted:
    """Yield the rows of one cell: the first sentence of each piece of a code."""
    spans = [_sentence(piece) for piece in pieces]
    words = [" ".join(piece.text[s.start : s.end].split()) for piece, s in zip(pieces, spans, strict=True)]
    first, code = words[0].split(), pieces[0].code_id
    summary = " ".join(first[:LONGEST]).rstrip(" :;,.—–-") + "…" * (len(first) > LONGEST)
    yield "cell", {
        "topic_id": topic, "facet_id": facet, "code_id": code, "rule": None, "brief": None, "summary": summary,
        "value": None, "cites": json.dumps([piece.id for piece in pieces]), "source": "machine", "twin": None,
        "unprinted": 0,
    }  # fmt: skip
    for seq, piece in enumerate(pieces):
        yield "deciding", {
            "facet_id": facet, "code_id": code, "seq": seq, "unit_id": piece.id, "words": words[seq],
            "span": spans[seq],
        }  # fmt: skip


def _sentence(piece: Unit) -> Span:
    start = label_end(piece.text, piece.number, piece.kind)
    return Span(start, next((gap.start for gap in boundaries(piece.text, start)), len(piece.text)))
