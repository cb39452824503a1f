"""Punctuation that the scan misreads: carets for commas, quotation marks in pieces, dashes, brackets.

Each rule looks at a token, its neighbours and the book's own pairs of words; words themselves are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.mend.context import Language
from extract.mend.lexicon import FUNCTION, core, word_set
from extract.mend.mending import Mended, Place, place
from extract.mend.specks import LEADERS, mend_speck
from extract.mend.stream import Stream

_CARET = re.compile(r"^(?P<word>[\"'“(\[]*[^\W\d_][\w'’-]*?\.?\)?)\^$")
_CARET_BESIDE = re.compile(r"(?:,\^|\^,)$")
_CLOSING = re.compile(r"(?P<word>[^\W_][,.;?!]?)(?P<sign>[/^]['*\"]|''\*?|'\*|'\^)$")
_OPENING = re.compile(r"^(?:''|'[\^•]|\*'|\*\*|'•|\"')$")
_HYPHENS = re.compile(r"^(?:-{1,3}|-+[—–][—–-]*|[—–]+-[—–-]*)$")
_HYPHEN_FIRST = re.compile(r"^-(?=[A-Z\"])")
_DOUBLED = re.compile(r"(?<=[a-z])([,;:])\1$")
_FINAL_HYPHEN = re.compile(r"[\w)]-$")
_LABEL_HYPHEN = re.compile(r"^\(?\d+\)?-$")
_FINAL_L = re.compile(r"^(?P<word>[\"'(]*[A-Z]?[a-z]+)L$")
_STARRED = re.compile(r"^(?P<word>[A-Za-z]{3,})[*]s(?P<tail>[.,;:]?)$")
_BRACE = re.compile(r"^[{⁽]")
_ABBREVIATED, _CITING = word_set("abbreviated"), word_set("citing")
_HABIT = 10
_FREQUENT = 5_000_000
_AFTER_ITALICS = "^ for a comma after italics"


def mend_signs(stream: Stream, separators: Sequence[str], language: Language) -> dict[int, Mended]:
    """Set right the signs of a scan.

    Args:
        stream: the scan's tokens.
        separators: what stands before each token in the reading text, by gap.
        language: word lists and the book's counts.
    Returns:
        The tokens that read differently, by their start. An empty text: the token is no print.
    """
    mended: dict[int, Mended] = {}
    habit = sum(bool(_CARET.match(t.text)) for t in stream.tokens) >= _HABIT
    for i, token in enumerate(stream.tokens):
        if token.fixed or (token.text.isalnum() and token.text[-1] not in "LVo"):
            continue
        here = place(stream, separators, i, language)
        found = _caret(here, habit=habit) or _sign(here) or mend_speck(here)
        if found and (found.note == LEADERS or here.in_prose()):
            mended[token.start] = found
    return mended


def _sign(here: Place) -> Mended | None:
    return (
        _final_hyphen(here)
        or _final_l(here)
        or _closing_quote(here)
        or _opening_quote(here)
        or _dash(here)
        or _abbreviation(here)
        or _question(here)
        or _bracket(here)
        or _genitive(here)
    )


def _caret(here: Place, *, habit: bool) -> Mended | None:
    """`word^`: after italics OCR reads the comma as a caret; at a paragraph's end it stands for the full stop."""
    text, follows, language = here.text, here.follows, here.language
    if text == "^":
        return _lone_caret(here, habit=habit)
    if match := _CARET_BESIDE.search(text):
        stem = text[: match.start()]
        sign = ".," if core(stem).lower() in _ABBREVIATED else ","
        return Mended(stem + sign, 0.97, "^ beside a comma: one sign, read twice")
    match = _CARET.match(text)
    if not match:
        return None
    stem, word = match["word"], core(match["word"]).lower()
    if not language.lexicon.known(core(stem)):
        # A tail like `o^` or `^r` may be a g: that is for the corrector.
        plain = habit and word.isalpha() and len(word) > 3 and word[-1] not in "or"
        return Mended(stem + ",", 0.9, _AFTER_ITALICS) if plain and follows else None
    if word.endswith("w") and language.usage.pair(word, here.second) > 1:
        return Mended(stem, 0.95, f"speck beside w; '{word} {here.second}' stands elsewhere")
    if word in FUNCTION:
        return None
    if not follows:
        return Mended(stem + ".", 0.9, "^ for the full stop at the end of a paragraph")
    comma = follows[0].islower() or follows[0].isdecimal() or follows.endswith("^") or core(follows) == "I"
    return Mended(stem + ",", 0.96 if comma else 0.9 if habit else 0.8, _AFTER_ITALICS)


def _lone_caret(here: Place, *, habit: bool) -> Mended | None:
    """A caret between blanks: a speck between words that go together, else a comma where the scan reads commas so."""
    first, second = here.first, here.second
    if not first or not second or not here.before[-1].isalpha():
        return None
    if here.language.usage.pair(first, second) > 3 or here.language.lexicon.pair(first, second) > _FREQUENT:
        return Mended("", 0.9, f"speck; '{first} {second}' stands together elsewhere")
    if habit and here.follows[0].islower():
        return Mended(",", 0.9, "^ for a comma, as often in this scan")
    return None


def _closing_quote(here: Place) -> Mended | None:
    """The closing quotation mark read in pieces, with or without the comma or full stop under it."""
    match = _CLOSING.search(here.text)
    if not match:
        return None
    stem, sign, follows = here.text[: match.start("sign")], match["sign"], here.follows
    if sign[0] == "'" or stem[-1] in ",.;?!":
        return Mended(stem + '"', 0.95, f"{sign} for a closing quotation mark")
    if not follows or (follows[0].isupper() and core(follows) != "I"):
        return Mended(stem + '."', 0.9, f"{sign} for a full stop and closing quotation mark")
    if follows[0].islower():
        return Mended(stem + ',"', 0.9, f"{sign} for a comma and closing quotation mark")
    return None


def _opening_quote(here: Place) -> Mended | None:
    """An opening quotation mark read in pieces: signs alone before a word, and a closing mark further on."""
    if not _OPENING.match(here.text) or not here.follows[:1].isalpha():
        return None
    if any(sign in other.text for other in here.later for sign in ('"', "''", "”")):
        return Mended('"', 0.9, f"{here.text} for an opening quotation mark; it is closed further on")
    return None


def _question(here: Place) -> Mended | None:
    """`four V`: a question mark and closing quotation mark, where a quotation is open."""
    if here.text != "V" or not here.before[-1:].islower() or here.first in _CITING or here.follows[:1] == ".":
        return None
    if sum(t.text.count('"') for t in here.earlier) % 2 == 0:
        return None
    return Mended('?"', 0.9, "V for a question mark and closing quotation mark; a quotation is open")


def _final_hyphen(here: Place) -> Mended | None:
    """A hyphen for the full stop at the end of a paragraph, or after the number that opens one."""
    ends = not here.follows and _FINAL_HYPHEN.search(here.text)
    label = not here.before and here.follows[:1].isupper() and _LABEL_HYPHEN.match(here.text)
    if ends or label:
        return Mended(here.text[:-1] + ".", 0.9, "a hyphen for the full stop after a number, or at a paragraph's end")
    return None


def _final_l(here: Place) -> Mended | None:
    """`deaL`: a capital L at the end is an l with the stop or comma under it."""
    match = _FINAL_L.match(here.text)
    if not match or not here.language.lexicon.known(core(match["word"] + "l")):
        return None
    sign, name = (",", "a comma") if here.follows[:1].islower() else (".", "a full stop")
    return Mended(f"{match['word']}l{sign}", 0.9, f"L for l and {name}")


def _dash(here: Place) -> Mended | None:
    """Hyphens where only a dash can stand, and signs read twice."""
    text, before = here.text, here.before
    if before[-1:] in tuple(",;.:") and len(before) > 1 and _HYPHEN_FIRST.match(text):
        return Mended("—" + text[1:], 0.95, "a hyphen after a stop is a dash")
    if _HYPHENS.match(text) and here.follows[:1] in ("—", "–"):
        return Mended("", 0.95, "a hyphen beside a dash: one sign, read twice")
    if _HYPHENS.match(text) and (here.attached or "—" in text) and before[-1:] not in "—-":
        return Mended("—", 0.95, "a hyphen after a stop is a dash" if text == "-" else "hyphens for a dash")
    if _DOUBLED.search(text):
        return Mended(text[:-1], 0.95, "one sign, read twice")
    return None


def _abbreviation(here: Place) -> Mended | None:
    """`i, e.` for i. e."""
    if (here.text == "i," and here.second == "e") or (here.text == "e," and here.before in ("i.", "i,")):
        return Mended(here.text[0] + ".", 0.95, "comma for the full stop of 'i. e.'")
    return None


def _bracket(here: Place) -> Mended | None:
    """A brace or raised bracket that a round one closes."""
    if not _BRACE.match(here.text):
        return None
    for sign in here.text[1:] + "".join(t.text for t in here.later):
        if sign == ")":
            return Mended("(" + here.text[1:], 0.97, f"{here.text[0]} for the bracket that ) closes")
        if sign in "({[⁽":
            return None
    return None


def _genitive(here: Place) -> Mended | None:
    """`moment*s`: an asterisk for the apostrophe."""
    match = _STARRED.match(here.text)
    if not match or not here.language.lexicon.known(match["word"]):
        return None
    return Mended(f"{match['word']}'s{match['tail']}", 0.92, "* for the apostrophe of a genitive")
