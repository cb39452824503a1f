"""Grammar of a commentary: pieces headed by the articles they explain, one or several."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from extract.corpus.plan import CommentaryPart, Heads
from extract.language.lexicon import word_set
from extract.numbering.numerals import best_reading
from extract.numbering.sequence import Candidate, decode
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment, heading_segment
from extract.text.lines import listed

_ITEM = re.compile(r"(?P<number>[^\s,.;]+)")
# A head lists several articles, so that the next one begins some numbers on: what is left out costs less than in a
# series of labels (0.1 to 0.5 read the four books alike).
_GAP = 0.25
_WORST = 1.3  # what the dearest misreading may cost (0.9 to 2)
_PRIOR = 0.3  # what the shape of a head speaks for it: a word and nothing but numerals behind it
_LONGEST = 60  # characters of a line that lists articles
_NEXT, _FEWEST = 7, 3  # how far a list of articles goes on at once; letters that are less than a heading
_LISTING, _ONWARD = word_set("listing"), word_set("onward")


@dataclass(frozen=True, slots=True)
class _ArticleHead:
    """A line that may head a piece: its span, the numerals it lists, whether it says `and following`."""

    start: int
    end: int
    items: tuple[str, ...]
    onward: bool


def commentary(work: WorkingText, part: CommentaryPart, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment a commentary.

    Args:
        work: the working text.
        part: the part; each of its series has a label such as `Articles {list}.`; `explains` begins the ids of
            the provisions explained.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    Returns:
        Headings and pieces; each piece knows the provisions it explains.
    """
    pieces: list[Segment] = []
    for series in part.series:
        heads = {head.start: head for head in _heads(work, series, start, end)}
        candidates = [Candidate(h.start, h.end, h.items[0], _PRIOR) for h in heads.values()]
        for label in decode(candidates, series.highest, gap=_GAP, worst=_WORST):
            head = heads[label.candidate.start]
            numbers = [f"{series.prefix}{n}" for n in _numbers(head, label.number, series)]
            pieces.append(
                Segment("commentary", head.start, head.end, book_id, f"{series.slug}-{numbers[0]}".lower(),
                        f"Commentary on {series.name} {listed([n.upper() for n in numbers])}", numbers[0],
                        confidence=label.confidence, explains=tuple(f"{part.explains}{n}".lower() for n in numbers))
            )  # fmt: skip
    begins = {piece.start for piece in pieces}
    headings = (p for p in work.paragraphs(start, end) if p.heading and p.start not in begins)
    sections = [heading_segment(book_id, h) for h in headings if sum(map(str.isalpha, h.text)) > _FEWEST]
    borders = sorted([*(d.start for d in (*sections, *pieces)), end])
    for piece in pieces:
        piece.end = work.trim(piece.start, borders[bisect_right(borders, piece.start)])[1]
    return [*sections, *pieces]


def _heads(work: WorkingText, series: Heads, start: int, end: int) -> list[_ArticleHead]:
    word, _, _ = series.label.partition("{list}")
    stem = word.strip()
    plural = "?" if len(stem) > 2 else ""
    opening = re.compile(rf"^{re.escape(stem)}{plural}\.?\s*")
    found: list[_ArticleHead] = []
    for line in work.lines_from(start, end):
        match = opening.match(line.text)
        if not match or len(line.text) > _LONGEST:
            continue
        rest = line.text[match.end() :]
        items = [m["number"] for m in _ITEM.finditer(rest)]
        numerals = tuple(i.rstrip("-") for i in items if i.lower() not in _LISTING | _ONWARD)
        if numerals and all(_like_number(n) for n in numerals) and not rest.rstrip().endswith((")", "?")):
            found.append(_ArticleHead(line.start, line.end, numerals, not _ONWARD.isdisjoint(items)))
    return found


def _like_number(text: str) -> bool:
    return len(text) <= 4 and not (text.isalpha() and text.islower() and len(text) > 2)


def _numbers(head: _ArticleHead, first: int, series: Heads) -> list[int]:
    """The numbers a heading lists: each garbled one is read as the cheapest that continues the list."""
    numbers = [first]
    for item in head.items[1:]:
        reading = best_reading(item, range(numbers[-1] + 1, numbers[-1] + _NEXT + 1))
        numbers += [reading.number] if reading else []
    if head.onward and series.expect:
        numbers = list(range(first, series.expect + 1))
    return numbers
