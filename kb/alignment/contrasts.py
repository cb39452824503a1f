"""What makes two texts of nearly the same letters say different things: a number, an amount, a negation.

`Two years` and `five years`, `may` and `may not` have almost all letters in common. So two texts that are to count as
one must have the same numbers in the same order, and deny as often. A word that is none in English, and is like a
number or a denial that stands in its place in the other text, is that word misread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from extract.language.lexicon import load_lexicon, word_set
from extract.numbering.spelled import ordinal, spelled
from kb.alignment.likeness import KEPT, plain_text
from kb.analysis.words import number_of

# Numbers in words that are not counted up (`extract.numbering.spelled`).
_AMOUNTS = {"zero": "0", "hundred": "100"} | {
    word: word for word in ("half", "quarter", "twice", "thrice", "double", "dozen", "thousand", "million")
}
# `Nor` goes on with a denial that has been counted.
_DENIES = frozenset(["not", "no", "neither", "never", "none", "nothing", "nobody", "without"])
_PREFIX = re.compile(r"(?:un|non|dis|in|im|il|ir)(?=[a-z]{5})")
_VAGUE = "1"  # `one` is a pronoun more often than a number, and says no more than `a`
_BRIEF = 4  # words in which two texts part; more are a clause of its own
_MISREAD = 50.0  # per cent of letters that a word and its misreading have in common, at least

_BEGINS = re.compile(r"\b[a-z]")
_WORD = re.compile(r"[a-z0-9]+")  # `n0t` is one word, and none that is known
_THOUSANDS = re.compile(r"(?<=\d)[, ](?=\d{3}\b)")
_ENDINGS = "st|d|nd|rd|th"
_ORDINAL = re.compile(rf"(\d+)(?:{_ENDINGS})")
# A number that only names a provision or a page: another code counts otherwise.
_NAMES = re.compile(
    rf"\b(?:{'|'.join(sorted(word_set('citing')))}|clauses?|vide|see)\b\.?\s+\d+(?:\s*(?:,|and|or|to|&|[-–])\s*\d+)*"
)
_LABEL = re.compile(rf"(?:^|\n)\s*\(?\d{{1,3}}(?:{_ENDINGS})?[.)]")
_COUNTS = re.compile(rf"(?<=[.;:,—-])(\s*\(?\d{{1,3}})(?:{_ENDINGS})(?=[.)])")  # `: 1st. ...; 2d. ...`


@dataclass(frozen=True, slots=True)
class Contrast:
    """What one text says in the place of the other's; empty where the other says nothing there.

    `proves`: the texts rule differently. A number that one text alone has, and a denial in a clause that the other has
    not, may leave the rule as it is: that is judged by other evidence.
    """

    ours: str
    theirs: str
    proves: bool

    def __str__(self) -> str:
        if self.ours and self.theirs:
            return f"“{self.ours}” against “{self.theirs}”"
        return f"only one has “{self.ours or self.theirs}”"


def contrast(a: str, b: str) -> Contrast | None:
    """Where two texts differ in a number or a denial; None if they differ in neither.

    Args:
        a, b: texts of nearly the same letters.
    """
    ours, theirs = _words(a), _words(b)
    if _numbers(ours) != _numbers(theirs) or len(_denials(ours)) != len(_denials(theirs)):
        ours, theirs = _mended(ours, theirs)
    counted = _numbers(ours) != _numbers(theirs)
    denied = len(_denials(ours)) != len(_denials(theirs))
    shared = {*_numbers(ours)} & {*_numbers(theirs)}
    found = [_place(mine, other, shared if counted else None, denied) for mine, other in _unlike(ours, theirs)]
    return next((c for c in found if c and c.proves), next(filter(None, found), None))


def _place(ours: Sequence[str], theirs: Sequence[str], shared: Set[str | None] | None, denied: bool) -> Contrast | None:
    """What two texts differ in where they part for some words, if they differ in numbers or denials as a whole.

    `No call can be made` denies what `a call cannot be made` denies in another place; and a number that both texts have
    (`shared`; None if they differ in none) is but said again where one has it and the other `his` or `it`.
    """
    brief = max(len(ours), len(theirs)) <= _BRIEF
    said, other = _said(ours), _said(theirs)
    again = not (said and other) and shared is not None and {*_numbers((*ours, *theirs))} <= shared
    if shared is not None and not again and _numbers(ours) != _numbers(theirs):
        return Contrast(said, other, brief and bool(said and other))
    if denied and len(_denials(ours)) != len(_denials(theirs)):
        return Contrast(" ".join(_denials(ours)), " ".join(_denials(theirs)), brief)
    if len(ours) == len(theirs):
        for x, y in zip(ours, theirs, strict=True):
            if _turned(x, y) or _turned(y, x):
                return Contrast(x, y, proves=True)
    return None


def _unlike(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The words of both where they part, up to where they meet again."""
    for alike, steps in groupby(Levenshtein.opcodes(ours, theirs), lambda step: step.tag == "equal"):
        if not alike:
            first, *_ = last = list(steps)
            yield ours[first.src_start : last[-1].src_end], theirs[first.dest_start : last[-1].dest_end]


@lru_cache(maxsize=KEPT)
def _words(text: str) -> tuple[str, ...]:
    plain = _LABEL.sub("\n", _NAMES.sub(" ", plain_text(text).lower())).replace("cannot", "can not")
    plain = _THOUSANDS.sub("", _COUNTS.sub(r"\1", plain)).replace("n't", " not").replace("n’t", " not")
    return tuple(_WORD.findall(_in_figures(plain)))


def _in_figures(text: str) -> str:
    """A text with its numbers of several words in figures: `twenty-five` as 25, `twenty-first` as 21th."""
    pieces, at = list[str](), 0
    for word in _BEGINS.finditer(text):
        counted = ordinal(text, word.start())
        found = counted or spelled(text, word.start())
        if found and found.words > 1 and word.start() >= at:
            pieces += [text[at : word.start()], f"{found.value}th" if counted else str(found.value)]
            at = found.end
    return "".join([*pieces, text[at:]])


def _numbers(words: Iterable[str]) -> list[str | None]:
    return [number for word in words if (number := _number(word)) not in (None, _VAGUE)]


@lru_cache(maxsize=KEPT)
def _number(word: str) -> str | None:
    if counted := _ORDINAL.fullmatch(word) or ordinal(word, 0):
        return f"{counted[1]}th"
    value = number_of(word)
    return _AMOUNTS.get(word) if value is None else str(value)


def _said(words: Iterable[str]) -> str:
    return " ".join(word for word in words if _number(word))


def _denials(words: Iterable[str]) -> list[str]:
    return [word for word in words if word in _DENIES]


def _turned(word: str, plain: str) -> bool:
    """Whether a word is another denied: `unlawful` and `lawful`."""
    return word != plain and _PREFIX.sub("", word, count=1) == plain


def _mended(ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both texts with the numbers and denials that were misread in one of them."""
    sides = [list(ours), list(theirs)]
    for step in Levenshtein.opcodes(ours, theirs):
        if step.tag == "replace":
            for i, j in zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True):
                if _is_misread(theirs[j], ours[i]):
                    sides[1][j] = ours[i]
                elif _is_misread(ours[i], theirs[j]):
                    sides[0][i] = theirs[j]
    return tuple(sides[0]), tuple(sides[1])


def _is_misread(word: str, weighty: str) -> bool:
    """Whether a word is no word, and like a number or a denial."""
    if not (_numbers([weighty]) or weighty in _DENIES) or word.isdecimal():
        return False
    return fuzz.ratio(word, weighty) >= _MISREAD and not load_lexicon().known(word)
