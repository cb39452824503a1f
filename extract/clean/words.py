"""Misread words: forms in no word list that the table of confusions turns into one word, and no other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from extract.clean.running import Piece
from extract.language.lexicon import Lexicon, core
from extract.language.token_shape import edges, is_number, like_numeral, malformed, recase

_USUAL = 60  # SCOWL size of the rarest words that a form is taken for if the book does not use them
_OWN = 2  # times that a form must stand in the book to be its own word, not a misreading
_CLEAR = 10  # how often the likeliest word must be as frequent as the next one
_SUBSTITUTIONS = 2  # most confusions in one word
_COMMON = 35  # SCOWL size of the rarest words that are common
_WORD = re.compile(r"[\w^\\][^\d.,:;][^.,:;]*(?<=[^\W\d_])|[^\W\d_]{2}")
_SHORT = 3  # letters of a form that is likely to be a word of another language
_OFTEN = 10  # times that the book must use the word for which a short form is taken
_VOWELS = frozenset("aeiou")  # one vowel for another is the author's spelling


@dataclass(frozen=True, slots=True)
class WordReading:
    """A misread word: its piece, the text read for it, why, and whether it is clear enough to be corrected."""

    piece: int
    text: str
    why: str
    clear: bool


@cache
def confusions() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """The table of confusions (data/confusions.tsv) by first character: what is read, and what is printed."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in (files("extract") / "data" / "confusions.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("# "):
            read, printed = line.split("\t")
            if {read, printed} <= _VOWELS:
                continue
            found.setdefault(read[0], []).append((read, printed))
    return {first: tuple(pairs) for first, pairs in found.items()}


def read_words(pieces: tuple[Piece, ...], lexicon: Lexicon, words: Counter[str]) -> Iterator[WordReading]:
    """Find the misread words among pieces.

    Args:
        pieces: the pieces of a running text, with the signs corrected.
        lexicon: the word lists.
        words: how often each word occurs in the book.
    """
    forms = [edges(piece.text) for piece in pieces]
    odd = [_is_doubtful(form, lexicon, words) for _, form, _ in forms]
    foreign = [doubtful and not malformed(form) for doubtful, (_, form, _) in zip(odd, forms, strict=True)]
    for i, (lead, form, tail) in enumerate(forms):
        found = _candidates(form, lexicon, words) if odd[i] and not pieces[i].fixed else []
        if found:
            best, clear = _likeliest(found, lexicon, words)
            uses = words[best.lower()]
            # Two unknown words side by side are another language, one with a capital is a name.
            beside = foreign[i] and any(foreign[max(0, i - 1) : i] + foreign[i + 1 : i + 2])
            sure = clear and uses >= _needed(form, best, lexicon) and not beside and not _run_together(form, lexicon)
            yield WordReading(i, lead + best + tail, f"'{form}' is no word", sure)


def _needed(form: str, word: str, lexicon: Lexicon) -> int:
    """How often the book must use a word, at least, to be read for a form."""
    if len(form) <= _SHORT:
        return _OFTEN
    return _OWN if form[0].isupper() else 0 if malformed(form) and _common(word, lexicon) else 1


def _common(word: str, lexicon: Lexicon) -> bool:
    return (lexicon.size(word) or 99) <= _COMMON


def _run_together(form: str, lexicon: Lexicon) -> bool:
    """Whether a form may be two words that lost their blank (`callinga`)."""
    halves = ((form[:at], form[at:]) for at in range(1, len(form)))
    return any(all(_common(half, lexicon) or half in ("a", "I") for half in pair) for pair in halves)


def _is_doubtful(form: str, lexicon: Lexicon, words: Counter[str]) -> bool:
    """Whether a form is neither a word, nor a number, nor used by the book more than once."""
    if not _WORD.fullmatch(form) or is_number(form) or like_numeral(form) or (len(form) <= _SHORT and form.isupper()):
        return False
    if malformed(form):
        return True
    whole = form.removesuffix("'d") + "ed" if form.endswith("'d") else form  # `stamp'd`
    return not (lexicon.known(form) or lexicon.known(whole)) and words[core(form).lower()] < _OWN


def _candidates(form: str, lexicon: Lexicon, words: Counter[str]) -> list[str]:
    """The words that the fewest confusions turn into a form."""
    forms = {form}
    for _ in range(_SUBSTITUTIONS):
        forms = {other for each in forms for other in _substituted(each)} - forms
        found = {
            text
            for other in forms
            if (text := recase(other, form)) and len(text) > 1 and not malformed(text)
            and (lexicon.known(text, _USUAL) or (words[text.lower()] >= _OWN and lexicon.known(text)))
        }  # fmt: skip
        if found:
            return sorted(found)
    return []


def _substituted(form: str) -> Iterator[str]:
    for at, first in enumerate(form):
        for read, printed in confusions().get(first, ()):
            if form.startswith(read, at):
                yield form[:at] + printed + form[at + len(read) :]


def _likeliest(found: list[str], lexicon: Lexicon, words: Counter[str]) -> tuple[str, bool]:
    """The most frequent of some words, in the book before the language, and whether no other comes near."""

    def uses(word: str) -> float:
        general = lexicon.counts.get(word.lower(), 0) / 1e12
        return words[word.lower()] / max(1, words.total()) + general + 1e-9

    ranked = sorted(found, key=uses, reverse=True)
    return ranked[0], len(ranked) == 1 or uses(ranked[0]) >= _CLEAR * uses(ranked[1])
