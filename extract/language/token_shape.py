"""The shape of a word: the punctuation around it, impossible characters inside it, and its capitals."""

from __future__ import annotations

import re
from functools import lru_cache

from extract.language.lexicon import NOTE_MARK
from extract.numbering.numerals import like_roman

# A transcription marks italics and bold type (`_so_`, `=so=`), notes and pages (`{12}so`).
_EDGES = re.compile(
    rf"^((?:\{{\d{{1,4}}\}}|[\"'“‘(\[—_=])*)(.*?)((?:(?<=\w)['’][sS])?(?:{NOTE_MARK}|[.,;:?!\"'”’)\]—_=])*)$", re.S
)
_ELISION = re.compile(r"(?:s|t|d|ll|re|ve|m|er|en|tis|twas|clock)$")
_NUMBER = re.compile(
    r"^\W*[\d,./½¼¾⅓⅔]+(?:st|nd|rd|th|d|st|th)?(?:ly)?(?:'?s|do)?\W*$|^[\diIlOoSs.]*\d[\diIlOoSs.]*$|^[A-Z]\d+$"
)
_MIXED = re.compile(r"^(?:Mc|Mac|Van|De|La|Le|O')[A-Z][a-z]+$|^[A-Z][a-z]+'[A-Z]")


@lru_cache(maxsize=100_000)
def edges(text: str) -> tuple[str, str, str]:
    """Split a token into punctuation before, form, and punctuation after (including the `'s` of a genitive)."""
    lead, form, tail = _EDGES.findall(text)[0]
    return lead, form, tail


def like_numeral(form: str) -> bool:
    """Whether a form may be a roman numeral: two or more of the letters I, V, X, L, C, and Y, which OCR reads for V."""
    return len(form) > 1 and like_roman(form, "ivxlcy")


@lru_cache(maxsize=100_000)
def is_number(form: str) -> bool:
    """Whether a form is a number or a label with one, however misread."""
    return bool(_NUMBER.match(form))


@lru_cache(maxsize=50_000)
def oddities(form: str) -> tuple[bool, ...]:
    """For each character of a form, whether it is impossible at that position in a printed word."""
    if is_number(form) or _MIXED.match(form):
        return (False,) * len(form)
    upper = sum(map(str.isupper, form))
    capitals = upper == len(form) or (upper > 2 and upper >= sum(map(str.islower, form)))
    odd: list[bool] = []
    for i, character in enumerate(form):
        if character.isalpha():
            odd.append(character.isupper() and i > 0 and not capitals and form[i - 1] not in "-'’.")
        elif character in "'’":
            odd.append(not (_ELISION.search(form[i + 1 :]) or i <= 2) and i + 1 < len(form))
        elif character in "-.":
            odd.append(i in (0, len(form) - 1) and character == "-")
        else:
            odd.append(character != "&" or len(form) > 2)
    return tuple(odd)


@lru_cache(maxsize=100_000)
def malformed(form: str) -> bool:
    """Whether a form cannot be a printed word."""
    return any(oddities(form))


def recase(text: str, form: str) -> str | None:
    """Return a candidate with plausible capitals: none, the initial, or all; None if it has others.

    Args:
        text: the candidate as made by replacing confused characters.
        form: the form as read.
    """
    if not any(map(str.isalpha, text)):
        return None
    initial = next((c for c in form if c.isalpha()), "")
    if text[0].lower() == initial.lower():
        text = initial + text[1:]
    if text.islower() or text.isupper() or text.istitle():
        return text
    capitals = sum(map(str.isupper, form))
    if capitals > 1 and capitals >= sum(map(str.islower, form)):
        return text.upper()
    parts = re.split(r"[- ']", text)
    return None if any(c.isupper() for part in parts for c in part[1:]) else text
