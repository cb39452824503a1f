"""Numbers that the scan misreads, mended only where a number is due and its neighbours prove it.

After `Page`, `Chapter`, `Section` ... a number follows; the pages of a contents or an index rise.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from extract.correction.rules import Rule, active, first
from extract.correction.substitution import Substitution
from extract.language.lexicon import FUNCTION, core, word_list, word_set
from extract.numbering.numerals import Reading, arabic, best_reading, is_roman, roman
from extract.text.stream import Stream, Token

_CITING = word_set("citing")
_IN_FULL = dict(pair.split("=") for pair in word_list("citing_in_full"))
_PARTS = re.compile(r"^(?P<lead>[(\[\"]*)(?P<body>.*?)(?P<tail>[.,;:)\]?!\"—-]*)$", re.S)
_DIGITS = re.compile(r"^[\dilI|\]!oO]*\d[\dilI|\]!oO]*$")
_FIRM = re.compile(r"[2-9]")
_LETTERS = re.compile(r"^[iIlLoOnhHmuzgjst]{2,3}$")
_SHORT = re.compile(r"^[(\[\"]*(?:[\diIlLoOnhHmuzgjst|\]!]{1,4}|[IVXLCY]+)[^\w|]*$")
_LABEL = re.compile(r"^\((?P<sign>\w|¢)\)(?P<tail>\W*)$")
_FOR_LETTER = re.compile(r"[\d¢eo]")
# What small italic letters are read as, and how far from one another the labels of a list may stand, in words.
_READ_FOR = {"b": "4568", "c": "¢eo6", "d": "24", "g": "9", "i": "1", "l": "1"}
_AWAY = 400
_FIRST_PERSON = word_set("first_person")
_NEAR = 3
# A reading is believed that costs no more than two or three usual confusions, and much less than the next.
_GOOD, _LEAD = 0.45, 0.25
_MOST_READ = 0.65
_ENOUGH = 5
_WINDOW = 14


@dataclass(frozen=True, slots=True)
class Usual:
    """What the numbers after some word mostly are (None: it takes no number), and the highest of them."""

    due: Literal["figures", "roman"] | None = None
    highest: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A token that may be a number: its place, what it reads between its signs, and what is due there.

    `usual`: what stands elsewhere after the word before it.
    """

    tokens: Sequence[Token]
    i: int
    usual: Usual = Usual()

    @property
    def text(self) -> str:
        return self.tokens[self.i].text

    @property
    def parts(self) -> tuple[str, str, str]:
        return _parts(self.text)

    @property
    def before(self) -> str:
        return self.tokens[self.i - 1].text if self.i else ""

    @property
    def follows(self) -> str:
        return self.tokens[self.i + 1].text if self.i + 1 < len(self.tokens) else ""


def correct_numbers(stream: Stream, without: Set[str] = frozenset()) -> dict[int, Substitution]:
    """Find misread numbers.

    Args:
        stream: the scan's tokens, their signs already set right.
        without: names of rules to leave out.
    Returns:
        The tokens that read differently, by their start.
    """
    tokens, rules = stream.tokens, active(NUMBERS, without)
    usual = usual_numbers(tokens)
    mended: dict[int, Substitution] = {}
    for i, token in enumerate(tokens):
        if not (_SHORT.match(token.text) or _LABEL.match(token.text)):
            continue
        expected = usual.get(citing_word(tokens[i - 1].text), Usual()) if i else Usual()
        substitution = first(rules, Figure(tokens, i, expected))
        if substitution and substitution.text != token.text:
            mended[token.start] = substitution
    return mended


@lru_cache(maxsize=100_000)
def citing_word(text: str) -> str:
    """The word before a number in its plain form (`Laws` -> law), "" if it is none."""
    word = core(text).lower()
    if word not in _CITING or not (text[-1].isalpha() or text[-1] == "."):
        return ""
    return _IN_FULL.get(word, word).removesuffix("s")


@lru_cache(maxsize=100_000)
def _parts(text: str) -> tuple[str, str, str]:
    match = _PARTS.match(text)
    return (match["lead"], match["body"], match["tail"]) if match else ("", text, "")


def usual_numbers(tokens: Sequence[Token]) -> dict[str, Usual]:
    """What stands after each citing word (in its plain form), where enough of its numbers are of one kind."""
    kinds: dict[str, Counter[Literal["figures", "roman"]]] = defaultdict(Counter)
    highest: Counter[str] = Counter()
    for before, token in pairwise(tokens):
        if not (word := citing_word(before.text)):
            continue
        body = _parts(token.text)[1]
        if body.isdecimal() and len(body) < 4:
            kinds[word]["figures"] += 1
            highest[word] = max(highest[word], int(body))
        elif value := _roman_value(body):
            kinds[word]["roman"] += 1
            highest[word] = max(highest[word], value if body not in "LC" else 0)
    most = {word: (*counts.most_common(1)[0], counts.total()) for word, counts in kinds.items()}
    return {w: Usual(kind, highest[w]) for w, (kind, n, total) in most.items() if n >= max(_ENOUGH, _MOST_READ * total)}


def _roman_value(body: str) -> int:
    """The value of a roman numeral in capitals, 0 if it is none."""
    return arabic(body) if body.isupper() and is_roman(body) else 0


def _believed(body: str, numbers: range, printed: Callable[[int], str] = str) -> Reading | None:
    """The number a body stands for, if its reading is good and no other is nearly as good."""
    reading = best_reading(body, numbers, printed, _GOOD)
    return reading if reading and reading.lead >= _LEAD else None


def stroke(here: Figure) -> Substitution | None:
    """A stroke by itself for the word I, before a verb of the first person."""
    if here.text not in ("1", "l", "|") or core(here.follows) not in _FIRST_PERSON:
        return None
    if here.before and (here.before[-1].isdecimal() or citing_word(here.before)):
        return None
    return Substitution("I", 0.95, f"{here.text} for I before '{here.follows}'")


def figures(here: Figure) -> Substitution | None:
    """Letters for figures: beside a figure or alone where a number is due, among two or more, and in `lst`."""
    lead, body, tail = ("", "]", "") if here.text == "]" else here.parts
    if body in ("lst", "Ist"):
        return Substitution(f"{lead}1st{tail}", 0.93, f"{body} for 1st")
    due = here.usual.due == "figures"
    alone = due and body in ("i", "I", "l", "]") and (tail or _parts(here.follows)[1].isdecimal())
    alone = alone and not (body == "I" and core(here.before).isupper())  # a heading: ARTICLE I.
    # Figures that letters are read as prove nothing (`i11` is "in"): one must be a figure that none is.
    among = sum(map(str.isdecimal, body)) > 1 and body[-1] not in "l]!|" and len(body) < 5 and bool(_FIRM.search(body))
    if body.isdecimal() or not (alone or (_DIGITS.match(body) and (due or among))):
        return None
    if not (reading := _believed(body, range(1, 10 ** len(body)))):
        return None
    confidence, note = (0.95, f"letters for figures after '{here.before}'") if due else (0.93, "letters among figures")
    return Substitution(f"{lead}{reading.number}{tail}", confidence, note)


def roman_numeral(here: Figure) -> Substitution | None:
    """Strokes of a roman numeral read as other letters (`Y` for V, `H` for II, a final `L` for I and a full stop)."""
    if here.usual.due != "roman":
        return None
    lead, body, tail = here.parts
    highest = 2 * here.usual.highest
    capital = body.isupper() and (len(body) == 1 or body.lower() not in FUNCTION)
    if not (capital or (body == "i" and tail)):
        return None
    if (value := _roman_value(body)) and (value <= highest or len(body) == 1):
        return None
    if not (reading := _believed(body, range(1, highest + 1), roman)):
        return None
    printed = roman(reading.number).upper()
    stop = "." if body[-1] == "L" != printed[-1] and "." not in tail else ""
    return Substitution(f"{lead}{printed}{stop}{tail}", 0.93, f"misread roman numeral after '{here.before}'")


def lettered(here: Figure) -> Substitution | None:
    """A letter in brackets read as a figure, among others that count on (`(a)`, `(4)`, `(c)`): the one that is due."""
    match = _LABEL.match(here.text)
    if not match or not _FOR_LETTER.match(match["sign"]):
        return None
    before = _labels(here.tokens[max(0, here.i - _AWAY) : here.i])
    after = _labels(here.tokens[here.i + 1 : here.i + 1 + _AWAY])
    near = [token.text for token in here.tokens[max(0, here.i - 2) : here.i] if token.text not in ("and", "or")]
    beside = bool(near) and _LABEL.match(near[-1]) is not None
    if not before or not before[-1].islower() or (not beside and after and after[0].isdecimal()):
        return None
    due = chr(ord(before[-1]) + 1)
    if not beside and before[-1] != "a" and (not after or after[0] != chr(ord(due) + 1)):
        return None
    if match["sign"] not in _READ_FOR.get(due, ""):
        return None
    return Substitution(f"({due}){match['tail']}", 0.9, f"{match['sign']} for {due}, which is due after ({before[-1]})")


def _labels(tokens: Sequence[Token]) -> list[str]:
    """The single letters and figures in brackets among tokens."""
    return [match["sign"] for token in tokens if (match := _LABEL.match(token.text))]


def page(here: Figure) -> Substitution | None:
    """A page number read as letters, among the rising numbers of a contents or an index."""
    tokens, i = here.tokens, here.i
    lead, body, tail = here.parts
    if not _LETTERS.match(body) or not i or tokens[i - 1].text[-1] not in ",.·" or lead:
        return None
    closes = tail[:1] == "," or not here.follows or here.follows[0].isupper() or here.follows == "to"
    if not closes:
        return None
    before = [_number(t) for t in tokens[max(0, i - _WINDOW) : i]]
    after = [_number(t) for t in tokens[i + 1 : i + 1 + _WINDOW]]
    last = next((n for n in reversed(before) if n), 0)
    following = next((n for n in after if n), 0)
    neighbours = [n for n in before[-8:] + after[:8] if n]
    if len(neighbours) < _NEAR or not following:
        return None
    in_list = _number(tokens[i - 1]) > 0
    low = last + 1 if in_list else 1
    high = following - 1 if _number(tokens[i + 1]) else low + 300
    if not in_list and not _number(tokens[i + 1]):
        low, high = last, following
    if not (reading := _believed(body, range(low, high + 1))):
        return None
    return Substitution(f"{reading.number}{tail}", 0.92, f"{body} for {reading.number} among rising page numbers")


def _number(token: Token) -> int:
    body = _parts(token.text.lstrip(".·"))[1]
    return int(body) if body.isdecimal() and len(body) < 4 else 0


NUMBERS: tuple[Rule[Callable[[Figure], Substitution | None]], ...] = (
    Rule("number.stroke", "and that, «1|I» think, is the rule", stroke),
    Rule("number.figures", "it was in «i|1»860 there", figures),
    Rule("number.roman", "Part I. Part II. Part III. Part IV. Part «Y|V». Part VI.", roman_numeral),
    Rule("number.lettered", "they may (a) call a suit or («4|b») let it be, as the case is", lettered),
    Rule("number.page", "Of the hand, 64 Of the rest, «loi|101» Of more, 126 Of it, 128", page),
)
