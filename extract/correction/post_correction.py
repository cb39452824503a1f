"""Cleaning of a scan: the machine's decisions on letters, overridden by the editor's readings, then white space.

Letters are decided first. White space is settled only when the units are known, since they show where paragraphs
begin; so no edit has to be undone later.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType

from extract.correction.letters import Letters
from extract.correction.rules import Rule, active
from extract.correction.substitution import Substitution, substitute
from extract.model import STANDING, Edit, Span
from extract.text.source import Layout
from extract.text.spacing import PARAGRAPH, separators
from extract.text.stream import Gap, read_stream

Spacing = Callable[[str, Gap, str, str], list[Edit]]
"""Returns the edits that reduce a gap to its separator, from the scan, the gap, the separator and the rule's name."""
_NONE: Mapping[int, bool] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PostCorrection:
    """The machine's edits of a scan, and its suggestions to the editor (likeliest first).

    `letters`: edits of words, punctuation, numbers and joins, and deletions of characters that are not print.
    """

    letters: tuple[Edit, ...]
    suggestions: tuple[Edit, ...]
    _scan: str = field(repr=False)
    _gaps: Sequence[tuple[Gap, str]] = field(repr=False)
    _spaces: Sequence[Rule[Spacing]] = field(repr=False)

    def white_space(self, borders: Mapping[int, bool] = _NONE, labels: Sequence[Edit] = ()) -> list[Edit]:
        """Return the edits of the white space that no edit of letters covers.

        Args:
            borders: whether a paragraph begins at a word, by the word's offset, where the units override the scan.
            labels: further edits of letters; white space inside them is left to them.
        """
        edits: list[Edit] = []
        in_labels = _SpanSet([edit.span for edit in labels])
        for gap, separator in self._gaps:
            begins = borders.get(gap.end)
            if begins is not None and begins != (separator == PARAGRAPH):
                separator = PARAGRAPH if begins else " "
            if self._scan[gap.start : gap.end] == separator and not gap.given:
                continue  # most gaps need no edit
            name = "space.paragraph" if separator == PARAGRAPH else "space.blank"
            if not in_labels.meets(gap) and any(rule.name == name for rule in self._spaces):
                edits += _space_edits(self._scan, gap, separator, name)
        return edits

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, with paragraphs as the scan has them, for use where the units are not known."""
        return tuple(sorted([*self.letters, *self.white_space()]))


def post_correct(
    scan: str,
    furniture: Sequence[Edit],
    letters: Letters,
    *,
    layout: Layout,
    fixed: Sequence[Edit] = (),
    confirmed: Sequence[Span] = (),
    without: Set[str] = frozenset(),
) -> PostCorrection:
    """Apply the editor's readings over the machine's decisions, and settle the white space between.

    Args:
        scan: the text of the scan.
        furniture: deletions of running heads, folios and signatures.
        letters: the machine's decisions on the scan (`extract.correction.letters.decide_letters`).
        layout: how the scan is laid out.
        fixed: the editor's edits, which win: if one changes part of a word, the machine's decision on the word is
            dropped. If one leaves the letters as they are, decisions that do not edit these letters are kept: a
            misprinted word is still joined over a page break.
        confirmed: spans whose letters the editor has confirmed; they are treated like those left as they are.
        without: names of white-space rules to leave out.
    Returns:
        Edits that are compatible with `furniture` and `fixed` (see `textlayer.check_edits`), and suggestions.
    """
    stream = read_stream(scan, furniture, fixed)
    others = [edit.span for edit in fixed if edit.kind not in STANDING]
    changed = _SpanSet([*(Span(token.start, token.end) for token in stream.tokens if token.fixed), *others])
    standing = _SpanSet([*(edit.span for edit in fixed if edit.kind in STANDING), *confirmed])
    kept = [
        decision
        for decision in letters.decisions
        if not any(map(changed.meets, decision.spans)) and not any(standing.meets(edit.span) for edit in decision.edits)
    ]
    signs = {at: Substitution(text, 1.0, "") for decision in kept for at, text in decision.signs}
    stream = substitute(stream, signs)
    gaps = zip(stream.gaps, separators(stream, layout), strict=True)
    taken = {at for decision in kept for at in decision.gaps}
    return PostCorrection(
        tuple(sorted(edit for decision in kept for edit in decision.edits)),
        tuple(edit for edit in letters.suggestions if not changed.meets(edit.span) and not standing.meets(edit.span)),
        scan,
        [(gap, separator) for gap, separator in gaps if gap.start not in taken],
        active(SPACES, without),
    )


class _SpanSet:
    """A set of spans of the scan, to test other spans against."""

    def __init__(self, spans: Sequence[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [span.start for span in ordered]
        self._ends = [0, *accumulate((span.end for span in ordered), max)]

    def meets(self, span: Span | Gap) -> bool:
        """Whether one of the set overlaps a span; an insertion (an empty span) must lie strictly inside it."""
        return self._ends[bisect_left(self._starts, span.end)] > span.start


def _space_edits(scan: str, gap: Gap, separator: str, rule: str) -> list[Edit]:
    """Edit the white space of a gap so that exactly its separator remains, also beside furniture."""
    edits: list[Edit] = []
    wanted = "" if gap.given else separator
    for blank in gap.blanks:
        before = scan[blank.start : blank.end]
        if before != wanted:
            note = "paragraph" if wanted == "\n\n" else "white space"
            edits.append(Edit(blank.start, blank.end, before, wanted, "space", "rule", 1.0, note, rule))
        wanted = ""
    if wanted and not gap.blanks and gap.end > gap.start:
        note = "white space lost beside furniture"
        edits.append(Edit(gap.start, gap.start, "", wanted, "space", "rule", 1.0, note, rule))
    return edits


SPACES: tuple[Rule[Spacing], ...] = (
    Rule("space.paragraph", "the hand.«\n\n\n|\n\n»The game", _space_edits, about="an empty line between paragraphs"),
    Rule(
        "space.blank",
        "the«  | »hand« |»;«\n| »the game",
        _space_edits,
        about="one blank between words, and none where the printer's spacing was French",
    ),
)
