"""Where a query's words stand in a text, and the stretch of it that shows them best."""

from __future__ import annotations

import re
from functools import lru_cache

import snowballstemmer

from kb.querylang import Query, words_of

# Private-use characters mark a hit, so that a page can escape the text first and then put its own tags in their place.
BEGIN, END = "\ue000", "\ue001"
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_STEMMER = snowballstemmer.stemmer("porter")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The Porter stem of a word, as the full-text index has it."""
    return str(_STEMMER.stemWord(word))


@lru_cache(maxsize=50_000)
def _forms(word: str) -> frozenset[str]:
    """The stems by which a word of the text may be meant: its parts and, of a compound, the joined form."""
    parts = words_of(word)
    return frozenset((*map(stem, parts), stem("".join(parts))))


def hits(text: str, query: Query) -> list[tuple[int, int]]:
    """The words of a text that a query asks for, as character spans in order."""
    stems = {stem(w) for t in query.wanted for w in (*t.words, *(("".join(t.words),) if t.compound else ()))}
    stems -= {stem(w) for t in query.wanted if len(t.words) > 1 and not t.compound for w in t.words if len(w) < 3}
    prefixes = tuple(t.words[-1] for t in query.wanted if t.prefix)
    return [
        m.span()
        for m in _WORD.finditer(text)
        if not stems.isdisjoint(_forms(m[0])) or (prefixes and m[0].lower().startswith(prefixes))
    ]


def snippet(text: str, query: Query, width: int = 240) -> str:
    """The stretch of about `width` characters with the most hits, each between BEGIN and END; "…" where text is cut.

    White space is made single blanks. A text without hits (found by a concept or heading) gives its beginning.
    """
    flat = " ".join(text.translate({ord(BEGIN): None, ord(END): None}).split())
    found = hits(flat, query)
    start = _best_start(found, width)
    if start:
        start = max(flat.rfind(" ", 0, max(start - width // 4, 0)) + 1, 0)
    end = min(start + width, len(flat))
    if end < len(flat):
        end = max(flat.rfind(" ", start, end), start + width // 2)
    pieces, at = ["…" if start else ""], start
    for a, b in found:
        if a >= start and b <= end:
            pieces += (flat[at:a], BEGIN, flat[a:b], END)
            at = b
    pieces += (flat[at:end], "…" if end < len(flat) else "")
    return "".join(pieces)


def _best_start(found: list[tuple[int, int]], width: int) -> int:
    best, best_count = 0, 0
    for i, (start, _) in enumerate(found):
        count = sum(1 for a, _ in found[i:] if a < start + width * 3 // 4)
        if count > best_count:
            best, best_count = start, count
    return best if best > width * 2 // 3 else 0
