"""Words that are cut in two in the scan: by hyphens at line ends, at page breaks, and inside a line.

A hyphen has three possible readings: one word (`an-/nounce`), a compound that keeps its hyphen (`self-/accuser`), or
a speck between two words (`missing-/card`). The book's own usage decides, then the word lists.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from extract.correction.numbers import Usual, citing_word, usual_numbers
from extract.correction.rules import Rule, active, first
from extract.correction.spelling.context import Usage
from extract.language.lexicon import FUNCTION, Lexicon, word_set
from extract.model import Span
from extract.numbering.numerals import best_reading
from extract.text.spacing import CUTS
from extract.text.stream import Gap, Stream
from extract.weights import weights

_LEFT = re.compile(rf"[^\W\d_][^\s—–.,;:?!\"-]*[{CUTS}]$")
_RIGHT = re.compile(r"^[^\W\d_]")
_LEFT_WORD = re.compile(rf"(?:^|[^\w'’-])([^\W\d_][\w'’-]*)[{CUTS}]$")
_RIGHT_WORD = re.compile(r"^([\w'’]+(?:-\w[\w'’]*)*)")
_GENITIVE = re.compile(r"(?:^|[^\w'])([A-Za-z]?[a-z]{2,})$")
_LONE_S = re.compile(r"^s[,.;:?!\"”)]*$")
_FIGURE = re.compile(r"^[\dil\]I]{1,2}$")
_FIGURES = re.compile(r"^(\d{1,2})[.,;:)\]]*$")
# What may follow a blank inside a word or number: an s alone, or a digit.
_ODD = re.compile(r"s\W*$|\d")
_STROKES, _FURTHER = weights("correction", "number.strokes", "number.further")
_SUSPENDED, _COMPOUNDING = word_set("suspended"), word_set("compounding")

Guess = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Join:
    """The reading of a gap inside a word, or next to a hyphen, with confidence, evidence and rule.

    `hyphen`: whether a hyphen precedes the gap and is replaced with it; `between`: the replacement.
    """

    between: str
    hyphen: bool
    confidence: float
    note: str
    rule: str = ""

    @property
    def one(self) -> bool:
        """Whether the two sides become one word."""
        return self.between != " "

    def read(self, left: str, right: str) -> str:
        """Join the two sides."""
        return (left[:-1] if self.hyphen else left) + self.between + right


@dataclass(frozen=True, slots=True)
class GapContext:
    """A gap with its two sides: `left` and `right` are token texts, or the words on either side of a hyphen.

    `usual`: the usual form of number after each citing word; `guess`: returns the word that a misread form,
    punctuation included, most likely stands for.
    """

    stream: Stream
    i: int
    left: str
    right: str
    lexicon: Lexicon
    usage: Usage
    usual: Mapping[str, Usual]
    guess: Guess


def find_joins(
    stream: Stream, lexicon: Lexicon, usage: Usage, guess: Guess, without: Set[str] = frozenset()
) -> dict[int, Join]:
    """Decide how each hyphen before white space, and each blank inside a word or number, is read.

    Args:
        stream: the scan's tokens.
        lexicon: word lists.
        usage: the book's own counts, without the forms cut by a line end.
        guess: returns the word that a misread form, punctuation included, most likely stands for.
        without: names of rules to leave out.
    Returns:
        The readings by the index of the gap. A gap or hyphen that stays as it is has no entry.
    """
    gaps, hyphens = active(GAPS, without), active((HYPHEN,), without)
    joins: dict[int, Join] = {}
    usual = usual_numbers(stream.tokens)
    for i in range(1, len(stream.tokens)):
        left, right, gap = stream.tokens[i - 1], stream.tokens[i], stream.gaps[i]
        cut = _is_cut(left.text, right.text, gap)
        if not cut and not _ODD.match(right.text):
            continue
        seam = GapContext(stream, i, left.text, right.text, lexicon, usage, usual, guess)
        found = first(gaps, seam)
        if cut and not found:
            head, tail = _LEFT_WORD.search(left.text), _RIGHT_WORD.match(right.text)
            suspended = tail and not gap.breaks and tail[1].lower() in _SUSPENDED
            if head and tail and _RIGHT.match(right.text) and not suspended:
                found = first(hyphens, GapContext(stream, i, head[1], tail[1], lexicon, usage, usual, guess))
        if found:
            joins[i] = found
    return joins


@dataclass(frozen=True, slots=True)
class JoinAcrossNote:
    """A word cut by the note at the foot of a page: the indices of its two tokens, and how they are joined."""

    left: int
    right: int
    join: Join


def joins_over(
    stream: Stream,
    notes: Sequence[Span],
    lexicon: Lexicon,
    usage: Usage,
    guess: Guess,
    without: Set[str] = frozenset(),
) -> list[JoinAcrossNote]:
    """Find the words that a hyphen cuts before a note and that continue after it.

    Args:
        stream: the scan's tokens.
        notes: the spans of the notes in the scan, in order.
        lexicon, usage, guess, without: as in `find_joins`.
    Returns:
        The words that continue across a note, in order.
    """
    hyphens = active((HYPHEN,), without)
    found: list[JoinAcrossNote] = []
    for i, j in around_notes(stream, notes):
        head, tail = _LEFT_WORD.search(stream.tokens[i].text), _RIGHT_WORD.match(stream.tokens[j].text)
        if not (head and tail and tail[1][0].islower() and stream.tokens[j].text[-1] != "-"):
            continue
        join = first(hyphens, GapContext(stream, j, head[1], tail[1], lexicon, usage, {}, guess))
        if join and join.one:
            found.append(JoinAcrossNote(i, j, join))
    return found


def around_notes(stream: Stream, notes: Sequence[Span]) -> list[tuple[int, int]]:
    """The indices of the tokens before and after each run of notes with text on both sides.

    Args:
        stream: the scan's tokens.
        notes: the spans of the notes in the scan, in order.
    """
    starts = [token.start for token in stream.tokens]
    runs: list[tuple[int, int]] = []
    for note in notes:
        begin, end = bisect_left(starts, note.start), bisect_left(starts, note.end)
        if runs and runs[-1][1] == begin:
            begin = runs.pop()[0]
        runs.append((begin, end))
    return [(begin - 1, end) for begin, end in runs if begin and end < len(starts)]


def _is_cut(left: str, right: str, gap: Gap) -> bool:
    """Whether the gap follows a hyphen that may cut a word."""
    if (left[-1] != "-" and not gap.breaks) or not _LEFT.search(left):
        return False
    return gap.breaks <= 1 or gap.furniture or not right[0].isupper()


def apostrophe(seam: GapContext) -> Join | None:
    """A blank read for the apostrophe of a genitive."""
    word = _GENITIVE.search(seam.left)
    if not word or not _LONE_S.match(seam.right) or word[1].lower() in FUNCTION or word[1][-1] == "s":
        return None
    if seam.stream.gaps[seam.i].breaks:
        return None  # a genitive is not divided between lines
    note = f"lost apostrophe; 's' alone is no word after '{word[1]}'"
    return Join("'", False, 0.95, note) if seam.lexicon.known(word[1]) else None


def figures(seam: GapContext) -> Join | None:
    """A blank between the digits of one number, after a word that takes a number."""
    stream, i, last = seam.stream, seam.i, _FIGURES.match(seam.right)
    if i < 2 or not _FIGURE.match(seam.left) or not last or stream.gaps[i].breaks > 1:
        return None
    word = stream.tokens[i - 2].text
    usual = seam.usual.get(citing_word(word))
    if usual is None or usual.due != "figures" or not word[-1].isalpha():
        return None
    number = best_reading(seam.left + last[1], range(1, int(_FURTHER * usual.highest) + 1), worst=_STROKES)
    return Join("", False, 0.95, f"blank inside {number.number}; '{word}' takes one number") if number else None


def hyphen(seam: GapContext) -> Join | None:
    """A word cut in two, a compound cut at its hyphen, or a speck read as a hyphen between two words."""
    usage, lexicon, left, right = seam.usage, seam.lexicon, seam.left, seam.right
    one, compound, last = left + right, f"{left}-{right}", left.rpartition("-")[2]
    uses, is_word = {form: usage.word(form) for form in (one, compound)}, lexicon.known(one)
    if uses[compound] > uses[one] + (is_word and not uses[one]):
        return Join("-", True, 0.98, f"line-end hyphen kept; '{compound}' stands elsewhere")
    if uses[one] or is_word:
        where = "stands elsewhere in the book" if uses[one] else "is in the word list"
        return Join("", True, 0.98, f"line-end hyphen; '{one}' {where}")
    if not (lexicon.known(last) and lexicon.known(right)):
        part_of_letter = lexicon.known(right) and seam.guess(left + "-")
        note = f"line-end hyphen; '{left}' and '{right}' are not both words"
        return None if part_of_letter else Join("", True, 0.9, note)
    grammar = bool({last.lower(), right.lower()} & FUNCTION)
    if last.lower() in _COMPOUNDING or (lexicon.size(compound) is not None and not grammar):
        return Join("-", True, 0.95, f"line-end hyphen kept; '{last}-' opens compounds")
    if grammar or usage.pair(left, right) or last.endswith("ly"):
        return Join(" ", True, 0.95, f"speck; '{left}' and '{right}' make no compound")
    return None


_Row = Rule[Callable[[GapContext], Join | None]]

GAPS: tuple[_Row, ...] = (
    Rule("join.apostrophe", "and the lady« |'»s hand", apostrophe),
    Rule("join.figures", "page 11, page 14, page 120, page 130, page 138, and page 1« |»33, as there", figures),
)
HYPHEN: _Row = Rule("join.hyphen", "to an«-\n|»nounce it", hyphen)
JOINS: tuple[_Row, ...] = (*GAPS, HYPHEN)
