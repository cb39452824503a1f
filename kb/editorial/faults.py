"""What is wrong with the editor's files as far as the library shows it: all at once, each with its file and line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches

from rapidfuzz import fuzz, process

from extract.corpus.toml import Place
from kb.collation.quoted import deciding_span
from kb.editorial.course import fault_of
from kb.editorial.files import DIGESTS, TITLES, TOPICS, Digest, Rest
from kb.editorial.judgements import Judgements, Library, full_id

_Named = tuple[str, Place, str, str, Collection[str]]
"""A file, a place in it, and the name there: its kind, the name itself, and the names that exist."""


def faults(said: Judgements, library: Library) -> Iterator[str]:
    """Yield a message for each fault of the editor's files: names that do not exist, quotations that are not there.

    Args:
        said, library: the editor's judgements, and what they are about.
    """
    for file, where, kind, name, among in _named(said, library):
        if name not in among:
            yield said.fault(file, unknown(kind, name, among), *where)
    codes = [code.name for code in library.codes]
    for topic, said_of in said.topics.items():
        file = f"{TOPICS}/{topic}.toml"
        for n, question in enumerate(said_of.question):
            for code, answer in question.answer.items():
                for i, rest in enumerate(answer.rests_on):
                    if what := _misplaced(library, rest.unit, code) or _misquoted(said, library, rest):
                        yield said.fault(file, what, "question", n, "answer", code, "rests_on", i)
            for code, near in question.near.items():
                if what := _misplaced(library, near.unit, code):
                    yield said.fault(file, what, "question", n, "near", code)
        for n, distinction in enumerate(said_of.distinction):
            for words, meant in distinction.answers.items():
                if what := fault_of(meant.result or "", codes):
                    yield said.fault(file, what, "distinction", n, "answers", words)


def _named(said: Judgements, library: Library) -> Iterator[_Named]:
    """Yield the names in the editor's files."""
    codes = {code.id: code for code in library.codes}
    questions = {f"{topic}/{question.id}" for topic, file in said.topics.items() for question in file.question}
    asking = {topic for topic, file in said.topics.items() if file.question}
    for entry in said.entries():
        for unit_id in entry.said.provisions:
            yield entry.file, entry.where, "unit", unit_id, library.units
    for unit_id in said.titles:
        yield TITLES, ("titles", unit_id), "unit", unit_id, library.units
    for digest in said.every(Digest):
        for key, kind, names, among in (
            ("applies", "unit", digest.said.applies, library.units),
            ("questions", "question", digest.said.questions, questions),
            ("otherwise", "code", digest.said.otherwise, codes),
            ("silent", "code", digest.said.silent, codes),
            ("open", "code", digest.said.open, codes),
        ):
            yield from ((DIGESTS, (*digest.where, key), kind, name, among) for name in names)
    for topic, said_of in said.topics.items():
        file = f"{TOPICS}/{topic}.toml"
        yield file, (), "topic", topic, library.topics
        yield from ((file, ("members", i), "unit", name, library.units) for i, name in enumerate(said_of.members))
        for n, question in enumerate(said_of.question):
            here: Place = ("question", n)
            yield from ((file, (*here, "answer", code), "code", code, codes) for code in question.answer)
            yield from ((file, (*here, "silent"), "code", code, codes) for code in question.silent)
            yield from (
                (file, (*here, "near", c), "unit", near.unit, library.units) for c, near in question.near.items()
            )
            yield from (
                (file, (*here, "also"), "other topic with questions", t, asking - {topic}) for t in question.also
            )
            for sister in question.sisters:
                yield file, (*here, "sisters"), "question", full_id(topic, sister), questions
        for n, distinction in enumerate(said_of.distinction):
            meant = [("answers", answer.question) for answer in distinction.answers.values()]
            for key, name in (*(("shown", name) for name in distinction.shown), *meant):
                yield file, ("distinction", n, key), "question", full_id(topic, name), questions


def _misplaced(library: Library, unit_id: str, code: str) -> str:
    """Say if a unit belongs neither to a code nor, outside its codes, to the book that prints it."""
    unit = library.units.get(unit_id)
    books = {known.id: known.book for known in library.codes}
    if unit is None or (unit.code_id or unit.book_id) in (code, books.get(code)):
        return ""
    return f"{unit_id} belongs to another code; correct the id, or delete the entry"


def _misquoted(said: Judgements, library: Library, rest: Rest) -> str:
    """Say that a provision does not have the deciding words, and which it has.

    If it was another text when judged, nothing is said: the answer is stale, which is no fault of the file.
    """
    unit = library.units.get(rest.unit)
    if unit is None or said.is_stale(rest.unit, unit.text) or deciding_span(rest.words, unit.text):
        return ""
    near = nearest(rest.words, unit.text)
    hint = f"the nearest there are {near!r}" if near else "copy them exactly from its text"
    return f"{rest.unit} does not contain the words {rest.words!r}; {hint}"


def unknown(kind: str, name: str, names: Collection[str]) -> str:
    """Return the message for a name that does not exist, with the nearest ones that do."""
    near = get_close_matches(name, names, 2)
    meant = f"did you mean {' or '.join(near)}?" if near else "add it, or correct the id"
    return f"there is no {kind} {name!r}; {meant}"


def nearest(words: str, text: str) -> str:
    """Return the passage of a text, in whole words, that is most similar to some words; empty if none is."""
    there, most = text.split(), len(words.split()) + 1
    passages = (
        " ".join(there[i : i + n]) for n in range(max(1, most - 2), most + 1) for i in range(len(there) - n + 1)
    )
    found = process.extractOne(words, passages, scorer=fuzz.ratio, score_cutoff=50)
    return found[0] if found else ""
