"""Page furniture of a scan in lines: folios, running heads, signatures, found by what they are.

A folio belongs to an increasing sequence; a running head returns from page to page beside folios, in whatever
garbling; a signature stands alone at the foot of a page. No list of heads is needed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rapidfuzz import fuzz

from extract.language.sentences import ends_paragraph
from extract.model import Edit, Page, Span
from extract.numbering.numerals import arabic
from extract.pages.deletion import deletion, opens_gathering
from extract.pages.feet import folios_at_foot, garbled_feet, litter, page_starts, told
from extract.pages.folio import DIVISION, OPENING, Folio, decode_folios, paginate
from extract.pages.head_lines import PAGE_GAP, HeadLine, heads_before, how_often, likenesses, numbers_a_part, read_heads
from extract.pages.margins import column_heads, margin_rules
from extract.pages.notes import notes_at_feet
from extract.pages.page_tops import heads_at_tops, rules_at_feet, tops_by_gaps
from extract.text.headings import division
from extract.text.lines import Line, split_lines

_SIGNATURE = re.compile(r"^[A-Za-z0] ?[2345SO]?$")
# The letters that sign gatherings: no J, V or W; the text begins on page 1 of B.
_LETTERS = "BCDEFGHIKLMNOPQRSTUXYZ"
_FEED = re.compile(r"\f")
# Characters of the longest page, and the least share of pages whose folio is left.
_LONGEST_PAGE, _FEW = 3000, 0.1
_SHORTEST_PAGE, _FEWEST_LABELS = 600, 6  # characters of a page, and numbers that may be labels
_PART_OF_TITLE = 95.0
_TITLES_ABOVE = 200  # that the head of a short section may repeat
# Pages, and the share of them that begin after a wide gap, for others to be told by such gaps: where one seems longer
# than is usual, after most of a usual page.
_PAGES, _MOSTLY, _LONG, _FULL = 6, 0.8, 1.1, 0.8


@dataclass(frozen=True, slots=True)
class Furniture:
    """What belongs to the page and not to the text: deletions, the pages they reveal, and notes in smaller type."""

    edits: tuple[Edit, ...]
    pages: tuple[Page, ...]
    notes: tuple[Span, ...] = ()


def find_furniture(scan: str) -> Furniture:
    """Find the furniture of a scan that keeps the page's lines.

    Args:
        scan: the text of the scan.
    Returns:
        Deletions (kind `furniture`), and the pages with printed or interpolated folios.
    """
    lines = split_lines(scan)
    heads = read_heads(lines)
    candidates = [h.folio for h in heads if h and h.folio]
    folios = decode_folios(candidates)
    if len(folios) * _LONGEST_PAGE < _FEW * len(scan) or _far_apart(folios):
        folios = ()  # so few among so much text are numbers of something else, as of chapters
    by_start = {folio.span.start: folio for folio in folios}
    carrier = {i: by_start[h.folio.start] for i, h in enumerate(heads) if h and h.folio and h.folio.start in by_start}
    alone = [i for i in carrier if (head := heads[i]) and not head.words]
    if (len(alone) == len(carrier) and _labels(lines, alone)) or _worded_labels(lines, heads, carrier):
        carrier, folios, alone = {}, (), []
    before = heads_before(lines, heads, alone)
    feet = frozenset() if before else folios_at_foot(lines, heads, alone)
    for i, head in before.items():
        heads[i] = head
    running = _running_heads(lines, heads, carrier)
    known_heads = how_often({h.words for h in heads if h and h.words}, running)
    gone: dict[int, tuple[str, float]] = {}
    starts: dict[int, int] = {}
    for i in sorted(carrier):
        if i in feet:
            gone |= dict.fromkeys(litter(lines, i), ("speck at the foot", 0.8))
            gone[i] = ("folio", carrier[i].confidence)
            continue
        members = _cluster(heads, known_heads, i)
        for m in members:
            gone[m] = ("folio" if m == i else "running head", carrier[i].confidence if m == i else 0.95)
        first = members[0]
        starts[i] = lines[first].start
        if first and _is_signature(lines, first - 1, carrier[i]):
            gone[first - 1] = ("signature", 0.9)
    orphans = _orphan_heads(lines, heads, running, gone, _gaps([carrier[i] for i in sorted(carrier)], len(scan)))
    gone.update(orphans)
    known = page_starts(lines, carrier, feet, starts)
    pages = paginate(len(scan), [f for f, _ in known], [at for _, at in known], _breaks(lines, gone, orphans))
    pages = told(pages, folios, lines[-1].end if lines else 0)
    tops = _tops(scan, lines, pages)
    gone = {i: (what, 0.9) for i, what in heads_at_tops(lines, tops, gone).items()} | gone
    for i in rules_at_feet(lines, tops, gone):
        gone[i] = ("rule", 0.8)
    if len(feet) * 2 > len(tops):
        gone |= dict.fromkeys(garbled_feet(lines, tops, gone), ("folio", 0.8))
    for i in _lone_signatures(lines, pages):
        gone.setdefault(i, ("signature", 0.8))
    edits = [deletion(scan, lines[i].start, lines[i].end, what, c) for i, (what, c) in sorted(gone.items())]
    further = [*column_heads(scan, lines), *margin_rules(scan, lines)]
    edits += [e for e in further if not any(e.span.meets(other.span) for other in edits)]
    return Furniture(tuple(sorted(edits)), pages, tuple(notes_at_feet(lines, tops, gone)))


def _far_apart(folios: Sequence[Folio]) -> bool:
    """Whether most folios that follow each other stand farther apart than two of the longest pages."""
    steps = [
        (b.span.start - a.span.end) / (arabic(b.text) - arabic(a.text))
        for a, b in pairwise(folios)
        if a.text.isdecimal() == b.text.isdecimal() and arabic(b.text) > arabic(a.text)
    ]
    return bool(steps) and median(steps) > 2 * _LONGEST_PAGE


def _labels(lines: Sequence[Line], alone: Sequence[int]) -> bool:
    """Whether numbers on lines of their own label what follows: they stand close, and none within a sentence."""
    if len(alone) < _FEWEST_LABELS:
        return False
    apart = median(lines[b].start - lines[a].end for a, b in pairwise(sorted(alone)))
    whole = sum(ends_paragraph(lines[i - 1].text) or lines[i - 1].capital for i in alone if i)
    return apart < _SHORTEST_PAGE and whole >= len(alone) - 1


def _worded_labels(lines: Sequence[Line], heads: Sequence[HeadLine | None], carrier: Mapping[int, Folio]) -> bool:
    """Whether numbers behind one and the same word (`CANON 12.`) label what follows: none of them cuts a sentence."""
    found = {head.words for i in carrier if (head := heads[i])}
    behind = all(lines[i].text.startswith(word) for i in carrier for word in found)
    if len(carrier) < _FEWEST_LABELS or len(found) > 1 or not behind or " " in "".join(found) or found == {""}:
        return False
    return sum(ends_paragraph(lines[i - 1].text) or lines[i - 1].capital for i in carrier if i) >= len(carrier) - 1


def _tops(scan: str, lines: Sequence[Line], pages: Sequence[Page]) -> list[int]:
    """The lines that begin a page: by its folio, by a form feed, or where neither is known by regular blank lines."""
    starts = [line.start for line in lines]
    tops = {bisect_left(starts, page.raw_start) for page in pages}
    tops |= {bisect_left(starts, match.start()) for match in _FEED.finditer(scan)}
    tops -= {len(lines)}
    gaps = {i for i, line in enumerate(lines) if i and line.above >= PAGE_GAP}
    if len(tops) > _PAGES and len(tops & gaps) >= _MOSTLY * (len(tops) - 1):
        known = sorted({0, *tops, len(lines)})
        usual = median(b - a for a, b in pairwise(known))
        tops |= {i for a, b in pairwise(known) for i in gaps if a + _FULL * usual < i < b and b - a > _LONG * usual}
    return sorted(tops) if len(tops) > 1 else tops_by_gaps(lines) or sorted(tops)


def _running_heads(lines: Sequence[Line], heads: Sequence[HeadLine | None], carrier: dict[int, Folio]) -> list[str]:
    """The words of lines beside folios that return on another page, in whatever garbling."""
    beside: list[str] = []
    for i in carrier:
        head = heads[i]
        if head and head.words:
            beside.append(head.words)
        for near in (i - 1, i + 1):
            other = heads[near] if 0 <= near < len(lines) else None
            if other and other.words and not other.folio and not numbers_a_part(other.words):
                beside.append(other.words)
    alone = [i for i in carrier if i and (head := heads[i]) and not head.words]
    titles = [(i, line.text.rstrip(".,").upper()) for i, line in enumerate(lines) if line.capital]
    short: list[str] = []
    for i in alone:
        above = bisect_left(titles, (i - 1,))
        if _shortens(heads[i - 1], [title for _, title in titles[max(0, above - _TITLES_ABOVE) : above]]):
            short.append(lines[i - 1].text)
    often = how_often(beside, beside)
    return [*(w for w in beside if often[w] > 1), *short]


def _shortens(head: HeadLine | None, titles: Sequence[str]) -> bool:
    """Whether a line repeats some words of a title above it, as the running head of a short section does.

    It stands just before a folio: no heading is the last line of a page.
    """
    if head is None or head.folio or " " not in head.words or numbers_a_part(head.words):
        return False
    words = head.words.rstrip(".,").upper()
    return any(len(words) < len(title) and fuzz.partial_ratio(words, title) >= _PART_OF_TITLE for title in titles)


def _cluster(heads: Sequence[HeadLine | None], running: Mapping[str, int], at: int) -> list[int]:
    """The lines of the page break around a folio: itself, and a running head before or after it.

    Args:
        heads: what each line is.
        running: how many running heads the words of each are like.
        at: the line of the folio.
    """
    members = [at]
    head = heads[at]
    if head and head.words:
        return members
    for near in (at - 1, at + 1):
        other = heads[near] if 0 <= near < len(heads) else None
        if other and not other.folio and other.words and running[other.words]:
            members.append(near)
    return sorted(members)


def _is_signature(lines: Sequence[Line], at: int, folio: Folio) -> bool:
    """Whether the last line of a page is a signature: a letter, or the number that the page's gathering has."""
    line = lines[at]
    if line.below < 2 or len(line.text) > 4:
        return False
    if line.text.isdecimal() and folio.text.isdecimal():
        return opens_gathering(int(line.text), int(folio.text) - 1)
    if line.text in {"I", "O"}:
        return folio.text.isdecimal() and opens_gathering(_LETTERS.index(line.text) + 1, int(folio.text) - 1)
    return bool(_SIGNATURE.match(line.text))


def _lone_signatures(lines: Sequence[Line], pages: Sequence[Page]) -> list[int]:
    """Signatures at the foot of a page before one whose folio is lost."""
    lost = {p.raw_start: i for i, p in enumerate(pages) if p.status == "interpolated"}
    found: list[int] = []
    for i, line in enumerate(lines[:-1]):
        after = next((n for n in lines[i + 1 : i + 3] if n.start in lost), None)
        if after and line.below >= 2 and len(line.text) <= 3 and _SIGNATURE.match(line.text):
            found.append(i)
    return found


def _gaps(folios: Sequence[Folio], length: int) -> list[tuple[int, int]]:
    """The stretches of the scan in which a folio is missing."""
    gaps = [
        (a.span.end, b.span.start)
        for a, b in pairwise(folios)
        if not (a.text.isdecimal() and b.text.isdecimal() and int(b.text) == int(a.text) + 1)
    ]
    return [(0, folios[0].span.start), *gaps, (folios[-1].span.end, length)] if folios else [(0, length)]


def _orphan_heads(
    lines: Sequence[Line],
    heads: Sequence[HeadLine | None],
    running: Sequence[str],
    gone: dict[int, tuple[str, float]],
    gaps: Sequence[tuple[int, int]],
) -> dict[int, tuple[str, float]]:
    """Running heads on pages whose folio is lost: they stood on a page before, and body text follows them."""
    words = {head.words for head in heads if head and head.words}
    often = {big: how_often(words, [r for r in running if _in_capitals(r) == big]) for big in (True, False)}
    taken = [(i, head.words) for i in sorted(gone) if (head := heads[i]) and head.words]
    likes = zip(words, likenesses(list(words), [w for _, w in taken]), strict=True)
    first = {word: taken[others[0]][0] for word, others in likes if others}
    starts = [start for start, _ in gaps]
    found: dict[int, tuple[str, float]] = {}
    for i, head in enumerate(heads[:-1]):
        if i in gone or head is None or not head.words or head.folio or first.get(head.words, i) >= i:
            continue
        gap = bisect_right(starts, lines[i].start) - 1
        if gap < 0 or lines[i].start >= gaps[gap][1]:
            continue
        if lines[i + 1].capital or numbers_a_part(head.words) or (i and numbers_a_part(lines[i - 1].text)):
            continue
        if often[_in_capitals(head.words)][head.words] > 1:
            found[i] = ("running head", 0.85)
    return found


def _in_capitals(words: str) -> bool:
    """Whether most letters are capitals: a title in capitals may have the words of a running head in small letters."""
    return 2 * sum(map(str.isupper, words)) > sum(map(str.isalpha, words))


def _breaks(
    lines: Sequence[Line], gone: dict[int, tuple[str, float]], orphans: dict[int, tuple[str, float]]
) -> list[tuple[int, float]]:
    """Where a page without a folio may begin, and how much speaks for it."""
    found: list[tuple[int, float]] = []
    body: Line | None = None
    for i, line in enumerate(lines):
        if i in orphans:
            found.append((line.start, 3.0))
        elif i not in gone and i - 1 not in gone and line.above >= PAGE_GAP and body is not None:
            cut = not body.text.endswith((".", "!", "?", '"', ")"))
            found.append(
                (line.start, DIVISION if division(line.text) else OPENING if line.capital else 2.0 if cut else 0.8)
            )
        if i not in gone:
            body = line
    return found
