"""The deciding words of an answer in the text of a provision, and what a law says before its paragraphs."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from kb.read.lookup import json_list
from kb.read.rows import UnitRow, fetch

# What a law says before its first numbered paragraph, which cannot be read without it.
FIRST_PARAGRAPHS = """
select parent_id, text, min(seq) from unit
where parent_id in (select value from json_each(?)) and kind = 'subclause' and continues is null group by parent_id
"""
_BLANK_LINE = re.compile(r"\n\s*\n")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A stretch of a provision, `deciding` if an answer rests on it."""

    text: str
    deciding: bool = False


def with_marks(unit: UnitRow, deciding: Iterable[str] = ()) -> tuple[tuple[TextPiece, ...], ...]:
    """The reading text of a provision by paragraph, without its printed number, the deciding words set apart."""
    spans = [found for words in deciding if (found := _place(words, unit.text))]
    breaks = {m.start() for m in _BLANK_LINE.finditer(unit.text)}
    first = len(unit.text) - len(unit.body)
    cuts = sorted({first, len(unit.text)} | {at for span in spans for at in span if at > first} | breaks)
    paragraphs: list[list[TextPiece]] = [[]]
    for start, end in pairwise(cuts):
        if start in breaks and paragraphs[-1]:
            paragraphs.append([])
        text = unit.text[start:end] if paragraphs[-1] else unit.text[start:end].lstrip()
        if text:
            paragraphs[-1].append(TextPiece(text, any(a <= start and end <= b for a, b in spans)))
    return tuple(tuple(paragraph) for paragraph in paragraphs if paragraph)


def openings(conn: sqlite3.Connection, parents: Iterable[UnitRow]) -> dict[str, str]:
    """What some provisions say before their first numbered paragraph, by id; those without such words are left out."""
    whole = {u.id: u for u in parents}
    found = {}
    for parent, text, _ in fetch(conn, lambda *r: r, FIRST_PARAGRAPHS, (json_list(whole),)):
        body = whole[parent].body
        at = _place(text, body)
        words = " ".join(body[: at[0]].split()) if at else ""
        if words:
            found[parent] = words
    return found


def _place(words: str, text: str) -> tuple[int, int] | None:
    """Where words stand in a text, white space aside; a pattern of many words takes a millisecond to compile."""
    first, *rest = words.split()
    start = text.find(first)
    while start >= 0:
        end = start + len(first)
        for word in rest:
            space = _SPACE.match(text, end)
            if not space or not text.startswith(word, space.end()):
                break
            end = space.end() + len(word)
        else:
            return start, end
        start = text.find(first, start + 1)
    return None
