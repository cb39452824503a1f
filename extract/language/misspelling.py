"""Words in other spellings: those of the period, and the misspelt ones that no book has."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from extract.language.folding import STOP_WORDS
from extract.language.lexicon import COMMON, load_lexicon

# What present-day English, British and American, and that of the treatises spell differently, each way.
_PAIRS = (
    ("our", "or"), ("is", "iz"), ("ys", "yz"), ("xion", "ction"), ("shew", "show"), ("re$", "er$"), ("dgem", "dgm"),
    ("ae", "e"), ("oe", "e"), ("ll", "l"), ("^en", "^in"), ("^em", "^im"), ("ence$", "ense$"), ("que$", "ck$"),
    ("ck$", "c$"), ("gg", "g"), ("augh", "af"), ("rth", "rd"), ("hus", "hoos"), ("plea", "ple"), ("ntient", "ncient"),
)  # fmt: skip
_RULES = tuple((re.compile(a), b.strip("^$")) for pair in _PAIRS for a, b in (pair, pair[::-1]))
_SHORTEST = 4  # letters of a word that may be misspelt, or spelt in another way
_LONG = 6  # letters of a word that may have two wrong


def spellings(word: str, words: Mapping[str, int]) -> tuple[str, ...]:
    """The other spellings of a word that the books have (`shewn` for `shown`).

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
    """The word of the books that a word unknown to them is most like and that occurs most, "" if none is near.

    Args:
        word: a word in lower case.
        words: the words of the books, and how often each occurs.
    """
    if len(word) < _SHORTEST:
        return ""
    most = 2 if len(word) >= _LONG else 1
    known = [w for w in words if abs(len(w) - len(word)) <= most and w not in STOP_WORDS]
    near = process.extract(word, known, scorer=DamerauLevenshtein.distance, score_cutoff=most, limit=None)
    ranked = sorted(near, key=lambda found: (found[1], found[0][0] != word[0], -words[found[0]], found[0]))
    return ranked[0][0] if ranked else ""


def is_word(word: str, terms: tuple[str, ...] = ()) -> bool:
    """Whether a word is English or a term of the subject, if not of these books: it is then not misspelt."""
    return word in terms or load_lexicon().known(word, COMMON)
