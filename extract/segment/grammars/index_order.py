"""Borders between the entries of an index that have run together: cross-references and the alphabet tell them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from rapidfuzz import fuzz

Span = tuple[int, int]

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_CLOSED = re.compile(r"\bsee\b|\b[Pp]assim\b")
_SEE = re.compile(r"\bsee (?:also )?")
# After a comma an entry goes on, unless the page has been turned (furniture leaves a wider blank).
_PAGES = re.compile(r"\d[^\s,]*(?:\s+[.;])?(?:\s+|,\s{2,})$|\b(?:[Pp]assim|ib\.|et seq\.)\s+$")
# A page that was misread as letters (`tj`), or is lost altogether.
_NO_PAGE = re.compile(r"(?P<words>\S+ [^,]*\S),\s+(?:[^\W\d_aeiouyAEIOUY]{1,3}\s+)?$")
_SAME_WORD = 85.0
_SORTED = 0.9


def in_order(text: str, spans: Sequence[Span]) -> list[Span]:
    """Misreading the borders of the entries of an index: part those that run together, join those wrongly parted.

    A cross-reference (`see Teaching`) ends where the words of another entry's head end. In an index that is sorted a
    word after the pages (or after a comma, where they are lost) that lies in the alphabet between its entry's head
    and the next one heads an entry of its own; a border that no figure made is none where the alphabet goes back.

    Args:
        text: the working text.
        spans: the entries as their pages part them.
    Returns:
        The entries in order; unchanged if the list is not sorted.
    """
    heads = [_first(text, span) for span in spans]
    pairs = [(a, b) for a, b in pairwise(heads) if a and b]
    if len(pairs) < 5 or sum(a <= b for a, b in pairs) < _SORTED * len(pairs):
        return list(spans)
    words = [_words(text, span) for span in spans]
    found: list[Span] = []
    for i, (start, end) in enumerate(spans):
        after = _first(text, spans[i + 1]) if i + 1 < len(spans) else ""
        cuts = [start, *_inside(text, (start, end), after, words), end]
        found += [(a, a + len(text[a:b].rstrip())) for a, b in pairwise(cuts) if text[a:b].strip()]
    return _joined(text, found)


def _joined(text: str, spans: Sequence[Span]) -> list[Span]:
    """Put an entry to the one before it where that one has no page and the alphabet goes back."""
    found: list[Span] = []
    for span in spans:
        pageless = found and not any(map(str.isdecimal, text[found[-1][0] : span[0]]))
        if pageless and _first(text, span) < _first(text, found[-1]) and not _CLOSED.search(text[slice(*found[-1])]):
            found[-1] = (found[-1][0], span[1])
        else:
            found.append(span)
    return found


def _inside(text: str, span: Span, after: str, heads: Sequence[Sequence[str]]) -> list[int]:
    """Where further entries begin within one; `after` is the first word of the entry that follows it."""
    start, end = span
    head = _first(text, span)
    cuts: list[int] = []
    see = _SEE.search(text, start, end)
    closed = start
    while see:
        closed = _target_end(text, see.end(), end, heads)
        rest = _WORD.search(text, closed, end)
        if rest and rest[0][0].isupper() and not text[closed : rest.start()].strip(" .,;"):
            cuts.append(rest.start())
            head = rest[0].casefold()
        see = _SEE.search(text, max(closed, see.end()), end)
    for word in _WORD.finditer(text, max(closed, start), end):
        low = word[0].casefold()
        if word.start() == start or not word[0][0].isupper() or len(low) < 3 or word.start() in cuts:
            continue
        below = low <= after if after >= head else low[0] == head[0]
        begins = max(c for c in (start, *cuts) if c <= word.start())
        paged = _PAGES.search(text, begins, word.start()) or _lost_page(text, (begins, word.start()), head, low)
        if head <= low and below and paged:
            cuts.append(word.start())
            head = low
    return sorted(cuts)


def _lost_page(text: str, span: Span, head: str, word: str) -> bool:
    """Whether a word follows an entry without its page.

    The entry has two words or more, none of them turned round (`Baldwin, Barry`), and both begin with the same letters.
    """
    return bool(_NO_PAGE.fullmatch(text, *span)) and head[:2] == word[:2] and head < word


def _target_end(text: str, start: int, end: int, heads: Sequence[Sequence[str]]) -> int:
    """Where the words of a cross-reference end: the longest run of words with which another head begins."""
    words = list(_WORD.finditer(text, start, end))
    longest = 0
    for head in heads:
        length = 0
        for word, other in zip(words, head, strict=False):
            if fuzz.ratio(word[0].casefold(), other) < _SAME_WORD:
                break
            length += 1
        longest = max(longest, length)
    return words[longest - 1].end() if longest else start


def _first(text: str, span: Span) -> str:
    word = _WORD.search(text, *span)
    return word[0].casefold() if word else ""


def _words(text: str, span: Span) -> list[str]:
    return [w[0].casefold() for w in _WORD.finditer(text, *span)]
