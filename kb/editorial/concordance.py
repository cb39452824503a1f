"""The concordance: which provisions of two codes correspond, and which have no counterpart.

A verdict links two provisions. A closed provision has no counterparts in the named codes except those linked; any other
proposal of the machine there is rejected. Verdicts are kept in the files of topics, where an editor looks for them;
judgements on two codes as a whole, and any other verdicts, are in `concordance.toml`.
"""

from __future__ import annotations

import re
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
"""The ids of a provision and a code."""


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
        return _Pair, frozenset(self.provisions)  # of the class too: a pair is linked or apart, not both


class Verdict(_Pair):
    """The editor's verdict on two provisions that answer the same question."""

    relation: Relation

    @model_validator(mode="after")
    def _joins_two_codes(self) -> Verdict:
        if work_of(self.a) == work_of(self.b):
            raise Fault(f"{self.b!r} is in the same code as `a`; link provisions of two codes", "b")
        return self


class Apart(_Pair):
    """Two provisions that answer one question differently but are not counterparts, and why not."""


class Closed(OneProvision):
    """A provision whose counterparts were looked for in other codes: there are none except those linked."""

    codes: Annotated[Many[Id], Field(min_length=1)]

    @model_validator(mode="after")
    def _is_closed_against_others(self) -> Closed:
        if work_of(self.provision) in self.codes:
            raise Fault("a provision cannot be closed for its own code; delete that code", "codes")
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
    """Return the closed cells: those the editor names, the same for twins, and those between twins.

    Args:
        closed: the editor's entries.
        twin: the twins of provisions.
        units: all units, those of earlier codes first.
    Returns:
        The cells in the order of the units, each once.
    """
    whole = [u.id for u in units if u.role == "provision" and u.code_id]
    twin_code = {work_of(u): work_of(twin[u]) for u in whole if u in twin}
    # A cell that is closed against a code is closed against the twin code too, if all provisions of the twin code have
    # twins: nothing else could be found there.
    twin_code = {a: b for a, b in twin_code.items() if all(u in twin for u in whole if work_of(u) == b)}
    found: set[Cell] = {(u, work_of(twin[u])) for u in whole if u in twin}
    for entry in closed:
        codes = {c for code in entry.codes for c in (code, twin_code.get(code, code))}
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
    """Apply the editor's verdicts to the proposed links.

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
    provision_of = _provisions(units)
    for pair, row in rows.items():
        a, b = provision_of.get(row.a), provision_of.get(row.b)
        if row.status == "proposed" and a and b and not shut.isdisjoint({(a, work_of(b)), (b, work_of(a))}):
            rows[pair] = replace(row, status="rejected", source="editor")
    return tuple(sorted(rows.values(), key=lambda r: (place.get(r.a, -1), place.get(r.b, -1))))


def _places(units: Sequence[Unit]) -> dict[str, int]:
    return {unit.id: i for i, unit in enumerate(units)}


def _by_pair(
    verdicts: Iterable[Verdict], twin: Mapping[str, str], place: Mapping[str, int]
) -> dict[tuple[str, str], tuple[Relation, str]]:
    """Return the relation and reason of each judged pair, earlier code first; its own verdict overrides a twin's."""
    own: dict[tuple[str, str], tuple[Relation, str]] = {}
    for verdict in verdicts:
        if place[verdict.a] < place[verdict.b]:
            own[verdict.a, verdict.b] = (verdict.relation, verdict.reason)
        else:
            own[verdict.b, verdict.a] = (FLIPPED.get(verdict.relation, verdict.relation), verdict.reason)
    shared = {
        other: (relation, _of_twins(reason, pair, other))
        for pair, (relation, reason) in own.items()
        for other in pairs_with_twins(*pair, twin)
    }
    same: dict[tuple[str, str], tuple[Relation, str]] = {
        (a, b): ("same-text", "almost the same words") for a, b in twin.items() if place[a] < place[b]
    }
    return same | shared | own


def _of_twins(reason: str, pair: tuple[str, str], other: tuple[str, str]) -> str:
    """The reason for a relation as it reads for twins of two provisions: codes are named by their years."""
    for unit_id, twin_id in zip(pair, other, strict=True):
        year, its = (work_of(each).rpartition("-")[2] for each in (unit_id, twin_id))
        reason = re.sub(rf"\b{year}\b", its, reason)
    return reason


def _provisions(units: Sequence[Unit]) -> dict[str, str]:
    """Map each provision, and each unit inside one, to the id of the provision."""
    found: dict[str, str] = {}
    for unit in sorted(units, key=lambda u: (u.book_id, u.seq)):
        if unit.role == "provision":
            found[unit.id] = unit.id
        elif unit.parent_id in found:
            found[unit.id] = found[unit.parent_id]
    return found
