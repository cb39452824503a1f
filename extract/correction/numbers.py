"""Misread numbers, corrected only where a number is due and its neighbours prove it.

`Page`, `Chapter`, `Section` ... are followed by a number of the form and in the range that is usual there in this
book; the page numbers of a table of contents or an index rise; the labels of a list count on. A token that was misread
is replaced by the number that fits.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from extract.correction.rules import Rule, active, first
from extract.correction.substitution import Substitution
from extract.language.lexicon import FUNCTION, core, word_list, word_set
from extract.numbering.numerals import arabic, best_reading, is_roman, roman
from extract.text.stream import Stream, Token
from extract.weights import weights

_CITING = word_set("citing")
_IN_FULL = dict(pair.split("=") for pair in word_list("citing_in_full"))
_PARTS = re.compile(r"([(\[\"]*)(.*?)([.,;:)\]?!\"—-]*)", re.S)
_SHORT = re.compile(r"[(\[\"]*(?:[\diIlLoOnhHmuzgjst|\]!]{1,4}|[IVXLCY]+)[^\w|]*|\((?:\w|¢)\)\W*")
# Digits mixed with letters: at least two digits, one of them 2 to 9, which no letter is read as (`i11` is "in").
_AMONG = re.compile(r"(?=.*\d.*\d)(?=.*[2-9])[\dilI|\]!oO]{2,3}[\dioIO]")
_FOR_FIGURES = re.compile(r"[\dilI|\]!oO]*\d[\dilI|\]!oO]*")
_LETTERS = re.compile(r"[iIlLoOnhHmuzgjst]{2,3}")
_LABEL = re.compile(r"\((\w|¢)\)(\W*)")
# What lower-case italic letters are read as; how many tokens may lie between the labels of a list.
_READ_FOR = {"b": "4568", "c": "¢eo6", "d": "24"}
_AWAY = 400
_GOOD, _LEAD = weights("correction", "number.good", "number.lead")
_MOST_READ, _ENOUGH = weights("correction", "number.most", "number.enough")
# Tokens on each side among which page numbers rise, and how many of these tokens must be numbers.
_WINDOW, _NEAR = 14, 3
_FURTHER = 300  # largest step between two page numbers of an entry


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual form of the numbers after a word (None: it takes no number), and the highest of them."""

    due: Literal["figures", "roman"] | None = None
    highest: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A token that may be a number: its index, the punctuation around its body, and the usual form of number there."""

    tokens: Sequence[Token]
    i: int
    lead: str
    body: str
    tail: str
    usual: Usual

    @property
    def text(self) -> str:
        return self.tokens[self.i].text

    @property
    def before(self) -> str:
        return self.tokens[self.i - 1].text if self.i else ""

    @property
    def follows(self) -> str:
        return self.tokens[self.i + 1].text if self.i + 1 < len(self.tokens) else ""

    def read(
        self, numbers: range, note: str, printed: Callable[[int], str] = str, sure: float = 0.93
    ) -> Substitution | None:
        """Read the token as a number of a range, if that costs little and no other number is nearly as likely."""
        reading = best_reading(self.body, numbers, printed, _GOOD)
        if reading is None or reading.lead < _LEAD:
            return None
        return Substitution(f"{self.lead}{printed(reading.number).upper()}{self.tail}", sure, note)


def correct_numbers(stream: Stream, without: Set[str] = frozenset()) -> dict[int, Substitution]:
    """Find misread numbers.

    Args:
        stream: the scan's tokens, with their punctuation already corrected.
        without: names of rules to leave out.
    Returns:
        The corrected tokens, by their start offset.
    """
    tokens, rules = stream.tokens, active(NUMBERS, without)
    usual = usual_numbers(tokens)
    corrections: dict[int, Substitution] = {}
    for i, token in enumerate(tokens):
        if _SHORT.fullmatch(token.text):
            due = usual.get(citing_word(tokens[i - 1].text), Usual()) if i else Usual()
            parts = ("", "]", "") if token.text == "]" else _parts(token.text)
            if correction := first(rules, Figure(tokens, i, *parts, due)):
                corrections[token.start] = correction
    return corrections


@lru_cache(maxsize=100_000)
def citing_word(text: str) -> str:
    """The plain form of a citing word, one that takes a number (`Laws` -> law); "" if the text is not one."""
    word = core(text).lower()
    if word not in _CITING or not (text[-1].isalpha() or text[-1] == "."):
        return ""
    return _IN_FULL.get(word, word).removesuffix("s")


@lru_cache(maxsize=100_000)
def _parts(text: str) -> tuple[str, str, str]:
    match = _PARTS.fullmatch(text)
    return (match[1], match[2], match[3]) if match else ("", text, "")


def usual_numbers(tokens: Sequence[Token]) -> dict[str, Usual]:
    """The usual form of number after each citing word (in its plain form), if enough of its numbers have one form."""
    kinds: dict[str, Counter[Literal["figures", "roman"]]] = defaultdict(Counter)
    highest: Counter[str] = Counter()
    for before, token in pairwise(tokens):
        word, body = citing_word(before.text), _parts(token.text)[1]
        if word and (value := _value(body)):
            kinds[word]["figures" if body.isdecimal() else "roman"] += 1
            highest[word] = max(highest[word], value if body not in ("L", "C") else 0)
    most = {word: (*counts.most_common(1)[0], counts.total()) for word, counts in kinds.items()}
    return {w: Usual(kind, highest[w]) for w, (kind, n, total) in most.items() if n >= max(_ENOUGH, _MOST_READ * total)}


def _value(body: str) -> int:
    """The value of up to three digits, or of a roman numeral in capitals; 0 for anything else."""
    if body.isdecimal():
        return int(body) if len(body) < 4 else 0
    return arabic(body) if body.isupper() and is_roman(body) else 0


def figures(here: Figure) -> Substitution | None:
    """Letters read for digits: beside a digit or alone where a number is due, or among two or more digits."""
    body, due = here.body, here.usual.due == "figures"
    heading = body == "I" and core(here.before).isupper()  # ARTICLE I.
    alone = due and body in ("i", "I", "l", "]") and not heading and (here.tail or _parts(here.follows)[1].isdecimal())
    if body.isdecimal() or not (alone or _AMONG.fullmatch(body) or (due and _FOR_FIGURES.fullmatch(body))):
        return None
    note = f"letters for figures after '{here.before}'" if due else "letters among figures"
    return here.read(range(1, 10 ** len(body)), note)


def roman_numeral(here: Figure) -> Substitution | None:
    """A roman numeral read as other letters (`Y` for V, `H` for II), where one is due."""
    body, highest = here.body, 2 * here.usual.highest
    capital = body.isupper() and (len(body) == 1 or body.lower() not in FUNCTION)
    fits = len(body) == 1 or _value(body) <= highest
    if here.usual.due != "roman" or not (capital or (body == "i" and here.tail)) or (_value(body) and fits):
        return None
    found = here.read(range(1, highest + 1), f"misread roman numeral after '{here.before}'", roman)
    if found and body[-1] == "L" and "." not in here.tail:  # an L at the end is the I and its full stop
        number = found.text.removesuffix(here.tail)
        return replace(found, text=f"{number}.{here.tail}") if number[-1] != "L" else found
    return found


def lettered(here: Figure) -> Substitution | None:
    """A bracketed letter read as a digit after a lettered label (`(a)`, `(4)`): it is the letter that is due."""
    match = _LABEL.fullmatch(here.text)
    earlier = here.tokens[max(0, here.i - _AWAY) : here.i] if match else ()
    last = next((label[1] for t in reversed(earlier) if (label := _LABEL.fullmatch(t.text))), "")
    due = chr(ord(last) + 1) if last else ""
    if not match or match[1] not in _READ_FOR.get(due, ()):
        return None
    return Substitution(f"({due}){match[2]}", 0.9, f"{match[1]} for {due}, which is due after ({last})")


def page(here: Figure) -> Substitution | None:
    """A page number read as letters, among the rising page numbers of a table of contents or an index."""
    after_entry = here.before[-1:] in (",", ".", "·") and not here.lead and _LETTERS.fullmatch(here.body)
    ends = here.tail[:1] == "," or not here.follows or here.follows[0].isupper() or here.follows == "to"
    if not (after_entry and ends):
        return None
    before = [n for t in here.tokens[max(0, here.i - _WINDOW) : here.i] if (n := _page(t))]
    after = [n for t in here.tokens[here.i + 1 : here.i + 1 + _WINDOW] if (n := _page(t))]
    if not after or len(before + after) < _NEAR:
        return None
    # In an index, page numbers rise within an entry; in a table of contents, from entry to entry.
    low = _page(here.tokens[here.i - 1]) + 1
    high = _page(here.tokens[here.i + 1]) - 1
    if low == 1 and high < 0:
        low, high = max([0, *before[-1:]]), after[0]
    elif high < 0:
        high = low + _FURTHER
    return here.read(range(max(1, low), high + 1), f"{here.body} for a number among rising page numbers")


def _page(token: Token) -> int:
    body = _parts(token.text.lstrip(".·"))[1]
    return _value(body) if body.isdecimal() else 0


NUMBERS: tuple[Rule[Callable[[Figure], Substitution | None]], ...] = (
    Rule("number.figures", "it was in «i|1»860 there", figures),
    Rule("number.roman", "Part I. Part II. Part III. Part IV. Part «Y|V». Part VI.", roman_numeral),
    Rule("number.lettered", "they may (a) call a suit or («4|b») let it be, as the case is", lettered),
    Rule("number.page", "Of the hand, 64 Of the rest, «loi|101» Of more, 126 Of it, 128", page),
)
