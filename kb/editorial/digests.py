"""Digests of cases: what happened, what was decided, and on which provisions it turned."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from extract.corpus.table import Line, Many, Table, UnitId, read_if_there, require_unique
from extract.errors import BookError
from extract.model import Edition, Unit
from kb.editorial.provisions import ProvisionEntry

FILE = "digests.toml"


class Digest(ProvisionEntry):
    """A case in two lines. `case` has its id and that of its decision, if that is a unit of its own."""

    case: Annotated[Many[UnitId], Field(min_length=1, max_length=2)]
    facts: Line
    decision: Line
    applies: Many[UnitId] = ()

    @property
    def provisions(self) -> tuple[str, ...]:
        return self.case


class _Digests(Table):
    digest: Many[Digest] = ()


def read_digests(path: Path) -> tuple[Digest, ...]:
    """Read digests.toml; without it there are none.

    Raises:
        BookError: the file cannot be read or is not what it must be.
    """

    def require_once(digests: _Digests) -> None:
        require_unique(digests.digest, lambda digest: digest.case[0], "digest", key="case")

    return read_if_there(path, _Digests, require_once).digest


def require_applied(digests: Iterable[Digest], ids: Collection[str]) -> None:
    """Raise a BookError where a digest applies a provision that does not exist."""
    for i, digest in enumerate(digests, 1):
        if unknown := [unit_id for unit_id in digest.applies if unit_id not in ids]:
            raise BookError(f"{FILE}: digest {i}, key 'applies': there is no unit {unknown[0]!r}; correct the id.")


def case_rows(
    digests: Sequence[Digest], editions: Iterable[Edition], twin: Mapping[str, str]
) -> dict[str, list[dict[str, Any]]]:
    """The rows of the tables `digest` and `precedent`.

    A case of which there is a digest turns on what the editor says, and on the twins of it; any other on the provisions
    that it or its decision cites.

    Args:
        digests: the editor's digests.
        editions: the editions, for cases and what they cite.
        twin: the twins of provisions.
    """
    said = {digest.case[0]: digest for digest in digests}
    turns: dict[tuple[str, str], str] = {}
    for digest in digests:
        for unit_id in digest.applies:
            turns |= {(digest.case[0], each): "editor" for each in (unit_id, twin.get(unit_id)) if each}
    for edition in editions:
        units = {unit.id: unit for unit in edition.units}
        for cited in edition.references:
            case, target = _case(units.get(cited.from_unit)), units.get(cited.target_id or "")
            if case and case not in said and target and target.role in ("provision", "paragraph"):
                turns.setdefault((case, target.id), "machine")
    return {
        "digest": [{"unit_id": d.case[0], "facts": d.facts, "decision": d.decision} for d in digests],
        "precedent": [{"unit_id": c, "target_id": t, "source": source} for (c, t), source in turns.items()],
    }


def _case(unit: Unit | None) -> str | None:
    """The case that a unit is, or whose decision it is."""
    if unit is None or unit.role not in ("case", "decision"):
        return None
    return unit.parent_id if unit.role == "decision" else unit.id
