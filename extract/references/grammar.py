"""The grammar of references: `(See Articles 43, 44, and 48.)`, `Law 44, Section 5`, `Laws 56-66`, `B 8`.

A hand-written recursive-descent parser: it finds mentions as they are worded; `resolution` decides what they refer to.
The shapes follow those of Free Law Project's eyecite and laws.africa's provision references: a series word, a list of
numerals and ranges, a part within each (pinpoint), a whole to which they belong. Numerals may be garbled.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from extract.language.lexicon import word_list
from extract.numbering.numerals import arabic
from extract.numbering.spelled import spelled


@dataclass(frozen=True, slots=True)
class Numeral:
    """A numeral at characters [start, end) of the text; `letter`: it is a letter that counts (`Appendix C`).

    `read` is the text there, or for a number in words its figures.
    """

    start: int
    end: int
    read: str
    letter: bool = False

    @property
    def number(self) -> int | None:
        """Its value, if it can be read in one way only: figures, a letter that counts, roman; else None."""
        read = self.read.replace(" ", "")
        if read.isdecimal():
            return int(read)
        if self.letter:
            return ord(read) - ord("A") + 1
        if read.isupper() and (value := arabic(read)):
            return value
        if not _LIKE_ROMAN.fullmatch(read):
            return None
        return arabic(read.lower()) or None


@dataclass(frozen=True, slots=True)
class Item:
    """One member of a list: a numeral, or a range up to `last`; `part` is a section within it."""

    start: int
    end: int
    first: Numeral
    last: Numeral | None = None
    part: Numeral | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A reference as worded: the series word, the items listed after it, and its surroundings.

    `whole` is the chapter that contains a section. `note`: a note on the provision is meant.
    """

    start: int
    end: int
    word: str
    items: tuple[Item, ...]
    whole: Numeral | None = None
    note: bool = False


@dataclass(frozen=True, slots=True)
class Relative:
    """A reference by position: `step` is -1 for the preceding provision, 1 for the following one.

    With `part` set, it refers to a paragraph of the citing provision itself, and `step` is 0.
    """

    start: int
    end: int
    word: str
    step: int
    part: int | None = None


SIGN = "§"
"""The section sign, which names a series as a word does: `see § 12`, `§§ 12 and 13`."""

_LEADS_TO = re.compile(r"(?:\b(?:also|and|by|from|in|of|or|see|to|under|vide|with)|[(\[,;])\s*\Z", re.IGNORECASE)
_TITLED = re.compile(r"§+\s*\d+\W{1,3}\w")  # the sign labels the text after it, or lists it with its title
# A V may be misread as Y; if there are only i and l, with at least one l, they may be the figure 1.
_LIKE_ROMAN = re.compile(r"(?=.*[ivxlc])(?!i*l[il]*$)[ivxlcy]+", re.IGNORECASE)
_GARBLE = r"IilOoSsTJjyYZzBGgq?!|\]\[/^$§"  # characters as which OCR reads figures
_END = r"(?=\s*(?:[.,;:)\"”\]—]|and\b|$))"  # a stop, a bracket, a quotation, a conjunction or the end
_ENDS = re.compile(_END)
_FIGURES = (
    r"\d{1,2} {1,2}\d{1,2}(?![\w/^?\]])|\d{1,4}(?![\w/^?!|\]\[$§])"
    rf"|(?=[{_GARBLE}]{{0,3}}\d)[\d{_GARBLE}]{{1,4}}(?![^\W_])"
)
_ALL_MISREAD = rf"(?![iIlL]*[sSoO])(?=[^\W\d_])[{_GARBLE}]{{2,4}}{_END}"
_ROMAN = rf"[IVXLCivxlc][IVXLCYivxlcy]{{0,11}}(?: [VYI]{{1,2}}(?=[.,)\s]))?{_END}"
_NUMERAL = {False: re.compile(_FIGURES), True: re.compile(f"{_FIGURES}|{_ALL_MISREAD}|{_ROMAN}")}
"""Patterns for a numeral; after a word with a capital (key True: `Law IX`, `Case yy`) it need not contain a figure."""
_LETTER = re.compile(r"[A-HJ-UWYZ](?!\w)")  # I, V and X alone are roman numerals
_BRACKETED = re.compile(r"\((?=\w{1,3}\))")
_AND = r"(?:and|or|&)\s+"
_SEPARATOR = re.compile(rf"(?:\s*[,;]\s*|\s+(?={_AND}))(?P<and>{_AND})?")
_RUN = re.compile(r"(?:,\s*\d{1,3})+,?\s*(?:and|or)\s+\d")  # `Law 7, 8, or 9`
_STOP_LIST = re.compile(r"\.\s+(?=\d{1,3}(?:\.\s+\d{1,3})*[.,]?\s+and\s+\d)|\.\s+and\s+(?=\d|[IVXLC]+\b)")
_TO = re.compile(r"\s+to\s+(?=[\dIil])|\s?[-–—]\s?(?=\d)")
_OF_A_TEXT = re.compile(
    r"\s*,?\s+(?:of|in)\s+(?:an?|the|this|said)\s+(?:\w+\s+)?"
    r"(?:act|article|chapter|charter|code|constitution|law|ordinance|rule|statute|title)s?\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"[.,]?\s*(?:of\s+)?Chap(?:ter|\.)\s+", re.IGNORECASE)
_ONE_OF_MANY = re.compile(r"\b(?:which|that|this|such|any|each|every|no|either|other|the)\s+$", re.IGNORECASE)
_ORDINALS = word_list("ordinals")
_PART_OF = rf"\b(?P<ordinal>{'|'.join(_ORDINALS)})\s+(?:paragraph|section|clause)\s+of\s+"
_BEFORE = re.compile(rf"(?:\b(?P<note>note)\s+on\s+|{_PART_OF})(?:the\s+)?$", re.IGNORECASE)


def mentions(
    text: str, words: Sequence[str], parts: Sequence[str] = ("paragraph",), lettered: Collection[str] = ()
) -> Iterator[Mention]:
    """Find the references with numerals in a text.

    Args:
        text: reading text of one unit, or of an unbroken piece of it.
        words: the words that name series, singular: `Article`, `Law`, `Appendix`, `A`. A single letter must
            be a capital with its figure beside it; other words may have any case, singular or plural. `SIGN`
            counts as a word.
        parts: the words for a part of what is referred to: `Section`, `paragraph`.
        lettered: those of `words` whose members are counted by letters: `Appendix C`.
    Yields:
        Mentions in order; they do not overlap.
    """
    at = 0
    for match in _anchors(tuple(words)).finditer(text):
        if match.start() < at or _is_label(text, match.start()):
            continue
        mention = _Parser(text, match, words, parts, lettered).mention()
        if mention:
            yield mention
            at = mention.end


def relatives(text: str, words: Sequence[str]) -> Iterator[Relative]:
    """Find the references by position: `the preceding Article`, `the second paragraph of this law`.

    Args:
        text, words: as for `mentions`.
    """
    for match in _positions(tuple(words)).finditer(text):
        part = _ordinal(match)
        step = 0 if part else 1 if match["next"] else -1
        yield Relative(match.start(), match.end(), _word(words, match["word"]), step, part)


def _word(words: Sequence[str], matched: str) -> str:
    """Return the series word that was matched in the text, regardless of case."""
    return next(word for word in words if word.casefold() == matched.casefold())


def _ordinal(match: re.Match[str]) -> int | None:
    """Return the number of the part that a match names by an ordinal: 2 for `second paragraph of`."""
    return _ORDINALS.index(match["ordinal"].lower()) + 1 if match["ordinal"] else None


def _is_label(text: str, at: int) -> bool:
    """Whether a section sign labels the text after it, or lists it with its title, instead of referring to it."""
    return _TITLED.match(text, at) is not None and not _LEADS_TO.search(text[max(0, at - 60) : at])


def _any_of(words: Sequence[str]) -> str:
    """A pattern for words of more than one letter."""
    return "|".join(re.escape(word) for word in words if len(word) > 1)


@lru_cache(maxsize=64)
def _anchors(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the series words."""
    return re.compile(rf"(?P<word>{'|'.join(map(_anchor, words))})(?P<plural>(?i:s|es)|{SIGN})?\s*")


def _anchor(word: str) -> str:
    """A pattern for a series word that is followed by what may be a numeral."""
    if word == SIGN:
        return rf"{SIGN}(?={SIGN}?\s*\d)"
    if len(word) == 1:
        return rf"(?<![\w.'’]){re.escape(word)}(?=\s*\d(?:[\s.,;:)]|$))"
    return rf"(?i:\b{re.escape(word)}(?=(?:s|es)?\s+\S))"


@lru_cache(maxsize=64)
def _positions(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the neighbour of a provision, or for a part of its own."""
    which = rf"\b(?:preceding|foregoing|previous|(?P<next>following|next))|{_PART_OF}this"
    return re.compile(rf"(?:{which})\s+(?P<word>{_any_of(words)})\b(?!\s*[\d(])", re.IGNORECASE)


@lru_cache(maxsize=64)
def _part_words(parts: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the words before the number of a part."""
    return re.compile(rf"\s*,?\s*\(?(?:{_any_of(parts)})s?\s*,?\s+", re.IGNORECASE)


class _Parser:
    """Reads one mention from its series word onwards; `at` is the position reached."""

    def __init__(
        self, text: str, anchor: re.Match[str], words: Sequence[str], parts: Sequence[str], lettered: Collection[str]
    ) -> None:
        self.text, self.start, self.at = text, anchor.start(), anchor.end()
        self.word, self.plural = _word(words, anchor["word"]), bool(anchor["plural"])
        self.part_words, self.lettered = _part_words(tuple(parts)), self.word in lettered
        self.plain = _NUMERAL[anchor["word"][0].isupper()]

    def mention(self) -> Mention | None:
        """The mention; None if no numeral follows the word."""
        items = self.items()
        if not items:
            return None
        start, first, note = self.start, items[0], False
        if before := _BEFORE.search(self.text, max(0, start - 60), start):
            start, note = before.start(), bool(before["note"])
            if place := _ordinal(before):
                first = replace(first, part=Numeral(*before.span("ordinal"), str(place)))
        lead = _WHOLE.match(self.text, self.at)
        whole = self.numeral(lead.end()) if lead else None
        self.at = whole.end if whole else self.at
        return Mention(start, self.at, self.word, (replace(first, start=start), *items[1:]), whole, note)

    def items(self) -> list[Item]:
        """The members of the list that begins here."""
        found: list[Item] = []
        where: int | None = self.at
        while where is not None and (item := self.item(where, first=not found)):
            self.plural |= bool(found) or _RUN.match(self.text, item.end) is not None
            found.append(item)
            # In `Law 72, Section 1 and 2` it is not clear what the 2 counts, so the list ends before it.
            where = None if item.part else self.separator()
        return found

    def separator(self) -> int | None:
        """Where the next member of the list begins; None if the list ends here."""
        match = _SEPARATOR.match(self.text, self.at)
        if match is None and self.plural:
            match = _STOP_LIST.match(self.text, self.at)  # commas read as full stops
        return match.end() if match and (self.plural or match["and"]) else None

    def item(self, at: int, *, first: bool) -> Item | None:
        """The member of a list at a position; None if there is none, or if it may count something else."""
        numeral = self.numeral(at)
        # After a singular word, `Law 60, and 3 tricks` is not a list.
        if numeral is None or not (first or self.plural or self.ends(numeral.end)):
            return None
        self.at = numeral.end + (self.text[numeral.start - 1 : numeral.start] == "(")
        last = part = None
        if to := _TO.match(self.text, self.at):
            last = self.numeral(to.end())
        elif lead := self.part_words.match(self.text, self.at):
            part = self.numeral(lead.end())
        if inner := last or part:
            self.at = inner.end
        return Item(self.start if first else numeral.start, self.at, numeral, last, part)

    def numeral(self, at: int) -> Numeral | None:
        """The numeral at a position, plain, garbled, or in words; None if there is none."""
        at += bool(_BRACKETED.match(self.text, at))
        if self.lettered and (match := _LETTER.match(self.text, at)):
            return Numeral(at, match.end(), match[0], letter=True)
        if match := self.plain.match(self.text, at):
            return Numeral(at, match.end(), match[0])
        words = spelled(self.text, at)
        ends = words and (self.ends(words.end) or _OF_A_TEXT.match(self.text, words.end))
        counts = _ONE_OF_MANY.search(self.text, max(0, self.start - 10), self.start)  # `in that case one, or two, may`
        if words and (words.words > 1 or (ends and not counts)):
            return Numeral(at, words.end, str(words.value))
        return None

    def ends(self, at: int) -> bool:
        """Whether a reference may end here."""
        return _ENDS.match(self.text, at) is not None
