"""Which code took its provisions from which, and the families of provisions that print one rule.

A family is told by its earliest provision. A provision joins it if it has the same text as that one or says the same,
or as most of the family; or if it has the same text as one of them and is still like the first. So a chain of small
changes does not lead from one rule to another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from kb.alignment.links import LinkRow
from kb.alignment.text_reuse import letters

_ONE_RULE = ("same-text", "equivalent")
_STILL_LIKE = 70.0  # per cent of the letters of the first; pairs of one text have 80
_HALF = 0.5  # of a family, with which a provision must be linked that is unlike the first


@dataclass(frozen=True, slots=True)
class BorrowingRow:
    """What a later code (`code_id`) has of an earlier one (`source_id`), as the table `borrowing` has it.

    The numbers count provisions of the later code: all it has; those in the same words; those that say the same in
    others; those of which one says more; and those whose words are nearest to this code of all the earlier ones.
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
    """A provision and the earliest of its family, as the table `family` has it."""

    unit_id: str
    head_id: str


def borrowings(codes: Mapping[str, Sequence[str]], links: Iterable[LinkRow]) -> list[BorrowingRow]:
    """What each code has of each earlier one, where it has anything; sorted by code and source.

    Args:
        codes: the ids of the provisions of each code, earlier codes first.
        links: links between provisions, `a` of the earlier code; those of paragraphs are passed over.
    """
    home = {unit_id: code for code, ids in codes.items() for unit_id in ids}
    place = {code: i for i, code in enumerate(codes)}
    kinds: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    nearest: dict[str, tuple[float, int]] = {}
    for link in _whole(links, home):
        kinds[home[link.b], home[link.a]][link.relation].add(link.b)
        if link.relation == "same-text":
            nearest[link.b] = max(nearest.get(link.b, (0.0, -1)), (link.score, place[home[link.a]]))
    near = Counter((home[unit_id], at) for unit_id, (_, at) in nearest.items())
    rows = []
    for (code, source), found in kinds.items():
        same = found["same-text"]
        alike = found["equivalent"] - same
        part = (found["broader"] | found["narrower"]) - same - alike
        if same or alike or part:
            counts = len(same), len(alike), len(part), near[code, place[source]]
            rows.append(BorrowingRow(code, source, len(codes[code]), *counts))
    return sorted(rows, key=lambda row: (place[row.code_id], place[row.source_id]))


def families(codes: Mapping[str, Sequence[str]], links: Iterable[LinkRow], texts: Mapping[str, str]) -> list[FamilyRow]:
    """The provisions that belong to a family, in order, each with its earliest.

    Args:
        codes, links: as in `borrowings`.
        texts: the text of each provision.
    """
    home = {unit_id: code for code, ids in codes.items() for unit_id in ids}
    earlier: dict[str, dict[str, LinkRow]] = defaultdict(dict)
    for link in _whole(links, home):
        if link.relation in _ONE_RULE:
            earlier[link.b][link.a] = link
    head: dict[str, str] = {}
    size: Counter[str] = Counter()
    for unit_id in home:
        ties = earlier.get(unit_id, {})
        kin = Counter(head[other] for other in ties)
        first = sorted(kin, key=lambda h: (h not in ties, -kin[h] / size[h], -_nearest(ties, head, h)))
        chosen = next((h for h in first if _belongs(unit_id, h, ties, kin[h] / size[h], head, texts)), unit_id)
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


def _nearest(ties: Mapping[str, LinkRow], head: Mapping[str, str], first: str) -> float:
    return max(link.score for other, link in ties.items() if head[other] == first)


def _whole(links: Iterable[LinkRow], home: Mapping[str, str]) -> Iterable[LinkRow]:
    return (link for link in links if link.status != "rejected" and link.a in home and link.b in home)
