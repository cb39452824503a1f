"""What returns at the tops of pages: running heads with the ornaments and rules around them, in whatever garbling.

Where pages begin is known from folios or form feeds. So neither blank lines nor a folio in the same line are needed,
and a head may be set like a title (`The Revoke`) between ornaments that are read as letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from rapidfuzz import fuzz

from extract.language.lexicon import core, load_lexicon, word_set
from extract.numbering.numerals import is_roman
from extract.pages.head_lines import LONGEST, PAGE_GAP, like_head, likenesses, numbers_a_part
from extract.text.headings import division
from extract.text.lines import Line

_DEPTH = 6
_LETTERS, _FIGURES = 4, 4
_RETURNS, _RETURNS_IN_SMALL, _WORDS_IN_SMALL = 3, 5, 4
# A page has so many lines; so many pages, of which so great a share has about as many lines as the usual one.
_SHORTEST_PAGE, _LONGEST_PAGE, _PAGES, _REGULAR, _UNEVEN = 15, 80, 6, 0.7, 0.25
# The share of pages that have a head, where others may have that of their section; and the pages of a long section.
_CUSTOM, _BACK, _NEARLY = 0.3, 15, 3.0
_SENTENCE = re.compile(r"[.,;:!?—]\s|[,;:!?]$")
_WORD = re.compile(r"[^\W\d_]{4,}")
_CITING = word_set("citing")
_LONG, _SIGNS = 12, frozenset("@$=_~<>{}#^\\")
_NOISE = _SIGNS | frozenset("?°")
# What ornaments are read as; characters of a head too garbled to be read, and the share of pages that have one.
_ORNAMENTS, _SHORT, _NEARLY_ALL = frozenset("©®@°"), 20, 0.8
_FEW_STOPPED = 0.2  # of running heads without a stop, those with a speck for one
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
    places = [
        [i for i in range(top, min(end, top + _DEPTH)) if i not in known] for top, end in zip(tops, ends, strict=True)
    ]
    returning = _returning(lines, places)
    returning |= _beside_misread(lines, places, known)
    heads = {n: i for n, top in enumerate(tops) for i in range(top, top + 2) if i in known or i in returning}
    if len(heads) >= _CUSTOM * len(tops):
        returning |= _of_sections(
            lines, [[] if n in heads else place for n, place in enumerate(places)], heads.values()
        )
    if len(heads) >= _NEARLY_ALL * len(tops):
        returning |= {tops[n] for n in range(len(tops)) if n not in heads and _garbled(lines[tops[n]])}
    found: dict[int, str] = {}
    for place in places:
        head = next((i for i in place if i in returning), None)
        if head is None or not all(is_rule(lines[i].text) for i in place if i < head):
            continue
        found[head] = "running head"
        found |= {i: "rule" for i in place if i < head}
        below = lines[head + 1].text if head + 1 in place else ""
        if below and (_strokes(below) or _ornament(below) or _noise(below)):
            found[head + 1] = "rule"
    return found


def tops_by_gaps(lines: Sequence[Line]) -> list[int]:
    """The lines that begin a page, where no folio tells it: after blank lines that return at the same distance.

    Chapters and headings stand after such blank lines too, but at no regular distance.

    Args:
        lines: the lines of the scan.
    Returns:
        Their indices in order; none if the distances differ.
    """
    tops = [0, *(i for i, line in enumerate(lines) if i and line.above >= PAGE_GAP)]
    lengths = [b - a for a, b in pairwise([*tops, len(lines)])]
    usual = median(lengths)
    alike = sum(abs(length - usual) <= _UNEVEN * usual for length in lengths)
    regular = len(tops) >= _PAGES and _SHORTEST_PAGE <= usual <= _LONGEST_PAGE and alike >= _REGULAR * len(lengths)
    return tops if regular else []


def rules_at_feet(lines: Sequence[Line], tops: Sequence[int], gone: Iterable[int]) -> list[int]:
    """Find rules and ornaments that are the last line of a page, above its folio.

    Args:
        lines: the lines of the scan.
        tops: the indices of the lines that begin a page, in order.
        gone: the lines that are known to be furniture.
    """
    known = frozenset(gone)
    feet = [next((i for i in range(top - 1, before, -1) if i not in known), 0) for before, top in pairwise(tops)]
    return [i for i in feet if i and is_rule(text := lines[i].text) and (_strokes(text) or _flourish(text))]


def is_rule(text: str) -> bool:
    """Whether a line beside a running head is a rule or an ornament: no word is in it, and it is no number."""
    lexicon = load_lexicon()
    plain = core(text)
    if division(text) or plain.isdecimal() or (len(plain) > 1 and plain.isupper() and is_roman(plain)):
        return False
    return not any(lexicon.known(word) and len(set(word.lower())) > 2 for word in _WORD.findall(text))


def _garbled(line: Line) -> bool:
    """Whether a line alone is no word and no title, but pieces of which one is an ornament or begins small."""
    pieces = line.text.split(" ")
    known = load_lexicon().known
    if len(pieces) < 2 or len(line.text) > _SHORT or not line.isolated or not is_rule(line.text):
        return False
    odd = any(piece[0].islower() or piece in _ORNAMENTS for piece in pieces)
    return odd and line.letters > _FIGURES and not any(known(core(piece)) for piece in pieces if len(piece) > 2)


def _strokes(text: str) -> bool:
    return len(text) > 2 and sum(sign in _STROKES for sign in text) * 2 > len(text)


def _ornament(text: str) -> bool:
    """Whether a line is made of one or two letters over and over, as ornaments are read (`eee`, `oO`)."""
    letters = set(filter(str.isalpha, text.lower()))
    plain = core(text)
    return len(plain) > 1 and 0 < len(letters) < 3 and is_rule(text) and not load_lexicon().known(plain.lower())


def _noise(text: str) -> bool:
    """Whether a line has signs that no prose has, or three pieces and more of which none is a word."""
    if not is_rule(text):
        return False
    lexicon = load_lexicon()
    pieces = [core(piece).lower() for piece in text.split(" ")]
    words = any(len(piece) > 1 and lexicon.known(piece) for piece in pieces)
    return not words and (not _NOISE.isdisjoint(text) or (len(pieces) > 2 and text[-1] not in ".,;:?!"))


def _flourish(text: str) -> bool:
    """Whether a long line without a word has signs that no prose and no table has."""
    return len(text) >= _LONG and not _SIGNS.isdisjoint(text)


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


def _returning(lines: Sequence[Line], places: Sequence[Sequence[int]]) -> set[int]:
    """The lines that return at the tops of other pages in the same type, or repeat a title set above in another."""
    page = {i: n for n, place in enumerate(places) for i in place}
    at_tops = [(i, bare) for i in page if (bare := _words(lines[i].text))]
    titles = [(i, bare) for i, line in enumerate(lines) if line.capital and (bare := _words(line.text))]
    heads: set[int] = set()
    for (i, bare), likes in zip(at_tops, likenesses([w for _, w in at_tops], [w for _, w in at_tops]), strict=True):
        others = [at_tops[k][0] for k in likes]
        same = {page[k] for k in others if lines[k].capital == lines[i].capital}
        titled = like_head(bare)
        short = titled or len(bare.split()) <= _WORDS_IN_SMALL  # a longer line of small letters is a sentence
        returns = short and len(same) >= (_RETURNS if titled else _RETURNS_IN_SMALL)
        # A title in capitals, whose words head more pages after it in small letters, is no running head.
        small = sum(k > i and not lines[k].capital for k in others) if lines[i].capital else 0
        if returns and small <= len(same) and not _is_title(lines, i, others):
            heads.add(i)
    in_small = [(i, bare) for i, bare in at_tops if i not in heads and not lines[i].capital and like_head(bare)]
    for (i, _), likes in zip(in_small, likenesses([w for _, w in in_small], [w for _, w in titles]), strict=True):
        if any(titles[k][0] < i for k in likes):
            heads.add(i)
    return heads


def _is_title(lines: Sequence[Line], at: int, heads: Sequence[int]) -> bool:
    """Whether a line is the title that running heads below it repeat: it has a stop, and they have none.

    Args:
        lines: the lines of the scan.
        at: the index of the line.
        heads: the indices of all lines that are like it, itself among them.
    """
    stopped = [lines[i].text[-1] in ".," for i in heads if i > at]
    return lines[at].text[-1] in ".," and len(stopped) == len(heads) - 1 and sum(stopped) <= _FEW_STOPPED * len(stopped)


def _of_sections(lines: Sequence[Line], places: Sequence[Sequence[int]], heads: Iterable[int]) -> set[int]:
    """The lines that open a page with the title of its section, which stands once on that page or one not far before.

    Args:
        lines: the lines of the scan.
        places: for each page that has no head the indices of its first lines.
        heads: the lines of the heads known.
    """
    stopped = [lines[i].text.endswith(".") for i in heads]
    often = sum(stopped) * 2 > len(stopped)
    tops = {n: next((i for i in place if not is_rule(lines[i].text)), -1) for n, place in enumerate(places)}
    begins = [
        n for n, i in tops.items() if i >= 0 and _like_title(line := lines[i]) and (often or line.text[-1] != ".")
    ]
    begins = [n for n in begins if not lines[tops[n]].capital or _has_folio(lines[tops[n]])]
    at_tops = {tops[n]: n for n in begins}
    borders = [place[0] if place else 0 for place in places]
    titles = [
        i for i, line in enumerate(lines)
        if i not in at_tops and max(line.above, line.below) > 1 and _like_title(_stopped(line))
        and not line.text[-1].isdecimal()
    ]  # fmt: skip
    found: set[int] = set()
    likes = likenesses([_without_folio(lines[i]) for i in at_tops], [_words(lines[i].text) for i in titles])
    for (i, n), others in zip(at_tops.items(), likes, strict=True):
        scores = {k: fuzz.ratio(_without_folio(lines[i]), _words(lines[titles[k]].text)) for k in others}
        best = [titles[k] for k in others if scores[k] > max(scores.values()) - _NEARLY]
        first = borders[max(0, n - _BACK)]
        after = next((border for border in borders[n + 1 :] if border), len(lines))
        if len(best) == 1 and first <= best[0] < after:
            found.add(i)
    return found


def _beside_misread(lines: Sequence[Line], places: Sequence[Sequence[int]], known: Iterable[int]) -> set[int]:
    """The lines in capitals that open a page with a head known from others, and a folio too garbled to be read."""
    heads = [_words(lines[i].text) for i in known if lines[i].capital and _words(lines[i].text)]
    at_tops = [place[0] for place in places if place and _has_folio(lines[place[0]])]
    likes = likenesses([_without_folio(lines[i]) for i in at_tops], heads)
    return {i for i, others in zip(at_tops, likes, strict=True) if len(others) >= _RETURNS}


def _without_folio(line: Line) -> str:
    """The words of a line, without what a folio beside capitals is read as: a piece that has none, or is no word."""
    parts = line.text.split(" ")
    if not line.capital and len(parts) > 1:
        ends = [_no_word(part) for part in (parts[0], parts[-1])]
        parts = parts[ends[0] : len(parts) - (ends[1] and not ends[0])]
    if line.capital and len(parts) > 1:
        parts = parts[any(map(str.isupper, parts[0])) ^ 1 :]
        parts = parts[: len(parts) - (not any(map(str.isupper, parts[-1])))]
    return _words(" ".join(parts))


def _no_word(piece: str) -> bool:
    """Whether a piece of small letters is short and no word, as a figure that is misread."""
    return len(piece) <= _FIGURES and piece.islower() and not load_lexicon().known(core(piece), 50)


def _has_folio(line: Line) -> bool:
    """Whether a line in capitals has a piece without any, at its beginning or its end."""
    bare = _without_folio(line)
    return line.capital and bool(bare) and line.text.split(" ") != bare.split(" ")


def _stopped(line: Line) -> Line:
    """A line alone without the comma that its full stop is read as."""
    return replace(line, text=line.text.rstrip(",")) if line.isolated else line


def _like_title(line: Line) -> bool:
    """Whether a line has the shape of a title, as far as one line tells; its first letter may be cut off."""
    bare = _words(line.text)
    return bool(bare) and like_head(bare[0].upper() + bare[1:]) and not _SENTENCE.search(line.text)
