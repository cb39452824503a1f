"""Labels of numbered units: where one may stand, and the decoding of a whole series of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from extract.language.lexicon import word_list
from extract.numbering.numerals import is_roman, lettered, like_roman, readings, roman
from extract.numbering.sequence import Candidate, Label, decode
from extract.segment.mark import Mark, Misreading
from extract.segment.outline import WorkingText
from extract.segment.worded_labels import OVER, worded_marks
from extract.text.lines import ends_line

_GLYPH = r"[0-9A-Za-z}\]\[!|'\"?§*\\/]"
_NUMERAL = rf"(?P<number>{_GLYPH}{{1,3}} {{1,2}}{_GLYPH}{{1,2}}(?=\s?[.,]|\s+[A-Z])|{_GLYPH}{{1,%d}}?)"
_LENGTHS = {"{n}": 5, "{I}": 9, "{a}": 2}  # glyphs of a numeral, misread ones counted
STRAY = re.compile(r"(?:[^\w\s§¶(\[_*=]{1,2}|#{3,6}(?= ))[ \t]?(?=[\w§])")
"""What may stand before a label and is none of it: a stray sign, the marks of a heading in markdown."""
_QUOTES = frozenset("\"“‘'«")
_BESIDE_STRAY, _UNLIKE, _MISREAD_WORD = -0.3, -0.2, -0.3
_STROKES = frozenset("—–-")
_TAIL = r"(?P<tail>\s?[.,:;=\-—'\"°]{0,3})(?=\s|$|[—-]|(?<=['\"])(?=[A-Z]))"
_ORDINALS = word_list("ordinals")
_ORDINAL = re.compile(rf"(?:and,?\s+)?(?P<word>{'|'.join(_ORDINALS)})(?:ly)?,", re.IGNORECASE)
_GUIDES = re.compile(r"[ \t\n—–-]*+[_*=]?[A-Z\"'“(\[«]")
_ROMAN_READ = "ivxlc1jthnuy!|mr"  # what the letters of roman numerals are read as
_WORD_COST = 0.5  # how like a numeral a word must be
_LONGEST = 200
_LAST_LETTER = 26
_WORDY = 3
_PROVED = 0.9  # how sure a number is that alone fits between its neighbours


def series_marks(
    work: WorkingText,
    start: int,
    end: int,
    label: str,
    highest: int,
    *,
    alone: bool = False,
    running: bool = False,
    shy: bool = False,
    first: int = 1,
) -> list[Mark]:
    """Decode the labels of one series within a stretch of the working text.

    Args:
        work: the working text.
        start, end: the stretch, as offsets into it.
        label: how a label is printed, with `{n}` for digits, `{I}` for roman numerals, `{a}` for a letter, or
            `{w}` for a word (`LAW THE {w}.`), or `ordinal`; `|` stands between several ways to print it
            (`Section {n}.|Sec. {n}.`).
        highest: the greatest number to consider.
        alone: labels fill a line of their own.
        running: labels stand within lines too, where a clause ends.
        shy: a numeral that may as well be one of another series counts for less.
        first: the number with which the series begins.
    Returns:
        The labels in reading order, their numbers increasing.
    """
    if label == "ordinal":
        return _ordinals(work, start, end)
    if "{w}" in label:
        return worded_marks(work, start, end, label, alone=alone, first=first, highest=highest)
    patterns = [_pattern(way) for way in label.split("|")]
    printed = patterns[0][1]
    lower = any(way.split("{")[0].islower() for way in label.split("|"))
    candidates: list[Candidate] = []
    matches: dict[int, re.Match[str]] = {}
    starts = work.line_starts(start, end, running=running)
    begun = frozenset(starts)
    for at in _behind_quotes(work.text, starts, [pattern for pattern, _ in patterns]):
        match = _label_at(work.text, at, end, [pattern for pattern, _ in patterns], lower=lower)
        if not match or not _plausible(match["number"], printed, bool(match["before"]), min(highest, _LONGEST)):
            continue
        if alone and not ends_line(work.text, match.end(), end):
            continue
        guide = 0.0 if alone or _GUIDES.match(work.text, match.end(), end) else -0.9
        if guide and not match["tail"].strip():
            continue
        prior = guide + _before(work, at, start) + (0.2 if match["tail"].strip().startswith(".") else -0.5)
        if match.start() > at:
            prior += _BESIDE_STRAY
        if at not in begun:
            at -= 1  # the quotation mark before it
        if match["before"] and not _as_printed(match["before"], label):
            prior += _MISREAD_WORD
        if shy and like_roman(match["number"].lower(), "ivx"):
            prior -= 1.0
        candidates.append(Candidate(at, match.end(), match["number"].strip(), prior))
        matches[at] = match
    candidates = _alike(work.text, candidates)
    most = min(highest, first + 3 * len(candidates) + 2, _LAST_LETTER if printed is lettered else highest)
    found = _without_word_at_end(decode(candidates, most, printed, over=OVER, first=first))
    stops = sum(matches[x.candidate.start]["tail"].strip()[:1] == "." for x in found)
    stop = "." if stops * 2 > len(found) else ""
    sure = {i: max(x.confidence, _PROVED) for i, x in enumerate(found) if _between_neighbours(found, i)}
    return [
        Mark(x.candidate.start, x.candidate.end, x.number, sure.get(i, x.confidence),
             _misreadings(matches[x.candidate.start], printed(x.number), stop))
        for i, x in enumerate(found)
    ]  # fmt: skip


def _between_neighbours(found: Sequence[Label], i: int) -> bool:
    """Whether the labels on both sides of one are read without a doubt, and its number alone fits between them.

    One that is read as the next may be that, and the next one be misread.
    """
    around = found[i - 1 : i + 2] if i else ()
    read = found[i].candidate.read
    if len(around) < 3 or not read.isalnum() or read in {str(around[0].number), str(around[2].number)}:
        return False
    return around[0].cost == around[2].cost == 0 and around[2].number == around[0].number + 2


def _alike(text: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, those for less that have no dash behind them where most have one, or one where few have."""
    dashed = [not _STROKES.isdisjoint(text[c.end - 1 : c.end + 1]) for c in candidates]
    usual = sum(dashed) * 2 > len(dashed)
    return [c if d == usual else replace(c, prior=c.prior + _UNLIKE) for c, d in zip(candidates, dashed, strict=True)]


def _without_word_at_end(found: tuple[Label, ...]) -> tuple[Label, ...]:
    """The labels, without a last one that was read as a word (`so.`, 50) and does not follow the one before it."""
    last = found[-1] if found else None
    if last is None or not last.candidate.read.isalpha() or last.cost == 0 or len(last.candidate.read) == 1:
        return found
    return found if len(found) < 2 or last.number == found[-2].number + 1 else found[:-1]


def _label_at(
    text: str, at: int, end: int, patterns: Sequence[re.Pattern[str]], *, lower: bool
) -> re.Match[str] | None:
    """The label that begins a line, or stands there behind a stray sign and is otherwise read well."""
    if match := next((m for p in patterns if (m := p.match(text, at, end))), None):
        return None if match["before"].islower() and not lower else match
    stray = STRAY.match(text, at, end)
    match = next((m for p in patterns if stray and (m := p.match(text, stray.end(), end))), None)
    return match if match and match["number"].isdecimal() and match["tail"].strip() else None


def _behind_quotes(text: str, starts: Sequence[int], patterns: Sequence[re.Pattern[str]]) -> Sequence[int]:
    """Where labels begin if most stand behind a quotation mark, as where a book quotes a code: behind these marks."""
    quoted: dict[int, int] = {}
    plain = 0
    for at in starts:
        behind = at + 1 if text[at] in _QUOTES else at
        match = next((m for p in patterns if (m := p.match(text, behind))), None)
        if match and (match["number"].isdecimal() or is_roman(match["number"])) and match["tail"].strip():
            plain += behind == at
            quoted[at] = behind
    many = len(quoted) - plain >= _WORDY and plain * 2 < len(quoted)
    return [quoted.get(at, at) for at in starts] if many else starts


def _misreadings(match: re.Match[str], printed: str, stop: str) -> tuple[Misreading, ...]:
    """What of a label is misread, once its number is known: the numeral, and the full stop its series has."""
    read, tail = match["number"].strip(), match["tail"]
    same = read.lower() == printed if not printed.isdecimal() else read == printed
    start, end = match.start("number"), match.start("number") + len(read)
    numeral = read if same else printed.upper() if not printed.isdecimal() else printed
    if stop and len(tail.strip()) == 1 and tail.strip() in ",:;-'\"":
        return (Misreading(start, match.end("tail"), numeral + stop),)
    return () if same or not tail.strip() else (Misreading(start, end, numeral),)


def _before(work: WorkingText, at: int, start: int) -> float:
    """What stands above speaks for a label: a blank line or a heading."""
    above = work.text[max(start, at - 60) : at].rstrip(" ")
    if not above.strip():
        return 0.6
    blank = 0.3 if above.endswith("\n\n") else 0.0
    words = above.split()
    capitals = words[-1].isupper() and len(words[-1].strip(".")) > 2
    return blank + (0.5 if capitals else 0.0)


@lru_cache(maxsize=20_000)
def _plausible(numeral: str, printed: Callable[[int], str], after_word: bool, highest: int) -> bool:
    """Whether the token may be a numeral at all: a word of the text only if it is very like one (`in`, 111)."""
    bare = numeral.replace(" ", "")
    if printed is lettered:
        return len(bare) == 1 and bare.isalnum()
    if printed is roman:
        return like_roman(bare.lower(), _ROMAN_READ)
    if any(map(str.isdecimal, bare)) or after_word:
        return True
    return not bare.isalpha() or bool(readings(bare, highest, str, _WORD_COST))


def _ordinals(work: WorkingText, start: int, end: int) -> list[Mark]:
    marks: list[Mark] = []
    for at in work.line_starts(start, end):
        match = _ORDINAL.match(work.text, at, end)
        if match and _ORDINALS.index(match["word"].lower()) == len(marks):
            marks.append(Mark(at, match.end(), len(marks) + 1, 1.0))
    return marks if len(marks) > 1 else []


def word_pattern(word: str) -> str:
    """The regular expression of a word of a label as it may be read.

    Args:
        word: as it is printed (`SEC.`).
    Returns:
        One that knows it in capitals or not; one of three letters or more also with any of them misread (`SEG.`), and
        with another sign for its stop (`SEC,`).
    """
    letters = word.rstrip(".")
    if sum(map(str.isalpha, word)) < _WORDY:
        return re.escape(word)
    if not letters.isalpha():
        return rf"(?i:{re.escape(word)})"
    ways = [letters, *(rf"{letters[:i]}[^\W_]{letters[i + 1 :]}" for i in range(len(letters)))]
    return rf"(?i:{'|'.join(ways)}){'[.,:;]' if word != letters else ''}"


def _as_printed(before: str, label: str) -> bool:
    """Whether the words of a label are read as they are printed, but for their stops."""
    read = re.sub(r"[^a-z]", "", before.casefold())
    return any(read == re.sub(r"[^a-z]", "", way.split("{")[0].casefold()) for way in label.split("|"))


@lru_cache
def _pattern(label: str) -> tuple[re.Pattern[str], Callable[[int], str]]:
    """The regular expression of a label template, and how its numbers are printed."""
    slot = next(s for s in ("{I}", "{a}", "{n}") if s in label)
    before, _, after = label.partition(slot)
    words = r"\s*".join(map(word_pattern, before.split()))
    tail = _TAIL if after.strip() in {".", ""} else re.escape(after.strip()) + r"(?P<tail>)"
    gap = r"[.]?\s*" if words else ""
    regex = rf"(?P<before>{words}){gap}{_NUMERAL % _LENGTHS[slot]}{tail}"
    return re.compile(regex), roman if slot == "{I}" else lettered if slot == "{a}" else str
