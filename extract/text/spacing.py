"""White space: one blank between words, an empty line between paragraphs, none where the printer's spacing was French.

In French spacing (common in print before 1900) a thin space stands before `; : ? !` and inside quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from extract.text.paragraphs import ends_between, full_line
from extract.text.source import Layout
from extract.text.stream import Stream, Token

PARAGRAPH = "\n\n"
_BLANKS = re.compile(r"\s+")
CUTS = "-»«=¬~\u00ad\u2010\u2011"
"""What a hyphen at a line end is read as, or kept as (soft hyphens, and those of Unicode)."""
LINE_END_HYPHEN = re.compile(r"(\w)-\s*\n\s*(\w)")
# The last sign before a blank of the scan, the word after it, and the one that follows: where the print has no blank.
_CLOSED_UP = re.compile(
    r"(?!.\n\.\n\.)(?:"  # leader dots
    r"[—–(\[]\n|.\n[—–]|\.\n[;:?!]|(?:[^\W_]|[\"')\]”’])\n(?:[;:?!,)\]]|\.(?! *\.)[^\w\n]*\n))"
)
_STOPS = re.compile(r"(?:[,.;:]|.[?!])$")
_QUOTES = '"“”„'
_QUOTED = re.compile(f"[{_QUOTES}]")


def separators(stream: Stream, layout: Layout) -> list[str]:
    """What separates the tokens in the reading text.

    Args:
        stream: the scan's tokens and gaps.
        layout: how the scan is laid out; only scans with lines have paragraphs.
    Returns:
        For each gap of the stream, in order, "", " " or "\\n\\n".
    """
    tokens, gaps = stream.tokens, stream.gaps
    if not tokens:
        return [""]
    width = full_line(stream.scan)
    borders = [True, *(ends_between(stream, i, layout, width) for i in range(1, len(tokens))), True]
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
    """A few words of a scan with one blank between them, a cut word joined, and nothing else changed."""
    return _BLANKS.sub(" ", LINE_END_HYPHEN.sub(r"\1\2", text))


def _quotation_marks(tokens: Sequence[Token], borders: Sequence[bool]) -> tuple[set[int], set[int]]:
    """The tokens that end with a quotation mark that opens, and those that begin with one that closes.

    A mark that touches a word on one side only tells its own role. One that stands alone between blanks opens after
    a stop and before a capital (a mark that closes follows its stop without a blank, unless it is a `?` or `!` that has
    one before it too); else it takes the role that is due in its paragraph, at the end of which it closes.
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
    """The first letter of a word."""
    return token.text.lstrip("'‘(")[:1]


def _marks(tokens: Sequence[Token]) -> Iterator[tuple[int, str, bool, bool]]:
    """Each quotation mark: its token, itself, and whether blanks (or nothing but signs) stand before and after it."""
    for i, token in enumerate(tokens):
        for found in _QUOTED.finditer(token.text):
            before, after = token.text[: found.start()], token.text[found.end() :]
            yield i, found[0], not before.strip("([—–"), not after.strip(",.;:?!)]—–")
