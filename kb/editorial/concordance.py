"""The concordance: which provisions of two codes answer one another, and which have nothing over against them.

A verdict links two provisions; a closed provision has, in the codes named, no counterparts but those linked. What the
machine proposes beyond that is rejected. Matters tell on which board of the editor's a provision is judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import Field

from extract.corpus.table import Fault, Id, Many, Prose, Table, UnitId, read_if_there, require_unique
from extract.errors import BookError
from extract.model import Unit
from kb.alignment.links import LinkRow
from kb.alignment.relation import FLIPPED, Relation
from kb.editorial.provisions import HashedEntry, Letters, ProvisionEntry
from kb.editorial.twins import TwinCodes, also, twins

FILE = "concordance.toml"


class BoardMatter(Table):
    """The provisions that are judged together: those that rule on a topic. A provision has one to three matters."""

    topic: Id
    members: Many[UnitId]


class Verdict(HashedEntry):
    """What the editor says of two provisions that answer the same question."""

    a: UnitId
    b: UnitId
    relation: Relation
    reason: Prose

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.a, self.b)


class Apart(HashedEntry):
    """Two provisions that answer one question otherwise and are no counterparts all the same, and why not."""

    a: UnitId
    b: UnitId
    reason: Prose

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.a, self.b)


class Closed(ProvisionEntry):
    """A provision that was looked for in other codes: it has no counterparts there but those linked."""

    provision: UnitId
    codes: Annotated[Many[Id], Field(min_length=1)]
    letters: Letters

    @property
    def rests(self) -> tuple[tuple[str, str], ...]:
        return ((self.provision, self.letters),)


class Unused(ProvisionEntry):
    """A provision that answers no question of any topic, and why not."""

    provision: UnitId
    reason: Prose
    letters: Letters

    @property
    def rests(self) -> tuple[tuple[str, str], ...]:
        return ((self.provision, self.letters),)


class Concordance(Table):
    """A concordance.toml."""

    twins: Many[TwinCodes] = ()
    matter: Many[BoardMatter] = ()
    link: Many[Verdict] = ()
    apart: Many[Apart] = ()
    closed: Many[Closed] = ()
    unused: Many[Unused] = ()

    @property
    def entries(self) -> tuple[tuple[str, ProvisionEntry], ...]:
        """The entries that rest on provisions, by name."""
        links = ((f"link {i}", entry) for i, entry in enumerate(self.link, 1))
        parted = ((f"apart {i}", entry) for i, entry in enumerate(self.apart, 1))
        closings = ((f"closed {i}", entry) for i, entry in enumerate(self.closed, 1))
        asides = ((f"unused {i}", entry) for i, entry in enumerate(self.unused, 1))
        return (*links, *parted, *closings, *asides)


def read_concordance(path: Path) -> Concordance:
    """Read concordance.toml: tables `twins`, `matter`, `link`, `apart`, `closed` and `unused`.

    Returns:
        The editor's verdicts; none if there is no such file.
    Raises:
        BookError: the file cannot be read or is not what it must be: a link joins a code to itself or is judged twice.
    """
    return read_if_there(path, Concordance, _require_sense)


def _require_sense(concordance: Concordance) -> None:
    """Raise a Fault where verdicts do not fit each other."""
    for i, said in enumerate(concordance.link):
        if _code(said.a) == _code(said.b):
            raise Fault(f"{said.b!r} is of the same code as `a`; links join two codes", "link", i, "b")
    for i, closed in enumerate(concordance.closed):
        if _code(closed.provision) in closed.codes:
            raise Fault("it is closed against its own code; take that out", "closed", i, "codes")
    require_unique(concordance.link, lambda said: frozenset((said.a, said.b)), "link", key="a")
    require_unique(concordance.apart, lambda said: frozenset((said.a, said.b)), "apart", key="a")
    linked = {frozenset((said.a, said.b)) for said in concordance.link}
    for i, parted in enumerate(concordance.apart):
        if frozenset((parted.a, parted.b)) in linked:
            raise Fault("the two are linked above; take out one of the entries", "apart", i, "a")
    require_unique(concordance.closed, lambda closed: closed.provision, "closed", key="provision")
    require_unique(concordance.unused, lambda unused: unused.provision, "unused", key="provision")
    require_unique(concordance.matter, lambda matter: matter.topic, "matter", key="topic")
    for i, matter in enumerate(concordance.matter):
        if len(set(matter.members)) < len(matter.members):
            raise Fault("a provision is named twice; take it out once", "matter", i, "members")


def require_members(concordance: Concordance, ids: Collection[str]) -> None:
    """Raise a BookError where a matter names a provision that does not exist."""
    for matter in concordance.matter:
        if unknown := [member for member in matter.members if member not in ids]:
            raise BookError(f"{FILE}: matter {matter.topic!r}: there is no unit {unknown[0]!r}; correct the id.")


@dataclass(frozen=True, slots=True)
class Judged:
    """The links of a library with the editor's verdicts, and the closed cells as (provision, code)."""

    links: tuple[LinkRow, ...]
    closed: tuple[tuple[str, str], ...]
    twin: Mapping[str, str]


def twins_of(concordance: Concordance, units: Iterable[Unit]) -> dict[str, str]:
    """The twin of each provision or paragraph that has one, both ways."""
    return twins(concordance.twins, {u.id: u.text for u in units if u.code_id})


def judge(
    proposed: Iterable[LinkRow],
    concordance: Concordance,
    units: Sequence[Unit],
    twin: Mapping[str, str] | None = None,
) -> Judged:
    """Lay the editor's verdicts over the links that were proposed.

    Args:
        proposed: the machine's links.
        concordance: the editor's verdicts.
        units: all units, those of earlier codes first.
        twin: what `twins_of` finds, if that is known already.
    Returns:
        Links with a verdict have status `confirmed` and the editor as source; proposals in a closed cell are kept with
        status `rejected`; the others stay `proposed`. Verdicts hold for twins too.
    """
    place = {unit.id: i for i, unit in enumerate(units)}
    twin = twins_of(concordance, units) if twin is None else twin
    rows = {(row.a, row.b): row for row in proposed}
    for pair, (relation, reason) in _verdicts(concordance, twin, place).items():
        row = rows.get(pair) or LinkRow(*pair, relation, None, 1.0, "confirmed", "editor", reason)
        rows[pair] = replace(row, relation=relation, score=1.0, status="confirmed", source="editor", why=reason)
    closed = _closed(concordance, twin, units)
    above = _provisions(units)
    for pair, row in rows.items():
        if row.status == "proposed" and _shut(above.get(row.a), above.get(row.b), closed):
            rows[pair] = replace(row, status="rejected", source="editor")
    links = sorted(rows.values(), key=lambda r: (place.get(r.a, -1), place.get(r.b, -1)))
    return Judged(tuple(links), tuple(sorted(closed, key=lambda c: (place.get(c[0], -1), c[1]))), twin)


def _verdicts(
    concordance: Concordance, twin: Mapping[str, str], place: Mapping[str, int]
) -> dict[tuple[str, str], tuple[Relation, str]]:
    """The relation and reason of each pair judged, the earlier code first: what is said of itself, then of twins."""
    said: dict[tuple[str, str], tuple[Relation, str]] = {}
    for verdict in concordance.link:
        if place[verdict.a] < place[verdict.b]:
            said[verdict.a, verdict.b] = (verdict.relation, verdict.reason)
        else:
            said[verdict.b, verdict.a] = (FLIPPED.get(verdict.relation, verdict.relation), verdict.reason)
    shared = {other: verdict for pair, verdict in said.items() for other in also(pair, twin)}
    same: dict[tuple[str, str], tuple[Relation, str]] = {
        (a, b): ("same-text", "the same words, but for trifles") for a, b in twin.items() if place[a] < place[b]
    }
    return same | shared | said


def _closed(concordance: Concordance, twin: Mapping[str, str], units: Sequence[Unit]) -> set[tuple[str, str]]:
    """The closed cells, as (provision, code): those said, those of twins, and those between twins."""
    whole = [u.id for u in units if u.role == "provision" and u.code_id]
    doubled = {_code(u): _code(twin[u]) for u in whole if u in twin}
    # A code is closed with its double where all that it prints is printed there: nothing else could be found in it.
    doubled = {a: b for a, b in doubled.items() if all(u in twin for u in whole if _code(u) == b)}
    found: set[tuple[str, str]] = {(u, _code(twin[u])) for u in whole if u in twin}
    for entry in concordance.closed:
        codes = {c for code in entry.codes for c in (code, doubled.get(code, code))}
        for unit_id in filter(None, (entry.provision, twin.get(entry.provision))):
            found |= {(unit_id, code) for code in codes if code != _code(unit_id)}
    return found


def _shut(a: str | None, b: str | None, closed: set[tuple[str, str]]) -> bool:
    return bool(a and b and ((a, _code(b)) in closed or (b, _code(a)) in closed))


def _provisions(units: Sequence[Unit]) -> dict[str, str]:
    """The provision of each unit that is one or stands in one."""
    found: dict[str, str] = {}
    for unit in sorted(units, key=lambda u: (u.book_id, u.seq)):
        if unit.role == "provision":
            found[unit.id] = unit.id
        elif unit.parent_id in found:
            found[unit.id] = found[unit.parent_id]
    return found


def _code(unit_id: str) -> str:
    return unit_id.partition("/")[0]
