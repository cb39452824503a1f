"""The concordance: what the editor says of links between provisions, laid over those that were proposed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from extract.corpus.table import Fault, Many, Prose, UnitId, read_if_there, require_unique
from kb.alignment.links import LinkRow
from kb.alignment.relation import FLIPPED, RELATIONS, Relation
from kb.editorial.provisions import Basis, ProvisionEntry, ProvisionFile, bases, require_known, require_used

FILE = "concordance.toml"
Status = Literal["confirmed", "corrected", "rejected"]


class Judgement(ProvisionEntry):
    """What the editor says of a pair: `confirmed`, `corrected` (the relation) or `rejected`, and why."""

    a: UnitId
    b: UnitId
    relation: Relation | None = None
    status: Status
    reason: Prose

    @property
    def provisions(self) -> tuple[str, ...]:
        return (self.a, self.b)


class Concordance(ProvisionFile):
    """A concordance.toml."""

    link: Many[Judgement] = ()

    @property
    def bases(self) -> tuple[Basis, ...]:
        """What the judgements rest on."""
        return bases(FILE, self.link, self.text)


def read_concordance(path: Path) -> Concordance:
    """Read concordance.toml: an array of tables `link` with a, b, relation, status, reason and letters.

    Returns:
        The editor's judgements; none if there is no such file.
    Raises:
        BookError: the file cannot be read or is not what it must be: a link joins a code to itself, is judged
            twice, or is corrected without a relation.
    """
    return read_if_there(path, Concordance, _require_pairs)


def _require_pairs(concordance: Concordance) -> None:
    """Raise a Fault where judgements are not such or do not fit each other."""
    for i, said in enumerate(concordance.link):
        if said.a.partition("/")[0] == said.b.partition("/")[0]:
            raise Fault(f"{said.b!r} is of the same code as `a`; links join two codes", "link", i, "b")
        if said.status == "corrected" and said.relation is None:
            raise Fault(f"what is corrected needs one; write one of {', '.join(sorted(RELATIONS))}",
                        "link", i, "relation")  # fmt: skip
    require_unique(concordance.link, lambda said: frozenset((said.a, said.b)), "link", key="a")
    require_used(concordance.link, concordance.text)


def judge(links: Iterable[LinkRow], concordance: Concordance, ids: Sequence[str]) -> list[LinkRow]:
    """Lay the editor's judgements over the links that were proposed.

    Args:
        links: the links proposed.
        concordance: the editor's judgements.
        ids: all unit ids, those of earlier codes first.
    Returns:
        The links: confirmed and corrected ones with status `confirmed` and the editor as source, rejected ones
        kept with status `rejected`, and the editor's own added.
    Raises:
        BookError: a judgement names a unit that does not exist.
    """
    place = {unit_id: i for i, unit_id in enumerate(ids)}
    require_known(concordance.bases, place.keys(), "link")
    rows = {(row.a, row.b): row for row in links}
    for said in concordance.link:
        turned = place[said.a] > place[said.b]
        pair = (said.b, said.a) if turned else (said.a, said.b)
        relation = FLIPPED.get(said.relation or "", said.relation) if turned else said.relation
        row = rows.get(pair) or LinkRow(*pair, relation or "equivalent", None, 1.0, "proposed", "editor", "")
        status = "rejected" if said.status == "rejected" else "confirmed"
        rows[pair] = replace(
            row, relation=relation or row.relation, status=status, source="editor", why=said.reason or row.why
        )
    return sorted(rows.values(), key=lambda r: (place.get(r.a, -1), place.get(r.b, -1)))
