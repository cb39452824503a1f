"""Drafts of answers: what the machine would write where the editor has not, for him to judge, and marked as its own.

A draft quotes: its summary is the beginning of a sentence of the provision. It draws no verdict, and where a code has
nothing in a row it says nothing, for nobody has read that code through.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from extract.model import Unit
from kb.alignment.likeness import plain_text
from kb.concepts.tagging import Topic
from kb.drafts.families import DraftGround, Row, families
from kb.drafts.pieces import OPEN, Sentence
from kb.drafts.reading import Reader
from kb.editorial.answers import LONGEST

_WHITE = re.compile(r"\s")
_BEFORE = re.compile(r"^[\s:;,.—–-]+")


class Drafts:
    """Drafts the rows of topics; made once for a library."""

    def __init__(
        self,
        ground: DraftGround,
        sentences: Callable[[str], Sequence[Sentence]],
        reader: Reader,
        codes: Mapping[str, str],
    ) -> None:
        """Make ready.

        Args:
            ground: what drafts are made of.
            sentences: the sentences of a piece, by its id.
            reader: reads what a sentence orders.
            codes: the short title of each code.
        """
        self._ground, self._sentences, self._reader, self._codes = ground, sentences, reader, codes
        self._labels = {concept.id: concept.label for concept in ground.concepts}

    def rows(self, topics: Iterable[Topic]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """The rows of the tables `facet`, `facet_topic`, `cell` and `deciding` for some topics, topic by topic."""
        for topic in topics:
            facets: list[dict[str, Any]] = []
            cells: list[dict[str, Any]] = []
            deciding: list[dict[str, Any]] = []
            taken: Counter[str] = Counter()
            for seq, row in enumerate(families(self._ground, topic)):
                concept = self._concept(row, topic, taken)
                taken[concept] += 1
                facet = f"{topic.id}/{concept or 'row'}{f'-{taken[concept]}' if taken[concept] > 1 else ''}"
                label = self._label(row, concept, again=taken[concept] > 1)
                facets.append({"id": facet, "topic_id": topic.id, "label": label, "verdict": "", "seq": seq})
                shared = self._shared(row)
                for code, pieces in row.items():
                    cell, resting = self._answer(facet, topic.id, code, pieces, shared, concept)
                    cells.append(cell)
                    deciding += resting
            yield "facet", facets
            yield "facet_topic", [{"topic_id": topic.id, "facet_id": f["id"], "seq": f["seq"]} for f in facets]
            yield "cell", cells
            yield "deciding", deciding

    def _answer(
        self, facet: str, topic: str, code: str, pieces: Sequence[Unit], shared: frozenset[str], concept: str
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The cell of a code, and what it rests on: what speaks most of what the row is named by and shares."""

        def weight(sentence: Sentence) -> tuple[bool, float]:
            spoken = {c for c, _ in sentence.spoken}
            return concept in spoken, sum(self._ground.rarity.get(c, 0.0) for c in sorted(spoken & shared))

        chosen = [(max(self._sentences(piece.id), key=weight), piece) for piece in pieces]
        chosen.sort(key=lambda one: weight(one[0]), reverse=True)
        first, piece = chosen[0]
        line = _WHITE.sub(" ", _text(first, piece))  # each character in its place
        value = self._reader.read(line, first.spoken)
        cell = {
            "topic_id": topic,
            "facet_id": facet,
            "code_id": code,
            "rule": None,
            "brief": None,
            "summary": summary(first.lead, " ".join(line.split())),
            "value": json.dumps(value.said(), ensure_ascii=False) if value else None,
            "cites": json.dumps([piece.id for _, piece in chosen]),
            "source": "machine",
            "twin": None,
        }
        deciding = [
            {
                "facet_id": facet,
                "code_id": code,
                "seq": seq,
                "unit_id": piece.id,
                "words": " ".join(_text(sentence, piece).split()),
                "raw_start": sentence.raw.start,
                "raw_end": sentence.raw.end,
            }
            for seq, (sentence, piece) in enumerate(chosen)
        ]
        return cell, deciding

    def _shared(self, row: Row) -> frozenset[str]:
        """The concepts of which most codes of a row speak; of one code alone, all of its own."""
        counts = Counter(concept for spoken in self._spoken(row) for concept in spoken)
        most = max(counts.values(), default=0)
        return frozenset(concept for concept, n in counts.items() if n == most)

    def _spoken(self, row: Row) -> list[frozenset[str]]:
        """Of each code of a row, what its pieces speak of."""
        spoken = self._ground.spoken
        return [frozenset().union(*(spoken.get(piece.id, frozenset()) for piece in row[code])) for code in row]

    def _concept(self, row: Row, topic: Topic, taken: Mapping[str, int]) -> str:
        """The most specific concept that a row shares, if possible one that no row before it is named by."""

        def rank(concept: str) -> tuple[bool, bool, float]:
            alone = len(row) == 1 and concept in topic.concepts
            return alone, not taken.get(concept, 0), self._ground.rarity.get(concept, 0.0)

        return max(sorted(self._shared(row)), key=rank, default="")

    def _label(self, row: Row, concept: str, *, again: bool) -> str:
        """The name of a row: its concept; where that names another row too, or there is none, a provision with it."""
        code, pieces = next(iter(row.items()))
        where = f"{self._codes[code]}, {pieces[0].label}"
        if not concept:
            return where
        return f"{self._labels[concept]} ({where})" if again else self._labels[concept]


def _text(sentence: Sentence, piece: Unit) -> str:
    return piece.text[sentence.span.start : sentence.span.end]


def summary(lead: str, sentence: str) -> str:
    """The beginning of a sentence as a summary: its first words, with an ellipsis where it goes on.

    Args:
        lead: what introduces it, to be read before it; may be empty.
        sentence: the sentence in one line.
    """
    sentence = _BEFORE.sub("", plain_text(sentence))
    if lead:
        sentence = f"{lead} {sentence[:1].lower()}{sentence[1:]}"
    words = sentence.split()
    if len(words) <= LONGEST:
        return OPEN.sub("", " ".join(words))
    return OPEN.sub("", " ".join(words[:LONGEST])) + "…"
