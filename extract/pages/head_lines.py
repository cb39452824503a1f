"""Lines that may be a running head or a folio, read by their shape: bare or in brackets, apart or in one line.

A line set apart by blank lines may be a head whatever its words. One that stands in the text, as where an OCR engine
leaves blank lines out, is only read as a head if its words return beside other numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from extract.language.lexicon import core, word_set
from extract.numbering.numerals import like_roman
from extract.numbering.sequence import Candidate
from extract.numbering.spelled import ordinal, spelled
from extract.pages.folio import FOLIO, GLYPHS, ONCE
from extract.text.headings import division
from extract.text.lines import Line

PAGE_GAP = 3
"""So many line ends set a page apart, where an OCR engine tells pages by blank lines."""
LONGEST = 60
_SAME_HEAD = 78.0
_BATCH = 256
_RETURNS = 3
_DASHES = "=~—–-"  # what a dash is read as
_INSIDE = rf"(?P<folio>(?:[{GLYPHS}°] ?){{1,5}})"
_BRACKETED = re.compile(rf"^\W{{0,3}}?[(\[{{{_DASHES}] ?{_INSIDE}[)\]}}{_DASHES}]\W{{0,3}}$")
_HALF = re.compile(rf"^(?:\W{{0,3}}?[(\[{{] ?{_INSIDE}|(?P<other>(?:[{GLYPHS}°] ?){{1,5}})[)\]}}])\W{{0,3}}$")
_BESIDE = re.compile(
    rf"^(?:(?P<before>[(\[{{{_DASHES}] ?(?:[{GLYPHS}] ?){{1,5}}[)\]}}{_DASHES}]) (?P<head>\S.+)"
    rf"|(?P<head2>.+\S) (?P<after>[(\[{{{_DASHES}] ?(?:[{GLYPHS}] ?){{1,5}}[)\]}}{_DASHES}]))$"
)
_BRACKETS = f"()[]{{}}{_DASHES} "
_CITING = word_set("citing")


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A line that may stand at the border of a page: the folio it carries, if any, and its words."""

    words: str
    folio: Candidate | None
    bracketed: bool = False


def read_heads(lines: Sequence[Line]) -> list[HeadLine | None]:
    """Read each line as folio, running head, or both; None for what is neither."""
    heads = [_read_bracketed(line) or _read_apart(line) for line in lines]
    within = {i: found for i, line in enumerate(lines) if heads[i] is None and (found := _read_within(line))}
    apart = [h.words for h in heads if h and h.folio and h.words]
    beside = [h.words for h in within.values() if h.words]
    often = how_often(beside, [*apart, *beside])
    for i, found in within.items():
        if not found.words or often[found.words] >= _RETURNS:
            heads[i] = found
        elif found.folio and lines[i].above >= PAGE_GAP and found.folio.read.isdecimal():
            heads[i] = replace(found, folio=replace(found.folio, prior=ONCE))
    read = Counter((h.words, h.folio.read) for h in heads if h and h.folio and h.words)
    return [_bare(h) if h and h.folio and read[h.words, h.folio.read] >= _RETURNS else h for h in heads]


def _bare(head: HeadLine) -> HeadLine:
    """A head beside which the same sign returns: that is an ornament, and no folio."""
    return HeadLine(head.words, None) if head.words else head


def heads_before(lines: Sequence[Line], heads: Sequence[HeadLine | None], folios: Sequence[int]) -> dict[int, HeadLine]:
    """Running heads on the line before a folio's own, set apart or not: their words return.

    Args:
        lines: the lines of the scan.
        heads: what each of them is, as far as it stands apart.
        folios: the lines that bear a folio alone.
    """
    before = [i - 1 for i in folios if i and ((head := heads[i - 1]) is None or not head.folio)]
    titles = [i for i in before if len(lines[i].text) <= LONGEST and like_head(lines[i].text)]
    words = [lines[i].text for i in titles]
    likes = zip(titles, likenesses(words, words), strict=True)
    return {i: HeadLine(lines[i].text, None) for i, others in likes if len(others) >= _RETURNS}


def how_often(some: Iterable[str], others: Iterable[str]) -> dict[str, int]:
    """How many of some lines are the same running head as each of others, garbled or not; a line is one with itself.

    Args:
        some: the lines that are asked about.
        others: those that are counted.
    """
    times = Counter(map(_folded, others))
    alike = alike_lines(set(map(_folded, some)), list(times))
    counted = {word: sum(times[other] for other in found) for word, found in alike}
    return {line: counted.get(_folded(line), 0) for line in some}


def likenesses(some: Sequence[str], others: Sequence[str]) -> list[list[int]]:
    """For each of some lines, which of the others are the same running head: their indices."""
    places: dict[str, list[int]] = {}
    for i, other in enumerate(others):
        places.setdefault(_folded(other), []).append(i)
    alike = alike_lines(set(map(_folded, some)), list(places))
    found = {word: sorted(i for other in likes for i in places[other]) for word, likes in alike}
    return [found.get(_folded(line), []) for line in some]


def alike_lines(
    some: Collection[str], others: Sequence[str], least: float = _SAME_HEAD
) -> Iterator[tuple[str, list[str]]]:
    """Each of some lines with those of the others that have so many letters in common, compared in batches.

    Args:
        some, others: lines, each once.
        least: the per cent of letters.
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
    """Whether a line numbers a part of the book (`SECTION IV.`, `Law the Third.`): a heading, though it returns."""
    found = division(text)
    if (found is not None and len(text.rstrip(".").split()) == 2) or _NUMBERED_PART.match(text):
        return True
    words = _IN_WORDS.match(text)
    number = (ordinal(text, words.end()) or spelled(text, words.end())) if words else None
    return number is not None and not text[number.end :].strip(".: ")


def _read_bracketed(line: Line) -> HeadLine | None:
    """A folio in brackets or between dashes, alone or beside a head."""
    if len(line.text) > LONGEST:
        return None
    match = _BRACKETED.match(line.text)
    read = match["folio"] if match else ""
    if not match and line.below >= PAGE_GAP and (match := _HALF.match(line.text)):
        read = match["folio"] or match["other"]
    if match and any(map(str.isalnum, read)):
        return HeadLine("", Candidate(line.start, line.end, _plain(read), 0.3 if line.isolated else 0.0), True)
    if match or not (beside := _BESIDE.match(line.text)):
        return None
    folio, head = beside["before"] or beside["after"], beside["head"] or beside["head2"]
    read = _plain(folio.strip(_BRACKETS))
    if not any(map(str.isdecimal, read)) or not like_head(head):
        return None
    start = line.start if beside["before"] else line.end - len(folio)
    return HeadLine(head, Candidate(start, start + len(folio), read, 0.0), True)


def _plain(read: str) -> str:
    """What was read between brackets, with the figures that no numeral has but brackets explain."""
    return read.replace(" ", "").replace("°", "0").rstrip(".")


def _read_apart(line: Line) -> HeadLine | None:
    """A line set apart by blank lines, as folio, running head, or both."""
    if not line.isolated or max(line.above, line.below) < PAGE_GAP or len(line.text) > LONGEST:
        return None
    if FOLIO.match(line.text):
        return HeadLine("", Candidate(line.start, line.end, line.text.rstrip("."), 0.3))
    if line.text.startswith(("[", "(")):
        return None
    for head, tail, at_end in _parted(line.text):
        if numbers_a_part(line.text) or sum(map(str.isalpha, head)) < 4:
            continue
        if not (any(map(str.isdecimal, tail)) or like_roman(tail.lower().rstrip("."), "ivxl1")):
            continue
        small = sum(map(str.islower, head)) * 5 > len(head)
        if small and (at_end or line.above < PAGE_GAP or not any(map(str.isdecimal, tail))):
            continue
        return HeadLine(head, _folio(line, tail, at_end, -1.2 if small else 0.0))
    return HeadLine(line.text, None) if line.capital else None


def _read_within(line: Line) -> HeadLine | None:
    """A line in the text whose shape is that of a head with its folio, or of a folio alone."""
    if len(line.text) > LONGEST:
        return None
    if FOLIO.match(line.text) and any(map(str.isdecimal, line.text)) and not line.text.endswith("."):
        return HeadLine("", Candidate(line.start, line.end, line.text, -0.3 if line.isolated else -0.9))
    for head, tail, at_end in _parted(line.text):
        if any(map(str.isdecimal, tail)) and like_head(head) and (at_end or not tail.endswith(".")):
            return HeadLine(head, _folio(line, tail, at_end, 0.0))
    return None


def like_head(head: str) -> bool:
    """Whether words are set as a title: capitals, or each longer word with one; what cites a number is none."""
    if sum(map(str.isalpha, head)) < 4 or numbers_a_part(f"{head} 1"):
        return False
    long = [word for word in map(core, head.split()) if len(word) > 3]
    return all(word[0].isupper() for word in long) and not all(word.lower() in _CITING for word in long)


def _parted(text: str) -> list[tuple[str, str, bool]]:
    """The ways to part a line into head and folio: words, folio, and whether the folio ends the line."""
    words = text.split(" ")
    ways = [
        way
        for n in (2, 1)
        for way in (
            (" ".join(words[:-n]), " ".join(words[-n:]), True),
            (" ".join(words[n:]), " ".join(words[:n]), False),
        )
    ]
    return [
        (head, tail, end)
        for head, tail, end in ways
        if head and FOLIO.match(tail) and (len(tail) < 5 or " " not in tail)
    ]


def _folio(line: Line, tail: str, at_end: bool, prior: float) -> Candidate:
    start = line.end - len(tail) if at_end else line.start
    return Candidate(start, start + len(tail), tail.rstrip("."), prior)
