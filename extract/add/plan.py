"""The book.toml proposed for a scan: it is tried, and codes that the build does not read as found are left out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from extract.add.bibliography import Imprint
from extract.add.codes import Code, Survey
from extract.corpus.book import load_book
from extract.corpus.domain import Domain
from extract.corpus.plan import member
from extract.edition import make_edition
from extract.errors import BookError, LedgerError
from extract.language.lexicon import word_set
from extract.model import Edition
from extract.segment.outline import WorkingText
from extract.segment.segment import headline, slug
from extract.segment.segmentation import find_words

_HEAD = "# Proposed by `whist add` from the scan. Correct it; docs/editing.md explains the keys.\n"
_WORDS = 16  # words by which a place is found, at most
_LONGEST = 25  # characters of a part of an id
_NO_SUBJECT = word_set("bodies") | word_set("joining") | {"act", "by"}
_READ = 0.6  # share of the labels of a code that the build must read as found


@dataclass(frozen=True, slots=True)
class Proposal:
    """A book as the build reads it: the codes of its plan by their ids, and those left out, each with the reason."""

    edition: Edition
    codes: Mapping[str, Code]
    refused: Sequence[tuple[Code, str]]


def propose(folder: Path, data: Imprint, found: Survey, domain: Domain) -> Proposal:
    """Write the book.toml of a folder that has scan.txt, and build the book.

    Args:
        folder: the folder; its name is the id of the book.
        data: the bibliography.
        found: the survey of the scan.
        domain: the settings of the library.
    Raises:
        WhistError: the book cannot be built even without codes.
    """
    refused: list[tuple[Code, str]] = []
    while True:
        codes = named([code for code in found.codes if code not in (x for x, _ in refused)], data.id)
        (folder / "book.toml").write_text(book_file(data, found, codes), encoding="utf-8")
        try:
            edition = make_edition(load_book(folder, domain))
            faults = [(code, why) for code in codes.values() if (why := _fault(found, code, edition))]
        except (BookError, LedgerError) as error:
            if not codes:
                raise
            faults = [(min(codes.values(), key=lambda code: len(code.run)), str(error).rpartition(": ")[2])]
        if not faults:
            return Proposal(edition, codes, refused)
        refused += faults


def _fault(found: Survey, code: Code, edition: Edition) -> str:
    """What is wrong with a code as the build reads it; empty if nothing is."""
    read = {(unit.raw_start, unit.number) for unit in edition.units if unit.role == "provision"}
    same = sum((found.work.to_scan(x.start, x.end).start, str(x.number)) in read for x in code.run)
    return f"the build reads {same} of its {len(code.run)} labels" if same < _READ * len(code.run) else ""


def named(codes: Sequence[Code], book_id: str) -> dict[str, Code]:
    """Give codes their ids: a single code has that of the book, several have their subject or place before its year."""
    work, _, year = book_id.rpartition("-")
    found: dict[str, Code] = {}
    for i, code in enumerate(codes, 1):
        words = [x for x in slug(code.heading, 16).split("-") if x not in _NO_SUBJECT and x.isalpha()]
        subject = "-".join(words[-2:])[:_LONGEST].strip("-") if code.heading and words else str(i)
        name = f"{work[:_LONGEST].strip('-')}-{subject}"
        found[f"{name}-{i}-{year}" if f"{name}-{year}" in found else f"{name}-{year}"] = code
    return {book_id: codes[0]} if len(codes) == 1 else found


def book_file(data: Imprint, found: Survey, codes: Mapping[str, Code]) -> str:
    """The text of a book.toml.

    Args:
        data: the bibliography.
        found: the survey of the scan.
        codes: its codes in reading order, by their ids.
    """
    encoding = data.encoding if data.encoding != "utf-8" else ""
    guess = " # the year is a guess; correct it" if data.guessed else ""
    tables = [_HEAD, _table(f"[book]{guess}", title=data.title, year=data.year, sha256=data.sha256, encoding=encoding)]
    tables += [_table("[[book.author]]", given=given, family=family) for given, family in data.authors]
    for name, code in codes.items():
        tables.append(
            _table("[[code]]", id=name, title=headline(code.heading) or "Laws", provision=member(code.label)[1])
        )
    for name, code in codes.items():
        stem, word = member(code.label)
        words = [word, "§"] if "§" in code.label else [word] if word.isalpha() else []
        target = {"target": f"{name}/{stem}-{{n}}", "within": f"{name}/{stem}-"}
        tables += [_table("[[citations.series]]", words=words, **target)] if words else []
    return "\n".join([*tables, *_parts(found, codes)])


def _table(head: str, **keys: object) -> str:
    """A TOML table; keys with an empty value are left out."""
    # JSON strings, numbers and lists are valid TOML too, except for one character.
    rows = [f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in keys.items() if value]
    return "".join([f"{head}\n", *rows]).replace("\x7f", "\\u007f")


def _parts(found: Survey, codes: Mapping[str, Code]) -> Iterator[str]:
    """The tables of the book's parts in reading order, each code with its numbering."""
    at, end = found.etext.start, found.etext.end
    parts = [(0, at, "skip", "")]
    for name, code in codes.items():
        parts += [(at, code.start, "paragraphs", ""), (code.start, code.end, "series", name)]
        at = code.end
    parts += [(at, end, "paragraphs", ""), (end, len(found.work.text), "skip", "")]
    after = 0
    for start, stop, grammar, name in parts:
        place, last = found.work.trim(start, stop)
        if place < last:
            yield _table("[[part]]", begins=words_at(found.work, place, after) if after else "", grammar=grammar)
            after = place + 1
        if name:
            code = codes[name]
            first = {"first": code.numbers[0]} if code.numbers[0] > 1 else {}
            yield _table("[[part.series]]", label=code.label, code=name, **first, expect=code.numbers[-1],
                         alone=code.alone, subdivisions=code.paragraphs)  # fmt: skip


def words_at(work: WorkingText, place: int, after: int) -> str:
    """The words at a place: those of its line, and more until they are found there first.

    Args:
        work: the working text.
        place: an offset at which a line begins.
        after: an offset; matches before it do not count.
    """
    words = work.text[place:].split(maxsplit=_WORDS)[:_WORDS]
    line = work.text[place:].partition("\n")[0].split(maxsplit=_WORDS)[: _WORDS // 2]
    tried = (" ".join(words[:count]) for count in range(len(line), _WORDS))
    return next((begins for begins in tried if find_words(work, begins, after) == place), " ".join(words))
