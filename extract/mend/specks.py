"""Specks: signs that are no print, told by the words on either side, which go together without them."""

from __future__ import annotations

import re

from extract.mend.lexicon import FUNCTION, core
from extract.mend.mending import Mended, Place

LEADERS = "leader dots"
_LEADER = re.compile(r"^[.·•…}]+(?P<page>\d*)$")
_BEFORE_WORD = re.compile(r"^[-•*>»«;]+(?=[a-z])")
_STOPPED = re.compile(r"^(?P<word>[a-z]+)[.;:]$")
_LEADING_STOP = re.compile(r"^[.,][A-Za-z]{2,}")
_BULLETS = ("•", "·", "■")
_ARTICLES = frozenset({"the", "an"})
_OFTEN, _FIRM = 3, 0.3


def mend_speck(here: Place) -> Mended | None:
    """The reading of a token that is a speck or bears one."""
    return _leader(here) or _stray_sign(here) or _before_word(here) or _stray_stop(here) or _lone_o(here)


def _leader(here: Place) -> Mended | None:
    """Leader dots (or a table's brace) after an entry that ends in a comma; a full stop read twice."""
    match = _LEADER.match(here.text)
    if not match:
        return None
    entry = next((t.text for t in reversed(here.earlier) if not _LEADER.match(t.text)), "")
    if entry.endswith(","):
        return Mended(match["page"], 0.95, LEADERS)
    before, follows = here.earlier[-1].text if here.earlier else "", here.follows
    word = core(before)
    if here.text == "." and before == word + "." and word.isalpha() and word.islower():
        return None if follows == "." or follows[:1].isdecimal() else Mended("", 0.9, "a second full stop")
    return None


def _stray_sign(here: Place) -> Mended | None:
    """A stop between two words that is none (`or . play`, `.Play`, `more, ,`), a bullet at a paragraph's end."""
    text, last, first = here.text, here.before[-1:], here.first
    if text == "." and first in FUNCTION and here.follows[:1].islower():
        return Mended("", 0.9, "speck; a full stop before a small letter")
    if text == "," and (last == "," or (last == "." and core(here.before).islower() and len(first) > 3)):
        return Mended("", 0.9, "a second stop")
    if text in _BULLETS and not here.follows and here.before:
        return Mended("", 0.9, "speck at the end of a paragraph")
    if _LEADING_STOP.match(text) and (not here.before or last == ",") and here.language.lexicon.known(core(text)):
        return Mended(text[1:], 0.9, "speck; a stop before a word")
    return None


def _before_word(here: Place) -> Mended | None:
    """A sign stuck to the front of a word."""
    match = _BEFORE_WORD.match(here.text)
    if not match or not here.before[-1:].isalpha():
        return None
    word = here.text[match.end() :]
    first, second = here.first, core(word).lower()
    usage, lexicon = here.language.usage, here.language.lexicon
    if not lexicon.known(second) or usage.word(f"{first}-{second}") or lexicon.size(f"{first}-{second}"):
        return None
    if {first, second} & FUNCTION and (usage.pair(first, second) > 1 or lexicon.pair(first, second)):
        return Mended(word, 0.9, f"speck; '{first} {second}' stands together elsewhere")
    return None


def _stray_stop(here: Place) -> Mended | None:
    """A stop between words that belong together: after an article, or in a set phrase (`according; to`)."""
    match = _STOPPED.match(here.text)
    if not match or not here.follows[:1].islower():
        return None
    first, second = match["word"], here.second
    times = here.language.usage.pair(first, second)
    set_phrase = times >= _OFTEN and times >= _FIRM * here.language.usage.word(first)
    if set_phrase or (first in _ARTICLES and here.language.lexicon.known(second)):
        return Mended(first, 0.92, f"speck; no stop stands between '{first}' and '{second}'")
    return None


def _lone_o(here: Place) -> Mended | None:
    """A small o by itself, which is no English word: a speck, or a part of the g in the line above."""
    second = here.second
    if here.text != "o" or not (second == "a" or (len(second) > 1 and here.language.lexicon.known(second))):
        return None
    together = here.language.usage.pair(here.first, second) > 1
    return Mended("", 0.9, "speck; 'o' alone is no word") if together or here.opens else None
