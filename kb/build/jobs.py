"""Jobs of a crew beyond editions: links, places in the scans, pieces of drafts; each is made once for what it is of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from typing import TypeVar

from extract.model import Span, Unit
from extract.text.textlayer import TextLayer
from kb.alignment.links import LinkRow, propose
from kb.build import fingerprint, serialisation
from kb.build.cache import Cache
from kb.build.workers import Crew
from kb.concepts.outcomes import Outcomes
from kb.concepts.passages import passages
from kb.concepts.tagging import Concept, Tag, Tagger
from kb.drafts.pieces import BookPieces, Sentence

_J = TypeVar("_J")


def begun(
    kind: str,
    work: Callable[[_J], bytes],
    asked: Iterable[tuple[_J, str | None]],
    crew: Crew,
    cache: Cache | None,
) -> Callable[[], Iterator[bytes]]:
    """Begin jobs whose results the cache has not; what is made is kept there.

    Args:
        kind: under which the cache has them.
        work: does a job; a pure function that can be pickled.
        asked: jobs, each with a digest of what its result depends on besides the code; None for what is not to be kept.
        crew: who does them.
        cache: where results are kept.
    Returns:
        A function that waits, and gives the results in the order of the jobs, once.
    """
    found: dict[int, bytes] = {}
    made_of: dict[int, tuple[int, str | None]] = {}

    def jobs() -> Iterator[_J]:
        for number, (job, said) in enumerate(asked):
            key = fingerprint.digest(fingerprint.of_code(), said) if said else None
            if cache and key and (data := cache.get(kind, key)) is not None:
                found[number] = data
            else:
                made_of[id(job)] = number, key
                yield job

    come = crew.each(work, jobs())

    def results() -> Iterator[bytes]:
        number = 0
        for job, data in come:
            at, key = made_of.pop(id(job))
            found[at] = data
            if cache and key:
                cache.put(kind, key, data)
            while number in found:
                yield found.pop(number)
                number += 1
        while number in found:
            yield found.pop(number)
            number += 1

    return results


@dataclass(frozen=True, slots=True)
class LinksAsked:
    """What links depend on: the arguments of `kb.alignment.links.propose`."""

    units: tuple[Unit, ...]
    tags: tuple[Tag, ...]
    concepts: tuple[Concept, ...]
    codes: tuple[str, ...]
    outcomes: Outcomes


def find_links(asked: LinksAsked) -> bytes:
    """The links of all codes, packed; fit for any process."""
    return packed_links(propose(asked.units, asked.tags, asked.concepts, asked.codes, asked.outcomes))


def packed_links(rows: Iterable[LinkRow]) -> bytes:
    """Links as bytes."""
    return serialisation.packed([astuple(row) for row in rows])


@dataclass(frozen=True, slots=True)
class PlacesAsked:
    """An edition as bytes, and stretches of the texts of its units: (unit, start, end)."""

    edition: bytes
    spans: tuple[tuple[str, int, int], ...]


def find_places(asked: PlacesAsked) -> bytes:
    """Where stretches of the texts of units stand in the scan, as packed pairs of offsets; fit for any process."""
    edition = serialisation.read(asked.edition)
    units = {unit_id for unit_id, _, _ in asked.spans}
    layer = TextLayer(edition.scan, edition.edits)
    texts = {text.unit_id: text for text in passages(edition.units, layer) if text.unit_id in units}
    places = (texts[unit_id].to_scan(Span(start, end)) for unit_id, start, end in asked.spans)
    return serialisation.packed([[place.start, place.end] for place in places])


@dataclass(frozen=True, slots=True)
class PiecesAsked:
    """A book's edition and tags as bytes, and the thesaurus."""

    edition: bytes
    tags: bytes
    concepts: tuple[Concept, ...]


def find_pieces(asked: PiecesAsked) -> bytes:
    """The pieces of a book of which drafts are made, packed; fit for any process.

    The sentences of each are a text of their own, which who brings all books together lays aside unread.
    """
    edition = serialisation.read(asked.edition)
    texts = {text.unit_id: text for text in passages(edition.units, TextLayer(edition.scan, edition.edits))}
    found = BookPieces(edition.units, texts, serialisation.read_tags(asked.tags)).read(Tagger(asked.concepts))
    return serialisation.packed(
        [[p.unit_id, sorted(p.spoken), p.times, json.dumps([*map(_written, p.sentences)])] for p in found]
    )


def _written(sentence: Sentence) -> list[object]:
    spoken = [[concept, span.start, span.end] for concept, span in sentence.spoken]
    return [sentence.span.start, sentence.span.end, sentence.raw.start, sentence.raw.end, sentence.lead, spoken]
