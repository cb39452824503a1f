"""The machine's own cleaning of a scan: joins, white space and misread words, each change with its evidence.

What letters are read is decided first. What stands between them is settled when the units are known, which tell where
a paragraph begins: so no edit is made that would be unmade later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from extract.correction.joins import Join, Over, find_joins, joins_over
from extract.correction.note_marks import misread_marks
from extract.correction.numbers import correct_numbers
from extract.correction.rules import Habit, Rule, active
from extract.correction.signs import correct_signs
from extract.correction.specks import LEADERS
from extract.correction.spelling.context import Language, count_usage
from extract.correction.spelling.corrector import Correction
from extract.correction.spelling.passes import correct_words, guesser
from extract.correction.spelling.words import Word, read_words
from extract.correction.substitution import Substitution, substitute
from extract.language.lexicon import load_lexicon
from extract.model import Edit, EditKind, Span
from extract.text.source import Layout
from extract.text.spacing import PARAGRAPH, separators
from extract.text.stream import Gap, Stream, read_stream

Spacing = Callable[[str, Gap, str], list[Edit]]
"""The edits of a gap that leave its separator: the scan, the gap, the separator."""
_NONE: Mapping[int, bool] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PostCorrection:
    """What the machine makes of a scan, and what it would have an editor look at (likeliest first).

    `letters`: edits of words, signs, numbers and joins; `specks`: signs that are read as nothing.
    """

    letters: tuple[Edit, ...]
    specks: tuple[Edit, ...]
    suggestions: tuple[Edit, ...]
    _scan: str = field(repr=False)
    _gaps: Sequence[tuple[Gap, str]] = field(repr=False)
    _spaces: Sequence[Rule[Spacing]] = field(repr=False)

    def white_space(self, borders: Mapping[int, bool] = _NONE, labels: Sequence[Edit] = ()) -> list[Edit]:
        """The edits of the white space that no edit of letters takes with it.

        Args:
            borders: where the units know better than the scan whether a paragraph begins: by the offset of its word.
            labels: further edits of letters; white space inside them is theirs.
        """
        edits: list[Edit] = []
        for gap, separator in self._gaps:
            begins = borders.get(gap.end)
            if begins is not None and begins != (separator == PARAGRAPH):
                separator = PARAGRAPH if begins else " "
            if not any(e.raw_start < gap.end and gap.start < e.raw_end for e in labels):
                for rule in self._spaces:
                    edits += rule.apply(self._scan, gap, separator)
        return edits

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, where nothing is known of units."""
        return tuple(sorted([*self.letters, *self.specks, *self.white_space()]))


def post_correct(
    scan: str,
    furniture: Sequence[Edit],
    *,
    layout: Layout,
    fixed: Sequence[Edit] = (),
    witnesses: Sequence[str] = (),
    habits: Sequence[Habit] = (),
    terms: tuple[str, ...] = (),
    notes: Sequence[Span] = (),
    without: Set[str] = frozenset(),
) -> PostCorrection:
    """Clean a scan without an editor.

    Args:
        scan: the text of the scan.
        furniture: deletions of running heads, folios and signatures.
        layout: how the scan is laid out.
        fixed: the editor's edits, which win: nothing that they cover is touched.
        witnesses: reading texts of other books, or of other prints of the same text.
        habits: what the scan reads again and again for what is printed.
        terms: words of the library's subject, which are no misreadings.
        notes: where notes stand that the text runs on around, in order.
        without: names of rules (`extract.correction.registry`) to leave out.
    Returns:
        Edits that fit together with `furniture` and `fixed` (see `textlayer.check_edits`), and suggestions.
    """
    lexicon = load_lexicon(terms)
    stream = read_stream(scan, furniture, fixed)
    language = Language(lexicon, count_usage(stream, witnesses))
    signs = correct_signs(stream, separators(stream, layout), language, habits, without)
    signs |= {at: mark for at, mark in misread_marks(stream, notes, without).items() if at not in signs}
    substituted = substitute(stream, signs)
    numbers = correct_numbers(substituted, without)
    substituted = substitute(substituted, numbers)
    signs |= {at: replace(m, rule=_rules(signs[at].rule, m.rule)) if at in signs else m for at, m in numbers.items()}
    joins = find_joins(substituted, lexicon, language.usage, guesser(language), without)
    overs = joins_over(substituted, notes, lexicon, language.usage, guesser(language), without)
    for gap in (i for over in overs for i in (over.left + 1, over.right)):
        joins.pop(gap, None)
    between = separators(substituted, layout)
    halves = {k for over in overs for k in (over.left, over.right)}
    words = read_words(substituted, joins, between, halves)
    corrections = correct_words(words, language, witnesses, without)
    made = {k: c for k, c in corrections.items() if c.sure}
    edits, taken = _word_edits(substituted, words, made, signs, joins)
    for at in (substituted.tokens[k].start for k in halves):
        signs.pop(at, None)
    edits += _sign_edits(stream, signs, {substituted.gaps[i].start for i, join in joins.items() if join.hyphen})
    for i, join in joins.items():
        edits += [] if i in taken else _join_edits(substituted, substituted.gaps[i], join)
    carried = [edit for over in overs for edit in _over_edits(substituted, over)]
    taken |= {over.right for over in overs}
    edits.sort()
    doubts = _suggestions(stream, words, corrections)
    return PostCorrection(
        tuple(sorted([*carried, *(e for e in edits if not _is_speck(e))])),
        tuple(e for e in edits if _is_speck(e)),
        tuple(sorted(doubts, key=lambda e: (-e.confidence, e))),
        scan,
        [(gap, between[i]) for i, gap in enumerate(substituted.gaps) if i not in taken and i not in joins],
        active(SPACES, without),
    )


def _is_speck(edit: Edit) -> bool:
    return bool(edit.before.strip()) and not edit.after.strip()


def _rules(*names: str) -> str:
    """The names of the rules that made an edit together, in their order, each once."""
    return " ".join(dict.fromkeys(name for name in names if name))


def _word_edits(
    stream: Stream,
    words: Sequence[Word],
    corrections: dict[int, Correction],
    signs: dict[int, Substitution],
    joins: dict[int, Join],
) -> tuple[list[Edit], set[int]]:
    """Edits of words, their signs with them, and the gaps that they cover."""
    edits: list[Edit] = []
    taken: set[int] = set()
    for correction in corrections.values():
        first, last = words[correction.first].first, words[correction.last].last
        start, end = words[correction.first].start, words[correction.last].end
        starts = [stream.tokens[k].start for k in range(first, last + 1)]
        inside = [signs.pop(at) for at in starts if at in signs]
        note = "; ".join([correction.note, *(sign.note for sign in inside)])
        cuts = (joins[i].rule for i in range(first + 1, last + 1) if i in joins)
        rule = _rules(correction.rule, *(sign.rule for sign in inside), *cuts)
        before = stream.scan[start:end]
        edits.append(Edit(start, end, before, correction.text, "ocr", "model", correction.confidence, note, rule))
        taken.update(range(first + 1, last + 1))
    return edits, taken


def _sign_edits(stream: Stream, signs: dict[int, Substitution], hyphens: set[int]) -> list[Edit]:
    """Edits of signs and numbers; a hyphen that a join takes out (it ends in `hyphens`) is left to the join."""
    edits: list[Edit] = []
    for token in stream.tokens:
        if sign := signs.get(token.start):
            kind: EditKind = "space" if sign.rule == LEADERS else "ocr"
            end, text = (token.end - 1, sign.text[:-1]) if token.end in hyphens else (token.end, sign.text)
            before = stream.scan[token.start : end]
            edits.append(Edit(token.start, end, before, text, kind, "rule", sign.confidence, sign.note, sign.rule))
    return edits


def _suggestions(stream: Stream, words: Sequence[Word], corrections: dict[int, Correction]) -> list[Edit]:
    found: list[Edit] = []
    for c in corrections.values():
        start, end = words[c.first].start, words[c.last].end
        if not c.sure and c.margin > 0:
            found.append(Edit(start, end, stream.scan[start:end], c.text, "ocr", "model", c.confidence, c.note, c.rule))
    return found


def paragraphs(scan: str, gap: Gap, separator: str) -> list[Edit]:
    """An empty line where a paragraph ends."""
    return _space_edits(scan, gap, separator, "space.paragraph") if separator == PARAGRAPH else []


def blanks(scan: str, gap: Gap, separator: str) -> list[Edit]:
    """One blank between words, and none where the printer's spacing was French."""
    return _space_edits(scan, gap, separator, "space.blank") if separator != PARAGRAPH else []


def _space_edits(scan: str, gap: Gap, separator: str, rule: str) -> list[Edit]:
    """Leave exactly the separator of a gap, beside its furniture too."""
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


def _join_edits(stream: Stream, gap: Gap, join: Join) -> list[Edit]:
    """Take out the hyphen before a gap, or the gap, or both; a word cut by furniture gives an edit on each side."""
    scan = stream.scan
    after = join.between
    spans = [*gap.blanks]
    if join.hyphen:
        if spans and spans[0].start == gap.start:
            spans[0] = Span(gap.start - 1, spans[0].end)
        else:
            spans.insert(0, Span(gap.start - 1, gap.start))
    edits: list[Edit] = []
    for span in spans:
        before = scan[span.start : span.end]
        if before != after:
            edits.append(
                Edit(span.start, span.end, before, after, "join", "rule", join.confidence, join.note, join.rule)
            )
        after = ""
    return edits


def _over_edits(stream: Stream, over: Over) -> list[Edit]:
    """The end of a cut word set before the note, with its beginning, and taken away after it with the gap."""
    left, right, join = stream.tokens[over.left], stream.tokens[over.right], over.join
    changed = {Span(left.end - 1, left.end): join.between + right.text}
    changed |= dict.fromkeys([*stream.gaps[over.right].blanks, Span(right.start, right.end)], "")
    read = ((at, stream.scan[at.start : at.end], text) for at, text in changed.items())
    return [
        Edit(at.start, at.end, before, text, "join", "rule", join.confidence, join.note, join.rule)
        for at, before, text in read
    ]


SPACES: tuple[Rule[Spacing], ...] = (
    Rule("space.paragraph", "the hand.«\n\n\n|\n\n»The game", paragraphs),
    Rule("space.blank", "the«  | »hand« |»;«\n| »the game", blanks),
)
