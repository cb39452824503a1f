"""The proposed book.toml: what is needed and nothing else, with a comment where a reader would ask why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from extract.corpus.plan import member
from extract.survey.divisions import CodeDivision
from extract.survey.labels import Sighting
from extract.survey.proposal import ProposedCode, ProposedPlan
from extract.text.source import Encoding

_HEAD = (
    "# Proposed by `whist add` from the scan. Correct it as you like: what you change stays, and run again it says\n"
    "# what it would propose otherwise. docs/editing.md has all keys."
)

_ALONE = "the label has a line of its own"
Value = str | int | bool | list[str] | tuple[str | int | bool | list[str], str]
"""A value of a key, or a value and a comment."""


@dataclass(frozen=True, slots=True)
class Imprint:
    """What is known of the book itself; a year that nobody told is a guess."""

    title: str
    year: int
    authors: tuple[tuple[str, str], ...]
    sha256: str
    encoding: Encoding
    witnesses: tuple[str, ...] = ()
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a TOML file: its head, the comment beside that, and its keys, those without a value left out."""

    head: str
    keys: Mapping[str, Value]
    comment: str = ""

    def __str__(self) -> str:
        rows = [_beside(f"[{self.head}]", self.comment)]
        for key, value in self.keys.items():
            known, comment = value if isinstance(value, tuple) else (value, "")
            if known:
                rows.append(_beside(f"{key} = {quoted(known)}", comment))
        return "\n".join([*rows, ""])


def book_file(imprint: Imprint, proposal: ProposedPlan) -> str:
    """Write a book.toml.

    Args:
        imprint: the bibliography, as far as it is known.
        proposal: the codes and parts.
    Returns:
        The file's text.
    """
    tables = [*_book(imprint), *_codes(proposal.codes), *_parts(proposal), *_citations(proposal)]
    return "\n".join([_HEAD, "", *map(str, tables)])


def quoted(value: str | int | bool | list[str]) -> str:
    """A value as TOML has it; JSON's texts, numbers and lists are TOML's too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _beside(text: str, comment: str) -> str:
    return f"{text} # {comment}" if comment else text


def _book(imprint: Imprint) -> Iterator[_Table]:
    guess = "a guess: the scan names no sure year; correct it" if imprint.guessed else ""
    keys: dict[str, Value] = {
        "title": imprint.title,
        "year": (imprint.year, guess),
        "sha256": (imprint.sha256, "of scan.txt, which is never changed"),
        "encoding": imprint.encoding if imprint.encoding != "utf-8" else "",
        "witnesses": ([*imprint.witnesses], "they print some of the same passages"),
    }
    yield _Table("book", keys)
    for given, family in imprint.authors:
        yield _Table("[book.author]", {"given": given, "family": family})


def _codes(codes: Sequence[ProposedCode]) -> Iterator[_Table]:
    for code in codes:
        name = member(code.found.label)[1]
        if code.found.member != "case":
            keys: dict[str, Value] = {"id": code.id, "title": code.title, "provision": name if name != "Law" else ""}
            yield _Table("[code]", keys)


def _parts(proposal: ProposedPlan) -> Iterator[_Table]:
    for part in proposal.parts:
        yield _Table("[part]", {"begins": part.begins, "grammar": part.grammar}, part.reason)
        if part.code:
            yield from _series(part.code, part.division)


def _series(code: ProposedCode, division: CodeDivision | None) -> Iterator[_Table]:
    found, run = code.found, code.found.run
    if division and division.undivided:
        yield _own_label(code, division.labels[0])
        return
    if found.opening:
        yield _own_label(code, found.opening)
    word = f", {member(found.label)[1]}" if run.shape.word else ""
    late = not division and (found.opening or run.begins > 1)
    keys: dict[str, Value] = {
        "label": found.label,
        "kind": "case" if found.member == "case" else "",
        "code": code.id if found.member != "case" else "",
        "slug": division.slug if division else "",
        "name": f"{division.name}{word}" if division else "",
        "first": run.first if late else "",
        "expect": division.labels[-1].number if division else run.last,
        "highest": run.last if run.running and not division else "",
        "alone": (found.alone, _ALONE),
        "running": (run.running, "labels stand within lines too, where much looks like a higher one"),
        "subdivisions": [*found.subdivisions],
    }
    yield _Table("[part.series]", keys)


def _own_label(code: ProposedCode, label: Sighting) -> _Table:
    """A provision with a label of its own: an article without sections among others, a first one in words."""
    number = dict.fromkeys(("first", "highest", "expect"), label.number)
    keys: dict[str, Value] = {"label": label.template, "code": code.id, **number, "alone": (label.alone, _ALONE)}
    return _Table("[part.series]", keys)


def _citations(proposal: ProposedPlan) -> Iterator[_Table]:
    """A provision cites its own code by the word that its labels have, which has letters alone: no `By-law`."""
    for code in proposal.codes:
        stem, name = member(code.found.label)
        if not code.found.divisions and name.isalpha():  # else its numbers say nothing without their heading
            words = [name, "§"] if "§" in code.found.label else [name]
            within = f"{code.id}/{stem}-"
            yield _Table("[citations.series]", {"words": words, "target": within + "{n}", "within": within})
