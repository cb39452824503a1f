"""The grammar of references: `(See Articles 43, 44, and 48.)`, `Law 44, Section 5`, `Laws 56-66`, `B 8`.

A hand-written recursive-descent parser; it finds mentions, what is said, and leaves what is meant to `resolution`.
The shapes follow those of Free Law Project's eyecite and laws.africa's provision references: a series word, a list of
numerals and ranges, a part within each (pinpoint), a whole to which they belong. Numerals may be garbled.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from extract.language.lexicon import word_list
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
_FIGURES = re.compile(
    rf"\d{{1,2}} {{1,2}}\d{{1,2}}(?![\w/^?\]])|\d{{1,4}}(?![\w/^?!|\]\[$§])|[{_GARBLE}]{{1,4}}(?![^\W_])"
)
_ROMAN = re.compile(r"[IVXLCivxlc][IVXLCYivxlcy]{0,11}(?: [VYI]{1,2}(?=[.,)\s]))?(?![\w])")
_LETTER = re.compile(r"[A-HJ-UWYZ](?!\w)")  # I, V and X alone are roman numerals
_BRACKETED = re.compile(r"\((?=\w{1,3}\))")
_ENDS = re.compile(r"\s*(?:[.,;:)\"”\]—]|and\b|$)")
_FIGURE_FOLLOWS = re.compile(r"\s*(?:,\s*)?(?:and|to|or)?\s*\d")
_SEPARATOR = re.compile(r"\s*[,;]\s*(?P<and>and|or|&)?\s*|\s+(?P<also>and|or|&)\s+")
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
_RELATIVE = (
    r"\b(?:preceding|foregoing|previous|(?P<next>following|next))\s+(WORD)\b(?!\s*[\d(])"
    rf"|{_PART_OF}this\s+(WORD)\b"
)


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
    for match in _positions(tuple(words)).finditer(text):
        part = _ORDINALS.index(match["ordinal"].lower()) + 1 if match["ordinal"] else None
        step = 0 if part else 1 if match["next"] else -1
        yield Relative(match.start(), match.end(), match[match.lastindex or 0].capitalize(), step, part)


def _is_label(text: str, at: int) -> bool:
    """Whether a sign of a section numbers what follows, or lists it with its title, and refers to nothing."""
    before = text[max(0, at - 60) : at]
    return bool(_OPENS_TEXT.search(before) or (_TITLED.match(text, at) and not _LEADS_TO.search(before)))


def _any_of(words: Sequence[str]) -> str:
    """A pattern for words of more than one letter."""
    return "|".join(re.escape(w) for w in words if len(w) > 1) or r"(?!)"


@lru_cache(maxsize=64)
def _anchors(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the series words."""
    short = "".join(re.escape(w) for w in words if len(w) == 1 and w != SIGN)
    parts = [rf"(?P<word>(?i:\b(?:{_any_of(words)})))(?P<plural>(?i:s|es)?)\s+(?=\S)"]
    parts += [rf"(?P<sign>{SIGN})(?P<signs>{SIGN}?)\s*(?=\d)"] if SIGN in words else []
    parts += [rf"(?P<short>(?<![\w.'’])[{short}])(?:\s+(?=\d[\s.,;:)]|\d$)|(?=\d[\s.,;:)]))"] if short else []
    return re.compile("|".join(parts))


@lru_cache(maxsize=64)
def _positions(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the neighbour of a provision, or for a part of its own."""
    return re.compile(_RELATIVE.replace("WORD", _any_of(words)), re.IGNORECASE)


@lru_cache(maxsize=64)
def _part_words(parts: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for what leads to the number of a part: a word for it, or the bracket around a roman numeral."""
    words = rf"\s*,?\s*\(?(?:{_any_of(parts)})(?P<many>s?)\s*,?\s+"
    return re.compile(rf"{words}|\s*(?P<bracket>\()(?=[ivx]{{1,7}}\))", re.IGNORECASE)


class _Parser:
    """Reads one mention from its series word onwards; `at` is the position reached."""

    def __init__(
        self, text: str, anchor: re.Match[str], words: Sequence[str], parts: Sequence[str], lettered: Collection[str]
    ) -> None:
        groups = anchor.groupdict()
        self.part_words = _part_words(tuple(parts))
        self.text, self.start, self.at = text, anchor.start(), anchor.end()
        self.plural = bool(groups.get("plural") or groups.get("signs"))
        said = str(groups["word"] or groups.get("sign") or groups["short"])
        same = said.lower().replace("ſ", "s")
        self.word = next(w for w in words if w == said or (len(w) > 1 and w.lower() == same))
        self.roman, self.capital, self.lettered = False, said[0].isupper(), self.word in lettered

    def mention(self) -> Mention | None:
        """The mention; None if no numeral follows the word."""
        items = self.items()
        if not items:
            return None
        start, first = self.start, items[0]
        if before := _BEFORE.search(self.text, max(0, start - 60), start):
            start = before.start()
        if before and before["ordinal"] and len(items) == 1:
            part = Numeral(*before.span("ordinal"), str(_ORDINALS.index(before["ordinal"].lower()) + 1))
            first = replace(first, part=part)
        whole = None
        if (lead := _WHOLE.match(self.text, self.at)) and self.word.lower() != "chapter":
            whole = self.numeral(lead.end(), roman=True)
            self.at = whole.end if whole else self.at
        items = (replace(first, start=start), *items[1:])
        return Mention(start, self.at, self.word, items, whole, bool(before and before["note"]), self.unclosed())

    def items(self) -> tuple[Item, ...]:
        """The members of the list that begins here."""
        found: list[Item] = []
        where: int | None = self.at
        # After `Law 72, Section 1 and 2` nobody can tell what the 2 counts; there the list ends.
        while where is not None and not (found and found[-1].part):
            item = self.item(where, first=not found)
            if item is None:
                break
            self.plural |= bool(found)
            found.append(item)
            where = self.separator()
        return (*found[:-1], *self.parts(found[-1])) if found else ()

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
        if match is None and self.plural:
            match = _STOP_LIST.match(self.text, self.at)  # commas read as full stops
        return match.end() if match and (self.plural or match["and"] or match["also"]) else None

    def item(self, at: int, *, first: bool) -> Item | None:
        """The member of a list at a position; None if there is none, or if it may count something else."""
        numeral = self.numeral(at, roman=first or self.roman)
        # After one law, `Law 60, and 3 tricks` is no list.
        if numeral is None or not (first or self.roman or self.plural or self.ends(numeral.end)):
            return None
        self.roman = self.roman or numeral.read.isalpha()
        self.at = numeral.end + (self.text[numeral.start - 1 : numeral.start] == "(")
        last = part = None
        if to := _TO.match(self.text, self.at):
            last = self.numeral(to.end(), roman=False)
        lead = None if last else self.part_words.match(self.text, self.at)
        if lead:
            part = self.numeral(lead.end(), roman=True, part=True)
        reached = last or part
        self.at = reached.end + bool(part and lead and lead["bracket"]) if reached else self.at
        return Item(self.start if first else numeral.start, self.at, numeral, last, part)

    def numeral(self, at: int, *, roman: bool, part: bool = False) -> Numeral | None:
        """The numeral at a position, plain, garbled or (where it may be) roman; None if there is none."""
        text = self.text
        at += bool(_BRACKETED.match(text, at))
        if self.lettered and not part and (match := _LETTER.match(text, at)):
            return Numeral(at, match.end(), match[0], letter=True)
        if (match := _FIGURES.match(text, at)) and self.believable(match):
            return Numeral(at, match.end(), match[0])
        if roman and (self.capital or part) and (match := _ROMAN.match(text, at)) and self.ends(match.end()):
            return Numeral(at, match.end(), match[0])
        words = None if part else spelled(text, at)
        ends = words and (self.ends(words.end) or _OF_A_TEXT.match(text, words.end))
        if words and (words.words > 1 or (ends and not _ONE_OF_MANY.search(text, max(0, self.start - 10), self.start))):
            return Numeral(at, words.end, str(words.value))
        return None

    def believable(self, match: re.Match[str]) -> bool:
        """Whether what stands here is a numeral, and not a word that its letters happen to spell."""
        read = match[0]
        if any(map(str.isdecimal, read)):
            return True
        if self.plural and read in _STROKES:
            return self.capital and _FIGURE_FOLLOWS.match(self.text, match.end()) is not None
        like = read in _STROKES or (
            len(read) > 1 and read[0].isalpha() and read.lower().strip("il")[:1] not in ("s", "o")
        )
        return self.capital and like and self.ends(match.end())

    def ends(self, at: int) -> bool:
        """Whether a reference may end here: at a stop, a bracket, a quotation, a conjunction or the end."""
        return _ENDS.match(self.text, at) is not None

    def unclosed(self) -> bool:
        """Whether the bracket before the reference is closed neither in it nor soon after it."""
        opened = self.text.rfind("(", max(0, self.start - 12), self.start)
        after = self.text[self.at : self.at + 40].partition("(")[0]
        return opened >= 0 and ")" not in self.text[opened : self.start] + after
