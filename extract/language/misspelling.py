"""Other spellings of query words: those of the period, and corrections of misspelt words that no book has."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from extract.language.folding import STOP_WORDS

# Spellings that differ between modern English, British or American, and the treatises, in both directions.
_PAIRS = (
    ("our", "or"), ("is", "iz"), ("ys", "yz"), ("xion", "ction"), ("shew", "show"), ("re$", "er$"), ("dgem", "dgm"),
    ("ae", "e"), ("oe", "e"), ("ll", "l"), ("^en", "^in"), ("^em", "^im"), ("ence$", "ense$"), ("que$", "ck$"),
    ("ck$", "c$"), ("gg", "g"), ("augh", "af"), ("rth", "rd"), ("hus", "hoos"), ("plea", "ple"), ("ntient", "ncient"),
)  # fmt: skip
_RULES = tuple((re.compile(a), b.strip("^$")) for pair in _PAIRS for a, b in (pair, pair[::-1]))
_SHORTEST = 4  # letters of a word for which other spellings are tried
_LONG = 6  # letters of a word that may have two errors


def spellings(word: str, words: Mapping[str, int]) -> tuple[str, ...]:
    """The other spellings of a word that are in the books (`shewn` for `shown`).

    Args:
        word: a word in lower case.
        words: the words of the books.
    """
    if len(word) < _SHORTEST:
        return ()
    others = (
        word[: found.start()] + other + word[found.end() :] for rule, other in _RULES for found in rule.finditer(word)
    )
    return tuple(dict.fromkeys(other for other in others if other in words and other not in STOP_WORDS))


def respelt(word: str, words: Mapping[str, int]) -> str:
    """Return the word of the books nearest to a word that they do not have; "" if none is near enough.

    Words are ranked by edit distance, then by whether they have the same initial, then by frequency.

    Args:
        word: a word in lower case.
        words: the words of the books, and how often each occurs.
    """
    if len(word) < _SHORTEST:
        return ""
    most_errors = 2 if len(word) >= _LONG else 1
    known = [w for w in words if abs(len(w) - len(word)) <= most_errors and w not in STOP_WORDS]
    near = process.extract(word, known, scorer=DamerauLevenshtein.distance, score_cutoff=most_errors, limit=None)
    ranked = sorted(near, key=lambda found: (found[1], found[0][0] != word[0], -words[found[0]], found[0]))
    return ranked[0][0] if ranked else ""
