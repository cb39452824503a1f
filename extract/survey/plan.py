"""The plan that is proposed for a book: the tables of its book.toml, with a comment where a reader would ask why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from extract.corpus.plan import member
from extract.language.lexicon import load_lexicon, word_set
from extract.segment.outline import WorkingText
from extract.segment.segment import headline, slug
from extract.segment.segmentation import find_words
from extract.survey.codes import FoundCode
from extract.survey.labels import common_template
from extract.survey.survey import Survey, title_of
from extract.text.headings import names_a_body
from extract.text.lines import collapse
from extract.text.source import Encoding

_HEAD = (
    "# Proposed by `whist add` from the scan. Edit it freely: when run again, the command changes nothing and lists\n"
    "# the differences from its new proposal. docs/editing.md explains the keys.\n"
)
_WORDS = 16  # by which a place is found, at most
_LONGEST = 25  # characters of the part of an id that names the book, or what its laws are of
_BODIES, _ACT = word_set("bodies"), {"act"}
_SMALL_WORDS = word_set("joining") | {"by"}

_WHY = {
    "sha256": "of scan.txt, which is never changed", "witnesses": "they print some of the same passages",
    "alone": "the label has a line of its own",
}  # fmt: skip

Value = str | int | bool | list[str]


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
class ProposedCode:
    """A code of the book: its id, its title, and what was found."""

    id: str
    title: str
    found: FoundCode


@dataclass(frozen=True, slots=True)
class ProposedPlan:
    """The codes in reading order, and the tables of book.toml below the bibliography.

    `refused`: what was taken for a code and could not be built, and why.
    """

    codes: tuple[ProposedCode, ...]
    tables: tuple[str, ...]
    refused: tuple[tuple[FoundCode, str], ...] = ()


def book_file(imprint: Imprint, plan: ProposedPlan) -> str:
    """Write a book.toml.

    Args:
        imprint: the bibliography, as far as it is known.
        plan: the codes and parts.
    Returns:
        The file's text.
    """
    keys: dict[str, Value] = {
        "title": imprint.title,
        "year": imprint.year,
        "sha256": imprint.sha256,
        "encoding": imprint.encoding if imprint.encoding != "utf-8" else "",
        "witnesses": [*imprint.witnesses],
    }
    guess = {"year": "a guess: the scan names no sure year; correct it"} if imprint.guessed else {}
    authors = (_table("[book.author]", {"given": given, "family": family}) for given, family in imprint.authors)
    return "\n".join([_HEAD, _table("book", keys, why=_WHY | guess), *authors, *plan.tables])


def _table(head: str, keys: Mapping[str, Value], comment: str = "", why: Mapping[str, str] = _WHY) -> str:
    """A table of a TOML file: its head, a comment, and its keys with why they are there; those without a value not."""
    rows = [(f"[{head}]", comment)]
    for key, value in keys.items():
        # JSON's texts, numbers and lists are TOML's too, but for one character.
        shown = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        rows += [(f"{key} = {shown}", why.get(key, ""))] if value else []
    return "".join(f"{row} # {said}\n" if said else f"{row}\n" for row, said in rows)


def propose(found: Survey, book_id: str, codes: Sequence[FoundCode]) -> ProposedPlan:
    """Propose the plan of a book.

    Args:
        found: the survey of its scan.
        book_id: its id, with which the ids of its codes begin.
        codes: which of the codes found are to be taken, in reading order.
    """
    named = _named(codes, book_id, title_of(found))
    tables = [*_codes(named), *_parts(found, named), *_citations(named)]
    return ProposedPlan(tuple(named), tuple(tables))


def _codes(codes: Sequence[ProposedCode]) -> Iterator[str]:
    for code in codes:
        name = member(code.found.label)[1]
        if code.found.member != "case":  # the cases are the book's own
            provision = name if name != "Law" else ""
            yield _table("[code]", {"id": code.id, "title": code.title, "provision": provision})


def _parts(found: Survey, codes: Sequence[ProposedCode]) -> Iterator[str]:
    """The parts of the book in reading order, each with its numbering."""
    text, start, end = found.work.text, found.etext.start, found.etext.end
    parts: list[tuple[int, int, str, str, ProposedCode | None]] = [
        (0, start, "skip", "what stands before the book", None)
    ]
    at = start
    for code in codes:
        run = code.found.run
        why = f"{run.labels[0].number} to {run.last}"
        parts.append((at, code.found.start, "paragraphs", "prose", None))
        parts.append((code.found.start, code.found.end, "chapters" if code.found.sections else "series", why, code))
        at = code.found.end
    parts += [(at, end, "paragraphs", "prose", None), (end, len(text), "skip", "what stands after the book", None)]
    after = 0
    for place, stop, grammar, why, coded in parts:
        if text[place:stop].strip():
            place = found.work.trim(place, stop)[0]
            begins = words_at(found.work, place, after) if after else ""
            whole = coded.id if coded and grammar == "chapters" else ""
            yield _table("[part]", {"begins": begins, "grammar": grammar, "code": whole}, why)
            yield from _series(coded) if coded else ()
            after = place + 1 if after else 1


def _series(code: ProposedCode) -> Iterator[str]:
    """The numbering of a code; of a constitution that of its articles, and that of their sections."""
    found, run = code.found, code.found.run
    case = found.member == "case"
    if found.sections:
        stem, name = member(found.label)
        label = common_template(x.template.replace("{I}", "{n}") for x in found.sections)
        yield _table("[part.series]", {"label": found.label, "kind": "section", "slug": stem, "name": name})
        yield _table("[part.series]", {"label": label, "kind": "law", "slug": stem, "name": member(label)[1]})
        return
    keys: dict[str, Value] = {
        "label": found.label,
        "kind": "case" if case else "",
        "code": "" if case else code.id,
        "first": run.first if run.first > 1 else "",
        "expect": run.last,
        "alone": run.alone,
        "subdivisions": [*found.subdivisions],
    }
    yield _table("[part.series]", keys)


def _citations(codes: Sequence[ProposedCode]) -> Iterator[str]:
    """A provision cites its own code by the word that its labels have, which has letters alone: no `By-law`."""
    for code in codes:
        stem, name = member(code.found.label)
        if name.isalpha() and not code.found.sections:
            words = [name, "§"] if "§" in code.found.label else [name]
            within = f"{code.id}/{stem}-"
            yield _table("[citations.series]", {"words": words, "target": within + "{n}", "within": within})


def words_at(work: WorkingText, place: int, after: int) -> str:
    """The words at a place, those of its line and as many more as it takes to find them there first.

    Args:
        work: the working text.
        place: an offset at which a line begins.
        after: an offset; no earlier place counts.
    """
    words = work.text[place:].split(maxsplit=_WORDS)[:_WORDS]
    line = work.text[place:].partition("\n")[0].split(maxsplit=_WORDS)[: _WORDS // 2]
    tried = (" ".join(words[:count]) for count in range(len(line), _WORDS))
    return next((begins for begins in tried if find_words(work, begins, after) == place), " ".join(words))


def _named(codes: Sequence[FoundCode], book_id: str, book_title: str) -> list[ProposedCode]:
    """The codes with ids and titles; the only code of a book has the book's id, of several each ends in its year."""
    work, _, year = book_id.rpartition("-")
    single = sum(code.member != "case" for code in codes) == 1
    named: list[ProposedCode] = []
    taken: set[str] = set()
    for i, code in enumerate(codes, 1):
        title = headline(code.heading) or (book_title if single and names_a_body(book_title) else "Laws")
        subject = _subject(title) or str(i)
        subject = f"{subject}-{i}" if subject in taken else subject
        taken.add(subject)
        own = single or code.member == "case"
        name = book_id if own else f"{work[:_LONGEST].strip('-')}-{subject}-{year}"
        named.append(ProposedCode(name, collapse(title), code))
    return named


def _subject(title: str) -> str:
    """What laws are of, in a word or two: `whist`, `civil-procedure`; words that are misread are left out."""
    words = slug(title, 16).split("-")
    first = next((i + 1 for kind in (_BODIES, _ACT) for i, word in enumerate(words) if word in kind), 0)
    telling = [w for w in [*words[first:], *words[:first]] if w not in _SMALL_WORDS | _BODIES | _ACT]
    known = [w for w in telling if load_lexicon().known(w)] or telling
    return "-".join(known[:2] or words[:2])[:_LONGEST].strip("-") if title != "Laws" else ""
