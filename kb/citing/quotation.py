"""Words quoted from a unit: find them in its text, and cite them with a hash of their letters.

A citation with a quotation is the plain line and then, in this order, the words, the permalink and the mark:
`..., p. 18: “take three tricks” <https://whist.example/english-1864/law-72/i> [sha256/16: 61bb77e9ec70a316]`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import fuzz

from extract.errors import QueryError
from extract.text.lines import collapse
from kb.editorial.provisions import letters, plain
from kb.read.rows import UnitRow

# Of 100: below this similarity, the words of a unit are not another reading of a quotation but other words.
LIKE = 60
# Marks of words that a writer left out of a quotation, and words that the writer inserted.
_OMISSION = re.compile(r"\.\s?\.\s?\.|…|\[[^\]]*\]")
_WORD = re.compile(r"\w+")


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
    found = find(unit.text, words)
    if found is None:
        near = nearest(unit.text, words)
        hint = f"it reads “{near}”" if near else "quote an unbroken stretch of it"
        raise QueryError(f"{unit.id} does not have the words “{collapse(words)}”; {hint}.")
    hashed = letters(found)
    return Quoted(found, hashed, f"{citation}: “{found}” <{url}> [sha256/16: {hashed}]")


def find(text: str, words: str) -> str | None:
    """Find words in a text by their letters and digits; return them as the text has them, or None."""
    wanted = plain(words)
    folded, places = _letters_of(text)
    at = folded.find(wanted) if wanted else -1
    while at >= 0:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        if not text[:start][-1:].isalnum() and not text[end : end + 1].isalnum():
            return collapse(text[start:end])
        at = folded.find(wanted, at + 1)
    return None


def nearest(text: str, words: str) -> str | None:
    """The words of a text that are most similar to those given; None if their similarity is below `LIKE`."""
    wanted = plain(words)
    folded, places = _letters_of(text)
    if not wanted or not folded:
        return None
    if len(wanted) >= len(folded):
        return collapse(text) if fuzz.ratio(wanted, folded, score_cutoff=LIKE) else None
    best = fuzz.partial_ratio_alignment(wanted, folded, score_cutoff=LIKE)
    if best is None or best.dest_end <= best.dest_start:
        return None
    words_at = [m.span() for m in _WORD.finditer(text)]
    first, last = places[best.dest_start], places[best.dest_end - 1]
    # The alignment may cut words at both ends; each is included or left out, whichever is more similar.
    starts = [start for start, end in words_at if end > first][:2]
    ends = [end for start, end in words_at if start <= last][-2:]
    windows = [text[start:end] for start in starts for end in ends if start < end]
    return collapse(max(windows, key=lambda window: fuzz.ratio(wanted, plain(window)))) if windows else None


def likeness(a: str, b: str) -> float:
    """The similarity of two texts by their letters and digits, from 0 to 100."""
    return fuzz.ratio(plain(a), plain(b))


def find_in_pieces(text: str, words: str) -> str | None:
    """Like `find`, for a quotation with omissions (`...`) and insertions (`[he]`): finds its pieces in order."""
    rest, found = text, []
    for piece in filter(plain, _OMISSION.split(words)):
        here = find(rest, piece)
        if here is None:
            return None
        found.append(here)
        words_here = r"\s+".join(map(re.escape, here.split()))
        rest = rest[next(re.finditer(words_here, rest)).end() :]
    return " … ".join(found) if found else None


def hashed(text: str, starts: Sequence[int], ends: Sequence[int], wanted: str, longest: int) -> tuple[int, int] | None:
    """The span of a text whose letters have a given hash (`letters`); of several, the one that begins last.

    Every character is normalised once, and hashed once for each offset at which a span may begin.

    Args:
        text: the text.
        starts, ends: the offsets at which a span may begin and end, in order.
        wanted: the hash.
        longest: the most letters that a span may have.
    """
    cuts = sorted({*starts, *ends})
    pieces = {a: plain(text[a:b]) for a, b in pairwise(cuts)}
    for start in reversed(starts):
        digest, length = hashlib.sha256(), 0
        for a, b in pairwise(cut for cut in cuts if cut >= start):
            digest.update(pieces[a].encode())
            length += len(pieces[a])
            if length > longest:
                break
            if b in ends and digest.hexdigest()[:16] == wanted:
                return start, b
    return None


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
