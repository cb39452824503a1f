"""Page furniture of a scan that is one single line, in which heads and folios are run in with the text.

A running head is one or two words in capitals that stand beside a possible folio again and again; the real folios
form an increasing sequence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from extract.language.sentences import boundaries
from extract.model import Edit
from extract.numbering.numerals import like_roman
from extract.numbering.sequence import Candidate
from extract.pages.deletion import deletion, opens_gathering
from extract.pages.folio import FOLIO, decode_folios
from extract.pages.furniture import Furniture
from extract.pages.head_lines import RETURNS, similar_heads
from extract.pages.pagination import OPENING, Break, paginate

_TOKEN = re.compile(r"\S+")
_CAPITALS = re.compile(r"^[A-Z][A-Z'’]*\.?$")
_HEADING = re.compile(r"[.!?)\"] (?=[A-Z]{4,}\b[.,]? [A-Z])")
_OPENS = re.compile(r"[\"'“‘]?[A-Z][a-z]")


@dataclass(frozen=True, slots=True)
class _Spot:
    """A possible head and folio: the indices of their first and last token, the head's words, and the folio."""

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
    tokens = list(_TOKEN.finditer(scan))
    spots = _recurring(tokens, _spots(tokens))
    folios = {f.span.start: f for f in decode_folios([s.folio for s in spots])}
    spots = [s for s in spots if s.folio.start in folios]
    labels = _column_labels(tokens, spots)
    edits: list[Edit] = []
    for spot in spots:
        folio = folios[spot.folio.start]
        before, after = tokens[: spot.first][-1:], tokens[spot.last + 1 : spot.last + 3]
        last = after[0] if _is_label(after, labels) else tokens[spot.last]
        head = deletion(scan, tokens[spot.first].start(), last.end(), "running head and folio", folio.confidence)
        edits.append(head)
        if any(_is_signature(token[0], folio.text) for token in before):
            edits.append(deletion(scan, *before[0].span(), "signature", 0.9))
    starts = [e.raw_start for e in edits if e.note != "signature"]
    for token in tokens:
        if token[0] in labels and not any(e.raw_start <= token.start() < e.raw_end for e in edits):
            edits.append(deletion(scan, *token.span(), "label of a column", 0.9))
    breaks = _breaks(scan, [e.raw_start for e in edits])
    return Furniture(tuple(sorted(edits)), paginate(len(scan), list(folios.values()), starts, breaks))


def _breaks(scan: str, taken: Sequence[int]) -> list[Break]:
    """Return where a page without a folio may begin: at any sentence, with more weight at a heading in capitals."""
    weights = {gap.end: 0.0 for gap in boundaries(scan)} | {m.end(): OPENING for m in _HEADING.finditer(scan)}
    return sorted((at, weight) for at, weight in weights.items() if at not in taken)


def _spots(tokens: Sequence[re.Match[str]]) -> list[_Spot]:
    """Return each word in capitals, alone or with a single letter after it, that has a possible folio beside it."""
    spots: list[_Spot] = []
    for i, token in enumerate(tokens):
        if not _CAPITALS.match(token[0]) or len(token[0].strip(".")) < 4:
            continue
        letter = [i + 1 for t in tokens[i + 1 : i + 2] if len(t[0]) == 1 and t[0].isupper()]
        for last in (*letter, i):
            head = " ".join(t[0].strip(".") for t in tokens[i : last + 1])
            for a, b in ((last + 1, last + 3), (i - 2, i), (last + 1, last + 2), (i - 1, i)):
                folio = " ".join(t[0] for t in tokens[max(0, a) : b])
                if _folio_like(folio, b - a):
                    candidate = Candidate(tokens[a].start(), tokens[b - 1].end(), folio)
                    spots.append(_Spot(min(a, i), max(b - 1, last), head, candidate))
    return spots


def _folio_like(text: str, width: int) -> bool:
    if not FOLIO.match(text) or text.endswith("."):
        return False
    if width == 2:
        return " " in text and text.replace(" ", "").isdecimal() and len(text) <= 4
    return any(map(str.isdecimal, text)) or (len(text) > 1 and like_roman(text.lower(), "ivxl"))


def _recurring(tokens: Sequence[re.Match[str]], spots: Sequence[_Spot]) -> list[_Spot]:
    """Return the spots whose head stands beside a folio at least twice: the longest one for each folio."""
    # A single letter may be the article of a sentence (`12 PREFACE A card`), unless the folio follows it.
    places = Counter(head for head, _ in {(s.head, s.first) for s in spots})
    spots = [
        s for s in spots if len(s.head.split()[-1]) > 1 or places[s.head] > 1 or s.folio.start > tokens[s.first].start()
    ]
    heads = [s.head for s in spots]
    likes = similar_heads(heads, heads)
    recurring = [s for s, alike in zip(spots, likes, strict=True) if len({spots[k].first for k in alike}) > 1]
    longest_first = sorted(recurring, key=lambda s: (s.folio.start, s.first - s.last))
    return list({s.folio.start: s for s in reversed(longest_first)}.values())[::-1]


def _column_labels(tokens: Sequence[re.Match[str]], spots: Sequence[_Spot]) -> set[str]:
    """Return words in capitals that follow running heads again and again: labels of columns, such as `PAGE`."""
    after = [t[0] for s in spots for t in tokens[s.last + 1 : s.last + 2] if _CAPITALS.match(t[0])]
    return {word for word, alike in zip(after, similar_heads(after, after), strict=True) if len(alike) >= RETURNS}


def _is_label(after: Sequence[re.Match[str]], labels: set[str]) -> bool:
    """Whether the token after a running head is the label of a column, perhaps misread (`TAGE` before a sentence)."""
    text = after[0][0] if after else ""
    similar = any(len(text) == len(x) and text.isupper() for x in labels)
    return text in labels or (similar and _OPENS.match(after[-1][0]) is not None)


def _is_signature(text: str, folio: str) -> bool:
    return text.isdecimal() and folio.isdecimal() and opens_gathering(int(text), int(folio) - 1)
