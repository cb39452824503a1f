"""Provisions reduced to what is compared: TF-IDF vectors of stems and of concepts.

The measures are those of the vector space model (Salton, Wong & Yang, "A Vector Space Model for Automatic
Indexing", CACM 18, 1975). Concepts match wordings that share no word: `faced` and `exposed`, `redeal` and
`new deal`. A short article often corresponds to one sentence of a long law, so a provision is compared as a whole,
paragraph by paragraph, and passage by passage (its sentences; long ones are split at colons and semicolons).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from extract.language.lexicon import word_set
from extract.language.wording import Rarity, scaled, stems
from extract.model import Unit
from kb.analysis.words import sentences

KEPT = 8192
"""Cache size in texts: each text is compared with several texts of other codes."""
_PARTS = frozenset({"subclause", "note"})
_BROADER_WEIGHT = 0.5
_PASSAGE, _REST = 6, 4  # least content words of a passage, and of a remainder; a shorter one joins the passage before

_FAINT = word_set("asking")
_LABEL = re.compile(
    r"^\W*(?:(?:(?:[A-Z][a-z]+|[A-Z]{1,7})\.?\s*\d{1,4}|\d{1,3})(?:\s*[^\w\s]\W*|\s+(?=[^\Wa-z]))(?!\d)"
    r"|[IVX]{1,5}[.,]\W*|N\.\s*B\.\W*)"
)  # `Within 30 days` is not a label, nor is `1,000 points`
_NUMBERED = "|".join(sorted(word_set("citing") | {pair.partition("=")[0] for pair in word_set("members")}))
_REFERENCE = re.compile(
    rf"[—-]*\s*\((?:(?i:(?:(?:see|vide|note\s+on)\b\s*)+(?:[a-z]+\b)?|(?:{_NUMBERED})s?\b)|[A-Z]\b)\.?\s*\d[^()]*\)?"
)


@dataclass(frozen=True, slots=True)
class ComparedPassage:
    """A span of text reduced to what is compared.

    `stems`, `concepts` and `matter` map terms to TF-IDF weights, scaled to length 1. `matter` leaves out the concepts
    that are a consequence (a new deal, a card called): two provisions may have nothing else in common. `spoken` maps
    the concepts that the text itself mentions, without broader ones, to their rarity, 0 to 1.
    """

    stems: Mapping[str, float]
    concepts: Mapping[str, float]
    matter: Mapping[str, float]
    spoken: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ComparedProvision(ComparedPassage):
    """A provision, or a paragraph of one.

    `size` counts its content words; `heading` holds the stems of its heading. `lead` has the concepts of the words
    that introduce a paragraph (`There must be a new deal --`). `passages` are its sentences, if it has several.
    """

    unit: Unit
    size: int
    heading: frozenset[str]
    parts: tuple[ComparedProvision, ...] = ()
    lead: frozenset[str] = frozenset()
    passages: tuple[ComparedPassage, ...] = ()

    @property
    def entries(self) -> tuple[ComparedProvision, ...]:
        """The provision and its paragraphs."""
        return (self, *self.parts)

    @property
    def windows(self) -> tuple[ComparedPassage, ...]:
        """The provision, its paragraphs and its sentences."""
        return (self, *self.parts, *self.passages)


@lru_cache(maxsize=KEPT)
def plain_text(text: str) -> str:
    """Return a provision's text without its label and without references in brackets."""
    return _REFERENCE.sub(" ", _LABEL.sub("", text))


def content(text: str) -> list[str]:
    """Return the stems of a text's content words."""
    return stems(plain_text(text), but=_FAINT)


def passages(text: str) -> Iterator[str]:
    """Yield the sentences of a provision, long ones split at colons and semicolons; each has some content words.

    Args:
        text: a provision's text.
    """
    for sentence in sentences(plain_text(text)):
        yield from _cut(sentence)


def _cut(sentence: str) -> Iterator[str]:
    found: list[str] = []
    pieces: list[str] = []
    for piece in re.split(r"[;:]", sentence):
        pieces.append(piece)
        if len(content(" ; ".join(pieces))) >= _PASSAGE:
            found.append(" ; ".join(pieces))
            pieces = []
    if pieces:
        rest = " ; ".join(pieces)
        if found and len(content(rest)) < _REST:
            found[-1] += " ; " + rest
        else:
            found.append(rest)
    return (passage for passage in found if content(passage))


class Digests:
    """The provisions of codes, each reduced to what is compared on demand.

    `provisions` has the provisions of each code in order, `parts` the paragraphs of each provision by its id. `of`
    returns the reduced provision with an id, with its paragraphs and its sentences.
    """

    def __init__(
        self,
        units: Iterable[Unit],
        spoken: Mapping[str, Iterable[str]],
        broader: Mapping[str, str | None],
        *,
        remedies: Set[str] = frozenset(),
        tell: Callable[[str], Iterable[str]] | None = None,
    ) -> None:
        """Count the terms of all provisions.

        Args:
            units: units of any kind; only provisions of codes and their paragraphs are used.
            spoken: the concepts that each unit mentions.
            broader: the broader concept of each concept; it counts as mentioned too, with half the weight.
            remedies: the concepts that are a consequence.
            tell: returns the concepts that a sentence mentions; without it sentences are not compared.
        """
        units = [u for u in units if u.code_id and (u.role == "provision" or u.kind in _PARTS)]
        self.provisions: dict[str, list[Unit]] = {}
        for unit in units:
            if unit.role == "provision":
                self.provisions.setdefault(unit.code_id or "", []).append(unit)
        wholes = [u for code in self.provisions.values() for u in code]
        ids = {u.id for u in wholes}
        self.parts: dict[str, list[Unit]] = defaultdict(list)
        for unit in units:
            if unit.kind in _PARTS and unit.parent_id in ids:
                self.parts[unit.parent_id or ""].append(unit)
        self._spoken, self._broader, self._remedies, self._tell = spoken, broader, remedies, tell
        self._term_rarity = Rarity(term_counts(u.text) for u in wholes)
        self._concept_rarity = Rarity(self._concepts_of(u) for u in wholes)
        # In a very large library only the most recently used provisions are kept.
        self._units = {u.id: u for u in wholes}
        self.of = lru_cache(maxsize=KEPT)(self._whole)

    def _whole(self, unit_id: str) -> ComparedProvision:
        """Return a provision with its paragraphs and its sentences."""
        unit = self._units[unit_id]
        cut = list(passages(unit.text)) if self._tell else []
        inner = [self._reduce(part) for part in self.parts.get(unit_id, ())]
        whole = self._reduce(unit)
        lead = frozenset(whole.spoken.keys() - {c for part in inner for c in part.spoken})
        return replace(
            whole,
            parts=tuple(replace(part, lead=lead) for part in inner),
            passages=tuple(map(self._sentence, cut)) if len(cut) > 1 else (),
        )

    def _concepts_of(self, unit: Unit) -> dict[str, float]:
        return _with_broader(self._spoken.get(unit.id, ()), self._broader)

    def _weighed(self, words: Mapping[str, int], known: Mapping[str, float]) -> ComparedPassage:
        concepts = {c: weight * self._concept_rarity(c) for c, weight in known.items()}
        return ComparedPassage(
            weighed(words, self._term_rarity),
            scaled(concepts),
            scaled({c: weight for c, weight in concepts.items() if c not in self._remedies}),
            {c: self._concept_rarity(c) / self._concept_rarity("") for c, weight in known.items() if weight == 1},
        )

    def _sentence(self, text: str) -> ComparedPassage:
        spoken = self._tell(text) if self._tell else ()
        return self._weighed(term_counts(text), _with_broader(spoken, self._broader))

    def _reduce(self, unit: Unit) -> ComparedProvision:
        terms = term_counts(unit.text)
        passage = self._weighed(terms, self._concepts_of(unit))
        heading = frozenset(content(unit.heading or ""))
        return ComparedProvision(
            passage.stems, passage.concepts, passage.matter, passage.spoken, unit, terms.total(), heading
        )  # fmt: skip


@lru_cache(maxsize=KEPT)
def term_counts(text: str) -> Counter[str]:
    """Count the stems of a provision's content words."""
    return Counter(content(text))


def weighed(words: Mapping[str, int], rarity: Rarity) -> dict[str, float]:
    """Return counted terms as a TF-IDF vector of length 1."""
    return scaled({term: (1 + math.log(n)) * rarity(term) for term, n in words.items()})


def combined(passage: ComparedPassage) -> dict[str, float]:
    """Return stems and concepts as one vector; the product of two is the mean of their similarities in each."""
    half = math.sqrt(0.5)
    words = {f"stem {term}": half * weight for term, weight in passage.stems.items()}
    return words | {f"concept {idea}": half * weight for idea, weight in passage.concepts.items()}


def overlap(a: ComparedProvision, b: ComparedProvision) -> dict[str, float]:
    """Return what each shared stem and concept adds to the similarity of two provisions."""
    other = combined(b)
    return {key: weight * other[key] for key, weight in combined(a).items() if key in other}


def share(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """Return the share of a's weight whose terms b has too, 0 to 1."""
    total = sum(a.values())
    return sum(weight for term, weight in a.items() if term in b) / total if total else 0.0


def _with_broader(concepts: Iterable[str], broader: Mapping[str, str | None]) -> dict[str, float]:
    found = dict.fromkeys(concepts, 1.0)
    for concept in list(found):
        ancestor = broader.get(concept)
        while ancestor:
            found.setdefault(ancestor, _BROADER_WEIGHT)
            ancestor = broader.get(ancestor)
    return found
