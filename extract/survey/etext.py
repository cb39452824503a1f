"""Find the header and the licence of an e-text, and the year of print that its first pages state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from extract.numbering.numerals import arabic

_START = re.compile(
    r"^[ \t]*\*\*\* ?START OF .*(?:\n(?!\n).*)*?\*\*\*[ \t]*$|^[ \t]*\*END[* ]*THE SMALL PRINT.*$"
    r"|\AThis is a digital copy of a book that was preserved[^\f]*?books ?\. ?google ?\. ?com ?/?",
    re.M | re.I,
)
_END = re.compile(r"^[ \t]*(?:\*\*\* ?END OF .*|End of (?:the )?Project Gutenberg.*)$", re.M | re.I)
_CREDIT = re.compile(
    r"\s*(?:(?:Produced by|E-text prepared by|This e-?text was|Transcribed from)\b[^\n]*(?:\n[^\n]+)*\s*)?", re.I
)
_FIELD = re.compile(r"^(Title|Author|Editor|Release Date|Original publication)\s*:\s*(.+(?:\n[ \t]+\S.*)*)$", re.M)
YEAR = re.compile(r"(?<!\d)1[5-9]\d\d(?!\d)")
"""A year in which a book may have been printed."""
LATEST_PRINT = 1930
"""Later books are seldom free to be transcribed: a later year may well be that of the e-text."""
_TRANSCRIBER = re.compile(r"\b(?:produced|scanned|digiti[sz]ed|transcribed|e-?text|e-?book)\b|\brelease date\b", re.I)
_IMPRINT = re.compile(
    r"^(?=.{,60}$).*?(?:^|[,:;.]|--|\b(?:in|by|year|edition|[A-Z][A-Za-z]+))\s*"
    r"(?:(?P<year>1[5-9]\d\d|20[0-2]\d)|(?P<roman>M[. ]?[DCM][MDCLXVI. ]{1,16}))[.,;)\]]{0,2}(?:,? by [^\d]*)?$"
)


@dataclass(frozen=True, slots=True)
class EText:
    """Where the book itself begins and ends in an e-text, and the fields of its header.

    `start`: 0 if there is no header; `end`: the length of the text if there is no licence.
    """

    start: int
    end: int
    fields: Mapping[str, str] = field(default_factory=dict)


def read_etext(text: str) -> EText:
    """Find the header and the licence of an e-text.

    Args:
        text: the scan, or its working text.
    """
    head = _START.search(text)
    start = _CREDIT.match(text, head.end() if head else 0).end()  # type: ignore[union-attr]  # it always matches
    tail = _END.search(text, start)
    fields = {m[1].casefold(): " ".join(m[2].split()) for m in _FIELD.finditer(text, 0, start)}
    return EText(start, tail.start() if tail else len(text), fields)


def year_of_print(page: str) -> int | None:
    """Return the year in which a book was printed, according to its first pages; None if they name none.

    The year is in the imprint: a line with nothing else, or one that ends with it after a place (`LONDON, 1864.`), or a
    line on copyright; in figures or in roman numerals (`M.DCC.XCVI.`). Of several years, the latest up to
    `LATEST_PRINT` is taken, else the latest. Without an imprint, the first year in the text is taken. Lines written by
    a transcriber are ignored.
    """
    lines = [line.strip(" \t_*=[]()") for line in page.split("\n") if not _TRANSCRIBER.search(line)]
    imprints = [match for line in lines if (match := _IMPRINT.match(line))]
    years = [int(m["year"] or 0) or arabic(re.sub(r"[\W_]", "", m["roman"])) for m in imprints]
    if years := [year for year in years if year]:
        return max(years, key=lambda year: (year <= LATEST_PRINT, year))
    found = YEAR.search("\n".join(lines))
    return int(found[0]) if found else None
