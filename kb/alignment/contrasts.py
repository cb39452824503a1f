"""What makes two texts of nearly the same letters say different things: a number, an amount, a negation.

`Two years` and `five years`, `may` and `may not` have almost all letters in common. So two texts count as the same only
if they have the same numbers in the same order, and as many negations. A word that is not English, and resembles a
number or negation at the same place in the other text, is taken for an OCR error of it.
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

# Number words that `extract.numbering.spelled` does not parse.
_AMOUNTS = {"zero": "0", "hundred": "100"} | {
    word: word for word in ("half", "quarter", "twice", "thrice", "double", "dozen", "thousand", "million")
}
# Without `nor`: it continues a negation that is already counted.
NEGATIONS = frozenset(["not", "no", "neither", "never", "none", "nothing", "nobody", "without"])
_PREFIX = re.compile(r"(?:un|non|dis|in|im|il|ir)(?=[a-z]{5})")
_VAGUE = "1"  # `one` is more often a pronoun than a number, and means no more than `a`
_BRIEF = 4  # most words in a difference that may prove something; a longer one is a clause of its own
_MISREAD = 50.0  # least similarity, in per cent, of a word and its OCR error

_BEGINS = re.compile(r"\b[a-z]")
_WORD = re.compile(r"[a-z0-9]+")  # `n0t` is one word, and an unknown one
_THOUSANDS = re.compile(r"(?<=\d)[, ](?=\d{3}\b)")
_ENDINGS = "st|d|nd|rd|th"
_ORDINAL = re.compile(rf"(\d+)(?:{_ENDINGS})")
# A number that only refers to a provision or a page: the other code is numbered differently.
_NAMES = re.compile(
    rf"\b(?:{'|'.join(sorted(word_set('citing')))}|clauses?|vide|see)\b\.?\s+\d+(?:\s*(?:,|and|or|to|&|[-–])\s*\d+)*"
)
_LABEL = re.compile(rf"(?:^|\n)\s*\(?\d{{1,3}}(?:{_ENDINGS})?[.)]")
_COUNTS = re.compile(rf"(?<=[.;:,—-])(\s*\(?\d{{1,3}})(?:{_ENDINGS})(?=[.)])")  # `: 1st. ...; 2d. ...`


@dataclass(frozen=True, slots=True)
class Contrast:
    """The numbers or negations in which two texts differ at one place; empty on the side that has none there.

    `proves`: the contrast alone proves that the texts rule differently. A number that only one text has, or a negation
    in a clause that the other text lacks, may leave the rule unchanged; other evidence decides then.
    """

    ours: str
    theirs: str
    proves: bool

    def __str__(self) -> str:
        if self.ours and self.theirs:
            return f"“{self.ours}” against “{self.theirs}”"
        return f"only one has “{self.ours or self.theirs}”"


def contrast(a: str, b: str) -> Contrast | None:
    """Find where two texts differ in a number or a negation; None if they differ in neither.

    A contrast that proves something comes before one that does not.

    Args:
        a, b: texts of nearly the same letters.
    """
    ours, theirs = _words(a), _words(b)
    if _numbers(ours) != _numbers(theirs) or len(_negations(ours)) != len(_negations(theirs)):
        ours, theirs = _corrected(ours, theirs)
    counted = _numbers(ours) != _numbers(theirs)
    denied = len(_negations(ours)) != len(_negations(theirs))
    shared = {*_numbers(ours)} & {*_numbers(theirs)}
    found = [
        _contrast_at(mine, other, shared if counted else None, denied) for mine, other in _differences(ours, theirs)
    ]
    return next((c for c in found if c and c.proves), next(filter(None, found), None))


def _contrast_at(
    ours: Sequence[str], theirs: Sequence[str], shared: Set[str | None] | None, denied: bool
) -> Contrast | None:
    """Return the contrast at one place where two texts differ, if it adds to a difference of the whole texts.

    Negations count only if the texts differ in their number (`denied`): `no call can be made` has its negation at
    another place than `a call cannot be made`. A number that both texts have (`shared`; None if their numbers are the
    same) is merely repeated where one text has it and the other `his` or `it`.
    """
    brief = max(len(ours), len(theirs)) <= _BRIEF
    our_numbers, their_numbers = _number_words(ours), _number_words(theirs)
    repeated = not (our_numbers and their_numbers) and shared is not None and {*_numbers((*ours, *theirs))} <= shared
    if shared is not None and not repeated and _numbers(ours) != _numbers(theirs):
        return Contrast(our_numbers, their_numbers, brief and bool(our_numbers and their_numbers))
    if denied and len(_negations(ours)) != len(_negations(theirs)):
        return Contrast(" ".join(_negations(ours)), " ".join(_negations(theirs)), brief)
    if len(ours) == len(theirs):
        for x, y in zip(ours, theirs, strict=True):
            if _negates(x, y) or _negates(y, x):
                return Contrast(x, y, proves=True)
    return None


def _differences(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield each differing run of words, as it is in either text."""
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
    """Write numbers of several words in figures: `twenty-five` as 25, `twenty-first` as 21th."""
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


def _number_words(words: Iterable[str]) -> str:
    return " ".join(word for word in words if _number(word))


def _negations(words: Iterable[str]) -> list[str]:
    return [word for word in words if word in NEGATIONS]


def _negates(word: str, plain: str) -> bool:
    """Whether the first word negates the second: `unlawful` and `lawful`."""
    return word != plain and _PREFIX.sub("", word, count=1) == plain


def _corrected(ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return both texts with OCR errors in numbers and negations corrected from the other text."""
    sides = [list(ours), list(theirs)]
    for step in Levenshtein.opcodes(ours, theirs):
        if step.tag == "replace":
            for i, j in zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True):
                if _is_misread(theirs[j], ours[i]):
                    sides[1][j] = ours[i]
                elif _is_misread(ours[i], theirs[j]):
                    sides[0][i] = theirs[j]
    return tuple(sides[0]), tuple(sides[1])


def _is_misread(word: str, meant: str) -> bool:
    """Whether a word is not English and resembles the given number or negation."""
    if not (_numbers([meant]) or meant in NEGATIONS) or word.isdecimal():
        return False
    return fuzz.ratio(word, meant) >= _MISREAD and not load_lexicon().known(word)
