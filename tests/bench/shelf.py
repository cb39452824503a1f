"""A library of many small books, made of the given texts with noise, to measure how work grows with their number.

A book is a code of 200 laws of one to three sentences. Two laws in five are copied, with a few letters misread, from an
earlier book of its family (eight consecutive books); the others are new combinations of sentences of the given texts.
So what one book has in common with the rest does not grow with the library, as with real codes.
"""

from __future__ import annotations

import hashlib
import random
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

LAWS = 200
FAMILY = 8  # books
_TAKEN = 0.4  # of the laws of a book, from an earlier one of its family
_MISREAD = 0.004  # of the letters
_SHORTEST, _LONGEST = 40, 260  # letters of a sentence
_LOOK_ALIKE = {
    "e": "c",
    "c": "e",
    "h": "b",
    "i": "l",
    "l": "i",
    "o": "0",
    "n": "u",
    "u": "n",
    "t": "f",
    "s": "8",
    "a": "n",
}
_LINE = 62
_SENTENCE = re.compile(r"[A-Z][^.!?\n]*(?:\n[^.!?\n]+)*[.]")
_BOOK = """\
[book]
title = "The Laws of Club {n}"
short = "Club {n}"
year = {year}
place = "London"
publisher = "Nobody"
note = "Made of other books, to measure by."
sha256 = "{sha256}"
layout = "lines"
[[book.author]]
given = "N."
family = "N."
[[code]]
id = "club-{n}-{year}"
title = "The Laws of Club {n}"
short = "Club {n}"
year = {year}
authority = "the club"
[[part]]
id = "laws"
begins = "LAWS OF THE CLUB"
grammar = "series"
[[part.series]]
label = "{{n}}."
kind = "law"
slug = "law"
name = "Law"
code = "club-{n}-{year}"
"""


def make_shelf(corpus: Path, folder: Path, books: int, seed: int = 1) -> int:
    """Write a library.

    Args:
        corpus: the given books, with the files on concepts and topics.
        folder: the folder to create; it must not exist.
        books: how many.
        seed: of the noise; the same gives the same library.
    Returns:
        How many laws it has.
    """
    folder.mkdir(parents=True)
    for name in (
        "library.toml",
        "terms.txt",
        "off-topic.txt",
        "unruled.txt",
        "thesaurus.toml",
        "topics.toml",
        "vocabulary.toml",
    ):
        if (corpus / name).exists():
            shutil.copy(corpus / name, folder)
    known = [s for path in sorted(corpus.glob("*/scan.txt")) for s in sentences(path.read_text(encoding="utf-8"))]
    noise = random.Random(seed)
    family: list[list[str]] = []
    for n in range(books):
        if n % FAMILY == 0:
            family = []
        laws = [_law(known, family, noise, place) for place in range(LAWS)]
        family.append(laws)
        _write(folder / f"book-{n:04}", n, 1800 + n * 100 // books, laws)
    return books * LAWS


def sentences(text: str) -> Iterator[str]:
    """The sentences of a scan that read like prose."""
    for found in _SENTENCE.finditer(text):
        sentence = " ".join(found[0].split())
        letters = sum(c.isalpha() or c == " " for c in sentence)
        if _SHORTEST <= len(sentence) <= _LONGEST and letters >= 0.95 * len(sentence) and sentence[1:2].islower():
            yield sentence


def misread(text: str, noise: random.Random) -> str:
    """A text with a few letters misread."""
    return "".join(_LOOK_ALIKE[c] if c in _LOOK_ALIKE and noise.random() < _MISREAD else c for c in text)


def _law(known: Sequence[str], family: Sequence[Sequence[str]], noise: random.Random, place: int) -> str:
    if family and noise.random() < _TAKEN:
        return misread(noise.choice(family)[place], noise)
    return misread(" ".join(noise.choices(known, k=noise.choice((1, 1, 2, 3)))), noise)


def _write(folder: Path, n: int, year: int, laws: Sequence[str]) -> None:
    folder.mkdir()
    paragraphs = ["LAWS OF THE CLUB.", *(_set(f"{i}. {law}") for i, law in enumerate(laws, 1))]
    data = ("\n\n".join(paragraphs) + "\n").encode()
    (folder / "scan.txt").write_bytes(data)
    plan = _BOOK.format(n=n, year=year, sha256=hashlib.sha256(data).hexdigest())
    (folder / "book.toml").write_text(plan, encoding="utf-8")


def _set(text: str) -> str:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= _LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)
