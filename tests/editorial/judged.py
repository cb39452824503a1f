"""A small library that an editor has judged: three codes, two laws each, of which the third reprints the second."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from extract.model import Unit
from kb.editorial.judgements import Judgements, Library, library, read_judgements
from kb.editorial.judging import written
from kb.editorial.tables import tables
from kb.editorial.waiting import Open, waiting

SEATS = "The lowest cut chooses the seats."
TEXTS = {
    "o-1850/law-1": "A player who revokes shall lose three tricks.",
    "o-1850/law-2": "A revoke must be claimed before the cards are cut.",
    "n-1890/law-1": "Whoever revokes forfeits two tricks to the other side.",
    "n-1890/law-2": SEATS,
    "c-1891/law-1": "Whoever revokes forfeits two tricks to the other side.",
    "c-1891/law-2": SEATS.replace("chooses", "choose"),
}
CODES = [(f"{name}-{year}", year, name, f"book-{year}") for name, year in (("o", 1850), ("n", 1890), ("c", 1891))]
CONCORDANCE = """
[[twins]]
a = "n-1890"
b = "c-1891"
least = 0.9
reason = "one text, printed twice"
[[link]]
a = "o-1850/law-1"
b = "n-1890/law-1"
relation = "differs"
reason = "three tricks, against two"
[[closed]]
provision = "o-1850/law-2"
codes = ["n-1890"]
[[closed]]
provision = "n-1890/law-2"
codes = ["o-1850"]
[[unused]]
provision = "n-1890/law-2"
reason = "no question is asked about seats"
[[unused]]
provision = "c-1891/law-2"
reason = "no question is asked about seats"
"""
ANSWERS = """
members = ["o-1850/law-1", "o-1850/law-2", "n-1890/law-1", "n-1890/law-2"]
[[question]]
id = "penalty"
label = "What does a revoke cost?"
rules = { A = "three tricks", B = "two tricks" }
[question.answer.o-1850]
rule = "A"
summary = "Three tricks."
rests_on = [{ unit = "o-1850/law-1", words = "lose three tricks" }]
[question.answer.n-1890]
rule = "B"
summary = "Two tricks."
rests_on = [
    { unit = "n-1890/law-1", words = "forfeits two tricks" },
]
[[question]]
id = "claim"
label = "Until when may it be claimed?"
rules = { A = "until the next cut" }
silent = ["n-1890"]
[question.answer.o-1850]
rule = "A"
summary = "Until the cards are cut."
rests_on = [{ unit = "o-1850/law-2", words = "before the cards are cut" }]
"""
FILES = {
    "concordance.toml": CONCORDANCE,
    "topics/revoke.toml": ANSWERS,
    "glosses.toml": '[[gloss]]\nprovision = "n-1890/law-1"\nwords = "A revoke costs two tricks."\n',
    "read.toml": written(TEXTS),
}


def units(texts: Mapping[str, str]) -> list[Unit]:
    """The laws of codes that are not those of their books; a text after a third slash is a paragraph."""
    found = []
    for n, (unit_id, text) in enumerate(texts.items()):
        code, law, *part = unit_id.split("/")
        parent, kind = (f"{code}/{law}", "subclause") if part else (None, "law")
        found.append(Unit(unit_id, code, code, kind, law, law, parent, None, n, n, n + 1, None, text))
    return found


def library_of(texts: Mapping[str, str] | None = None, lacks: Mapping[str, list[str]] | None = None) -> Library:
    return library(CODES, lacks or {}, units(TEXTS | (texts or {})), {"revoke", "claims"})


def read(corpus: Path, files: Mapping[str, str] | None = None) -> Judgements:
    """Write the editor's files, some of them replaced, and read them."""
    for name, text in (FILES | dict(files or {})).items():
        (corpus / name).parent.mkdir(exist_ok=True, parents=True)
        (corpus / name).write_text(text, encoding="utf-8")
    return read_judgements(corpus)


def rows(corpus: Path, files: Mapping[str, str] | None = None, **of_library: Any) -> dict[str, list[dict[str, Any]]]:
    """The tables that the editor's files fill."""
    return tables(read(corpus, files), library_of(**of_library))


def open_in(corpus: Path, files: Mapping[str, str] | None = None, texts: Mapping[str, str] | None = None) -> list[Open]:
    """What waits for the editor."""
    said, known = read(corpus, files), library_of(texts)
    return [*waiting(said, known, tables(said, known))]
