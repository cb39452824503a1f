"""The matches of a query in a text, as the full-text index itself marks them, and the snippet that shows them."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache

from extract.language import folding
from kb.read.lookup import json_list
from kb.read.rows import fetch

# Private-use characters mark a match, so that a page can first escape the text and then replace them with its tags.
BEGIN, END = "\ue000", "\ue001"
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_EITHER_MARK = re.compile(f"([{BEGIN}{END}])")
# The index is queried for each unit by itself: all matches may be many more.
MARKED = f"""
select e.unit_id, highlight(entry_fts, 0, '{BEGIN}', '{END}')
from json_each(:units) j cross join entry e on e.unit_id = j.value cross join entry_fts on entry_fts.rowid = e.id
where entry_fts match :match
"""

Span = tuple[int, int]
_folded = lru_cache(maxsize=2000)(folding.folded)


def marked(conn: sqlite3.Connection, match: str, units: Iterable[str]) -> dict[str, str]:
    """The folded texts of some units, by id, with every match of an FTS5 expression between BEGIN and END."""
    params = {"match": match, "units": json_list(units)}
    return dict(fetch(conn, lambda unit, text: (str(unit), str(text)), MARKED, params)) if match else {}


def hits(text: str, shown: str) -> list[Span]:
    """The matches that the index has marked, as spans of the reading text, in order.

    Args:
        text: the reading text of a unit.
        shown: the same text folded, with marks: a value of `marked`.
    Returns:
        Spans of whole words; a compound is one word, even if only a part or its joined form matched.
    """
    plain = _folded(text)
    found = []
    for start, end in _spans(shown, plain.text):
        if start >= plain.body:
            found += [span for word in plain.text[start:end].split() for span in plain.compounds.get(word, ())]
        else:
            found.append((plain.origin[start], plain.origin[min(end, plain.body) - 1] + 1))
    return _joined(_widened(text, found))


def _widened(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Spans extended to whole words; no word has a space in it."""
    for a, b in spans:
        begins, ends = text.rfind(" ", 0, a + 1) + 1, text.find(" ", b)
        words = [m.span() for m in _WORD.finditer(text, begins, ends if ends >= 0 else len(text))]
        yield (
            next((start for start, end in words if start <= a < end), a),
            max((b, *(end for start, end in words if start < b))),
        )


def _spans(shown: str, plain: str) -> Iterator[Span]:
    """The marked spans of a text, as offsets into it without the marks; mark characters of the text itself are text."""
    at, start = 0, 0
    if BEGIN not in plain and END not in plain:
        for piece in _EITHER_MARK.split(shown):
            if piece == BEGIN:
                start = at
            elif piece == END:
                yield start, at
            else:
                at += len(piece)
        return
    for character in shown:
        if plain[at : at + 1] == character:
            at += 1
        elif character == BEGIN:
            start = at
        elif character == END:
            yield start, at


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Sort spans and merge those that overlap."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def snippet(text: str, found: Iterable[Span], width: int = 240) -> str:
    """The passage of about `width` characters with the most matches between BEGIN and END, and "…" where it is cut.

    White space is collapsed. A text without matches (found by a concept or heading) gives its beginning.
    """
    flat, spans = _flat(text, found)
    start = _best_start(spans, width)
    if start:
        start = max(flat.rfind(" ", 0, max(start - width // 4, 0)) + 1, 0)
    end = min(start + width, len(flat))
    if end < len(flat):
        end = max(flat.rfind(" ", start, end), start + width // 2)
    pieces, at = ["…" if start else ""], start
    for a, b in spans:
        if a >= start and b <= end:
            pieces += (flat[at:a], BEGIN, flat[a:b], END)
            at = b
    pieces += (flat[at:end], "…" if end < len(flat) else "")
    return "".join(pieces)


def _flat(text: str, found: Iterable[Span]) -> tuple[str, list[Span]]:
    """A text with collapsed white space and without mark characters, and the spans of its matches then."""
    pieces: list[str] = []
    at = 0
    for a, b in found:
        pieces += (_bare(text[at:a]), BEGIN, _bare(text[a:b]), END)
        at = b
    pieces.append(_bare(text[at:]))
    shown = " ".join("".join(pieces).split())
    flat = _bare(shown)
    return flat, list(_spans(shown, flat))


def _bare(text: str) -> str:
    return text.replace(BEGIN, "").replace(END, "")


def _best_start(found: list[Span], width: int) -> int:
    best, best_count = 0, 0
    starts = [start for start, _ in found]
    for i, start in enumerate(starts):
        count = bisect_left(starts, start + width * 3 // 4) - i
        if count > best_count:
            best, best_count = start, count
    return best if best > width * 2 // 3 else 0
