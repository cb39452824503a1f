"""Numberings that are tables of contents: they name what stands further down under the same numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from extract.segment.outline import WorkingText
from extract.survey.labels import Sighting
from extract.survey.runs import LabelRun

_ENTRY = 90  # characters of an entry, at most
_PAGE_NUMBER = re.compile(r"(?:\.\s?){2,}|\s\d{1,4}\.?$")
_SAME, _READ = 12, 80  # letters that two openings have in common, and characters in which they are looked for
_REPEATED = 0.6  # of the entries, those that return


def is_contents(work: WorkingText, run: LabelRun) -> bool:
    """Whether the labels head the entries of a table of contents: short, and no sentences, or followed by pages."""
    texts = _entries(work, run)
    paged = sum(bool(_PAGE_NUMBER.search(text.split("\n\n", 1)[0].rstrip())) for text in texts)
    if paged * 2 > len(texts):
        return True
    short = [len(text) < _ENTRY and not text.endswith((".", ";", ":", "!", "?")) for text in texts]
    return sum(short) * 3 > len(texts) * 2


def is_repeated(work: WorkingText, run: LabelRun, seen: Sequence[Sighting]) -> bool:
    """Whether short entries return further down, each as the beginning of what has its number there.

    Args:
        work: the working text.
        run: the numbering.
        seen: all labels of the book.
    """
    texts = _entries(work, run)
    if sum(len(text) < _ENTRY for text in texts) < _REPEATED * len(texts):
        return False
    below: dict[int, set[str]] = {}
    for label in seen:
        if label.start > run.labels[-1].start:
            below.setdefault(label.number, set()).add(_opening(work.text[label.end : label.end + _READ]))
    own = [(label.number, _opening(text)) for label, text in zip(run.labels, texts, strict=False)]
    returned = sum(bool(opening) and opening in below.get(number, ()) for number, opening in own)
    return returned >= _REPEATED * len(own)


def _entries(work: WorkingText, run: LabelRun) -> list[str]:
    return [work.text[a.end : b.start].strip() for a, b in pairwise(run.labels)]


def _opening(text: str) -> str:
    """The first letters of a text; none if it is shorter."""
    letters = "".join(filter(str.isalnum, text.casefold()))
    return letters[:_SAME] if len(letters) >= _SAME else ""
