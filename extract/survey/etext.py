"""What an e-text has besides the book: a header and a licence, markup, marks of notes, places of pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from extract.numbering.numerals import arabic

_START = re.compile(
    r"^[ \t]*\*\*\* ?START OF .*(?:\n(?!\n).*)*?\*\*\*[ \t]*$|^[ \t]*\*END[* ]*THE SMALL PRINT.*$", re.M | re.I
)
_END = re.compile(r"^[ \t]*(?:\*\*\* ?END OF .*|End of (?:the )?Project Gutenberg.*)$", re.M | re.I)
_CREDIT = re.compile(
    r"\s*(?:Produced by|E-text prepared by|This e-?text was|Transcribed from)\b[^\n]*(?:\n[^\n]+)*", re.I
)
_SCANNED = re.compile(
    r"\AThis is a digital copy of a book that was preserved.*?books ?\. ?google ?\. ?com ?/?", re.S | re.I
)
_FIELD = re.compile(r"^(Title|Author|Editor|Release Date|Original publication)\s*:\s*(.+(?:\n[ \t]+\S.*)*)$", re.M)
_YEAR = re.compile(r"(?<!\d)1[5-9]\d\d(?!\d)")
_FIRST_PRINT, _FUTURE = 1450, 2030
LATEST_PRINT = 1930
"""What was printed later is seldom free to be transcribed: a later year may well be that of the e-text."""
_TRANSCRIBER = re.compile(r"\b(?:produced|scanned|digiti[sz]ed|transcribed|e-?text|e-?book)\b|\brelease date\b", re.I)
_LONGEST_IMPRINT = 60  # characters of a line
_IMPRINT = re.compile(
    r"(?:^|[,:;.]|--|\b(?:in|by|year|edition|[A-Z][A-Za-z]+))\s*(?:(?P<year>1[5-9]\d\d|20[0-2]\d)"
    r"|(?P<roman>M[. ]?[DCM][MDCLXVI. ]{1,16}))[.,;)\]]{0,2}(?:,? by [^\d]*)?$"
)
_MARKS = {
    "_word_": re.compile(r"(?<![\w_])_[^_\n]{1,80}(?:\n[^_\n]{1,80})?_(?![\w_])"),
    "*word*": re.compile(r"(?<![\w*])\*[^*\s][^*\n]{0,60}\*(?![\w*])"),
    "=word=": re.compile(r"(?<![\w=])=[^=\n]{1,60}=(?![\w=])"),
    "notes [49]": re.compile(r"(?<=\S)\[\d{1,3}\]"),
    "notes *": re.compile(r"(?<=[\w.,;])[*†‡](?=\s|$)", re.M),
    "superscript notes": re.compile(r"(?<=\w)[¹²³⁴⁵⁶⁷⁸⁹⁰]+|\^\{?\d+\}?"),
    "pages {167}": re.compile(r"\{\d{1,4}\}"),
    "pages [p. 167]": re.compile(r"\[(?:p|P|pg|Pg|Page|page)\.?\s{0,2}\d{1,4}\]"),
    "form feeds": re.compile(r"\f"),
    "line-end hyphens": re.compile(r"[^\W\d_]-[ \t]*\n(?=[a-z])"),
    "dashes --": re.compile(r"(?<!-)--(?!-)"),
}


@dataclass(frozen=True, slots=True)
class EText:
    """Where the book itself begins and ends in an e-text, what its header says, and the marks that its text has.

    `start`: 0 where there is no header; `end`: the length of the text where there is no licence. `cut_short`: it has
    the mark where the book begins and none where it ends.
    """

    start: int
    end: int
    fields: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, int] = field(default_factory=dict)
    cut_short: bool = False


def read_etext(text: str) -> EText:
    """Look for header, licence and marks of an e-text.

    Args:
        text: the scan, or its working text.
    """
    start, end = 0, len(text)
    fields: dict[str, str] = {}
    if head := _START.search(text, 0, min(len(text), 40_000)):
        start = head.end()
        fields = {m[1].casefold(): " ".join(m[2].split()) for m in _FIELD.finditer(text, 0, start)}
        if credit := _CREDIT.match(text, start):
            start = credit.end()
    elif scanned := _SCANNED.match(text):
        start = scanned.end()
    tail = _END.search(text, start)
    if tail:
        end = tail.start()
    start += len(text[start:end]) - len(text[start:end].lstrip())
    body = text[start:end]
    counts = {name: len(pattern.findall(body)) for name, pattern in _MARKS.items()}
    return EText(start, end, fields, {name: count for name, count in counts.items() if count}, bool(head) and not tail)


def year_of_print(page: str) -> int | None:
    """The year in which a book was printed, as its first pages tell it; None if they name none.

    The imprint has it: a line with nothing else, or one that ends with it behind a place (`LONDON, 1864.`), or that
    speaks of copyright; in figures or in roman numerals (`M.DCC.XCVI.`). Of several the latest up to `LATEST_PRINT`
    counts, else the latest, else the first year of all. Lines in which a transcriber speaks are left aside.
    """
    years: list[int] = []
    lines = [line for line in page.split("\n") if not _TRANSCRIBER.search(line)]
    for line in lines:
        text = line.strip(" \t_*=[]()")
        if len(text) <= _LONGEST_IMPRINT and (match := _IMPRINT.search(text)):
            year = int(match["year"]) if match["year"] else arabic(re.sub(r"[\W_]", "", match["roman"]))
            years += [year] if _FIRST_PRINT <= year < _FUTURE else []
    found = _YEAR.search("\n".join(lines))
    early = [year for year in years if year <= LATEST_PRINT]
    return max(early or years) if years else int(found[0]) if found else None
