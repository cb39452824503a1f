"""Numbers that the scan misreads, mended only where a number is due and its neighbours prove it.

After `Page`, `Chapter`, `Section` ... a number follows, of the kind and in the range that this book has there; the
pages of a contents or an index rise; the labels of a list go on. What was read is taken for the one that fits.
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
# Figures with letters among them: two figures, one of which no letter is read as (`i11` is "in").
_AMONG = re.compile(r"(?=.*\d.*\d)(?=.*[2-9])[\dilI|\]!oO]{2,3}[\dioIO]")
_FOR_FIGURES = re.compile(r"[\dilI|\]!oO]*\d[\dilI|\]!oO]*")
_LETTERS = re.compile(r"[iIlLoOnhHmuzgjst]{2,3}")
_LABEL = re.compile(r"\((\w|¢)\)(\W*)")
# What small italic letters are read as, and how far from one another the labels of a list may stand, in words.
_READ_FOR = {"b": "4568", "c": "¢eo6", "d": "24"}
_AWAY = 400
_GOOD, _LEAD = weights("correction", "number.good", "number.lead")
_MOST_READ, _ENOUGH = weights("correction", "number.most", "number.enough")
# Words on each side among which pages rise, and how many of these must be numbers.
_WINDOW, _NEAR = 14, 3
_FURTHER = 300  # pages from one number of an entry to the next


@dataclass(frozen=True, slots=True)
class Usual:
    """What the numbers after some word mostly are (None: it takes no number), and the highest of them."""

    due: Literal["figures", "roman"] | None = None
    highest: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A token that may be a number: its place, its signs before and after what it reads, and what is due there."""

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
        """The number of a range that the token stands for, if its reading is good and no other is nearly as good."""
        reading = best_reading(self.body, numbers, printed, _GOOD)
        if reading is None or reading.lead < _LEAD:
            return None
        return Substitution(f"{self.lead}{printed(reading.number).upper()}{self.tail}", sure, note)


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
        if _SHORT.fullmatch(token.text):
            due = usual.get(citing_word(tokens[i - 1].text), Usual()) if i else Usual()
            parts = ("", "]", "") if token.text == "]" else _parts(token.text)
            if found := first(rules, Figure(tokens, i, *parts, due)):
                mended[token.start] = found
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
    match = _PARTS.fullmatch(text)
    return (match[1], match[2], match[3]) if match else ("", text, "")


def usual_numbers(tokens: Sequence[Token]) -> dict[str, Usual]:
    """What stands after each citing word (in its plain form), where enough of its numbers are of one kind."""
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
    """The value of up to three figures, or of a roman numeral in capitals; 0 if it is neither."""
    if body.isdecimal():
        return int(body) if len(body) < 4 else 0
    return arabic(body) if body.isupper() and is_roman(body) else 0


def figures(here: Figure) -> Substitution | None:
    """Letters for figures: beside a figure or alone where a number is due, or among two or more."""
    body, due = here.body, here.usual.due == "figures"
    heading = body == "I" and core(here.before).isupper()  # ARTICLE I.
    alone = due and body in ("i", "I", "l", "]") and not heading and (here.tail or _parts(here.follows)[1].isdecimal())
    if body.isdecimal() or not (alone or _AMONG.fullmatch(body) or (due and _FOR_FIGURES.fullmatch(body))):
        return None
    note = f"letters for figures after '{here.before}'" if due else "letters among figures"
    return here.read(range(1, 10 ** len(body)), note)


def roman_numeral(here: Figure) -> Substitution | None:
    """Strokes of a roman numeral read as other letters (`Y` for V, `H` for II), where one is due."""
    body, highest = here.body, 2 * here.usual.highest
    capital = body.isupper() and (len(body) == 1 or body.lower() not in FUNCTION)
    fits = len(body) == 1 or _value(body) <= highest
    if here.usual.due != "roman" or not (capital or (body == "i" and here.tail)) or (_value(body) and fits):
        return None
    found = here.read(range(1, highest + 1), f"misread roman numeral after '{here.before}'", roman)
    if found and body[-1] == "L" and "." not in here.tail:  # the I and its full stop
        number = found.text.removesuffix(here.tail)
        return replace(found, text=f"{number}.{here.tail}") if number[-1] != "L" else found
    return found


def lettered(here: Figure) -> Substitution | None:
    """A letter in brackets read as a figure, after the one before it (`(a)`, `(4)`): the one that is due."""
    match = _LABEL.fullmatch(here.text)
    earlier = here.tokens[max(0, here.i - _AWAY) : here.i] if match else ()
    last = next((label[1] for t in reversed(earlier) if (label := _LABEL.fullmatch(t.text))), "")
    due = chr(ord(last) + 1) if last else ""
    if not match or match[1] not in _READ_FOR.get(due, ()):
        return None
    return Substitution(f"({due}){match[2]}", 0.9, f"{match[1]} for {due}, which is due after ({last})")


def page(here: Figure) -> Substitution | None:
    """A page number read as letters, among the rising numbers of a contents or an index."""
    after_entry = here.before[-1:] in (",", ".", "·") and not here.lead and _LETTERS.fullmatch(here.body)
    ends = here.tail[:1] == "," or not here.follows or here.follows[0].isupper() or here.follows == "to"
    if not (after_entry and ends):
        return None
    before = [n for t in here.tokens[max(0, here.i - _WINDOW) : here.i] if (n := _page(t))]
    after = [n for t in here.tokens[here.i + 1 : here.i + 1 + _WINDOW] if (n := _page(t))]
    if not after or len(before + after) < _NEAR:
        return None
    # Within an entry pages rise from number to number; a contents rises from entry to entry.
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
