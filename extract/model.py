"""The data model that all packages share: edits, pages, units and the edition of a book.

All offsets are character offsets into the decoded scan, line ends untouched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

EditKind = Literal["furniture", "join", "space", "ocr", "typo", "illegible"]
EditSource = Literal["rule", "editor"]
STANDING: frozenset[EditKind] = frozenset({"typo", "illegible"})  # the characters stay; only white space is normalised
FolioStatus = Literal["printed", "interpolated", "unnumbered"]
Role = Literal[
    "provision", "paragraph", "clause", "definition", "maxim", "case", "decision", "commentary", "remark", "prose",
    "front", "table", "row", "entry", "note", "heading",
]  # fmt: skip
"""How the software treats the units of a kind.

A `provision` is a numbered rule of a code: codes are compared by their provisions, and a `paragraph` is part of one. A
`clause` is numbered too but belongs to no code (the constitution of a club has some). A `maxim` is advice; it appears
in the counts of a book's contents. A `case` is a story to be decided, by the book or by the reader; a `remark` is prose
that explains the provisions it refers to; `front` is the matter before the text of a book.
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
    """A half-open range of character offsets, usually into a scan: `start` is included, `end` is not."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def covers(self, other: Span) -> bool:
        """Whether `other` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end

    def meets(self, other: Span) -> bool:
        """Whether the two spans share a character."""
        return self.start < other.end and other.start < self.end


class Edit(NamedTuple):
    """One change from scan to reading text: the scan has `before` at the span, the reading text has `after`.

    `confidence` is a probability, 0 to 1. A `typo` (the book's own misprint) and an `illegible` place keep the
    characters of the scan, with white space normalised; `note` says what is wrong there. `rule` names the machine's
    rule, or several rules separated by blanks; it is empty for the editor's edits.

    A book has an edit for each blank that is normalised. So edits are tuples, which are fast to make and to sort.
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
    """A printed page: its span of the scan and its page number (`12`, `viii`), as printed or interpolated.

    An interpolated number is `inferred` unless the printed ones before and after it make it certain.
    """

    seq: int
    raw_start: int
    raw_end: int
    folio: str | None
    status: FolioStatus
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """A citable piece of a book, from its printed label to its last character.

    `kind` is one of the library's kinds, and `role` how the software treats it; the role of a built-in kind may be
    omitted. `number` is the decoded label as people cite it (`94`, `a4`, `ii`), `page` the number of the page on which
    the unit begins (`inferred` as for a page), `text` the reading text without furniture and without footnotes that
    interrupt it.

    A footnote that continues overleaf is one unit: its span is the part that begins with its mark, its `text` the
    whole. The same holds for other text that the printer set apart (the word beside a brace). Each further part is a
    record that `continues` the unit: the ledger needs it, but it cannot be cited.
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
    inferred: bool = False

    def __post_init__(self) -> None:
        if self.role is None:
            object.__setattr__(self, "role", OWN_KINDS.get(self.kind))

    @property
    def span(self) -> Span:
        return Span(self.raw_start, self.raw_end)


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A finding of the audit: a gap, a repeat, a misread label, a misprint, or a reference that goes astray."""

    book_id: str
    series: str
    finding: str
    label: str
    raw_start: int | None
    note: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One target of a reference found in the text; a list or range gives one for each target.

    `status`: `resolved`, `ambiguous`, `dangling` (no such unit), `foreign` (another book) or `slip` (the author's own
    error, shown as printed).
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
    """The editor's note to readers on a span of the scan where the text may mislead, and the reason for it."""

    raw_start: int
    raw_end: int
    text: str
    reason: str

    @property
    def span(self) -> Span:
        return Span(self.raw_start, self.raw_end)


@dataclass(frozen=True, slots=True)
class Slip:
    """A place (offset into the scan) whose reference does not mean what its words say, according to the editor.

    `cites` is the id of the unit meant; "" if it is not certain which one is, None if the author cites a wrong one.
    """

    raw_start: int
    cites: str | None = None


@dataclass(frozen=True, slots=True)
class Edition:
    """Everything that `extract` makes of one book; `kb` loads it into the database."""

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
        """The innermost unit that covers a span of the scan, or None."""
        around = (u for u in self.units if u.span.covers(span))
        return min(around, key=lambda u: (len(u.span), -u.seq), default=None)


def work_of(unit_id: str) -> str:
    """The work that a unit belongs to, its code or else its book: `english-1864` for `english-1864/law-72/ii`."""
    return unit_id.partition("/")[0]
