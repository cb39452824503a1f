"""Digests of cases: what happened, what was decided, and on which provisions it turned."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from extract.corpus.table import Line, Many, UnitId
from extract.model import Edition, Unit
from kb.editorial.provisions import EditorFile, ProvisionEntry
from kb.editorial.twins import with_twins

FILE = "digests.toml"


class Digest(ProvisionEntry):
    """A case in two lines. `case` has its id and that of its decision, if that is a unit of its own."""

    KEY = "case"

    case: Annotated[Many[UnitId], Field(min_length=1, max_length=2)]
    facts: Line
    decision: Line
    applies: Many[UnitId] = ()

    @property
    def provisions(self) -> tuple[str, ...]:
        return self.case

    @property
    def subject(self) -> Hashable:
        return self.case[0]


class DigestFile(EditorFile):
    """A digests.toml."""

    digest: Many[Digest] = ()


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
        turns |= {(digest.case[0], unit_id): "editor" for unit_id in with_twins(digest.applies, twin)}
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
