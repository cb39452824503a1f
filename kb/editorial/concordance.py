"""The concordance: which provisions of two codes answer one another, and which have no counterpart.

A verdict links two provisions; a closed provision has, in the codes named, no counterparts but those linked. What the
machine proposes beyond that is rejected. VerdictFile stand in the files of topics, where an editor looks for them; what
holds of two codes as a whole, and any other verdict, in `concordance.toml`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from pydantic import Field

from extract.corpus.table import Fault, Id, Many, Prose, Table, UnitId, read_if_there
from extract.errors import BookError
from extract.model import Unit, work_of
from kb.alignment.links import LinkRow
from kb.alignment.relation import FLIPPED, Relation
from kb.editorial.provisions import ProvisionEntry
from kb.editorial.twins import TwinCodes, also, twins

FILE = "concordance.toml"


class _Pair(ProvisionEntry):
    a: UnitId
    b: UnitId
    reason: Prose

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.a, self.b)


class Verdict(_Pair):
    """What the editor says of two provisions that answer the same question."""

    relation: Relation


class Apart(_Pair):
    """Two provisions that answer one question otherwise and are no counterparts all the same, and why not."""


class Closed(ProvisionEntry):
    """A provision that was looked for in other codes: it has no counterparts there but those linked."""

    provision: UnitId
    codes: Annotated[Many[Id], Field(min_length=1)]

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.provision,)


class Unused(ProvisionEntry):
    """A provision that answers no question of any topic, and why not."""

    provision: UnitId
    reason: Prose

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.provision,)


class VerdictFile(Table):
    """The verdicts of one file."""

    link: Many[Verdict] = ()
    apart: Many[Apart] = ()
    closed: Many[Closed] = ()
    unused: Many[Unused] = ()

    @property
    def verdicts(self) -> tuple[tuple[str, ProvisionEntry], ...]:
        """The verdicts, by the name under which an editor finds them: `link 12`."""
        kinds = {"link": self.link, "apart": self.apart, "closed": self.closed, "unused": self.unused}
        return tuple((f"{kind} {i}", entry) for kind, found in kinds.items() for i, entry in enumerate(found, 1))


class ConcordanceFile(VerdictFile):
    """A concordance.toml."""

    twins: Many[TwinCodes] = ()


@dataclass(frozen=True, slots=True)
class Concordance:
    """The verdicts of all files; `members` are the provisions that rule on each topic."""

    twins: tuple[TwinCodes, ...] = ()
    link: tuple[Verdict, ...] = ()
    apart: tuple[Apart, ...] = ()
    closed: tuple[Closed, ...] = ()
    unused: tuple[Unused, ...] = ()
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_concordance(path: Path) -> ConcordanceFile:
    """Read concordance.toml; without it there are no twins, and no verdicts but those of topics.

    Raises:
        BookError: the file cannot be read or is not what it must be.
    """
    return read_if_there(path, ConcordanceFile, require_sense)


def require_sense(said: VerdictFile) -> None:
    """Raise a Fault where a verdict joins or closes a code with itself."""
    for i, link in enumerate(said.link):
        if work_of(link.a) == work_of(link.b):
            raise Fault(f"{link.b!r} is of the same code as `a`; links join two codes", "link", i, "b")
    for i, closed in enumerate(said.closed):
        if work_of(closed.provision) in closed.codes:
            raise Fault("it is closed against its own code; take that out", "closed", i, "codes")


def joined(
    twin_codes: tuple[TwinCodes, ...], files: Mapping[str, VerdictFile], members: Mapping[str, tuple[str, ...]]
) -> Concordance:
    """The verdicts of all files as one.

    Args:
        twin_codes: the codes that have twins.
        files: the verdicts of each file, by its name.
        members: the provisions that rule on each topic.
    Raises:
        BookError: something is judged twice.
    """
    seen: dict[Hashable, str] = {}
    for file, said in files.items():
        for name, entry in said.verdicts:
            kind = Verdict if isinstance(entry, Apart) else type(entry)  # what is apart is not linked
            first = seen.setdefault((kind, frozenset(entry.provisions)), f"{file}, {name}")
            if first != f"{file}, {name}":
                raise BookError(
                    f"{file}: {name}: {first} judges {' and '.join(entry.provisions)} too; take one of them out."
                )
    every = tuple(files.values())
    return Concordance(
        twin_codes,
        link=tuple(entry for said in every for entry in said.link),
        apart=tuple(entry for said in every for entry in said.apart),
        closed=tuple(entry for said in every for entry in said.closed),
        unused=tuple(entry for said in every for entry in said.unused),
        members=members,
    )


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
        status `rejected`; the others stay `proposed`. VerdictFile hold for twins too.
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
    doubled = {work_of(u): work_of(twin[u]) for u in whole if u in twin}
    # A code is closed with its double where all that it prints is printed there: nothing else could be found in it.
    doubled = {a: b for a, b in doubled.items() if all(u in twin for u in whole if work_of(u) == b)}
    found: set[tuple[str, str]] = {(u, work_of(twin[u])) for u in whole if u in twin}
    for entry in concordance.closed:
        codes = {c for code in entry.codes for c in (code, doubled.get(code, code))}
        for unit_id in filter(None, (entry.provision, twin.get(entry.provision))):
            found |= {(unit_id, code) for code in codes if code != work_of(unit_id)}
    return found


def _shut(a: str | None, b: str | None, closed: set[tuple[str, str]]) -> bool:
    return bool(a and b and ((a, work_of(b)) in closed or (b, work_of(a)) in closed))


def _provisions(units: Sequence[Unit]) -> dict[str, str]:
    """The provision of each unit that is one or stands in one."""
    found: dict[str, str] = {}
    for unit in sorted(units, key=lambda u: (u.book_id, u.seq)):
        if unit.role == "provision":
            found[unit.id] = unit.id
        elif unit.parent_id in found:
            found[unit.id] = found[unit.parent_id]
    return found
