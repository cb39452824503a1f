"""The concordance: which provisions of two codes answer one another, and which have no counterpart.

A verdict links two provisions; a closed provision has, in the codes named, no counterparts but those linked. What the
machine proposes beyond that is rejected. Verdicts stand in the files of topics, where an editor looks for them; what
holds of two codes as a whole, and any other verdict, in `concordance.toml`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field, model_validator

from extract.corpus.table import Fault, Id, Many, Prose, UnitId
from extract.model import Unit, work_of
from kb.alignment.links import LinkRow
from kb.alignment.relation import FLIPPED, Relation
from kb.editorial.provisions import EditorFile, OneProvision, ProvisionEntry
from kb.editorial.twins import TwinCodes, pairs_with_twins, with_twins

FILE = "concordance.toml"

Cell = tuple[str, str]
"""A provision and a code."""


class _Pair(ProvisionEntry):
    KEY = "b"

    a: UnitId
    b: UnitId
    reason: Prose

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.a, self.b)

    @property
    def subject(self) -> Hashable:
        return _Pair, frozenset(self.provisions)  # what is apart is not linked


class Verdict(_Pair):
    """What the editor says of two provisions that answer the same question."""

    relation: Relation

    @model_validator(mode="after")
    def _joins_two_codes(self) -> Verdict:
        if work_of(self.a) == work_of(self.b):
            raise Fault(f"{self.b!r} is of the same code as `a`; links join two codes", "b")
        return self


class Apart(_Pair):
    """Two provisions that answer one question otherwise and are no counterparts all the same, and why not."""


class Closed(OneProvision):
    """A provision that was looked for in other codes: it has no counterparts there but those linked."""

    codes: Annotated[Many[Id], Field(min_length=1)]

    @model_validator(mode="after")
    def _is_closed_against_others(self) -> Closed:
        if work_of(self.provision) in self.codes:
            raise Fault("it is closed against its own code; take that out", "codes")
        return self


class Unused(OneProvision):
    """A provision that answers no question of any topic, and why not."""

    reason: Prose


class VerdictFile(EditorFile):
    """The verdicts of one file."""

    link: Many[Verdict] = ()
    apart: Many[Apart] = ()
    closed: Many[Closed] = ()
    unused: Many[Unused] = ()


class ConcordanceFile(VerdictFile):
    """A concordance.toml."""

    twins: Many[TwinCodes] = ()


def closed_cells(closed: Iterable[Closed], twin: Mapping[str, str], units: Sequence[Unit]) -> tuple[Cell, ...]:
    """The closed cells: those said, those of twins, and those between twins.

    Args:
        closed: what the editor says.
        twin: the twins of provisions.
        units: all units, those of earlier codes first.
    Returns:
        The cells in the order of the units, each once.
    """
    whole = [u.id for u in units if u.role == "provision" and u.code_id]
    doubled = {work_of(u): work_of(twin[u]) for u in whole if u in twin}
    # A code is closed with its double where all that it prints is printed there: nothing else could be found in it.
    doubled = {a: b for a, b in doubled.items() if all(u in twin for u in whole if work_of(u) == b)}
    found: set[Cell] = {(u, work_of(twin[u])) for u in whole if u in twin}
    for entry in closed:
        codes = {c for code in entry.codes for c in (code, doubled.get(code, code))}
        for unit_id in with_twins([entry.provision], twin):
            found |= {(unit_id, code) for code in codes if code != work_of(unit_id)}
    place = _places(units)
    return tuple(sorted(found, key=lambda cell: (place.get(cell[0], -1), cell[1])))


def judge(
    proposed: Iterable[LinkRow],
    verdicts: Iterable[Verdict],
    closed: Iterable[Cell],
    twin: Mapping[str, str],
    units: Sequence[Unit],
) -> tuple[LinkRow, ...]:
    """Lay the editor's verdicts over the links that were proposed.

    Args:
        proposed: the machine's links.
        verdicts: the editor's verdicts, which hold for twins too.
        closed: the closed cells.
        twin: the twins of provisions.
        units: all units, those of earlier codes first.
    Returns:
        Links with a verdict have status `confirmed` and the editor as source; proposals in a closed cell are kept with
        status `rejected`; the others stay `proposed`.
    """
    place, shut = _places(units), frozenset(closed)
    rows = {(row.a, row.b): row for row in proposed}
    for pair, (relation, reason) in _by_pair(verdicts, twin, place).items():
        row = rows.get(pair) or LinkRow(*pair, relation, None, 1.0, "confirmed", "editor", reason)
        rows[pair] = replace(row, relation=relation, score=1.0, status="confirmed", source="editor", why=reason)
    above = _provisions(units)
    for pair, row in rows.items():
        a, b = above.get(row.a), above.get(row.b)
        if row.status == "proposed" and a and b and not shut.isdisjoint({(a, work_of(b)), (b, work_of(a))}):
            rows[pair] = replace(row, status="rejected", source="editor")
    return tuple(sorted(rows.values(), key=lambda r: (place.get(r.a, -1), place.get(r.b, -1))))


def _places(units: Sequence[Unit]) -> dict[str, int]:
    return {unit.id: i for i, unit in enumerate(units)}


def _by_pair(
    verdicts: Iterable[Verdict], twin: Mapping[str, str], place: Mapping[str, int]
) -> dict[tuple[str, str], tuple[Relation, str]]:
    """The relation and reason of each pair judged, the earlier code first: what is said of itself, then of twins."""
    said: dict[tuple[str, str], tuple[Relation, str]] = {}
    for verdict in verdicts:
        if place[verdict.a] < place[verdict.b]:
            said[verdict.a, verdict.b] = (verdict.relation, verdict.reason)
        else:
            said[verdict.b, verdict.a] = (FLIPPED.get(verdict.relation, verdict.relation), verdict.reason)
    shared = {other: verdict for pair, verdict in said.items() for other in pairs_with_twins(*pair, twin)}
    same: dict[tuple[str, str], tuple[Relation, str]] = {
        (a, b): ("same-text", "the same words, but for trifles") for a, b in twin.items() if place[a] < place[b]
    }
    return same | shared | said


def _provisions(units: Sequence[Unit]) -> dict[str, str]:
    """The provision of each unit that is one or stands in one."""
    found: dict[str, str] = {}
    for unit in sorted(units, key=lambda u: (u.book_id, u.seq)):
        if unit.role == "provision":
            found[unit.id] = unit.id
        elif unit.parent_id in found:
            found[unit.id] = found[unit.parent_id]
    return found
