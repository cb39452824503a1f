"""The label at the start of a provision, by the form in which its series is printed (`{n}.`, `Article {n}.`).

A form has its number as `{n}` (digits), `{I}` (roman), `{a}` (a letter) or `{w}` (words: `LAW THE {w}.`); `ordinal`
stands for `first,` and `secondly,`. Only the text at the offset counts: whether a line begins there, and which number
is due, is for others to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from extract.numbering.numerals import arabic, lettered, roman
from extract.numbering.spelled import worded

STRAY = re.compile(r"(?:[^\w\s§¶(\[_*=]{1,2}|#{3,6}(?= ))[ \t]?(?=[\w§])")
"""What may precede a label without being part of it: stray characters, or the marks of a Markdown heading."""
_NUMERALS = {"{n}": r"[^\s.,:;_*]{1,5}", "{I}": r"[^\s.,:;_*]{1,9}", "{a}": r"\w"}
_PARTED = r"\w{1,3} {1,2}\w{1,2}(?=\s?[.,])"  # `1 8.`
_STOP = r"\s?[.,:;=\-—'\"‘’°]{0,3}(?=\s|$|[—-]|(?<=['\"])(?=[A-Z]))"
_SENTENCE = re.compile(r"[ \t\n—–-]*+[_*=]?[A-Z\"'“‘’(\[«]")
_AND = r"(?:and,?\s+)?"
_WORDY = 3  # the fewest letters of a word in which one may be misread


@dataclass(frozen=True, slots=True)
class Label:
    """What may be a label: its span, the characters read as its number, and the number if they are one, else 0.

    `at` is the offset of these characters, `tail` what follows them. `worth` is 1 for the usual form, less for an odd
    one (no stop, no sentence after it, a misread word).
    """

    start: int
    end: int
    read: str
    number: int
    at: int
    tail: str
    worth: float = 1.0


@dataclass(frozen=True)
class Form:
    """One way in which the labels of a series are printed."""

    text: str

    @cached_property
    def slot(self) -> str:
        return next((slot for slot in _NUMERALS if slot in self.text), "{w}")

    @property
    def printed(self) -> Callable[[int], str]:
        """The function that formats a number as it is printed."""
        return roman if self.slot == "{I}" else lettered if self.slot == "{a}" else str

    @cached_property
    def words(self) -> str:
        return self.text.partition("{")[0] if "{" in self.text else ""

    def read(self, text: str, at: int, end: int, *, alone: bool = False) -> Label | None:
        """Read the label at an offset, its number misread or not.

        Args:
            text: the text.
            at, end: the offset, and the end of the span that the series labels.
            alone: a label has a line of its own, so that no sentence need follow.
        """
        if self.slot == "{w}":
            return self._in_words(text, at, end)
        stray = STRAY.match(text, at, end)
        ways = [self._pattern.match(text, begin, end) for begin in (at, stray.end() if stray else at)]
        match = next((way for way in ways if way and self._value(way["number"])), ways[0])
        if not match:
            return None
        read, before, tail = match["number"], match["before"], match["tail"].strip()
        begins = alone or text[match.end() : match.end() + 1].isalpha() or _SENTENCE.match(text, match.end(), end)
        if not (begins or tail):
            return None
        odd = (not tail.startswith(".")) + (not begins) + (before.casefold() != self.words.strip().casefold())
        return Label(at, match.end(), read, self._value(read), match.start("number"), match["tail"], 1 - odd / 4)

    def _value(self, read: str) -> int:
        if self.slot == "{a}":
            return ord(read.lower()) - ord("a") + 1 if read.isascii() and read.isalpha() else 0
        return arabic(read) if read.isdecimal() == (self.slot == "{n}") else 0

    def _in_words(self, text: str, at: int, end: int) -> Label | None:
        before = self._opening.match(text, at, end)
        found = worded(text, before.end()) if before else None
        if not before or not found:
            return None
        if self.text == "ordinal":
            fits = found.ordinal and found.stop == ","
        else:
            fits = text[before.end()].isupper() and bool(
                found.stop or text[found.end - 1] in "—–-" or text.startswith("\n", found.end)
            )
        return Label(at, found.end, str(found.value), found.value, before.end(), found.stop) if fits else None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = r"\s*".join(map(word_pattern, self.words.split()))
        after = self.text.partition(self.slot)[2].strip()
        tail = _STOP if after in {".", ""} else re.escape(after)
        gap = r"(?:[.]?\s+|[.]|(?=\d))" if self.words[-1:].isspace() else ""
        return re.compile(f"(?P<before>{words}){gap}(?P<number>{_PARTED}|{_NUMERALS[self.slot]}?)(?P<tail>{tail})")

    @cached_property
    def _opening(self) -> re.Pattern[str]:
        words = "".join(rf"{re.escape(word)}\s*" for word in self.words.split())
        return re.compile(_AND if self.text == "ordinal" else words, re.IGNORECASE)


@lru_cache
def forms(label: str) -> tuple[Form, ...]:
    """The forms in which the labels of a series are printed, which `|` separates in `label`; `--` stands for a dash."""
    return tuple(map(Form, label.replace("--", "—").split("|")))


def word_pattern(word: str) -> str:
    """Make a regular expression for a word of a label as OCR may read it.

    Args:
        word: the word as it is printed (`SEC.`).
    Returns:
        The pattern. A word of three letters or more matches in any case, also with one letter misread (`SEG.`); a
        shorter one only as printed. An abbreviation matches without its full stop, with another mark for it (`SEC,`),
        and written out (`SECTION`).
    """
    letters = word.rstrip(".")
    if len(letters) < _WORDY:
        return re.escape(word)
    if not letters.isalpha():
        return rf"(?i:{re.escape(word)})"
    ways = [letters, *(rf"{letters[:i]}[^\W_]{letters[i + 1 :]}" for i in range(len(letters)))]
    return rf"(?i:{'|'.join(ways)})" + (r"(?:[.,:;]|(?i:[a-z]*))" if word != letters else "")
