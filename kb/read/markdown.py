"""Markdown: escaped text, and a unit with its citation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.read.cite import Citations
from kb.read.reading import UnitText

# What would begin a list or a heading at the start of a text (`72.`, `2)`, `-`, `+`, `=`); its mark is escaped.
_BEGINS = re.compile(r"(\d{1,9})?([.)+=~-])(?=\s|[-=~]|$)")


def escaped(text: str) -> str:
    """Escape a text for Markdown, with each run of white space as one space."""
    return "".join(f"\\{char}" if char in r"\`*_[]<>|#" else char for char in " ".join(text.split()))


def paragraph(text: str) -> str:
    """Return a text as a paragraph of Markdown; a number at its beginning does not start a list."""
    result = escaped(text)
    begins = _BEGINS.match(result)
    return f"{result[: begins.start(2)]}\\{result[begins.start(2) :]}" if begins else result


def as_markdown(title: str, passages: Sequence[UnitText], citations: Citations, gloss: str | None = None) -> str:
    """Format a unit for a reader's own notes: heading, text as a quotation, and its citation as a link.

    Args:
        title: the name of the unit, with its work.
        passages: the text of the unit, and those of its decision and notes.
        citations: its citations; the link leads to its permalink.
        gloss: the editor's version in present-day English, if there is any.
    """
    quoted = [paragraph(p.text) for passage in passages for p in passage.paragraphs if p.text]
    parts, unit = [f"# {escaped(title)}"], passages[0].unit
    if unit.heading and unit.kind != "section":
        parts.append(f"*{escaped(unit.heading.strip(' .'))}*")
    parts.append("\n>\n".join(f"> {words}" for words in quoted))
    parts += [f"In plain words: {paragraph(gloss)}"] if gloss else []
    parts.append(f"— {citations.markdown}")
    return "\n\n".join(parts) + "\n"
