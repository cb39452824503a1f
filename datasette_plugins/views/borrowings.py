"""The rules that later codes share with earlier ones, and the families of provisions with one rule."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator

from datasette_plugins.arguments import only
from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import Document, PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import Id, JsonAs, MaybeId, Page, Shape, Share, Shown, described
from kb.comparison import borrowing
from kb.comparison.borrowing import Borrowing, RuleFamily
from kb.read.domain import domain
from kb.read.rows import CodeRow


class BorrowedShare(Shape):
    """What a code shares with an earlier one (`source`), counted in provisions of the later code.

    `same`: in nearly the same words; `equivalent`: in other words; `part`: one of the two says more; `nearest`: as
    `same`, and nearer to this source than to any other; `share`: `same` and `equivalent` of all its provisions.
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
    """Provisions with one rule, the earliest first; `codes` is how many codes have it."""

    codes: int
    members: tuple[Id, ...]


class Borrowings(Page, template="borrowings", at=["/borrowings.json", "/borrowings/CODE.json"]):
    """Rules that later codes share with earlier ones."""

    code: Annotated[str, JsonAs(MaybeId)] = described("id of the chosen code, or null")
    borrowings: Annotated[Sequence[Borrowing], JsonAs(tuple[BorrowedShare, ...])] = described(
        "pairs of a code and an earlier one that share something"
    )
    total: int = described("number of shared rules")
    families: Annotated[Sequence[RuleFamily], JsonAs(tuple[OneRule, ...])] = described(
        "the shared rules with their provisions, those in most codes first"
    )
    chief: Shown[Mapping[str, Borrowing]]
    codes: Shown[Sequence[CodeRow]]
    matrix: Shown[Mapping[tuple[str, str], Borrowing]]


def page(conn: sqlite3.Connection, request: PageRequest) -> Borrowings | Missing | Document:
    """Every code compared with each earlier one, and all families; or only what has to do with one code."""
    only(request)
    catalogue, code = works(conn), request.parts.get("code", "")
    if code and code not in catalogue.codes:
        return missing(request, "code", code)
    found = [b for b in borrowing.borrowings(conn) if not code or code in (b.code, b.source)]
    if request.parts.get("format"):
        return Document(borrowing.as_csv(found, catalogue.codes), "text/csv; charset=utf-8", "borrowings.csv")
    several = domain(conn).code.several
    met = {name for b in found for name in (b.code, b.source)}
    codes = [each for each in catalogue.codes.values() if each.id in met]
    families = borrowing.families(conn, code)
    return Borrowings(
        url=f"/borrowings/{code}" if code else "/borrowings",
        title=f"{catalogue.label(code)}: rules shared with other {several}"
        if code
        else f"Rules that later {several} share",
        code=code,
        borrowings=found,
        total=len(families),
        families=families,
        chief=borrowing.chief(found),
        codes=codes,
        matrix={(b.code, b.source): b for b in found},
    )
