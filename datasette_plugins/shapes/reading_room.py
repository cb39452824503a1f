"""The JSON twins of the reading room: codes to be read, concordance, borrowings, cases, references left open."""

from __future__ import annotations

from typing import Literal

from datasette_plugins.shapes.parts import Brief, Case, Notes, Page, Shape, Share, says
from kb.collation.parallel import Variant
from kb.comparison.cases import Outcome
from kb.comparison.concordance import State, Tie
from kb.read.rows import CodeRow, NoteRow


class Explaining(Brief):
    """A commentary, with the provisions that it explains."""

    explains: tuple[str, ...]


class Read(Page):
    """A code to be read from beginning to end."""

    code: CodeRow = says("the code")
    notes: Notes
    units: tuple[Brief, ...] = says("its units in order")
    editor_notes: tuple[NoteRow, ...] = says("what the editor tells the reader of places in it")
    commentary: tuple[Explaining, ...] = says("units that explain its provisions")


class Counterpart(Shape):
    """A provision of another code on the same matter."""

    id: str
    number: str | None
    ties: tuple[Tie, ...]


class Cell(Shape):
    """What another code has for a provision."""

    state: State
    counterparts: tuple[Counterpart, ...]


class Row(Shape):
    """A provision through the codes."""

    id: str
    number: str | None
    heading: str | None
    cells: dict[str, Cell]


class Alone(Shape):
    """A provision without a counterpart: the editor found none, nobody looked, or the other's book leaves it out."""

    id: str
    state: State


class Changed(Shape):
    """A provision of two codes and the variants between its texts."""

    a: str
    b: str
    rewritten: bool
    variants: tuple[Variant, ...]


class LinkedThere(Shape):
    """A provision of the newer code, and the links that say what it, or a part of it, is to one of the older."""

    b: str
    links: tuple[Tie, ...]


class Linked(Shape):
    """A provision of the older code, and what it is linked with in the newer."""

    a: str
    counterparts: tuple[LinkedThere, ...]


class Changes(Page):
    """Two codes, provision by provision."""

    a: CodeRow = says("the older code")
    b: CodeRow = says("the newer code")
    page: int = says("number of this page, by the provisions of the older code")
    pages: int = says("how many pages there are")
    provisions: tuple[Changed, ...] = says("those with one text in both, with each change of words, spelling or signs")
    unchanged: tuple[str, ...] = says("ids of those without change, in the older code")
    linked: tuple[Linked, ...] = says("those linked with others than their own text: the same rule, another one ...")
    only_a: tuple[Alone, ...] = says("those of the older code that are linked with none of the newer")
    only_b: tuple[Alone, ...] = says("those of the newer code that are linked with none of the older, on the last page")


class Concordance(Page):
    """The provisions of all codes by number."""

    by: str | None = says("id of the code that gives the order, or null")
    codes: tuple[str, ...] = says("ids of the other codes shown (?codes=ID,ID)")
    every: int = says("how many codes the library has")
    notes: Notes
    page: int = says("number of this page of provisions")
    pages: int = says("how many there are")
    provisions: tuple[Row, ...] = says("those of the code in order, each with its counterparts by code")
    without: dict[str, tuple[Alone, ...]] = says("on the last page: by code, provisions that no cell names (300)")


class BorrowedShare(Shape):
    """What a code has of an earlier one (`source`), in provisions of the first.

    `same`: in the same words; `equivalent`: in others; `part`: one of the two says more; `nearest`: in the same words,
    and nearer to this source than to any other; `share`: `same` and `equivalent` of all its provisions.
    """

    code: str
    source: str
    provisions: int
    same: int
    equivalent: int
    part: int
    nearest: int
    share: Share


class OneRule(Shape):
    """Provisions that print one rule, the earliest first; `codes` is how many codes have it."""

    codes: int
    members: tuple[str, ...]


class Borrowings(Page):
    """Which code took from which."""

    code: str | None = says("id of the code asked for, or null")
    borrowings: tuple[BorrowedShare, ...] = says("pairs of a code and an earlier one of which it has something")
    total: int = says("how many families there are")
    families: tuple[OneRule, ...] = says("fifty of them, those in most codes first")


class ProvisionTaken(Shape):
    """A provision and the one that an earlier code has for it; `relation` is that of the first to the second."""

    id: str
    source: str
    relation: str
    score: Share
    judge: Literal["machine", "editor"]


class BorrowedProvisions(Page):
    """What a code has of an earlier one."""

    code: str = says("id of the later code")
    source: str = says("id of the earlier code")
    borrowings: tuple[BorrowedShare, ...] = says("the numbers of the two; nothing if they have nothing in common")
    provisions: tuple[ProvisionTaken, ...] = says("the provisions of the later code that the earlier has too")


class Decided(Case):
    """A case, with the provisions on which it turned."""

    page: str | None
    on: tuple[str, ...]
    questions: tuple[str, ...] = says("ids of the questions on which it turned, the most decisive first")
    outcomes: tuple[Outcome, ...] = says("how each code would decide it, by the editor's reading; none if not judged")


class Matter(Shape):
    """Cases on one topic; it is null for those that turned on no provision."""

    topic: str | None
    label: str | None
    cases: tuple[Decided, ...]


class Cases(Page):
    """Cases by the matter on which they turned."""

    code: str | None = says("id of the code chosen, or null")
    law: str | None = says("id of the provision chosen, or null")
    otherwise: str | None = says("id of the code under which they would be decided otherwise, any, or null")
    notes: Notes
    total: int = says("how many cases were found")
    matters: tuple[Matter, ...] = says("the topics on which they turned, with the cases")


class Entry(Shape):
    """A term or a heading; `of` is the concept or the work it leads to, where it has another name."""

    words: str
    url: str
    of: str | None


class Letter(Shape):
    """The entries under a letter."""

    letter: str
    entries: tuple[Entry, ...]


class Browse(Page):
    """The terms and headings by the alphabet."""

    letters: tuple[Letter, ...] = says("the letters with their entries")


class Open(Shape):
    """A reference that could not be resolved, or that the author got wrong, with the words around it."""

    unit: str
    book: str
    page: str | None
    raw_start: int
    raw_end: int
    raw: str
    words: str
    before: str
    after: str
    status: Literal["ambiguous", "dangling", "foreign", "slip"]
    target_id: str | None
    confidence: Share
    note: str | None
    evidence: str


class Unresolved(Page):
    """References that lead nowhere, with the reasons."""

    book: str | None = says("id of the book chosen, or null")
    notes: Notes
    counts: dict[str, dict[str, int]] = says(
        "by book, how many references of each status it has, resolved ones among them"
    )
    references: tuple[Open, ...] = says("each reference, with the words around it as they are read")
