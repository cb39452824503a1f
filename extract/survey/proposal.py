"""The plan that a survey proposes: the codes, and the parts of the book in reading order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from extract.language.lexicon import load_lexicon, word_set
from extract.segment.outline import WorkingText
from extract.segment.segment import headline, slug
from extract.segment.segmentation import find_words
from extract.survey.codes import FoundCode
from extract.survey.divisions import CodeDivision
from extract.survey.survey import Survey, title_of
from extract.text.headings import names_a_body

_MOST_WORDS = 16
_SMALL_WORDS = word_set("joining") | {"by"}


@dataclass(frozen=True, slots=True)
class ProposedCode:
    """A code of the book: its id, its title, and what was found."""

    id: str
    title: str
    found: FoundCode


@dataclass(frozen=True, slots=True)
class ProposedPart:
    """A part of the book: the words with which it begins, its grammar, why it is there, and the code it prints.

    `division` is the one that it has of a code that is numbered afresh under every heading.
    """

    begins: str
    grammar: str
    reason: str
    code: ProposedCode | None = None
    division: CodeDivision | None = None


@dataclass(frozen=True, slots=True)
class ProposedPlan:
    """Codes and parts in reading order; `refused`: what was taken for a code and could not be built, and why."""

    codes: tuple[ProposedCode, ...]
    parts: tuple[ProposedPart, ...]
    refused: tuple[tuple[FoundCode, str], ...] = ()


def propose(found: Survey, book_id: str, codes: Sequence[FoundCode]) -> ProposedPlan:
    """Propose the plan of a book.

    Args:
        found: the survey of its scan.
        book_id: its id, with which the ids of its codes begin.
        codes: which of the codes found are to be taken.
    """
    named = _named(codes, book_id, title_of(found))
    borders: list[tuple[int, ProposedPart]] = []
    start, end = found.etext.start, found.etext.end
    if found.work.text[:start].strip():
        borders.append((0, ProposedPart("", "skip", "what stands before the book")))
    at = start
    for code in named:
        if found.work.text[at : code.found.start].strip():
            borders.append((at, ProposedPart("", "paragraphs", "prose")))
        if not code.found.divisions:
            borders.append((code.found.start, ProposedPart("", "series", _told(code.found), code)))
        for i, division in enumerate(code.found.divisions):
            place = division.start if i else min(code.found.start, division.start)
            borders.append((place, ProposedPart("", "series", division.name, code, division)))
        at = code.found.end
    if found.work.text[at:end].strip():
        borders.append((at, ProposedPart("", "paragraphs", "prose")))
    if found.work.text[end:].strip():
        borders.append((end, ProposedPart("", "skip", "what stands after the book")))
    parts: list[ProposedPart] = []
    after = 0
    for i, (place, part) in enumerate(borders):
        place = found.work.trim(place, len(found.work.text))[0]
        begins = "" if i == 0 else words_at(found.work, place, after)
        parts.append(replace(part, begins=begins))
        after = place + 1 if i else 1
    return ProposedPlan(tuple(named), tuple(parts))


def _told(code: FoundCode) -> str:
    missing = f"; {len(code.run.gaps)} labels not seen" if code.run.gaps else ""
    return f"{code.run.first} to {code.run.last}{missing}"


def words_at(work: WorkingText, place: int, after: int) -> str:
    """The words at a place, as many as it takes to find them there first.

    Args:
        work: the working text.
        place: an offset at which a line begins.
        after: an offset; no earlier place counts.
    """
    line_end = work.text.find("\n", place)
    words = work.text[place : place + 600].split()
    least = len(work.text[place : line_end if line_end >= 0 else place + 60].split())
    for count in range(min(max(least, 1), 8), _MOST_WORDS):
        begins = " ".join(words[:count])
        if find_words(work, begins, after) == place:
            return begins
    return " ".join(words[:_MOST_WORDS])


def _named(codes: Sequence[FoundCode], book_id: str, book_title: str) -> list[ProposedCode]:
    """The codes with ids and titles; the only code of a book has the book's id, of several each ends in its year."""
    work, _, year = book_id.rpartition("-")
    if not (work and year.isdecimal()):
        work, year = book_id, ""
    named: list[ProposedCode] = []
    taken: set[str] = set()
    single = sum(code.member != "case" for code in codes) == 1
    for i, code in enumerate(codes, 1):
        title = headline(code.heading) or (book_title if single and names_a_body(book_title) else "Laws")
        if code.member == "case":
            named.append(ProposedCode(book_id, title, code))
            continue
        subject = _subject(title) or str(i)
        if subject in taken:
            subject = f"{subject}-{i}"
        taken.add(subject)
        name = book_id if single else "-".join(filter(None, (work[:_LONGEST_NAME].strip("-"), subject, year)))
        named.append(ProposedCode(name, re.sub(r"\s+", " ", title), code))
    return named


def _subject(title: str) -> str:
    """What laws are of, in a word or two: `whist`, `civil-procedure`; words that are misread are left out."""
    words = slug(title, 16).split("-")
    bodies = [i for i, word in enumerate(words) if word in _BODIES] or [
        i for i, word in enumerate(words) if word == "act"
    ]
    first = bodies[0] + 1 if bodies else 0
    telling = [w for w in [*words[first:], *words[:first]] if w not in _SMALL_WORDS | _BODIES | {"act"}]
    known = [w for w in telling if load_lexicon().known(w)] or telling
    return "-".join(known[:2] or words[:2])[:30].strip("-") if title != "Laws" else ""


_LONGEST_NAME = 24  # characters of a book's id that its codes begin with
_BODIES = word_set("bodies")
