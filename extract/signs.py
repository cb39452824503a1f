"""Punctuation that the scan misreads: carets for commas, closing quotation marks in pieces, dashes, brackets.

Each rule looks at the token, its neighbours and the book's own pairs of words; words themselves are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from extract.context import STOP, Language
from extract.lexicon import core
from extract.space import PARAGRAPH
from extract.stream import Stream, Token

_CARET = re.compile(r"^(?P<word>[\"'“(\[]*[^\W\d_][\w'’-]*?[.]?)\^$")
_CARET_BESIDE = re.compile(r"(?P<word>\w\.?)(?:,\^|\^,)$")
_CLOSING = re.compile(r"(?P<word>[^\W_][,.;?!]?)(?P<sign>[/^]['*\"]|''|'\*|\"'|'\^|''\*)$")
_OPENING = re.compile(r"^(?:''|'[\^•]|\*'|\*\*|'•|\"')$")
_DASH = re.compile(r"(?P<before>[,;])-{1,3}(?=\w)|(?P<stop>[.:?!)])-(?=[A-Z0-9\"])|(?<=\w)--(?=\w)|(?<=[,;.])--$")
_LEADING_DASH = re.compile(r"^-(?=[A-Z\"])")
_DOUBLED = re.compile(r"(?<=[a-z])([,;:])\1$")
_SPECK = re.compile(r"^[-•*>»«;]+(?=[a-z])")
_BRACE = re.compile(r"^[{⁽]")
_REACH = 40


@dataclass(frozen=True, slots=True)
class Mended:
    """What a token reads with its signs set right, how sure that is, and the evidence."""

    text: str
    confidence: float
    note: str


def mend_signs(stream: Stream, separators: Sequence[str], language: Language) -> dict[int, Mended]:
    """Set right the signs at the edges of tokens.

    Args:
        stream: the scan's tokens.
        separators: what follows and precedes each token in the reading text, by gap.
        language: word lists and the book's counts.
    Returns:
        The tokens, by index, that read differently. An empty text: the token is no print.
    """
    mended: dict[int, Mended] = {}
    tokens = stream.tokens
    carets = sum(bool(_CARET.match(t.text)) for t in tokens)
    for i, token in enumerate(tokens):
        if token.fixed:
            continue
        ends = i + 1 == len(tokens) or separators[i + 1] == PARAGRAPH
        follows = "" if ends else tokens[i + 1].text
        before = tokens[i - 1].text if i and separators[i] != PARAGRAPH else ""
        found = (
            _caret(token, before, follows, ends, language, carets)
            or _closing_quote(token, follows, ends)
            or _opening_quote(token, follows, tokens[i + 1 : i + 1 + _REACH])
            or _dash(token, before)
            or _bracket(token, tokens[i : i + _REACH])
            or _speck(token, before, language)
        )
        if found:
            mended[i] = found
    return mended


def with_signs(stream: Stream, mended: dict[int, Mended]) -> Stream:
    """The stream with its tokens as mended; their spans stay."""
    tokens = tuple(replace(t, text=mended[i].text) if i in mended else t for i, t in enumerate(stream.tokens))
    return replace(stream, tokens=tokens)


def _caret(
    token: Token, before: str, follows: str, ends: bool, language: Language, carets: int
) -> Mended | None:
    """`word^`: after italics OCR reads the comma as a caret; at a paragraph's end it stands for the full stop."""
    text = token.text
    if match := _CARET_BESIDE.search(text):
        return Mended(text[: match.start()] + match["word"] + ",", 0.97, "^ beside a comma: one sign, read twice")
    if text == "^":
        return _lone_caret(before, follows, language, carets)
    match = _CARET.match(text)
    if not match:
        return None
    word = core(match["word"]).lower()
    known = language.lexicon.known(core(match["word"])) or language.lexicon.size(word, ) is not None
    if word.endswith("w") and _pair(language, word, follows) and known:
        return Mended(match["word"], 0.95, f"speck beside w; '{word} {core(follows).lower()}' stands elsewhere")
    if not known and (word + "g" in language.usage.words or word[:-1] + "g" in language.usage.words):
        return None
    if word.endswith("w") and not follows.startswith(("^", ",")) and language.usage.word(word) > 20:
        return None
    if not known and not word.isalpha():
        return None
    if ends:
        return Mended(match["word"] + ".", 0.9, "^ for the full stop at the end of a paragraph")
    if follows[:1].islower() or follows.endswith("^") or core(follows) in ("I",):
        return Mended(match["word"] + ",", 0.96, "^ for a comma after italics")
    return Mended(match["word"] + ",", 0.85, "^ for a comma after italics")


def _lone_caret(before: str, follows: str, language: Language, carets: int) -> Mended | None:
    if not before or not follows:
        return None
    if language.usage.pair(core(before), core(follows)) > 1 or _pair(language, core(before), follows):
        return Mended("", 0.9, f"speck; '{core(before)} {core(follows)}' stands together elsewhere")
    return None


def _closing_quote(token: Token, follows: str, ends: bool) -> Mended | None:
    """The closing quotation mark read in pieces, with or without the comma or full stop under it."""
    match = _CLOSING.search(token.text)
    if not match:
        return None
    stem, sign = token.text[: match.start("sign")], match["sign"]
    if sign in ("''", "'*", "\"'", "'^", "''*"):
        return Mended(stem + '"', 0.95, f"{sign} for a closing quotation mark")
    if stem[-1] in ",.;?!":
        return Mended(stem + '"', 0.95, f"{sign} for a closing quotation mark")
    if ends or follows[:1].isupper() and core(follows) != "I":
        return Mended(stem + '."', 0.9, f"{sign} for a full stop and closing quotation mark")
    if follows[:1].islower():
        return Mended(stem + ',"', 0.9, f"{sign} for a comma and closing quotation mark")
    return None


def _opening_quote(token: Token, follows: str, later: Sequence[Token]) -> Mended | None:
    """An opening quotation mark read in pieces: signs alone before a word, and a closing mark further on."""
    if not _OPENING.match(token.text) or not follows[:1].isalpha():
        return None
    for other in later:
        marks = [c for c in other.text.replace("''", '"') if c in "\"“”"]
        if marks:
            return Mended('"', 0.9, f"{token.text} for an opening quotation mark; it is closed further on")
    return None


def _dash(token: Token, before: str) -> Mended | None:
    """A hyphen after a stop, where only a dash can stand."""
    text = _DASH.sub(lambda m: f"{m['before'] or m['stop'] or ''}—", token.text)
    if before and before[-1] in ",;." and len(before) > 2:
        text = _LEADING_DASH.sub("—", text)
    if text != token.text:
        return Mended(text, 0.95, "a hyphen after a stop is a dash")
    if _DOUBLED.search(text):
        return Mended(text[:-1], 0.95, "one sign, read twice")
    return None


def _bracket(token: Token, later: Sequence[Token]) -> Mended | None:
    """A brace or raised bracket that a round one closes."""
    if not _BRACE.match(token.text):
        return None
    depth = 0
    for k, other in enumerate(later):
        for sign in other.text[1 if k == 0 else 0 :]:
            depth += (sign == "(") - (sign == ")")
            if depth < 0:
                return Mended("(" + token.text[1:], 0.97, f"{token.text[0]} for the bracket that ) closes")
            if depth > 0:
                return None
    return None


def _speck(token: Token, before: str, language: Language) -> Mended | None:
    """A sign stuck to the front of a word."""
    match = _SPECK.match(token.text)
    if not match or not before or before[-1] in "—-":
        return None
    word = token.text[match.end() :]
    first, second = core(before).lower(), core(word).lower()
    if not language.lexicon.known(second) or not (
        language.usage.pair(first, second) or language.lexicon.pair(first, second)
    ):
        return None
    return Mended(word, 0.9, f"speck; '{first} {second}' stands together elsewhere")


def _pair(language: Language, word: str, follows: str) -> bool:
    second = core(follows).lower()
    if not second:
        return False
    return bool(language.usage.pair(word.lower(), second)) or language.lexicon.pair(word.lower(), second) > 10**6


__all__ = ["STOP", "Mended", "mend_signs", "with_signs"]
