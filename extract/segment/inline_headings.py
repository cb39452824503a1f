"""Headings of a scan that is one single line: words in capitals where a sentence ends, and what the plan names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from extract.language.sentences import ends_sentence

_SAME = 86.0
_OPENING = re.compile(r"(?<=[.!?)\"'’”—])\s+(?=\S)|\n\s*(?=\S)")
_TOKEN = re.compile(r"\S+")
_LABEL = re.compile(r"^(?:\d{1,3}|[IVXL]+)\.$")
_LETTERS = 5
_LONGEST = 160


def heading_end(text: str, start: int, end: int, headings: Sequence[str]) -> int:
    """Where a heading ends that stands at `start` and that the book's plan names, garbled or not.

    Args:
        text: the working text.
        start, end: where it may begin, and how far the text goes.
        headings: the headings as they are printed.
    Returns:
        The offset after its last letter; `start` if none stands there.
    """
    for heading in headings:
        found = re.compile(r"\S+\s+" * heading.count(" ") + r"\S+").match(text, start, end)
        if found and heading.isupper() and not all(map(_capital, found[0].split())):
            continue
        if found and fuzz.ratio(" ".join(found[0].split()).casefold(), heading.casefold()) >= _SAME:
            return found.end()
    return start


def inline_headings(text: str, start: int, end: int, named: Sequence[str] = ()) -> list[tuple[int, int]]:
    """Find the headings within a stretch of a text without lines.

    Args:
        text: the working text.
        start, end: the stretch.
        named: headings that the book's plan names, since nothing else tells them from the text.
    Returns:
        Their spans in order.
    """
    found: list[tuple[int, int]] = []
    openings = sorted({start, *(m.end() for m in _OPENING.finditer(text, start, end))})
    for at in openings:
        if found and at < found[-1][1]:
            continue
        stop = heading_end(text, at, end, named)
        stop = _capitals_end(text, at, end, at == start) if stop == at else stop
        if stop > at:
            found.append((at, stop))
    return found


def _capitals_end(text: str, start: int, end: int, opens: bool) -> int:
    """Where a run of words in capitals ends: at a full stop, unless it opens the stretch (`PREFACE`); not
    beyond an empty line, which only the editor can have put in, nor beyond `_LONGEST` words."""
    run: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text, start, end):
        if len(run) == _LONGEST or not _capital(token[0]) or (run and "\n\n" in text[run[-1].end() : token.start()]):
            break
        run.append(token)
    while run and not _ends(run) and not (opens and len(run[-1][0]) > 1 and run[-1][0].isalpha()):
        run.pop()
    words = "".join(token[0] for token in run)
    letters = sum(map(str.isalpha, words))
    heads = run and run[0][0].lstrip('"“(')[:1].isupper() and letters >= max(_LETTERS, 0.6 * len(words))
    return run[-1].end() if heads else start


def _ends(run: Sequence[re.Match[str]]) -> bool:
    """Whether a heading may end with its last token: at a stop, but not with the label of what it heads."""
    last = run[-1][0]
    labels = len(run) > 1 and ends_sentence(run[-2][0]) and _LABEL.match(last)
    return ends_sentence(last) and not labels


def _capital(word: str) -> bool:
    """Whether a word is set in capitals, a misread letter allowed; figures may stand among them."""
    small = sum(map(str.islower, word))
    return not small or (word[:2].isupper() and small * 5 <= sum(map(str.isalpha, word)))
