"""Headings of a text by their shape: short, alone, in capitals or with capital initials, and none of a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.language.lexicon import word_set
from extract.numbering.numerals import arabic, like_roman
from extract.text.lines import Line, division

_LONGEST = 75
_LEADERS = re.compile(r"(?:\.\s?){3,}|(?!(?<=[,A-Z])\s1[5-9]\d\d)\s\d{1,4}\.?$")  # `AN ACT, 1887`, `AS REVISED IN 1884`
_DATE = re.compile(r"[a-z]\.? \d{1,2}, 1[5-9]\d\d\W*$")  # `As amended, March 17, 1885.`
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MARKUP = re.compile(r"^(?:#{1,6} |[_*=+~]+)|[_*=+~]+$")
_SET_APART = re.compile(r"#{1,6} [A-Z]|([_*=+~])[A-Z][^_*=+~]*\1(?:\[\d{1,3}\])?\.?$")  # the whole line is in italics
_SENTENCE = re.compile(r"[.;:!?—\d]|--")  # what a heading not in capitals does not have
_NOTE = re.compile(r"\[\d{1,3}\]$")
_PART = re.compile(r"[A-Z][A-Za-z]+ \d{1,3}\.?")  # `CHAPTER 12.`, and no entry of a list of contents
_ABBREVIATED = re.compile(
    r"^(?:(?i:Art|Sec|Chap|Pt|Bk)\.|Chapter|Part|Title) (?:[IVXLC]+|\d{1,3})\.(?: ?[—–-]{1,2})?\s*(?=[A-Z])"
)
_NUMBERED = re.compile(r"(?P<word>[A-Z][A-Za-z-]{2,})\.? (?:No\. ?)?(?P<numeral>\d{1,3}|[IVXLC]{1,8})(?![\w'’])")
_ACT = re.compile(r"^an act\b|\bact\b[.,]?(?: (?:of )?\d{4})?\W*$", re.IGNORECASE)
_ACT_OF = re.compile(r"An Act [a-z]|AN ACT\b")
_OF = re.compile(r"Of(?: [a-z][a-z'’-]*){1,5}\.")  # `Of service.`, `Of the several kinds of actions.`
_SMALL = 4
_BODIES = word_set("bodies")
_READ = "ivxlc1jty!|"  # what the letters of a roman numeral are read as


def plain(text: str) -> str:
    """A heading without its markup and the mark of a note: `_The Rubber._[7]` is `The Rubber.`"""
    return _MARKUP.sub("", _NOTE.sub("", _MARKUP.sub("", text.strip("\ufeff")).strip())).strip()


def is_heading(line: Line) -> bool:
    """Whether a line is a heading by its shape; an entry of a table of contents is none."""
    text = plain(line.text)
    words = _WORD.findall(text)
    if not words or text[0] == "[" or len(text) > _LONGEST or line.letters < 3:
        return False
    if _DATE.search(text) or (
        _LEADERS.search(text) and not (line.isolated and _PART.fullmatch(text) and numbered_division(text))
    ):
        return False
    if text[-1] in ",;" and not (line.capital and line.isolated):
        return False
    if numbered_division(text) and (line.capital or (line.isolated and text[0].isupper())):
        return True
    if text[0].isdecimal():
        return False
    if line.capital or (line.isolated and _SET_APART.match(line.text)):
        return True
    if line.isolated and (_ACT_OF.match(text) or _OF.fullmatch(text)):
        return True
    if _SENTENCE.search(_ABBREVIATED.sub("", text).rstrip(".")):
        return False
    long = [w for w in words if len(w) >= _SMALL] or words
    titled = sum(w[0].isupper() for w in long)
    return line.isolated and text[0].isupper() and titled * 3 >= len(long) * 2 and not text.endswith(("?", "!", ":"))


def numbered_division(text: str) -> tuple[str, str] | None:
    """The word and the numeral of a heading that numbers a part of the book; `Appendix to it` and `Articles of` do not.

    Args:
        text: the heading, in capitals or not.
    """
    part = division(text.upper())
    if part is None:
        return None
    numeral = part[1].strip(".,")
    return part if any(map(str.isdecimal, numeral)) or like_roman(numeral, _READ) or len(numeral) == 1 else None


def numbered_heading(text: str) -> tuple[str, str] | None:
    """The word, in capitals, and the numeral of a heading that numbers what it heads: `TABLE I.`, `Ordinance No. 4.`"""
    if part := numbered_division(text):
        return part
    match = _NUMBERED.match(text)
    if match is None or not arabic(match["numeral"]):
        return None
    word = match["word"].upper()
    return "CHAPTER" if word == "CHAP" else word, match["numeral"]


def names_a_body(text: str) -> bool:
    """Whether a heading says that laws, rules or articles follow, or is the title of an act."""
    return bool(_ACT.search(text)) or not _BODIES.isdisjoint(w.casefold() for w in re.findall(r"[\w-]+", text))


def block_above(lines: Sequence[Line], at: int) -> int:
    """The first of the heading lines that stand directly above a line: its index, or that of the line itself.

    Args:
        lines: the lines of the text.
        at: the index of the line.
    """
    while at and is_heading(lines[at - 1]):
        at -= 1
    return at
