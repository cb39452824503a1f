"""Tokens read otherwise than they stand: what the rules of punctuation, specks and numbers have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from extract.correction.manner import UNKNOWN, Manner, in_running_text
from extract.correction.rules import Habit
from extract.correction.spelling.context import Language
from extract.language.lexicon import core
from extract.text.spacing import PARAGRAPH
from extract.text.stream import Gap, Stream, Token

_REACH = 40
_WINDOW = 4
_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Substitution:
    """What a token reads with its signs set right, how sure that is, the evidence and the rule. No text: no print."""

    text: str
    confidence: float
    note: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A token with what stands around it in its paragraph, and what is known of the language.

    `before` and `follows`: the texts of the neighbours, "" at the border of the paragraph; `first`: the first word
    before it and `second` the next, in small letters; `attached`: no gap before it; `opens`: a line begins with it;
    `habits`: those of the scan; `manner`: what it takes for one another; `goes_on`: its line goes on, or the next one
    does; `line_ends`: its line ends; `length`: how many tokens of the paragraph stand before it, up to eight.
    """

    tokens: Sequence[Token]
    i: int
    before: str
    follows: str
    attached: bool
    opens: bool
    language: Language
    habits: Sequence[Habit] = ()
    manner: Manner = UNKNOWN
    goes_on: bool = True
    line_ends: bool = False
    length: int = 0

    @property
    def text(self) -> str:
        return self.tokens[self.i].text

    @property
    def first(self) -> str:
        return core(self.before).lower()

    @property
    def second(self) -> str:
        return core(self.follows).lower()

    @property
    def earlier(self) -> Sequence[Token]:
        return self.tokens[max(0, self.i - _REACH) : self.i]

    @property
    def later(self) -> Sequence[Token]:
        return self.tokens[self.i + 1 : self.i + 1 + _REACH]

    def in_prose(self) -> bool:
        """Whether most tokens around are words: no table, and no noise."""
        near = self.tokens[max(0, self.i - _WINDOW) : self.i + _WINDOW + 1]
        window = [core(t.text) for t in near if t is not self.tokens[self.i]]
        known = sum(bool(w) and not w[0].isdecimal() and self.language.lexicon.known(w) for w in window)
        return 2 * known >= len(window)


def place(
    stream: Stream,
    separators: Sequence[str],
    i: int,
    language: Language,
    habits: Sequence[Habit] = (),
    manner: Manner = UNKNOWN,
) -> Place:
    """Token `i` of a stream with its neighbours; `separators` give what stands before each token."""
    tokens, gap = stream.tokens, stream.gaps[i]
    ends = i + 1 == len(tokens) or separators[i + 1] == PARAGRAPH
    follows = "" if ends else tokens[i + 1].text
    before = tokens[i - 1].text if i and separators[i] != PARAGRAPH else ""
    length = next((n for n in range(_LENGTH) if n == i or separators[i - n] == PARAGRAPH), _LENGTH)
    goes_on, line_ends = in_running_text(stream, i), stream.gaps[i + 1].breaks > 0
    attached, opens = gap.start == gap.end, gap.breaks > 0
    return Place(tokens, i, before, follows, attached, opens, language, habits, manner, goes_on, line_ends, length)


def substitute(stream: Stream, substituted: dict[int, Substitution]) -> Stream:
    """The stream with tokens as substituted, by their start; their spans stay, and those that are no print are gone."""
    tokens: list[Token] = []
    gaps: list[Gap] = [stream.gaps[0]]
    for token, gap in zip(stream.tokens, stream.gaps[1:], strict=True):
        found = substituted.get(token.start)
        if found and not found.text:
            gaps[-1] = gaps[-1].across(gap)
            continue
        tokens.append(token._replace(text=found.text) if found else token)
        gaps.append(gap)
    return Stream(stream.scan, tuple(tokens), tuple(gaps))
