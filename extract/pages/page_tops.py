"""What returns at the tops of pages: running heads with the ornaments and rules around them, in whatever garbling.

Where pages begin is known from folios or form feeds. So neither blank lines nor a folio in the same line are needed,
and a head may be set like a title (`The Revoke`) between ornaments that are read as letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from extract.language.lexicon import core, load_lexicon, word_set
from extract.numbering.numerals import is_roman
from extract.pages.head_lines import LONGEST, alike, like_head, numbers_a_part
from extract.text.lines import Line, division

_DEPTH = 4
_LETTERS = 4
_RETURNS, _RETURNS_IN_SMALL = 3, 5
_WORD = re.compile(r"[^\W\d_]{4,}")
_CITING = word_set("citing")
_STROKES = frozenset("-—–_=~.•· ")


def heads_at_tops(lines: Sequence[Line], tops: Sequence[int], gone: Iterable[int]) -> dict[int, str]:
    """Find running heads, and the rules beside them, at the tops of pages.

    Args:
        lines: the lines of the scan.
        tops: the indices of the lines that begin a page, in order.
        gone: the lines that are known to be furniture.
    Returns:
        What each line found is: `running head` or `rule`.
    """
    known = frozenset(gone)
    ends = [*tops[1:], len(lines)][: len(tops)]
    places = {
        top: [i for i in range(top, min(end, top + _DEPTH)) if i not in known]
        for top, end in zip(tops, ends, strict=True)
    }
    words = {i: bare for place in places.values() for i in place if (bare := _words(lines[i].text))}
    titles = [(i, bare) for i, line in enumerate(lines) if line.capital and (bare := _words(line.text))]
    found: dict[int, str] = {}
    for top, place in places.items():
        head = next((i for i in place if i in words and _is_head(lines, i, top, places, words, titles)), None)
        if head is None or not all(is_rule(lines[i].text) for i in place if i < head):
            continue
        found[head] = "running head"
        found |= {i: "rule" for i in place if i < head}
        if head + 1 in place and _strokes(lines[head + 1].text):
            found[head + 1] = "rule"
    return found


def is_rule(text: str) -> bool:
    """Whether a line beside a running head is a rule or an ornament: no word is in it, and it is no number."""
    lexicon = load_lexicon()
    plain = core(text)
    if division(text) or plain.isdecimal() or (len(plain) > 1 and plain.isupper() and is_roman(plain)):
        return False
    return not any(lexicon.known(word) and len(set(word.lower())) > 2 for word in _WORD.findall(text))


def _strokes(text: str) -> bool:
    return len(text) > 2 and sum(sign in _STROKES for sign in text) * 2 > len(text)


def _words(text: str) -> str:
    """A line without the short pieces at its ends that ornaments and folios are read as; "" if no head is so long."""
    parts = text.split(" ") if len(text) <= LONGEST else []
    while parts and sum(map(str.isalpha, parts[0])) < 3:
        parts = parts[1:]
    while parts and sum(map(str.isalpha, parts[-1])) < 3:
        parts = parts[:-1]
    bare = " ".join(parts)
    if len(set(filter(str.isalpha, bare.lower()))) < _LETTERS:
        return ""
    label = numbers_a_part(text) or bare.strip(".,").lower() in _CITING
    return "" if label else bare


def _is_head(
    lines: Sequence[Line],
    at: int,
    top: int,
    places: dict[int, list[int]],
    words: dict[int, str],
    titles: Sequence[tuple[int, str]],
) -> bool:
    """Whether a line returns at the tops of other pages in the same type, or repeats a title set above in another."""
    capital = lines[at].capital
    titled = like_head(words[at])
    if titled and not capital and any(i < at and alike(title, words[at]) for i, title in titles):
        return True
    at_tops = [i for place in places.values() for i in place if i in words]
    if capital and any(i > at and not lines[i].capital and alike(words[i], words[at]) for i in at_tops):
        return False
    needed = _RETURNS if titled else _RETURNS_IN_SMALL
    for other, place in places.items():
        if needed <= 1:
            break
        if other != top:
            needed -= any(i in words and lines[i].capital == capital and alike(words[i], words[at]) for i in place)
    return needed <= 1
