"""All of the editor's judgements, as read from the files, and the library that they are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from extract.corpus.table import Source, Table, source
from extract.corpus.toml import Place
from extract.errors import BookError
from extract.model import Unit
from kb.analysis.words import letters
from kb.editorial.files import (
    CONCORDANCE,
    DIGESTS,
    GLOSSES,
    READ,
    TITLES,
    TOPICS,
    Answer,
    Concordance,
    DigestFile,
    GlossFile,
    Judgement,
    OfPair,
    Readings,
    Reprint,
    TitleFile,
    Topic,
    judged,
)
from kb.read.rows import UnitRow

_ENTRY = TypeVar("_ENTRY", bound=Judgement)
_FILE = TypeVar("_FILE", bound=Table)
Text = Unit | UnitRow
Row = dict[str, Any]
Rows = Mapping[str, list[Row]]
"""The rows made from the judgements, by table."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[_ENTRY]):
    """A judgement with its file (`topics/revoke.toml`) and its place there."""

    file: str
    where: Place
    said: _ENTRY


@dataclass(frozen=True, slots=True)
class Judgements:
    """All of the editor's judgements on provisions.

    `sources` has each file as it stands, `files` what it says, by name; `read` the texts of provisions when judged, and
    `titles` the short titles of units.
    """

    sources: Mapping[str, Source] = field(default_factory=dict)
    files: Mapping[str, Table] = field(default_factory=dict)
    read: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def topics(self) -> dict[str, Topic]:
        """The files of the topics, by the id of the topic."""
        return {topic_of(name): said for name, said in self.files.items() if isinstance(said, Topic)}

    @property
    def reprints(self) -> tuple[Reprint, ...]:
        """The pairs of codes of which one reprints the other."""
        return tuple(r for said in self.files.values() if isinstance(said, Concordance) for r in said.twins)

    def entries(self) -> Iterator[Entry[Judgement]]:
        """Yield all judgements."""
        for file, said in self.files.items():
            yield from (Entry(file, where, entry) for where, entry in judged(said))

    def every(self, kind: type[_ENTRY]) -> tuple[Entry[_ENTRY], ...]:
        """Return the judgements of one kind."""
        return tuple(Entry(e.file, e.where, e.said) for e in self.entries() if isinstance(e.said, kind))

    def is_stale(self, unit_id: str, text: str) -> bool:
        """Whether a provision had another text when it was judged; a comma or a capital does not count."""
        return unit_id in self.read and letters(self.read[unit_id]) != letters(text)

    def fault(self, file: str, what: str, *where: str | int) -> str:
        """Return the message for a fault: file, line, entry, and what to do."""
        return self.sources[file].said(what, *where)


@dataclass(frozen=True, slots=True)
class Code:
    """A code: its `name` in the course of a rule, the book that prints it, and the kinds that this leaves out."""

    id: str
    name: str
    book: str
    lacks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Library:
    """What is judged: the codes, oldest first, the units by id, those of codes in this order, and the topics' ids."""

    codes: tuple[Code, ...]
    units: Mapping[str, Text]
    topics: Collection[str] = ()

    def whole(self, unit_id: str) -> str:
        """Return the provision to which a paragraph or note belongs; of any other unit, the unit."""
        unit = self.units.get(unit_id)
        while unit and unit.role != "provision":
            unit = self.units.get(unit.parent_id or "")
        return unit.id if unit else unit_id

    def provisions(self) -> Iterator[Text]:
        """Yield the provisions of the codes."""
        return (unit for unit in self.units.values() if unit.role == "provision" and unit.code_id)


def library(
    codes: Iterable[tuple[str, int, str, str]], lacks: Mapping[str, Collection[str]], units: Iterable[Text],
    topics: Collection[str],
) -> Library:  # fmt: skip
    """Return the library of some codes.

    Args:
        codes: the id, year, short name and book of each code.
        lacks: the kinds of provisions that the book of a code leaves out, by the id of the code.
        units: all units.
        topics: the ids of the topics.
    """
    codes = sorted(codes, key=lambda code: (code[1], code[0]))
    years = Counter(year for _, year, _, _ in codes)
    named = tuple(
        Code(code, str(year) if years[year] == 1 else short, book, frozenset(lacks.get(code, ())))
        for code, year, short, book in codes
    )
    place = {code.id: i for i, code in enumerate(named)}
    whole = (unit for unit in units if unit.continues is None)
    ordered = sorted(whole, key=lambda unit: (place.get(unit.code_id or "", -1), unit.seq))
    return Library(named, {unit.id: unit for unit in ordered}, topics)


def read_judgements(corpus: Path) -> Judgements:
    """Read all of the editor's judgements on provisions.

    Raises:
        BookError: files cannot be read or are invalid, or two entries judge the same; the message has a line for each
            fault.
    """
    kinds: dict[str, type[Table]] = {
        CONCORDANCE: Concordance,
        **{f"{TOPICS}/{path.name}": Topic for path in sorted((corpus / TOPICS).glob("*.toml"))},
        GLOSSES: GlossFile, DIGESTS: DigestFile, TITLES: TitleFile, READ: Readings,
    }  # fmt: skip
    sources: dict[str, Source] = {}
    files: dict[str, Table] = {}
    faults: list[str] = []
    for name, kind in kinds.items():
        try:
            sources[name] = source(corpus / name)
            files[name] = sources[name].model(kind)
        except BookError as error:
            faults.append(str(error))
    titles, read = files.pop(TITLES, None), files.pop(READ, None)
    said = Judgements(
        sources, files,
        read.read if isinstance(read, Readings) else {},
        titles.titles if isinstance(titles, TitleFile) else {},
    )  # fmt: skip
    faults += _judged_twice(said)
    if faults:
        raise BookError("\n".join(faults))
    return said


def _judged_twice(said: Judgements) -> Iterator[str]:
    """Yield the faults of entries that judge the same; answers may rest on the same provisions."""
    first: dict[Hashable, Entry[Judgement]] = {}
    for entry in said.entries():
        kind = OfPair if isinstance(entry.said, OfPair) else type(entry.said)  # a pair is linked or apart, not both
        about = frozenset(entry.said.provisions) if kind is OfPair else entry.said.provisions[0]
        if kind is not Answer and (other := first.setdefault((kind, about), entry)) is not entry:
            there = f"{other.file}, line {said.sources[other.file].line(other.where)}"
            named = " and ".join(entry.said.provisions)
            yield said.fault(entry.file, f"{there} also judges {named}; delete one of them", *entry.where)


def topic_of(file: str) -> str:
    """Return the id of the topic that a file is about: that of `topics/revoke.toml` is `revoke`."""
    return Path(file).stem


def full_id(topic: str, name: str) -> str:
    """Return the id of a question named in a topic's file; a name without a home topic is the topic's own question."""
    return name if "/" in name else f"{topic}/{name}"


def question_labels(said: Judgements) -> dict[str, str]:
    """Return the questions of all topics, by id (`revoke/penalty`)."""
    return {f"{topic}/{q.id}": q.label for topic, file in said.topics.items() for q in file.question}
