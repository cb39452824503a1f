"""Which code took its provisions from which, and the families of provisions that print one rule."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from datasette_plugins.page import Document, Moved, PageRequest, TemplateResponse
from datasette_plugins.shared import Works, at_page, missing, works
from kb.comparison import borrowing
from kb.comparison.borrowing import Borrowing, RuleFamily, TakenProvision
from kb.read import queries
from kb.read.domain import domain
from kb.read.paging import ListPage

FAMILIES_ON_A_PAGE = 50
# A wider table is no longer read as one: the codes are listed, each with the one that it owes most.
WIDEST = 120
_NAMED = 8  # columns that have room for a name


def page(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Document:
    """Every code against each earlier one, and the families."""
    catalogue = works(conn)
    found = borrowing.borrowings(conn)
    if request.parts.get("format"):
        return Document(borrowing.as_csv(found, catalogue.codes), "text/csv; charset=utf-8", "borrowings.csv")
    met = {code for b in found for code in (b.code, b.source)}
    codes = [code for code in catalogue.codes.values() if code.id in met]
    context: dict[str, Any] = {
        "chief": borrowing.chief(found),
        "codes": codes,
        "matrix": {(b.code, b.source): b for b in found} if len(codes) <= WIDEST else {},
        "named": len(codes) <= _NAMED,
    }
    return _with_families(conn, request, catalogue, found, "", "Which code took from which", context)


def of_code(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Document:
    """What one code has of earlier ones, what later ones have of it, and the families it belongs to."""
    catalogue, code = works(conn), request.parts["code"]
    if code not in catalogue.codes:
        return missing(conn, request, "code", code, {c: catalogue.label(c) for c in catalogue.codes})
    found = [b for b in borrowing.borrowings(conn) if code in (b.code, b.source)]
    title = f"What {catalogue.label(code)} took and gave"
    return _with_families(conn, request, catalogue, found, code, title, {})


def of_pair(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Moved:
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
    taken = borrowing.taken(conn, code, source)
    sums = [sentence for b in found if (sentence := _summed_up(conn, b, catalogue))]
    context = {"works": catalogue, "code": code, "source": source, "sums": sums, "taken": taken}
    data = {"code": code, "source": source, "borrowings": _rows(found), "provisions": _provisions(taken)}
    title = f"What {catalogue.label(code)} has of {catalogue.label(source)}"
    return TemplateResponse("borrowed", title, f"/borrowings/{code}/{source}", data, context)


def _with_families(
    conn: sqlite3.Connection,
    request: PageRequest,
    catalogue: Works,
    found: Sequence[Borrowing],
    code: str,
    title: str,
    context: dict[str, Any],
) -> TemplateResponse:
    count = borrowing.family_count(conn, code)
    place = ListPage(request.number("page", 1, 1, 10_000), FAMILIES_ON_A_PAGE, count)
    families = borrowing.families(conn, code, limit=place.size, skipped=place.skipped)
    path = f"/borrowings/{code}" if code else "/borrowings"
    context |= {"works": catalogue, "code": code, "found": found, "families": families, "place": place,
                "address": lambda number: path + at_page(number)}  # fmt: skip
    data = {"code": code or None, "borrowings": _rows(found), "total": count, "families": _families(families)}
    return TemplateResponse("borrowings", title, path, data, context, query=at_page(place.number))


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


def _rows(found: Iterable[Borrowing]) -> list[dict[str, Any]]:
    return [
        {"code": b.code, "source": b.source, "provisions": b.provisions, "same": b.same, "equivalent": b.equivalent,
         "part": b.part, "nearest": b.nearest, "share": round(b.share, 4)}
        for b in found
    ]  # fmt: skip


def _provisions(taken: Iterable[TakenProvision]) -> list[dict[str, Any]]:
    return [
        {"id": t.unit.id, "source": t.source.id, "relation": t.relation, "score": t.score, "judge": t.judge}
        for t in taken
    ]


def _families(families: Sequence[RuleFamily]) -> list[dict[str, Any]]:
    return [{"codes": f.codes, "members": [u.id for u in f.members]} for f in families]
