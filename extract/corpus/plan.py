"""The plan of a book: its parts in reading order, each with one grammar and the keys that this grammar reads."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from extract.corpus.table import Count, Fault, Id, KindId, Line, LineOrNone, Many, Table, UnitIdStart, matching
from extract.language.lexicon import word_list

# How a number stands in a label: in figures, in roman numerals, as a letter, or in words.
_FORMS = (rf"[^{{}}|]*{n}[^{{}}|]*(?:\|[^{{}}|]*{n}[^{{}}|]*)*" for n in (r"\{n\}", r"\{I\}", r"\{a\}", r"\{w\}"))
_HIGHEST = 400


def member(label: str) -> tuple[str, str]:
    """What the members of a numbering are called, by the word of its label: the start of their ids, and their name.

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
        "does not say where the number stands; write {n}, {I}, {a} or {w} once in each form, or "
        "`ordinal` alone",
    ),
]  # fmt: skip
ListLabel = Annotated[
    Line,
    matching(
        r"[^{}|]+\{list\}[^{}|]*",
        "does not say where the numbers stand; write a word and {list} after it, in one form only",
    ),
]  # fmt: skip
Prefix = Annotated[str, matching("[a-z]{0,8}", "is no prefix of numbers; write a few small letters")]


class Series(Table):
    """A numbering: how a label is printed (`{n}.`, `Article {n}.`, `{I}.`), and what it labels.

    `slug` makes the id (`art-94`); `code` is given where the units belong to a code; `expect` is the number that
    the print has, for the audit: the decoder does not know it; `first` the one with which the print begins, as an
    excerpt does that begins at section 4883. `alone`: the label has a line of its own; `running`:
    labels stand within lines too. `name` is put before the number when the unit is named to a reader. Where neither
    slug nor name is given, both are those of the label's word: `SEC. {n}.` labels `sec-12`, Section 12; a number
    without a word labels a law.
    """

    label: Label
    kind: KindId = "law"
    slug: Id = Field(default_factory=lambda entry: member(entry["label"])[0])
    code: Id | None = None
    name: Line = Field(default_factory=lambda entry: dict([member(entry["label"])]).get(entry["slug"], ""))
    first: Count = 1
    expect: Count | None = None
    alone: bool = False
    running: bool = False
    prefix: Prefix = ""
    highest: Count = Field(default_factory=lambda entry: max(_HIGHEST, entry["expect"] or 0))
    subdivisions: Many[Label] = ()
    items: bool = False

    def labels(self, unit_id: str, number: str | None) -> bool:
        """Whether a unit of its code, or of its book, is one of it, by its id and its number.

        One numbered afresh under every heading has ids that begin alike: `art-4-3` is no member of `art-{n}`.
        """
        name, plain = unit_id.partition("/")[2], (number or "").removeprefix(self.prefix)
        figures = re.match(r"\d+", plain)
        if figures is None or not self.first <= int(figures[0]) <= self.highest:
            return False
        return re.fullmatch(rf"{self.slug}-{self.prefix}{re.escape(plain.lower())}(?:-\d+)?", name) is not None


class Heads(Table):
    """A numbering of the pieces of a commentary, each headed by the provisions it explains (`Articles {list}.`)."""

    label: ListLabel
    kind: Literal["commentary"]
    slug: Id
    name: Line = ""
    expect: Count | None = None
    prefix: Prefix = ""
    highest: Count = _HIGHEST


class Chapters(Table):
    """A numbering of the articles of a constitution or the chapters of a session, or of their sections."""

    label: Label
    kind: KindId
    slug: Id
    name: Line = ""
    highest: Count = _HIGHEST


def _id_of(begins: str) -> str:
    """The id of a part, from the words with which it begins."""
    words = re.findall("[a-z0-9]+", begins.casefold())[:4]
    return "-".join(words)[:40].strip("-") or "beginning"


class Part(Table):
    """A stretch of a book with one grammar. It begins where the words `begins` stand and ends at the next part.

    `code` is given where the text around its provisions (titles, introductions) belongs to a code. A part that
    `goes_on` has no heading of its own: it stands under the last one before it. `footnotes` says of what kind they
    are: notes, where they belong to the provisions. `headings` are those that are known neither by capitals nor by
    their lines, as where a scan has none.
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
        """A numbering is of its part's code; a numbered section of one a provision: a unit `section` is a heading."""
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
    """A constitution or the laws of a session: the first numbering is that of its articles, the second of sections."""

    grammar: Literal["chapters"]
    series: Many[Chapters]

    @field_validator("series")
    @classmethod
    def _two(cls, series: tuple[Chapters, ...]) -> tuple[Chapters, ...]:
        if len(series) != 2:
            raise Fault(f"there are {len(series)}; write two [[part.series]]: of the articles and of their sections")
        if series[0].kind != "section":
            raise Fault("an article is the heading of its sections; write kind = 'section'", 0, "kind")
        return series


class CommentaryPart(Part):
    """Pieces headed by what they explain; `explains` begins the ids of the provisions explained."""

    grammar: Literal["commentary"]
    explains: UnitIdStart
    series: Many[Heads] = Field(min_length=1)


class DefinitionsPart(Part):
    """Headwords with explanations."""

    grammar: Literal["definitions"]


class Matter(Part):
    """A part of unnumbered matter; `kind` is given to its units, `slug` begins their ids."""

    kind: KindId = "essay_section"
    slug: Id = ""


class ParagraphsPart(Matter):
    """Prose."""

    grammar: Literal["paragraphs"]


class EntriesPart(Matter):
    """Contents and indexes; `topics`: an entry is a line of its own with what stands under it.

    `openings` are the first words of those entries that a scan without lines runs together with the one before, as
    where its page is lost or a word of a cross-reference precedes.
    """

    grammar: Literal["entries"]
    topics: bool = False
    openings: Many[Line] = ()


class TablePart(Matter):
    """A table; the lines of the heads of its columns begin with `heads`."""

    grammar: Literal["table"]
    heads: Many[Line] = ()
    kind: KindId = "table_row"


class WholePart(Matter):
    """One unit, as a title page is."""

    grammar: Literal["whole"]


class SkipPart(Part):
    """What is left out: the header and the licence of an e-text, the advertisements at the end of a book."""

    grammar: Literal["skip"]


AnyPart = Annotated[
    SeriesPart | CasesPart | ChaptersPart | CommentaryPart | DefinitionsPart | ParagraphsPart | EntriesPart | TablePart
    | WholePart | SkipPart,
    Field(discriminator="grammar"),
]  # fmt: skip
