"""The grammar of references: `(See Articles 43, 44, and 48.)`, `Law 44, Section 5`, `Laws 56-66`, `B 8`.

A hand-written recursive-descent parser; it finds mentions, what is said, and leaves what is meant to `resolution`.
The shapes follow those of Free Law Project's eyecite and laws.africa's provision references: a series word, a list of
numerals and ranges, a part within each (pinpoint), a whole to which they belong. Numerals may be garbled.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from extract.numbering.numerals import arabic, best_reading, roman
from extract.numbering.spelled import spelled

_STROKES = frozenset("iIl")  # each may be a one
HIGHEST_ROMAN = 399
MISREAD_ROMAN = 0.5
"""The cost of a misreading from which on a roman numeral is not believed, and no rival of one that is."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A numeral as it stands in the text, at characters [start, end) of it; `letter` if letters are what counts.

    `read` is what stands there; of a number in words, its figures.
    """

    start: int
    end: int
    read: str
    letter: bool = False

    @property
    def number(self) -> int | None:
        """Its value, if it can be read in one way only: figures, a letter that counts, roman; else None.

        A roman numeral in capitals is what it is. In small letters its l may be an i; strokes may be ones in figures,
        and a lone L or C is rather a letter.
        """
        read = self.read.replace(" ", "")
        if read.isdecimal():
            return int(read)
        if self.letter:
            return ord(read) - ord("A") + 1
        if read in _STROKES:
            return 1
        value = arabic(read)
        if not self.like_roman or read in ("L", "C") or (not value and _STROKES.issuperset(read)):
            return None
        if value and read.isupper():
            return value
        best = best_reading(read, range(1, HIGHEST_ROMAN + 1), roman)
        return best.number if best and best.cost < MISREAD_ROMAN <= best.cost + best.lead else None

    @property
    def like_roman(self) -> bool:
        """Whether it is made of the letters of roman numerals, and of what their V is read as."""
        return re.fullmatch(r"(?=.*[ivxlc])[ivxlcy]+", self.read.replace(" ", "").lower()) is not None


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
    """A reference as said: the series word, what is listed after it, and what surrounds it.

    `whole` is the chapter that holds a section, `note` says that a note on the provision is meant, `unclosed`
    that the reference stands in a bracket that the scan never closes.
    """

    start: int
    end: int
    word: str
    items: tuple[Item, ...]
    whole: Numeral | None = None
    note: bool = False
    unclosed: bool = False


@dataclass(frozen=True, slots=True)
class Relative:
    """A reference by position: `step` is -1 for the preceding provision, 1 for the following one.

    With `part` set it is a paragraph of the very provision that speaks, and `step` is 0.
    """

    start: int
    end: int
    word: str
    step: int
    part: int | None = None


SIGN = "§"
"""Names a series as a word does: `see § 12`, `§§ 12 and 13`."""

_OPENS_TEXT = re.compile(r"(?:^|[.;:?!][\])\"”]*\s*\n)\s*\Z")
_LEADS_TO = re.compile(r"(?:\b(?:also|and|by|from|in|of|or|see|to|under|vide|with)|[(\[,;])\s*\Z", re.IGNORECASE)
_TITLED = re.compile(r"§+\s*\d+\.\s+[A-Z]")
_GARBLE = r"\dIilOoSsTJjyYZzBGgq?!|\]\[/^$§"
_PLAIN = re.compile(r"\d{1,2} {1,2}\d{1,2}(?![\w/^?\]])|\d{1,4}(?![\w/^?!|\]\[$§])")
_GARBLED = re.compile(rf"[{_GARBLE}]{{1,4}}")
_ROMAN = re.compile(r"[IVXLCivxlc][IVXLCYivxlcy]{0,11}(?: [VYI]{1,2}(?=[.,)\s]))?(?![\w])")
_LETTER = re.compile(r"[A-HJ-UWYZ](?!\w)")  # I, V and X alone are roman numerals
_SEPARATOR = re.compile(r"\s*[,;]\s*(?:and|or|&)?\s*|\s+(?:and|or|&)\s+")
_STOP_LIST = re.compile(r"\.\s+(?=\d{1,3}(?:\.\s+\d{1,3})*[.,]?\s+and\s+\d)|\.\s+and\s+(?=\d|[IVXLC]+\b)")
_TO = re.compile(r"\s+to\s+(?=[\dIil])|\s?[-–—]\s?(?=\d)")
_PART_BRACKET = re.compile(r"\s*\((?=[ivxIVX]{1,7}\))")
_OF_A_TEXT = re.compile(
    r"\s*,?\s+(?:of|in)\s+(?:an?|the|this|said)\s+(?:\w+\s+)?"
    r"(?:act|article|chapter|charter|code|constitution|law|ordinance|rule|statute|title)s?\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"[.,]?\s*(?:of\s+)?Chap(?:ter|\.)\s+", re.IGNORECASE)
_BEFORE_NOTE = re.compile(r"\bnote\s+on\s+(?:the\s+)?$", re.IGNORECASE)
_ONE_OF_MANY = re.compile(r"\b(?:which|that|this|such|any|each|every|no|either|other|the)\s+$", re.IGNORECASE)
_ORDINAL = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_BEFORE_PART = re.compile(
    rf"\b(?P<ordinal>{'|'.join(_ORDINAL)})\s+(?:paragraph|section|clause)\s+of\s+(?:the\s+)?$", re.IGNORECASE
)
_RELATIVE = r"\b(?P<where>preceding|foregoing|previous|following|next)\s+(?P<word>{word})\b(?!\s*[\d(])"
_OWN_PART = r"\b(?P<ordinal>{ordinal})\s+(?:paragraph|section|clause)\s+of\s+this\s+(?P<word>{word})\b"


def mentions(
    text: str, words: Sequence[str], parts: Sequence[str] = ("paragraph",), lettered: Collection[str] = ()
) -> Iterator[Mention]:
    """Find the references with numerals in a text.

    Args:
        text: reading text of one unit, or of an unbroken piece of it.
        words: the words that name series, singular: `Article`, `Law`, `Appendix`, `A`. A single letter must
            be a capital with its figure beside it; other words may stand in any case, singular or plural. `SIGN`
            is one of them.
        parts: the words for a part of what is referred to: `Section`, `paragraph`.
        lettered: those of `words` whose members are counted by letters: `Appendix C`.
    Yields:
        Mentions in order; they do not overlap.
    """
    at = 0
    for match in _anchors(tuple(words)).finditer(text):
        if match.start() < at or (match[0][0] == SIGN and _is_label(text, match.start())):
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
    neighbour, own_part = _positions(tuple(words))
    for match in neighbour.finditer(text):
        step = 1 if match["where"].lower() in ("following", "next") else -1
        yield Relative(match.start(), match.end(), match["word"].capitalize(), step)
    for match in own_part.finditer(text):
        part = _ORDINAL[match["ordinal"].lower()]
        yield Relative(match.start(), match.end(), match["word"].capitalize(), 0, part)


def _is_label(text: str, at: int) -> bool:
    """Whether a sign of a section numbers what follows, or lists it with its title, and refers to nothing."""
    before = text[max(0, at - 60) : at]
    return bool(_OPENS_TEXT.search(before) or (_TITLED.match(text, at) and not _LEADS_TO.search(before)))


@lru_cache(maxsize=64)
def _anchors(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the series words."""
    long = "|".join(re.escape(w) for w in words if len(w) > 1)
    short = "".join(re.escape(w) for w in words if len(w) == 1 and w != SIGN)
    parts = [rf"(?P<long>(?i:\b(?:{long}))(?P<plural>(?i:s|es)?))\s+(?=\S)"] if long else []
    parts += [rf"(?P<sign>{SIGN})(?P<signs>{SIGN}?)\s*(?=\d)"] if SIGN in words else []
    parts += [rf"(?P<short>(?<![\w.'’])[{short}])(?:\s+(?=\d[\s.,;:)]|\d$)|(?=\d[\s.,;:)]))"] if short else []
    return re.compile("|".join(parts) or r"(?!)")


@lru_cache(maxsize=64)
def _positions(words: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns for the neighbour of a provision, and for a part of its own."""
    word = "|".join(re.escape(w) for w in words if len(w) > 1) or r"(?!)"
    ordinal = "|".join(_ORDINAL)
    patterns = _RELATIVE.format(word=word), _OWN_PART.format(ordinal=ordinal, word=word)
    return re.compile(patterns[0], re.IGNORECASE), re.compile(patterns[1], re.IGNORECASE)


@lru_cache(maxsize=64)
def _part_words(parts: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(map(re.escape, parts)) or r"(?!)"
    return re.compile(rf"\s*,?\s*\(?(?:{words})(?P<many>s?)\s*,?\s+", re.IGNORECASE)


@lru_cache(maxsize=1000)
def _same(word: str, said: str) -> bool:
    """Whether two words are the same to the pattern that found them: to it a long s is an s."""
    return re.fullmatch(re.escape(word), said, re.IGNORECASE) is not None


class _Parser:
    """Reads one mention from its series word onwards; `at` is the position reached."""

    def __init__(
        self,
        text: str,
        anchor: re.Match[str],
        words: Sequence[str],
        parts: Sequence[str],
        lettered: Collection[str],
    ) -> None:
        groups = anchor.groupdict()
        self.part_words = _part_words(tuple(parts))
        self.text, self.start, self.at = text, anchor.start(), anchor.end()
        self.plural = bool(groups.get("plural") or groups.get("signs"))
        self.short, self.roman = bool(groups.get("short")), False
        said = str(groups.get("short") or groups.get("sign") or groups["long"])
        stem = said[: len(said) - len(groups.get("plural") or "")] if not self.short else said
        self.word = next(w for w in words if (_same(w, stem) if len(w) > 1 else w == stem))
        self.capital, self.lettered = said[0].isupper(), self.word in lettered

    def mention(self) -> Mention | None:
        before = self.text[max(0, self.start - 60) : self.start]
        start, note = self.start, _BEFORE_NOTE.search(before)
        ordinal = _BEFORE_PART.search(before)
        items = self.items()
        if not items:
            return None
        if prefix := note or ordinal:
            start -= len(before) - prefix.start()
        if ordinal and len(items) == 1:
            place = start, start + len(ordinal["ordinal"])
            part = Numeral(*place, str(_ORDINAL[ordinal["ordinal"].lower()]))
            items = (Item(start, items[0].end, items[0].first, items[0].last, part),)
        else:
            items = (Item(start, items[0].end, items[0].first, items[0].last, items[0].part), *items[1:])
        whole = None
        if (lead := _WHOLE.match(self.text, self.at)) and self.word.lower() != "chapter":
            whole = self.numeral(lead.end(), roman=True)
            self.at = whole.end if whole else self.at
        return Mention(start, self.at, self.word, items, whole, bool(note), self.unclosed())

    def items(self) -> tuple[Item, ...]:
        item = self.item(first=True)
        if item is None:
            return ()
        found = [item]
        # After `Law 72, Section 1 and 2` nobody can tell what the 2 counts; there the list ends.
        while found[-1].part is None and (where := self.separator()) is not None:
            reached, self.at = self.at, where
            item = self.item(first=False)
            if item is None:
                self.at = reached
                break
            found.append(item)
            self.plural = True
        return (*found[:-1], *self.parts(found[-1]))

    def parts(self, item: Item) -> Iterator[Item]:
        """The item, once for each part it names: `Law 72, Sections 1, 2, and 4`."""
        yield item
        lead = self.part_words.search(self.text, item.first.end, item.part.start) if item.part else None
        while lead and lead["many"] and (match := _SEPARATOR.match(self.text, self.at)):
            part = self.numeral(match.end(), roman=True, part=True)
            if part is None:
                return
            self.at = part.end
            yield Item(part.start, part.end, item.first, None, part)

    def separator(self) -> int | None:
        """Where the next member of the list begins; None if the list ends here."""
        match = _SEPARATOR.match(self.text, self.at)
        if match and (self.plural or "and" in match[0] or "or" in match[0] or "&" in match[0]):
            return match.end()
        stop = _STOP_LIST.match(self.text, self.at) if self.plural else None  # commas read as full stops
        return stop.end() if stop else None

    def item(self, *, first: bool) -> Item | None:
        numeral = self.numeral(self.at, roman=first or self.roman)
        if numeral is None or not (first or self.roman or self.goes_on(numeral)):
            return None
        self.roman = self.roman or numeral.read.isalpha()
        begin, last = (self.start if first else numeral.start), None
        self.at = numeral.end + (self.text[numeral.start - 1 : numeral.start] == "(")
        if to := _TO.match(self.text, self.at):
            last = self.numeral(to.end(), roman=False)
            self.at = last.end if last else self.at
        part = None
        for pattern in (self.part_words, _PART_BRACKET):
            lead = None if last else pattern.match(self.text, self.at)
            if lead and (part := self.numeral(lead.end(), roman=True, part=True)):
                self.at = part.end + (pattern is _PART_BRACKET)
                break
        return Item(begin, self.at, numeral, last, part)

    def numeral(self, at: int, *, roman: bool, part: bool = False) -> Numeral | None:
        """The numeral at a position, plain, garbled or (where it may be) roman; None if there is none."""
        text = self.text
        if text[at : at + 1] == "(" and re.match(r"\(\w{1,3}\)", text[at:]):
            at += 1
        if self.lettered and not part and (match := _LETTER.match(text, at)):
            return Numeral(at, match.end(), match[0], letter=True)
        match = _PLAIN.match(text, at) or _GARBLED.match(text, at)
        if match and self.believable(match):
            return Numeral(match.start(), match.end(), match[0])
        if roman and (self.capital or part) and (match := _ROMAN.match(text, at)) and self.ends(match.end()):
            return Numeral(match.start(), match.end(), match[0])
        words = None if part else spelled(text, at)
        ends = words and (self.ends(words.end) or _OF_A_TEXT.match(text, words.end))
        if words and (words.words > 1 or (ends and not self.one_of_many())):
            return Numeral(at, words.end, str(words.value))
        return None

    def believable(self, match: re.Match[str]) -> bool:
        """Whether what stands here is a numeral, and not a word that its letters happen to spell."""
        read, after = match[0], self.text[match.end() : match.end() + 1]
        if after.isalnum():
            return False
        if any(c.isdecimal() for c in read):
            return True
        if read in _STROKES:
            listed = re.match(r"\s*(?:,\s*)?(?:and|to|or)?\s*\d", self.text[match.end() :])
            return self.capital and (bool(listed) if self.plural else self.ends(match.end()))
        letters = len(read) > 1 and not read.lower().strip("il").startswith(("s", "o"))
        return self.capital and letters and read[0].isalpha() and self.ends(match.end())

    def one_of_many(self) -> bool:
        """Whether the word names no series: `in which case one, ...`."""
        return _ONE_OF_MANY.search(self.text[max(0, self.start - 10) : self.start]) is not None

    def goes_on(self, numeral: Numeral) -> bool:
        """Whether a further numeral may belong to the list: after one law, `Law 60, and 3 tricks` is no list."""
        figures = any(c.isdecimal() for c in numeral.read) or numeral.read in _STROKES or numeral.letter
        return figures and (self.plural or self.ends(numeral.end))

    def ends(self, at: int) -> bool:
        """Whether a reference may end here: at a stop, a bracket, a quotation, a conjunction or the end."""
        return bool(re.match(r"\s*(?:[.,;:)\"”\]—]|and\b|$)", self.text[at:]))

    def unclosed(self) -> bool:
        opened = self.text.rfind("(", max(0, self.start - 12), self.start)
        if opened < 0 or ")" in self.text[opened : self.start]:
            return False
        rest = self.text[self.at :]
        return ")" not in rest.split("(", 1)[0][:40]
