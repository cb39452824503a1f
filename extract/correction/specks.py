"""Specks: signs that are no print, told by the words on either side, which go together without them."""

from __future__ import annotations

import re
from collections.abc import Callable

from extract.correction.rules import Rule
from extract.correction.substitution import Place, Substitution
from extract.language.lexicon import FUNCTION, core, word_set

LEADERS = "speck.leaders"
_LEADER = re.compile(r"^[.·•…}]+(?P<page>\d*)$")
_BEFORE_WORD = re.compile(r"^[-•*>»«;]+(?=[a-z])")
_STOPPED = re.compile(r"^(?P<word>[a-z]+)[.;:]$")
_CLOSED, _EMPHASIS = re.compile(r"\w[.,;:?!]?\*"), 8
_HYPHENED = re.compile(r"^\W*(?P<left>[A-Za-z]?[a-z]*)-(?P<right>[a-z]+)(?P<after>\W*)$")
_ALONE = word_set("uncompounded")
_ARTICLES = word_set("articles")
_OFTEN, _FIRM, _FIRMER = 3, 0.3, 0.7
_FREQUENT = 5_000_000


def leaders(here: Place) -> Substitution | None:
    """Leader dots, or a table's brace, after an entry that ends in a comma."""
    match = _LEADER.match(here.text)
    if not match:
        return None
    entry = next((t.text for t in reversed(here.earlier) if not _LEADER.match(t.text)), "")
    return Substitution(match["page"], 0.95, "leader dots") if entry.endswith(",") else None


def between(here: Place) -> Substitution | None:
    """A sign, or an o, which is no word, between two words that stand side by side elsewhere."""
    text, first, second = here.text, here.first, here.second
    usage, lexicon = here.language.usage, here.language.lexicon
    together = f"speck; '{first} {second}' stands together elsewhere"
    if not second:
        return None
    if text == "^" and here.before[-1:].isalpha():
        often = usage.pair(first, second) > _OFTEN or lexicon.pair(first, second) > _FREQUENT
        return Substitution("", 0.9, together) if often else None
    if text == "o" and (second == "a" or (len(second) > 1 and lexicon.known(second))):
        alone = usage.pair(first, second) > 1 or here.opens
        return Substitution("", 0.9, "speck; 'o' alone is no word") if alone else None
    if text.endswith("w^") and lexicon.known(core(text[:-1])):
        word = core(text).lower()
        found = usage.pair(word, second) > 1
        return Substitution(text[:-1], 0.95, f"speck beside w; '{word} {second}' stands elsewhere") if found else None
    match = _BEFORE_WORD.match(text)
    if not match or not here.before[-1:].isalpha() or _emphasis(here):
        return None
    word = text[match.end() :]
    second = core(word).lower()
    if not lexicon.known(second) or usage.word(f"{first}-{second}") or lexicon.size(f"{first}-{second}"):
        return None
    if {first, second} & FUNCTION and (usage.pair(first, second) > 1 or lexicon.pair(first, second)):
        return Substitution(word, 0.9, f"speck; '{first} {second}' stands together elsewhere")
    return None


def _emphasis(here: Place) -> bool:
    """Whether asterisks open and close some words: a transcription marks italics so."""
    near = [here.text[1:], *(t.text for t in here.later[:_EMPHASIS])]
    return here.text.startswith("*") and any(_CLOSED.search(text) for text in near)


def stop(here: Place) -> Substitution | None:
    """A stop between words that belong together: after an article, in a set phrase, or alone after a small word."""
    if not here.follows[:1].islower():
        return None
    if here.text == "." and here.first in FUNCTION:
        return Substitution("", 0.9, "speck; a full stop before a small letter")
    match = _STOPPED.match(here.text)
    if not match:
        return None
    word, second = match["word"], here.second
    times = here.language.usage.pair(word, second)
    firm = _FIRMER if here.text[-1] == ";" else _FIRM  # a semicolon is rarely a speck
    set_phrase = times >= _OFTEN and times >= firm * here.language.usage.word(word)
    if set_phrase or (word in _ARTICLES and here.language.lexicon.known(second)):
        return Substitution(word, 0.92, f"speck; no stop stands between '{word}' and '{second}'")
    return None


def hyphen(here: Place) -> Substitution | None:
    """A hyphen between two words of which one makes no compounds: an article, or a pronoun."""
    match = _HYPHENED.match(here.text)
    if not match or (here.line_ends and not match["after"]):
        return None
    left, right = match["left"].lower(), match["right"].lower()
    language, form = here.language, f"{left}-{right}"
    if not {left, right} & _ALONE or language.usage.word(form) > 1 or language.lexicon.size(form) is not None:
        return None
    if language.lexicon.known(left + right):
        return None
    if not (language.lexicon.known(left, 50) and language.lexicon.known(right, 50)):
        return None
    if not (language.usage.pair(left, right) or language.lexicon.pair(left, right)):
        return None
    return Substitution(here.text.replace("-", " "), 0.9, f"speck; '{left} {right}' stands together elsewhere")


SPECKS: tuple[Rule[Callable[[Place], Substitution | None]], ...] = (
    Rule(LEADERS, "Of the hand, «...|»64 Of the rest, «..|»126", leaders),
    Rule("speck.between", "he is of «•|»the party, as is said", between),
    Rule("speck.hyphen", "he takes the hand from«-| »the player, from the hand", hyphen),
    Rule("speck.stop", "he has the«;|» right to lead", stop),
)
