"""A small corpus that uses every table and key of the editor's files, and ways to break them."""

import json
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from samples import render

from extract.corpus.book import load_books
from extract.corpus.errata import read_errata
from extract.text.source import read_scan
from kb.concepts.tagging import read_thesaurus, read_topics
from kb.editorial.judgements import read_judgements

SCAN = render(
    [
        "THE LAWS OF WHIST",
        *(f"{n}. If a player revoke, his adversaries may take three tricks from him." for n in range(1, 9)),
        "CASES",
        *(f"Case {n}. He led out of turn. Decision.—It stands." for n in range(1, 5)),
        "A p1ain table of odds follows here, and the author's remarks, which nobody can read wholly or in part.",
    ],
    "lines",
)
AT = {
    words: SCAN.index(words)
    for words in ("THE LAWS", "revoke", "three", "p1ain", "author", "wholly", "odds", "in part")
}

BOOK = f"""
[book]
title = "A Small Book"
short = "Small Book"
year = 1850
place = "London"
publisher = "Nobody"
note = "Made for tests."
sha256 = "{sha256(SCAN.encode()).hexdigest()}"
layout = "lines"
[[book.author]]
given = "N."
family = "N."

[[code]]
id = "club-1850"
title = "Laws of the Club"
short = "Club laws"
year = 1850
authority = "the club"
provision = "Law"
note = "The first."

[[part]]
id = "title"
begins = ""
grammar = "whole"
kind = "front_matter"
slug = "title-page"
[[part]]
id = "laws"
begins = "THE LAWS"
grammar = "series"
[[part.series]]
label = "{{n}}."
kind = "law"
slug = "law"
code = "club-1850"
name = "Law"
expect = 8
alone = false
subdivisions = ["{{I}}.", "ordinal"]
items = true
[[part.series]]
label = "A {{n}}.|App. {{n}}."
kind = "law"
slug = "law"
prefix = "a"
[[part]]
id = "cases"
begins = "CASES"
grammar = "cases"
split = ["Decision"]
[[part.series]]
label = "Case {{n}}."
kind = "case"
slug = "case"
[[part]]
id = "comments"
begins = "COMMENTS"
grammar = "commentary"
explains = "club-1850/law-"
[[part.series]]
label = "Laws {{list}}."
kind = "commentary"
slug = "comment"
name = "Law"
prefix = "a"
expect = 8
[[part]]
id = "rules"
begins = "RULES"
grammar = "chapters"
[[part.series]]
label = "Article {{I}}."
kind = "section"
slug = "rules"
name = "Article"
[[part.series]]
label = "Section {{n}}."
kind = "constitution_section"
slug = "rules"
[[part]]
id = "words"
begins = "WORDS"
grammar = "definitions"
[[part]]
id = "odds"
begins = "ODDS"
grammar = "table"
[[part]]
id = "remarks"
begins = "REMARKS"
grammar = "paragraphs"
[[part]]
id = "index"
begins = "INDEX"
grammar = "index"
headings = ["PART I."]

[citations]
parts = ["Section"]
ditto = ["idem", "„"]
[[citations.series]]
words = ["Law", "Rule"]
target = "club-1850/law-{{n}}"
names = ["English"]
default = true
within = "club-1850/law"
[[citations.series]]
words = ["Section"]
target = "small-1850/ch{{chapter}}-s{{n}}"
chapter = 5
"""
ERRATA = f"""
[[reading]]
at = {AT["p1ain"]}
scan = "p1ain"
read = "plain"
kind = "ocr"
reason = "misread"
[[reading]]
at = {AT["three"]}
scan = "three"
kind = "typo"
meant = "two"
slip = true
cites = "club-1850/law-2"
reason = "his own slip"
[[reading]]
at = {AT["author"]}
scan = "author"
kind = "illegible"
guess = "editor"
reason = "a blot"
[[doubt]]
at = {AT["odds"]}
scan = "odds"
guess = "odd"
reason = "which?"
[[passage]]
start = {AT["wholly"]}
end = {AT["wholly"] + 6}
first = "wholly"
kind = "footnote"
of = "club-1850/law-2"
label = "(a)"
reason = "it belongs there"
[[page]]
at = {AT["THE LAWS"]}
folio = "1"
first = "THE LAWS"
reason = "the first"
[[page]]
at = {AT["revoke"]}
folio = "2"
first = "revoke"
reason = "the second"
[[note]]
at = {AT["in part"]}
scan = "in part"
text = "Nobody has tried."
reason = "to be tried"
"""
OTHER = f"""
[book]
title = "Another Book"
short = "Another"
year = 1860
place = "London"
publisher = "Nobody"
note = ""
sha256 = "{sha256(SCAN.encode()).hexdigest()}"
[[book.author]]
family = "N. N."
[[code]]
id = "other-code"
title = "Laws"
short = "Laws"
year = 1860
authority = "nobody"
[[part]]
id = "laws"
begins = ""
grammar = "paragraphs"
"""
THESAURUS = """
[[concept]]
id = "revoke"
label = "Revoke"
note = "Not following suit when able."
variants = ["renege"]
historical = ["renounce in error"]
patterns = ["fail *3 follow|followed suit"]
[[concept]]
id = "penalty"
label = "Penalty"
note = ""
broader = "revoke"
"""
TOPICS = """
[[topic]]
id = "revoke"
label = "The revoke"
note = "What it costs."
concepts = ["revoke", "penalty"]
[[topic]]
id = "penalties"
label = "Penalties"
note = ""
concepts = ["penalty"]
"""
CONCORDANCE = """
[[twins]]
a = "other-code"
b = "third-code"
least = 0.9
reason = "one text, printed twice"
[[link]]
a = "club-1850/law-1"
b = "other-code/law-1"
relation = "equivalent"
reason = "read"
[[link]]
a = "club-1850/law-2"
b = "other-code/law-2"
relation = "differs"
reason = "three, against two"
[[closed]]
provision = "club-1850/law-1"
codes = ["other-code", "third-code"]
[[unused]]
provision = "club-1850/law-3"
reason = "it tells what the book is for"
"""
ANSWERS = """
members = ["club-1850/law-1", "other-code/law-1"]
[[question]]
id = "penalty"
label = "What does it cost?"
rules = { A = "three points" }
sisters = ["claim"]
silent = ["other-code"]
near = { other-code = { unit = "other-code/law-1", why = "It bans a revoke only." } }
[question.answer.club-1850]
rule = "A"
summary = "Three points."
rests_on = [{ unit = "club-1850/law-1", words = "pay three" }]
[[question]]
id = "claim"
label = "Until when?"
rules = {}
silent = ["club-1850", "other-code"]
[[distinction]]
fact = "Was the trick turned?"
shown = ["penalty"]
[distinction.answers]
no = "penalty"
yes = { question = "claim", result = "too late" }
"""
TEXTS = """
[read]
"club-1850/law-1" = "He must pay three."
"club-1850/law-2" = "He must pay four."
"""
TITLES = """
[titles]
"club-1850/law-1" = "Three tricks for a revoke"
"""
FILES = {
    "small-1850/book.toml": BOOK,
    "small-1850/errata.toml": ERRATA,
    "other-1860/book.toml": OTHER,
    "thesaurus.toml": THESAURUS,
    "topics.toml": TOPICS,
    "concordance.toml": CONCORDANCE,
    "topics/revoke.toml": ANSWERS,
    "read.toml": TEXTS,
    "titles.toml": TITLES,
}


def write(corpus: Path) -> None:
    """Write the small corpus, which has no faults."""
    for name, text in FILES.items():
        (corpus / name).parent.mkdir(parents=True, exist_ok=True)
        (corpus / name).write_text(text, encoding="utf-8")
    for book in ("small-1850", "other-1860"):
        (corpus / book / "scan.txt").write_text(SCAN, encoding="utf-8")


def read_all(corpus: Path) -> None:
    """Read each of the editor's files as a build does."""
    for book in load_books(corpus):
        read_errata(book.folder / "errata.toml", read_scan(book.scan_path, book.sha256))
    read_topics(corpus / "topics.toml", read_thesaurus(corpus / "thesaurus.toml"))
    read_judgements(corpus)


# Ways to break the files, one fault at a time.
FREE = {"answer", "near", "rules", "answers", "read", "titles"}  # tables whose keys the editor chooses
# Keys that no entry may lack.
REQUIRED = {"title", "sha256", "family", "grammar", "at", "scan", "reason", "start", "end", "folio", "a", "b",
            "relation", "fact", "concepts", "summary", "unit", "why"}  # fmt: skip


def broken_keys(file: str) -> Iterator[tuple[str, str, str]]:
    """Each key of a file, where it occurs first: misspelt, removed if it must be there, and with other values.

    Yields:
        The text of the file, and the entry and the key that the error must name.
    """
    seen = set[tuple[str, ...]]()
    for above, key in _keys(tomllib.loads(FILES[file])):
        *tables, _ = names = (*(step for step in above if isinstance(step, str)), key)
        if names in seen or FREE & {*tables[-1:]}:
            continue
        seen.add(names)
        entry = ", ".join(tables[-1:])
        if above and isinstance(above[-1], int):
            entry = f"{entry} {above[-1] + 1}"
        for value in ("misspelt", 7, {"a": 1}, *(["removed"] if key in REQUIRED else [])):
            table = data = tomllib.loads(FILES[file])
            for step in above:
                table = table[step]
            old = table.pop(key)
            if type(value) is type(old) is not str:
                continue
            if value != "removed":
                table |= {f"{key}ed": old} if value == "misspelt" else {key: value}
            told = f"{key}: "
            if key in ("grammar", "kind"):  # of these depends which other keys an entry has
                told = ""
            elif value == "misspelt":
                told = f"{key}ed: Extra inputs are not permitted"
            yield "".join(f"{name} = {_toml(each)}\n" for name, each in data.items()), entry, told


def _keys(data: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Each key, with the keys and list indices that lead to its table."""
    for key, value in data.items():
        yield above, key
        for i, entry in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(entry, dict):
                yield from _keys(entry, (*above, key, i) if isinstance(value, list) else (*above, key))


def _toml(value: Any) -> str:
    """A value as TOML, with inline tables, so that any value can replace any other."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
