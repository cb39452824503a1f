"""Find the references in a book and resolve them to its units.

The nearest name of a book or code says which series is meant (`extract.references.context`); the number must be read
without doubt. Otherwise the reference is ambiguous; nothing is guessed. Where the words mislead, errata.toml says what
is cited (`cites`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from extract.corpus.citations import CitedSeries, Rules
from extract.model import Reference, Slip, Span, Unit
from extract.numbering.numerals import roman
from extract.references.context import choose_series
from extract.references.grammar import Item, Mention, Numeral, Relative, mentions, relatives
from extract.references.own_text import OwnText, is_label, own_texts
from extract.text.textlayer import TextLayer

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
        slips: places in the scan whose words mislead, according to the editor; where the author cites the wrong
            provision, the printed one remains the target, unless he has corrected it.
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
    whole = {unit.id: unit.continues for unit in units if unit.continues}
    resolved = _Resolver(units, layer, rules).run(parsed)
    references = (replace(r, from_unit=whole.get(r.from_unit, r.from_unit)) for r in resolved)
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
            if slip.cites is None:
                return replace(reference, status="slip")
            certain = ("resolved", 0.99) if slip.cites else ("ambiguous", _UNKNOWN)
            return replace(reference, target_id=slip.cites or None, status=certain[0], confidence=certain[1])
    return reference


class _Resolver:
    """Resolves the mentions of one book in reading order."""

    def __init__(self, units: Sequence[Unit], layer: TextLayer, rules: Rules) -> None:
        self.layer, self.rules = layer, rules
        self.units = {unit.id: unit for unit in units}
        self.members: dict[CitedSeries, dict[int | None, str]] = {}
        for series in rules.series:
            numbers = ((series.member(unit.id), unit.id) for unit in units)
            self.members[series] = {number: unit_id for number, unit_id in numbers if number is not None}
        self.notes = {unit.parent_id: unit.id for unit in reversed(units) if unit.kind == "note"}

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
        options = self.options(piece.unit, mention)
        if not any(series.default or series.names for series in options):
            return self.bare_part(piece, mention)
        series, certainty = choose_series(options, piece.text, mention, used)
        if series is None and not any(series.default for series in options):
            return self.bare_part(piece, mention)
        if series is None:
            return [self.reference(piece, item, None, "ambiguous", certainty) for item in mention.items]
        targets = (self.targets(piece, mention, item, series, certainty) for item in mention.items)
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
        self, piece: OwnText, mention: Mention, item: Item, series: CitedSeries, certainty: float
    ) -> list[Reference]:
        """Return the references of one member of a list: one, or those to all members of a range."""
        number = item.first.number
        if not series.target:
            return [self.reference(piece, item, None, "foreign", certainty)]
        if item.last:
            return self.range(piece, item, item.last, series, certainty)
        if number and mention.whole:
            return [self.known(piece, item, series.unit_id(number, mention.whole.number), certainty)]
        if number is None:
            return [self.reference(piece, item, None, "ambiguous", _UNKNOWN)]
        if number not in self.members[series]:
            return [self.reference(piece, item, None, "dangling", certainty)]
        return [self.within(piece, mention, item, self.members[series][number], certainty)]

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
