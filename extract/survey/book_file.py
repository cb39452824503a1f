"""The proposed book.toml: what is needed and nothing else, with a comment where a reader would ask why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extract.corpus.plan import member
from extract.survey.divisions import Division
from extract.survey.labels import Sighting
from extract.survey.proposal import ProposedCode, ProposedPlan
from extract.text.source import Encoding

_HEAD = (
    "# Proposed by `whist add` from the scan. Correct it as you like: what you change stays, and run again it says\n"
    "# what it would propose otherwise. docs/editing.md has all keys."
)


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


def book_file(imprint: Imprint, proposal: ProposedPlan) -> str:
    """Write a book.toml.

    Args:
        imprint: the bibliography, as far as it is known.
        proposal: the codes and parts.
    Returns:
        The file's text.
    """
    return "\n".join([_HEAD, "", *_book(imprint), *_codes(proposal.codes), *_parts(proposal), *_citations(proposal)])


def quoted(text: str) -> str:
    """A text as TOML has it; JSON's strings are TOML's too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _book(imprint: Imprint) -> Iterator[str]:
    yield "[book]"
    yield f"title = {quoted(imprint.title)}"
    yield f"year = {imprint.year}" + (" # a guess: the scan names no sure year; correct it" if imprint.guessed else "")
    yield f'sha256 = "{imprint.sha256}" # of scan.txt, which is never changed'
    if imprint.encoding != "utf-8":
        yield f'encoding = "{imprint.encoding}"'
    if imprint.witnesses:
        yield f"witnesses = [{', '.join(map(quoted, imprint.witnesses))}] # they print some of the same passages"
    yield ""
    for given, family in imprint.authors:
        yield "[[book.author]]"
        if given:
            yield f"given = {quoted(given)}"
        yield f"family = {quoted(family)}"
        yield ""


def _codes(codes: Sequence[ProposedCode]) -> Iterator[str]:
    for code in codes:
        if code.found.member == "case":
            continue
        yield "[[code]]"
        yield f'id = "{code.id}"'
        yield f"title = {quoted(code.title)}"
        name = member(code.found.label)[1]
        if name != "Law":
            yield f"provision = {quoted(name)}"
        yield ""


def _parts(proposal: ProposedPlan) -> Iterator[str]:
    for part in proposal.parts:
        yield f"[[part]] # {part.reason}"
        if part.begins:
            yield f"begins = {quoted(part.begins)}"
        yield f'grammar = "{part.grammar}"'
        if part.code:
            yield from _series(part.code, part.division)
        yield ""


def _series(code: ProposedCode, division: Division | None) -> Iterator[str]:
    found = code.found
    yield "[[part.series]]"
    if division and division.undivided:
        yield from _own_label(code, division.labels[0])
        return
    if found.opening:
        yield from _own_label(code, found.opening)
        yield "[[part.series]]"
    yield f"label = {quoted(found.label)}"
    yield 'kind = "case"' if found.member == "case" else f'code = "{code.id}"'
    if division:
        word = f", {member(found.label)[1]}" if found.run.shape.word else ""
        yield f'slug = "{division.slug}"'
        yield f"name = {quoted(division.name + word)}"
    if not division and (found.opening or found.run.begins > 1):
        yield f"first = {found.run.first}"
    yield f"expect = {division.labels[-1].number if division else found.run.last}"
    if code.bounded:
        yield f"highest = {found.run.last} # what looks like a higher label is none"
    if found.alone:
        yield "alone = true # the label has a line of its own"
    if found.run.running:
        yield "running = true # labels stand within lines too"
    if found.subdivisions:
        yield f"subdivisions = [{', '.join(map(quoted, found.subdivisions))}]"


def _own_label(code: ProposedCode, label: Sighting) -> Iterator[str]:
    """A provision with a label of its own: an article without sections among others, a first one in words."""
    yield f"label = {quoted(label.template)}"
    yield f'code = "{code.id}"'
    yield f"first = {label.number}"
    yield f"highest = {label.number}"
    yield f"expect = {label.number}"
    if label.alone:
        yield "alone = true # the label has a line of its own"


def _citations(proposal: ProposedPlan) -> Iterator[str]:
    """A provision cites its own code by the word that its labels have."""
    for code in proposal.codes:
        if code.found.divisions:
            continue  # its numbers say nothing without their heading
        stem, name = member(code.found.label)
        if not name.isalpha():
            continue  # a word that citations are read by has letters alone: no `By-law`
        yield "[[citations.series]]"
        yield f'words = ["{name}", "§"]' if "§" in code.found.label else f'words = ["{name}"]'
        yield f'target = "{code.id}/{stem}-{{n}}"'
        yield f'within = "{code.id}/{stem}-"'
        yield ""
