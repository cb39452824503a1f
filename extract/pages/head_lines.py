"""Recognise from its shape whether a line may be a running head, a folio, or both in one.

A line set apart by blank lines may be a head, with any words. A line within the text, as where an OCR engine leaves
out blank lines, is only read as a head if its words recur beside other numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from extract.language.lexicon import core, word_set
from extract.numbering.numerals import like_roman
from extract.numbering.sequence import Candidate
from extract.numbering.spelled import ordinal, spelled
from extract.pages.folio import FOLIO, GLYPHS
from extract.text.headings import division
from extract.text.lines import Line

PAGE_GAP = 3
"""Number of line ends that separate pages, where an OCR engine marks them by blank lines."""
RETURNS = 3
"""Number of similar lines that make a running head, if no folio beside them confirms it."""
_LONGEST = 60  # characters of a running head
_SAME_HEAD = 78.0  # lowest similarity, in per cent, of two garbled readings of one head
_BATCH = 256  # lines compared at a time
_DASHES = "=~—–-"  # characters as which OCR reads a dash
_INSIDE = rf"(?P<folio>(?:[{GLYPHS}°] ?){{1,5}})"
_BRACKETED = re.compile(rf"^\W{{0,3}}?[(\[{{{_DASHES}] ?{_INSIDE}[)\]}}{_DASHES}]\W{{0,3}}$")
_HALF = re.compile(rf"^\W{{0,3}}?[(\[{{] ?{_INSIDE}\W{{0,3}}$")
_CITING = word_set("citing")


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A line that may stand at the top or foot of a page: its words, and its folio if it has one."""

    words: str
    folio: Candidate | None = None


def read_heads(lines: Sequence[Line]) -> dict[int, HeadLine]:
    """Read lines as folio, running head, or both, by their index; other lines are left out."""
    apart = {i: head for i, line in enumerate(lines) if (head := _read_folio(line) or _read_apart(line))}
    within = {i: head for i, line in enumerate(lines) if i not in apart and (head := _read_within(line))}
    words = [head.words for head in (*apart.values(), *within.values()) if head.folio and head.words]
    likes = similar_heads([head.words for head in within.values()], words)
    apart |= {i: within[i] for i, alike in zip(within, likes, strict=True) if len(alike) >= RETURNS}
    times = Counter((head.words, head.folio.read) for head in apart.values() if head.folio and head.words)
    # The same characters beside the same words again and again are an ornament, not a folio.
    ornaments = {i for i, head in apart.items() if head.folio and times[head.words, head.folio.read] >= RETURNS}
    return {i: HeadLine(head.words) if i in ornaments else head for i, head in sorted(apart.items())}


def similar_heads(some: Sequence[str], others: Sequence[str]) -> list[list[int]]:
    """Return, for each line, the sorted indices of the other lines that are the same running head, garbled or not.

    Args:
        some: the lines to look up.
        others: the lines to compare them with.
    """
    places: dict[str, list[int]] = {}
    for i, other in enumerate(others):
        places.setdefault(_folded(other), []).append(i)
    alike = alike_lines(set(map(_folded, some)), list(places))
    found = {word: sorted(i for other in likes for i in places[other]) for word, likes in alike}
    return [found.get(_folded(line), []) for line in some]


def alike_lines(
    some: Collection[str], others: Sequence[str], least: float = _SAME_HEAD
) -> Iterator[tuple[str, list[str]]]:
    """Yield each line with the other lines that are similar enough to it, compared in batches.

    Args:
        some, others: lines, without duplicates.
        least: the lowest similarity (`fuzz.ratio`), in per cent.
    """
    waiting = list(some)
    for at in range(0, len(waiting) if others else 0, _BATCH):
        batch = waiting[at : at + _BATCH]
        scores = cdist(batch, others, scorer=fuzz.ratio, score_cutoff=least)
        yield from ((line, [others[k] for k in row.nonzero()[0]]) for line, row in zip(batch, scores, strict=True))


def _folded(text: str) -> str:
    return text.upper().rstrip(".,")


_NUMBERED_PART = re.compile(r"[^\W\d_]{3,} No\. ?\d{1,3}\.?$", re.IGNORECASE)
_IN_WORDS = re.compile(r"(?!the )[^\W\d_]{3,}[ ](?:the[ ])?", re.IGNORECASE)


def numbers_a_part(text: str) -> bool:
    """Whether a line numbers a part of the book (`SECTION IV.`, `Law the Third.`): a heading, even if it recurs."""
    found = division(text)
    if (found is not None and len(text.rstrip(".").split()) == 2) or _NUMBERED_PART.match(text):
        return True
    words = _IN_WORDS.match(text)
    number = (ordinal(text, words.end()) or spelled(text, words.end())) if words else None
    return number is not None and not text[number.end :].strip(".: ")


def strip_head(text: str) -> str:
    """Strip short tokens, which may be folios or ornaments, from both ends of a line; "" if it is not a head."""
    parts = text.split(" ") if len(text) <= _LONGEST else []
    while parts and sum(map(str.isalpha, parts[0])) < 3:
        parts = parts[1:]
    while parts and sum(map(str.isalpha, parts[-1])) < 3:
        parts = parts[:-1]
    bare = " ".join(parts)
    citing = bare.strip(".,").lower() in _CITING
    return "" if citing or len(set(filter(str.isalpha, bare))) < 4 or numbers_a_part(text) else bare


def like_head(head: str) -> bool:
    """Whether words are set as a title: each longer word has a capital initial, and they do not cite a number."""
    if sum(map(str.isalpha, head)) < 4 or numbers_a_part(f"{head} 1"):
        return False
    long = [word for word in map(core, head.split()) if len(word) > 3]
    return all(word[0].isupper() for word in long) and not all(word.lower() in _CITING for word in long)


def _read_folio(line: Line) -> HeadLine | None:
    """Read a line that is only a folio, bare or between brackets or dashes, one of which may be misread."""
    match = _BRACKETED.match(line.text) or (line.below >= PAGE_GAP and _HALF.match(line.text))
    if match and any(map(str.isalnum, match["folio"])):
        read = match["folio"].replace(" ", "").replace("°", "0").rstrip(".")
        return HeadLine("", Candidate(line.start, line.end, read, 0.3 if line.isolated else 0.0))
    if not FOLIO.match(line.text):
        return None
    if _is_apart(line):
        return HeadLine("", Candidate(line.start, line.end, line.text.rstrip("."), 0.3))
    if any(map(str.isdecimal, line.text)) and not line.text.endswith("."):
        return HeadLine("", Candidate(line.start, line.end, line.text, -0.3 if line.isolated else -0.9))
    return None


def _is_apart(line: Line) -> bool:
    return line.isolated and max(line.above, line.below) >= PAGE_GAP


def _read_apart(line: Line) -> HeadLine | None:
    """Read a line set apart by blank lines as a running head, with a folio or without."""
    if not _is_apart(line) or len(line.text) > _LONGEST or line.text.startswith(("[", "(")):
        return None
    for head, tail, at_end in _splits(line.text):
        if numbers_a_part(line.text) or sum(map(str.isalpha, head)) < 4:
            continue
        figures = any(map(str.isdecimal, tail))
        if sum(map(str.islower, head)) * 5 <= len(head):
            if figures or like_roman(tail.lower().rstrip("."), "ivxl1"):
                return HeadLine(head, _folio(line, tail, at_end, 0.0))
        elif figures and not at_end and line.above >= PAGE_GAP:
            return HeadLine(head, _folio(line, tail, at_end, -1.2))
    return HeadLine(line.text) if line.capital else None


def _read_within(line: Line) -> HeadLine | None:
    """Read a line within the text that has the shape of a head with its folio."""
    for head, tail, at_end in _splits(line.text) if len(line.text) <= _LONGEST else ():
        if any(map(str.isdecimal, tail)) and like_head(head) and (at_end or not tail.endswith(".")):
            return HeadLine(head, _folio(line, tail, at_end, 0.0))
    return None


def _splits(text: str) -> list[tuple[str, str, bool]]:
    """Return the ways to split a line into head and folio: words, folio, and whether the folio ends the line."""
    words = text.split(" ")
    splits = [
        candidate
        for n in (2, 1)
        for candidate in (
            (" ".join(words[:-n]), " ".join(words[-n:]), True),
            (" ".join(words[n:]), " ".join(words[:n]), False),
        )
    ]
    return [
        (head, tail, end)
        for head, tail, end in splits
        if head and FOLIO.match(tail) and (len(tail) < 5 or " " not in tail)
    ]


def _folio(line: Line, tail: str, at_end: bool, prior: float) -> Candidate:
    start = line.end - len(tail) if at_end else line.start
    return Candidate(start, start + len(tail), tail.rstrip("."), prior)
