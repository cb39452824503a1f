"""The plan of a book: its parts in reading order, each with one grammar and the keys that this grammar reads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from extract.corpus.table import Count, Fault, Id, KindId, Line, LineOrNone, Many, Table, UnitIdStart, matching
from extract.language.lexicon import word_list

# The forms of a number in a label: figures, roman numerals, a letter, or words.
_FORMS = (rf"[^{{}}|]*{n}[^{{}}|]*(?:\|[^{{}}|]*{n}[^{{}}|]*)*" for n in (r"\{n\}", r"\{I\}", r"\{a\}", r"\{w\}"))


def member(label: str) -> tuple[str, str]:
    """Return the id prefix and the name of a numbering's members, derived from the word in its label.

    >>> member("SEC. {n}."), member("{n}.")
    (('sec', 'Section'), ('law', 'Law'))
    """
    word = re.split(r"[{|]", label)[0].strip(" .([_*").casefold().partition(" ")[0].rstrip(".")
    stem = _MEMBERS.get(word, "law")
    return stem, _NAMES.get(stem, stem.capitalize())


_MEMBERS = dict(pair.split("=") for pair in word_list("members"))
_NAMES = {
    "sec": "Section", "art": "Article", "reg": "Regulation", "par": "Paragraph", "bylaw": "By-law", "ch": "Chapter",
}  # fmt: skip
Label = Annotated[
    Line,
    matching(
        "|".join([*_FORMS, "ordinal"]),
        "does not show where the number goes; write {n}, {I}, {a} or {w} once in each form, or "
        "`ordinal` alone",
    ),
]  # fmt: skip
ListLabel = Annotated[
    Line,
    matching(
        r"[^{}|]+\{list\}[^{}|]*",
        "does not show where the numbers go; write one form: a word followed by {list}",
    ),
]  # fmt: skip
Prefix = Annotated[str, matching("[a-z]{0,8}", "is not a prefix for numbers; write a few small letters")]


class Series(Table):
    """A numbering: how its labels are printed (`{n}.`, `Article {n}.`, `{I}.`), and what they label.

    `slug` begins the ids (`art-94`); `name` stands before the number where a unit is shown to readers. Without them,
    both come from the word of the label: `SEC. {n}.` labels `sec-12`, Section 12; a number without a word labels a law.
    `code` is given if the units belong to a code. `first` is the first number of the print (of an excerpt, perhaps
    4883). `expect` is the last one: no greater number is a label of the series, and the audit tells what is missing up
    to it. `omits` lists numbers between them that the print does not have. `alone`: a label has a line of its own.
    """

    label: Label
    kind: KindId = "law"
    slug: Id = Field(default_factory=lambda entry: member(entry["label"])[0])
    code: Id | None = None
    name: Line = Field(default_factory=lambda entry: dict([member(entry["label"])]).get(entry["slug"], ""))
    first: Count = 1
    expect: Count | None = None
    omits: Many[Count] = ()
    alone: bool = False
    prefix: Prefix = ""
    subdivisions: Many[Label] = ()
    items: bool = False

    def labels(self, unit_id: str, number: str | None) -> bool:
        """Whether a unit of the same code, or book, belongs to this numbering, judging by its id and number.

        A numbering that begins again under each heading has similar ids: `art-4-3` is not a member of `art-{n}`.
        """
        name, plain = unit_id.partition("/")[2], (number or "").removeprefix(self.prefix)
        figures = re.match(r"\d+", plain)
        if figures is None or int(figures[0]) < self.first:
            return False
        return re.fullmatch(rf"{self.slug}-{self.prefix}{re.escape(plain.lower())}(?:-\d+)?", name) is not None

    def due(self, found: Iterable[int]) -> list[int]:
        """The numbers that the print must have, up to the last one it states or else the greatest one found."""
        last = self.expect or max(found, default=0)
        return [number for number in range(self.first, last + 1) if number not in self.omits]


class Heads(Table):
    """A numbering of the pieces of a commentary, each headed by the provisions it explains (`Articles {list}.`)."""

    label: ListLabel
    kind: Literal["commentary"]
    slug: Id
    name: Line = ""
    expect: Count | None = None
    prefix: Prefix = ""


class Chapters(Table):
    """The numbering of the articles of a constitution or the chapters of session laws, or of their sections."""

    label: Label
    kind: KindId
    slug: Id
    name: Line = ""


def _id_of(begins: str) -> str:
    """The default id of a part, made from the words with which it begins."""
    words = re.findall("[a-z0-9]+", begins.casefold())[:4]
    return "-".join(words)[:40].strip("-") or "beginning"


class Part(Table):
    """A part of a book that one grammar reads. It begins at the words `begins` and ends where the next part begins.

    `code` is given if the text around the provisions (titles, introductions) belongs to a code. A part that `goes_on`
    has no heading of its own: its units are under the last heading before it. `footnotes` is the kind of its
    footnotes: `note` if they belong to the provisions. `headings` lists the headings that neither capitals nor line
    breaks show.
    """

    begins: LineOrNone = ""
    id: Id = Field(default_factory=lambda entry: _id_of(entry["begins"]))
    code: Id | None = None
    goes_on: bool = False
    footnotes: Literal["footnote", "note"] = "footnote"
    headings: Many[Line] = ()

    @property
    def numberings(self) -> tuple[Series, ...]:
        """The numberings whose numbers can be audited."""
        return ()


class Provisions(Part):
    """A part of numbered provisions."""

    series: Many[Series] = Field(min_length=1)

    @field_validator("series")
    @classmethod
    def _of_its_code(cls, series: tuple[Series, ...], part: ValidationInfo) -> tuple[Series, ...]:
        """Give a numbering its part's code; a `section` of a code becomes a `law`, as units `section` are headings."""
        series = tuple(s.model_copy(update={"code": s.code or part.data.get("code")}) for s in series)
        return tuple(s.model_copy(update={"kind": "law"}) if s.code and s.kind == "section" else s for s in series)

    @property
    def numberings(self) -> tuple[Series, ...]:
        return self.series


class SeriesPart(Provisions):
    """Laws, articles, rules, tests."""

    grammar: Literal["series"]


class CasesPart(Provisions):
    """Cases; `split` has the words that open a decision."""

    grammar: Literal["cases"]
    split: Many[Line] = Field(min_length=1)


class ChaptersPart(Part):
    """A constitution or session laws: the first numbering is of articles or chapters, the second of their sections."""

    grammar: Literal["chapters"]
    series: Many[Chapters]

    @field_validator("series")
    @classmethod
    def _two(cls, series: tuple[Chapters, ...]) -> tuple[Chapters, ...]:
        if len(series) != 2:
            raise Fault(f"there are {len(series)}; write two [[part.series]], for the articles and for their sections")
        if series[0].kind != "section":
            raise Fault("an article is the heading of its sections; write kind = 'section'", 0, "kind")
        return series


class CommentaryPart(Part):
    """Pieces headed by the provisions they explain; `explains` is the prefix of the ids of these provisions."""

    grammar: Literal["commentary"]
    explains: UnitIdStart
    series: Many[Heads] = Field(min_length=1)


class DefinitionsPart(Part):
    """Headwords with explanations."""

    grammar: Literal["definitions"]


class Matter(Part):
    """A part of unnumbered text; `kind` is the kind of its units, `slug` the prefix of their ids."""

    kind: KindId = "essay_section"
    slug: Id = ""


class ParagraphsPart(Matter):
    """Prose."""

    grammar: Literal["paragraphs"]


class IndexPart(Matter):
    """An index by topics: each topic is on a line of its own, with the text under it."""

    grammar: Literal["index"]


class TablePart(Matter):
    """A table; `heads` are the first words of the lines with its column heads."""

    grammar: Literal["table"]
    heads: Many[Line] = ()
    kind: KindId = "table_row"


class WholePart(Matter):
    """A part that is one unit, such as a title page."""

    grammar: Literal["whole"]


class SkipPart(Part):
    """Text that is left out: the header and the licence of an e-text, the advertisements at the end of a book."""

    grammar: Literal["skip"]


AnyPart = Annotated[
    SeriesPart | CasesPart | ChaptersPart | CommentaryPart | DefinitionsPart | ParagraphsPart | IndexPart | TablePart
    | WholePart | SkipPart,
    Field(discriminator="grammar"),
]  # fmt: skip
