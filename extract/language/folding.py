"""Fold words for search and collation (ligatures resolved, hyphenated compounds joined), and list stop words."""

from __future__ import annotations

import re

from extract.language.lexicon import FUNCTION, word_set

_LIGATURES = str.maketrans({
    "ſ": "s", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl",
    "ﬅ": "st", "ﬆ": "st", "\u00ad": None, "\u2010": "-", "\u2011": "-",
})  # fmt: skip
# A token of its own in the full-text index, between words that are not adjacent in the text.
_APART = "\ue002"
COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_WORD = re.compile(r"[^\W_]+")
STOP_WORDS = FUNCTION | word_set("asking")


def plain(text: str) -> str:
    """Resolve ligatures and the long s, remove soft hyphens, and make other hyphens `-`."""
    return text.translate(_LIGATURES)


def fold(text: str) -> str:
    """Fold reading text for the full-text index.

    Ligatures and the long s are resolved. The joined form of every hyphenated compound (`mis-deal`: `misdeal`) is
    appended, so that either spelling finds it; a separator keeps phrases from running into it. Case and accents are
    left to the tokenizer (unicode61).
    """
    body = plain(text)
    joined = dict.fromkeys(_joined(m) for m in COMPOUND.finditer(body))
    return "\n".join((body, *(f"{_APART} {form}" for form in joined)))


def _joined(compound: re.Match[str]) -> str:
    return compound[0].replace("-", "").lower()


def words_of(text: str) -> tuple[str, ...]:
    """The folded words of a text, in lower case."""
    return tuple(_WORD.findall(plain(text).lower()))
