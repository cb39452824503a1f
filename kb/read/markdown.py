"""Markdown: text that it takes for nothing but text, and a unit with its citation."""

from __future__ import annotations

import re

from kb.read.cite import Citations
from kb.read.reading import UnitText

# What would begin a list or a heading: `72.`, `2)`, `-`, `+`, `=`; where it does, the sign is disguised.
_BEGINS = re.compile(r"(\d{1,9})?([.)+=~-])(?=\s|[-=~]|$)")


def escaped(text: str) -> str:
    """A text that Markdown takes for nothing but text."""
    return "".join(f"\\{sign}" if sign in r"\`*_[]<>|#" else sign for sign in " ".join(text.split()))


def paragraph(text: str) -> str:
    """A text as a paragraph of Markdown: a number at its beginning begins no list."""
    made = escaped(text)
    begins = _BEGINS.match(made)
    return f"{made[: begins.start(2)]}\\{made[begins.start(2) :]}" if begins else made


def as_markdown(title: str, passage: UnitText, citations: Citations, gloss: str | None = None) -> str:
    """A unit to be put into one's own notes: heading, text as a quotation, and its citation as a link.

    Args:
        title: what it is called, with its work.
        passage: the unit as it is read.
        citations: how it is cited; the link leads to its permalink.
        gloss: the editor's present-day English, if there is any.
    """
    said = [paragraph(p.text) for p in passage.paragraphs if p.text]
    parts = [f"# {escaped(title)}"]
    if passage.unit.heading and passage.unit.kind != "section":
        parts.append(f"*{escaped(passage.unit.heading.strip(' .'))}*")
    parts.append("\n>\n".join(f"> {words}" for words in said))
    parts += [f"In plain words: {paragraph(gloss)}"] if gloss else []
    parts.append(f"— {citations.markdown}")
    return "\n\n".join(parts) + "\n"
