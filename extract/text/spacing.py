"""White space: one blank between words, an empty line between paragraphs, none where the printer's spacing was French.

In French spacing (common in print before 1900) a thin space stands before `; : ? !` and inside quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import median

from extract.language.sentences import ends_paragraph
from extract.text.source import Layout
from extract.text.stream import Gap, Stream, Token

PARAGRAPH = "\n\n"
_BLANKS = re.compile(r"\s+")
CUTS = "-»«=¬~\u00ad\u2010\u2011"
"""What a hyphen at a line end is read as, or kept as (soft hyphens, and those of Unicode)."""
LINE_END_HYPHEN = re.compile(r"(\w)-\s*\n\s*(\w)")
_HIGH = re.compile(r"^[;:?!]+[^\w]*$|^[;:?!]")
_LOW = re.compile(r"^[,)\]]|^\.(?!\s*\.)\W*$")
_DASH_AFTER = re.compile(r"[—–]$")
_DASH_BEFORE = re.compile(r"^[—–]")
_OPEN = re.compile(r"[(\[]$")
_ITEM = re.compile(r"^(?:\d{1,2}|[IVX]{1,4})\.$")
# A bare number or a single letter (`Y`, as players are called) goes on with the sentence above it.
_NO_OPENING = re.compile(r"^(?:\d+\W*|[A-Z])$")
_STOPS = re.compile(r"[,.;:?!]$")
_SPACED = re.compile(r"[?!]$")
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
    borders = [False] + [
        _ends_paragraph(stream, i, layout, width) for width in [_measure(stream)] for i in range(1, len(tokens))
    ]
    quotes = _quote_roles(tokens, gaps, borders)
    found = [""]
    for i in range(1, len(tokens)):
        if borders[i]:
            found.append(PARAGRAPH)
            continue
        if gaps[i].start == gaps[i].end:
            found.append("")
            continue
        left, right = tokens[i - 1].text, tokens[i].text
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        quoted = quotes.get((i - 1, "end")) == "open" or quotes.get((i, "start")) == "close"
        closed = quoted or _closes_up(left, right, after)
        found.append("" if closed else " ")
    return [*found, ""] if tokens else [""]


def spaced(text: str) -> str:
    """A few words of a scan with one blank between them, a cut word joined, and nothing else changed."""
    return _BLANKS.sub(" ", LINE_END_HYPHEN.sub(r"\1\2", text))


def _closes_up(left: str, right: str, after: str) -> bool:
    if right[0].isalnum():
        return left[-1] in "—–(["
    if right == "." and after.startswith("."):
        return False  # leader dots
    if _DASH_AFTER.search(left) or _DASH_BEFORE.match(right) or _OPEN.search(left):
        return True
    if _HIGH.match(right):
        return left[-1].isalnum() or left[-1] in ".\"')]”’"
    return bool(_LOW.match(right)) and (left[-1].isalnum() or left[-1] in "\"')]”’")


def _ends_paragraph(stream: Stream, i: int, layout: Layout, width: float) -> bool:
    """Whether a paragraph ends at gap `i`: an empty line that no sentence runs across."""
    gap, left, right = stream.gaps[i], stream.tokens[i - 1], stream.tokens[i]
    if layout == "single-line" or gap.breaks == 0:
        return False
    if gap.breaks == 1:
        return layout == "markdown" and (gap.furniture or ends_paragraph(left.text))
    initial = right.text.lstrip("\"'“‘([")[:1]
    if layout == "lines" and _ITEM.match(right.text) and left.text[-1] in ",.:;—-":
        return True
    if layout == "lines" and not ends_paragraph(left.text) and _NO_OPENING.match(right.text):
        return False
    if initial.islower() or (left.text.endswith("-") and gap.furniture):
        return False
    if left.text[-1] == "," and (layout != "lines" or gap.furniture or gap.breaks > 2 or not initial.isupper()):
        return False
    if layout == "lines" and (gap.furniture or gap.breaks > 2) and not ends_paragraph(left.text):
        return not left.text[-1].islower() or not initial.isalnum()
    if layout == "lines" and gap.furniture and gap.breaks > 2:
        return _line_length(stream, left) < 0.85 * width
    return True


def _line_length(stream: Stream, token: Token) -> int:
    """The length of the line that ends with a token, in characters, blanks collapsed."""
    start = stream.scan.rfind("\n", 0, token.start) + 1
    return len(" ".join(stream.scan[start : token.end].split()))


def _measure(stream: Stream) -> float:
    """The usual length of a full line, in characters."""
    lengths = [len(" ".join(line.split())) for line in stream.scan.split("\n")]
    return median([n for n in lengths if n > 20] or [60])


def _quote_roles(tokens: tuple[Token, ...], gaps: tuple[Gap, ...], borders: list[bool]) -> dict[tuple[int, str], str]:
    """Which quotation marks at the edges of tokens open and which close.

    A mark that touches a word on one side only tells its own role. One that stands alone between blanks opens after
    a stop and before a capital (a mark that closes follows its stop without a blank, unless it is a `?` or `!` that has
    one before it too); else it takes the role that is due in its paragraph, at the end of which it closes.
    """
    roles: dict[tuple[int, str], str] = {}
    inside = False
    for i, mark, before, after in _marks(tokens):
        if i < len(borders) and borders[i] and before:
            inside = False
        free_before, free_after = before, after
        if free_before and not free_after:
            role = "open"
        elif free_after and not free_before:
            role = "close"
        elif free_before and free_after:
            resumes = i > 0 and _STOPS.search(tokens[i - 1].text) and _next_initial(tokens, i).isupper()
            spaced = i > 0 and _SPACED.match(tokens[i - 1].text)
            ends = i + 1 == len(tokens) or borders[i + 1]
            role = "close" if inside and (ends or spaced or not resumes) else "open"
        else:
            role = "close" if inside else "open"
        if mark == "“":
            role = "open"
        elif mark == "”":
            role = "close"
        inside = role == "open"
        if free_before:
            roles[i, "start"] = role
        if free_after:
            roles[i, "end"] = role
    return roles


def _next_initial(tokens: tuple[Token, ...], i: int) -> str:
    """The first letter of the word that follows a mark."""
    text = tokens[i].text.strip(_QUOTES) or (tokens[i + 1].text if i + 1 < len(tokens) else "")
    return text.lstrip("'‘(")[:1]


def _marks(tokens: tuple[Token, ...]) -> Iterator[tuple[int, str, bool, bool]]:
    """Each quotation mark: its token, itself, and whether blanks (or nothing but signs) stand before and after it."""
    for i, token in enumerate(tokens):
        for at, sign in enumerate(token.text) if _QUOTED.search(token.text) else ():
            if sign in _QUOTES:
                before = token.text[:at].strip("([—–") == ""
                after = token.text[at + 1 :].strip(",.;:?!)]—–") == ""
                yield i, sign, before, after
