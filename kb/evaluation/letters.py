"""Error rates of characters and words, in the scan and in the reading text.

Character and word error rates are Levenshtein distances over the length of the gold text (Levenshtein, Soviet
Physics Doklady 10, 1966; as in the ICDAR 2019 competition on post-OCR text correction). White space, quotes and dashes
are normalised on both sides, so that they do not count. A word is harmed if it was right in the scan and is wrong in
the reading text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from extract.text.textlayer import TextLayer
from kb.evaluation.gold import rows

_MARKS = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "—"})
_WORD = re.compile(r"[^\s—\"()\[\]]+")
_LINE_END_HYPHEN = re.compile(r"(\w)-[ \t]*\n\s*(\w)")


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
    harm: list[str] = field(default_factory=list)

    @property
    def figures(self) -> dict[str, float | int | str]:
        """The figures to print, with rates in per cent."""
        return {
            "CER scan %": _rate(self.scan_letters, self.letters),
            "CER reading %": _rate(self.read_letters, self.letters),
            "WER scan %": _rate(self.scan_words, self.words),
            "WER reading %": _rate(self.read_words, self.words),
            "wrong words fixed": f"{self.fixed} of {self.wrong}",
            "right words harmed": self.harmed,
        }


def _rate(errors: int, total: int) -> float:
    return round(100 * errors / max(1, total), 2)


def normal(text: str) -> str:
    """Return a text with quotes, dashes and white space normalised."""
    text = re.sub(r"\s+", " ", text.translate(_MARKS).replace("--", "—")).strip()
    text = re.sub(r"\s*—\s*", "—", text)
    text = re.sub(r"([(\[])\s+", r"\1", re.sub(r"\s+([,;:?!.)\]])", r"\1", text))
    return re.sub(r'\s*"\s*', '"', text)


def words(text: str) -> list[str]:
    """Return the words of a text, with quotes and dashes normalised."""
    return _WORD.findall(text.translate(_MARKS).replace("--", "—"))


def score_letters(layers: Mapping[str, TextLayer], gold: Path) -> dict[str, TextScore]:
    """Compare the passages of `ocr.BOOK.jsonl` with their reading text, by book and for all together."""
    scores: dict[str, TextScore] = {}
    for book, row in rows(gold, "ocr.*.jsonl"):
        if book not in layers:
            continue
        want = normal(row["gold"])
        scan = normal(_LINE_END_HYPHEN.sub(r"\1\2", row["raw"]))
        read = normal(layers[book].read(row["start"], row["end"]))
        wanted, scanned, reading = map(words, (want, scan, read))
        was, now = right_words(wanted, scanned), right_words(wanted, reading)
        for name in (book, "all"):
            s = scores.setdefault(name, TextScore())
            s.letters += len(want)
            s.words += len(wanted)
            s.scan_letters += Levenshtein.distance(want, scan)
            s.read_letters += Levenshtein.distance(want, read)
            s.scan_words += Levenshtein.distance(wanted, scanned)
            s.read_words += Levenshtein.distance(wanted, reading)
            s.fixed += sum(b and not a for a, b in zip(was, now, strict=True))
            s.wrong += was.count(False)
            harmed = [w for w, a, b in zip(wanted, was, now, strict=True) if a and not b]
            s.harmed += len(harmed)
            s.harm += harmed
    return dict(sorted(scores.items()))


def right_words(gold: Sequence[str], read: Sequence[str]) -> list[bool]:
    """Return, for each word of the gold text, whether it was read correctly."""
    matched = Levenshtein.editops(gold, read).as_matching_blocks()
    right = {i for block in matched for i in range(block.a, block.a + block.size)}
    return [i in right for i in range(len(gold))]
