"""The plan proposed for a book: the tables of its book.toml, with comments on what is not obvious."""

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
    "# Proposed by `whist add` from the scan. Edit it freely: run again, the command does not change it, but lists\n"
    "# the differences from a new proposal. docs/editing.md explains the keys.\n"
)
_WORDS = 16  # words by which a place is found, at most
_LONGEST = 25  # characters of the part of an id that names the book, or the subject of its laws
_BODIES, _ACT = word_set("bodies"), {"act"}
_SMALL_WORDS = word_set("joining") | {"by"}

_WHY = {
    "sha256": "of scan.txt, which is never changed",
    "alone": "each label is on a line of its own",
}  # fmt: skip

Value = str | int | bool | list[str]


@dataclass(frozen=True, slots=True)
class Imprint:
    """The bibliographic data of a book; `guessed`: its year is a guess."""

    title: str
    year: int
    authors: tuple[tuple[str, str], ...]
    sha256: str
    encoding: Encoding
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class ProposedCode:
    """A code of the book: its id, its title, and the code as found in the scan."""

    id: str
    title: str
    found: FoundCode


@dataclass(frozen=True, slots=True)
class ProposedPlan:
    """The codes in reading order, and the tables of book.toml below the bibliography.

    `refused`: the codes that cannot be built as proposed, each with the reason.
    """

    codes: tuple[ProposedCode, ...]
    tables: tuple[str, ...]
    refused: tuple[tuple[FoundCode, str], ...] = ()


def book_file(imprint: Imprint, plan: ProposedPlan) -> str:
    """Return the text of a book.toml.

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
    }
    guess = {"year": "a guess, because the scan does not state the year clearly; correct it"} if imprint.guessed else {}
    authors = (_table("[book.author]", {"given": given, "family": family}) for given, family in imprint.authors)
    return "\n".join([_HEAD, _table("book", keys, why=_WHY | guess), *authors, *plan.tables])


def _table(head: str, keys: Mapping[str, Value], comment: str = "", why: Mapping[str, str] = _WHY) -> str:
    """Return a TOML table: its head with a comment, and its keys with theirs; keys with an empty value are left out."""
    rows = [(f"[{head}]", comment)]
    for key, value in keys.items():
        # JSON strings, numbers and lists are valid TOML too, except for one character.
        shown = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        rows += [(f"{key} = {shown}", why.get(key, ""))] if value else []
    return "".join(f"{row} # {note}\n" if note else f"{row}\n" for row, note in rows)


def propose(found: Survey, book_id: str, codes: Sequence[FoundCode]) -> ProposedPlan:
    """Propose the plan of a book.

    Args:
        found: the survey of its scan.
        book_id: its id, with which the ids of its codes begin.
        codes: the codes to include, out of those found, in reading order.
    """
    named = _named(codes, book_id, title_of(found))
    tables = [*_codes(named), *_parts(found, named), *_citations(named)]
    return ProposedPlan(tuple(named), tuple(tables))


def _codes(codes: Sequence[ProposedCode]) -> Iterator[str]:
    for code in codes:
        name = member(code.found.label)[1]
        if code.found.member != "case":  # cases belong to the book itself
            provision = name if name != "Law" else ""
            yield _table("[code]", {"id": code.id, "title": code.title, "provision": provision})


def _parts(found: Survey, codes: Sequence[ProposedCode]) -> Iterator[str]:
    """Yield the tables of the book's parts in reading order, each with its numbering."""
    text, start, end = found.work.text, found.etext.start, found.etext.end
    parts: list[tuple[int, int, str, str, ProposedCode | None]] = [(0, start, "skip", "text before the book", None)]
    at = start
    for code in codes:
        run = code.found.run
        why = f"{run.labels[0].number} to {run.last}"
        parts.append((at, code.found.start, "paragraphs", "prose", None))
        parts.append((code.found.start, code.found.end, "chapters" if code.found.sections else "series", why, code))
        at = code.found.end
    parts += [(at, end, "paragraphs", "prose", None), (end, len(text), "skip", "text after the book", None)]
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
    """Yield the numbering of a code; for a constitution, that of its articles and that of their sections."""
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
    """Yield how each code cites its own provisions: by the word of their labels.

    The word must have only letters, unlike `By-law`.
    """
    for code in codes:
        stem, name = member(code.found.label)
        if name.isalpha() and not code.found.sections:
            words = [name, "§"] if "§" in code.found.label else [name]
            within = f"{code.id}/{stem}-"
            yield _table("[citations.series]", {"words": words, "target": within + "{n}", "within": within})


def words_at(work: WorkingText, place: int, after: int) -> str:
    """Return the words at a place: those of its line, and more until their first match is at this place.

    Args:
        work: the working text.
        place: an offset at which a line begins.
        after: an offset; matches before it do not count.
    """
    words = work.text[place:].split(maxsplit=_WORDS)[:_WORDS]
    line = work.text[place:].partition("\n")[0].split(maxsplit=_WORDS)[: _WORDS // 2]
    tried = (" ".join(words[:count]) for count in range(len(line), _WORDS))
    return next((begins for begins in tried if find_words(work, begins, after) == place), " ".join(words))


def _named(codes: Sequence[FoundCode], book_id: str, book_title: str) -> list[ProposedCode]:
    """Give the codes ids and titles; a single code has the id of the book, several have ids that end in its year."""
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
    """Return the subject of laws in one or two words: `whist`, `civil-procedure`; misread words are left out."""
    words = slug(title, 16).split("-")
    first = next((i + 1 for kind in (_BODIES, _ACT) for i, word in enumerate(words) if word in kind), 0)
    content = [w for w in [*words[first:], *words[:first]] if w not in _SMALL_WORDS | _BODIES | _ACT]
    known = [w for w in content if load_lexicon().known(w)] or content
    return "-".join(known[:2] or words[:2])[:_LONGEST].strip("-") if title != "Laws" else ""
