"""Misread punctuation and symbols, "signs" for short: the table data/signs.tsv, and the proofs that its rows require.

A row states what is read for what is printed, and between which neighbours. Its proofs check what a pattern cannot:
that the words on either side belong together, that a bracket is closed later, or that this scan misreads the sign
again and again. Words themselves are not changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from extract.correction.rules import Habit, Rule
from extract.correction.spelling.channel import load_channel
from extract.correction.spelling.context import PAUSE, STOP, Language
from extract.correction.substitution import Substitution
from extract.language.lexicon import FUNCTION, core, word_set
from extract.text.spacing import PARAGRAPH
from extract.text.stream import Stream, Token

LEADERS = "speck.leaders"
AS_PRINTED = frozenset({"sign.habit", "sign.dash", "sign.soft-hyphen", LEADERS})
"""The rules that do not themselves infer an OCR error: they turn typed signs into printed ones, or are declared."""

_PLAIN = r"[\"'“(\[]*[^\W\d_][\w'’-]*\.?\)?"
_OPENED, _CLOSED = re.compile(r"\W*['‘]\w"), re.compile(r"\W*[^\W\d_][\w-]*[.,;:]?['’][.,;:]?$")
_UNCOMPOUNDED, _ARTICLES, _CITING = word_set("uncompounded"), word_set("articles"), word_set("citing")
_ABBREVIATIONS = word_set("abbreviations")
_APHETIC, _CLIPPED = word_set("aphetic"), word_set("apocopic") | {"s"}
# In tokens: the longest quotation or bracket, the window to recognise prose, a paragraph too long to be a heading.
_REACH, _AROUND, _LONG = 40, 4, 8
# A scan is known to misread a sign if it does so at least `_TIMES` times, and once in `_TOKENS` tokens.
_TIMES, _TOKENS = 4, 8000


class Row(NamedTuple):
    """One row of the table: patterns for the neighbours and for what is read, what is printed, and the proofs.

    `shows`: the habit of the scan that each match is evidence of; `only_if`: the habit without which the row is void.
    """

    before: re.Pattern[str]
    read: re.Pattern[str]
    follows: re.Pattern[str]
    printed: str
    proofs: tuple[str, ...]
    shows: str
    only_if: str
    sure: float
    reason: str


@dataclass(frozen=True, slots=True)
class Place:
    """A token between its neighbours.

    `before` and `follows`: the neighbours as read so far, with what lies between (" ", a line end, a tab for an empty
    line or a cell, ¶ for the end of a paragraph, or nothing); `printed`: what is printed here according to a row.
    """

    stream: Stream
    separators: Sequence[str]
    i: int
    before: str
    follows: str
    printed: str
    language: Language

    @property
    def text(self) -> str:
        return self.stream.tokens[self.i].text

    @property
    def sides(self) -> tuple[str, str]:
        """The two words that would be side by side, in lower case."""
        words = self.printed.split() or [""]
        left, right = (words[0], words[-1]) if len(words) > 1 else (self.before, self.follows)
        if len(words) == 1 and words[0]:
            left, right = (words[0], right) if self.text.startswith(words[0]) else (left, words[0])
        return core(left.split()[-1] if left.split() else "").lower(), core((right.split() or [""])[0]).lower()

    def near(self, first: int, last: int) -> Sequence[Token]:
        """The tokens between two positions relative to this one; those before it are negative."""
        return self.stream.tokens[max(0, self.i + first) : self.i + last + 1]


def _prose(here: Place) -> bool:
    """Whether most tokens around are words: this is neither a table nor noise."""
    window = [core(t.text) for t in here.near(-_AROUND, _AROUND) if t is not here.stream.tokens[here.i]]
    known = sum(bool(w) and not w[0].isdecimal() and here.language.lexicon.known(w) for w in window)
    return 2 * known >= len(window)


def _together(here: Place) -> bool:
    """Whether the two words, one a function word, occur side by side elsewhere and are not a compound."""
    first, second = here.sides
    usage, lexicon = here.language.usage, here.language.lexicon
    if not lexicon.known(second) or usage.word(f"{first}-{second}") or lexicon.size(f"{first}-{second}"):
        return False
    return bool({first, second} & FUNCTION) and (usage.pair(first, second) > 1 or lexicon.pair(first, second) > 0)


def _common(here: Place) -> bool:
    """Whether the two words often occur side by side, in the book or in general."""
    first, second = here.sides
    return here.language.usage.pair(first, second) > 3 or here.language.lexicon.pair(first, second) > 5_000_000


def _phrase(here: Place) -> bool:
    """Whether the second word often follows the first, or the first is an article before a word."""
    first, second = here.sides
    usage, lexicon = here.language.usage, here.language.lexicon
    firm = 0.7 if here.text[-1] == ";" else 0.3  # a semicolon is rarely a speck
    times = usage.pair(first, second)
    return (times > 2 and times >= firm * usage.word(first)) or (first in _ARTICLES and lexicon.known(second))


def _apart(here: Place) -> bool:
    """Whether the two words occur side by side elsewhere, and one of them does not form compounds."""
    first, second = here.sides
    usage, lexicon = here.language.usage, here.language.lexicon
    known = lexicon.known(first, 50) and lexicon.known(second, 50) and not lexicon.known(first + second)
    beside = usage.pair(first, second) or lexicon.pair(first, second)
    return known and bool({first, second} & _UNCOMPOUNDED) and beside > 0


def _word(here: Place) -> bool:
    """Whether what is printed is a word."""
    return here.language.lexicon.known(core(here.printed))


def _whole(here: Place) -> bool:
    """Whether what is printed begins a word that continues on the next line, and is not a word itself."""
    known, head = here.language.lexicon.known, core(here.printed)
    return known(head + core(here.follows.split()[0])) and not known(head)


def _closed(here: Place) -> bool:
    """Whether the bracket or quotation mark is closed later."""
    signs = "".join([here.text[1:], *(t.text.replace("''", '"') for t in here.near(1, _REACH))])
    found = re.search('["”]' if here.printed == '"' else r"[)({\[⁽]", signs)
    return found is not None and found[0] in ')"”'


def _quoted(here: Place) -> bool:
    """Whether a quotation is open, and no citing word (`Law`) precedes."""
    return sum(t.text.count('"') for t in here.near(-_REACH, -1)) % 2 > 0 and here.sides[0] not in _CITING


def _stem(here: Place) -> bool:
    """Whether the sign follows a known word, or a longer form with whose last letter it is not a known confusion.

    A function word does not count.
    """
    stem = core(here.printed)
    if stem.lower() in FUNCTION:
        return False
    misread = here.text[-2:].lower() in load_channel().confusions or not stem.isalpha() or len(stem) < 4
    return here.language.lexicon.known(stem) or not misread


def _grammar(here: Place) -> bool:
    """Whether the word before is a function word."""
    return here.sides[0] in FUNCTION


def _opens(here: Place) -> bool:
    """Whether a sentence follows: a capitalised function word, then a lower-case word."""
    follows, *after = here.follows.split()
    opens = follows.istitle() and len(follows) > 1 and follows.lower() in FUNCTION
    return opens and bool(after) and after[0][0].islower() and core(here.text) not in FUNCTION


def _long(here: Place) -> bool:
    """Whether a paragraph longer than a heading ends here, and not in a function word that leads on (`or`)."""
    goes_on = core(here.text) in FUNCTION
    return not goes_on and here.i >= _LONG and PARAGRAPH not in here.separators[here.i - _LONG + 1 : here.i + 1]


def _goes_on(here: Place) -> bool:
    """Whether a sentence continues between two words, the first of which is not an abbreviation."""
    usage, lexicon, word = here.language.usage, here.language.lexicon, core(here.text)
    if not (lexicon.known(word) and lexicon.known(core(here.follows.split()[0]))):
        return False
    stopped, times = usage.pair(word, STOP), usage.word(word)
    usual = stopped < times and len(word) > 3 and word.title() not in _ABBREVIATIONS and lexicon.known(word, 50)
    return 2 * stopped < times or len(word) > 6 or usual


def _joined(here: Place) -> bool:
    """Whether the first word is a function word, or precedes the second more often than a comma."""
    first, second = here.sides
    usage = here.language.usage
    return first in FUNCTION or usage.pair(first, second) > usage.pair(first, PAUSE)


def _unclosed(here: Place) -> bool:
    """Whether a single quotation mark before a word is not closed, and does not mark an elided beginning."""
    word = core(here.printed)
    closed = any(_CLOSED.match(t.text) for t in here.near(1, _REACH))
    return not closed and here.language.lexicon.known(word) and word.lower() not in _APHETIC


def _unopened(here: Place) -> bool:
    """Whether a single quotation mark after a word is not opened, and does not mark an elided end or a genitive."""
    word = core(here.printed)
    opened = any(_OPENED.match(t.text) for t in here.near(-_REACH, -1))
    genitive = here.language.usage.word(f"{word}'s") > 1
    usual = len(word) > 2 and here.language.lexicon.known(word, 50) and word.lower() not in _CLIPPED
    return usual and not opened and not genitive


_PROOFS: dict[str, Callable[[Place], bool]] = {
    "prose": _prose, "together": _together, "common": _common, "phrase": _phrase, "apart": _apart, "word": _word,
    "whole": _whole, "closed": _closed, "quoted": _quoted, "stem": _stem, "grammar": _grammar, "opens": _opens,
    "long": _long, "goes-on": _goes_on, "joined": _joined, "unclosed": _unclosed,
    "unopened": _unopened,
}  # fmt: skip


def correct_signs(
    stream: Stream,
    separators: Sequence[str],
    language: Language,
    habits: Sequence[Habit] = (),
    without: Set[str] = frozenset(),
) -> dict[int, Substitution]:
    """Correct the misread signs of a scan.

    Args:
        stream: the scan's tokens.
        separators: the separator before each token in the reading text, by gap.
        language: word lists and the book's counts.
        habits: the OCR errors that the book declares for the scan.
        without: names of rules to leave out.
    Returns:
        The corrected tokens, by their start offset. An empty text: the token is not print.
    """
    rows = [(rule.name, row) for rule in SIGNS for row in rule.apply or _habit_rows(habits)]

    @cache
    def fitting(text: str) -> list[tuple[str, Row, str]]:
        return [(name, row, found.expand(row.printed)) for name, row in rows if (found := row.read.fullmatch(text))]

    marks = [_mark(stream, separators, i) for i in range(len(stream.gaps))]
    last, shown = "", Counter[str]()
    readings: list[tuple[int, Row, Substitution]] = []
    for i, token in enumerate(stream.tokens):
        before, last = last + marks[i], token.text
        follows = marks[i + 1] + " ".join(t.text for t in stream.tokens[i + 1 : i + 3])
        for name, row, printed in fitting(token.text):
            if not (row.before.search(before) and row.follows.match(follows)):
                continue
            here = Place(stream, separators, i, before, follows, printed, language)
            if all(_PROOFS[proof](here) for proof in row.proofs):
                shown[row.shows] += 1
                if name not in without:
                    readings.append((token.start, row, Substitution(printed, row.sure, row.reason, name)))
                if not row.only_if:
                    last = printed or before.rstrip("¶").rstrip()
                    break
    needed = max(_TIMES, len(stream.tokens) / _TOKENS)
    # The first reading of a token wins; readings that require a habit which the scan has not shown are dropped.
    return {at: found for at, row, found in reversed(readings) if not row.only_if or shown[row.only_if] >= needed}


def _mark(stream: Stream, separators: Sequence[str], i: int) -> str:
    """The mark for what lies before token `i` (see `Place`)."""
    gap = stream.gaps[i]
    if i in (0, len(stream.tokens)) or separators[i] == PARAGRAPH:
        return "¶"
    if gap.breaks > 1 or "\t" in stream.scan[gap.start : gap.end]:
        return "\t"
    return "\n" if gap.breaks else " " if gap.end > gap.start else ""


def _habit_rows(habits: Iterable[Habit]) -> list[Row]:
    """Make rows for the declared habits of a scan; a comma at the end of a paragraph becomes a full stop."""
    rows: list[tuple[str, str, str, str, str, Habit]] = []
    for habit in habits:
        read, printed = re.escape(habit.read), habit.printed.replace("\\", r"\\")
        if habit.where == "by itself":
            rows.append(("", read, "", printed, "prose", habit))
        elif habit.where == "in a quotation":
            rows.append((r"[a-z]\s?\Z", read, r"(?!\s?\.)", printed, "prose quoted", habit))
        else:
            rows.append((r"[^\W\d_]\s?\Z", read, r"\s?[a-z]", printed, "prose", habit))
            rows.append(("", f"({_PLAIN}){read}", "[^¶]", rf"\1{printed}", "prose stem", habit))
            rows += [("", f"({_PLAIN}){read}", "¶", r"\1.", "prose stem", habit)] * (printed == ",")
    return [
        _row(before, read, follows, printed, proofs, "0.9", f"{habit.read} for {habit.printed}: {habit.reason}")
        for before, read, follows, printed, proofs, habit in rows
    ]


def _row(before: str, read: str, follows: str, printed: str, proofs: str, sure: str, reason: str) -> Row:
    patterns = (re.compile(before), re.compile(read), re.compile(follows))
    of_scan = dict(proof.split(":") for proof in proofs.split() if ":" in proof)
    plain = tuple(proof for proof in proofs.split() if ":" not in proof)
    return Row(*patterns, printed, plain, of_scan.get("shows", ""), of_scan.get("if", ""), float(sure), reason)


def _rules() -> tuple[Rule[Sequence[Row]], ...]:
    """Make the rules of the table; the rule for a scan's declared habits has no rows of its own."""
    text = (files("extract") / "data" / "signs.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("# ")]
    rules: list[Rule[Sequence[Row]]] = []
    for name, group in groupby(lines, key=lambda line: line[0]):
        rows = [line[1:] for line in group]
        if name == "sign.habit":
            rules.append(_HABIT)
            continue
        (example,) = (row[7] for row in rows if any(row[7:]))
        rules.append(Rule(name, example.replace("\\n", "\n"), [_row(*row[:7]) for row in rows], about=rows[0][6]))
    return tuple(rules)


_HABIT: Rule[Sequence[Row]] = Rule(
    "sign.habit",
    "he must show his hand«^|,» and lose",
    (),
    (Habit("^", ",", "after a word", "the comma after italics"),),
    about="what the scan is declared to read for what is printed, again and again",
)
SIGNS = _rules()
