"""The machine's decisions on the words, punctuation, numbers and hyphens of a scan, each with its evidence.

They depend on the scan alone, not on the editor's readings, so they can be kept and need not be recomputed when the
editor changes a reading (`extract.correction.post_correction` applies the editor's readings over them).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from extract.correction.joins import GAPS, Join, JoinAcrossNote, around_notes, find_joins, joins_over
from extract.correction.misreading import Legibility, measure
from extract.correction.numbers import NUMBERS, correct_numbers
from extract.correction.rules import Habit, Rule
from extract.correction.signs import AS_PRINTED, LEADERS, SIGNS, correct_signs
from extract.correction.spelling.context import Language, count_usage
from extract.correction.spelling.corrector import CERTAIN, Correction, probability
from extract.correction.spelling.passes import WORDS, correct_words, guesser
from extract.correction.spelling.words import Word, read_words
from extract.correction.substitution import Substitution, substitute
from extract.language.lexicon import Lexicon, core, load_lexicon
from extract.language.token_shape import malformed
from extract.model import Edit, EditKind, Span
from extract.text.source import Layout
from extract.text.spacing import separators
from extract.text.stream import Gap, Stream, read_stream

ALSO_A_WORD = "the scan has a word of the lists"
"""Begins the part of a note that marks the change of one word into another, so that an editor can list them all."""
_OF_LETTERS: tuple[Rule[Any], ...] = (*SIGNS, *NUMBERS, *GAPS, *WORDS)
MISREAD = frozenset(rule.name for rule in _OF_LETTERS) - AS_PRINTED
"""The names of the rules that correct OCR errors: they change nothing in a scan that is hardly ever misread."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Edits that are applied or dropped together.

    `spans`: the spans of the scan that they read (two for a word cut by a note); `gaps`: the start offsets of the gaps
    whose white space they cover; `signs`: tokens, by start offset, whose text is replaced before words are judged.
    """

    spans: tuple[Span, ...]
    edits: tuple[Edit, ...]
    gaps: tuple[int, ...] = ()
    signs: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Letters:
    """The machine's decisions on a scan, and its suggestions to the editor (likeliest first)."""

    decisions: tuple[Decision, ...]
    suggestions: tuple[Edit, ...]


def decide_letters(
    scan: str,
    furniture: Sequence[Edit],
    *,
    layout: Layout,
    witnesses: Sequence[str] = (),
    habits: Sequence[Habit] = (),
    terms: tuple[str, ...] = (),
    notes: Sequence[Span] = (),
    without: Set[str] = frozenset(),
    misread: bool | None = None,
) -> Letters:
    """Decide how a scan's letters are read, without an editor.

    If the scan is hardly ever misread, its letters stay as they are, and only the certain corrections of OCR errors
    become suggestions: where misreadings are rare, most of those that are merely likely are wrong.

    Args:
        scan: the text of the scan.
        furniture: deletions of running heads, folios and signatures.
        layout: how the scan is laid out.
        witnesses: reading texts of other books, or of other prints of the same text.
        habits: the OCR errors that the book declares for the scan.
        terms: words of the library's subject, which are not misreadings.
        notes: the spans of notes that interrupt the text, in order.
        without: names of rules (`extract.correction.registry`) to leave out.
        misread: whether letters are misread often enough to be corrected; measured if None.
    """
    stream = read_stream(scan, furniture)
    language = Language(load_lexicon(terms), count_usage(stream, witnesses))
    found, measured = _decide(stream, language, layout, witnesses, habits, notes, without)
    if measured.misread if misread is None else misread:
        return found
    standing, _ = _decide(stream, language, layout, witnesses, habits, notes, without | MISREAD)
    left = (e for decision in found.decisions for e in decision.edits if not MISREAD.isdisjoint(e.rule.split()))
    certain = (e for e in (*found.suggestions, *left) if e.confidence >= probability(CERTAIN))
    return replace(standing, suggestions=_in_order(certain))


def _in_order(doubts: Iterable[Edit]) -> tuple[Edit, ...]:
    return tuple(sorted(doubts, key=lambda e: (-e.confidence, e)))


def _decide(
    stream: Stream,
    language: Language,
    layout: Layout,
    witnesses: Sequence[str],
    habits: Sequence[Habit],
    notes: Sequence[Span],
    without: Set[str],
) -> tuple[Letters, Legibility]:
    """Decide by all rules except some, and measure how often the scan is misread, as far as these rules show."""
    lexicon = language.lexicon
    signs = correct_signs(stream, separators(stream, layout), language, habits, without)
    for i, j in around_notes(stream, notes):
        if stream.tokens[i].text[-1] == "-" and stream.tokens[j].text[0].islower():
            signs.pop(stream.tokens[i].start, None)  # the word continues below the note: no paragraph ends here
    substituted = substitute(stream, signs)
    numbers = correct_numbers(substituted, without)
    substituted = substitute(substituted, numbers)
    signs |= {at: replace(m, rule=_rules(signs[at].rule, m.rule)) if at in signs else m for at, m in numbers.items()}
    joins = find_joins(substituted, lexicon, language.usage, guesser(language), without)
    overs = joins_over(substituted, notes, lexicon, language.usage, guesser(language), without)
    for gap in (i for over in overs for i in (over.left + 1, over.right)):
        joins.pop(gap, None)
    halves = {k for over in overs for k in (over.left, over.right)}
    words = read_words(substituted, joins, separators(substituted, layout), halves)
    corrections = correct_words(words, language, witnesses, without)
    decisions = [*_over_decisions(substituted, overs, signs)]
    decisions += _word_decisions(substituted, words, (c for c in corrections.values() if c.sure), signs, joins, lexicon)
    decisions += _sign_decisions(stream, signs, {substituted.gaps[i].start for i, join in joins.items() if join.hyphen})
    decisions += _join_decisions(substituted, joins)
    doubts = _suggestions(stream, words, corrections)
    letters = Letters(tuple(sorted(decisions, key=lambda decision: decision.spans)), _in_order(doubts))
    return letters, measure(words, corrections.values(), language)


def _rules(*names: str) -> str:
    """The names of the rules that contributed to an edit, in order, each once."""
    return " ".join(dict.fromkeys(name for name in names if name))


def _over_decisions(
    stream: Stream, overs: Sequence[JoinAcrossNote], signs: dict[int, Substitution]
) -> Iterator[Decision]:
    """Move the second half of a cut word before the note, and delete it after the note together with the gap."""
    for over in overs:
        left, right, join = stream.tokens[over.left], stream.tokens[over.right], over.join
        gap = stream.gaps[over.right]
        changed = {Span(left.end - 1, left.end): join.between + right.text}
        changed |= dict.fromkeys([*gap.blanks, Span(right.start, right.end)], "")
        edits = tuple(_joined(stream.scan, at, text, join) for at, text in changed.items())
        inside = _taken_signs([left.start, right.start], signs)
        replaced = tuple((at, sign.text) for at, sign in inside.items())
        yield Decision((Span(left.start, left.end), Span(gap.start, right.end)), edits, (gap.start,), replaced)


def _word_decisions(
    stream: Stream,
    words: Sequence[Word],
    corrections: Iterable[Correction],
    signs: dict[int, Substitution],
    joins: dict[int, Join],
    lexicon: Lexicon,
) -> Iterator[Decision]:
    """Edits of words, including the signs and joins inside them, which are removed from `signs` and `joins`.

    If the form in the scan is also a word of the lists, the note says so.
    """
    for correction in corrections:
        first, last = words[correction.first].first, words[correction.last].last
        span = Span(words[correction.first].start, words[correction.last].end)
        inside = _taken_signs([token.start for token in stream.tokens[first : last + 1]], signs)
        cuts = [joins.pop(i, None) for i in range(first + 1, last + 1)]
        read = [core(word.text) for word in words[correction.first : correction.last + 1]]
        known = [f"{ALSO_A_WORD}: '{form}'" for form in read if all(map(lexicon.size, read)) and not malformed(form)]
        note = "; ".join([correction.note, *(sign.note for sign in inside.values()), *known])
        rule = _rules(correction.rule, *(sign.rule for sign in inside.values()), *(cut.rule for cut in cuts if cut))
        before = stream.scan[span.start : span.end]
        edit = Edit(span.start, span.end, before, correction.text, "ocr", "model", correction.confidence, note, rule)
        gaps = tuple(gap.start for gap in stream.gaps[first + 1 : last + 1])
        yield Decision((span,), (edit,), gaps, tuple((at, sign.text) for at, sign in inside.items()))


def _taken_signs(starts: Sequence[int], signs: dict[int, Substitution]) -> dict[int, Substitution]:
    return {at: signs.pop(at) for at in starts if at in signs}


def _sign_decisions(stream: Stream, signs: Mapping[int, Substitution], hyphens: Set[int]) -> Iterator[Decision]:
    """Edits of punctuation and numbers; a hyphen that a join replaces (its end is in `hyphens`) is left to the join."""
    for token in stream.tokens:
        if sign := signs.get(token.start):
            kind: EditKind = "space" if sign.rule == LEADERS else "ocr"
            end, text = (token.end - 1, sign.text[:-1]) if token.end in hyphens else (token.end, sign.text)
            before = stream.scan[token.start : end]
            edit = Edit(token.start, end, before, text, kind, "rule", sign.confidence, sign.note, sign.rule)
            edits = (edit,) if before != text else ()  # if only the hyphen was misread, the join replaces it
            yield Decision((Span(token.start, token.end),), edits, (), ((token.start, sign.text),))


def _join_decisions(stream: Stream, joins: Mapping[int, Join]) -> Iterator[Decision]:
    """Remove the hyphen before a gap, or the gap, or both; a word cut by furniture has an edit on each side of it."""
    for i, join in joins.items():
        gap = stream.gaps[i]
        span = Span(stream.tokens[i - 1].start, stream.tokens[i].end)
        yield Decision((span,), tuple(_join_edits(stream.scan, gap, join)), (gap.start,))


def _join_edits(scan: str, gap: Gap, join: Join) -> Iterator[Edit]:
    after = join.between
    spans = [*gap.blanks]
    if join.hyphen:
        if spans and spans[0].start == gap.start:
            spans[0] = Span(gap.start - 1, spans[0].end)
        else:
            spans.insert(0, Span(gap.start - 1, gap.start))
    for span in spans:
        if scan[span.start : span.end] != after:
            yield _joined(scan, span, after, join)
        after = ""


def _joined(scan: str, at: Span, text: str, join: Join) -> Edit:
    before = scan[at.start : at.end]
    return Edit(at.start, at.end, before, text, "join", "rule", join.confidence, join.note, join.rule)


def _suggestions(stream: Stream, words: Sequence[Word], corrections: Mapping[int, Correction]) -> Iterator[Edit]:
    for c in corrections.values():
        start, end = words[c.first].start, words[c.last].end
        if not c.sure and c.margin > 0:
            yield Edit(start, end, stream.scan[start:end], c.text, "ocr", "model", c.confidence, c.note, c.rule)
