"""Find the references in a book and resolve them to its units; where two readings are possible, mark them ambiguous.

A reading is a series (which code, which book) and a number. Its weight comes from the names around the reference,
the cost of the OCR reading, how often the book cites that number, and the similarity of the words around it to those
of the unit. A reading is accepted only if it outweighs all others together by four to one; nothing is guessed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from extract.corpus.citations import CitedSeries, Rules
from extract.model import Reference, Slip, Span, Unit
from extract.numbering.numerals import reading_cost, roman
from extract.references.context import Wording, weigh
from extract.references.grammar import Item, Mention, Numeral, Relative, mentions, relatives
from extract.references.own_text import OwnText, is_label, own_texts
from extract.text.textlayer import TextLayer

_T = TypeVar("_T")
Vector = Mapping[str, float]
CERTAIN = 0.8  # four to one
# In brackets: the measured range of each weight in which no reference of the four books changes, shipped or unaided;
# outside it, one or two become ambiguous, or are resolved although the book leaves them open.
_FLOOR = 0.03  # the similarity of texts that share no word (0.025 to 0.03)
_FOREIGN_LIKENESS = 0.15  # assumed for a text that is not in the library, and cannot be compared (0.1 to 0.15)
_SLIP = 0.1  # how seldom an author names a part that the provision does not have (0.01 to 0.4)
_WORST_READING = 1.0  # the highest cost of a misread numeral that is believed (1 to 1.2)
_STEEPNESS = 5  # how fast the weight of a reading falls with its cost (5 to 8)
# The confidence of references that are resolved, or left open, without comparing weights.
_BY_POSITION, _BARE_PART, _UNKNOWN = 0.95, 0.9, 0.5


_Parsed = tuple[OwnText, tuple[Mention, ...], tuple[Relative, ...]]
"""A piece of text with the references found in it."""


@dataclass(slots=True)
class _Antecedents:
    """Earlier references within a law or case, to which `idem`, `„` and a bare `Section 4` refer back."""

    unit: str = ""
    above: tuple[str, ...] = ()  # the series words of the paragraph above
    words: tuple[str, ...] = ()  # and of this one
    target: str = ""
    had_part: bool = False


def find_references(
    units: Sequence[Unit], layer: TextLayer, rules: Rules, *, slips: Sequence[Slip] = ()
) -> tuple[Reference, ...]:
    """Find and resolve all references of a book.

    Args:
        units: the units of the book; their ids are the only targets.
        layer: the scan and its reading text; references are found in the latter.
        rules: the `[citations]` table of book.toml.
        slips: places in the scan where, according to the editor, the author cites the wrong provision; the printed
            one remains the target, unless the author has corrected it.
    Returns:
        One reference for each target, in reading order. Each member of a list has its own span, the first one's
        including the word (`Articles 43`, `44`); the members of a range share one. Offsets are those of the scan.
    """
    if not rules.series:
        return ()
    parsed: list[_Parsed] = []
    for piece in own_texts(units, layer, rules.without):
        found = mentions(piece.text, rules.words, rules.parts, rules.lettered)
        cited = tuple(mention for mention in found if not is_label(piece, mention))
        parsed.append((piece, cited, tuple(relatives(piece.text, rules.words))))
    resolver = _Resolver(units, layer, rules)
    resolver.cited = Counter(r.target_id for r in resolver.run(parsed))
    whole = {unit.id: unit.continues for unit in units if unit.continues}
    references = (replace(r, from_unit=whole.get(r.from_unit, r.from_unit)) for r in resolver.run(parsed))
    return tuple(_amended(reference, slips) for reference in references)


def with_explained_provisions(units: Sequence[Unit], references: Sequence[Reference]) -> tuple[Unit, ...]:
    """Return the units of a book, each remark with the provisions it explains, in the order in which it names them.

    Args:
        units: the units of the book.
        references: its references; only resolved ones count.
    """
    provisions = {unit.id for unit in units if unit.role in ("provision", "paragraph")}
    named: dict[str, dict[str, None]] = {}
    for reference in references:
        if reference.status == "resolved" and reference.target_id in provisions:
            named.setdefault(reference.from_unit, {})[reference.target_id] = None
    return tuple(
        replace(unit, explains=tuple(named[unit.id])) if unit.role == "remark" and unit.id in named else unit
        for unit in units
    )


def _amended(reference: Reference, slips: Sequence[Slip]) -> Reference:
    for slip in slips:
        if reference.raw_start <= slip.raw_start < reference.raw_end:
            return replace(reference, target_id=slip.cites) if slip.cites else replace(reference, status="slip")
    return reference


class _Resolver:
    """Resolves the mentions of one book in reading order; `cited`: how often each provision is known to be cited."""

    def __init__(self, units: Sequence[Unit], layer: TextLayer, rules: Rules) -> None:
        self.layer, self.rules = layer, rules
        self.units = {unit.id: unit for unit in units}
        self.members: dict[CitedSeries, dict[int | None, str]] = {}
        for series in rules.series:
            numbers = ((series.member(unit.id), unit.id) for unit in units)
            self.members[series] = {number: unit_id for number, unit_id in numbers if number is not None}
        ids = {unit_id for members in self.members.values() for unit_id in members.values()}
        self.wording = Wording({unit_id: self.units[unit_id].text for unit_id in sorted(ids)})
        self.notes = {unit.parent_id: unit.id for unit in reversed(units) if unit.kind == "note"}
        self.cited: Mapping[str | None, int] = {}

    def run(self, texts: Sequence[_Parsed]) -> list[Reference]:
        """Resolve the references of a book in one pass."""
        self.antecedents = _Antecedents()
        references: list[Reference] = []
        for piece, cited, placed in texts:
            root = self.root(piece.unit)
            if root != self.antecedents.unit:
                self.antecedents = _Antecedents(root)
            self.antecedents.above, self.antecedents.words = self.antecedents.words or self.antecedents.above, ()
            used: set[Span] = set()
            for mention in cited:
                references += self.resolve(piece, mention, used)
            for relative in placed:
                references += self.relative(piece, relative)
        return sorted(references, key=lambda r: (r.raw_start, r.raw_end))

    def root(self, unit: Unit) -> str:
        """The law, case or piece to which a unit belongs."""
        while unit.role in ("paragraph", "note") and unit.parent_id in self.units:
            unit = self.units[unit.parent_id]
        return unit.id

    # Which series

    def resolve(self, piece: OwnText, mention: Mention, used: set[Span]) -> list[Reference]:
        """The references of a mention, one for each member of its list."""
        mention = replace(mention, word=self.word(mention))
        self.antecedents.words += (mention.word,)
        weights = weigh(self.options(piece.unit, mention), piece.text, mention, used)
        if not weights:
            return self.bare_part(piece, mention)
        context = self.wording.context(piece.text, Span(mention.start, mention.end))
        series, certainty = self.choose_series(weights, mention, context)
        if series is None:
            return [self.reference(piece, item, None, "ambiguous", certainty) for item in mention.items]
        targets = (self.targets(piece, mention, item, series, certainty, context) for item in mention.items)
        return [reference for of_item in targets for reference in of_item]

    def word(self, mention: Mention) -> str:
        """Return the series word; `idem` and `„` repeat the word at the same position in the paragraph above."""
        if mention.word not in self.rules.ditto:
            return mention.word
        here = self.antecedents.words
        return (*self.antecedents.above[len(here) : len(here) + 1], *here[-1:], "")[0]

    def options(self, unit: Unit, mention: Mention) -> list[CitedSeries]:
        """Return the series of a word; one limited to some units must have all numbers, as a list has one series."""
        numbers = {item.first.number for item in mention.items} - {None}
        return [
            s for s in self.rules.series
            if mention.word in s.words and unit.id.startswith(s.within)
            and (not s.within or numbers <= self.members[s].keys())
        ]  # fmt: skip

    def choose_series(
        self, weights: list[tuple[CitedSeries, float]], mention: Mention, context: Vector
    ) -> tuple[CitedSeries | None, float]:
        """Return the series that is meant and how certain that is; None if no series outweighs the others."""
        if len(weights) == 1:
            return weights[0]
        scores = {series: weight * self.fitness(series, mention, context) for series, weight in weights}
        return _outweighing(scores)

    def fitness(self, series: CitedSeries, mention: Mention, context: Vector) -> float:
        """Score how well the members of a series with the numbers of a mention fit the words around it."""
        ids = [self.members[series].get(item.first.number, "") for item in mention.items]
        likeness = sum(self.wording.likeness(context, unit_id) for unit_id in ids) / len(ids)
        parts = ((unit_id, item.part) for unit_id, item in zip(ids, mention.items, strict=True) if item.part)
        slip = any(self.part(unit_id, part.number) is None for unit_id, part in parts)
        return (_SLIP if slip else 1.0) * (_FLOOR + (likeness if series.target else _FOREIGN_LIKENESS))

    def bare_part(self, piece: OwnText, mention: Mention) -> list[Reference]:
        """Resolve a bare `Section 4`: a part of the law cited last, if that was cited with a part too."""
        references = []
        for item in mention.items:
            part = self.part(self.antecedents.target, item.first.number) if self.antecedents.had_part else None
            found = ("resolved", _BARE_PART) if part else ("ambiguous", _UNKNOWN)
            references.append(self.reference(piece, item, part, *found))
        return references

    # Which number

    def targets(
        self, piece: OwnText, mention: Mention, item: Item, series: CitedSeries, certainty: float, context: Vector
    ) -> list[Reference]:
        """Return the references of one member of a list: one, or those to all members of a range."""
        number = item.first.number
        if not series.target:
            return [self.reference(piece, item, None, "foreign", certainty)]
        if item.last:
            return self.range(piece, item, item.last, series, certainty)
        if number and mention.whole:
            return [self.known(piece, item, series.unit_id(number, mention.whole.number), certainty)]
        stopped = piece.text[item.first.end : item.first.end + 1].strip()
        bracket = mention.unclosed and not stopped and item.first.read[1:].endswith("0")
        readings = self.readings(item.first, series, bracket=bracket)
        if not readings:
            outcome = ("dangling", certainty) if number else ("ambiguous", _UNKNOWN)
            return [self.reference(piece, item, None, *outcome)]
        best, share = _outweighing({n: w * self.plausible(series, n, context) for n, w in readings.items()}, certainty)
        if best is None:
            return [self.reference(piece, item, None, "ambiguous", share)]
        return [self.within(piece, mention, item, self.members[series][best], share)]

    def plausible(self, series: CitedSeries, number: int, context: Vector) -> float:
        """Score how likely the book refers to a number here, compared with other numbers."""
        target = self.members[series][number]
        return (1 + self.cited.get(target, 0)) * (_FLOOR + self.wording.likeness(context, target))

    def readings(self, numeral: Numeral, series: CitedSeries, *, bracket: bool) -> dict[int, float]:
        """Return the members that a numeral may name, each with the weight of that reading.

        If `bracket` is set, its final 0 may be a misread closing bracket.
        """
        members, read = self.members[series], numeral.read
        if (number := numeral.number) is not None and not bracket:
            return {number: 1.0} if number in members else {}
        spellings = (read, read[:-1]) if bracket else (read,)
        costs = {n: min(reading_cost(str(n), spelling) for spelling in spellings) for n in members if n is not None}
        return {n: math.exp(-_STEEPNESS * cost) for n, cost in costs.items() if cost <= _WORST_READING}

    def range(self, piece: OwnText, item: Item, to: Numeral, series: CitedSeries, certainty: float) -> list[Reference]:
        """Return a reference to every member from the first to the last; a range that does not rise is ambiguous."""
        low, high = item.first.number, to.number
        if not (low and high and low < high):
            return [self.reference(piece, item, None, "ambiguous", _UNKNOWN)]
        members = self.members[series]
        numbers = range(low, high + 1) if high in members else [high]
        return [self.known(piece, item, members.get(n), certainty) for n in numbers]

    def within(self, piece: OwnText, mention: Mention, item: Item, target: str, certainty: float) -> Reference:
        """Refer to the part of a provision, or to the note on it, that is named; a part it does not have is a slip."""
        self.antecedents.target, self.antecedents.had_part = target, item.part is not None
        if mention.note:
            target = self.notes.get(target, target)
        part = self.part(target, item.part.number) if item.part else target
        return self.reference(piece, item, part or target, "resolved" if part else "slip", certainty)

    def part(self, target: str, number: int | None) -> str | None:
        """Return the id of a numbered part of a provision, if it has that part."""
        ids = (f"{target}/{roman(number)}", f"{target}/{number}") if number else ()
        return next((unit_id for unit_id in ids if unit_id in self.units), None)

    # By position

    def relative(self, piece: OwnText, said: Relative) -> list[Reference]:
        """Resolve a reference by position: to a neighbour of the citing or explained provision, or to its paragraph."""
        unit = self.units[self.root(piece.unit)]
        here = (unit.explains or (unit.id,))[-max(0, said.step)]
        item = Item(said.start, said.end, Numeral(said.start, said.end, ""))
        for series in self.rules.series:
            number = series.member(here) if said.word in series.words else None
            target = self.members[series].get(number and number + said.step)
            if target and said.part:
                target = self.part(target, said.part)
            if target:
                return [self.reference(piece, item, target, "resolved", _BY_POSITION)]
        return []

    def known(self, piece: OwnText, item: Item, target: str | None, certainty: float) -> Reference:
        """Return a resolved reference if the target is a unit, else a dangling one."""
        found = target if target in self.units else None
        return self.reference(piece, item, found, "resolved" if found else "dangling", certainty)

    def reference(self, piece: OwnText, item: Item, target: str | None, status: str, certainty: float) -> Reference:
        span = self.layer.to_scan(Span(piece.start + item.start, piece.start + item.end))
        raw = self.layer.scan[span.start : span.end]
        confidence = round(min(certainty, 0.99), 3)
        return Reference(piece.unit.id, span.start, span.end, raw, target, status, confidence)


def _outweighing(scores: Mapping[_T, float], certainty: float = 1.0) -> tuple[_T | None, float]:
    """Return the option that outweighs all others together by four to one, or None, and the best one's certainty."""
    best = max(scores, key=lambda option: scores[option])
    certainty *= scores[best] / sum(scores.values())
    return (best if certainty >= CERTAIN else None), certainty
