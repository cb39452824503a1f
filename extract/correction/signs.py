"""Signs that the scan misreads: a table of them with what stands around each (data/signs.tsv), and the proofs it asks.

A row says what is read for what is printed, and between what; its proofs are what a pattern cannot tell: that the words
on either side go together, that a bracket is closed further on, or that this very scan misreads the sign again and
again. Words themselves are not touched.
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
"""The rules that take nothing for misread on their own: they set a typist's signs as a printer does, or are told to."""

_PLAIN = r"[\"'“(\[]*[^\W\d_][\w'’-]*\.?\)?"
_OPENED, _CLOSED = re.compile(r"\W*['‘]\w"), re.compile(r"\W*[^\W\d_][\w-]*[.,;:]?['’][.,;:]?$")
_UNCOMPOUNDED, _ARTICLES, _CITING = word_set("uncompounded"), word_set("articles"), word_set("citing")
_ABBREVIATIONS = word_set("abbreviations")
_APHETIC, _CLIPPED = word_set("aphetic"), word_set("apocopic") | {"s"}
# Tokens: how far a quotation or bracket may reach, how far around prose is looked for, and a paragraph no heading has.
_REACH, _AROUND, _LONG = 40, 4, 8
# A scan misreads a sign again and again if it shows so this many times, and once in so many tokens.
_TIMES, _TOKENS = 4, 8000


class Row(NamedTuple):
    """One row of the table: patterns of what stands around and of what is read, what is printed, and what proves it.

    `shows`: what a scan does that has this again and again; `only_if`: what it must do for the row to count.
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
    line or a cell, ¶ for the end of a paragraph, nothing); `printed`: what a row reads here.
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
        """The two words that would stand side by side, in small letters."""
        words = self.printed.split() or [""]
        left, right = (words[0], words[-1]) if len(words) > 1 else (self.before, self.follows)
        if len(words) == 1 and words[0]:
            left, right = (words[0], right) if self.text.startswith(words[0]) else (left, words[0])
        return core(left.split()[-1] if left.split() else "").lower(), core((right.split() or [""])[0]).lower()

    def near(self, first: int, last: int) -> Sequence[Token]:
        """The tokens from so far before to so far behind."""
        return self.stream.tokens[max(0, self.i + first) : self.i + last + 1]


def _prose(here: Place) -> bool:
    """Most tokens around are words: no table, and no noise."""
    window = [core(t.text) for t in here.near(-_AROUND, _AROUND) if t is not here.stream.tokens[here.i]]
    known = sum(bool(w) and not w[0].isdecimal() and here.language.lexicon.known(w) for w in window)
    return 2 * known >= len(window)


def _together(here: Place) -> bool:
    """The two words, one of them of grammar, stand side by side elsewhere, and are no compound."""
    first, second = here.sides
    usage, lexicon = here.language.usage, here.language.lexicon
    if not lexicon.known(second) or usage.word(f"{first}-{second}") or lexicon.size(f"{first}-{second}"):
        return False
    return bool({first, second} & FUNCTION) and (usage.pair(first, second) > 1 or lexicon.pair(first, second) > 0)


def _common(here: Place) -> bool:
    """The two words stand side by side again and again, in the book or in general."""
    first, second = here.sides
    return here.language.usage.pair(first, second) > 3 or here.language.lexicon.pair(first, second) > 5_000_000


def _phrase(here: Place) -> bool:
    """The first word is mostly followed by the second, or is an article before a word."""
    first, second = here.sides
    usage, lexicon = here.language.usage, here.language.lexicon
    firm = 0.7 if here.text[-1] == ";" else 0.3  # a semicolon is rarely a speck
    times = usage.pair(first, second)
    return (times > 2 and times >= firm * usage.word(first)) or (first in _ARTICLES and lexicon.known(second))


def _apart(here: Place) -> bool:
    """The two words stand side by side elsewhere, and one makes no compounds."""
    first, second = here.sides
    usage, lexicon = here.language.usage, here.language.lexicon
    known = lexicon.known(first, 50) and lexicon.known(second, 50) and not lexicon.known(first + second)
    beside = usage.pair(first, second) or lexicon.pair(first, second)
    return known and bool({first, second} & _UNCOMPOUNDED) and beside > 0


def _word(here: Place) -> bool:
    """What is printed is a word."""
    return here.language.lexicon.known(core(here.printed))


def _whole(here: Place) -> bool:
    """What is printed is the beginning of a word that goes on in the next line, and none itself."""
    known, head = here.language.lexicon.known, core(here.printed)
    return known(head + core(here.follows.split()[0])) and not known(head)


def _closed(here: Place) -> bool:
    """The bracket or quotation mark is closed further on."""
    signs = "".join([here.text[1:], *(t.text.replace("''", '"') for t in here.near(1, _REACH))])
    found = re.search('["”]' if here.printed == '"' else r"[)({\[⁽]", signs)
    return found is not None and found[0] in ')"”'


def _quoted(here: Place) -> bool:
    """A quotation is open."""
    return sum(t.text.count('"') for t in here.near(-_REACH, -1)) % 2 > 0 and here.sides[0] not in _CITING


def _stem(here: Place) -> bool:
    """The sign stands after a word of the lists, or a form that is not misread together with it."""
    stem = core(here.printed)
    if stem.lower() in FUNCTION:
        return False
    misread = here.text[-2:].lower() in load_channel().confusions or not stem.isalpha() or len(stem) < 4
    return here.language.lexicon.known(stem) or not misread


def _grammar(here: Place) -> bool:
    """A word of grammar stands before."""
    return here.sides[0] in FUNCTION


def _opens(here: Place) -> bool:
    """What follows begins a sentence: a word of grammar with a capital, and a small one."""
    follows, *after = here.follows.split()
    opens = follows.istitle() and len(follows) > 1 and follows.lower() in FUNCTION
    return opens and bool(after) and after[0][0].islower() and core(here.text) not in FUNCTION


def _long(here: Place) -> bool:
    """A paragraph ends that is longer than a heading, with no word that opens the next (`or`)."""
    goes_on = core(here.text) in FUNCTION
    return not goes_on and here.i >= _LONG and PARAGRAPH not in here.separators[here.i - _LONG + 1 : here.i + 1]


def _goes_on(here: Place) -> bool:
    """A sentence goes on between two words of which the first is no abbreviation."""
    usage, lexicon, word = here.language.usage, here.language.lexicon, core(here.text)
    if not (lexicon.known(word) and lexicon.known(core(here.follows.split()[0]))):
        return False
    stopped, times = usage.pair(word, STOP), usage.word(word)
    usual = stopped < times and len(word) > 3 and word.title() not in _ABBREVIATIONS and lexicon.known(word, 50)
    return 2 * stopped < times or len(word) > 6 or usual


def _joined(here: Place) -> bool:
    """Two words stand side by side oftener than the first before a comma."""
    first, second = here.sides
    usage = here.language.usage
    return first in FUNCTION or usage.pair(first, second) > usage.pair(first, PAUSE)


def _unclosed(here: Place) -> bool:
    """A single quotation mark before a word is closed nowhere, and stands for no lost beginning."""
    word = core(here.printed)
    closed = any(_CLOSED.match(t.text) for t in here.near(1, _REACH))
    return not closed and here.language.lexicon.known(word) and word.lower() not in _APHETIC


def _unopened(here: Place) -> bool:
    """A single quotation mark after a word is opened nowhere, and stands for no lost end."""
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
    """Set right the signs of a scan.

    Args:
        stream: the scan's tokens.
        separators: what stands before each token in the reading text, by gap.
        language: word lists and the book's counts.
        habits: what the scan reads again and again for what is printed.
        without: names of rules to leave out.
    Returns:
        The tokens that read differently, by their start. An empty text: the token is no print.
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
    # Of the readings of a token the first counts; those of a sign that the scan is not known to misread are none.
    return {at: found for at, row, found in reversed(readings) if not row.only_if or shown[row.only_if] >= needed}


def _mark(stream: Stream, separators: Sequence[str], i: int) -> str:
    """What lies before token `i`."""
    gap = stream.gaps[i]
    if i in (0, len(stream.tokens)) or separators[i] == PARAGRAPH:
        return "¶"
    if gap.breaks > 1 or "\t" in stream.scan[gap.start : gap.end]:
        return "\t"
    return "\n" if gap.breaks else " " if gap.end > gap.start else ""


def _habit_rows(habits: Iterable[Habit]) -> list[Row]:
    """The rows for what a scan is declared to read; a comma that ends a paragraph is its full stop."""
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
    between = (re.compile(before), re.compile(read), re.compile(follows))
    scan = dict(proof.split(":") for proof in proofs.split() if ":" in proof)
    plain = tuple(proof for proof in proofs.split() if ":" not in proof)
    return Row(*between, printed, plain, scan.get("shows", ""), scan.get("if", ""), float(sure), reason)


def _rules() -> tuple[Rule[Sequence[Row]], ...]:
    """The rules of the table; that of a scan's habits has no rows of its own."""
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
