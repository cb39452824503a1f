"""Measure a built knowledge base against gold data made by eye.

Character and word error rates are Levenshtein distances over the length of the gold text (Levenshtein, Soviet
Physics Doklady 10, 1966; as the ICDAR 2019 competition on post-OCR text correction uses them); white space, quotes
and dashes are normalised on both sides, so that neither is rewarded. A word is harmed if it was right in the scan
and is wrong in the reading text.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Levenshtein

from extract.errors import BookError
from extract.model import Edit
from extract.textlayer import TextLayer
from kb import queries
from kb.rows import fetch

EDITS = "select raw_start, raw_end, before, after, kind, source from edit where book_id = ? order by raw_start, raw_end"
UNITS = "select id, kind, raw_start, raw_end, page from unit where book_id = ?"
CITATIONS = "select raw_start, raw_end, target_id from citation where book_id = ? and target_id is not null"
LINKS = "select a, b from link where status <> 'rejected'"
NUMBERED = frozenset(
    {"law", "subclause", "case", "decision", "test", "etiquette", "dummy", "commentary", "constitution_section"}
)
SAME_UNIT = 0.97
_MARKS = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "—"})
_WORD = re.compile(r"[^\s—\"()\[\]]+")

Gold = Mapping[str, Any]


@dataclass(slots=True)
class TextScore:
    """Error counts over the passages of a book."""

    letters: int = 0
    words: int = 0
    scan_letters: int = 0
    scan_words: int = 0
    read_letters: int = 0
    read_words: int = 0
    fixed: int = 0
    harmed: int = 0
    wrong: int = 0
    passages: int = 0
    harm: list[str] = field(default_factory=list)

    def rate(self, errors: int, total: int) -> float:
        """A share in percent."""
        return round(100 * errors / max(1, total), 2)

    @property
    def figures(self) -> dict[str, float | int | str]:
        """The figures to print."""
        return {
            "CER scan %": self.rate(self.scan_letters, self.letters),
            "CER reading %": self.rate(self.read_letters, self.letters),
            "WER scan %": self.rate(self.scan_words, self.words),
            "WER reading %": self.rate(self.read_words, self.words),
            "wrong words fixed": f"{self.fixed} of {self.wrong}",
            "right words harmed": self.harmed,
        }


@dataclass(slots=True)
class UnitScore:
    """How many gold units of a kind were found, and which were not."""

    gold: int = 0
    found: int = 0
    missed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of one build; `pages` is (right, of), `citations` per book (precision, recall), `links` recall."""

    text: Mapping[str, TextScore]
    units: Mapping[str, UnitScore]
    pages: tuple[int, int]
    citations: Mapping[str, tuple[float, float]]
    links: tuple[int, int]


def evaluate(conn: sqlite3.Connection, gold: Path) -> Report:
    """Measure a knowledge base.

    Args:
        conn: the knowledge base.
        gold: the folder of gold files (`ocr.BOOK.jsonl`, `units.BOOK.jsonl`, `citations.BOOK.jsonl`, ...).
    Raises:
        BookError: the folder holds no gold files, or one of them is no JSON.
    """
    if not any(gold.glob("*.jsonl")):
        raise BookError(f"{gold} holds no gold files (*.jsonl); name their folder with --gold DIR.")
    layers = {b.id: _layer(conn, b.id) for b in queries.books(conn)}
    units, pages = _score_units(conn, layers, gold)
    return Report(
        _score_text(layers, gold), units, pages, _score_citations(conn, layers, gold), _score_links(conn, gold)
    )


def normal(text: str) -> str:
    """A text with quotes, dashes and white space made uniform."""
    text = re.sub(r"\s+", " ", text.translate(_MARKS).replace("--", "—")).strip()
    text = re.sub(r"\s*—\s*", "—", text)
    text = re.sub(r"([(\[])\s+", r"\1", re.sub(r"\s+([,;:?!.)\]])", r"\1", text))
    return re.sub(r'\s*"\s*', '"', text)


def _layer(conn: sqlite3.Connection, book_id: str) -> TextLayer:
    facts = queries.scan_facts(conn, book_id)
    scan = queries.scan(conn, book_id, 0, facts[1] if facts else 0)
    return TextLayer(scan, tuple(fetch(conn, Edit, EDITS, (book_id,))))


def _gold(gold: Path, pattern: str) -> Iterator[tuple[str, Gold]]:
    """The rows of gold files with the book their name tells; rows marked as unsure are left out."""
    for path in sorted(gold.glob(pattern)):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    row = json.loads(line)
                except json.JSONDecodeError as error:
                    raise BookError(f"{path}, line {number}, is not JSON ({error.msg}); correct it.") from error
                if row.get("sure", True) is not False:
                    yield path.name.split(".")[1], row


def _score_text(layers: Mapping[str, TextLayer], gold: Path) -> dict[str, TextScore]:
    scores: dict[str, TextScore] = {}
    for book, row in _gold(gold, "ocr.*.jsonl"):
        if book not in layers:
            continue
        want = normal(row["gold"])
        scan = normal(re.sub(r"(\w)-[ \t]*\n\s*(\w)", r"\1\2", row["raw"]))
        read = normal(layers[book].read(row["start"], row["end"]))
        words = [_WORD.findall(t) for t in (want, scan, read)]
        was, now = _right(words[0], words[1]), _right(words[0], words[2])
        for name in (book, "all"):
            s = scores.setdefault(name, TextScore())
            s.passages += 1
            s.letters += len(want)
            s.words += len(words[0])
            s.scan_letters += Levenshtein.distance(want, scan)
            s.read_letters += Levenshtein.distance(want, read)
            s.scan_words += Levenshtein.distance(words[0], words[1])
            s.read_words += Levenshtein.distance(words[0], words[2])
            s.fixed += sum(b and not a for a, b in zip(was, now, strict=True))
            s.wrong += was.count(False)
            harmed = [w for w, a, b in zip(words[0], was, now, strict=True) if a and not b]
            s.harmed += len(harmed)
            s.harm += harmed
    return dict(sorted(scores.items()))


def _right(gold: Sequence[str], read: Sequence[str]) -> list[bool]:
    """Which words of the gold text were read right."""
    right = [False] * len(gold)
    for op in Levenshtein.opcodes(gold, read):
        if op.tag == "equal":
            right[op.src_start : op.src_end] = [True] * (op.src_end - op.src_start)
    return right


def _score_units(
    conn: sqlite3.Connection, layers: Mapping[str, TextLayer], gold: Path
) -> tuple[dict[str, UnitScore], tuple[int, int]]:
    scores: dict[str, UnitScore] = {}
    right = asked = 0
    rows = {book: fetch(conn, lambda *r: r, UNITS, (book,)) for book in layers}
    gone = {book: _furniture(layer) for book, layer in layers.items()}
    for book, row in _gold(gold, "units.*.jsonl"):
        if book not in layers:
            continue
        score = scores.setdefault(f"{book} {row['kind']}", UnitScore())
        score.gold += 1
        want = _letters(layers[book].scan, row["start"], row["end"], gone[book])
        page = None
        for unit_id, kind, start, end, folio in rows[book]:
            if kind != row["kind"] or start >= row["end"] or end <= row["start"]:
                continue
            have = _letters(layers[book].scan, start, end, gone[book])
            if len(want & have) >= SAME_UNIT * len(want | have) and (kind not in NUMBERED or unit_id == row["id"]):
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


def _letters(scan: str, start: int, end: int, gone: bytearray) -> set[int]:
    return {i for i in range(start, end) if not scan[i].isspace() and not gone[i]}


def _score_citations(
    conn: sqlite3.Connection, layers: Mapping[str, TextLayer], gold: Path
) -> dict[str, tuple[float, float]]:
    tally: dict[str, list[int]] = {}
    have = {book: fetch(conn, lambda *r: r, CITATIONS, (book,)) for book in layers}
    for book, row in _gold(gold, "citations.*.jsonl"):
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


def _score_links(conn: sqlite3.Connection, gold: Path) -> tuple[int, int]:
    """Gold pairs of provisions that are linked, paragraphs counted as their provision, of all gold pairs."""
    path = gold / "alignment.jsonl"
    if not path.exists():
        return 0, 0
    pairs = [row for _, row in _gold(gold, "alignment.jsonl") if not row.get("outside_laws")]
    want = {frozenset((_law(p["a"]), _law(p["b"]))) for p in pairs}
    have = {frozenset((_law(a), _law(b))) for a, b in fetch(conn, lambda *r: r, LINKS)}
    return len(want & have), len(want)


def _law(unit_id: str) -> str:
    return "/".join(unit_id.split("/")[:2])
