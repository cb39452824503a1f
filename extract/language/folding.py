"""Words as search and collation compare them: ligatures resolved, compounds joined, and which of them only serve."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from extract.language.lexicon import FUNCTION, word_set

_LIGATURES = str.maketrans({
    "ſ": "s", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl",
    "ﬅ": "st", "ﬆ": "st", "\u00ad": None, "\u2010": "-", "\u2011": "-",
})  # fmt: skip
# A word of its own to the full-text index, between words that do not follow one another in the text.
_APART = "\ue002"
COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_WORD = re.compile(r"[^\W_]+")
STOP_WORDS = FUNCTION | word_set("asking")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in the spelling that search looks through, and how the two lie to each other.

    Its first `body` characters are the text with ligatures resolved, `origin` the place of each in the text; behind
    them stand the joined forms of its compounds, each with the spans of the text that have it.
    """

    text: str
    body: int
    origin: Sequence[int]
    compounds: dict[str, list[tuple[int, int]]]


def plain(text: str) -> str:
    """A text with its ligatures and the long s resolved, soft hyphens gone."""
    return text.translate(_LIGATURES)


def fold(text: str) -> str:
    """Reading text in the spelling that search looks through.

    Ligatures and the long s are resolved; the joined form of every hyphenated compound (`mis-deal`: `misdeal`) is
    appended, so that either spelling finds it, and no phrase runs into it. Case and accents are left to the tokenizer
    (unicode61).
    """
    body = plain(text)
    joined = dict.fromkeys(_joined(m) for m in COMPOUND.finditer(body))
    return "\n".join((body, *(f"{_APART} {form}" for form in joined)))


def folded(text: str) -> Folded:
    """A text as `fold` gives it, with the way back from every place of it to the text."""
    body = plain(text)
    origin: Sequence[int] = range(len(text))
    if body != text:
        origin = [at for at, sign in enumerate(text) for _ in plain(sign)]
    compounds: dict[str, list[tuple[int, int]]] = {}
    for m in COMPOUND.finditer(body):
        compounds.setdefault(_joined(m), []).append((origin[m.start()], origin[m.end() - 1] + 1))
    return Folded(fold(text), len(body), origin, compounds)


def _joined(compound: re.Match[str]) -> str:
    return compound[0].replace("-", "").lower()


def words_of(text: str) -> tuple[str, ...]:
    """The folded words of a text, in lower case."""
    return tuple(_WORD.findall(plain(text).lower()))
