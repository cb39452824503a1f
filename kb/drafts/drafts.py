"""Drafts of answers: what the machine would write where the editor has not, for him to judge, and marked as its own.

A draft quotes: its summary is the beginning of a sentence of the provision. It draws no verdict, and where a code has
nothing in a row it says nothing, for nobody has read that code through.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from extract.language.sentences import boundaries
from extract.model import Span, Unit
from kb.alignment.likeness import plain_text
from kb.concepts.tagging import Tagger, Topic
from kb.drafts.families import DraftGround, Row, families
from kb.drafts.reading import Reader
from kb.editorial.answers import LONGEST
from kb.read.rows import label_end

_LEAD = 8  # words of what introduces a paragraph, so that most of a summary is the paragraph's own
_WHITE = re.compile(r"\s")
_BEFORE = re.compile(r"^[\s:;,.—–-]+")
_OPEN = re.compile(r"(?:[\s:;,.—–-]|[;,] (?:or|and)\b)+$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a piece: its place in the piece's text, its words, and the concepts it speaks of.

    `lead` are the words that introduce the paragraph in its provision.
    """

    piece: Unit
    span: Span
    lead: str
    spoken: tuple[tuple[str, Span], ...]

    @property
    def line(self) -> str:
        """The sentence in one line, each character in its place."""
        return _WHITE.sub(" ", self.piece.text[self.span.start : self.span.end])

    @property
    def words(self) -> str:
        """The sentence as it is quoted."""
        return " ".join(self.line.split())


class Drafts:
    """Drafts the rows of topics; made once for a library."""

    def __init__(self, ground: DraftGround, tagger: Tagger, reader: Reader, codes: Mapping[str, str]) -> None:
        """Make ready.

        Args:
            ground: what drafts are made of.
            tagger: finds the concepts of a sentence.
            reader: reads what a sentence orders.
            codes: the short title of each code.
        """
        self._ground, self._tagger, self._reader, self._codes = ground, tagger, reader, codes
        self._labels = {concept.id: concept.label for concept in ground.concepts}
        self._kept: dict[str, tuple[Sentence, ...]] = {}  # a piece may stand in the rows of several topics

    def rows(self, topics: Iterable[Topic]) -> dict[str, list[dict[str, Any]]]:
        """The rows of the tables `facet`, `cell` and `deciding` for some topics."""
        tables: dict[str, list[dict[str, Any]]] = {"facet": [], "cell": [], "deciding": []}
        rests: list[tuple[Sentence, dict[str, Any]]] = []
        for topic in topics:
            taken: Counter[str] = Counter()
            for seq, row in enumerate(families(self._ground, topic)):
                concept = self._concept(row, topic, taken)
                taken[concept] += 1
                facet = f"{topic.id}/{concept or 'row'}{f'-{taken[concept]}' if taken[concept] > 1 else ''}"
                label = self._label(row, concept, again=taken[concept] > 1)
                tables["facet"].append({"id": facet, "topic_id": topic.id, "label": label, "verdict": "", "seq": seq})
                shared = self._shared(row)
                for code, pieces in row.items():
                    cell, resting = self._answer(facet, topic.id, code, pieces, shared, concept)
                    tables["cell"].append(cell)
                    rests += resting
        for sentence, deciding in sorted(rests, key=lambda rest: rest[0].piece.book_id):  # book by book
            raw = self._ground.texts[sentence.piece.id].to_scan(sentence.span)
            deciding |= {"raw_start": raw.start, "raw_end": raw.end}
        tables["deciding"] = [deciding for _, deciding in rests]
        return tables

    def _answer(
        self, facet: str, topic: str, code: str, pieces: Sequence[Unit], shared: frozenset[str], concept: str
    ) -> tuple[dict[str, Any], list[tuple[Sentence, dict[str, Any]]]]:
        """The cell of a code, and what it rests on: what speaks most of what the row is named by and shares."""

        def weight(sentence: Sentence) -> tuple[bool, float]:
            spoken = {c for c, _ in sentence.spoken}
            return concept in spoken, sum(self._ground.rarity.get(c, 0.0) for c in sorted(spoken & shared))

        chosen = [max(self._sentences(piece), key=weight) for piece in pieces]
        chosen.sort(key=weight, reverse=True)
        value = self._reader.read(chosen[0].line, chosen[0].spoken)
        cell = {
            "topic_id": topic,
            "facet_id": facet,
            "code_id": code,
            "summary": summary(chosen[0].lead, chosen[0].words),
            "value": json.dumps(value.said(), ensure_ascii=False) if value else None,
            "cites": json.dumps([sentence.piece.id for sentence in chosen]),
            "source": "machine",
            "twin": None,
        }
        deciding = [
            (
                sentence,
                {
                    "facet_id": facet,
                    "code_id": code,
                    "seq": seq,
                    "unit_id": sentence.piece.id,
                    "words": sentence.words,
                },
            )
            for seq, sentence in enumerate(chosen)
        ]
        return cell, deciding

    def _sentences(self, piece: Unit) -> tuple[Sentence, ...]:
        """The sentences of a piece after its label; a piece without any is one."""
        if piece.id not in self._kept:
            self._kept[piece.id] = tuple(self._cut(piece))
        return self._kept[piece.id]

    def _cut(self, piece: Unit) -> Iterator[Sentence]:
        start = label_end(piece.text, piece.number, piece.kind)
        ruled, _ = self._ground.opening.get(piece.id, (Span(start, len(piece.text)), None))
        lead = self._lead(piece)
        gaps = [Span(start, start), *boundaries(piece.text, start, ruled.end), Span(ruled.end, ruled.end)]
        for before, after in pairwise(gaps):
            span = Span(before.end, after.start)
            yield Sentence(piece, span, lead, self._tagger.find(piece.text[span.start : span.end]))

    def _lead(self, piece: Unit) -> str:
        whole = self._ground.provisions.get(piece.parent_id or "")
        if whole is None or whole.id not in self._ground.opening:
            return ""
        lead = self._ground.opening[whole.id][1]
        words = _OPEN.sub("", whole.text[lead.start : lead.end]).split()
        return " ".join(words) if len(words) <= _LEAD else ""

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
        return _OPEN.sub("", " ".join(words))
    return _OPEN.sub("", " ".join(words[:LONGEST])) + "…"
