"""Find what a text may cite: numbered provisions (`law 72 (ii)`), pages, and headings in quotation marks."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from kb.citing.citable import HEADING, ON_PAGE, Citable, as_heading, in_digits
from kb.citing.citation import PAGE
from kb.read import lookup
from kb.read.domain import domain

_MOST_OF_LIST = 12
# Not the pronoun: `in law 72 I find`.
_NO_PRONOUN = r"(?!(?-i:I\s+(?!(?:and|or|to|of|in|is|says)\b)[a-z]))"
_NUMBER = re.compile(
    rf"[\s.]*(?:nos?\.\s*)?{_NO_PRONOUN}(?P<number>[a-z]?\d{{1,3}}|[ivxlc]+)\b(?!\s*['’]\w)", re.IGNORECASE
)
_COMMENTED = re.compile(r"\s+(?:on|to|upon)\s+\w+", re.IGNORECASE)
_ALSO = re.compile(
    r"\s*(?P<joint>[,;&–—-]|\band\b|\bto\b|\bor\b)\s*(?:and\s+|&\s*)?(?P<number>[A-Za-z]?\d{1,3})\b(?!\s*(?:\w*%|st|nd|rd|th))"
)
_AND = frozenset(("and", "or", "&"))
_WORD_FOR_PART = (
    r"(?:§+|paragraphs?|paras?\.?|pars?\.?|sub-?sections?|sections?|sect?\.?|sub-?clauses?|clauses?|cl\.|rows?)"
)
# A paragraph of a provision, the decision of a case, or a note.
_PART = re.compile(
    rf"[\s,]*(?:{_WORD_FOR_PART}\s*)?[(\[]\s*([ivx]{{1,5}}|\d{{1,2}}|[a-z])\s*[)\]]"
    rf"|[\s,]*{_WORD_FOR_PART}\s*([ivx]{{1,5}}|\d{{1,2}}(?:,\sfootnote)?)\b"
    rf"|[\s,]+{_NO_PRONOUN}((?-i:[IVX]{{1,5}}))\b(?![.’'])"
    r"|[\s,(]*(?:the\s+)?(decision(?:,\sfootnote)?|(?:foot)?note(?!\s+[a-z]))\b",
    re.IGNORECASE,
)
# A heading as the styles write it: with a number, of a definition, or after the author or year and before the title.
_HEADED = re.compile(
    r"[“\"‘«'](?P<numbered>[^“”\"‘«»]{1,200}?\d)[,.]?[”’\"»']"
    r"|(?P<defined>\bdefinition\s+of\s+[“\"‘«'][^“”\"‘«»]{1,60}?)[,.]?[”’\"»']"
    r"|(?<=\d{4},\s)[“\"](?P<dated>[^“”\"]{1,200})[”\"]"
    r"|(?:(?<=[,.]\s)|(?<=[,.]\s[“‘]))[“\"‘«'](?P<titled>[^“”\"‘«»]{1,200}?)[,.]?[”’\"»']+(?=,\sp|\s(?:in\s)?[A-Z])",
    re.IGNORECASE,
)
_DATED = re.compile(r"\]?\s\(1[5-9]\d\d\)")

Tokens: TypeAlias = Sequence[tuple[str, int, int]]
"""The words of a text in lower case, each with its span in characters."""


@dataclass(frozen=True, slots=True)
class Pinpoint:
    """A numbered provision, a page or a heading in a text: its kind, number and part, and its span in characters."""

    kind: str
    number: str
    part: str
    start: int
    end: int


def token_at(tokens: Tokens, at: int) -> int:
    """The index of the first token from an offset on."""
    return bisect_left(tokens, at, key=lambda token: token[1])


def provisions(conn: sqlite3.Connection, text: str, tokens: Tokens) -> Iterator[tuple[Pinpoint, ...]]:
    """The numbered provisions of a text, grouped by list: `laws 72, 73 and 80`."""
    kinds: dict[str, str | None] = {}
    roles = domain(conn).roles
    last = ("", 0, 0)
    for word, start, end in tokens:
        if word not in kinds:
            kinds[word] = lookup.kind_of(conn, word)
        kind, (before, opening, close) = kinds[word], last
        last = (word, start, end)
        group = kinds.get(before)
        if kind == "law" and group and roles.get(group) == "provision" and not text[close:start].strip(" ,"):
            kind, start = group, opening  # `dummy, rule 3`
        if kind and roles.get(kind) == "commentary" and (of := _COMMENTED.match(text, end)):
            end = of.end()
        found = _NUMBER.match(text, end) if kind else None
        if found is None or kind is None or _is_page(text, word, found.end()):
            continue
        number = in_digits(found["number"])
        if not number[-1:].isdecimal() or (len(word) == 1 and found["number"].isalpha()):
            continue  # after `l`, a Roman numeral is a word
        part, close = _part(text, found.end())
        listed = [Pinpoint(kind, number, part, start, close)]
        while more := _ALSO.match(text, listed[-1].end):
            number = in_digits(more["number"])
            is_range = more["joint"] in "–—-" or more["joint"] == "to"
            low, high = (int(n) if n.isdecimal() else 0 for n in (listed[-1].number, number))
            if (is_range and not 0 < low < high < low + _MOST_OF_LIST) or (
                listed[-1].part and more["joint"] not in _AND
            ):
                break
            part, close = _part(text, more.end())
            begin = listed[-1].start if is_range else more.start("number")
            between = range(low + 1, high) if is_range else ()
            listed += (Pinpoint(kind, str(n), "", begin, more.end()) for n in between)
            listed.append(Pinpoint(kind, number, part, begin, close))
        if roles.get(kind) == "commentary":  # one on all of them
            listed = [replace(listed[0], end=listed[-1].end)]
        yield tuple(listed)


def _part(text: str, at: int) -> tuple[str, int]:
    """The part of a provision that a text names after its number (see `Citable`), and the offset of its end."""
    found = _PART.match(text, at)
    return (in_digits(next(filter(None, found.groups()))), found.end()) if found else ("", at)


def headings(known: Citable, text: str) -> Iterator[tuple[Pinpoint]]:
    """The places that are cited by a heading: `“Preface, paragraph 15”`."""
    for quoted in _HEADED.finditer(text):
        kind = quoted.lastgroup or ""
        if (words := as_heading(quoted[kind])) in known.headings:
            part, end = _part(text, quoted.end())
            yield (Pinpoint(HEADING, words, part, quoted.start(kind), end if part else quoted.end(kind)),)


def pages(conn: sqlite3.Connection, text: str, tokens: Tokens) -> Iterator[Pinpoint]:
    """The pages of a text, in order."""
    for page in PAGE.finditer(text):
        word = tokens[token_at(tokens, page.start()) - 1][0]
        if text[page.start()].isalpha() or not lookup.kind_of(conn, word) or _is_page(text, word, page.end()):
            yield Pinpoint(ON_PAGE, page["page"], "", *page.span())


def _is_page(text: str, word: str, end: int) -> bool:
    """Whether the number after a word is a page: in `law 30 (1864)` it is none, in `The Laws 30 (1839)` it is."""
    return word.endswith("s") and _DATED.match(text, end) is not None
