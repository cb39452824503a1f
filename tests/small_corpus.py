"""A small corpus that uses every table and key of the editor's files, and ways to break them."""

import copy
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
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
highest = 20
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
highest = 20
[[part]]
id = "rules"
begins = "RULES"
grammar = "chapters"
[[part.series]]
label = "Article {{I}}."
kind = "section"
slug = "rules"
name = "Article"
highest = 20
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
grammar = "entries"
topics = true
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


@dataclass(frozen=True, slots=True)
class Broken:
    """A file with one fault, and what the message must name."""

    file: str
    text: str
    named: tuple[str, ...]
    id: str


def toml(value: Any) -> str:
    """A value as TOML, with inline tables, so that any value can replace any other."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


# Keys that may be missing.
OPTIONAL = {
    "layout", "provision", "note of a code", "kind of a part", "slug of a part",
    "code", "name", "expect", "alone", "highest", "subdivisions", "items", "prefix", "topics", "headings", "parts",
    "footnotes", "ditto", "target", "names", "default", "within", "kind of a reading", "meant", "slip", "cites",
    "guess of a reading", "first of a passage", "of", "label of a passage", "page", "doubt", "passage", "reading",
    "given", "variants", "historical", "patterns", "broader", "link", "twins", "members", "question of a ", "closed",
    "unused", "silent", "near", "answer", "also", "sisters", "distinction", "titles",
    "result",
    "unit of a ", "note of a ", "read", "citations", "short", "place", "publisher", "note of a book", "year of a code",
    "authority", "id of a part", "begins", "kind of a series", "slug of a series", "series of a citations",
}  # fmt: skip
FREE = {"answer", "near", "rules", "answers", "read", "titles"}  # tables whose keys the editor chooses
VALUES: tuple[Any, ...] = (7, {"a": 1})


def broken_keys(file: str) -> Iterator[Broken]:
    """Each key of a file, where it occurs first: misspelt, removed, and with values of other types."""
    data = tomllib.loads(FILES[file])
    seen: set[tuple[str, ...]] = set()
    for steps in _ways(data):
        *above, key = steps
        table = _at(data, above)
        kind = str(table.get("kind", "")) if _kind(above) == "reading" else ""
        names = (*(step for step in steps if isinstance(step, str)), kind)
        if names in seen:
            continue
        seen.add(names)
        entry = _entry(above)
        if _kind(above) in FREE:
            continue
        misspelt = ("key '",) if key in ("grammar", "kind") else (f"key '{key}ed': unknown key",)
        yield Broken(file, _with(data, above, key, f"{key}ed"), (*entry, *misspelt),
                     f"{file} {_path(steps)} misspelt")  # fmt: skip
        if len(data) == 1 and not above and key not in OPTIONAL:
            yield Broken(file, "# nothing\n", (f"key '{key}': it is missing",), f"{file} {key} taken out")
        elif key not in OPTIONAL and f"{key} of a {_kind(above)}" not in OPTIONAL:
            yield Broken(file, _with(data, above, key, None), (*entry, f"key '{key}': "),
                         f"{file} {_path(steps)} taken out")  # fmt: skip
        for value in VALUES:
            if type(value) is not type(table[key]):
                other = copy.deepcopy(data)
                _at(other, above)[key] = value
                yield Broken(file, _written(other), (*entry, f"key '{key}'"),
                             f"{file} {_path(steps)} is {toml(value)}")  # fmt: skip


def _ways(data: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path to each key: the keys and list indices that lead to it."""
    for key, value in data.items():
        yield (*above, key)
        for i, entry in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(entry, dict):
                yield from _ways(entry, (*above, key, i) if isinstance(value, list) else (*above, key))


def _at(data: Any, steps: list[str | int] | tuple[str | int, ...]) -> Any:
    for step in steps:
        data = data[step]
    return data


def _with(data: Any, above: list[str | int], key: Any, new: str | None) -> str:
    other = copy.deepcopy(data)
    table = _at(other, above)
    value = table.pop(key)
    if new is not None:
        table[new] = value
    return _written(other)


def _written(data: Any) -> str:
    return "\n".join(f"{key} = {toml(value)}" for key, value in data.items()) + "\n"


def _entry(above: list[str | int]) -> tuple[str, ...]:
    """How the message names the entry: `[[part]] 2`, or `[book]`."""
    names = ".".join(step for step in above if isinstance(step, str))
    if not names:
        return ()
    return (f"[[{names}]] {above[-1] + 1}",) if isinstance(above[-1], int) else (f"[{names}]",)


def _kind(above: list[str | int]) -> str:
    names = [step for step in above if isinstance(step, str)]
    return names[-1] if names else ""


def _path(steps: tuple[str | int, ...]) -> str:
    return ".".join(map(str, steps))
