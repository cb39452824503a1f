"""How alike two provisions are: TF-IDF cosine of stems and of concepts, over an inverted index.

The measures are those of the vector space model (Salton, Wong & Yang, "A Vector Space Model for Automatic
Indexing", CACM 18, 1975). Concepts bridge wordings that share no word: `faced` and `exposed`, `redeal` and
`new deal`. A law with numbered paragraphs is compared as a whole and paragraph by paragraph.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from extract.language.lexicon import word_set
from extract.language.wording import Rarity, scaled, stems
from extract.model import PROVISIONS, Unit

_PARTS = frozenset({"subclause", "note"})
_BROADER_WEIGHT = 0.5

_FAINT = word_set("asking")
_LABEL = re.compile(r"^\W*(?:(?:[A-Z][a-z]+|[A-Z])\s*\d{1,3}\W+|\d{1,3}\W+|[IVX]{1,5}[.,]\W*|N\.\s*B\.\W*)")
_REFERENCE = re.compile(r"[—-]*\s*\((?:(?:[Ss]ee|[Vv]ide|[Nn]ote\s+on)\s+)*(?:[A-Z][a-z]*|\w+s?)\.?\s*\d[^()]*\)?")


@dataclass(frozen=True, slots=True)
class Digest:
    """A provision, or a paragraph of one, reduced to what is compared.

    `stems` and `concepts` map terms to TF-IDF weights, scaled to length 1; `spoken` maps the concepts of its own
    words to their rarity, 0 to 1; `size` counts its telling words; `heading` holds the stems of its heading,
    `position` its place in the code, 0 to 1, or None where it stands outside the row of laws. `lead` names the
    concepts of the words that introduce a paragraph (`There must be a new deal --`).
    """

    unit: Unit
    stems: Mapping[str, float]
    concepts: Mapping[str, float]
    spoken: Mapping[str, float]
    size: int
    heading: frozenset[str]
    position: float | None
    parts: tuple[Digest, ...] = ()
    lead: frozenset[str] = frozenset()

    @property
    def entries(self) -> tuple[Digest, ...]:
        """The provision and its paragraphs."""
        return (self, *self.parts)


def plain_text(text: str) -> str:
    """A provision's text without its label and without references in brackets."""
    return _REFERENCE.sub(" ", _LABEL.sub("", text))


def content(text: str) -> list[str]:
    """The stems of a text's telling words."""
    return stems(plain_text(text), but=_FAINT)


def digest(
    units: Sequence[Unit], spoken: Mapping[str, Iterable[str]], broader: Mapping[str, str | None]
) -> dict[str, tuple[Digest, ...]]:
    """Reduce the provisions of all codes.

    Args:
        units: units of any kind; the provisions of codes are taken.
        spoken: the concepts that each unit speaks of.
        broader: the broader concept of each concept; a unit speaks of it too, with half the weight.
    Returns:
        For each code its provisions, in order.
    """
    provisions = [u for u in units if u.code_id and u.kind in PROVISIONS]
    ids = {u.id for u in provisions}
    parts: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        if unit.kind in _PARTS and unit.parent_id in ids and unit.code_id:
            parts[unit.parent_id or ""].append(unit)
    terms = {u.id: Counter(content(u.text)) for u in [*provisions, *(p for ps in parts.values() for p in ps)]}
    ideas = {unit_id: _with_broader(spoken.get(unit_id, ()), broader) for unit_id in terms}
    rare_term = Rarity(terms[u.id] for u in provisions)
    rare_idea = Rarity(ideas[u.id] for u in provisions)
    numbered = Counter(u.code_id for u in provisions if u.kind == "law")
    rank: Counter[str | None] = Counter()

    def reduce(unit: Unit, position: float | None) -> Digest:
        words = {t: (1 + math.log(n)) * rare_term(t) for t, n in terms[unit.id].items()}
        concepts = {c: weight * rare_idea(c) for c, weight in ideas[unit.id].items()}
        own = {c: rare_idea(c) / rare_idea("") for c, weight in ideas[unit.id].items() if weight == 1}
        size = sum(terms[unit.id].values())
        heading = frozenset(content(unit.heading or ""))
        inner = [reduce(part, position) for part in parts.get(unit.id, ())]
        lead = frozenset(own.keys() - {c for part in inner for c in part.spoken})
        led = tuple(replace(part, lead=lead) for part in inner)
        return Digest(unit, scaled(words), scaled(concepts), own, size, heading, position, led)

    codes: dict[str, list[Digest]] = defaultdict(list)
    for unit in provisions:
        place = rank[unit.code_id] / numbered[unit.code_id] if unit.kind == "law" else None
        rank[unit.code_id] += unit.kind == "law"
        codes[unit.code_id or ""].append(reduce(unit, place))
    return {code: tuple(digests) for code, digests in codes.items()}


class Index:
    """An inverted index of a code's provisions and paragraphs, by stem and by concept."""

    def __init__(self, digests: Sequence[Digest]) -> None:
        self._postings: dict[tuple[str, str], list[tuple[str, float]]] = defaultdict(list)
        for entry in (e for d in digests for e in d.entries):
            for key, weight in _weights(entry):
                self._postings[key].append((entry.unit.id, weight))

    def query(self, entry: Digest) -> dict[str, float]:
        """The entries that share a term with this one, with their likeness, 0 to 1."""
        found: dict[str, float] = defaultdict(float)
        for key, weight in _weights(entry):
            for unit_id, other in self._postings.get(key, ()):
                found[unit_id] += 0.5 * weight * other
        return found


def overlap(a: Digest, b: Digest) -> dict[tuple[str, str], float]:
    """What each shared stem and concept adds to the likeness of two digests."""
    other = dict(_weights(b))
    return {key: 0.5 * weight * other[key] for key, weight in _weights(a) if key in other}


def share(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """How much of a's weight stands in b too, 0 to 1."""
    total = sum(a.values())
    return sum(weight for term, weight in a.items() if term in b) / total if total else 0.0


def _weights(entry: Digest) -> Iterable[tuple[tuple[str, str], float]]:
    yield from ((("stem", term), weight) for term, weight in entry.stems.items())
    yield from ((("concept", idea), weight) for idea, weight in entry.concepts.items())


def _with_broader(concepts: Iterable[str], broader: Mapping[str, str | None]) -> dict[str, float]:
    found = dict.fromkeys(concepts, 1.0)
    for concept in list(found):
        wider = broader.get(concept)
        while wider:
            found.setdefault(wider, _BROADER_WEIGHT)
            wider = broader.get(wider)
    return found
