"""Which code took its provisions from which, and the families of provisions that print one rule.

A family is identified by its earliest provision. A later provision joins it if it is linked, as the same text or as
equivalent, to the earliest or to at least half of the family; or if it has the same text as any member and is still
similar to the earliest. So a chain of small changes does not lead from one rule to another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from kb.analysis.words import letters

_ONE_RULE = ("same-text", "equivalent")
_STILL_LIKE = 70.0  # per cent similarity of characters to the earliest provision; pairs of the same text have 80
_HALF = 0.5  # share of a family to which a provision must be linked if it is not linked to the earliest one


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A row of the table `link`."""

    a: str
    b: str
    relation: str
    score: float


@dataclass(frozen=True, slots=True)
class BorrowingRow:
    """A row of the table `borrowing`: what a later code (`code_id`) took from an earlier one (`source_id`).

    The numbers count provisions of the later code: all of them; those with the same text; those that say the same in
    other words; those where one of the two says more; and those with the same text to which this source is the
    nearest of all earlier codes.
    """

    code_id: str
    source_id: str
    provisions: int
    same: int
    equivalent: int
    part: int
    nearest: int


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """A row of the table `family`: a provision and the earliest provision of its family."""

    unit_id: str
    head_id: str


def borrowings(codes: Mapping[str, Sequence[str]], links: Iterable[LinkRow]) -> list[BorrowingRow]:
    """Return what each code took from each earlier one, if anything; sorted by code and source.

    Args:
        codes: the ids of the provisions of each code, earlier codes first.
        links: links between provisions, `a` in the earlier code; links of paragraphs are ignored.
    """
    code_of = {unit_id: code for code, ids in codes.items() for unit_id in ids}
    position = {code: i for i, code in enumerate(codes)}
    kinds: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    nearest: dict[str, tuple[float, int]] = {}
    for link in _provision_links(links, code_of):
        kinds[code_of[link.b], code_of[link.a]][link.relation].add(link.b)
        if link.relation == "same-text":
            nearest[link.b] = max(nearest.get(link.b, (0.0, -1)), (link.score, position[code_of[link.a]]))
    near = Counter((code_of[unit_id], at) for unit_id, (_, at) in nearest.items())
    rows = []
    for (code, source), found in kinds.items():
        same = found["same-text"]
        alike = found["equivalent"] - same
        part = (found["broader"] | found["narrower"]) - same - alike
        if same or alike or part:
            counts = len(same), len(alike), len(part), near[code, position[source]]
            rows.append(BorrowingRow(code, source, len(codes[code]), *counts))
    return sorted(rows, key=lambda row: (position[row.code_id], position[row.source_id]))


def families(codes: Mapping[str, Sequence[str]], links: Iterable[LinkRow], texts: Mapping[str, str]) -> list[FamilyRow]:
    """Return the provisions that belong to a family, in order, each with the earliest of its family.

    Args:
        codes, links: as in `borrowings`.
        texts: the text of each provision.
    """
    code_of = {unit_id: code for code, ids in codes.items() for unit_id in ids}
    earlier: dict[str, dict[str, LinkRow]] = defaultdict(dict)
    for link in _provision_links(links, code_of):
        if link.relation in _ONE_RULE:
            earlier[link.b][link.a] = link
    head: dict[str, str] = {}
    size: Counter[str] = Counter()
    for unit_id in code_of:
        ties = earlier.get(unit_id, {})
        links_by_head = Counter(head[other] for other in ties)
        heads = sorted(
            links_by_head, key=lambda h: (h not in ties, -links_by_head[h] / size[h], -_best_score(ties, head, h))
        )
        chosen = next(
            (h for h in heads if _belongs(unit_id, h, ties, links_by_head[h] / size[h], head, texts)), unit_id
        )
        head[unit_id] = chosen
        size[chosen] += 1
    return [FamilyRow(unit_id, chosen) for unit_id, chosen in head.items() if size[chosen] > 1]


def _belongs(
    unit_id: str,
    first: str,
    ties: Mapping[str, LinkRow],
    share: float,
    head: Mapping[str, str],
    texts: Mapping[str, str],
) -> bool:
    if first in ties or share >= _HALF:
        return True
    same = any(link.relation == "same-text" for other, link in ties.items() if head[other] == first)
    return same and fuzz.ratio(letters(texts[first]), letters(texts[unit_id])) >= _STILL_LIKE


def _best_score(ties: Mapping[str, LinkRow], head: Mapping[str, str], first: str) -> float:
    return max(link.score for other, link in ties.items() if head[other] == first)


def _provision_links(links: Iterable[LinkRow], code_of: Mapping[str, str]) -> Iterable[LinkRow]:
    return (link for link in links if link.a in code_of and link.b in code_of)
