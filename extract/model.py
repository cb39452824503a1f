"""The words all rooms share: edits, pages, units and the edition of a book.

All offsets are character offsets into the scan, read as UTF-8 with line ends untouched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

EditKind = Literal["furniture", "join", "space", "ocr", "typo", "illegible"]
EditSource = Literal["rule", "model", "editor"]
STANDING: frozenset[EditKind] = frozenset({"typo", "illegible"})  # the letters stay; only white space is set in order
FolioStatus = Literal["printed", "interpolated", "unnumbered"]
Role = Literal[
    "provision", "paragraph", "clause", "definition", "maxim", "case", "decision", "commentary", "remark", "prose",
    "front", "table", "row", "entry", "note", "heading",
]  # fmt: skip
"""What the software does with the units of a kind.

A `provision` is a numbered rule of a code: codes are compared by them, and a `paragraph` belongs to one. A `clause` is
numbered too and belongs to no code (a constitution of a club has some). A `maxim` is advice: it is counted among what a
book holds. A `case` is a story that is decided, here or by the reader; a `remark` is prose that explains the
provisions it refers to; `front` is what stands before the text of a book.
"""

OWN_KINDS: Mapping[str, Role] = MappingProxyType({
    "law": "provision", "subclause": "paragraph", "definition": "definition", "case": "case", "decision": "decision",
    "commentary": "commentary", "remark": "remark", "essay_section": "prose", "front_matter": "front",
    "table": "table", "table_row": "row", "index_entry": "entry", "note": "note", "footnote": "note",
    "section": "heading", "constitution_section": "clause",
})  # fmt: skip
"""The kinds of units that every library has, with their roles; others are declared in library.toml."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open stretch of a scan: `start` included, `end` not, in characters."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def covers(self, other: Span) -> bool:
        """Whether `other` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end

    def meets(self, other: Span) -> bool:
        """Whether the two share a character."""
        return self.start < other.end and other.start < self.end


class Edit(NamedTuple):
    """One change that turns scan into reading text: `before` stands at the span, `after` is read.

    `confidence` is a probability, 0 to 1. A `typo` (the book's own misprint) and an `illegible`
    place leave the letters as they stand, their white space set in order, and carry what is to be said in `note`.
    `rule` names the machine's rule, or rules with a blank between; it is empty for the editor's edits.

    A book has one for each blank that is set in order: an edit is a tuple, which is soon made and soon sorted.
    """

    raw_start: int
    raw_end: int
    before: str
    after: str
    kind: EditKind
    source: EditSource
    confidence: float = 1.0
    note: str = ""
    rule: str = ""

    @property
    def span(self) -> Span:
        return Span(self.raw_start, self.raw_end)


@dataclass(frozen=True, slots=True)
class Page:
    """A printed page: its stretch of the scan and its folio (`12`, `viii`), as printed or interpolated."""

    seq: int
    raw_start: int
    raw_end: int
    folio: str | None
    status: FolioStatus


@dataclass(frozen=True, slots=True)
class Unit:
    """A citable piece of a book, from its printed label to its last letter.

    `kind` is one of the library's, and `role` what that is to the software; of a kind that every library has it need
    not be given. `number` is the decoded label as people cite it (`94`, `a4`, `ii`), `page` the folio on which the
    unit begins, `text` the reading text with furniture, and footnotes set in its midst, left out.

    A footnote that goes on overleaf is one unit, its span the stretch that begins with its mark, its `text` the
    whole; so is what the printer set apart otherwise (the side word of a brace). Each further stretch is a row that
    `continues` the unit: it keeps the ledger, and is no unit to be cited.
    """

    id: str
    book_id: str
    code_id: str | None
    kind: str
    label: str
    number: str | None
    parent_id: str | None
    heading: str | None
    seq: int
    raw_start: int
    raw_end: int
    page: str | None
    text: str
    confidence: float = 1.0
    explains: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    continues: str | None = None
    role: Role | None = None

    def __post_init__(self) -> None:
        if self.role is None:
            object.__setattr__(self, "role", OWN_KINDS.get(self.kind))

    @property
    def span(self) -> Span:
        return Span(self.raw_start, self.raw_end)


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A line of the numbering audit: a gap, a repeat, a label out of order, a slip of the book's own."""

    book_id: str
    series: str
    finding: str
    label: str
    raw_start: int | None
    note: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One target of a reference found in the text; a list or range gives one for each target.

    `status`: `resolved`, `ambiguous`, `dangling` (no such unit), `foreign` (another book) or `slip`
    (the author's own, shown as printed).
    """

    from_unit: str
    raw_start: int
    raw_end: int
    raw: str
    target_id: str | None
    status: str
    confidence: float


@dataclass(frozen=True, slots=True)
class EditorNote:
    """What the editor tells the reader of a place (a span of the scan) where the text may mislead, and why."""

    raw_start: int
    raw_end: int
    text: str
    reason: str

    @property
    def span(self) -> Span:
        return Span(self.raw_start, self.raw_end)


@dataclass(frozen=True, slots=True)
class Slip:
    """A place (offset into the scan) where the author cites the wrong provision.

    `cites` is the id of the unit he means, where his own list of errata says so.
    """

    raw_start: int
    cites: str | None = None


@dataclass(frozen=True, slots=True)
class Edition:
    """All that `extract` makes of one book; what `kb` loads."""

    book_id: str
    scan: str
    edits: tuple[Edit, ...]
    suggestions: tuple[Edit, ...]
    pages: tuple[Page, ...]
    units: tuple[Unit, ...]
    references: tuple[Reference, ...] = ()
    findings: tuple[AuditFinding, ...] = ()
    notes: tuple[EditorNote, ...] = ()

    def holder(self, span: Span) -> Unit | None:
        """The innermost unit around a stretch of the scan."""
        around = (u for u in self.units if u.span.covers(span))
        return min(around, key=lambda u: (len(u.span), -u.seq), default=None)


def work_of(unit_id: str) -> str:
    """The work that a unit belongs to, its code or else its book: `english-1864` of `english-1864/law-72/ii`."""
    return unit_id.partition("/")[0]
