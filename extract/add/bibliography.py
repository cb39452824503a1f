"""The bibliography of a new scan: as given, else as the header of an e-text, the title page or the file name has it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from extract.corpus.table import is_work_id
from extract.errors import BookError
from extract.numbering.numerals import arabic
from extract.segment.segment import slug
from extract.text.lines import collapse
from extract.text.source import Encoding, checksum

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
_YEAR = re.compile(r"(?<!\d)1[5-9]\d\d(?!\d)")
_LATEST_PRINT = 1930  # a later year may well be that of the e-text
_TITLE_PAGE, _UNKNOWN_YEAR = 6000, 1900  # characters in which the year is looked for
_LONGEST = 200  # characters of a title
_TRANSCRIBER = re.compile(r"\b(?:produced|scanned|digiti[sz]ed|transcribed|e-?text|e-?book)\b|\brelease date\b", re.I)
_IMPRINT = re.compile(
    r"^(?=.{,60}$).*?(?:^|[,:;.]|--|\b(?:in|by|year|edition|[A-Z][A-Za-z]+))\s*"
    r"(?:(?P<year>1[5-9]\d\d|20[0-2]\d)|(?P<roman>M[. ]?[DCM][MDCLXVI. ]{1,16}))[.,;)\]]{0,2}(?:,? by [^\d]*)?$"
)


@dataclass(frozen=True, slots=True)
class Imprint:
    """The id of a book and its bibliography; `guessed`: its year is a guess."""

    id: str
    title: str
    year: int
    authors: tuple[tuple[str, str], ...]
    sha256: str
    encoding: Encoding
    guessed: bool


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
    `_LATEST_PRINT` is taken, else the latest. Without an imprint, the first year in the text is taken. Lines written by
    a transcriber are ignored.
    """
    lines = [line.strip(" \t_*=[]()") for line in page.split("\n") if not _TRANSCRIBER.search(line)]
    imprints = [match for line in lines if (match := _IMPRINT.match(line))]
    years = [int(m["year"] or 0) or arabic(re.sub(r"[\W_]", "", m["roman"])) for m in imprints]
    if years := [year for year in years if year]:
        return max(years, key=lambda year: (year <= _LATEST_PRINT, year))
    found = _YEAR.search("\n".join(lines))
    return int(found[0]) if found else None


def imprint(
    scan: Path, encoding: Encoding, text: str, etext: EText,
    book_id: str | None = None, title: str | None = None, year: int | None = None, names: Sequence[str] = (),
) -> Imprint:  # fmt: skip
    """Determine the bibliography of a book.

    Args:
        scan, encoding: its file, and the encoding of the file.
        text, etext: its text, and where the book is in it.
        book_id, title, year, names: what is known; a name is `Edmond Hoyle` or `Hoyle, Edmond`.
    Raises:
        BookError: the id cannot be the address of a book.
    """
    named = _YEAR.search(scan.stem)
    sure = year or (int(named[0]) if named else None)
    page = etext.fields.get("original publication", "") + "\n" + text[etext.start : etext.start + _TITLE_PAGE]
    printed = sure or year_of_print(page)
    known = printed or _UNKNOWN_YEAR
    title = collapse(title or etext.fields.get("title") or re.sub("[-_]", " ", scan.stem).capitalize())[:_LONGEST]
    authors = []
    for name in names or [etext.fields.get("author") or etext.fields.get("editor") or "Anonymous"]:
        family, comma, given = collapse(name).partition(", ")
        authors.append((given, family) if comma else (family.rpartition(" ")[0], family.rpartition(" ")[2]))
    chosen = book_id or f"{slug(_YEAR.sub('', scan.stem), 6)}-{known}"
    if not is_work_id(chosen):
        raise BookError(
            f"{chosen!r} is not a valid id; use small letters and digits, with hyphens between words, and end it in "
            "the year: give another with --id (hoyle-1898)."
        )
    return Imprint(chosen, title, known, tuple(authors), checksum(scan), encoding,
                   not sure and (printed is None or printed > _LATEST_PRINT))  # fmt: skip
