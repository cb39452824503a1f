"""Words quoted from a unit: find them in its text, and cite them with a hash of their letters.

A citation with a quotation is the plain line and then, in this order, the words, the permalink and the mark:
`..., p. 18: “take three tricks” <https://whist.example/english-1864/law-72/i> [sha256/16: 61bb77e9ec70a316]`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from rapidfuzz import fuzz

from extract.errors import QueryError
from extract.text.lines import collapse
from kb.editorial.provisions import letters, plain
from kb.read.rows import UnitRow

# Of 100: below this similarity, the words of a unit are not another reading of a quotation but other words.
LIKE = 60
# Marks of words that a writer left out of a quotation, and words that the writer inserted.
_OMISSION = re.compile(r"\.\s?\.\s?\.|…|\[[^\]]*\]")
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_STOP = re.compile(r"[.,;:!?()\[\]—–]")
_MARGIN = 200  # letters, at most, by which a passage may exceed the most similar stretch, on either side
# The costs of aligning a quotation with a text, word by word: another word, a word that only the quotation or only the
# text has, punctuation that only the text has. A substitution is cheaper than an omission, so that a passage ends where
# the quotation ends though the last word is another one; but it does not end beyond a stop for that.
_OTHER, _ADDED, _OMITTED, _STOPPED = 4, 5, 3, 2


@dataclass(frozen=True, slots=True)
class Quoted:
    """A citation with the words it quotes, as the unit has them; `letters` is their hash, `line` the whole citation."""

    words: str
    letters: str
    line: str


def quoted(unit: UnitRow, citation: str, url: str, words: str) -> Quoted:
    """Add a quotation to the citation of a unit.

    Args:
        unit: the unit.
        citation: its plain citation.
        url: its permalink.
        words: the quotation: consecutive whole words; punctuation, capitals and white space may differ.
    Raises:
        QueryError: the unit does not have these words; the message gives the most similar words that it has.
    """
    place = next(places(unit.text, words), None)
    if place is None:
        near = nearest(unit.text, words)
        hint = f"it reads “{near}”" if near else "quote an unbroken stretch of it"
        raise QueryError(f"{unit.id} does not have the words “{collapse(words)}”; {hint}.")
    found = collapse(unit.text[slice(*place)])
    hashed = letters(found)
    return Quoted(found, hashed, f"{citation}: “{found}” <{url}> [sha256/16: {hashed}]")


def places(text: str, words: str) -> Iterator[tuple[int, int]]:
    """The spans of a text that have the letters and digits of some words."""
    wanted = plain(words)
    folded, offsets = _letters_of(text)
    at = folded.find(wanted) if wanted else -1
    while at >= 0:
        start, end = offsets[at], offsets[at + len(wanted) - 1] + 1
        if not text[:start][-1:].isalnum() and not text[end : end + 1].isalnum():
            yield start, end
        at = folded.find(wanted, at + 1)


def pieces(words: str) -> list[str]:
    """The pieces of a quotation between its omissions and insertions."""
    return list(filter(plain, _OMISSION.split(words)))


def find(text: str, words: str, places: Callable[[str, str], Iterator[tuple[int, int]]] = places) -> str:
    """Find words in a text by their letters and digits; return them as the text has them, or "".

    A quotation may have omissions (`...`) and insertions (`[he]`): its pieces are found in order.

    Args:
        text: the text.
        words: the quotation.
        places: finds the spans of one piece in a text.
    """
    at, found = 0, []
    for piece in pieces(words):
        place = next(places(text[at:], piece), None)
        if place is None:
            return ""
        found.append(collapse(text[at + place[0] : at + place[1]]))
        at += place[1]
    return " … ".join(found)


def left_out(text: str, words: str) -> str:
    """What a quotation that `find` finds in a text leaves out between its pieces."""
    at, gaps = 0, []
    for piece in pieces(words):
        start, end = next(places(text[at:], piece))
        gaps.append(text[at : at + start])
        at += end
    return " ".join(gaps[1:])


def nearest(text: str, words: str) -> str:
    """Like `find`; a piece that the text does not have is replaced by the most similar words of the text."""
    return find(text, words, lambda rest, piece: chain(places(rest, piece), similar(rest, piece)))


def similar(text: str, words: str) -> Iterator[tuple[int, int]]:
    """The span of the passage of a text that aligns best with some words; none if their similarity is below `LIKE`."""
    wanted = plain(words)
    folded, places = _letters_of(text)
    # The stretch of equal length that is most similar: the passage may be longer, on either side, and more similar.
    best = fuzz.partial_ratio_alignment(wanted, folded, score_cutoff=LIKE / 2) if wanted and folded else None
    if best is None or best.dest_end <= best.dest_start:
        return
    margin = min(len(wanted), _MARGIN)
    first = places[max(0, best.dest_start - margin)]
    last = places[min(len(places), best.dest_end + margin) - 1]
    there = [m for m in _WORD.finditer(text) if m.end() > first and m.start() <= last]
    aligned = _aligned(_in_words(words, list(_WORD.finditer(words))), _in_words(text, there))
    if aligned is not None:
        start, end = there[aligned[0]].start(), there[aligned[1] - 1].end()
        if likeness(text[start:end], words) >= LIKE:
            yield start, end


def _in_words(text: str, words: Sequence[re.Match[str]]) -> list[tuple[str, bool]]:
    """The letters of some words of a text, and whether punctuation precedes each."""
    ends = [words[0].start() if words else 0, *(m.end() for m in words)]
    return [(plain(m[0]), bool(_STOP.search(text, end, m.start()))) for end, m in zip(ends, words, strict=False)]


def _aligned(quoted: Sequence[tuple[str, bool]], there: Sequence[tuple[str, bool]]) -> tuple[int, int] | None:
    """The range of the words of a text with which a quotation aligns at the least cost; the longest of several."""
    never = (_ADDED * (len(quoted) + 1), len(there))
    row = [never] * (len(there) + 1)  # by the end of the range: the cost, and its start
    for at, (word, stopped) in enumerate(quoted):
        before, row = row, [never]
        for end, (other, stops) in enumerate(there, 1):
            stop = stops * _STOPPED
            cost, start = min((before[end - 1][0] + stop * (not stopped), before[end - 1][1]), (at * _ADDED, end - 1))
            row.append(min(
                (cost + (word != other) * _OTHER, start),
                (before[end][0] + _ADDED, before[end][1]),
                (row[-1][0] + _OMITTED + stop, row[-1][1]),
            ))  # fmt: skip
    _, length, end = min((cost, start - end, end) for end, (cost, start) in enumerate(row))
    return (end + length, end) if length < 0 else None


def likeness(a: str, b: str) -> float:
    """The similarity of two texts by their letters and digits, from 0 to 100."""
    return fuzz.ratio(plain(a), plain(b))


@lru_cache(maxsize=2000)  # a manuscript quotes from few provisions, each again and again
def _letters_of(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text, as they are hashed, and for each the offset of the character it comes from."""
    pairs = [
        (letter, at)
        for at, character in enumerate(text)
        for letter in unicodedata.normalize("NFKD", character).casefold()
        if letter.isalnum()
    ]
    return "".join(letter for letter, _ in pairs), [at for _, at in pairs]
