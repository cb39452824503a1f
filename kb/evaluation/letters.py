"""Error rates of characters and words, in the scan and in the reading text.

Character and word error rates are Levenshtein distances over the length of the gold text (Levenshtein, Soviet
Physics Doklady 10, 1966; as in the ICDAR 2019 competition on post-OCR text correction). White space, quotes and dashes
are normalised on both sides, so that they do not count. A word is harmed if it was right in the scan and is wrong in
the reading text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from extract.text.textlayer import TextLayer
from kb.evaluation.figure import Figure
from kb.evaluation.gold import rows

_MARKS = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "—"})
_WORD = re.compile(r"[^\s—\"()\[\]]+")
_LINE_END_HYPHEN = re.compile(r"(\w)-[ \t]*\n\s*(\w)")


def letters(layers: Mapping[str, TextLayer], gold: Path) -> Iterator[tuple[str, Figure]]:
    """Compare the passages of `ocr.BOOK.jsonl` with their reading text, book by book."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    harmed: dict[str, list[str]] = defaultdict(list)
    for book, row in rows(gold, "ocr.*.jsonl"):
        if book not in layers:
            continue
        want, scan = normal(row["gold"]), normal(_LINE_END_HYPHEN.sub(r"\1\2", row["raw"]))
        read = normal(layers[book].read(row["start"], row["end"]))
        wanted = words(want)
        n = counts[book]
        n["CER"] += len(want)
        n["WER"] += len(wanted)
        for name, text in ("scan", scan), ("reading", read):
            n[f"CER {name}"] += Levenshtein.distance(want, text)
            n[f"WER {name}"] += Levenshtein.distance(wanted, words(text))
        for word, was, now in zip(wanted, right(wanted, words(scan)), right(wanted, words(read)), strict=True):
            n["wrong"] += not was
            n["fixed"] += now and not was
            harmed[book] += [word] if was and not now else []
    for book, n in sorted(counts.items()):
        for rate in ("CER scan", "CER reading", "WER scan", "WER reading"):
            yield f"{book}: {rate}", Figure(n[rate], n[rate[:3]])
        yield f"{book}: wrong words fixed", Figure(n["fixed"], n["wrong"])
        yield f"{book}: right words harmed", Figure(len(harmed[book]), n["WER"] - n["wrong"], tuple(harmed[book]))


def normal(text: str) -> str:
    """Return a text with quotes, dashes and white space normalised."""
    text = re.sub(r"\s+", " ", text.translate(_MARKS).replace("--", "—")).strip()
    text = re.sub(r"\s*—\s*", "—", text)
    text = re.sub(r"([(\[])\s+", r"\1", re.sub(r"\s+([,;:?!.)\]])", r"\1", text))
    return re.sub(r'\s*"\s*', '"', text)


def words(text: str) -> list[str]:
    """Return the words of a normalised text."""
    return _WORD.findall(text)


def right(gold: Sequence[str], read: Sequence[str]) -> list[bool]:
    """Return, for each word of the gold text, whether it was read correctly."""
    matched = Levenshtein.editops(gold, read).as_matching_blocks()
    found = {i for block in matched for i in range(block.a, block.a + block.size)}
    return [i in found for i in range(len(gold))]
