"""Page furniture of a scan in lines: folios, running heads, rules and signatures, recognised by their pattern.

A folio belongs to an increasing sequence, and shows where a page begins. A running head recurs there on page after
page, however garbled, with or without a folio; rules stand beside it; a signature is the last line of a page. No list
of heads is needed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from extract.language.lexicon import core, load_lexicon
from extract.language.sentences import ends_paragraph
from extract.model import Edit, Page
from extract.numbering.numerals import arabic, is_roman, roman
from extract.pages.deletion import deletion, opens_gathering
from extract.pages.folio import Folio, decode_folios
from extract.pages.head_lines import (
    PAGE_GAP,
    RETURNS,
    HeadLine,
    like_head,
    numbers_a_part,
    read_heads,
    similar_heads,
    strip_head,
)
from extract.pages.pagination import DIVISION, OPENING, Break, paginate
from extract.text.headings import division
from extract.text.lines import Line, split_lines

_SIGNATURE = re.compile(r"^(?:\S{2,12}[—–-])?[A-Za-z0] ?[2345SO]?$")
_WORD = re.compile(r"[^\W\d_]{4,}")
_FEED = re.compile(r"\f")
# Characters of the longest page, and the smallest share of pages on which a folio must be found.
_LONGEST_PAGE, _FEW = 3000, 0.1
_UNEVEN = 0.4  # how much longer or shorter than the usual page most pages are at most, as a share of it
_DEPTH = 6  # lines at the top of a page in which its head is looked for
_GARBLED = 7  # characters of a folio in brackets, including blanks
_NOISE = frozenset("@$=_~<>{}#^\\?°")  # characters as which OCR reads rules and ornaments


@dataclass(frozen=True, slots=True)
class Furniture:
    """The page furniture of a scan: the edits that delete it, and the pages inferred from it."""

    edits: tuple[Edit, ...]
    pages: tuple[Page, ...]


def find_furniture(scan: str) -> Furniture:
    """Find the furniture of a scan that keeps the page's lines.

    Args:
        scan: the text of the scan.
    Returns:
        Deletions (kind `furniture`), and the pages with printed or interpolated folios.
    """
    lines = split_lines(scan)
    heads = read_heads(lines)
    carrier = _carriers(scan, lines, heads)
    feet = _at_feet(lines, heads, carrier)
    beside = {i: [n for n in (i - 1, i + 1) if _is_title(heads.get(n))] for i in carrier}
    known = sorted({n for i in carrier for n in (i, *beside[i]) if heads[n].words})
    words = [heads[n].words for n in known]
    likes = dict(zip(heads, similar_heads([head.words for head in heads.values()], words), strict=True))
    gone: dict[int, tuple[str, float]] = {}
    starts: dict[int, int] = {}
    for i, folio in carrier.items():
        alone = i not in feet and not heads[i].words
        around = [n for n in beside[i] if alone and (len(likes[n]) > 1 or (n < i and _repeats_title(lines, n)))]
        specks = range(i + 1, _line_after_foot(lines, i) if i in feet else 0)
        gone |= dict.fromkeys(specks, ("speck at the foot", 0.8)) | dict.fromkeys(around, ("running head", 0.95))
        gone |= {i: ("folio", folio.confidence)}
        starts[i] = lines[min([i, *around])].start
    returning = {i for i, alike in likes.items() if _is_title(heads[i]) and len(alike) > 1 and known[alike[0]] < i}
    pages = _pages(scan, lines, carrier, feet, starts, _breaks(lines, gone, returning - gone.keys()))
    tops = _tops(scan, lines, pages)
    gone |= {i: (what, 0.9) for i, what in _heads_at_tops(lines, tops, gone).items()}
    gone |= dict.fromkeys(_signatures(lines, tops, pages, gone), ("signature", 0.9))
    if len(feet) * 2 > len(tops):
        gone |= dict.fromkeys(_garbled_feet(lines, tops, gone), ("folio", 0.8))
    edits = [deletion(scan, lines[i].start, lines[i].end, what, c) for i, (what, c) in sorted(gone.items())]
    return Furniture(tuple(sorted(edits)), pages)


def _carriers(scan: str, lines: Sequence[Line], heads: Mapping[int, HeadLine]) -> dict[int, Folio]:
    """Return the folios by line; none if they are labels, or too few for the length of the text to be folios."""
    folios = {f.span.start: f for f in decode_folios([h.folio for h in heads.values() if h.folio])}
    found = {i: folios[h.folio.start] for i, h in heads.items() if h.folio and h.folio.start in folios}
    few = len(found) * _LONGEST_PAGE < _FEW * len(scan)
    return {} if few or _are_labels(lines, heads, found) else found


def _are_labels(lines: Sequence[Line], heads: Mapping[int, HeadLine], carrier: Collection[int]) -> bool:
    """Whether numbers are labels: none interrupts a sentence, and they follow words or are irregularly spaced.

    Args:
        lines: the lines of the scan.
        heads: the lines that may be heads or folios.
        carrier: the lines that have the numbers.
    """
    body = [i for i, line in enumerate(lines) if i not in carrier and not line.capital]
    above = [lines[body[at - 1]] for i in carrier if (at := bisect_left(body, i))]
    lengths = [lines[b].start - lines[a].start for a, b in pairwise(carrier)]
    alike = sum(abs(length - median(lengths)) < _UNEVEN * median(lengths) for length in lengths)
    whole = all(ends_paragraph(line.text) for line in above)
    worded = all(heads[i].words and lines[i].text.startswith(heads[i].words) for i in carrier)
    return whole and (worded or alike * 2 < len(lengths))


def _is_title(head: HeadLine | None) -> bool:
    """Whether a line has the words of a running head and no folio."""
    return head is not None and head.folio is None and not numbers_a_part(head.words)


def _repeats_title(lines: Sequence[Line], at: int) -> bool:
    """Whether a line repeats words of a title above it, as the running head of a short section does."""
    words = lines[at].text.rstrip(".,")
    titles = [line.text.rstrip(".,") for line in lines[:at] if line.capital]
    return " " in words and any(words in title[1:] for title in titles)


def _at_feet(lines: Sequence[Line], heads: Mapping[int, HeadLine], carrier: Iterable[int]) -> frozenset[int]:
    """Return the lines whose folio is at the foot of a page: a book has all at the head or all at the foot.

    The page border is on the side with the wider gap, if that is at least `PAGE_GAP`; the beginning and the end of the
    scan count as borders.
    """
    alone = frozenset(i for i in carrier if not heads[i].words)
    after = sum(PAGE_GAP <= lines[i].below > lines[i].above for i in alone)
    before = sum(PAGE_GAP <= lines[i].above > lines[i].below for i in alone)
    return alone if after > before else frozenset()


def _line_after_foot(lines: Sequence[Line], foot: int) -> int:
    """Return the line that begins the page after a folio at the foot; short lines before the page gap are specks."""
    for i in range(foot + 1, min(foot + 6, len(lines))):
        if lines[i].above >= PAGE_GAP:
            return i
        if len(lines[i].text) > 2:
            break
    return foot + 1


def _pages(
    scan: str,
    lines: Sequence[Line],
    carrier: Mapping[int, Folio],
    feet: Collection[int],
    starts: Mapping[int, int],
    breaks: Sequence[Break],
) -> tuple[Page, ...]:
    """Return the pages: each begins at its folio or, where folios are at the foot, after that of the page before.

    Args:
        scan: the text of the scan.
        lines: its lines.
        carrier: the folios, by line.
        feet: the lines whose folio is at the foot of a page.
        starts: for each line whose folio is at the head, the offset at which its page begins.
        breaks: where a page without a folio may begin.
    """
    known: dict[str, tuple[Folio, int]] = {}
    for i, folio in carrier.items():
        if i in feet:
            wide = (line.start for line in lines[i - 1 : 0 : -1] if line.above >= PAGE_GAP)
            known = known or {folio.text: (folio, next(wide, 0))}
            number = arabic(folio.text) + 1
            after = replace(folio, text=str(number) if folio.text.isdecimal() else roman(number))
            below = lines[_line_after_foot(lines, i) :]
            known[after.text] = (after, below[0].start if below else len(scan))
        else:
            known.setdefault(folio.text, (folio, starts[i]))
    pages = paginate(len(scan), [f for f, _ in known.values()], [at for _, at in known.values()], breaks)
    printed = {folio.text for folio in carrier.values()}
    return tuple(
        replace(p, status="printed" if p.folio in printed else "interpolated") if p.folio else p for p in pages
    )


def _tops(scan: str, lines: Sequence[Line], pages: Sequence[Page]) -> list[int]:
    """Return the indices of the lines that begin a page or follow a form feed."""
    starts = [line.start for line in lines]
    places = [*(page.raw_start for page in pages), *(match.start() for match in _FEED.finditer(scan))]
    return sorted({bisect_left(starts, at) for at in places} - {len(lines)})


def _heads_at_tops(lines: Sequence[Line], tops: Sequence[int], gone: Mapping[int, object]) -> dict[int, str]:
    """Find running heads and the rules beside them at the top of each page except the first, which may have a title.

    Args:
        lines: the lines of the scan.
        tops: the indices of the lines that begin a page, in order.
        gone: the lines that are known to be furniture.
    Returns:
        For each line found, `running head` or `rule`.
    """
    places = [
        [i for i in range(top, min(end, top + _DEPTH)) if i not in gone]
        for top, end in pairwise([*tops, len(lines)])
    ][1:]  # fmt: skip
    candidates = [*gone, *(i for place in places for i in place)]
    bare = {i: words for i in candidates if (words := strip_head(lines[i].text))}
    heads = [i for i, words in bare.items() if like_head(words)]
    likes = dict(zip(bare, similar_heads(list(bare.values()), [bare[i] for i in heads]), strict=True))
    found: dict[int, str] = {}
    for place in places:
        head = next((i for i in place if _recurs(lines, i, [heads[k] for k in likes.get(i, ())])), None)
        if head is not None and all(_is_rule(lines[i].text) for i in place if i < head):
            found |= dict.fromkeys((i for i in place if i < head), "rule") | {head: "running head"}
            if head + 1 in place and _is_rule(below := lines[head + 1].text) and _is_noise(below):
                found[head + 1] = "rule"
    return found


def _recurs(lines: Sequence[Line], at: int, likes: Sequence[int]) -> bool:
    """Whether a line recurs as a running head in the same type, and is not the title that the heads repeat.

    The title is in capitals where most heads are not, or ends with a full stop or comma where most heads do not.

    Args:
        lines: the lines of the scan.
        at: the index of the line.
        likes: the indices of similar heads.
    """
    capitals = _in_capitals(lines[at].text)
    same = [i for i in likes if _in_capitals(lines[i].text) == capitals]
    stopped = [i for i in likes if lines[i].text[-1] in ".,"]
    title = at in stopped and at == min(likes) and len(stopped) * 2 < len(likes)
    return len(same) >= RETURNS and not title and not (capitals and len(same) * 2 < len(likes))


def _in_capitals(text: str) -> bool:
    """Whether more than half of the letters are capitals, so that a misread folio beside them does not matter."""
    return 2 * sum(map(str.isupper, text)) > sum(map(str.isalpha, text))


def _is_rule(text: str) -> bool:
    """Whether a line beside a running head is a rule or an ornament: it has no known word and is not a number."""
    plain = core(text)
    if division(text) or text.isdecimal() or (len(plain) > 1 and plain.isupper() and is_roman(plain)):
        return False
    return not any(load_lexicon().known(word) for word in _WORD.findall(text))


def _is_noise(text: str) -> bool:
    """Whether a line repeats one or two letters (`eee`), or has several tokens or odd characters but no known word."""
    known = load_lexicon().known
    if len(set(filter(str.isalpha, text.lower()))) < 3:
        return not text.isalpha() or (len(text) > 1 and not known(text.lower()))
    words = any(len(piece) > 1 and known(piece.lower()) for piece in map(core, text.split(" ")))
    return not words and (text.count(" ") > 1 or not _NOISE.isdisjoint(text))


def _signatures(
    lines: Sequence[Line], tops: Sequence[int], pages: Sequence[Page], gone: Mapping[int, object]
) -> list[int]:
    """Return the last lines of pages that are signatures: a letter, or the number of the gathering."""
    folios = {page.raw_start: page.folio for page in pages}
    found: list[int] = []
    for top in tops[1:]:
        text, folio = lines[top - 1].text, folios.get(lines[top].start) or ""
        numbered = text.isdecimal() and folio.isdecimal() and opens_gathering(int(text), int(folio) - 1)
        if top - 1 not in gone and (numbered or _SIGNATURE.match(text)):
            found.append(top - 1)
    return found


def _garbled_feet(lines: Sequence[Line], tops: Sequence[int], gone: Mapping[int, object]) -> list[int]:
    """Return folios at the foot that are too garbled to be read: a page's last line, if short and not a known word.

    Args:
        lines: the lines of the scan.
        tops: the indices of the lines that begin a page, in order.
        gone: the lines that are known to be furniture.
    """
    known = load_lexicon().known
    last = [end - 1 for top, end in pairwise([*tops, len(lines)]) if end - 1 > top and end - 1 not in gone]
    return [i for i in last if len(lines[i].text) <= _GARBLED and not known(core(lines[i].text))]


def _breaks(lines: Sequence[Line], gone: Mapping[int, object], heads: Collection[int]) -> list[Break]:
    """Return where a page without a folio may begin, with the weight of the evidence.

    Args:
        lines: the lines of the scan.
        gone: the lines that are known to be furniture.
        heads: the lines that have the words of running heads.
    """
    found: list[Break] = []
    body: Line | None = None
    for i, line in enumerate(lines):
        if body is not None and line.above >= PAGE_GAP and not {i, i - 1} & gone.keys():
            cut = not body.text.endswith((".", "!", "?", '"', ")"))
            opening = DIVISION if division(line.text) else OPENING if line.capital else 2.0 if cut else 0.0
            found.append((line.start, 2 * OPENING if i in heads else opening))
        if i not in gone:
            body = line
    return found
