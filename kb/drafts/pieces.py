"""What a draft may set side by side: pieces of provisions, with what they speak of and their sentences; book by book.

A piece is a provision, or where it has numbered paragraphs each of them, since a law of five paragraphs answers five
questions; and what it rules before them, if it does more there than introduce them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from extract.language.sentences import boundaries, ends_sentence
from extract.model import Span, Unit
from kb.concepts.tagging import Tag, TaggedText, Tagger
from kb.read.rows import label_end

_LEAD = 8  # words of what introduces a paragraph, so that most of a summary is the paragraph's own
OPEN = re.compile(r"(?:[\s:;,.—–-]|[;,] (?:or|and)\b)+$")
"""What a piece of a sentence ends with that is no end: signs, and what would go on."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a piece: its place in the piece's text and in the scan, and the concepts of its words.

    `lead` are the words that introduce the paragraph in its provision.
    """

    span: Span
    raw: Span
    lead: str
    spoken: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True)
class DraftPiece:
    """A piece by the id of its unit; `spoken` are the concepts of its own words, and of what introduces a paragraph.

    `times` tells how often its unit speaks of each concept.
    """

    unit_id: str
    spoken: frozenset[str]
    times: Mapping[str, int]
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class BookPieces:
    """The pieces of one book: of its units, their texts by id, and what they speak of."""

    units: Sequence[Unit]
    texts: Mapping[str, TaggedText]
    tags: Sequence[Tag]

    @cached_property
    def provisions(self) -> Mapping[str, Unit]:
        """The provisions of its codes, by id."""
        return {u.id: u for u in self.units if u.role == "provision" and u.code_id and u.continues is None}

    @cached_property
    def paragraphs(self) -> Mapping[str, Sequence[Unit]]:
        """Of each provision that has some, its numbered paragraphs."""
        found: dict[str, list[Unit]] = defaultdict(list)
        for unit in self.units:
            if unit.kind == "subclause" and unit.parent_id in self.provisions and unit.continues is None:
                found[unit.parent_id or ""].append(unit)
        return found

    @cached_property
    def opening(self) -> Mapping[str, tuple[Span, Span]]:
        """Of each provision in paragraphs what it rules itself and what introduces them, as spans of its text."""
        return {whole: _opening(self.provisions[whole], parts[0]) for whole, parts in self.paragraphs.items()}

    @cached_property
    def spoken(self) -> Mapping[str, frozenset[str]]:
        """The concepts of each piece's own words; a paragraph speaks of what introduces it too."""
        ruled, leading = dict[str, Span](), dict[str, Span]()
        for whole, spans in self.opening.items():
            for places, span in zip((ruled, leading), spans, strict=True):
                if span:
                    places[whole] = self.texts[whole].to_scan(span)
        found: dict[str, set[str]] = defaultdict(set)
        for tag in self.tags:
            place = Span(tag.raw_start, tag.raw_end)
            if tag.unit_id not in self.opening or (tag.unit_id in ruled and ruled[tag.unit_id].covers(place)):
                found[tag.unit_id].add(tag.concept_id)
            elif tag.unit_id in leading and leading[tag.unit_id].covers(place):
                for part in self.paragraphs[tag.unit_id]:
                    found[part.id].add(tag.concept_id)
        return {unit_id: frozenset(concepts) for unit_id, concepts in found.items()}

    def read(self, tagger: Tagger) -> Iterator[DraftPiece]:
        """The pieces in reading order.

        Args:
            tagger: finds the concepts of a sentence.
        """
        times: dict[str, Counter[str]] = defaultdict(Counter)
        for tag in self.tags:
            times[tag.unit_id][tag.concept_id] += 1
        for whole in self.provisions.values():
            own = [whole] if whole.id not in self.opening or self.opening[whole.id][0] else []
            for unit in (*own, *self.paragraphs.get(whole.id, ())):
                spoken = self.spoken.get(unit.id, frozenset())
                yield DraftPiece(unit.id, spoken, times.get(unit.id, {}), tuple(self._sentences(unit, tagger)))

    def _sentences(self, unit: Unit, tagger: Tagger) -> Iterator[Sentence]:
        """The sentences of a piece after its label; a piece without any is one."""
        start = label_end(unit.text, unit.number, unit.kind)
        ruled, _ = self.opening.get(unit.id, (Span(start, len(unit.text)), None))
        lead = self._lead(unit)
        gaps = [Span(start, start), *boundaries(unit.text, start, ruled.end), Span(ruled.end, ruled.end)]
        for before, after in pairwise(gaps):
            span = Span(before.end, after.start)
            raw = self.texts[unit.id].to_scan(span)
            yield Sentence(span, raw, lead, tagger.find(unit.text[span.start : span.end]))

    def _lead(self, unit: Unit) -> str:
        whole = self.provisions.get(unit.parent_id or "")
        if whole is None or whole.id not in self.opening:
            return ""
        lead = self.opening[whole.id][1]
        words = OPEN.sub("", whole.text[lead.start : lead.end]).split()
        return " ".join(words) if len(words) <= _LEAD else ""


def _opening(whole: Unit, first: Unit) -> tuple[Span, Span]:
    """What stands before the first paragraph: whole sentences, and the last one if it breaks off to introduce it."""
    start = label_end(whole.text, whole.number, whole.kind)
    end = max(start, whole.text.find(first.text))
    lead = max([start, *(gap.end for gap in boundaries(whole.text, start, end))])
    if ends_sentence(whole.text[start:end]):
        lead = end
    return _worded(whole.text, Span(start, lead)), _worded(whole.text, Span(lead, end))


def _worded(text: str, span: Span) -> Span:
    """A span, empty if it holds signs alone."""
    return span if any(map(str.isalnum, text[span.start : span.end])) else Span(span.start, span.start)
