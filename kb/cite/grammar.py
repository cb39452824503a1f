"""Read citations: one that is typed, and those of a text.

    citation := names pinpoint [of names] [tail] [page] [address] | pinpoint of names [page] [address] | address
    pinpoint := word number [(part) ...] [, number ...] | heading

All names and years of a citation (`English laws, 1864`, `Drayson`) must mean one work. A tail is what our own forms
print after a pinpoint. A letter stands for each token of a text, and another one for what is between two; the grammar
is a pattern of these letters. So a citation takes nothing from its neighbours. In a text it must name its work, and
nothing directly beside it may make it doubtful; one that is not read says why (`Reading.problem`).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from extract.corpus.table import WORK_ID
from kb.cite.tokens import ADDRESS, Token, tokens
from kb.cite.works import Table, Words, table

_LOCAL = ("localhost", "127.0.0.1")
# What may be between the pieces of a citation, each with its letter; other words and signs part it from its neighbours.
_JOINT = r"(?:[\s,()\[\]<>*_]|(?<=\w)[’'](?:s\b)?|\b(?:the|codes?|laws|rules|club|whist)\b)*"
_BETWEEN = tuple(
    (letter, re.compile(pattern, re.IGNORECASE))
    for letter, pattern in (
        ("_", r"\s*"),
        ("j", rf"(?![^(]*\(){_JOINT}"),
        ("b", _JOINT),
        ("n", rf"{_JOINT}\b(?:codes?|laws|rules)\s+of\b{_JOINT}"),
        ("o", rf"{_JOINT}\b(?:of|in|by|from)\b{_JOINT}(?:\bof\b{_JOINT})?"),
        ("q", rf"{_JOINT}[“‘]"),
    )
)
_STOP = re.compile(r";(?!\s*\d)|[“”‘\"]|:\s|(?<![.\s])(?<!\b[Nn]o)[.?!]\)?\s+(?=[A-Z\d])")
# The letters of the tokens are those of `Token`. Before each stands the letter of what parts it from the one before:
# those of `_BETWEEN`, a full stop if a sentence or quotation may begin or end, else x.
_NAMES = r".[NY](?:[_jbno][NY])*"
_REST = r"(?P<tail>.T)?(?P<page>[_jb]G)?(?P<address>[_jb]I)?"


def _grammar(*, typed: bool) -> re.Pattern[str]:
    """The pattern of a citation, and of what is like one; what is typed may have a number without a word."""
    pin, after = ("[_jq][PHB]", "[_jbno]") if typed else ("[_jq][PH]", "[no]")
    return re.compile(
        rf"(?P<two>{_NAMES}(?:.&{_NAMES}){{1,4}}{pin})"  # `English and American law 30`
        rf"|(?P<between>.P[jb]{_NAMES[1:]}[_jq]P)"  # `law 72, American laws, 1893, law 30`
        rf"|(?:(?P<names>{_NAMES})(?P<pin>{pin})(?P<of>[no]{_NAMES[1:]})?|(?P<sole>.P)(?P<then>{after}{_NAMES[1:]})?){_REST}"
        rf"|(?P<id>.I)|(?P<unread>{_NAMES}[_jb][G#])|(?P<loose>{_NAMES})"
    )


_GRAMMAR = {typed: _grammar(typed=typed) for typed in (False, True)}
# What makes a citation doubtful, before and after it.
_OTHER_WORK = re.compile(r"W[_jno][NY]|[wW][bo]Y[jbq][PH]")  # `Hoyle's 1864 law 72`, `treaty of 1864, article 5`
_OF_OTHER_WORK = re.compile(r"[ob]W")
_NUMBER_AFTER = re.compile(r"(?:[^.q][wW&]){0,3}[^.q][#G]")
_NAMES_AFTER = re.compile(rf".&{_NAMES}(?![_jq][PH])")
_UNREAD = {
    "two": "it names two works",
    "between": "which of two numbers the work belongs to is not certain",
    "unread": "it has no number that is read",
}


_SPELLED = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)"
)
# What looks like a citation, and is listed if it is not read.
_LIKE = re.compile(
    r"\b(?:ibid(?:em)?|op\.?\s*cit|loc\.?\s*cit|supra|id(?=\.,?\s))\b\.?(?:,?\s*(?:at\s+)?(?:[a-z]{1,7}\.?\s*|§\s*)?\d+)?"
    r"|(?:\b(?:laws?|rules?|articles?|arts?|cases?|sections?|sect?s?|clauses?|cl|maxims?)\b\.?|§+|\\S)"
    rf"(?:\s+nos?\b\.?)?[\s~{{}}]*(?:(?:[A-C]\s?)?\d\w*|(?:(?-i:[ivxlc]{{2,}}|[IVXLC]{{2,}}|[IVX](?=[.,;:)]))|{_SPELLED})(?!\w))"
    rf"|\b{WORK_ID}/[a-z][\w/-]*|\b\d{{1,3}}(?:st|nd|rd|th)\s+(?:law|rule|article|case|maxim)s?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Item:
    """One provision that a citation names, with the ids of the units that it may be; none if there is no such one.

    Attributes:
        place: its place, empty for an address.
        whole: if a part of it does not exist, the provisions.
    """

    name: str
    ids: tuple[str, ...]
    place: Words = ()
    whole: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A citation in a text.

    Attributes:
        start, end: its offsets in the text.
        items: what it names, in order.
        problem: why it is not read; "" if it is.
        page: the page that it gives, if any.
        works: the ids of the works that it may mean.
    """

    start: int
    end: int
    items: tuple[Item, ...] = ()
    problem: str = ""
    page: str = ""
    works: frozenset[str] = frozenset()


def readings(conn: sqlite3.Connection, text: str, host: str = "") -> tuple[list[Reading], list[Token]]:
    """The citations of a text, in order, with those that are recognised and not read, and the names that are in none.

    An address is read if its host is the local one or `host`.
    """
    found, others = _read(conn, text, host, typed=False)
    for match in _LIKE.finditer(text):
        if not any(reading.start < match.end() and match.start() < reading.end for reading in found):
            found.append(Reading(match.start(), match.end(), problem="this form is not read"))
    return sorted(found, key=lambda reading: reading.start), [token for token in others if token.letter in "NY"]


def typed_readings(conn: sqlite3.Connection, text: str, host: str = "") -> list[Reading]:
    """The citations that a typed text consists of; none if it has other words. An address stands for the whole text."""
    found, others = _read(conn, text, host, typed=True)
    return found if all(token.letter == "&" for token in others) else []


def _read(conn: sqlite3.Connection, text: str, host: str, *, typed: bool) -> tuple[list[Reading], list[Token]]:
    """The citations of a text, and the tokens that are in none."""
    known, every, at = table(conn), list(tokens(conn, text, typed=typed)), 0
    addresses = [token for token in every if token.letter == "I"]
    if typed and addresses:
        return [_address(text, addresses[0], host)], []
    letters, found, others = _letters(text, every), list[Reading](), list[Token]()
    while at < len(letters):
        parse = _GRAMMAR[typed].match(letters, at)
        start, at = at, parse.end() if parse else at + 2
        part = every[start // 2 : at // 2]
        if parse is None or parse["loose"]:
            others += part
            continue
        reading = _reading(known, text, part, parse, host, typed=typed)
        found.append(reading if reading.problem or typed else replace(reading, problem=_doubt(letters, parse)))
    return found, others


def _letters(text: str, tokens: Sequence[Token]) -> str:
    """The letters of the tokens of a text, before each the letter of what is before it."""
    made, end = "", 0
    for token in tokens:
        joint = next((letter for letter, pattern in _BETWEEN if pattern.fullmatch(text, end, token.start)), "")
        stop = "." if _STOP.search(text, end, token.start + 1) or not made else "x"
        made, end = made + (joint if made and joint else stop) + token.letter, token.end
    return made


def _reading(
    known: Table, text: str, span: Sequence[Token], parse: re.Match[str], host: str, *, typed: bool
) -> Reading:
    """The citation of some tokens as the grammar has found it."""
    whole = Reading(span[0].start, span[-1].end)
    if why := next((why for group, why in _UNREAD.items() if parse[group]), ""):
        return replace(whole, problem=why)
    if parse["id"]:
        return _address(text, span[0], host)
    pin = next(token for token in span if token.letter in "PBH")
    names = [token for token in span if token.letter in "NYT"]
    works = frozenset(known.nouns).intersection(*(token.works for token in names))
    named = any(token.letter in "NY" for token in names)
    problem = "" if named or typed else "it names no work"
    if unknown := next((token.said for token in names if not token.works), ""):
        problem = f"there is no code or book of {unknown} in this library"
    elif not works:
        problem = "the names or the year belong to different works"
    elif not pin.places:
        problem = "it may be one law and another number, or its range does not rise"
    if not named:
        having = {work for work in works for place, _ in pin.places if (work, place) in known.units}
        works = frozenset({work for work in having if known.nouns[work] == pin.said} or having)
    page = next((token.said for token in span if token.letter in "TG" and token.said), "")
    items = tuple(_item(known, place, said, works) for place, said in pin.places)
    if parse["address"]:
        address = _address(text, span[-1], host)
        same = len(items) == 1 and address.items[0].ids[0] in items[0].ids
        problem = address.problem or ("" if same else "its address is that of another provision")
        items = address.items
    return replace(whole, items=items, problem=problem, page=page, works=works)


def _item(known: Table, place: Words, said: str, works: frozenset[str]) -> Item:
    """What a place means in some works."""

    def ids(place: Words) -> tuple[str, ...]:
        return tuple(i for work in known.nouns if work in works for i in known.units.get((work, place), ()))

    found = ids(place)
    return Item(said, found, place, ids(place[:2]) if len(place) > 2 and not found else ())


def _address(text: str, token: Token, host: str) -> Reading:
    """The citation of an id or a permalink; one of another host is not ours."""
    found = re.compile(ADDRESS, re.IGNORECASE).match(text, token.start)
    assert found
    address, unit = (found["address"] or "").strip("/").lower(), found["unit"].lower().removesuffix("/evidence")
    named = re.sub(r"(?:https?:)?/*(?:[^/@]*@)?([^/:]*).*", r"\1", address)
    ours = not address or named in (*_LOCAL, host or _LOCAL[0])
    problem = "" if ours else f"{named} is not known as an address of this library"
    return Reading(token.start, token.end, (Item(unit, (unit,)),), problem)


def _doubt(letters: str, parse: re.Match[str]) -> str:
    """Why what stands directly beside a citation makes it doubtful."""
    start, end = parse.span()
    if (start and _OTHER_WORK.match(letters, start - 1)) or _OF_OTHER_WORK.match(letters, end):
        return "it is of a work that is not in this library"
    if (parse["of"] or parse["then"]) and _NAMES_AFTER.match(letters, end):
        return _UNREAD["two"]
    return "a number after it is not read" if _NUMBER_AFTER.match(letters, end) else ""
