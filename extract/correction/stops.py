"""Stops, commas and quotation marks in a scan that takes one for another, or sees them where none are printed.

Nothing is done in a scan that does not tell so of itself (`extract.correction.manner`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from extract.correction.manner import CLOSED, COMMA, FULL_STOP, NEXT, OPENED, closes, goes_on, opens
from extract.correction.rules import Rule
from extract.correction.spelling.context import PAUSE
from extract.correction.substitution import Place, Substitution
from extract.language.lexicon import FUNCTION, core, word_set
from extract.numbering.numerals import is_roman

_BEGINS = re.compile(r"^\W*[A-Z][a-z]|^\W*[A-Z]{3,}|^\W*(?:[2-9]|\d\d+)\W*$|^§")
_UNSTOPPED = re.compile(r"^(?P<word>[a-z][a-z-]*[a-z])[,:]?$")
_GO_ON = FUNCTION - word_set("objects")
_APHETIC, _CLIPPED = word_set("aphetic"), word_set("apocopic")
# Small words whose capital I is easily read small: a sentence may well begin with them.
_FOR_CAPITALS = frozenset({"if", "in", "is", "it"})
# A paragraph that ends in a comma before another: shorter ones are headings and lines of verse.
_LONG = 8
_CELLS, _APART = 2, 4  # words before the last of a row, and the blanks between cells


def full_stop(here: Place) -> Substitution | None:
    """A comma for the full stop before a sentence, or at a paragraph's end, in a scan that takes one for the other."""
    if not here.manner.stops or not (match := COMMA.match(here.text)) or core(match["word"]) in FUNCTION:
        return None
    after = here.later[1].text if len(here.later) > 1 else ""
    if here.follows:
        ends = opens(here.follows, after) and here.goes_on and not here.line_ends
    else:
        ends = bool(here.later) and bool(_BEGINS.match(here.later[0].text)) and here.length >= _LONG
    return Substitution(here.text[:-1] + ".", 0.9, "a comma for the full stop, as elsewhere here") if ends else None


def paragraph_end(here: Place) -> Substitution | None:
    """No full stop, or another sign for it, at the end of a paragraph before a number or a heading."""
    if not here.manner.ends or here.goes_on or here.length < _LONG or not here.later:
        return None
    match, following = _UNSTOPPED.match(here.text), here.later[0].text
    if not match or not NEXT.match(following) or (not here.text.endswith(",") and not following[0].isdecimal()):
        return None
    if not here.language.lexicon.known(match["word"]) or match["word"] in _GO_ON or _in_columns(here):
        return None
    return Substitution(match["word"] + ".", 0.88, "the full stop with which paragraphs end before a number or heading")


def _in_columns(here: Place) -> bool:
    """Whether the last words of a line stand apart, as the cells of a table do."""
    last = [*here.earlier[-_CELLS:], here.tokens[here.i]]
    return any(b.start - a.end >= _APART for a, b in pairwise(last))


def comma(here: Place) -> Substitution | None:
    """A full stop before a small letter: for a comma, or a speck where the two words go together."""
    if not here.manner.stops or not (match := FULL_STOP.match(here.text)) or not here.follows[:1].islower():
        return None
    if here.follows in _FOR_CAPITALS or len(here.second) == 1 or not here.goes_on:
        return None
    usage, lexicon, word, second = here.language.usage, here.language.lexicon, match["word"], here.second
    if not (lexicon.known(word) and lexicon.known(second) and goes_on(word, usage, lexicon)) or is_roman(second):
        return None
    together = usage.pair(word, second) > usage.pair(word, PAUSE) or word in FUNCTION
    text, note = (word, "a speck") if together else (word + ",", "for a comma")
    return Substitution(here.text[: match.start("word")] + text, 0.85, f"a full stop before a small letter: {note}")


def stray_quote(here: Place) -> Substitution | None:
    """A single quotation mark beside a word, which nothing closes or has opened, in a scan that sees such marks."""
    if not here.manner.quotes:
        return None
    known = here.language.lexicon.known
    if match := OPENED.match(here.text):
        word = core(match["word"])
        if known(word) and word.lower() not in _APHETIC and not closes(here.later):
            return Substitution(match["word"], 0.9, "a quotation mark that nothing closes")
    elif match := CLOSED.match(here.text):
        word = core(match["word"])
        whole = here.language.lexicon.known(word, 50) and word.lower() not in _CLIPPED
        if whole and len(word) > 2 and word[-1] != "s" and not any(OPENED.match(token.text) for token in here.earlier):
            text = match["word"] + (match["stop"] or match["after"])
            return Substitution(text, 0.9, "a quotation mark that nothing has opened")
    return None


_TOLD = "He leads a hand. and the hand is his hand, as the hand is good. " * 3
_ENDED = "\n\n".join(f"{n}. He has the hand." for n in range(1, 12))
_TOLD_OF_CAPITALS = f"He has the hand, The game is won{' by the player' * 90}. " * 3
STOPS: tuple[Rule[Callable[[Place], Substitution | None]], ...] = (
    Rule("sign.full-stop", f"{_TOLD}He has the hand«,|.» The game is won.", full_stop),
    Rule(
        "sign.paragraph-end",
        f"{_ENDED}\n\n12. He has the hand and the game is his, by the hand«,|.»\n\n13. The game",
        paragraph_end,
    ),
    Rule("sign.comma", f"{_TOLD_OF_CAPITALS}He leads the hand«.|,» and the game is his, and the hand.", comma),
    Rule("sign.stray-quote", f"{'of the ‘Quxb ' * 3}and the hand. «'|»The game is his.", stray_quote),
)
