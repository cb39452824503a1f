"""Which code took its provisions from which, and the families of provisions that print one rule."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from datasette_plugins.catalogue import Works, works
from datasette_plugins.endpoint import Document, Moved, PageRequest
from datasette_plugins.page import As, Id, MaybeId, Page, Paged, Shape, Share, Shown, says
from datasette_plugins.shared import Missing, at_page, missing
from kb.comparison import borrowing
from kb.comparison.borrowing import Borrowing, RuleFamily, TakenProvision
from kb.read import queries
from kb.read.domain import domain
from kb.read.paging import ListPage
from kb.read.rows import CodeRow

FAMILIES_ON_A_PAGE = 50
# A wider table is no longer read as one: the codes are listed, each with the one that it owes most.
WIDEST = 120
_NAMED = 8  # columns that have room for a name


class BorrowedShare(Shape):
    """What a code has of an earlier one (`source`), in provisions of the first.

    `same`: in the same words; `equivalent`: in others; `part`: one of the two says more; `nearest`: in the same words,
    and nearer to this source than to any other; `share`: `same` and `equivalent` of all its provisions.
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


class ProvisionTaken(Shape):
    """A provision and the one that an earlier code has for it; `relation` is that of the first to the second."""

    id: Id = Field(validation_alias="unit")
    source: Id
    relation: str
    score: Share
    judge: Literal["machine", "editor"]


class BorrowedProvisions(Page, template="borrowed", at=["/borrowings/CODE/SOURCE.json"]):
    """What a code has of an earlier one."""

    code: str = says("id of the later code")
    source: str = says("id of the earlier code")
    borrowings: Shares = says("the numbers of the two; nothing if they have nothing in common")
    provisions: Annotated[Sequence[TakenProvision], As(tuple[ProvisionTaken, ...])] = says(
        "the provisions of the later code that the earlier has too"
    )
    sums: Shown[Sequence[str]]


def page(conn: sqlite3.Connection, request: PageRequest) -> Borrowings | Document:
    """Every code against each earlier one, and the families."""
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
    """What one code has of earlier ones, what later ones have of it, and the families it belongs to."""
    catalogue, code = works(conn), request.parts["code"]
    if code not in catalogue.codes:
        return missing(conn, request, "code", code, {c: catalogue.label(c) for c in catalogue.codes})
    found = [b for b in borrowing.borrowings(conn) if code in (b.code, b.source)]
    title = f"What {catalogue.label(code)} took and gave"
    return _with_families(conn, request, found, code, title)


def of_pair(conn: sqlite3.Connection, request: PageRequest) -> BorrowedProvisions | Missing | Moved:
    """What a code has of an earlier one, provision by provision."""
    catalogue = works(conn)
    code, source = request.parts["code"], request.parts["source"]
    for name in (code, source):
        if name not in catalogue.codes:
            return missing(conn, request, "code", name, {c: catalogue.label(c) for c in catalogue.codes})
    place = list(catalogue.codes)
    if code == source:
        return Moved(f"/borrowings/{code}")
    if place.index(code) < place.index(source):
        return Moved(f"/borrowings/{source}/{code}")
    found = [b for b in borrowing.borrowings(conn) if (b.code, b.source) == (code, source)]
    return BorrowedProvisions(
        url=f"/borrowings/{code}/{source}",
        title=f"What {catalogue.label(code)} has of {catalogue.label(source)}",
        code=code,
        source=source,
        borrowings=found,
        provisions=borrowing.taken(conn, code, source),
        sums=[sentence for b in found if (sentence := _summed_up(conn, b, catalogue))],
    )


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


def _summed_up(conn: sqlite3.Connection, b: Borrowing, catalogue: Works) -> str:
    """What a code has of another in a sentence, "" if it has nothing: only what there is of it is told."""
    counted = [(n, how) for n, how in ((b.same, "in the same words"), (b.equivalent, "in other words"),
                                       (b.part, "in part")) if n]  # fmt: skip
    if not counted:
        return ""
    laws = queries.kind_counts(conn).get(b.code, {}).get("law", 0)
    noun = domain(conn).noun(catalogue.codes[b.code].provision).of(laws) if laws == b.provisions else "provisions"
    (first, how), *rest = counted
    told = f"{_share(first, b)} {'is' if first == 1 else 'are'} also in {catalogue.label(b.source)}, {how}"
    nearest = f" For {b.nearest} of these, no earlier {domain(conn).code.singular} is closer." if b.nearest else ""
    return f"Of its {b.provisions} {noun}, {'; '.join([told, *(f'{_share(n, b)} {how}' for n, how in rest)])}.{nearest}"


def _share(count: int, b: Borrowing) -> str:
    return f"{count} ({round(100 * count / b.provisions) or 'under 1'} %)"
