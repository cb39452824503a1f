"""What a scan tells of itself: that it takes stops and commas for one another, or sees marks where none are printed.

In most scans a comma before a capital is a comma. In some it may be a full stop, and they tell by what no printer sets:
a full stop before a small word of grammar, a comma before one with a capital, quotation marks that nothing closes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from extract.correction.spelling.context import STOP, Language, Usage
from extract.language.lexicon import FUNCTION, Lexicon, word_set
from extract.text.stream import Stream, Token

COMMA = re.compile(r"^[\"“(]*(?P<word>[a-z][a-z’'-]*[a-z][)\"”]?),$")
"""A word in small letters with a comma."""
FULL_STOP = re.compile(r"^[\"“(]*(?P<word>[A-Za-z][a-z]{2,}(?:-[a-z]+)?)\.$")
"""A word with a full stop."""
OPENED = re.compile(r"^['‘](?P<word>(?:[^\W\d_][\w-]+|[AaI])\W*)$")
"""A word with a single quotation mark before it."""
CLOSED = re.compile(r"^(?P<word>\W*[^\W\d_][\w-]*)(?P<stop>[.,;:]?)['’](?P<after>[.,;:]?)$")
"""A word with a single quotation mark, or an apostrophe, after it."""
NEXT = re.compile(r"(?:[2-9]|\d\d+)[.,]$|[A-Z]{3,}\W?$")
"""The number of the next paragraph, or a word of a heading."""
REACH = 40
"""So many tokens further on a quotation is closed, if it is one."""
_ABBREVIATIONS = word_set("abbreviations")
_OPENERS = frozenset(word.capitalize() for word in FUNCTION if len(word) > 1)
# So many times at least, and in such a share of all full stops, a scan does what it is said to do.
_TIMES, _SHARE = 3, 0.005
# Letters: abbreviations that English has are shorter, and few words of four are one.
_NO_ABBREVIATION, _WORD = 7, 4
# Paragraphs before a number or a heading, and the share of them that ends with a full stop where that is the custom.
_ENDS, _MOSTLY = 10, 0.6
# Characters; a capital follows a comma again and again in verse, whose lines a scan may have lost.
_VERSE = 1000


@dataclass(frozen=True, slots=True)
class Manner:
    """What a scan does: take full stops and commas for one another, see single quotation marks where none are.

    `ends`: paragraphs before a number or a heading end with a full stop, but for those whose stop is misread.
    """

    stops: bool = False
    quotes: bool = False
    ends: bool = False


UNKNOWN = Manner()
"""Of a scan that has not been asked."""


def manner(stream: Stream, language: Language) -> Manner:
    """What a scan tells of itself.

    Args:
        stream: all its tokens.
        language: word lists and the book's counts.
    """
    tokens = stream.tokens
    stops = wrong = opened = closed = 0
    last = -_VERSE
    for i, token in enumerate(tokens[:-2]):
        text = token.text
        if text.isalnum() or not in_running_text(stream, i):
            continue
        follows, after = tokens[i + 1].text, tokens[i + 2].text
        stops += text.endswith(".")
        if COMMA.match(text) and opens(follows, after) and token.start > last + _VERSE and not _ends_verse(stream, i):
            wrong, last = wrong + 1, token.start
        wrong += bool(
            follows in FUNCTION
            and (match := FULL_STOP.match(text))
            and goes_on(match["word"], language.usage, language.lexicon)
        )
        if OPENED.match(text):
            found = closes(tokens[i : i + REACH])
            opened, closed = opened + (not found), closed + found
    return Manner(wrong >= max(_TIMES, _SHARE * stops), opened >= max(_TIMES, closed), _stopped(stream))


def _ends_verse(stream: Stream, i: int) -> bool:
    """Whether a line ends with token `i` that may be verse: it begins with no small letter."""
    if not stream.gaps[i + 1].breaks:
        return False
    while i and not stream.gaps[i].breaks:
        i -= 1
    return not stream.tokens[i].text[0].islower()


def _stopped(stream: Stream) -> bool:
    """Whether most paragraphs before a number or a heading end with a full stop."""
    ends = [
        token.text
        for token, gap, after in zip(stream.tokens, stream.gaps[1:], stream.tokens[1:], strict=False)
        if gap.breaks > 1 and token.text[-2:-1].islower() and NEXT.match(after.text)
    ]
    return len(ends) >= _ENDS and sum(text.endswith((".", "?", "!")) for text in ends) >= _MOSTLY * len(ends)


def in_running_text(stream: Stream, i: int) -> bool:
    """Whether a line goes on after token `i`, or the next one does: no cell and no paragraph ends."""
    gap = stream.gaps[i + 1]
    return gap.breaks < 2 and "\t" not in stream.scan[gap.start : gap.end]


def opens(follows: str, after: str) -> bool:
    """Whether a sentence begins with two words: one of grammar with a capital, and a small one."""
    return follows in _OPENERS and after[:1].islower()


def goes_on(word: str, usage: Usage, lexicon: Lexicon) -> bool:
    """Whether a word is no abbreviation: it stands without a full stop mostly, or at all, or is a long one."""
    stopped, times = usage.pair(word, STOP), usage.word(word)
    if 2 * stopped < times or (len(word) >= _NO_ABBREVIATION and lexicon.known(word)):
        return True
    return stopped < times and len(word) >= _WORD and word.title() not in _ABBREVIATIONS and lexicon.known(word, 50)


def closes(tokens: Sequence[Token]) -> bool:
    """Whether a single quotation mark, or an apostrophe, stands after one of some words."""
    return any(CLOSED.match(token.text) for token in tokens)
