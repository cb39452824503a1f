"""The units found, their printed pages, and the references in them."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from extract.text.textlayer import TextLayer
from kb.evaluation.figure import Figure
from kb.evaluation.gold import rows
from kb.read.rows import Statement, as_tuple

_UNITS = Statement(as_tuple, """
select id, role, page, raw_start, raw_end from unit
where book_id = ?1 and kind = ?2 and raw_start < ?4 and raw_end > ?3
""")  # fmt: skip
_CITED = Statement(str, """
select target_id from citation where book_id = ?1 and raw_start < ?3 and raw_end > ?2 and target_id is not null
""")  # fmt: skip
_NUMBERED = ("provision", "paragraph", "clause", "case", "decision", "commentary")
_SAME = 0.97
"""Least intersection over union, in characters, of two spans that count as the same unit."""


def units(conn: sqlite3.Connection, layers: Mapping[str, TextLayer], gold: Path) -> Iterator[tuple[str, Figure]]:
    """Look for the units of `units.BOOK.jsonl`, by book and kind; of those found, count the right page numbers.

    A unit is found if a unit of its kind covers the same characters and, if its kind is numbered in print, has its id.
    """
    counts, found, pages = Counter[str](), Counter[str](), Counter[bool]()
    missed: dict[str, list[str]] = defaultdict(list)
    furniture = {book: _furniture(layer) for book, layer in layers.items()}
    for book, row in rows(gold, "units.*.jsonl"):
        if book not in layers:
            continue
        scan, name = layers[book].scan, f"{book}: {row['kind']} found"
        counts[name] += 1
        want = _offsets(scan, row["start"], row["end"], furniture[book])
        for unit_id, role, page, start, end in _UNITS(conn, book, row["kind"], row["start"], row["end"]):
            have = _offsets(scan, start, end, furniture[book])
            if len(want & have) >= _SAME * len(want | have) and (role not in _NUMBERED or unit_id == row["id"]):
                found[name] += 1
                if row.get("page") is not None:
                    pages[page == str(row["page"])] += 1
                break
        else:
            missed[name].append(row["id"])
    for name, of in sorted(counts.items()):
        yield name, Figure(found[name], of, tuple(missed[name]))
    yield "printed page right", Figure(pages[True], pages.total())


def _furniture(layer: TextLayer) -> frozenset[int]:
    edits = (edit for edit in layer.edits if edit.kind == "furniture")
    return frozenset(at for edit in edits for at in range(edit.raw_start, edit.raw_end))


def _offsets(scan: str, start: int, end: int, furniture: frozenset[int]) -> set[int]:
    return {at for at in range(start, end) if not scan[at].isspace() and at not in furniture}


def references(conn: sqlite3.Connection, gold: Path) -> Iterator[tuple[str, Figure]]:
    """Compare the references in `citations.BOOK.jsonl`, as pairs of place and target, book by book."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for book, row in rows(gold, "citations.*.jsonl"):
        got, want = {*_CITED(conn, book, row["start"], row["end"])}, {*row["targets"]}
        counts[book].update(right=len(got & want), got=len(got), want=len(want))
    for book, n in sorted(counts.items()):
        yield f"{book}: references found that are right", Figure(n["right"], n["got"])
        yield f"{book}: references of the gold found", Figure(n["right"], n["want"])
