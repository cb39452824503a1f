"""Read citations: one that is typed, and those of a text.

    citation := names pinpoint [of names] [tail] [page] [address] | pinpoint of names [page] [address] | address
    pinpoint := word number [(part) ...] [, number ...] | heading

Names are titles, authors and years of a work (`English laws, 1864`, `Drayson`); all of a citation must mean one work. A
tail is what our own forms print after a pinpoint. A text is cut into tokens; a letter stands for each, and another one
for what is between two, and the grammar is a pattern of these letters (`_GRAMMAR`). So a citation takes nothing from
its neighbours. In a text it must name its work, and nothing directly beside it may make it doubtful; one that is not
read says why (`Reading.problem`).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from extract.corpus.table import WORK_ID
from kb.cite.works import HEADING, LAW, Table, Words, bare, in_figures, table, words
from kb.read.build_cache import cached_per_build

_LOCAL = ("localhost", "127.0.0.1")
_ID = (
    rf"(?<![\w/.-])(?P<address>[^\s<>()\[\]“”\"]{{0,300}}?/)?(?P<unit>{WORK_ID}(?:/[a-z0-9]+(?:-[a-z0-9]+)*)+)(?![\w-])"
    r"(?:\.(?:json|bib|ris|csl\.json|tei\.xml)\b)?(?:[?#][^\s<>()“”\"]*)?/?"
)
_END = r"(?![^\W_])"  # of a word
_NUMBER = r"(?:(?-i:[A-Z])\s|[a-z])?\d{1,3}[a-z]?(?![^\W_]|[′″%°]|[-–](?!\d))"
_PART = r"\((?:[ivx]+|\d{1,2}|[a-h])\)"
_PARTS = rf"(?:\s?{_PART}(?:\s*,?\s*(?:and|or|&)?\s*{_PART})*)?"
_SUFFIX = r"(?:,\s*(?:decision|footnote|note)\b)*"
_JOINER = r"(?:\s*(?:,\s*(?:and\b|or\b|&)?|\band\b|\bor\b|&)\s*|[-–]|\s+to\s+)"
_ONE = rf"{_NUMBER}{_PARTS}{_SUFFIX}"
# A number before a plural may count things: `laws 72 and 73, 3 points`.
_LIST = rf"{_ONE}(?:{_JOINER}{_ONE}(?!\s+(?:[a-z]+s|odd|point|trick|card)\b))*"
_PIECE = re.compile(
    rf"(?P<joiner>{_JOINER})?(?P<number>{_NUMBER})(?P<parts>{_PARTS})(?P<suffix>{_SUFFIX})", re.IGNORECASE
)
_HEADING = (
    r"(?P<heading>(?P<core>(?<!\w)(?:definition\s+of\s+)?(?:“[^“”]{1,400}”|‘[^‘’]{1,400}’|\"[^\"]{1,400}\"))"
    rf"(?:,?\s*(?:row\s+\d+|\w*note)\b)*|(?<!\w)commentary\s+on\s+[a-z]+\s+{_NUMBER}(?:{_JOINER}{_NUMBER})*)"
)
_FOLIO = r"\\?\[?(?:\d{1,4}|[ivxlc]+)\\?\]?" + _END
_PAGE = rf"(?:pp?\.|pages?)\s*(?P<folio>{_FOLIO}(?:\s?[-–]\s?\d{{1,4}})?)"
_COUNTED = (
    r"(?:more|odd|points?|tricks?|cards?|games?|rubbers?|honou?rs?|players?|persons?|packs?|hands?|times?|others?|pages?"
    r"|lines?|words?|deals?|rounds?|revokes?|years?|days?|minutes?|shillings|guineas|pounds|suits?|trumps?|hearts)\b"
)
# What may be more of a number and is not read: figures, Roman numerals, a single letter that is no word, `ff`,
# `paragraph`.
_LOOSE = (
    r"(?:\d{1,3}[a-z]?|[ivx]{2,}|(?-i:[IVXLC]{2,})|et\s+seqq?|ff|bis|ter|quater|paragraphs?|paras?"
    r"|clauses?|sections?|parts?|sentences?|half"
    r"|(?<![’'])(?<![a-z]\.)(?-i:(?!I\s+[a-z]|A\s+[a-z]{2})[b-zA-Z])(?!\.\w))" + _END
)
_SMALL = r"(?:s|the|codes?|laws|rules|club|whist|of|in|by|from)" + _END
_GAP = r"[\s.,:;’'&()*_“”‘~-]{1,6}"  # between the words of a name
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
# Words that begin a sentence with a capital and name no work.
_OPENERS = re.compile(
    r"(?:a|also|although|an|and|as|at|because|both|but|by|compare|contrast|even|first|for|from|hence|here|however|i|if|in"
    r"|its?|like|moreover|neither|next|no|nor|note?|now|of|on|only|or|per|second|see|since|so|still|than|that|then?"
    r"|therefore|these|this|those|though|thus|to|under|unlike|until|what|when|where|whereas|which|while|who|with|yet)\Z",
    re.IGNORECASE,
)
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
# The grammar. Tokens: names N and years Y, pinpoints P (by heading H; without a word B), tails T, pages G, addresses I,
# other numbers #, words w (with a capital W) and & for `and`. Before each stands the letter of what parts it from the
# one before: those of `_BETWEEN`, a full stop if a sentence or quotation may begin or end, else x.
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


_LETTERS = {"id": "I", "pin": "P", "tail": "T", "page": "G", "number": "#", "bare": "#", "and": "&"}
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


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text, with its letter in the grammar.

    Attributes:
        works: the works that a name or a tail may mean.
        places: those of a pinpoint, each with its printed form; none if they are not certain.
        said: the word of a pinpoint, or a page.
    """

    letter: str
    start: int
    end: int
    works: frozenset[str] = frozenset()
    places: tuple[tuple[Words, str], ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class _Lexer:
    """What cuts texts into tokens: their pattern, with the names of all works."""

    known: Table
    pattern: re.Pattern[str]
    headings: frozenset[Words]

    def tokens(self, text: str, *, typed: bool) -> Iterator[Token]:
        """Cut a text into tokens; signs and the words of `_JOINT` are none."""
        at = 0
        while found := self.pattern.search(text, at):
            kind, said, at = found.lastgroup or "", found[0], found.end()
            token = Token(_LETTERS.get(kind, "w"), found.start(), at)
            match kind:
                case "pin":
                    noun = found["many"] or found["one"]
                    places = self._places(noun, said[len(noun) :])
                    one = typed or not found["one"] or len({place[:2] for place, _ in places}) == 1
                    yield replace(token, places=places if one else (), said=_singular(noun))
                case "bare" if typed:
                    places = self._places(LAW, said)
                    clear = any(len(place) > 2 or not place[1].isdecimal() for place, _ in places)
                    yield replace(token, letter="P" if clear else "B", places=places, said=LAW)
                case "heading":
                    ends = (end for end in (found.end(), found.end("core")) if end > 0)
                    known = (end for end in ends if (HEADING, *words(text[found.start() : end])) in self.headings)
                    at = next(known, found.start() + 1)
                    said = text[found.start() : at]
                    if at > found.start() + 1:
                        yield Token("H", found.start(), at, places=(((HEADING, *words(said)), " ".join(said.split())),))
                case "tail":
                    works = self.known.tails[words(found["after"])]
                    yield replace(token, works=works, said=found["on"] or "")
                case "name" if typed or not said[0].islower():
                    works = self.known.names.get(bare(said), frozenset())
                    yield replace(token, letter="Y" if said.isdecimal() else "N", works=works, said=said)
                case "page":
                    yield replace(token, said=found["folio"])
                case "word" if said[0].isupper() and not _OPENERS.match(said):
                    yield replace(token, letter="W")
                case _ if kind != "joint":
                    yield token

    def _places(self, noun: str, numbers: str) -> tuple[tuple[Words, str], ...]:
        """The places that a pinpoint names, each with its printed form; none if it has a range that does not rise."""
        said = _singular(noun)
        kind = self.known.kinds.get(words(noun)) or self.known.kinds.get(words(said), LAW)
        places: list[tuple[Words, str]] = []
        for piece in _PIECE.finditer(numbers):
            number, suffix = in_figures(piece["number"]), words(piece["suffix"])
            if (piece["joiner"] or "").strip() in ("-", "–", "to"):
                first = places[-1][0][1]
                number = first[: max(0, len(first) - len(number))] + number  # `72-3`
                if not (first.isdecimal() and number.isdecimal() and int(first) < int(number)):
                    return ()
                places += [((kind, str(n)), f"{said} {n}") for n in range(int(first) + 1, int(number))]
            for part in re.findall(r"\((\w+)\)", piece["parts"]) or [""]:
                shown = f"{said} {number if number[0].isdecimal() else number.upper()}" + (f" ({part})" if part else "")
                place = (kind, number, *filter(None, (in_figures(part),)), *suffix)
                places.append((place, ", ".join((shown, *suffix))))
        return tuple(dict.fromkeys(places))


@cached_per_build
def _lexer(conn: sqlite3.Connection) -> _Lexer:
    known = table(conn)
    stopped = [_GAP.join(name) + _END + r"\.(?=\s+[“‘])" for name in known.stopped]
    names = _any([*(_GAP.join(name) + _END for name in known.names), *stopped, rf"(?:1[4-9]|20)\d\d{_END}"])
    tails = _any(map(_GAP.join, known.tails))
    tail = rf"(?P<after>{tails}){_END}(?:[\s,)]*(?:p\.\s*)?(?P<on>{_FOLIO}))?(?:\s*\(\d{{4}}\))?{_END}"
    one, many = _any(map(r",?\s*".join, known.kinds)), _any(f"{noun[-1]}s" for noun in known.kinds if len(noun) == 1)

    pattern = re.compile(
        rf"(?P<id>{_ID})|(?P<url>https?://\S+)|{_HEADING}"
        rf"|(?<!\w)(?:(?P<pin>(?:(?P<many>(?:{many})(?!\w)|§§)\.?\s*(?:nos?\.\s*)?{_LIST}"
        rf"|(?P<one>(?:{one})(?!\w)|§)[.,]?\s*(?:no\.\s*)?{_LIST})(?!\s+{_COUNTED}))"
        rf"|(?P<tail>{tail})|(?P<name>{names})|(?P<page>{_PAGE})|(?P<amount>\d+\s+{_COUNTED})"
        rf"|(?P<bare>{_LIST})|(?P<number>{_LOOSE})|(?P<joint>{_SMALL}))"
        rf"|(?P<and>&|(?<!\w)(?:and|or){_END})|(?P<word>[^\W_]+)",
        re.IGNORECASE,
    )
    headings = frozenset(place for _, place in known.units if place[0] == HEADING)
    return _Lexer(known, pattern, headings)


def _any(patterns: Iterable[str]) -> str:
    """One of some patterns, the longest first."""
    return "|".join(sorted({*patterns}, key=len, reverse=True))


def _singular(noun: str) -> str:
    """The word for one provision: `arts` -> article."""
    said = " ".join(words(noun)).removesuffix("s") or LAW
    return "article" if said == "art" else said


def _letters(text: str, tokens: Sequence[Token]) -> str:
    """The letters of the tokens of a text, before each the letter of what is before it."""
    made, end = "", 0
    for token in tokens:
        joint = next((letter for letter, pattern in _BETWEEN if pattern.fullmatch(text, end, token.start)), "")
        stop = "." if _STOP.search(text, end, token.start + 1) or not made else "x"
        made, end = made + (joint if made and joint else stop) + token.letter, token.end
    return made


def readings(conn: sqlite3.Connection, text: str, host: str = "") -> tuple[list[Reading], list[Token]]:
    """The citations of a text, in order, with those that are recognised and not read, and the names that are in none.

    An address is read if its host is the local one or `host`.
    """
    lexer = _lexer(conn)
    tokens = list(lexer.tokens(text, typed=False))
    letters, found, loose = _letters(text, tokens), list[Reading](), list[Token]()
    for match in _parses(letters, typed=False):
        span = tokens[match.start() // 2 : match.end() // 2]
        if match.lastgroup == "loose":
            loose += span
            continue
        reading = _reading(lexer, text, span, match, host, typed=False)
        found.append(replace(reading, problem=reading.problem or _doubt(letters, match)))
    for match in _LIKE.finditer(text):
        if not any(reading.start < match.end() and match.start() < reading.end for reading in found):
            found.append(Reading(match.start(), match.end(), problem="this form is not read"))
    return sorted(found, key=lambda reading: reading.start), loose


def typed_readings(conn: sqlite3.Connection, text: str, host: str = "") -> list[Reading]:
    """The citations that a typed text consists of; none if it has other words. An address stands for the whole text."""
    lexer = _lexer(conn)
    tokens = list(lexer.tokens(text, typed=True))
    if addresses := [token for token in tokens if token.letter == "I"]:
        return [_address(text, addresses[0], host)]
    letters = _letters(text, tokens)
    parses = list(_parses(letters, typed=True))
    others = len(tokens) - letters.count("&") - sum((match.end() - match.start()) // 2 for match in parses)
    if others or any(match.lastgroup == "loose" for match in parses):
        return []
    spans = ((match, tokens[match.start() // 2 : match.end() // 2]) for match in parses)
    return [_reading(lexer, text, span, match, host, typed=True) for match, span in spans]


def _parses(letters: str, *, typed: bool) -> Iterator[re.Match[str]]:
    """What the grammar finds in the letters of a text."""
    at = 0
    while at < len(letters):
        found = _GRAMMAR[typed].match(letters, at)
        if found:
            yield found
        at = found.end() if found else at + 2


def _reading(
    lexer: _Lexer, text: str, span: Sequence[Token], parse: re.Match[str], host: str, *, typed: bool
) -> Reading:
    """The citation of some tokens as the grammar has found it."""
    whole = Reading(span[0].start, span[-1].end)
    if why := next((why for group, why in _UNREAD.items() if parse[group]), ""):
        return replace(whole, problem=why)
    if parse["id"]:
        return _address(text, span[0], host)
    pin = next(token for token in span if token.letter in "PBH")
    known, names = lexer.known, [token for token in span if token.letter in "NYT"]
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
    found = re.compile(_ID, re.IGNORECASE).match(text, token.start)
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
