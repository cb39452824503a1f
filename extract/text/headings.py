"""Headings: whether a line, or a span of a scan without lines, is one, and which part it numbers (`CHAPTER IV.`).

A line is recognised as a heading by its shape: short, isolated, in capitals or with capital initials, not a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from extract.language.lexicon import word_set
from extract.language.sentences import ends_sentence
from extract.numbering.numerals import arabic, like_roman, nearest, roman
from extract.text.lines import Line

_DIVISIONS = ("SECTION", "CHAPTER", "APPENDIX", "ARTICLE", "PART", "BOOK", "TITLE")
_ALIKE, _SAME = 80.0, 86.0  # least similarity in per cent: of a misread word, of a misread named heading
_LONGEST = 75  # characters of a heading on its line
_FEWEST = 5  # letters of a heading in a scan without lines
_DIVISION = re.compile(
    r"(?P<word>[^\W\d_]{4,}) +(?P<numeral>[^\s.,\]]{1,5}|[IVXLC]{6,9}|[ivxlc]{6,9})[.,]?(?=[\s\]]|$)"
)
_READ = "ivxlc1jty!|"  # characters that OCR reads for the letters of a roman numeral
_UNCERTAIN = 0.6  # highest cost of reading a misread numeral
_PARTS = range(1, 40)  # in a misread numeral, an L is more likely a misread I than a part above the 39th
_MARKUP = re.compile(r"^(?:#{1,6} |[_*=+~]+)|[_*=+~]+$")
_LEADERS = re.compile(r"(?:\.\s?){3,}|(?!(?<=[,A-Z])\s1[5-9]\d\d)\s\d{1,4}\.?$")  # not `ACT, 1887`, `REVISED IN 1884`
_SENTENCE = re.compile(r"[.;:!?—\d]|--")  # not in a heading, unless it is in capitals
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SMALL = 4  # least letters of a word that has a capital initial in a title
_ACT = re.compile(r"^an act\b|\bact\b[.,]?(?: (?:of )?\d{4})?\W*$", re.IGNORECASE)
_BODIES = word_set("bodies")
_OPENING = re.compile(r"(?<=[.!?)\"'’”—])\s+(?=\S)|\n\s*(?=\S)")
_TOKEN = re.compile(r"\S+")


class NumberedPart(NamedTuple):
    """The part that a heading numbers: its word (`CHAPTER`), its numeral as read, and the value if it is certain."""

    word: str
    numeral: str
    number: int | None


def division(text: str) -> NumberedPart | None:
    """The part of the book that a heading numbers, in capitals or not, misread or not; None if it numbers none.

    >>> division("CHAPTEE IV. OF THE DEAL"), division("Appendix to it")
    (NumberedPart(word='CHAPTER', numeral='IV', number=4), None)
    """
    match = _DIVISION.match(text)
    if match is None:
        return None
    alike = {word: fuzz.ratio(match["word"].upper(), word) for word in _DIVISIONS}
    word, numeral = max(alike, key=alike.__getitem__), match["numeral"]
    if alike[word] < _ALIKE:
        return None
    digits = any(map(str.isdecimal, numeral))
    if not (digits or like_roman(numeral.lower(), _READ) or len(numeral) == 1):
        return None
    return NumberedPart(word, numeral, numeral_value(numeral))


def numeral_value(numeral: str) -> int | None:
    """The value of the numeral of a part, misread or not, if it is certain; a single letter (`APPENDIX C`) has none.

    >>> numeral_value("IV"), numeral_value("Vill"), numeral_value("C"), numeral_value("in")
    (4, 8, None, None)
    """
    if numeral.isalpha() and not like_roman(numeral.lower(), _READ if len(numeral) > 1 else "ivx"):
        return None
    return arabic(numeral) or nearest(numeral, _PARTS, roman, _UNCERTAIN)


def is_heading(line: Line) -> bool:
    """Whether a line has the shape of a heading; an entry of a table of contents is not one."""
    text = _MARKUP.sub("", line.text).strip()
    words = _WORD.findall(text)
    if not words or text[0] == "[" or len(text) > _LONGEST or line.letters < 3 or _LEADERS.search(text):
        return False
    if division(text) and (line.capital or (line.isolated and text[0].isupper())):
        return True
    if text[0].isdecimal() or line.capital or not line.isolated:
        return line.capital and not text[0].isdecimal()
    long = [word for word in words if len(word) >= _SMALL] or words
    titled = text[0].isupper() and sum(word[0].isupper() for word in long) * 3 >= len(long) * 2
    return titled and not _SENTENCE.search(text.rstrip("."))


def names_a_body(text: str) -> bool:
    """Whether a heading announces laws, rules or articles, or is the title of an act."""
    return bool(_ACT.search(text)) or not _BODIES.isdisjoint(w.casefold() for w in re.findall(r"[\w-]+", text))


def heading_end(text: str, start: int, end: int, headings: Sequence[str]) -> int:
    """Return the end of a heading at `start` that the book's plan names, misread or not.

    Args:
        text: the working text.
        start, end: the offset at which the heading may begin, and the end of the text to search.
        headings: the headings as they are printed.
    Returns:
        The offset after its last character; `start` if there is no heading.
    """
    for heading in headings:
        found = re.compile(r"\S+\s+" * heading.count(" ") + r"\S+").match(text, start, end)
        if found and heading.isupper() and not all(map(_capital, found[0].split())):
            continue
        if found and fuzz.ratio(" ".join(found[0].split()).casefold(), heading.casefold()) >= _SAME:
            return found.end()
    return start


def inline_headings(text: str, start: int, end: int, named: Sequence[str] = ()) -> list[tuple[int, int]]:
    """Find the headings in a span of a text without lines: words in capitals after the end of a sentence.

    Args:
        text: the working text.
        start, end: the span.
        named: headings that the book's plan names because nothing else distinguishes them from the text.
    Returns:
        Their spans in order.
    """
    found: list[tuple[int, int]] = []
    for at in sorted({start, *(m.end() for m in _OPENING.finditer(text, start, end))}):
        if found and at < found[-1][1]:
            continue
        stop = heading_end(text, at, end, named)
        stop = _capitals_end(text, at, end, at == start) if stop == at else stop
        if stop > at:
            found.append((at, stop))
    return found


def _capitals_end(text: str, start: int, end: int, opens: bool) -> int:
    """Return the end of a heading in capitals at `start`, or `start` if there is none.

    It ends with a full stop, unless it opens the span (`PREFACE`) or closes it. It does not cross an empty line, which
    only the editor can have inserted.
    """
    run: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text, start, end):
        if not _capital(token[0]) or (run and "\n\n" in text[run[-1].end() : token.start()]):
            break
        run.append(token)
    closes = run and not text[run[-1].end() : end].strip()
    while run and not closes and not ends_sentence(run[-1][0]) and not (opens and run[-1][0][1:].isalpha()):
        run.pop()
    letters = sum(map(str.isalpha, "".join(token[0] for token in run)))
    return run[-1].end() if letters >= _FEWEST else start


def _capital(word: str) -> bool:
    """Whether a word is in capitals, allowing for a misread letter; digits do not count."""
    small = sum(map(str.islower, word))
    return not small or (word[:2].isupper() and small * 5 <= sum(map(str.isalpha, word)))
