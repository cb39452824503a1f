"""Scores of the units found, their printed pages, and the references in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from extract.text.textlayer import TextLayer
from kb.evaluation.gold import rows
from kb.read.rows import fetch

UNITS = "select id, kind, role, raw_start, raw_end, page from unit where book_id = ?"
CITATIONS = "select raw_start, raw_end, target_id from citation where book_id = ? and target_id is not null"
NUMBERED = ("provision", "paragraph", "clause", "case", "decision", "commentary")
SAME_UNIT = 0.97
"""Least intersection over union, in characters, of two spans that count as the same unit."""


@dataclass(slots=True)
class UnitScore:
    """The number of gold units of a kind, how many were found, and which were not."""

    gold: int = 0
    found: int = 0
    missed: list[str] = field(default_factory=list)


def score_units(
    conn: sqlite3.Connection, layers: Mapping[str, TextLayer], gold: Path
) -> tuple[dict[str, UnitScore], tuple[int, int]]:
    """Look for the units of `units.BOOK.jsonl`, by book and kind; of those found, count the right page numbers.

    A unit is found if a unit of its kind covers the same characters and, if its kind is numbered in print, has its id.
    """
    scores: dict[str, UnitScore] = {}
    right = asked = 0
    units = {book: fetch(conn, lambda *r: r, UNITS, (book,)) for book in layers}
    furniture_of = {book: _furniture(layer) for book, layer in layers.items()}
    for book, row in rows(gold, "units.*.jsonl"):
        if book not in layers:
            continue
        score = scores.setdefault(f"{book} {row['kind']}", UnitScore())
        score.gold += 1
        want = _offsets(layers[book].scan, row["start"], row["end"], furniture_of[book])
        page = None
        for unit_id, kind, role, start, end, folio in units[book]:
            if kind != row["kind"] or start >= row["end"] or end <= row["start"]:
                continue
            have = _offsets(layers[book].scan, start, end, furniture_of[book])
            if len(want & have) >= SAME_UNIT * len(want | have) and (role not in NUMBERED or unit_id == row["id"]):
                score.found += 1
                page = folio or ""
                break
        if page is None:
            score.missed.append(row["id"])
        elif row.get("page") is not None:
            asked += 1
            right += page == str(row["page"])
    return dict(sorted(scores.items())), (right, asked)


def _furniture(layer: TextLayer) -> bytearray:
    marks = bytearray(len(layer.scan))
    for edit in layer.edits:
        if edit.kind == "furniture":
            marks[edit.raw_start : edit.raw_end] = b"\1" * (edit.raw_end - edit.raw_start)
    return marks


def _offsets(scan: str, start: int, end: int, in_furniture: bytearray) -> set[int]:
    return {i for i in range(start, end) if not scan[i].isspace() and not in_furniture[i]}


def score_references(
    conn: sqlite3.Connection, layers: Mapping[str, TextLayer], gold: Path
) -> dict[str, tuple[float, float]]:
    """Return precision and recall of the references in `citations.BOOK.jsonl`, over (place, target) pairs, by book."""
    tally: dict[str, list[int]] = {}
    have = {book: fetch(conn, lambda *r: r, CITATIONS, (book,)) for book in layers}
    for book, row in rows(gold, "citations.*.jsonl"):
        if book in layers:
            got = {t for s, e, t in have[book] if s < row["end"] and e > row["start"]}
            want = set(row["targets"])
            counts = tally.setdefault(book, [0, 0, 0])
            for i, n in enumerate((len(got & want), len(got - want), len(want - got))):
                counts[i] += n
    return {
        book: (round(tp / max(1, tp + fp), 4), round(tp / max(1, tp + fn), 4))
        for book, (tp, fp, fn) in sorted(tally.items())
    }
