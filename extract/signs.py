"""Punctuation that the scan misreads: carets for commas, closing quotation marks in pieces, dashes, brackets.

Each rule looks at the token, its neighbours and the book's own pairs of words; words themselves are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from extract.context import Language
from extract.lexicon import FUNCTION, core, word_set
from extract.space import PARAGRAPH
from extract.stream import Stream, Token

_CARET = re.compile(r"^(?P<word>[\"'“(\[]*[^\W\d_][\w'’-]*?\.?\)?)\^$")
_CARET_BESIDE = re.compile(r"(?:,\^|\^,)$")
_CLOSING = re.compile(r"(?P<word>[^\W_][,.;?!]?)(?P<sign>[/^]['*\"]|''\*?|'\*|'\^)$")
_OPENING = re.compile(r"^(?:''|'[\^•]|\*'|\*\*|'•|\"')$")
_LEADER = re.compile(r"^[.·•…}]+(?P<page>\d*)$")
_HYPHENS = re.compile(r"^(?:-{1,3}|-+[—–][—–-]*|[—–]+-[—–-]*)$")
_HYPHEN_FIRST = re.compile(r"^-(?=[A-Z\"])")
_DOUBLED = re.compile(r"(?<=[a-z])([,;:])\1$")
_SPECK = re.compile(r"^[-•*>»«;]+(?=[a-z])")
_FINAL_HYPHEN = re.compile(r"[\w)]-$")
_LABEL_HYPHEN = re.compile(r"^\(?\d+\)?-$")
_FINAL_L = re.compile(r"^(?P<word>[\"'(]*[A-Z]?[a-z]+)L$")
_STOPPED = re.compile(r"^(?P<word>[a-z]+)[.;:]$")
_STARRED = re.compile(r"^(?P<word>[A-Za-z]{3,})[*]s(?P<tail>[.,;:]?)$")
_ARTICLES = frozenset({"the", "an"})
_FIRM = 0.3
_BRACE = re.compile(r"^[{⁽]")
_ABBREVIATED = word_set("abbreviated")
LEADERS = "leader dots"
_REACH = 40
_WINDOW = 4
_CITING = word_set("citing")
_HABIT = 10
_FREQUENT = 5_000_000


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
        separators: what stands before each token in the reading text, by gap.
        language: word lists and the book's counts.
    Returns:
        The tokens that read differently, by their start. An empty text: the token is no print.
    """
    mended: dict[int, Mended] = {}
    tokens = stream.tokens
    habit = sum(bool(_CARET.match(t.text)) for t in tokens) >= _HABIT
    for i, token in enumerate(tokens):
        if token.fixed or (token.text.isalnum() and token.text[-1] not in "LVo"):
            continue
        ends = i + 1 == len(tokens) or separators[i + 1] == PARAGRAPH
        follows = "" if ends else tokens[i + 1].text
        before = tokens[i - 1].text if i and separators[i] != PARAGRAPH else ""
        found = (
            _leader(token.text, tokens[max(0, i - _REACH) : i], follows)
            or _caret(token.text, before, follows, language, habit)
            or _final_hyphen(token.text, before, follows)
            or _final_l(token.text, follows, language)
            or _closing_quote(token.text, follows)
            or _opening_quote(token.text, follows, tokens[i + 1 : i + 1 + _REACH])
            or _dash(token.text, before, follows, attached=stream.gaps[i].start == stream.gaps[i].end)
            or _abbreviation(token.text, before, follows)
            or _question(token.text, before, follows, tokens, i)
            or _bracket(token.text, tokens[i : i + _REACH])
            or _speck(token.text, before, language)
            or _stray_stop(token.text, follows, language)
            or _lone_o(token.text, before, follows, language, opens=bool(stream.gaps[i].breaks))
            or _genitive(token.text, language)
        )
        if found and (found.note == LEADERS or _prose(tokens, i, language)):
            mended[token.start] = found
    return mended


def _prose(tokens: Sequence[Token], i: int, language: Language) -> bool:
    """Whether most tokens around are words: no table, and no noise."""
    window = [core(t.text) for t in tokens[max(0, i - _WINDOW) : i + _WINDOW + 1] if t is not tokens[i]]
    known = sum(bool(w) and not w[0].isdigit() and language.lexicon.known(w) for w in window)
    return 2 * known >= len(window)


def with_signs(stream: Stream, mended: dict[int, Mended]) -> Stream:
    """The stream with its tokens as mended; their spans stay, and those that are no print are gone."""
    tokens: list[Token] = []
    gaps = [stream.gaps[0]]
    for i, token in enumerate(stream.tokens):
        gap = stream.gaps[i + 1]
        found = mended.get(token.start)
        if found and not found.text:
            gaps[-1] = gaps[-1].across(gap)
            continue
        tokens.append(replace(token, text=found.text) if found else token)
        gaps.append(gap)
    return Stream(stream.scan, tuple(tokens), tuple(gaps))


def _leader(text: str, before: Sequence[Token], follows: str) -> Mended | None:
    """Leader dots (or a table's brace) after an entry that ends in a comma; a full stop read twice."""
    match = _LEADER.match(text)
    if not match:
        return None
    entry = next((t.text for t in reversed(before) if not _LEADER.match(t.text)), "")
    if entry.endswith(","):
        return Mended(match["page"], 0.95, LEADERS)
    if (
        text == "."
        and before
        and not follows[:1].isdigit()
        and before[-1].text.endswith(".")
        and before[-1].text != "."
        and follows != "."
    ):
        word = core(before[-1].text)
        return Mended("", 0.9, "a second full stop") if word.isalpha() and word.islower() else None
    return None


def _caret(text: str, before: str, follows: str, language: Language, habit: bool) -> Mended | None:
    """`word^`: after italics OCR reads the comma as a caret; at a paragraph's end it stands for the full stop."""
    if text == "^":
        return _lone_caret(before, follows, language, habit)
    if match := _CARET_BESIDE.search(text):
        stem = text[: match.start()]
        return Mended(
            stem + (".," if core(stem).lower() in _ABBREVIATED else ","), 0.97, "^ beside a comma: one sign, read twice"
        )
    match = _CARET.match(text)
    if not match:
        return None
    word = core(match["word"]).lower()
    if not language.lexicon.known(core(match["word"])):
        plain = habit and word.isalpha() and len(word) > 3 and word[-1] not in "or"
        return Mended(match["word"] + ",", 0.9, "^ for a comma after italics") if plain and follows else None
    if word.endswith("w") and language.usage.pair(word, core(follows)) > 1:
        return Mended(match["word"], 0.95, f"speck beside w; '{word} {core(follows).lower()}' stands elsewhere")
    if word in FUNCTION:
        return None
    if not follows:
        return Mended(match["word"] + ".", 0.9, "^ for the full stop at the end of a paragraph")
    comma = follows[0].islower() or follows[0].isdigit() or follows.endswith("^") or core(follows) == "I"
    return Mended(match["word"] + ",", 0.96 if comma else 0.9 if habit else 0.8, "^ for a comma after italics")


def _lone_caret(before: str, follows: str, language: Language, habit: bool) -> Mended | None:
    """A caret between blanks: a comma where the scan reads commas so, else a speck between words that go together."""
    first, second = core(before).lower(), core(follows).lower()
    if not first or not second or not before[-1].isalpha():
        return None
    if language.usage.pair(first, second) > 3 or language.lexicon.pair(first, second) > _FREQUENT:
        return Mended("", 0.9, f"speck; '{first} {second}' stands together elsewhere")
    if habit and follows[0].islower():
        return Mended(",", 0.9, "^ for a comma, as often in this scan")
    return None


def _closing_quote(text: str, follows: str) -> Mended | None:
    """The closing quotation mark read in pieces, with or without the comma or full stop under it."""
    match = _CLOSING.search(text)
    if not match:
        return None
    stem, sign = text[: match.start("sign")], match["sign"]
    if sign[0] == "'" or stem[-1] in ",.;?!":
        return Mended(stem + '"', 0.95, f"{sign} for a closing quotation mark")
    if not follows or (follows[0].isupper() and core(follows) != "I"):
        return Mended(stem + '."', 0.9, f"{sign} for a full stop and closing quotation mark")
    if follows[0].islower():
        return Mended(stem + ',"', 0.9, f"{sign} for a comma and closing quotation mark")
    return None


def _opening_quote(text: str, follows: str, later: Sequence[Token]) -> Mended | None:
    """An opening quotation mark read in pieces: signs alone before a word, and a closing mark further on."""
    if not _OPENING.match(text) or not follows[:1].isalpha():
        return None
    if any(sign in other.text for other in later for sign in ('"', "''", "”")):
        return Mended('"', 0.9, f"{text} for an opening quotation mark; it is closed further on")
    return None


def _final_hyphen(text: str, before: str, follows: str) -> Mended | None:
    """A hyphen for the full stop at the end of a paragraph, or after the number that opens one."""
    ends = not follows and _FINAL_HYPHEN.search(text)
    label = not before and follows[:1].isupper() and _LABEL_HYPHEN.match(text)
    if ends or label:
        return Mended(text[:-1] + ".", 0.9, "a hyphen for the full stop after a number, or at a paragraph's end")
    return None


def _final_l(text: str, follows: str, language: Language) -> Mended | None:
    """`deaL`: a capital L at the end is an l with the stop or comma under it."""
    match = _FINAL_L.match(text)
    if not match or not language.lexicon.known(core(match["word"] + "l")):
        return None
    sign = "," if follows[:1].islower() else "."
    return Mended(match["word"] + "l" + sign, 0.9, f"L for l and {'a comma' if sign == ',' else 'a full stop'}")


def _dash(text: str, before: str, follows: str, *, attached: bool) -> Mended | None:
    """Hyphens where only a dash can stand, and signs read twice."""
    if before[-1:] in tuple(",;.:") and len(before) > 1 and _HYPHEN_FIRST.match(text):
        return Mended("—" + text[1:], 0.95, "a hyphen after a stop is a dash")
    if _HYPHENS.match(text) and follows[:1] in ("—", "–"):
        return Mended("", 0.95, "a hyphen beside a dash: one sign, read twice")
    if _HYPHENS.match(text) and (attached or "—" in text) and before[-1:] not in "—-":
        return Mended("—", 0.95, "a hyphen after a stop is a dash" if text == "-" else "hyphens for a dash")
    if _DOUBLED.search(text):
        return Mended(text[:-1], 0.95, "one sign, read twice")
    return None


def _abbreviation(text: str, before: str, follows: str) -> Mended | None:
    """`i, e.` for i. e."""
    if (text == "i," and core(follows) == "e") or (text == "e," and before in ("i.", "i,")):
        return Mended(text[0] + ".", 0.95, "comma for the full stop of 'i. e.'")
    return None


def _question(text: str, before: str, follows: str, tokens: Sequence[Token], i: int) -> Mended | None:
    """`four V`: a question mark and closing quotation mark, where a quotation is open."""
    if text != "V" or not before[-1:].islower() or core(before).lower() in _CITING or follows[:1] == ".":
        return None
    marks = "".join(t.text for t in tokens[max(0, i - _REACH) : i])
    if marks.count('"') % 2 == 0:
        return None
    return Mended('?"', 0.9, "V for a question mark and closing quotation mark; a quotation is open")


def _bracket(text: str, later: Sequence[Token]) -> Mended | None:
    """A brace or raised bracket that a round one closes."""
    if not _BRACE.match(text):
        return None
    for k, other in enumerate(later):
        for sign in other.text[1 if k == 0 else 0 :]:
            if sign == ")":
                return Mended("(" + text[1:], 0.97, f"{text[0]} for the bracket that ) closes")
            if sign in "({[⁽":
                return None
    return None


def _speck(text: str, before: str, language: Language) -> Mended | None:
    """A sign stuck to the front of a word."""
    match = _SPECK.match(text)
    if not match or not before or not before[-1].isalpha():
        return None
    word = text[match.end() :]
    first, second = core(before).lower(), core(word).lower()
    usage, lexicon = language.usage, language.lexicon
    if not lexicon.known(second) or usage.word(f"{first}-{second}") or lexicon.size(f"{first}-{second}"):
        return None
    if not {first, second} & FUNCTION:
        return None
    if usage.pair(first, second) > 1 or lexicon.pair(first, second):
        return Mended(word, 0.9, f"speck; '{first} {second}' stands together elsewhere")
    return None


def _stray_stop(text: str, follows: str, language: Language) -> Mended | None:
    """A stop between words that belong together: after an article, or in a set phrase (`according; to`)."""
    match = _STOPPED.match(text)
    if not match or not follows[:1].islower():
        return None
    first, second = match["word"].lower(), core(follows).lower()
    usage = language.usage
    article = first in _ARTICLES and language.lexicon.known(second)
    if article or (usage.pair(first, second) >= 3 and usage.pair(first, second) >= _FIRM * usage.word(first)):
        return Mended(match["word"], 0.92, f"speck; no stop stands between '{first}' and '{second}'")
    return None


def _lone_o(text: str, before: str, follows: str, language: Language, *, opens: bool) -> Mended | None:
    """A small o by itself, which is no English word: a speck, or a part of the g in the line above."""
    if text != "o" or len(core(follows)) < 2 or not language.lexicon.known(core(follows)):
        if text != "o" or core(follows) not in ("a", "A"):
            return None
    together = language.usage.pair(core(before), core(follows)) > 1
    return Mended("", 0.9, "speck; 'o' alone is no word") if together or opens else None


def _genitive(text: str, language: Language) -> Mended | None:
    """`moment*s`: an asterisk for the apostrophe."""
    match = _STARRED.match(text)
    if not match or not language.lexicon.known(match["word"]):
        return None
    return Mended(f"{match['word']}'s{match['tail']}", 0.92, "* for the apostrophe of a genitive")
