"""Normalise white space: one blank between words, an empty line between paragraphs, no French spacing.

In French spacing (common in print before 1900) a thin space stands before `; : ? !` and inside quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from extract.text.stream import Stream, Token

PARAGRAPH = "\n\n"
_BLANKS = re.compile(r"\s+")
CUTS = "-»«=¬~\u00ad\u2010\u2011"
"""The characters that stand for a hyphen at a line end: what OCR reads for it, soft hyphens, and Unicode's own."""
_LINE_END_HYPHEN = re.compile(r"([^\W\d_])-\s*\n\s*([^\W\d_])")
_LINE_END = re.compile(r"-\s*\n\s*")
# The last character before a blank, the word after it and the next word, for blanks of the scan that are not printed.
_CLOSED_UP = re.compile(
    r"(?!.\n\.\n\.)(?:"  # leader dots
    r"[—–(\[]\n|.\n[—–]|\.\n[;:?!]|(?:[^\W_]|[\"')\]”’])\n(?:[;:?!,)\]]|\.(?! *\.)[^\w\n]*\n))"
)
_STOPS = re.compile(r"(?:[,.;:]|.[?!])$")
_QUOTES = '"“”„'
_QUOTED = re.compile(f"[{_QUOTES}]")


def separators(stream: Stream, starts: Collection[int]) -> list[str]:
    """Return what separates the tokens in the reading text.

    Args:
        stream: the scan's tokens and gaps.
        starts: the offsets into the scan of the words with which paragraphs begin.
    Returns:
        For each gap of the stream, in order, "", " " or "\\n\\n".
    """
    tokens, gaps = stream.tokens, stream.gaps
    if not tokens:
        return [""]
    borders = [True, *(gap.end in starts for gap in gaps[1:-1]), True]
    opening, closing = _quotation_marks(tokens, borders)
    words = [*(token.text for token in tokens), ""]
    found = [""]
    for i in range(1, len(tokens)):
        if borders[i]:
            found.append(PARAGRAPH)
        elif gaps[i].start == gaps[i].end or i - 1 in opening or i in closing:
            found.append("")
        else:
            found.append("" if _CLOSED_UP.match(f"{words[i - 1][-1]}\n{words[i]}\n{words[i + 1]}") else " ")
    return [*found, ""]


def spaced(text: str) -> str:
    """Reduce white space between words of a scan to one blank, and join a word cut at a line end, not `1864-65`."""
    return _BLANKS.sub(" ", _LINE_END.sub("-", _LINE_END_HYPHEN.sub(r"\1\2", text)))


def _quotation_marks(tokens: Sequence[Token], borders: Sequence[bool]) -> tuple[set[int], set[int]]:
    """The indices of tokens that end with an opening quotation mark, and of those that begin with a closing one.

    A mark that touches a word on one side only has its role from that. A mark between blanks opens after a stop and
    before a capital: a closing mark follows its stop without a blank, unless the stop is a `?` or `!` with a blank
    before it too. Otherwise opening and closing marks alternate; the end of a paragraph closes a quotation.
    """
    opening, closing = set[int](), set[int]()
    inside = False
    for i, mark, before, after in _marks(tokens):
        if borders[i] and before:
            inside = False
        if mark in "“”":
            inside = mark == "“"
        elif before != after:
            inside = before
        else:
            resumes = before and not (borders[i] or borders[i + 1]) and _STOPS.search(tokens[i - 1].text)
            inside = not inside or bool(resumes and _initial(tokens[i + 1]).isupper())
        if inside and after:
            opening.add(i)
        if not inside and before:
            closing.add(i)
    return opening, closing


def _initial(token: Token) -> str:
    """The first character of a token, after an opening quotation mark or bracket."""
    return token.text.lstrip("'‘(")[:1]


def _marks(tokens: Sequence[Token]) -> Iterator[tuple[int, str, bool, bool]]:
    """Yield the token index of each quotation mark, the mark, and whether a blank precedes and follows it.

    Punctuation between the mark and the blank is ignored.
    """
    for i, token in enumerate(tokens):
        for found in _QUOTED.finditer(token.text):
            before, after = token.text[: found.start()], token.text[found.end() :]
            yield i, found[0], not before.strip("([—–"), not after.strip(",.;:?!)]—–")
