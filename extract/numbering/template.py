"""The lexer of labels: recognises a possible label at an offset of a text, by a template of its printed form.

A template has its number as `{n}` (digits), `{I}` (roman), `{a}` (a letter) or `{w}` (words: `LAW THE {w}.`);
`ordinal` stands for `first,` and `secondly,`. The lexer knows only the text: its callers decide where lines begin and
which number is due.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from extract.numbering.numerals import is_roman, lettered, like_roman, readings, roman
from extract.numbering.sequence import Candidate
from extract.numbering.spelled import worded
from extract.weights import weights

STRAY = re.compile(r"(?:[^\w\s§¶(\[_*=]{1,2}|#{3,6}(?= ))[ \t]?(?=[\w§])")
"""What may precede a label without being part of it: stray characters, or the marks of a Markdown heading."""
_GLYPH = r"[0-9A-Za-z}\]\[!|'\"?§*\\/]"
_LENGTHS = {"{n}": 5, "{I}": 9, "{a}": 2}  # the most glyphs of a numeral, misread ones included
_PARTED = rf"{_GLYPH}{{1,3}} {{1,2}}{_GLYPH}{{1,2}}(?=\s?[.,]|\s+[A-Z])"
_TAIL = r"(?P<tail>\s?[.,:;=\-—'\"‘’°]{0,3})(?=\s|$|[—-]|(?<=['\"])(?=[A-Z]))"
_SENTENCE = re.compile(r"[ \t\n—–-]*+[_*=]?[A-Z\"'“‘’(\[«]")
# Where a label is due: a number after a word or symbol; and digits alone, run together with a word, or missing.
_ANY = r"(?:[^\w\s](?=\w))?(?P<number>[^\s.,:;‘’]{1,5}?(?=[.,:;'‘’°-]|\s+[A-Z])|)(?P<tail>\s?[.,:;'\"‘’°-]{0,2})"
_BARE = (
    r"[^\w$]{0,2}(?P<number>[0-9A-Za-z$&§]{1,3}(?=[.,:;-])|(?=.?[\d$&§])[\w$&§]{2}(?=[a-z]| [A-Z])|(?=[.,] [A-Z]))"
    r"(?P<tail>[.,:;-]{0,2})"
)
_ROMAN_READ = "ivxlc1jthnuy!|mr"  # what the letters of roman numerals are read as
_AND = r"(?:and,?\s+)?"
_WORDY = 3  # the fewest letters of a word in which one may be misread
_LONGEST = 200  # the highest number that may be misread as a word (`in`, 111)
_STOPPED, _OTHERWISE, _UNSTOPPED = weights("labels", "shape.stopped", "shape.otherwise", "shape.unstopped")
_GOES_ON, _MISREAD, _LIKE = weights("labels", "shape.goes_on", "shape.misread", "word.like")


@dataclass(frozen=True)
class Template:
    """One way in which the labels of a series are printed."""

    label: str

    @cached_property
    def slot(self) -> str:
        return next((s for s in ("{I}", "{a}", "{n}") if s in self.label), "{w}")

    @property
    def printed(self) -> Callable[[int], str]:
        """The function that formats a number as it is printed."""
        return roman if self.slot == "{I}" else lettered if self.slot == "{a}" else str

    @cached_property
    def words(self) -> str:
        return self.label.partition("{")[0] if "{" in self.label else ""

    @property
    def worded(self) -> bool:
        """Whether a word or a symbol precedes the number, so that little else is taken for a label."""
        return re.search(r"[^\W_]|[§¶]", self.words) is not None

    def read(self, text: str, at: int, end: int, *, alone: bool = False) -> Candidate | None:
        """Match a label at an offset, its number misread or not.

        Args:
            text: the text.
            at, end: the offset, and the end of the span that the series labels.
            alone: labels have a line of their own, so no sentence need follow.
        """
        if self.slot == "{w}":
            return self._in_words(text, at, end)
        match = self._numeral_at(text, at, end)
        stray = None if match else STRAY.match(text, at, end)
        if stray and (match := self._numeral_at(text, stray.end(), end)):
            well = match["number"].isdecimal() or is_roman(match["number"])
            match = match if well and match["tail"].strip() else None
        if match is None:
            return None
        tail = match["tail"].strip()
        stop = _STOPPED if tail.startswith(".") else _OTHERWISE if tail else _UNSTOPPED
        return self._candidate(match, at, stop + (_MISREAD if stray else 0.0), alone=alone)

    def due(self, text: str, at: int, end: int, *, alone: bool = False) -> Candidate | None:
        """Match a label at an offset where one is missing; a number in digits may be misread in any way."""
        if self.slot != "{n}":
            return self.read(text, at, end, alone=alone)
        match = self._loose.match(text, at, end)
        stop = _STOPPED if match and (match["tail"] or not self.worded) else _UNSTOPPED
        return self._candidate(match, at, stop, alone=alone) if match else None

    def _numeral_at(self, text: str, at: int, end: int) -> re.Match[str] | None:
        match = self._strict.match(text, at, end)
        return match if match and _plausible(match["number"], self.printed, bool(match["before"])) else None

    def _candidate(self, match: re.Match[str], at: int, prior: float, *, alone: bool) -> Candidate | None:
        follows = match.string[match.end() : match.end() + 1]
        goes_on = not (alone or follows.isalpha() or _SENTENCE.match(match.string, match.end(), match.endpos))
        if (match["before"].islower() and not self.words.islower()) or (goes_on and not match["tail"].strip()):
            return None
        prior += _GOES_ON * goes_on + _MISREAD * (not self._as_printed(match["before"]))
        number = match["number"].strip()
        return Candidate(at, match.end(), number, prior, self.worded, match.start("number"), match["tail"])

    def _in_words(self, text: str, at: int, end: int) -> Candidate | None:
        before = self._opening.match(text, at, end)
        found = worded(text, before.end()) if before else None
        if not before or not found:
            return None
        if self.label == "ordinal":
            is_label = found.ordinal and found.stop == ","
        else:
            ended = found.stop or text[found.end - 1] in "—–-" or text.startswith("\n", found.end)
            is_label = text[before.end()].isupper() and bool(ended)
        return Candidate(at, found.end, str(found.value)) if is_label else None

    def _as_printed(self, before: str) -> bool:
        """Whether the words before a number are read as they are printed, apart from case and punctuation."""
        return re.sub(r"[^a-z]", "", before.casefold()) == re.sub(r"[^a-z]", "", self.words.casefold())

    @cached_property
    def _before(self) -> str:
        words = r"\s*".join(map(word_pattern, self.words.split()))
        return f"(?P<before>{words})"

    @cached_property
    def _strict(self) -> re.Pattern[str]:
        after = self.label.partition(self.slot)[2].strip()
        tail = _TAIL if after in {".", ""} else rf"{re.escape(after)}(?P<tail>)"
        gap = r"[.]?\s*" if self.words else ""
        number = rf"(?P<number>{_PARTED}|{_GLYPH}{{1,{_LENGTHS[self.slot]}}}?)"
        return re.compile(f"{self._before}{gap}{number}{tail}")

    @cached_property
    def _loose(self) -> re.Pattern[str]:
        return re.compile(rf"\W{{0,2}}{self._before}[.]?\s*{_ANY}" if self.worded else f"{self._before}{_BARE}")

    @cached_property
    def _opening(self) -> re.Pattern[str]:
        words = "".join(rf"{re.escape(word)}\s*" for word in self.words.split())
        return re.compile(_AND if self.label == "ordinal" else words, re.IGNORECASE)


@lru_cache
def templates(label: str) -> tuple[Template, ...]:
    """The forms in which the labels of a series are printed, which `|` separates in `label`; `--` stands for a dash."""
    return tuple(map(Template, label.replace("--", "—").split("|")))


def word_pattern(word: str) -> str:
    """Make a regular expression for a word of a label as OCR may read it.

    Args:
        word: the word as it is printed (`SEC.`).
    Returns:
        The pattern. A word of three letters or more matches in any case, also with one letter misread (`SEG.`) and with
        another punctuation mark for its full stop (`SEC,`); a shorter one only as printed.
    """
    letters = word.rstrip(".")
    if sum(map(str.isalpha, word)) < _WORDY:
        return re.escape(word)
    if not letters.isalpha():
        return rf"(?i:{re.escape(word)})"
    ways = [letters, *(rf"{letters[:i]}[^\W_]{letters[i + 1 :]}" for i in range(len(letters)))]
    return rf"(?i:{'|'.join(ways)}){'[.,:;]' if word != letters else ''}"


@lru_cache(maxsize=20_000)
def _plausible(numeral: str, printed: Callable[[int], str], after_word: bool) -> bool:
    """Whether a token may be a numeral; a word of the text only if it is very similar to one (`in`, 111)."""
    bare = numeral.replace(" ", "")
    if printed is lettered:
        return len(bare) == 1 and bare.isalnum()
    if printed is roman:
        return like_roman(bare.lower(), _ROMAN_READ)
    if after_word or not bare.isalpha():
        return True
    return bool(readings(bare, _LONGEST, str, _LIKE))
