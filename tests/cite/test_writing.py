"""The names of units within their works: titles and pinpoints."""

import sqlite3
from dataclasses import replace
from typing import Any

import pytest

from extract.corpus.domain import Noun
from kb.cite import writing
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import UnitRow


def unit(conn: sqlite3.Connection, **changes: Any) -> UnitRow:
    """Law 72 with some fields changed; its role follows from its kind."""
    law = replace(queries.unit(conn, "english-1864/law-72"), **changes)
    return replace(law, role=domain(conn).roles[law.kind])


@pytest.mark.parametrize(
    ("changes", "parent", "title"),
    [
        ({"label": "  Law  72. "}, None, "Law 72."),
        ({"label": " ", "kind": "index_entry"}, None, "Index entry"),
        ({"label": "Note *", "kind": "footnote"}, "Law  72. ", "Law 72, note *"),
        ({"label": "Note *", "kind": "decision"}, "Law 72", "Note *"),
        ({"label": "Note *", "kind": "footnote"}, None, "Note *"),
    ],
)
def test_title_of_a_unit_within_its_work(
    shipped: sqlite3.Connection, changes: dict[str, str], parent: str | None, title: str
) -> None:
    assert writing.title(unit(shipped, **changes), unit(shipped, label=parent) if parent else None) == title


CASE, DECISION = {"kind": "case", "number": "93"}, {"kind": "decision", "number": "93"}
ROW, TABLE = {"kind": "table_row", "number": "1", "label": "Row 1"}, {"kind": "table", "label": "The Match."}


@pytest.mark.parametrize(
    ("changes", "parents", "expected"),
    [
        ({"number": "c2"}, [], "law C2"),
        ({"kind": "test", "number": "4"}, [], "test 4"),
        ({"kind": "dummy", "number": "1"}, [], "dummy, rule 1"),
        ({"kind": "maxim", "number": None, "label": " Of.  Play. "}, [], "“Of. Play”"),
        ({"kind": "section", "label": "Of Play"}, [], "“Of Play”"),
        (DECISION, [CASE], "case 93, decision"),
        ({"kind": "footnote", "number": "*"}, [DECISION, CASE], "case 93, decision, footnote *"),
        ({"kind": "footnote", "number": None}, [CASE], "case 93, footnote"),
        ({"kind": "subclause", "number": "ii"}, [{}], "law 72 (ii)"),
        (ROW, [TABLE], "“The Match”, row 1"),
    ],
)
def test_pinpoint_of_a_unit(
    shipped: sqlite3.Connection, changes: dict[str, str], parents: list[dict[str, str]], expected: str
) -> None:
    cited = replace(writing.cited(shipped, unit(shipped)), parents=tuple(unit(shipped, **parent) for parent in parents))
    assert writing.pinpoint(replace(cited, unit=unit(shipped, **changes))) == expected


def test_commentary_is_cited_by_the_provisions_it_explains(shipped: sqlite3.Connection) -> None:
    cited = writing.cited(shipped, unit(shipped, kind="commentary"))
    explains = tuple(unit(shipped, number=number) for number in ("94", "95", "c2"))
    commentary = replace(cited, code=None, noun=Noun(singular="article"), explains=explains)
    assert writing.pinpoint(commentary) == "commentary on articles 94, 95 and C2"
    assert writing.titled(commentary).endswith("C2 of The Laws of Whist (the English club code, 1864)")
