"""Links between provisions, as the editor judged them, and what holds for the reprint of a code as well.

One code may reprint another (`[[twins]]`): what the editor says of a provision also holds for its reprint, unless the
reprint has a judgement of its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from rapidfuzz import fuzz

from extract.model import work_of
from kb.analysis.words import letters
from kb.editorial.files import FLIPPED, Closed, Link, Relation, Reprint
from kb.editorial.judgements import Library, Row
from kb.propose import contrast


def reprints(said: Iterable[Reprint], library: Library) -> dict[str, str]:
    """Find the provisions and paragraphs that two codes print alike; those with another number or denial are not.

    Returns:
        The id of each unit's reprint by the id of the unit, in both directions.
    """
    texts = {unit.id: unit.text for unit in library.units.values() if unit.code_id}
    found: dict[str, str] = {}
    for codes in said:
        for unit_id, text in texts.items():
            code, _, rest = unit_id.partition("/")
            other = texts.get(f"{codes.b}/{rest}") if code == codes.a else None
            if other and fuzz.ratio(letters(text), letters(other)) >= 100 * codes.least and not contrast(text, other):
                found |= {unit_id: f"{codes.b}/{rest}", f"{codes.b}/{rest}": unit_id}
    return found


def with_reprints(unit_ids: Iterable[str], reprint: Mapping[str, str]) -> Iterator[str]:
    """Yield units, each followed by its reprint if it has one."""
    for unit_id in unit_ids:
        yield unit_id
        if unit_id in reprint:
            yield reprint[unit_id]


def pairs_with_reprints(a: str, b: str, reprint: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs for which a judgement on two provisions holds: the two, and those with either reprint or both."""
    for x, y in product(with_reprints([a], reprint), with_reprints([b], reprint)):
        if work_of(x) != work_of(y):
            yield x, y


def closed_pairs(closed: Iterable[Closed], reprint: Mapping[str, str], library: Library) -> list[tuple[str, str]]:
    """Return the provisions and codes where all counterparts are linked: as the editor says, and as reprints show.

    Returns:
        The ids of provision and code, in the order of the units, each pair once.
    """
    whole = [unit.id for unit in library.provisions()]
    code_of = {work_of(u): work_of(reprint[u]) for u in whole if u in reprint}
    # What is closed against a code is closed against its reprint, if all provisions of that are reprinted: nothing else
    # could be found there.
    code_of = {a: b for a, b in code_of.items() if all(u in reprint for u in whole if work_of(u) == b)}
    found = {(u, work_of(reprint[u])) for u in whole if u in reprint}
    for entry in closed:
        codes = {c for code in entry.codes for c in (code, code_of.get(code, code))}
        for unit_id in with_reprints([entry.provision], reprint):
            found |= {(unit_id, code) for code in codes if code != work_of(unit_id)}
    place = {unit_id: i for i, unit_id in enumerate(library.units)}
    return sorted(found, key=lambda pair: (place.get(pair[0], -1), pair[1]))


def link_rows(links: Iterable[Link], reprint: Mapping[str, str], library: Library) -> Iterator[Row]:
    """Yield the rows of the table `link`, earlier code first; a pair's own link overrides that of its reprints."""
    place = {unit_id: i for i, unit_id in enumerate(library.units)}
    print_of: dict[str, str] = defaultdict(str)  # with the paragraphs
    for unit in library.units.values():
        for unit_id in (unit.id, unit.parent_id or ""):
            print_of[unit_id] += f" {letters(unit.text)}"
    own: dict[tuple[str, str], tuple[Relation, str]] = {}
    for link in links:
        if place[link.a] < place[link.b]:
            own[link.a, link.b] = (link.relation, link.reason)
        else:
            own[link.b, link.a] = (FLIPPED.get(link.relation, link.relation), link.reason)
    found: dict[tuple[str, str], tuple[Relation, str]] = {
        (a, b): ("same-text", "the same words" if print_of[a] == print_of[b] else "almost the same words")
        for a, b in reprint.items()
        if place[a] < place[b]
    }
    for pair, (relation, reason) in own.items():
        for other in pairs_with_reprints(*pair, reprint):
            found[other] = (relation, _for_reprints(reason, pair, other))
    for (a, b), (relation, reason) in sorted(
        (found | own).items(), key=lambda row: (place[row[0][0]], place[row[0][1]])
    ):
        row = {"a": a, "b": b, "relation": relation, "why": reason}
        yield row | {"score": 1.0, "source": "editor"}


def _for_reprints(reason: str, pair: tuple[str, str], other: tuple[str, str]) -> str:
    """Return the reason for a relation as it reads for reprints of two provisions: codes are named by their years."""
    for unit_id, reprinted in zip(pair, other, strict=True):
        year, its = (work_of(each).rpartition("-")[2] for each in (unit_id, reprinted))
        reason = re.sub(rf"\b{year}\b", its, reason)
    return reason
