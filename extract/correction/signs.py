"""Punctuation that the scan misreads: quotation marks in pieces, signs read twice, dashes, brackets, and its habits.

Each rule looks at a token, its neighbours and the book's own pairs of words; words themselves are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from math import log

from extract.correction.manner import manner
from extract.correction.rules import Habit, Rule, active, first
from extract.correction.specks import LEADERS, SPECKS
from extract.correction.spelling.channel import load_channel
from extract.correction.spelling.context import PAUSE, Language
from extract.correction.stops import STOPS
from extract.correction.substitution import Place, Substitution, place
from extract.language.lexicon import FUNCTION, core, word_set
from extract.text.stream import Stream

_CLOSING = re.compile(r"(?P<word>[^\W_][,.;?!]?)(?P<sign>[/^]['*\"]|''\*?|'\*|'\^)$")
_OPENING = re.compile(r"^(?:''|'[\^•]|\*'|\*\*|'•|\"')$")
_HYPHENS = re.compile(r"^(?:-{1,3}|-+[—–][—–-]*|[—–]+-[—–-]*)$")
_HYPHEN_FIRST = re.compile(r"^-(?=[A-Z\"])")
_TWICE = re.compile(r"(?<=[a-z])([,;:])\1$|(?<=\w)(?P<comma>,\^|\^,)$")
_FINAL_HYPHEN = re.compile(r"[\w)]-$")
_LABEL_HYPHEN = re.compile(r"^\(?\d+\)?-$")
_FINAL_L = re.compile(r"^(?P<word>[\"'(]*[A-Z]?[a-z]+)L$")
_SOFT = re.compile("(?<=[^\\W\\d_])\u00ad+(?=[^\\W\\d_])")
_BRACE = re.compile(r"^[{⁽]")
_PLAIN = re.compile(r"^[\"'“(\[]*[^\W\d_][\w'’-]*\.?\)?$")
_CITING = word_set("citing")
_ACUTE = re.compile(r"(?<=[a-z])(?P<vowel>[eo])(?P<sign>(?<=e)é|(?<=o)ó)")
_DIAERESES = {"é": "ë", "ó": "ö"}
_FOR_A = re.compile(r"^[«@#]$")
_GENITIVE = re.compile(r"^(?P<word>[a-z]{2,}[a-rt-z])['’]$")
_OPENED = re.compile(r"^\W*['‘]\w")
# How often the article stands before a word in the book, or in general, that can have it.
_SEEN, _IN_GENERAL = 2, 20_000_000
_CUT = re.compile(r"^(?P<head>\W*(?P<word>[^\W\d_]{2,})-)[;:.,'’!|_]$")
# A cut word with a stop for its hyphen, and the letters that it has as a whole.
_CUT_AT_STOP, _WHOLE = re.compile(r"^\W*(?P<word>[a-z]{3,})[.,:;'’!]$"), 6


def correct_signs(
    stream: Stream,
    separators: Sequence[str],
    language: Language,
    habits: Sequence[Habit] = (),
    without: Set[str] = frozenset(),
) -> dict[int, Substitution]:
    """Set right the signs of a scan.

    Args:
        stream: the scan's tokens.
        separators: what stands before each token in the reading text, by gap.
        language: word lists and the book's counts.
        habits: what the scan reads again and again for what is printed.
        without: names of rules to leave out.
    Returns:
        The tokens that read differently, by their start. An empty text: the token is no print.
    """
    rules = active((*SPECKS, *SIGNS, *STOPS), without)
    known = manner(stream, language)
    letters = {"o", "IF", "Of", *(habit.read for habit in habits)}
    mended: dict[int, Substitution] = {}
    for i, token in enumerate(stream.tokens):
        plain = token.text.isalnum() and token.text.isascii()
        ends = known.ends and plain and stream.gaps[i + 1].breaks > 1
        if plain and not ends and token.text[-1] != "L" and token.text not in letters:
            continue
        here = place(stream, separators, i, language, habits, known)
        found = first(rules, here)
        if found and (found.rule == LEADERS or here.in_prose()):
            mended[token.start] = found
    return mended


def habit(here: Place) -> Substitution | None:
    """What the scan is in the habit of reading so."""
    for known in here.habits:
        read = _HABITS[known.where](here, known)
        if read is not None:
            return Substitution(read, 0.9, f"{known.read} for {known.printed}: {known.reason}")
    return None


def _after_word(here: Place, known: Habit) -> str | None:
    """The sign at the end of a word, or alone after one; a comma that ends a paragraph is its full stop.

    A form that is misread together with the sign is the corrector's.
    """
    text, follows = here.text, here.follows
    if text == known.read:
        return known.printed if here.before[-1:].isalpha() and follows[:1].islower() else None
    stem = text.removesuffix(known.read)
    word = core(stem).lower()
    if stem == text or not _PLAIN.match(stem) or word in FUNCTION or (not follows and known.printed != ","):
        return None
    if not here.language.lexicon.known(core(stem)):
        misread = word[-1] + known.read in load_channel().confusions
        if misread or not word.isalpha() or len(word) < 4:
            return None
    return stem + (known.printed if follows else ".")


def _in_quotation(here: Place, known: Habit) -> str | None:
    """The sign alone after a word, where a quotation is open."""
    if here.text != known.read or not here.before[-1:].islower() or here.first in _CITING or here.follows[:1] == ".":
        return None
    return known.printed if sum(t.text.count('"') for t in here.earlier) % 2 else None


def _by_itself(here: Place, known: Habit) -> str | None:
    """The sign, or the word with it, just as it is read."""
    return known.printed if here.text == known.read else None


_HABITS = {"after a word": _after_word, "by itself": _by_itself, "in a quotation": _in_quotation}


def quotation(here: Place) -> Substitution | None:
    """A quotation mark read in pieces: one that closes, with the stop under it, or one alone that is closed later."""
    text, follows = here.text, here.follows
    if match := _CLOSING.search(text):
        stem, sign = text[: match.start("sign")], match["sign"]
        if sign[0] == "'" or stem[-1] in ",.;?!":
            return Substitution(stem + '"', 0.95, f"{sign} for a closing quotation mark")
        if not follows or (follows[0].isupper() and core(follows) != "I"):
            return Substitution(stem + '."', 0.9, f"{sign} for a full stop and closing quotation mark")
        if follows[0].islower():
            return Substitution(stem + ',"', 0.9, f"{sign} for a comma and closing quotation mark")
    closed = ('"', "''", "”")
    if _OPENING.match(text) and follows[:1].isalpha() and any(sign in t.text for t in here.later for sign in closed):
        return Substitution('"', 0.9, f"{text} for an opening quotation mark; it is closed further on")
    return None


def final_hyphen(here: Place) -> Substitution | None:
    """A hyphen for the full stop at the end of a paragraph, or after the number that opens one."""
    ends = not here.follows and _FINAL_HYPHEN.search(here.text)
    label = not here.before and here.follows[:1].isupper() and _LABEL_HYPHEN.match(here.text)
    if ends or label:
        return Substitution(
            here.text[:-1] + ".", 0.9, "a hyphen for the full stop after a number, or at a paragraph's end"
        )
    return None


def final_l(here: Place) -> Substitution | None:
    """A capital L at the end of a word: an l with the stop or comma under it."""
    match = _FINAL_L.match(here.text)
    if not match or not here.language.lexicon.known(core(match["word"] + "l")):
        return None
    sign, name = (",", "a comma") if here.follows[:1].islower() else (".", "a full stop")
    return Substitution(f"{match['word']}l{sign}", 0.9, f"L for l and {name}")


def diaeresis(here: Place) -> Substitution | None:
    """An acute on the second of two vowels, in a word that has both without accent: a diaeresis."""
    match = _ACUTE.search(here.text)
    if not match or not here.language.lexicon.known(core(_plain(here.text))):
        return None
    sign = _DIAERESES[match["sign"]]
    return Substitution(_ACUTE.sub(rf"\g<vowel>{sign}", here.text, count=1), 0.95, f"{match['sign']} for {sign}")


def _plain(text: str) -> str:
    return _ACUTE.sub(lambda m: m["vowel"] * 2, text)


def cut(here: Place) -> Substitution | None:
    """A speck beside or for the hyphen of a word that a line end cuts."""
    known, follows = here.language.lexicon.known, core(here.follows)
    if here.line_ends and (match := _CUT_AT_STOP.match(here.text)) and here.follows[:1].islower():
        word, whole = match["word"], match["word"] + follows
        if len(whole) >= _WHOLE and known(whole) and not known(word) and here.language.usage.word(word) < _SEEN:
            return Substitution(f"{here.text[:-1]}-", 0.9, f"{here.text[-1]} for the hyphen of '{whole}'")
    if (match := _CUT.match(here.text)) and here.follows[:1].islower() and here.follows[-1:] != "-":
        word = match["head"]
        if known(core(word[:-1] + follows)) and not known(core(match["word"])):
            return Substitution(word, 0.9, f"speck beside the hyphen of '{core(word[:-1] + follows)}'")
    return None


def article(here: Place) -> Substitution | None:
    """A sign for the article `a` between words that go with it."""
    if not _FOR_A.match(here.text) or not here.follows[:1].islower() or here.before[-1:] in ("", *".;:?!"):
        return None
    text, language, first, second = here.text, here.language, here.first, here.second
    usage, lexicon = language.usage, language.lexicon
    noun = usage.pair("a", second) >= _SEEN or lexicon.pair("a", second) >= _IN_GENERAL
    if not noun or len(second) < 3 or not lexicon.known(second) or usage.pair(text, second) > 1:
        return None
    before = first if here.before[-1:].isalpha() else PAUSE
    without = log(language.follows(before, second, less=1) / language.share(second))
    if language.fit(before, ["a"], second) < without:
        return None
    return Substitution("a", 0.88, f"{text} for a; 'a {second}' stands elsewhere")


def capitals(here: Place) -> Substitution | None:
    """A capital O within a sentence, or the word `IF` where one begins: worn type."""
    text, before, small = here.text, here.before, here.follows[:1].islower()
    if text == "Of" and small and before.isalpha() and before.islower():
        return Substitution("of", 0.9, "Of within a sentence")
    if text == "IF" and small and before[-1:] in (".", "?", "!"):
        return Substitution("If", 0.9, "IF where a sentence begins")
    return None


def genitive(here: Place) -> Substitution | None:
    """An apostrophe at the end of a word that is no plural, before another: the s of the genitive is lost."""
    match = _GENITIVE.match(here.text)
    if not match or not here.follows[:1].islower() or here.language.usage.word(f"{match['word']}'s") < _SEEN:
        return None
    if any(_OPENED.match(token.text) for token in here.earlier):
        return None
    return Substitution(f"{here.text}s", 0.9, f"'{match['word']}'s' stands elsewhere; its s is lost")


def twice(here: Place) -> Substitution | None:
    """One sign read twice: a comma or full stop after another, a hyphen beside a dash."""
    text, before, follows = here.text, here.before, here.follows
    if _HYPHENS.match(text) and follows[:1] in ("—", "–"):
        return Substitution("", 0.95, "a hyphen beside a dash: one sign, read twice")
    if match := _TWICE.search(text):
        note = "^ beside a comma: one sign, read twice" if match["comma"] else "one sign, read twice"
        return Substitution(text[: match.start()] + (match[1] or ","), 0.95, note)
    word = core(before)
    if text == "," and (before[-1:] == "," or (before[-1:] == "." and word.islower() and len(word) > 3)):
        return Substitution("", 0.9, "a second stop")
    if text == "." and before == word + "." and word.isalpha() and word.islower():
        return None if follows == "." or follows[:1].isdecimal() else Substitution("", 0.9, "a second full stop")
    return None


def dash(here: Place) -> Substitution | None:
    """Hyphens where only a dash can stand."""
    text, before = here.text, here.before
    if before[-1:] in tuple(",;.:") and len(before) > 1 and _HYPHEN_FIRST.match(text):
        return Substitution("—" + text[1:], 0.95, "a hyphen after a stop is a dash")
    if _HYPHENS.match(text) and (here.attached or "—" in text) and before[-1:] not in "—-":
        return Substitution("—", 0.95, "a hyphen after a stop is a dash" if text == "-" else "hyphens for a dash")
    return None


def soft_hyphen(here: Place) -> Substitution | None:
    """A soft hyphen within a word: a line might have been cut there, and was not."""
    text = _SOFT.sub("", here.text)
    return Substitution(text, 0.99, "a soft hyphen is no print") if text != here.text else None


def bracket(here: Place) -> Substitution | None:
    """A brace or raised bracket that a round one closes."""
    if not _BRACE.match(here.text):
        return None
    for sign in here.text[1:] + "".join(t.text for t in here.later):
        if sign == ")":
            return Substitution("(" + here.text[1:], 0.97, f"{here.text[0]} for the bracket that ) closes")
        if sign in "({[⁽":
            return None
    return None


AS_PRINTED = frozenset({"sign.habit", "sign.dash", "sign.soft-hyphen"})
"""The rules that take nothing for misread on their own: they set a typist's signs as a printer does, or are told to."""
SIGNS: tuple[Rule[Callable[[Place], Substitution | None]], ...] = (
    Rule(
        "sign.habit",
        "he must show his hand«^|,» and lose",
        habit,
        (Habit("^", ",", "after a word", "the comma after italics"),),
    ),
    Rule("sign.final-hyphen", "he must show his hand«-|.»", final_hyphen),
    Rule("sign.final-l", "it is at the end of the dea«L|l.» The hand is good", final_l),
    Rule("sign.quotation", "which he called \"a hand,«''|\"» and won", quotation),
    Rule("sign.diaeresis", "he has another re«é|ë»ntry in the hand", diaeresis),
    Rule("sign.cut", "when it af-«;|»\nfects the hand", cut),
    Rule("sign.article", "He leads a card, a card, and has «@|a» card to lead", article),
    Rule("sign.capitals", "he has the hand. «IF|If» he shows the hand", capitals),
    Rule("sign.genitive", "the dealer's hand, the dealer's card, and the dealer'«|s» game is good", genitive),
    Rule("sign.twice", "he has shown his hand,«,|» and lost", twice),
    Rule("sign.dash", "he has shown his hand,«-|—»which is good", dash),
    Rule("sign.soft-hyphen", "he shows his ad«\u00ad|»versaries a hand", soft_hyphen),
    Rule("sign.bracket", "the hand, which «{|(»as we know) is good", bracket),
)
