"""Which code took its provisions from which, and the families of provisions that print one rule."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator

from datasette_plugins.arguments import at_page
from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import Document, Moved, PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import As, Id, MaybeId, Paged, Shape, Share, Shown, says
from kb.comparison import borrowing
from kb.comparison.borrowing import Borrowing, RuleFamily
from kb.read.paging import ListPage
from kb.read.rows import CodeRow

FAMILIES_ON_A_PAGE = 50
# With more codes nobody could read the table: they are listed instead, each with the one from which it took most.
WIDEST = 120
_NAMED = 8  # with at most so many columns there is room for their names


class BorrowedShare(Shape):
    """What a code has from an earlier one (`source`), counted in provisions of the later code.

    `same`: in the same words; `equivalent`: in other words; `part`: one of the two says more; `nearest`: in the same
    words, and nearer to this source than to any other; `share`: `same` and `equivalent` of all its provisions.
    """

    code: str
    source: str
    provisions: int
    same: int
    equivalent: int
    part: int
    nearest: int
    share: Annotated[Share, BeforeValidator(lambda share: round(share, 4))]


class OneRule(Shape):
    """Provisions that print one rule, the earliest first; `codes` is how many codes have it."""

    codes: int
    members: tuple[Id, ...]


Shares = Annotated[Sequence[Borrowing], As(tuple[BorrowedShare, ...])]


class Borrowings(
    Paged,
    template="borrowings",
    at=["/borrowings.json", "/borrowings/CODE.json"],
    asks={"page": "of families, from 1"},
):
    """Which code took from which."""

    code: Annotated[str, As(MaybeId)] = says("id of the code asked for, or null")
    borrowings: Shares = says("pairs of a code and an earlier one of which it has something")
    total: int = says("how many families there are")
    families: Annotated[Sequence[RuleFamily], As(tuple[OneRule, ...])] = says(
        "fifty of them, those in most codes first"
    )
    chief: Shown[Mapping[str, Borrowing] | None] = None
    codes: Shown[Sequence[CodeRow]] = ()
    matrix: Shown[Mapping[tuple[str, str], Borrowing] | None] = None
    named: Shown[bool] = False


def page(conn: sqlite3.Connection, request: PageRequest) -> Borrowings | Document:
    """Every code compared with each earlier one, and all families."""
    catalogue = works(conn)
    found = borrowing.borrowings(conn)
    if request.parts.get("format"):
        return Document(borrowing.as_csv(found, catalogue.codes), "text/csv; charset=utf-8", "borrowings.csv")
    met = {code for b in found for code in (b.code, b.source)}
    codes = [code for code in catalogue.codes.values() if code.id in met]
    return _with_families(
        conn,
        request,
        found,
        "",
        "Which code took from which",
        chief=borrowing.chief(found),
        codes=codes,
        matrix={(b.code, b.source): b for b in found} if len(codes) <= WIDEST else {},
        named=len(codes) <= _NAMED,
    )


def of_code(conn: sqlite3.Connection, request: PageRequest) -> Borrowings | Missing:
    """What one code has from earlier ones, what later ones have from it, and the families with its provisions."""
    catalogue, code = works(conn), request.parts["code"]
    if code not in catalogue.codes:
        return missing(conn, request, "code", code, {c: catalogue.label(c) for c in catalogue.codes})
    found = [b for b in borrowing.borrowings(conn) if code in (b.code, b.source)]
    title = f"What {catalogue.label(code)} took and gave"
    return _with_families(conn, request, found, code, title)


def of_pair(conn: sqlite3.Connection, request: PageRequest) -> Moved:
    """Redirect to the comparison of the two codes, provision by provision."""
    return Moved(f"/compare/{request.parts['source']}/{request.parts['code']}")


def _with_families(
    conn: sqlite3.Connection, request: PageRequest, found: Sequence[Borrowing], code: str, title: str, **more: Any
) -> Borrowings:
    count = borrowing.family_count(conn, code)
    place = ListPage(request.number("page", 1, 1, 10_000), FAMILIES_ON_A_PAGE, count)
    path = f"/borrowings/{code}" if code else "/borrowings"
    return Borrowings(
        url=path + at_page(place.number),
        title=title,
        place=place,
        address=lambda number: path + at_page(number),
        code=code,
        borrowings=found,
        total=count,
        families=borrowing.families(conn, code, limit=place.size, skipped=place.skipped),
        **more,
    )
