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
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from extract.text.lines import collapse
from kb.citing import pinpoints
from kb.citing.citable import ON_PAGE, Citable, citable
from kb.citing.citation import PAGE, Citation
from kb.citing.naming import YEAR, Named, best_works, named_before
from kb.citing.pinpoints import Pinpoint, token_at
from kb.read import lookup, nearest

_IBID = re.compile(r"\b(?:ibid(?:em)?|id|idem|loc\.? cit|op\.? cit)\.?[\s,]*$", re.IGNORECASE)
_SAME = re.compile(r"\bibid(?:em)?\b\.?(?P<more>,?\s*(?:\w+\.?\s*)?\d+)?", re.IGNORECASE)
# Between two provisions of a list there are only punctuation and words such as "and", "see".
_LISTED = re.compile(r"[\s,;&(]*(?:(?:and|or|with|also|cf\.?|see|compare)\b[\s,.]*){0,2}", re.IGNORECASE)
_PAGE_AFTER = re.compile(rf"[\s,)”\"’»]{{0,3}}{PAGE.pattern}", PAGE.flags)


def in_words(conn: sqlite3.Connection, text: str) -> list[Citation]:
    """The citations of a text that name their work in words, in order."""
    known = citable(conn)
    tokens = [(m.group().lower(), m.start(), m.end()) for m in lookup.TOKEN.finditer(text)]
    pages = list(pinpoints.pages(conn, text, tokens))
    for page in pages:  # its number joins words as `p.` does
        for i in range(token_at(tokens, page.start), token_at(tokens, page.end)):
            tokens[i] = "p", *tokens[i][1:]
    found: list[tuple[Named, list[Citation]]] = []  # the citations of each list
    # Pages without a number stand between the citations with numbers.
    for points in chain(
        pinpoints.headings(known, text), pinpoints.provisions(conn, text, tokens), ((page,) for page in pages)
    ):
        start = points[0].start
        at = bisect_left(found, start, key=lambda each: each[0].start)
        behind = found[at - 1][1][-1].at[1] if at else 0
        if start < behind:
            continue
        before = found[at][0].start if at < len(found) else len(text)
        named = best_works(known, text, tokens, points, behind, before)
        if named is None and at:
            named = _continued(known, text, *found[at - 1], points)
        if named is None and text[start].isalpha():
            named = named_before(known, text, tokens, points)
        if named:
            found.insert(at, (named, list(_citations(conn, known, text, points, named, pages))))
    for same in _SAME.finditer(text):
        at = bisect_left(found, same.start(), key=lambda each: each[0].start)
        alone = at == len(found) or same.end() < found[at][0].start  # otherwise it is read with its number
        if at and alone and (again := _repeated(text, found[at - 1][1], same)):
            found.insert(at, (replace(found[at - 1][0], start=same.start()), [again]))
    return [citation for _, cited in found for citation in cited]


def _continued(
    known: Citable, text: str, last: Named, cited: Sequence[Citation], points: Sequence[Pinpoint]
) -> Named | None:
    """The works of the citations before a number or page, if it continues their list or follows `ibid.`."""
    start, kind = points[0].start, points[0].kind
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
    return replace(last, start=start, end=points[-1].end, works=works or last.works, year="")


def _repeated(text: str, cited: Sequence[Citation], same: re.Match[str]) -> Citation | None:
    """The citation that `ibid.` is after some citations of a list; None if another work is cited between.

    It is not sure if the number after it may be a law or a page.
    """
    between = text[cited[-1].at[1] : same.start()]
    if PAGE.search(between) or YEAR.search(between):
        return None
    meant = () if same["more"] else tuple(chain.from_iterable(citation.meant for citation in cited))
    sure = cited[-1].sure and not same["more"]
    return replace(cited[-1], at=same.span(), cited=same[0], meant=meant, sure=sure)


def _citations(
    conn: sqlite3.Connection,
    known: Citable,
    text: str,
    points: Sequence[Pinpoint],
    named: Named,
    pages: Sequence[Pinpoint],
) -> Iterator[Citation]:
    """The citations of a list of provisions, or of a page."""
    end = after.end() if (after := _PAGE_AFTER.match(text, named.end)) else named.end
    end += text.startswith(")", end) and text.count("(", named.start, end) > text.count(")", named.start, end)
    for point in points:
        at = (named.start if point is points[0] else point.start, end if point is points[-1] else point.end)
        number, near = (point.kind, point.number), list[str]()
        books = tuple({work.book for work in named.works}) if point.kind == ON_PAGE else ()
        meant = tuple(chain.from_iterable(known.units.get((w.id, *number, point.part), ()) for w in named.works))
        if not meant and not books:  # for a missing paragraph, the whole provision
            work = named.works[0].id
            whole = known.units.get((work, *number, ""))
            near = [*(whole or nearest.ids(conn, f"{work}/{'-'.join(number)}", 3))]
        first = bisect_left(pages, at[0], key=lambda page: page.start)
        page = next((page.number for page in pages[first : first + 1] if page.start < at[1]), "")
        yield Citation(at, collapse(text[slice(*at)]), meant, tuple(near), books, page, named.sure, named.year)
