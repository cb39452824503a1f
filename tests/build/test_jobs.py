"""Jobs of a crew come back in their order, and are not done again for what they were done for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from samples import CLUB_LAWS, make_book

from extract.model import Span
from kb.build import serialisation
from kb.build.cache import Cache
from kb.build.editions import BookJob, do_work
from kb.build.jobs import PiecesAsked, PlacesAsked, begun, find_pieces, find_places
from kb.build.spool import EDITION, Spool, SpooledEditions, SpooledPieces
from kb.build.workers import Crew
from kb.concepts.tagging import Concept
from kb.drafts.pieces import DraftPiece

CONCEPT = Concept(id="revoke", label="revoke", note="A fault.")
PLAN = CLUB_LAWS.format(id="club-1850")
MATTER = "THE LAWS OF WHIST\n\n1. The dealer must de-\nal the cards.\n\n2. A revoke is a fault. It costs three.\n"


@dataclass(frozen=True)
class Job:
    name: str
    takes: float = 0.0


def done(job: Job) -> bytes:
    time.sleep(job.takes)
    return job.name.encode()


def results(jobs: Iterable[tuple[Job, str | None]], work: Callable[[Job], bytes], cache: Cache | None) -> list[bytes]:
    with ThreadPoolExecutor(3) as threads, Crew(threads) as crew:
        return list(begun("x", work, jobs, crew, cache)())


def test_results_come_in_the_order_of_the_jobs() -> None:
    jobs = [Job("slow", 0.1), *(Job(f"job {n}") for n in range(100))]
    assert results([(job, None) for job in jobs], done, None) == [job.name.encode() for job in jobs]


def test_what_was_done_for_the_same_is_not_done_again(tmp_path: Path) -> None:
    asked = list[str]()

    def noted(job: Job) -> bytes:
        asked.append(job.name)
        return done(job)

    jobs = [(Job(name), name) for name in "abc"]
    assert results(jobs, noted, Cache(tmp_path)) == [b"a", b"b", b"c"]
    again = [*jobs, (Job("other"), "d"), (Job("never kept"), None)]
    for _ in range(2):
        asked.clear()
        assert results(again, noted, Cache(tmp_path)) == [b"a", b"b", b"c", b"other", b"never kept"]
    assert asked == ["never kept"]


def test_what_a_job_raises_is_told_and_nothing_is_kept_of_it(tmp_path: Path) -> None:
    def fail(job: Job) -> bytes:
        raise ValueError(job.name)

    with pytest.raises(ValueError, match="bad"):
        results([(Job("bad"), "bad")], fail, Cache(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def spooled(tmp_path: Path) -> Iterator[SpooledEditions]:
    """A small book in the spool."""
    book = make_book(tmp_path / "club-1850", MATTER, "lines", PLAN)
    with Spool(tmp_path) as spool:
        spool.add(do_work(BookJob(book, False, (CONCEPT,))))
        yield SpooledEditions(spool, [book.id])


def test_places_are_those_of_the_scan(spooled: SpooledEditions) -> None:
    edition = serialisation.read(spooled.edition("club-1850"))
    law = next(unit for unit in edition.units if unit.id == "club-1850/law-1")
    start = law.text.index("deal the")
    data = find_places(PlacesAsked(spooled.spool.read("club-1850", EDITION), ((law.id, start, start + 4),)))
    ((first, last),) = serialisation.unpacked(data)
    assert MATTER[first:last] == "de-\nal"


def test_the_outline_of_a_book_has_its_units_and_no_scan(spooled: SpooledEditions) -> None:
    (outline,) = spooled.outlines()
    whole = serialisation.read(spooled.edition("club-1850"))
    assert (outline.units, outline.references) == (whole.units, whole.references)
    assert (outline.scan, outline.edits) == ("", ())


def test_the_sentences_of_pieces_wait_in_the_spool(spooled: SpooledEditions) -> None:
    asked = PiecesAsked(spooled.edition("club-1850"), spooled.told("club-1850", "tags"), (CONCEPT,))
    pieces = SpooledPieces(spooled.spool)
    found = list(pieces.taken([find_pieces(asked)]))
    assert [piece.unit_id for piece in found] == ["club-1850/law-1", "club-1850/law-2"]
    assert found[1] == DraftPiece("club-1850/law-2", frozenset({"revoke"}), {"revoke": 1}, ())
    fault, cost = pieces.sentences("club-1850/law-2")
    (outline,) = spooled.outlines()
    text = next(unit.text for unit in outline.units if unit.id == "club-1850/law-2")
    assert text[fault.span.start : fault.span.end] == "A revoke is a fault."
    assert MATTER[cost.raw.start : cost.raw.end] == "It costs three."
    assert [(concept, Span(2, 8)) for concept in ("revoke",)] == list(fault.spoken)
