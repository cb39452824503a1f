"""Mark the deciding words of an answer in a provision's text; find the words of a law before its paragraphs."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from kb.collation.quoted import deciding_span
from kb.read.rows import Statement, UnitRow, as_tuple, json_list

# The first numbered paragraph of each law: it cannot be understood without the words of the law before it.
FIRST_PARAGRAPHS = Statement(as_tuple, """
select parent_id, text, min(seq) from unit
where parent_id in (select value from json_each(?1)) and kind = 'subclause' and continues is null group by parent_id
""")  # fmt: skip
_BLANK_LINE = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A span of a provision's text, `deciding` if an answer rests on it."""

    text: str
    deciding: bool = False


def with_marks(unit: UnitRow, deciding: Iterable[str] = ()) -> tuple[tuple[TextPiece, ...], ...]:
    """Divide the reading text of a provision, without its printed label, into paragraphs, and mark deciding words."""
    spans = [found for words in deciding if (found := deciding_span(words, unit.text))]
    breaks = {m.start() for m in _BLANK_LINE.finditer(unit.text)}
    first = len(unit.text) - len(unit.body)
    borders = {at for span in spans for at in (span.start, span.end) if at > first}
    cuts = sorted({first, len(unit.text)} | borders | breaks)
    paragraphs: list[list[TextPiece]] = [[]]
    for start, end in pairwise(cuts):
        if start in breaks and paragraphs[-1]:
            paragraphs.append([])
        text = unit.text[start:end] if paragraphs[-1] else unit.text[start:end].lstrip()
        if text:
            paragraphs[-1].append(TextPiece(text, any(span.start <= start and end <= span.end for span in spans)))
    return tuple(tuple(paragraph) for paragraph in paragraphs if paragraph)


def openings(conn: sqlite3.Connection, parents: Iterable[UnitRow]) -> dict[str, str]:
    """Return the words of provisions before their first numbered paragraphs, by id; those with none are left out."""
    whole = {u.id: u for u in parents}
    found = {}
    for parent, text, _ in FIRST_PARAGRAPHS(conn, json_list(whole)):
        body = whole[parent].body
        at = deciding_span(text, body)
        words = " ".join(body[: at.start].split()) if at else ""
        if words:
            found[parent] = words
    return found
