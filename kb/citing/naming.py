"""Find which works the words around a number or page name, and how far they go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from extract.language.misspelling import is_word
from extract.language.sentences import boundaries, sentence
from extract.model import Span
from kb.citing.citable import HEADING, ON_PAGE, Citable, Work
from kb.citing.pinpoints import Pinpoint, Tokens, token_at
from kb.read import lookup
from kb.read.written import JOINTS

YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_LONG_TITLE = 4
"""The fewest words of a title that no other book has by chance."""
# A citation is not extended beyond these; Chicago has `(1864; Harper & Brothers, 1896)`.
_BREAK = re.compile(r"(?<!\(\d{4});|\n\s*\n|\n\[\^|\]:")
# Nor beyond the bracket that it stands in, unless it goes on after that: `(law 72) of the English code`.
_BRACKET = re.compile(r"\(|\)(?!\s+(?:of|in|from|by)\b)")
# A stop after an initial, or that the MLA puts after the title of a part and its year.
_NO_STOP = re.compile(r"(?<![^\W\d_])[A-Z]\.\Z|[”\"’'](?:\s\d{4}\.)?\Z")
_FARTHEST = 600
"""The most characters that a citation has on either side of its number."""
_QUOTED = re.compile(r"[\s(:][“\"‘«']([^“”\"‘«»]*)[”\"’»']")
_CLOSED = re.compile(r"[,.!?]?[”\"“»«]")
_DATES = re.compile(r"[\s,(]+(?:of\s+)?")
_PAUSE = re.compile(r"[.,)]")
_PAUSE_AFTER_PAGE = re.compile(rf"{_PAUSE.pattern}|\s(?:and|or)\b|&")
# Words that may have a capital before a citation because they open the sentence; any other word with a capital there is
# the name of another author or work.
_OPENING = frozenset(
    re.findall(
        r"\w+",
        "see compare cf but and also in under by per thus so the as both on at when where if yet here note ibid for "
        "from to of then this that article law rule case or with even now not all a an",
    )
)
_FOLLOWING = re.compile(r"[\s.]{0,9}(?:\d|[ivxlc]+\b)", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\s{0,9}(?:of|in|by)\s{1,9}(?:the\s{1,9})?[A-Z]\w+")
_JOINED = re.compile(r"[\s,:’'s(“‘\"]*$")
# Where a sentence opens, and what is between its first word and a citation if that word is no name.
_OPENS = re.compile(r"(?:^|[.!?\n])[\s\W]{0,4}\Z")
_AFTER_HEADING = re.compile(r"\s+|:\s*")


@dataclass(frozen=True, slots=True)
class Named:
    """The works that a text names around a number or list, or before it, and the span of the whole citation.

    For `year` and `sure` see `Citation`.
    """

    start: int
    end: int
    works: tuple[Work, ...]
    year: str = ""
    sure: bool = True


def best_works(
    known: Citable, text: str, tokens: Tokens, points: Sequence[Pinpoint], behind: int, before: int
) -> Named | None:
    """The works that the words around a number name best, between two offsets; None if they name none."""
    point, close = points[0], points[-1].end
    first, last = token_at(tokens, point.start), token_at(tokens, close) - 1
    begin = max(behind, point.start - _FARTHEST)
    begin = max((found.end() for found in _BREAK.finditer(text, begin, point.start)), default=begin)
    limits = token_at(tokens, begin), token_at(tokens, min(before, _end(text, point.end)))
    found: list[tuple[tuple[int, int, int], int, int, Work, set[str]]] = []
    for work in known.works:
        if point.kind not in work.kinds:
            continue
        low, high = _extended(text, tokens, first, last, work.words | JOINTS, limits, point)
        around = (*tokens[low:first], *tokens[last + 1 : high + 1])
        rest = {word for word, _, _ in around}
        names = {word for word, start, _ in around if text[start].isupper()} & (work.own | work.families)
        titled = any(name <= rest for name in work.titles)
        dated = bool(rest & work.years)
        # The page of a code is in the book of another author; `Laws of 1864, 72` may be the law and not the page.
        by_code = point.kind == ON_PAGE and work.id != work.book
        if by_code and not text[point.start].isalpha():
            continue
        if not (titled or (names - work.families if by_code else names) or (dated and point.kind != ON_PAGE)):
            continue
        sure = names & work.families or any(len(n) >= _LONG_TITLE and n <= rest for n in work.titles)
        if not sure and _is_foreign(text, tokens, low, high):
            continue
        has = (work.id, point.kind, point.number, "") in known.units
        if point.kind == HEADING and not has:
            continue
        # The other codes of its book may be named beside it, with their years.
        wrong = {word for word in rest if YEAR.fullmatch(word)} - (work.words if dated else set())
        score = (2 * titled + bool(names) + dated, has, len(rest & work.words))
        found.append((score, tokens[low][1], max(close, tokens[high][2]), work, wrong))
    if not found:
        return None
    best = max(score for score, *_ in found)
    _, starts, ends, works, wrongs = zip(*(each for each in found if each[0] == best), strict=True)
    return Named(min(starts), max(ends), works, min(set.intersection(*wrongs), default=""))


def named_before(known: Citable, text: str, tokens: Tokens, points: Sequence[Pinpoint]) -> Named | None:
    """The works whose author the sentence names before a number or page; None if it names none of the library."""
    start, close = points[0].start, points[-1].end
    first, last = token_at(tokens, start), token_at(tokens, close) - 1
    begins = max(sentence(text, Span(start, close)).start, text.rfind("\n\n", 0, start))
    names = {word for word, at, _ in tokens[token_at(tokens, begins) : first] if text[at].isupper()}
    works = tuple(work for work in known.works if points[0].kind in work.kinds and names & work.families)
    named = works and not _is_foreign(text, tokens, first, last)
    return Named(start, close, works, sure=False) if named else None


def _end(text: str, at: int) -> int:
    """Where a citation ends at the latest: with its bracket, or with its sentence."""
    depth, stop = 0, at + _FARTHEST
    stop = next((gap.start for gap in boundaries(text, at, stop) if not _NO_STOP.search(text, at, gap.start)), stop)
    stop = found.start() if (found := _BREAK.search(text, at, stop)) else stop
    for bracket in _BRACKET.finditer(text, at, stop):
        depth += 1 if bracket[0] == "(" else -1
        if depth < 0:
            return bracket.start()
    return stop


def _extended(
    text: str,
    tokens: Tokens,
    first: int,
    last: int,
    allowed: frozenset[str],
    limits: tuple[int, int],
    point: Pinpoint,
) -> tuple[int, int]:
    """Extend a range of tokens to both sides, between two tokens, while the words are `allowed` or dates.

    Joining words and pages at the ends are cut, and the article "a"; a capital at the beginning is an initial.
    """

    def belongs(i: int) -> bool:
        word, start, close = tokens[i]
        if i and YEAR.fullmatch(word):
            named, _, ends = tokens[i - 2 if tokens[i - 1][0] == "of" else i - 1]
            if named in allowed - JOINTS and _DATES.fullmatch(text, ends, start):
                return True
        if word not in allowed:
            return False
        # A quotation is a part of it only if it is a title.
        quoted = ""
        if i > last:
            quoted = found[1] if (found := _QUOTED.match(text, start - 2)) else ""
        elif _CLOSED.match(text, close):
            quoted = text[max(0, *(text.rfind(mark, max(0, start - _FARTHEST), start) for mark in '“"«„»')) : close]
        return not quoted or {*lookup.tokens(quoted)} <= allowed

    low = next((i + 1 for i in range(first - 1, limits[0] - 1, -1) if not belongs(i)), min(first, limits[0]))
    high = next((i - 1 for i in range(last + 1, limits[1]) if not belongs(i)), max(last, limits[1] - 1))
    if high > last and not tokens[high][0].isdecimal() and _FOLLOWING.match(text, tokens[high][2]):
        high -= 1  # `laws` of the next provision
    # If the next provision follows, the words from the first pause on, or the first after a page, belong to that one.
    page = max((tokens[i][2] for i in range(last + 1, high + 1) if tokens[i][0] == "p"), default=0)
    pause = _PAUSE_AFTER_PAGE if page else _PAUSE
    stop = pause.search(text, page or point.end, tokens[high][2])
    if stop and _another_follows(text, tokens[: limits[1]], high):
        high = max(last, next((i for i in range(last, high + 1) if tokens[i][2] > stop.start()), high + 1) - 1)
    low = next(
        (i for i in range(low, first) if not (tokens[i][0] in JOINTS or text[tokens[i][1] : tokens[i][2]] == "a")),
        first,
    )
    return low, next((i for i in range(high, last, -1) if tokens[i][0] not in {*JOINTS, "a"}), last)


def _another_follows(text: str, tokens: Tokens, high: int) -> bool:
    """Whether a number follows one of the next two words, so that they begin another provision."""
    return any(
        _FOLLOWING.match(text, tokens[i][2])
        for i in range(high + 1, min(high + 3, len(tokens)))
        if not tokens[i][0].isdecimal()
    )


def _is_foreign(text: str, tokens: Tokens, low: int, high: int) -> bool:
    """Whether the name of another author or work is directly before or after: `Cavendish, Laws of Whist`."""
    if low:
        word, start, end = tokens[low - 1]
        between = text[end : tokens[low][1]]
        if text[start].isupper() and word not in _OPENING and _JOINED.fullmatch(between):
            # `Penalty: law 62`, `Today law 62`; but `Clay, Laws of Whist`.
            opens = _OPENS.search(text, max(0, start - 6), start) and _AFTER_HEADING.fullmatch(between)
            return not (opens and is_word(word))
    return _OF_ANOTHER.match(text, tokens[high][2]) is not None
