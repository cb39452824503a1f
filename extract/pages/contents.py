"""Pages of a transcription that keeps no folios: the table of contents gives the page of each heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from extract.pages.marks import Mark
from extract.text.lines import Line

_ENTRY = re.compile(r"(?P<title>.*?)[\s.,·•]*(?P<page>\d{1,3}|ib\.)\)?")
_SHARE = 8  # the contents stand in the first of so many parts of a book
_SAME = 78  # similarity, in per cent, of an entry and its heading


def pages_of_headings(lines: Sequence[Line]) -> Iterator[Mark]:
    """The headings that the contents list, in order: each as an empty mark with the number of its page.

    Args:
        lines: the lines of the scan; a heading has a line of its own.
    """
    listed = (line for line in lines if line.start * _SHARE <= lines[-1].end)
    entries = [(found, line) for line in listed if (found := _ENTRY.fullmatch(line.text))]
    after = entries[-1][1].start if entries else 0
    headings = [line for line in lines if line.start > after and line.isolated and line.capital]
    page = ""
    for entry, _ in entries:
        page = page if entry["page"] == "ib." else entry["page"]
        title = entry["title"].upper()
        here = next((i for i, x in enumerate(headings) if fuzz.ratio(title, x.text.rstrip(".")) >= _SAME), None)
        if here is not None:
            yield Mark(headings[here].start, headings[here].start, "", page)
            headings = headings[here + 1 :]
