"""Cut a text into the tokens of a citation: names of works, pinpoints, pages, addresses, and other words and numbers.

The names come from the table of works; so does what our own forms print before and after a pinpoint.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from extract.corpus.table import WORK_ID
from kb.cite.works import HEADING, LAW, Table, Words, bare, in_figures, table, words
from kb.read.build_cache import cached_per_build

ADDRESS = (
    rf"(?<![\w/.-])(?P<address>[^\s<>()\[\]`|*“”\"]{{0,300}}?/)?(?P<unit>{WORK_ID}(?:/[a-z0-9]+(?:-[a-z0-9]+)*)+)(?![\w-])"
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
# Words that begin a sentence with a capital and name no work.
_OPENERS = re.compile(
    r"(?:a|also|although|an|and|as|at|because|both|but|by|compare|contrast|even|first|for|from|hence|here|however|i|if|in"
    r"|its?|like|moreover|neither|next|no|nor|note?|now|of|on|only|or|per|second|see|since|so|still|than|that|then?"
    r"|therefore|these|this|those|though|thus|to|under|unlike|until|what|when|where|whereas|which|while|who|with|yet)\Z",
    re.IGNORECASE,
)
_LETTERS = {"id": "I", "pin": "P", "tail": "T", "page": "G", "number": "#", "bare": "#", "and": "&"}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text.

    Attributes:
        letter: its kind: a name N or year Y, a pinpoint P (a heading H; a number without a word B), a tail that our
            forms print after a pinpoint T, a page G, an address I, another number #, a word w (with a capital W), & for
            `and`.
        works: the works that a name or a tail may mean.
        places: those of a pinpoint, each with its printed form; none if they are not certain.
        said: a name, the word of a pinpoint, or a page.
    """

    letter: str
    start: int
    end: int
    works: frozenset[str] = frozenset()
    places: tuple[tuple[Words, str], ...] = ()
    said: str = ""


def tokens(conn: sqlite3.Connection, text: str, *, typed: bool) -> Iterator[Token]:
    """Cut a text into tokens; signs, and small words that join the pieces of a citation, are none.

    Args:
        typed: whether it was typed as a citation; then names need no capitals, and a number no word.
    """
    known, pattern, at = table(conn), _pattern(conn), 0
    while found := pattern.search(text, at):
        kind, said, at = found.lastgroup or "", found[0], found.end()
        token = Token(_LETTERS.get(kind, "w"), found.start(), at)
        match kind:
            case "pin":
                noun = found["many"] or found["one"]
                places = _places(known, noun, said[len(noun) :])
                one = typed or not found["one"] or len({place[:2] for place, _ in places}) == 1
                yield replace(token, places=places if one else (), said=_singular(noun))
            case "bare" if typed:
                places = _places(known, LAW, said)
                clear = any(len(place) > 2 or not place[1].isdecimal() for place, _ in places)
                yield replace(token, letter="P" if clear else "B", places=places, said=LAW)
            case "heading":
                ends = (end for end in (found.end(), found.end("core")) if end > 0)
                ended = {end: (HEADING, *words(text[found.start() : end])) for end in ends}
                at = next((end for end, place in ended.items() if place in known.headings), found.start() + 1)
                said = text[found.start() : at]
                if at in ended:
                    yield Token("H", found.start(), at, places=((ended[at], " ".join(said.split())),))
            case "tail":
                works = known.tails[words(found["after"])]
                yield replace(token, works=works, said=found["on"] or "")
            case "name" if typed or not said[0].islower():
                works = known.names.get(bare(said), frozenset())
                yield replace(token, letter="Y" if said.isdecimal() else "N", works=works, said=said)
            case "page":
                yield replace(token, said=found["folio"])
            case "word" if said[0].isupper() and not _OPENERS.match(said):
                yield replace(token, letter="W")
            case _ if kind != "joint":
                yield token


def _places(known: Table, noun: str, numbers: str) -> tuple[tuple[Words, str], ...]:
    """The places that a pinpoint names, each with its printed form; none if it has a range that does not rise."""
    said = _singular(noun)
    kind = known.kinds.get(words(noun)) or known.kinds.get(words(said), LAW)
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
            place = (kind, number, *(in_figures(each) for each in (part,) if each), *suffix)
            places.append((place, ", ".join((shown, *suffix))))
    return tuple(dict.fromkeys(places))


@cached_per_build
def _pattern(conn: sqlite3.Connection) -> re.Pattern[str]:
    """The pattern of a token, with the names of all works."""
    known = table(conn)
    stopped = [_GAP.join(name) + _END + r"\.(?=\s+[“‘])" for name in known.stopped]
    names = _any([*(_GAP.join(name) + _END for name in known.names), *stopped, rf"(?:1[4-9]|20)\d\d{_END}"])
    tails = _any(map(_GAP.join, known.tails))
    tail = rf"(?P<after>{tails}){_END}(?:[\s,)]*(?:p\.\s*)?(?P<on>{_FOLIO}))?(?:\s*\(\d{{4}}\))?{_END}"
    one, many = _any(map(r",?\s*".join, known.kinds)), _any(f"{noun[-1]}s" for noun in known.kinds if len(noun) == 1)
    return re.compile(
        rf"(?P<id>{ADDRESS})|(?P<url>https?://\S+)|{_HEADING}"
        rf"|(?<!\w)(?:(?P<pin>(?:(?P<many>(?:{many})(?!\w)|§§)\.?\s*(?:nos?\.\s*)?{_LIST}"
        rf"|(?P<one>(?:{one})(?!\w)|§)[.,]?\s*(?:no\.\s*)?{_LIST})(?!\s+{_COUNTED}))"
        rf"|(?P<tail>{tail})|(?P<name>{names})|(?P<page>{_PAGE})|(?P<amount>\d+\s+{_COUNTED})"
        rf"|(?P<bare>{_LIST})|(?P<number>{_LOOSE})|(?P<joint>{_SMALL}))"
        rf"|(?P<and>&|(?<!\w)(?:and|or){_END})|(?P<word>[^\W_]+)",
        re.IGNORECASE,
    )


def _any(patterns: Iterable[str]) -> str:
    """One of some patterns, the longest first."""
    return "|".join(sorted({*patterns}, key=len, reverse=True))


def _singular(noun: str) -> str:
    """The word for one provision: `arts` -> article."""
    said = " ".join(words(noun)).removesuffix("s") or LAW
    return "article" if said == "art" else said
