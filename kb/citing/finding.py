"""Find citations in running text and footnotes that name their work in words: `English laws, 1864, law 72 (ii)`.

A citation is a numbered provision, such as `law 72`, among words that belong to its work: its title, who issued it,
where and when it was printed, the page. From the number the citation is extended to both sides as long as all words
belong to one work, and it counts if they name that work: by a title or a distinctive name, or by its year. A number
with the name of another author or book, or of no work at all, is not a citation of this library; `ibid.` has the work
of the citation before it, and alone is that citation again. A page without a number (`Drayson, p. 20`) cites a book,
in the same way. If only the author is named, earlier in the sentence, the citation is not sure.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from extract.language.misspelling import is_word
from extract.language.sentences import boundaries, sentence
from extract.model import Span
from extract.text.lines import collapse
from kb.citing.citable import ON_PAGE, Citable, Work, citable, in_digits
from kb.citing.citation import PAGE, Citation
from kb.read import lookup
from kb.read.domain import domain
from kb.read.written import JOINTS

_MOST_OF_LIST = 12
_LONG_TITLE = 4
"""The fewest words of a title that no other book has by chance."""
# Not the pronoun: `in law 72 I find`.
_NO_PRONOUN = r"(?!(?-i:I\s+(?!(?:and|or|to|of|in|is|says)\b)[a-z]))"
_NUMBER = re.compile(
    rf"[\s.]*(?:nos?\.\s*)?{_NO_PRONOUN}(?P<number>[a-z]?\d{{1,3}}|[ivxlc]+)\b(?!\s*['’]\w)", re.IGNORECASE
)
_COMMENTED = re.compile(r"\s+(?:on|to|upon)\s+\w+", re.IGNORECASE)
_ALSO = re.compile(
    r"\s*(?P<joint>[,;&–—-]|\band\b|\bto\b|\bor\b)\s*(?:and\s+|&\s*)?(?P<number>\d{1,3})\b(?!\s*(?:\w*%|st|nd|rd|th))"
)
_AND = frozenset(("and", "or", "&"))
_WORD_FOR_PART = r"(?:§+|paragraphs?|paras?\.?|pars?\.?|sub-?sections?|sections?|sect?\.?|sub-?clauses?|clauses?|cl\.)"
# A paragraph of a provision, or the decision of a case.
_PART = re.compile(
    rf"[\s,]*(?:{_WORD_FOR_PART}\s*)?[(\[]\s*([ivx]{{1,5}}|\d{{1,2}}|[a-z])\s*[)\]]"
    rf"|[\s,]*{_WORD_FOR_PART}\s*([ivx]{{1,5}}|\d{{1,2}})\b"
    rf"|[\s,]+{_NO_PRONOUN}((?-i:[IVX]{{1,5}}))\b(?![.’'])"
    r"|[\s,(]*(?:the\s+)?(decision)\b",
    re.IGNORECASE,
)
_IBID = re.compile(r"\b(?:ibid(?:em)?|id|idem|loc\.? cit|op\.? cit)\.?[\s,]*$", re.IGNORECASE)
_SAME = re.compile(r"\bibid(?:em)?\b\.?(?P<more>,?\s*(?:\w+\.?\s*)?\d+)?", re.IGNORECASE)
# Between two provisions of a list there are only punctuation and words such as "and", "see".
_LISTED = re.compile(r"[\s,;&(]*(?:(?:and|or|with|also|cf\.?|see|compare)\b[\s,.]*){0,2}", re.IGNORECASE)
# A citation is not extended beyond these; Chicago has `(1864; Harper & Brothers, 1896)`.
_BREAK = re.compile(r"(?<!\(\d{4});|\n\s*\n|\n\[\^|\]:")
# Nor beyond the bracket that it stands in, unless it goes on after that: `(law 72) of the English code`.
_BRACKET = re.compile(r"\(|\)(?!\s+(?:of|in|from|by)\b)")
# A stop after an initial, or that the MLA puts after the title of a part and its year.
_NO_STOP = re.compile(r"(?<![^\W\d_])[A-Z]\.\Z|[”\"’'](?:\s\d{4}\.)?\Z")
_FARTHEST = 1000
"""The most characters that a citation has on either side of its number."""
_QUOTED = re.compile(r"[\s(:][“\"‘«']([^“”\"‘«»]*)[”\"’»']")
_CLOSED = re.compile(r"[,.!?]?[”\"“»«]")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_DATES = re.compile(r"[\s,(]+(?:of\s+)?")
_PAGE_AFTER = re.compile(rf"[\s,)]{{0,3}}{PAGE.pattern}", PAGE.flags)
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

_Tokens: TypeAlias = Sequence[tuple[str, int, int]]
"""The words of a text in lower case, each with its span in characters."""


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A numbered provision or a page in a text: its kind, number and part, and its span in characters."""

    kind: str
    number: str
    part: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Named:
    """The works that a text names around a number or list, or before it, and the span of the whole citation.

    For `year` and `sure` see `Citation`.
    """

    start: int
    end: int
    works: tuple[Work, ...]
    year: str = ""
    sure: bool = True


def in_words(conn: sqlite3.Connection, text: str) -> list[Citation]:
    """The citations of a text that name their work in words, in order."""
    known = citable(conn)
    tokens = [(m.group().lower(), m.start(), m.end()) for m in lookup.TOKEN.finditer(text)]
    pages = list(_pages(conn, text, tokens))
    for page in pages:  # its number joins words as `p.` does
        for i in range(_token(tokens, page.start), _token(tokens, page.end)):
            tokens[i] = "p", *tokens[i][1:]
    found: list[tuple[_Named, list[Citation]]] = []  # the citations of each list
    # Pages without a number stand between the citations with numbers.
    for anchors in chain(_anchors(conn, text, tokens, {page.start for page in pages}), ((page,) for page in pages)):
        start = anchors[0].start
        at = bisect_left(found, start, key=lambda each: each[0].start)
        behind = found[at - 1][1][-1].at[1] if at else 0
        if start < behind:
            continue
        before = found[at][0].start if at < len(found) else len(text)
        named = _best_works(known, text, tokens, anchors, behind, before)
        if named is None and at:
            named = _continued(known, text, *found[at - 1], anchors)
        if named is None and text[start].isalpha():
            named = _named_before(known, text, tokens, anchors)
        if named:
            found.insert(at, (named, list(_citations(conn, known, text, anchors, named, pages))))
    for same in _SAME.finditer(text):
        at = bisect_left(found, same.start(), key=lambda each: each[0].start)
        alone = at == len(found) or same.end() < found[at][0].start  # otherwise it is read with its number
        if at and alone and (again := _repeated(text, found[at - 1][1], same)):
            found.insert(at, (replace(found[at - 1][0], start=same.start()), [again]))
    return [citation for _, cited in found for citation in cited]


def _continued(
    known: Citable, text: str, last: _Named, cited: Sequence[Citation], anchors: Sequence[_Anchor]
) -> _Named | None:
    """The works of the citations before a number or page, if it continues their list or follows `ibid.`."""
    start, kind = anchors[0].start, anchors[0].kind
    same = _IBID.search(text, max(0, start - 20), start)
    listed = kind != ON_PAGE and _LISTED.fullmatch(text, cited[-1].at[1], start)
    # `Ibid., 18` may be a law if no page was cited before.
    if not (listed or (same and (kind != ON_PAGE or cited[-1].page or text[start].isalpha()))):
        return None
    works = tuple(work for work in last.works if kind in work.kinds)
    if not works:  # after a law, a case of the same book
        books = {work.book for work in last.works}
        works = tuple(work for work in known.works if work.book in books and kind in work.kinds)
    start = same.start() if same else start
    return replace(last, start=start, end=anchors[-1].end, works=works or last.works, year="")


def _repeated(text: str, cited: Sequence[Citation], same: re.Match[str]) -> Citation | None:
    """The citation that `ibid.` is after some citations of a list; None if another work is cited between.

    It is not sure if the number after it may be a law or a page.
    """
    between = text[cited[-1].at[1] : same.start()]
    if PAGE.search(between) or _YEAR.search(between):
        return None
    meant = () if same["more"] else tuple(chain.from_iterable(citation.meant for citation in cited))
    sure = cited[-1].sure and not same["more"]
    return replace(cited[-1], at=same.span(), cited=same[0], meant=meant, sure=sure)


def _pages(conn: sqlite3.Connection, text: str, tokens: _Tokens) -> Iterator[_Anchor]:
    """The pages of a text, in order; in `law 30 (1864)` the number is no page, in `The Laws 30 (1839)` it is."""
    for page in PAGE.finditer(text):
        word = tokens[_token(tokens, page.start()) - 1][0]
        if text[page.start()].isalpha() or word.endswith("s") or lookup.kind_of(conn, word) is None:
            yield _Anchor(ON_PAGE, page["page"], "", *page.span())


def _token(tokens: _Tokens, at: int) -> int:
    """The index of the first token from an offset on."""
    return bisect_left(tokens, at, key=lambda token: token[1])


def _citations(
    conn: sqlite3.Connection,
    known: Citable,
    text: str,
    anchors: Sequence[_Anchor],
    named: _Named,
    pages: Sequence[_Anchor],
) -> Iterator[Citation]:
    """The citations of a list of provisions, or of a page."""
    end = after.end() if (after := _PAGE_AFTER.match(text, named.end)) else named.end
    end += text.startswith(")", end) and text.count("(", named.start, end) > text.count(")", named.start, end)
    for anchor in anchors:
        at = (named.start if anchor is anchors[0] else anchor.start, end if anchor is anchors[-1] else anchor.end)
        number, near = (anchor.kind, anchor.number), list[str]()
        books = tuple({work.book for work in named.works}) if anchor.kind == ON_PAGE else ()
        meant = tuple(chain.from_iterable(known.units.get((w.id, *number, anchor.part), ()) for w in named.works))
        if not meant and not books:  # for a missing paragraph, the whole provision
            work = named.works[0].id
            whole = known.units.get((work, *number, ""))
            near = [*(whole or lookup.nearest_ids(conn, f"{work}/{'-'.join(number)}", 3))]
        first = bisect_left(pages, at[0], key=lambda page: page.start)
        page = next((page.number for page in pages[first : first + 1] if page.start < at[1]), "")
        yield Citation(at, collapse(text[slice(*at)]), meant, tuple(near), books, page, named.sure, named.year)


def _anchors(
    conn: sqlite3.Connection, text: str, tokens: _Tokens, pages: Collection[int]
) -> Iterator[tuple[_Anchor, ...]]:
    """The numbered provisions of a text, grouped by list: `laws 72, 73 and 80`; no `pages`, given by their offsets."""
    kinds: dict[str, str | None] = {}
    roles = domain(conn).roles
    last = ("", 0, 0)
    for word, start, end in tokens:
        if word not in kinds:
            kinds[word] = lookup.kind_of(conn, word)
        kind, (before, opening, close) = kinds[word], last
        last = (word, start, end)
        group = kinds.get(before)
        if kind == "law" and group and roles.get(group) == "provision" and not text[close:start].strip(" ,"):
            kind, start = group, opening  # `dummy, rule 3`
        if kind and roles.get(kind) == "commentary" and (of := _COMMENTED.match(text, end)):
            end = of.end()
        found = _NUMBER.match(text, end) if kind else None
        if found is None or kind is None or found.start("number") in pages:
            continue
        number = in_digits(found["number"])
        if not number[-1:].isdecimal() or (len(word) == 1 and found["number"].isalpha()):
            continue  # after `l`, a Roman numeral is a word
        part, close = _part(text, found.end())
        anchors = [_Anchor(kind, number, part, start, close)]
        while more := _ALSO.match(text, anchors[-1].end):
            if not anchors[-1].number.isdecimal() or (anchors[-1].part and more["joint"] not in _AND):
                break
            low, high = int(anchors[-1].number), int(more["number"])
            is_range = more["joint"] in "–—-" or more["joint"] == "to"
            if is_range and not low < high < low + _MOST_OF_LIST:
                break
            part, close = _part(text, more.end())
            begin = anchors[-1].start if is_range else more.start("number")
            between = range(low + 1, high) if is_range else ()
            anchors += (_Anchor(kind, str(n), "", begin, more.end()) for n in between)
            anchors.append(_Anchor(kind, more["number"], part, begin, close))
        yield tuple(anchors)


def _part(text: str, at: int) -> tuple[str, int]:
    """The part of a provision that a text names after its number (see `Citable`), and the offset of its end."""
    found = _PART.match(text, at)
    return (in_digits(next(filter(None, found.groups()))), found.end()) if found else ("", at)


def _best_works(
    known: Citable, text: str, tokens: _Tokens, anchors: Sequence[_Anchor], behind: int, before: int
) -> _Named | None:
    """The works that the words around a number name best, between two offsets; None if they name none."""
    anchor, close = anchors[0], anchors[-1].end
    first, last = _token(tokens, anchor.start), _token(tokens, close) - 1
    begin = max(behind, anchor.start - _FARTHEST)
    begin = max((found.end() for found in _BREAK.finditer(text, begin, anchor.start)), default=begin)
    limits = _token(tokens, begin), _token(tokens, min(before, _end(text, anchor.end)))
    found: list[tuple[tuple[int, int, int], int, int, Work, set[str]]] = []
    for work in known.works:
        if anchor.kind not in work.kinds:
            continue
        low, high = _extended(text, tokens, first, last, work.words | JOINTS, limits, anchor)
        around = (*tokens[low:first], *tokens[last + 1 : high + 1])
        rest = {word for word, _, _ in around}
        names = {word for word, start, _ in around if text[start].isupper()} & (work.own | work.families)
        titled = any(name <= rest for name in work.titles)
        dated = bool(rest & work.years)
        # The page of a code is in the book of another author; `Laws of 1864, 72` may be the law and not the page.
        by_code = anchor.kind == ON_PAGE and work.id != work.book
        if by_code and not text[anchor.start].isalpha():
            continue
        if not (titled or (names - work.families if by_code else names) or (dated and anchor.kind != ON_PAGE)):
            continue
        sure = names & work.families or any(len(n) >= _LONG_TITLE and n <= rest for n in work.titles)
        if not sure and _is_foreign(text, tokens, low, high):
            continue
        has = (work.id, anchor.kind, anchor.number, "") in known.units
        # The other codes of its book may be named beside it, with their years.
        wrong = {word for word in rest if _YEAR.fullmatch(word)} - (work.words if dated else set())
        score = (2 * titled + bool(names) + dated, has, len(rest & work.words))
        found.append((score, tokens[low][1], max(close, tokens[high][2]), work, wrong))
    if not found:
        return None
    best = max(score for score, *_ in found)
    _, starts, ends, works, wrongs = zip(*(each for each in found if each[0] == best), strict=True)
    return _Named(min(starts), max(ends), works, min(set.intersection(*wrongs), default=""))


def _named_before(known: Citable, text: str, tokens: _Tokens, anchors: Sequence[_Anchor]) -> _Named | None:
    """The works whose author the sentence names before a number or page; None if it names none of the library."""
    start, close = anchors[0].start, anchors[-1].end
    first, last = _token(tokens, start), _token(tokens, close) - 1
    begins = max(sentence(text, Span(start, close)).start, text.rfind("\n\n", 0, start))
    names = {word for word, at, _ in tokens[_token(tokens, begins) : first] if text[at].isupper()}
    works = tuple(work for work in known.works if anchors[0].kind in work.kinds and names & work.families)
    named = works and not _is_foreign(text, tokens, first, last)
    return _Named(start, close, works, sure=False) if named else None


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
    tokens: _Tokens,
    first: int,
    last: int,
    allowed: frozenset[str],
    limits: tuple[int, int],
    anchor: _Anchor,
) -> tuple[int, int]:
    """Extend a range of tokens to both sides, between two tokens, while the words are `allowed` or dates.

    Joining words and pages at the ends are cut, and the article "a"; a capital at the beginning is an initial.
    """

    def belongs(i: int) -> bool:
        word, start, close = tokens[i]
        if i and _YEAR.fullmatch(word):
            named, _, ends = tokens[i - 2 if tokens[i - 1][0] == "of" else i - 1]
            if named in allowed - JOINTS and _DATES.fullmatch(text, ends, start):
                return True
        if word not in allowed:
            return False
        # A quotation is a part of it only if it is a title.
        if i > last:
            quoted = found[1] if (found := _QUOTED.match(text, start - 2)) else ""
        else:
            opens = max(text.rfind(mark, max(0, start - _FARTHEST), start) for mark in '“"«„»')
            quoted = text[max(0, opens) : close] if _CLOSED.match(text, close) else ""
        return {*lookup.tokens(quoted)} <= allowed

    low = next((i + 1 for i in range(first - 1, limits[0] - 1, -1) if not belongs(i)), min(first, limits[0]))
    high = next((i - 1 for i in range(last + 1, limits[1]) if not belongs(i)), max(last, limits[1] - 1))
    if high > last and not tokens[high][0].isdecimal() and _FOLLOWING.match(text, tokens[high][2]):
        high -= 1  # `laws` of the next provision
    # If the next provision follows, the words from the first pause on, or the first after a page, belong to that one.
    page = max((tokens[i][2] for i in range(last + 1, high + 1) if tokens[i][0] == "p"), default=0)
    pause = _PAUSE_AFTER_PAGE if page else _PAUSE
    stop = pause.search(text, page or anchor.end, tokens[high][2])
    if stop and _another_follows(text, tokens[: limits[1]], high):
        high = max(last, next((i for i in range(last, high + 1) if tokens[i][2] > stop.start()), high + 1) - 1)
    low = next(
        (i for i in range(low, first) if not (tokens[i][0] in JOINTS or text[tokens[i][1] : tokens[i][2]] == "a")),
        first,
    )
    return low, next((i for i in range(high, last, -1) if tokens[i][0] not in {*JOINTS, "a"}), last)


def _another_follows(text: str, tokens: _Tokens, high: int) -> bool:
    """Whether a number follows one of the next two words, so that they begin another provision."""
    return any(
        _FOLLOWING.match(text, tokens[i][2])
        for i in range(high + 1, min(high + 3, len(tokens)))
        if not tokens[i][0].isdecimal()
    )


def _is_foreign(text: str, tokens: _Tokens, low: int, high: int) -> bool:
    """Whether the name of another author or work is directly before or after: `Cavendish, Laws of Whist`."""
    if low:
        word, start, end = tokens[low - 1]
        between = text[end : tokens[low][1]]
        if text[start].isupper() and word not in _OPENING and _JOINED.fullmatch(between):
            # `Penalty: law 62`, `Today law 62`; but `Clay, Laws of Whist`.
            opens = _OPENS.search(text, max(0, start - 6), start) and _AFTER_HEADING.fullmatch(between)
            return not (opens and is_word(word))
    return _OF_ANOTHER.match(text, tokens[high][2]) is not None
