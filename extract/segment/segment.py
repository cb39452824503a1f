"""Segments: units as the grammars find them, in offsets of the working text, before ids and pages are settled."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Protocol

from extract.language.token_shape import like_numeral
from extract.model import Role
from extract.numbering.numerals import arabic
from extract.text.headings import division

_NUMBERED = re.compile(r"(\w+ )((?=[ivx])x{0,3}(?:ix|iv|v?i{0,3}))\Z")
_STEMS = {"CHAPTER": "ch", "SECTION": "s", "APPENDIX": "app", "PART": "part", "BOOK": "book"}
_CHAPTER = re.compile(r"(?<!END OF )\bCHAPTER ")  # `[EXTRACT FROM CHAPTER XV.]`
_HYPHEN = re.compile(r"(\w)- (\w)")
_INITIAL = re.compile(r"[^\W\d_]")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


class Heading(Protocol):
    """A span of the working text and its words, from which a heading is made."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Misreading:
    """A misread span of the working text and what is printed there."""

    start: int
    end: int
    printed: str


@dataclass(slots=True)
class Segment:
    """A unit in the making. `owner` is the code or book id that begins its id, `name` the rest of it.

    `misreadings` are the misread spans of its label. A unit without a printed number has the stem of its name as
    `ordinal`, and is numbered in reading order. `continues` is the unit of which this is a further part, as of a
    footnote. `breaks` are the offsets where a paragraph of its text begins, if the grammar knows: everywhere else it
    runs on. A unit without a parent from its grammar is put under the last heading above it; `heading` has the words of
    that. `role` is that of its kind in the library.
    """

    kind: str
    start: int
    end: int
    owner: str
    name: str
    label: str = ""
    number: str | None = None
    code: str | None = None
    parent: Segment | None = None
    heading: str | None = None
    confidence: float = 1.0
    explains: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    ordinal: str = ""
    misreadings: tuple[Misreading, ...] = ()
    division: bool = False
    continues: Segment | None = None
    breaks: tuple[int, ...] | None = None
    role: Role | None = None

    def inner(
        self, kind: str, start: int, end: int, name: str, label: str, number: str | None = None, sure: float = 1.0
    ) -> Segment:
        """A unit inside this one, of the same book and code; its id is this one's with a name appended."""
        name = f"{self.name}/{name}"
        return Segment(kind, start, end, self.owner, name, label, number, self.code, self, confidence=sure)

    @property
    def id(self) -> str:
        return f"{self.owner}/{self.name}"


def heading_segment(book_id: str, heading: Heading, *, divides: bool = True) -> Segment:
    """Make a section: it covers the words of its heading and is the parent of the units under the heading.

    A numbered division of the book is named after its number (`ch5`, `s8`); `naming` puts the chapter before it.
    In a table of contents (not `divides`) a heading does not divide the book, and is named after its words.
    """
    text = _HYPHEN.sub(r"\1\2", heading.text)
    extract = _CHAPTER.search(text)
    part = division(text) or (division(text[extract.start() :]) if extract else None)
    stem = _STEMS.get(part.word) if part and part.number and divides else None
    name = f"{stem}{part.number}" if part and stem else f"section-{slug(text)}"
    return Segment("section", heading.start, heading.end, book_id, name, text, division=stem is not None)


def headline(text: str) -> str:
    """Convert a heading to the form it has in a label: without full capitals.

    >>> headline("SECTION II. OF THE DEAL.")
    'Section II. Of the deal'
    >>> headline("APPENDIX I. WHAT I PLAY")
    'Appendix I. What I play'
    >>> headline("CODE OF CIVIL PROCEDURE.")
    'Code of civil procedure'
    """
    letters = [c for c in text if c.isalpha()]
    capitals = sum(map(str.isupper, letters)) * 5 >= len(letters) * 4
    words = [w.lower() if capitals and not _numeral(w.strip(".,:;")) else w for w in text.split()]
    begins = (not i or words[i - 1].endswith(".") for i in range(len(words)))
    shown = (_INITIAL.sub(lambda m: m[0].upper(), w, count=1) if at else w for w, at in zip(words, begins, strict=True))
    return " ".join(shown).rstrip(" .,")


def in_words(name: str) -> str:
    """Convert the name of a part or section to the form it has in a label.

    >>> in_words("front-matter"), in_words("table-iv")
    ('Front matter', 'Table IV')
    """
    words = name.replace("-", " ").capitalize()
    return _NUMBERED.sub(lambda m: m[1] + m[2].upper(), words)


def _numeral(word: str) -> bool:
    """Whether a word in capitals is a roman numeral (`CIVIL` is not), or the pronoun."""
    return (like_numeral(word) or len(word) == 1) and arabic(word) > 0


def slug(text: str, words: int = 8) -> str:
    """Make a name for an id: lower-case ASCII letters and digits, with hyphens between words.

    >>> slug("MODE OF PLAYING, SCORING, &c.")
    'mode-of-playing-scoring-c'
    """
    plain = unicodedata.normalize("NFKD", text.replace("'", "").replace("’", "")).encode("ascii", "ignore").decode()
    return "-".join(_NOT_SLUG.sub(" ", plain.lower()).split()[:words]) or "unnamed"
