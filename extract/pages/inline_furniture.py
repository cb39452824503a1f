"""Page furniture of a scan that is one single line: heads and folios run in with the text.

A running head is a word or two in capitals that stands beside a folio again and again; the folios among them
form an increasing sequence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from extract.language.sentences import boundaries
from extract.model import Edit
from extract.numbering.numerals import like_roman
from extract.numbering.sequence import Candidate
from extract.pages.deletion import deletion, opens_gathering
from extract.pages.folio import FOLIO, decode_folios
from extract.pages.furniture import Furniture
from extract.pages.head_lines import alike_lines
from extract.pages.pagination import OPENING, paginate

_TOKEN = re.compile(r"\S+")
_CAPITALS = re.compile(r"^[A-Z][A-Z'’]*\.?$")
_HEADING = re.compile(r"[.!?)\"] (?=[A-Z]{4,}\b[.,]? [A-Z])")
_SAME = 80.0
_BLURRED = 50.0
_OPENS = re.compile(r"[\"'“‘]?[A-Z][a-z]")


@dataclass(frozen=True, slots=True)
class _Printed:
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Spot:
    """A head beside what may be a folio: token indices [first, last], the head's words, the folio."""

    first: int
    last: int
    head: str
    folio: Candidate


def find_inline_furniture(scan: str) -> Furniture:
    """Find running heads, folios and signatures in a scan without lines.

    Args:
        scan: the text of the scan.
    Returns:
        Deletions (kind `furniture`) and the pages.
    """
    tokens = [_Printed(m.start(), m.end(), m[0]) for m in _TOKEN.finditer(scan)]
    spots = _recurring(tokens, _spots(tokens))
    folios = decode_folios([s.folio for s in spots])
    where = {f.span.start: f for f in folios}
    edits: list[Edit] = []
    starts: list[int] = []
    labels = _column_labels(tokens, [s for s in spots if s.folio.start in where])
    for spot in spots:
        folio = where.get(spot.folio.start)
        if folio is None:
            continue
        first, last = spot.first, spot.last
        if last + 1 < len(tokens) and any(_is_label(tokens, last + 1, x) for x in labels):
            last += 1
        if first and _is_signature(tokens[first - 1].text, folio.text):
            sign = tokens[first - 1]
            edits.append(deletion(scan, sign.start, sign.end, "signature", 0.9))
        start, end = tokens[first].start, tokens[last].end
        edits.append(deletion(scan, start, end, "running head and folio", folio.confidence))
        starts.append(start)
    taken = {at for e in edits for at in range(e.raw_start, e.raw_end)}
    for token in tokens:
        if token.text in labels and token.start not in taken:
            edits.append(deletion(scan, token.start, token.end, "label of a column", 0.9))
    breaks = _breaks(scan, [*starts, *(e.raw_start for e in edits)])
    return Furniture(tuple(sorted(edits)), paginate(len(scan), folios, starts, breaks))


def _breaks(scan: str, taken: Sequence[int]) -> list[tuple[int, float]]:
    """Where a page without a folio may begin: headings in capitals, and else any sentence."""
    headings = {m.end() for m in _HEADING.finditer(scan)} - set(taken)
    sentences = {gap.end for gap in boundaries(scan)} - headings - set(taken)
    return sorted([(at, OPENING) for at in headings] + [(at, 0.0) for at in sentences])


def _spots(tokens: Sequence[_Printed]) -> list[_Spot]:
    """Every one or two words in capitals with a possible folio before or behind."""
    spots: list[_Spot] = []
    for i, token in enumerate(tokens):
        if not _CAPITALS.match(token.text) or len(token.text.strip(".")) < 4:
            continue
        lasts = [i]
        if i + 1 < len(tokens) and _CAPITALS.match(tokens[i + 1].text) and len(tokens[i + 1].text) == 1:
            lasts = [i + 1, i]
        for last in lasts:
            head = " ".join(t.text.strip(".") for t in tokens[i : last + 1])
            for width in (2, 1):
                for a, b in ((last + 1, last + 1 + width), (i - width, i)):
                    if a < 0 or b > len(tokens):
                        continue
                    folio = " ".join(t.text for t in tokens[a:b])
                    if _folio_like(folio, width):
                        candidate = Candidate(tokens[a].start, tokens[b - 1].end, folio)
                        spots.append(_Spot(min(a, i), max(b - 1, last), head, candidate))
    return spots


def _folio_like(text: str, width: int) -> bool:
    if not FOLIO.match(text) or text.endswith("."):
        return False
    if width == 2:
        return text.replace(" ", "").isdecimal() and len(text) <= 4
    return any(map(str.isdecimal, text)) or (len(text) > 1 and like_roman(text.lower(), "ivxl"))


def _recurring(tokens: Sequence[_Printed], spots: Sequence[_Spot]) -> list[_Spot]:
    """The spots whose head stands beside a folio at least twice, one a place."""
    exact = Counter((s.head, s.first) for s in spots)
    places = Counter(head for head, _ in exact)
    # A single letter may be the article of the sentence (`PREFACE 12 A card`), unless the folio stands behind it.
    spots = [
        s for s in spots if len(s.head.split()[-1]) > 1 or places[s.head] > 1 or s.folio.start > tokens[s.first].start
    ]
    firsts: dict[str, set[int]] = {}
    for spot in spots:
        firsts.setdefault(spot.head, set()).add(spot.first)
    alike = alike_lines(firsts, list(firsts), _SAME)
    again = {head for head, others in alike if len(set[int]().union(*(firsts[other] for other in others))) > 1}
    chosen = [s for s in spots if s.head in again]
    chosen.sort(key=lambda s: (s.folio.start, -(s.last - s.first)))
    kept: list[_Spot] = []
    for spot in chosen:
        if not kept or spot.first > kept[-1].last or spot.folio.start != kept[-1].folio.start:
            kept.append(spot)
    return kept


def _column_labels(tokens: Sequence[_Printed], spots: Sequence[_Spot]) -> list[str]:
    """Words in capitals that follow running heads again and again: the label of a column, `PAGE`."""
    after = [tokens[s.last + 1].text for s in spots if s.last + 1 < len(tokens)]
    capitals = [w for w in after if _CAPITALS.match(w) and len(w) > 2]
    times = Counter(capitals)
    return [w for w, others in alike_lines(times, list(times), _SAME) if sum(times[o] for o in others) >= 3]


def _is_label(tokens: Sequence[_Printed], at: int, label: str) -> bool:
    """Whether a token beside a running head is the label of a column, misread or not (`TAGE` before a sentence)."""
    text = tokens[at].text
    if fuzz.ratio(text, label) >= _SAME:
        return True
    alike = len(text) == len(label) and text.isupper() and fuzz.ratio(text, label) >= _BLURRED
    return alike and at + 1 < len(tokens) and bool(_OPENS.match(tokens[at + 1].text))


def _is_signature(text: str, folio: str) -> bool:
    return text.isdecimal() and folio.isdecimal() and opens_gathering(int(text), int(folio) - 1)
