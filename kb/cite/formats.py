"""The forms of one citation: a line in our own style and in those of four manuals, and records for reference managers.

CSL and BibTeX have no locator for a law, so the pinpoint is in the title of the part, and in the note of the CSL item.
The lines are made from the strings in `kb/data/citations.toml`.
"""

from __future__ import annotations

import importlib.resources
import json
import re
import sqlite3
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kb.cite.writing import Cited, cited, dated, given_by, names, pinpoint, short, titled, titled_code
from kb.read import queries
from kb.read.rows import BookRow, UnitRow

MANUALS = {"chicago": "Chicago", "mla": "MLA", "oscola": "OSCOLA", "bluebook": "Bluebook"}
Names = Sequence[Mapping[str, str]]
_TEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_FIELD = re.compile(r"\{(\w+)\}")
_AFTER_QUOTE = re.compile(r"(’?”)([,.])")
_INITIAL = re.compile(r"\b([^\W\d_])\.\s*")
# Words that a title in capitals leaves small, unless they begin it; so do roman numerals in brackets.
_SMALL = re.compile(r"(?:an?|and|as|at|but|by|for|from|in|into|nor|of|on|or|over|so|the|to|up|via|with|yet)\Z")
_WORD = re.compile(r"(?<![\w'’])(?<!&)[^\W\d_][^\W_]*(?:['’][^\W_]+)*")
_NUMERAL = re.compile(r"[ivxlc]+")


@dataclass(frozen=True, slots=True)
class Citations:
    """The citations of one unit, code or book; `url` is its permalink."""

    plain: str
    short: str
    chicago: str
    mla: str
    oscola: str
    bluebook: str
    bibtex: str
    ris: str
    csl: str
    markdown: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What is cited: a part of a book, or a whole book if it has no title.

    Attributes:
        title: that of the part, with its code and pinpoint.
        short: the short form of the citation.
        part: the pinpoint; "" for a whole work.
        of_code: whether it is a code or in one.
        by: the authors of the part, as CSL names; `writers` are those of the book.
        first: the year of the code, if its book is of another.
    """

    id: str
    url: str
    book: BookRow
    by: Names
    writers: Names
    title: str = ""
    short: str
    part: str = ""
    of_code: bool = False
    first: str = ""
    page: str = ""


def citations_for(conn: sqlite3.Connection, unit: UnitRow, url: str) -> Citations:
    """Return all citations of a unit; `url` is its absolute permalink."""
    return citations(cited(conn, unit), url)


def citations(this: Cited, url: str) -> Citations:
    """Return all citations of a unit; `url` is its absolute permalink."""
    return in_all_forms(_of_unit(this, url))


def plain(this: Cited) -> str:
    """Return the citation in one line, as in a footnote."""
    return line(_of_unit(this, ""), "plain")


def whole_code(conn: sqlite3.Connection, code_id: str, url: str) -> Item | None:
    """Return a code as what is cited, by its id, or None; `url` is its absolute address."""
    code = next((code for code in queries.codes(conn) if code.id == code_id), None)
    if code is None:
        return None
    book = next(book for book in queries.books(conn) if book.id == code.book_id)
    writers = names(queries.authors(conn, book.id))
    return Item(
        id=code.id, url=url, book=book, by=given_by(code, book, writers), writers=writers, title=titled_code(code),
        short=dated(code), of_code=True, first=str(code.year) if code.year != book.year else "",
    )  # fmt: skip


def whole_book(conn: sqlite3.Connection, book_id: str, url: str) -> Item | None:
    """Return a book as what is cited, by its id, or None; `url` is its absolute address."""
    book = next((book for book in queries.books(conn) if book.id == book_id), None)
    if book is None:
        return None
    writers = names(queries.authors(conn, book.id))
    return Item(id=book.id, url=url, book=book, by=writers, writers=writers, short=dated(book))


def _of_unit(this: Cited, url: str) -> Item:
    code = this.code
    return Item(
        id=this.unit.id, url=url, book=this.book, by=this.by, writers=this.writers,
        title=titled(this), short=short(this), part=pinpoint(this), of_code=code is not None,
        first=str(code.year) if code and code.year != this.book.year else "",
        page=this.unit.folio or "" if this.unit.page else "",
    )  # fmt: skip


def in_all_forms(item: Item) -> Citations:
    """Return all citations of what is cited."""
    full = line(item, "plain")
    return Citations(
        plain=full,
        short=item.short,
        **{manual: line(item, manual) for manual in MANUALS},
        bibtex=bibtex(item),
        ris=ris(item),
        csl=json.dumps([csl(item)], ensure_ascii=False, indent=2),
        markdown=markdown(full, item.url),
        url=item.url,
    )


@cache
def _forms() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((importlib.resources.files("kb") / "data" / "citations.toml").read_text("utf-8"))


def line(item: Item, style: str) -> str:
    """Return the citation in a style of `kb/data/citations.toml`."""
    style_ = _forms()[style]
    values = fields(item, style_.get("marks", ""))
    form = _OPTIONAL.sub(
        lambda group: group[1] if all(values[name] for name in _FIELD.findall(group[1])) else "", style_["form"]
    )
    made = _FIELD.sub(lambda field: values[field[1]], form).lstrip(", ")
    return _AFTER_QUOTE.sub(r"\2\1", made) if style_.get("inside") else made


def fields(item: Item, marks: str = "") -> dict[str, str]:
    """Return what the forms of a citation are made of; `marks` are the quotation marks within a title.

    `author` is left out, and `by` given, if a code has no author but those of its book: our own style names these with
    the book. `writers` are left out if they are `whose` the part is. `_bare` is without the points of abbreviations.
    """
    same, book = item.by == item.writers, item.book
    quoted = item.title.translate(dict(zip(map(ord, "“”"), marks, strict=True))) if marks else item.title
    return {
        "author": "" if item.of_code and same else _listed(item.by),
        "code": item.title if item.of_code else "",
        "part": "" if item.of_code else item.title,
        "within": "reprinted in" if item.first else "in",
        "whose": _listed(item.by),
        "whose_inverted": _listed(item.by, inverted=True).rstrip("."),
        "whose_bare": _listed(item.by, bare=True),
        "by": _listed(item.writers),
        "by_bare": _listed(item.writers, bare=True),
        "writers": "" if same else _listed(item.writers),
        "Title": capitalised(quoted),
        "Book": capitalised(book.title),
        "book": book.title,
        "short": book.short if item.title else book.title,
        "place": book.place,
        "publisher": book.publisher,
        "publisher_bare": book.publisher.replace(".", ""),
        "year": str(book.year),
        "first": item.first,
        "page": item.page,
        "stop": "," if item.title else ".",
        "url": item.url,
    }


def capitalised(title: str) -> str:
    """Return a title with capitals, as titles are printed in English."""

    def word(found: re.Match[str]) -> str:
        text, before = found[0], title[: found.start()].rstrip("“”‘’\"' ")
        follows = title[found.end() :].startswith(" ")
        small = _SMALL.match(text) and before and follows and not before.endswith((":", "?", "!"))
        numeral = title[: found.start()].endswith("(") and _NUMERAL.fullmatch(text)
        return text if small or numeral else text[0].upper() + text[1:]

    return _WORD.sub(word, title)


def _listed(people: Names, *, inverted: bool = False, bare: bool = False) -> str:
    """The names of authors in a row; the first with its family name first if `inverted`."""
    shown = [_straight(name, bare) for name in people]
    if inverted and shown:
        shown[0] = _inverted(people[0])
    return " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else "".join(shown)


def csl(item: Item) -> dict[str, Any]:
    """Return a CSL-JSON item: a `book`, or a `chapter` whose title and author are those of the code."""
    book = item.book
    within = {"container-title": book.title, "container-title-short": book.short} if item.title else {}
    made: dict[str, Any] = {
        "id": item.id,
        "type": "chapter" if item.title else "book",
        "title": item.title or book.title,
        "title-short": item.short,
        **within,
        "author": list(item.by),
        "publisher": book.publisher,
        "publisher-place": book.place,
        "issued": {"date-parts": [[book.year]]},
        "note": item.part,
        "URL": item.url,
    }
    if item.by != item.writers:
        made["container-author"] = list(item.writers)
    if item.page:
        made["page"] = item.page
    if item.first:
        made["original-date"] = {"date-parts": [[int(item.first)]]}
    return {key: value for key, value in made.items() if value != ""}


def bibtex(item: Item) -> str:
    """Return a BibTeX entry; a second pair of braces keeps the capitals of a title and the name of a body whole."""
    book = item.book
    values = {
        "author": _tex_names(item.by),
        "title": f"{{{_tex(item.title or book.title)}}}",
        "bookauthor": _tex_names(item.writers) if item.by != item.writers else "",
        "year": str(book.year),
        "booktitle": f"{{{_tex(book.title)}}}" if item.title else "",
        "address": _tex(book.place),
        "publisher": _tex(book.publisher),
        "pages": _tex(item.page),
        "url": item.url,
        "note": f"first published {item.first}" if item.first else "",
    }
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in values.items() if value)
    return f"@{'incollection' if item.title else 'book'}{{{item.id.replace('/', ':')},\n{body}\n}}\n"


def ris(item: Item) -> str:
    """Return an RIS record of type CHAP or BOOK, with the line ends that the format requires (CR LF)."""
    book = item.book
    lines = [
        ("TY", "CHAP" if item.title else "BOOK"),
        *(("AU", _inverted(name)) for name in item.by),
        # The author of the book that contains the cited part: Zotero and EndNote take A2 for an editor.
        *(("C2", _inverted(name)) for name in item.writers if item.by != item.writers),
        ("TI", item.title or book.title),
        ("ST", item.short),
        ("T2", book.title if item.title else ""),
        ("PY", str(book.year)),
        ("CY", book.place),
        ("PB", book.publisher),
        ("SP", item.page),
        ("N1", f"first published {item.first}" if item.first else ""),
        ("UR", item.url),
        ("ID", item.id),
    ]
    record = "".join(f"{tag}  - {' '.join(value.split())}\r\n" for tag, value in lines if value.strip())
    return f"{record}ER  - \r\n"


def markdown(text: str, url: str) -> str:
    """Return a Markdown link."""
    escaped = re.sub(r"([\\\[\]])", r"\\\1", text)
    return f"[{escaped}]({url})"


def _straight(name: Mapping[str, str], bare: bool) -> str:
    if "literal" in name:
        return name["literal"]
    given = _INITIAL.sub(r"\1", name["given"] + " ").strip() if bare else name["given"]
    return f"{given} {name['family']}"


def _inverted(name: Mapping[str, str]) -> str:
    return name["literal"] if "literal" in name else f"{name['family']}, {name['given']}"


def _tex_names(people: Iterable[Mapping[str, str]]) -> str:
    return " and ".join(f"{{{_tex(n['literal'])}}}" if "literal" in n else _tex(_inverted(n)) for n in people)


def _tex(text: str) -> str:
    return "".join(_TEX.get(c, c) for c in text)
