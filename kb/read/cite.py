"""Citations of a unit: one plain line, and the forms that reference managers read.

Pinpoints follow legal use (law 72 (ii); article 94 (2)); CSL and BibTeX know no locator for a law, so it stands in the
title of the part and in the note.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kb.read import queries
from kb.read.rows import BookRow, CodeRow, UnitRow

_TEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}


@dataclass(frozen=True, slots=True)
class Cited:
    """A unit with what its citation needs: its code and book, what it stands in and what it explains."""

    unit: UnitRow
    book: BookRow
    code: CodeRow | None = None
    parents: tuple[UnitRow, ...] = ()
    explains: tuple[UnitRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Citations:
    """The citations of one unit; `url` is its permalink."""

    plain: str
    short: str
    bibtex: str
    ris: str
    csl: str
    markdown: str
    url: str


def cited(conn: sqlite3.Connection, unit: UnitRow) -> Cited:
    """Gather what the citation of a unit needs."""
    parents: list[UnitRow] = []
    above = unit.parent_id
    while above and len(parents) < 4 and (parent := queries.find_unit(conn, above)):
        parents.append(parent)
        above = parent.parent_id
    book = next(b for b in queries.books(conn) if b.id == unit.book_id)
    code = next((c for c in queries.codes(conn) if c.id == unit.code_id), None)
    return Cited(unit, book, code, tuple(parents), tuple(queries.explains(conn, unit.id)))


def citations_for(conn: sqlite3.Connection, unit: UnitRow, url: str) -> Citations:
    """All citations of a unit.

    Args:
        url: its permalink, absolute.
    """
    return citations(cited(conn, unit), url)


def citations(of: Cited, url: str) -> Citations:
    """Write the citations of a unit; `url` is its absolute permalink."""
    line = plain(of)
    return Citations(
        line, short(of), bibtex(of, url), ris(of, url), json.dumps([csl(of, url)], ensure_ascii=False, indent=2),
        f"[{_markdown(line)}]({url})", url,
    )  # fmt: skip


def pinpoint(of: Cited) -> str:
    """The unit within its work: `law 72 (ii)`, `case 93, decision`, `commentary on articles 1, 2 and 3`."""
    unit, number = of.unit, _number(of.unit)
    match unit.kind:
        case "law":
            return f"{(of.code.provision if of.code else 'law').lower()} {number}"
        case "subclause" | "decision" | "footnote" | "note" if of.parents:
            above = pinpoint(Cited(of.parents[0], of.book, of.code, of.parents[1:]))
            if unit.kind == "subclause":
                return f"{above} ({number})"
            return f"{above}, {unit.kind}" + (f" {number}" if number and unit.kind != "decision" else "")
        case "commentary" if of.explains:
            numbers = [_number(u) for u in of.explains]
            what = (of.code.provision if of.code else "law").lower() + ("s" if len(numbers) > 1 else "")
            return f"commentary on {what} {_listed(numbers)}"
        case "definition":
            return f"definition of “{unit.label.strip(' .—-')}”"
        case "case" | "test" | "maxim" | "etiquette" if number:
            return f"{unit.kind} {number}"
        case "dummy" if number:
            return f"dummy, rule {number}"
    return f"“{' '.join(unit.label.split()).strip(' .')}”"


def title(unit: UnitRow, parent: UnitRow | None = None) -> str:
    """What a unit is called where its work is already named: `Law 72 (II)`, `Case 93, decision`, `Law 3, note *`."""
    label = " ".join(unit.label.split()).strip() or unit.kind.replace("_", " ").capitalize()
    if parent and unit.kind in ("footnote", "note"):
        return f"{' '.join(parent.label.split()).rstrip('.')}, {label[0].lower()}{label[1:]}"
    return label


def plain(of: Cited) -> str:
    """One line, as a footnote has it."""
    book = f"{of.book.author}, {of.book.short} ({of.book.place}: {of.book.publisher}, {of.book.year})"
    page = f", p. {of.unit.page}" if of.unit.page else ""
    if of.code is None or of.code.id == of.book.id:
        return f"{book}, {pinpoint(of)}{page}"
    return f"{_code(of.code)}, {pinpoint(of)}, in {book}{page}"


def short(of: Cited) -> str:
    """A short form for use beside the text: `English code 1864, law 72 (ii)`."""
    work = of.code.short if of.code else of.book.short
    year = str(of.code.year if of.code else of.book.year)
    return f"{work}{'' if year in work else ' ' + year}, {pinpoint(of)}"


def bibtex(of: Cited, url: str) -> str:
    """A BibTeX entry: `incollection` for a code printed in a book of another title, else `inbook`."""
    fields = {
        "author": _body(of.code) if _apart(of) and of.code else " and ".join(_authors(of.book)),
        "title": f"{_code(of.code)}, {pinpoint(of)}" if _apart(of) and of.code else pinpoint(of),
        "booktitle": of.book.title,
        "bookauthor": " and ".join(_authors(of.book)) if _apart(of) else "",
        "address": of.book.place,
        "publisher": of.book.publisher,
        "year": str(of.book.year),
        "pages": of.unit.page or "",
        "url": url,
        "note": f"{pinpoint(of)}; first published {of.code.year}" if _apart(of) and of.code else pinpoint(of),
    }
    key = of.unit.id.replace("/", ":")
    plain = {name: url if name == "url" else _tex(v) for name, v in fields.items() if v}
    if _apart(of):
        plain["author"] = f"{{{plain['author']}}}"  # a second pair of braces keeps a body's name whole
    body = [f"  {name} = {{{value}}}" for name, value in plain.items()]
    return f"@incollection{{{key},\n" + ",\n".join(body) + "\n}\n"


def ris(of: Cited, url: str) -> str:
    """An RIS record of type CHAP, lines ended as the format demands (CR LF)."""
    lines = [
        ("TY", "CHAP"),
        *((("AU", _body(of.code)),) if _apart(of) and of.code else ()),
        *(("A2" if _apart(of) else "AU", _inverted(a)) for a in _authors(of.book)),
        ("TI", f"{_code(of.code)}, {pinpoint(of)}" if _apart(of) and of.code else pinpoint(of)),
        ("T2", of.book.title),
        ("PY", str(of.book.year)),
        ("CY", of.book.place),
        ("PB", of.book.publisher),
        ("SP", of.unit.page or ""),
        ("UR", url),
        ("ID", of.unit.id),
        ("ER", ""),
    ]
    return "".join(f"{tag}  - {' '.join(value.split())}\r\n" for tag, value in lines if value or tag == "ER")


def csl(of: Cited, url: str) -> dict[str, Any]:
    """A CSL-JSON item of type `chapter`."""
    item: dict[str, Any] = {
        "id": of.unit.id,
        "type": "chapter",
        "title": f"{_code(of.code)}, {pinpoint(of)}" if _apart(of) and of.code else pinpoint(of),
        "container-title": of.book.title,
        "author": [{"literal": _body(of.code)}] if _apart(of) and of.code else [_name(a) for a in _authors(of.book)],
        "publisher": of.book.publisher,
        "publisher-place": of.book.place,
        "issued": {"date-parts": [[of.book.year]]},
        "note": pinpoint(of),
        "URL": url,
    }
    if _apart(of):
        item["container-author"] = [_name(a) for a in _authors(of.book)]
    if of.unit.page:
        item["page"] = of.unit.page
    if of.code and of.code.year != of.book.year:
        item["original-date"] = {"date-parts": [[of.code.year]]}
    return item


def _apart(of: Cited) -> bool:
    return of.code is not None and of.code.id != of.book.id


def _body(code: CodeRow) -> str:
    """The body that gave a code: a code's author is not the writer in whose book it is printed."""
    return code.authority.removeprefix("the ")


def _code(code: CodeRow) -> str:
    """`The Laws of Whist (the English club code, 1864)`: the year within the brackets of the title, if it has any."""
    if str(code.year) in code.title:
        return code.title
    return f"{code.title[:-1]}, {code.year})" if code.title.endswith(")") else f"{code.title} ({code.year})"


def _number(unit: UnitRow) -> str:
    number = unit.number or ""
    return number.upper() if re.fullmatch(r"[a-z]\d+", number) else number


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _authors(book: BookRow) -> list[str]:
    return [a.strip() for a in re.split(r"\s+and\s+|;", book.author) if a.strip()]


def _name(author: str) -> dict[str, str]:
    given, _, family = author.rpartition(" ")
    return {"family": family, "given": given} if given else {"literal": author}


def _inverted(author: str) -> str:
    given, _, family = author.rpartition(" ")
    return f"{family}, {given}" if given else author


def _tex(text: str) -> str:
    return "".join(_TEX.get(c, c) for c in text)


def _markdown(text: str) -> str:
    return re.sub(r"([\\\[\]])", r"\\\1", text)
