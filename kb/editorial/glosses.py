"""Glosses: provisions in present-day English, for readers who stumble over the old words."""

from __future__ import annotations

from typing import Annotated

from extract.corpus.table import Line, Many, matching
from kb.editorial.provisions import EditorFile, OneProvision

FILE = "glosses.toml"
LONGEST = 60  # words

Words = Annotated[Line, matching(rf"\S+(?: \S+){{0,{LONGEST - 1}}}", f"is longer than {LONGEST} words; shorten it")]


class Gloss(OneProvision):
    """A gloss on a provision or paragraph, written from it alone."""

    words: Words


class GlossFile(EditorFile):
    """A glosses.toml."""

    gloss: Many[Gloss] = ()
